//! What is wrong with a manifest, and where.

use std::fmt;

/// How many problems are reported at most.
pub const MAX_PROBLEMS: usize = 200;

/// One thing that is wrong with a manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problem {
    /// The line, counted from 1; 0 where the file as a whole is meant.
    pub line: u64,
    /// The column in bytes, counted from 1, where it is known.
    pub column: Option<u64>,
    /// The field, or the column's name.
    pub field: Option<String>,
    /// The position in a JSON document: a JSON Pointer (RFC 6901).
    pub pointer: Option<String>,
    /// The problem, as a sentence.
    pub message: String,
}

impl Problem {
    /// A problem of a line.
    pub fn at(line: u64, message: impl Into<String>) -> Self {
        Self { line, message: message.into(), ..Self::default() }
    }

    /// The same, of a field.
    pub fn of(mut self, field: &str) -> Self {
        self.field = Some(field.to_owned());
        self
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.line, self.column) {
            (0, _) => {}
            (line, None) => write!(f, "{line}: ")?,
            (line, Some(column)) => write!(f, "{line}:{column}: ")?,
        }
        if let Some(field) = &self.field {
            write!(f, "{field}: ")?;
        }
        f.write_str(&self.message)?;
        match &self.pointer {
            Some(pointer) => write!(f, " ({pointer})"),
            None => Ok(()),
        }
    }
}

/// All problems of a manifest, in the order of its lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Problems {
    /// The file, as it was named.
    pub path: String,
    /// The problems; at most [`MAX_PROBLEMS`].
    pub list: Vec<Problem>,
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for problem in &self.list {
            let gap = if problem.line == 0 { " " } else { "" };
            writeln!(f, "{}:{gap}{problem}", self.path)?;
        }
        let more = if self.list.len() >= MAX_PROBLEMS { " or more" } else { "" };
        let plural = if self.list.len() == 1 { "" } else { "s" };
        write!(f, "{}{more} problem{plural}; nothing was changed", self.list.len())
    }
}

impl std::error::Error for Problems {}
