//! What is wrong with a manifest, and where.

use std::fmt;

use languages::{Language, StaffText};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How many problems are reported at most.
pub const MAX_PROBLEMS: usize = 200;

/// One thing that is wrong with a manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = ManifestProblem)]
pub struct Problem {
    /// The line, counted from 1; 0 where the file as a whole is meant.
    #[schema(value_type = service::schema::Count)]
    pub line: u64,
    /// The column in bytes, counted from 1, where it is known.
    #[schema(value_type = Option<service::schema::Count>, required = true)]
    pub column: Option<u64>,
    /// The field, or the column's name.
    #[schema(required = true)]
    pub field: Option<String>,
    /// The position in a JSON document: a JSON Pointer (RFC 6901).
    #[schema(required = true)]
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

/// A problem whose message is not written yet.
#[derive(Clone, Debug)]
pub struct Fault {
    place: Problem,
    /// Boxed, so that errors stay small.
    message: Box<StaffText>,
}

impl Fault {
    /// A fault of a line.
    pub fn at(line: u64, message: StaffText) -> Self {
        Self { place: Problem { line, ..Problem::default() }, message: message.into() }
    }

    /// The same, of a field.
    pub fn of(self, field: &str) -> Self {
        Self { place: self.place.of(field), ..self }
    }

    /// The same, at this column and this position in a JSON document.
    pub fn within(self, column: Option<u64>, pointer: Option<String>) -> Self {
        Self { place: Problem { column, pointer, ..self.place }, ..self }
    }

    /// The same, at this position in a JSON document.
    pub fn at_pointer(self, pointer: String) -> Self {
        let column = self.place.column;
        self.within(column, Some(pointer))
    }

    /// In a language.
    pub fn written(self, language: Language) -> Problem {
        Problem { message: self.message.text(language), ..self.place }
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
