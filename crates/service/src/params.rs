//! Validation of paths, queries and bodies before a handler runs; errors are 400, 413 or 415.

use actix_web::{
    error::JsonPayloadError,
    web::{JsonConfig, PathConfig, QueryConfig},
};
use serde::{Deserialize, Serialize};
use serde_json::error::Category;
use utoipa::ToSchema;

use crate::{Message, Problem};

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

/// Reads JSON bodies of at most `limit` bytes, and returns a problem for others.
pub fn body_config(limit: usize) -> JsonConfig {
    JsonConfig::default().limit(limit).error_handler(|error, _| {
        match error {
            JsonPayloadError::ContentType => Problem::unsupported_media_type(),
            JsonPayloadError::Overflow { .. } | JsonPayloadError::OverflowKnownLength { .. } => Problem::too_large(),
            JsonPayloadError::Deserialize(cause) => {
                tracing::debug!(error = %cause, "a body could not be read");
                Problem::bad_request(match cause.classify() {
                    Category::Data => Message::new("wrong-field"),
                    _ => Message::new("invalid-json"),
                })
            }
            _ => Problem::bad_request(Message::new("malformed-body")),
        }
        .into()
    })
}

pub(crate) fn path_config() -> PathConfig {
    PathConfig::default().error_handler(|error, _| {
        tracing::debug!(error = %error, "an address could not be read");
        Problem::bad_request(Message::new("malformed-address")).into()
    })
}

pub(crate) fn query_config() -> QueryConfig {
    QueryConfig::default().error_handler(|error, _| {
        tracing::debug!(error = %error, "a query could not be read");
        Problem::bad_request(Message::new("malformed-query")).into()
    })
}

#[cfg(test)]
mod tests {
    use actix_web::{
        App,
        test::{TestRequest, call_service, init_service, read_body_json},
        web::{Json, Path, Query, post},
    };
    use serde_json::Value;

    use super::*;

    #[derive(Deserialize)]
    struct Sample {
        #[serde(rename = "id")]
        _id: Id,
    }

    #[actix_web::test]
    async fn malformed_request_is_400_with_a_sentence() {
        let app = App::new()
            .app_data(json_config())
            .app_data(path_config())
            .app_data(query_config())
            .route("/bodies", post().to(|_: Json<Sample>| async { "" }))
            .route("/paths/{id}", post().to(|_: Path<Id>| async { "" }))
            .route("/queries", post().to(|_: Query<Sample>| async { "" }));
        let app = init_service(app).await;
        let syntax = "The body is not valid JSON.";
        let data = "The body is JSON, but a field is missing or of the wrong type.";
        let path = "The address could not be understood.";
        let query = "The query could not be understood: a value is missing or of the wrong type.";
        for (address, body, sentence) in [
            ("/bodies", "", syntax),
            ("/bodies", r#"{"id": 1"#, syntax),
            ("/bodies", "{id}", syntax),
            ("/bodies", "{}", data),
            ("/bodies", r#"{"id": "one"}"#, data),
            ("/bodies", r#"{"id": 0}"#, data),
            ("/paths/one", "", path),
            ("/paths/0", "", path),
            ("/queries", "", query),
            ("/queries?id=one", "", query),
        ] {
            let req = TestRequest::post().uri(address).insert_header(("content-type", "application/json"));
            let response = call_service(&app, req.set_payload(body).to_request()).await;
            assert_eq!(response.status().as_u16(), 400, "{address} {body}");
            let problem: Value = read_body_json(response).await;
            assert_eq!(problem["error_message"], sentence, "{address} {body}");
        }
    }
}
