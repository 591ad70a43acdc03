//! What arrives in paths, queries and bodies, proved before a handler runs; what cannot be understood is a 400, 413 or 415.

use actix_web::{
    error::{JsonPayloadError, PathError, QueryPayloadError},
    web::{JsonConfig, PathConfig, QueryConfig},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Problem;

/// The largest body a public call may carry, in bytes.
pub const MAX_BODY_BYTES: usize = 64 * 1024;

/// An id: a positive 64-bit integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[schema(minimum = 1, maximum = 9223372036854775807_i64, example = 1)]
#[serde(try_from = "i64")]
pub struct Id(i64);

impl Id {
    /// The number itself.
    pub fn get(self) -> i64 {
        self.0
    }
}

impl TryFrom<i64> for Id {
    type Error = &'static str;

    fn try_from(id: i64) -> Result<Self, Self::Error> {
        if id > 0 { Ok(Self(id)) } else { Err("an id is a positive integer") }
    }
}

pub(crate) fn json_config() -> JsonConfig {
    body_config(MAX_BODY_BYTES)
}

/// How JSON bodies of at most `limit` bytes are read, and which problems the others get.
pub fn body_config(limit: usize) -> JsonConfig {
    JsonConfig::default().limit(limit).error_handler(|error, _| {
        match error {
            JsonPayloadError::ContentType => Problem::unsupported_media_type(),
            JsonPayloadError::Overflow { .. } | JsonPayloadError::OverflowKnownLength { .. } => Problem::too_large(),
            other => Problem::bad_request(format!("The body could not be understood: {other}.")),
        }
        .into()
    })
}

pub(crate) fn path_config() -> PathConfig {
    PathConfig::default().error_handler(|error, _| match error {
        PathError::Deserialize(cause) => {
            Problem::bad_request(format!("The address could not be understood: {cause}.")).into()
        }
        _ => Problem::bad_request("The address could not be understood.").into(),
    })
}

pub(crate) fn query_config() -> QueryConfig {
    QueryConfig::default().error_handler(|error, _| match error {
        QueryPayloadError::Deserialize(cause) => {
            Problem::bad_request(format!("The query could not be understood: {cause}.")).into()
        }
        _ => Problem::bad_request("The query could not be understood.").into(),
    })
}
