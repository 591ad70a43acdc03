//! States and kinds that are text in a column and an enumeration in a reply.

use serde::de::{DeserializeOwned, IntoDeserializer, value};

use crate::error::Error;

/// The variant that a column names.
pub(crate) fn word<T: DeserializeOwned>(text: &str) -> Result<T, Error> {
    let named: Result<T, value::Error> = T::deserialize(text.into_deserializer());
    named.map_err(|error| Error::Internal(error.to_string()))
}
