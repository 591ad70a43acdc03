//! All that is wrong with a manifest.

use std::fmt;

pub use catalogue::files::{MAX_PROBLEMS, Problem};

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
