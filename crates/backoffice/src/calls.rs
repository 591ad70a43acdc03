//! Calls of other services: each under a token that names the member of staff, for a minute, and what they may do.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use reqwest::{Method, StatusCode};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use service::{Scope, SigningKey, StartError};
use url::Url;

use crate::{NAME, error::Error, guard::Member};

/// Calls one service.
#[derive(Clone)]
pub(crate) struct ServiceClient {
    /// The name by which its tokens name it.
    pub(crate) name: &'static str,
    http: reqwest::Client,
    /// Without a slash at the end.
    base: Arc<str>,
    key: SigningKey,
}

/// Why a service refused a call.
#[derive(Default, Deserialize)]
struct Refusal {
    #[serde(default)]
    detail: Option<String>,
    /// By field of a form.
    #[serde(default)]
    errors: BTreeMap<String, String>,
}

impl ServiceClient {
    pub(crate) fn new(name: &'static str, url: &Url, key: &SigningKey) -> Result<Self, StartError> {
        let http = reqwest::Client::builder().build().map_err(|error| StartError::other(NAME, error))?;
        Ok(Self { name, http, base: url.as_str().trim_end_matches('/').into(), key: key.clone() })
    }

    pub(crate) async fn call<T: DeserializeOwned>(
        &self,
        scope: Scope,
        member: &Member,
        timeout: Duration,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<T, Error> {
        let token = service::staff_token(&self.key, self.name, &member.email, scope)
            .ok_or_else(|| Error::Internal("a token could not be signed".to_owned()))?;
        let request = self.http.request(method, format!("{}{path}", self.base)).timeout(timeout);
        let mut request = request.bearer_auth(token);
        request = request.header(service::REQUEST_ID_HEADER.as_str(), service::current_request_id());
        if let Some(body) = body {
            request = request.json(&body);
        }
        let unavailable = |cause: String| Error::ServiceUnavailable(self.name, cause);
        // The error would name the address, which may contain a number.
        let broken = |error: reqwest::Error| unavailable(error.without_url().to_string());
        let reply = request.send().await.map_err(broken)?;
        let status = reply.status();
        let bytes = reply.bytes().await.map_err(broken)?;
        match status {
            StatusCode::NO_CONTENT => serde_json::from_value(Value::Null),
            status if status.is_success() => serde_json::from_slice(&bytes),
            StatusCode::NOT_FOUND | StatusCode::CONFLICT | StatusCode::UNPROCESSABLE_ENTITY => {
                let Refusal { detail, errors } = serde_json::from_slice(&bytes).unwrap_or_default();
                let text = detail.unwrap_or_else(|| "It is not possible.".to_owned());
                return Err(match errors.is_empty() {
                    true if status == StatusCode::NOT_FOUND && scope == Scope::Editors => Error::UnknownToService(text),
                    true => Error::RefusedByService(text),
                    false => Error::FieldsRefused(text, errors),
                });
            }
            status => return Err(unavailable(format!("it answered {status}"))),
        }
        .map_err(|error| unavailable(format!("an unexpected reply: {error}")))
    }
}
