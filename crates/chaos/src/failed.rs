//! Why chaos could not be made, which is not the same as a check that does not hold.

/// A cause in one line, for a person.
#[derive(Debug)]
pub(crate) struct Failed(String);

impl Failed {
    /// A cause in words.
    pub fn new(cause: impl Into<String>) -> Self {
        Self(cause.into())
    }
}

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Whatever went wrong below: nobody tells one cause from another here, so all are told alike.
impl<E: std::error::Error> From<E> for Failed {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}
