//! Calls of other services: each under a token that names the member of staff, for a minute, and what they may do.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use actix_web::web::Bytes;
use reqwest::{Method, RequestBuilder, Response, StatusCode, header::ACCEPT_LANGUAGE};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use service::{Scope, SigningKey, StaffText, StartError};
use url::Url;

use crate::{NAME, error::Error, members::Member};

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
        let http = service::client_for(url.as_str())
            .connect_timeout(Duration::from_secs(3))
            // A service closes an idle connection after 5 s: a call must not be written into a connection that is closing.
            .pool_idle_timeout(Duration::from_secs(2))
            .build()
            .map_err(|error| StartError::other(NAME, error))?;
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
        let mut request = self.request(scope, member, method, path)?.timeout(timeout);
        if let Some(body) = body {
            request = request.json(&body);
        }
        let reply = self.send(scope, request).await?;
        let is_empty = reply.status() == StatusCode::NO_CONTENT;
        let bytes = reply.bytes().await.map_err(|error| self.broken(error))?;
        let value = if is_empty { serde_json::from_value(Value::Null) } else { serde_json::from_slice(&bytes) };
        value.map_err(|error| Error::ServiceUnavailable(self.name, format!("an unexpected reply: {error}")))
    }

    /// A file, as the service gives it.
    pub(crate) async fn file(
        &self,
        scope: Scope,
        member: &Member,
        timeout: Duration,
        path: &str,
    ) -> Result<Bytes, Error> {
        let request = self.request(scope, member, Method::GET, path)?.timeout(timeout);
        self.send(scope, request).await?.bytes().await.map_err(|error| self.broken(error))
    }

    /// A request in the name of a member of staff.
    pub(crate) fn request(
        &self,
        scope: Scope,
        member: &Member,
        method: Method,
        path: &str,
    ) -> Result<RequestBuilder, Error> {
        let token = service::staff_token(&self.key, self.name, &member.email, scope)
            .ok_or_else(|| Error::Internal("a token could not be signed".to_owned()))?;
        let request = self.http.request(method, format!("{}{path}", self.base)).bearer_auth(token);
        // A refusal is relayed to the person: it comes in the language of the other texts.
        let request = request.header(ACCEPT_LANGUAGE, service::staff_language().code());
        Ok(request.header(service::REQUEST_ID_HEADER.as_str(), service::current_request_id()))
    }

    /// The reply, if the service accepts the request.
    pub(crate) async fn send(&self, scope: Scope, request: RequestBuilder) -> Result<Response, Error> {
        let reply = request.send().await.map_err(|error| self.broken(error))?;
        match reply.status() {
            status if status.is_success() => Ok(reply),
            status @ (StatusCode::NOT_FOUND | StatusCode::CONFLICT | StatusCode::UNPROCESSABLE_ENTITY) => {
                let bytes = reply.bytes().await.map_err(|error| self.broken(error))?;
                let Refusal { detail, errors } = serde_json::from_slice(&bytes).unwrap_or_default();
                let text = detail.unwrap_or_else(|| StaffText::new("not-possible").text(service::staff_language()));
                Err(match errors.is_empty() {
                    true if status == StatusCode::NOT_FOUND && scope == Scope::Editors => Error::UnknownToService(text),
                    true => Error::RefusedByService(text),
                    false => Error::FieldsRefused(text, errors),
                })
            }
            StatusCode::PAYLOAD_TOO_LARGE => Err(Error::TooLarge),
            status => Err(Error::ServiceUnavailable(self.name, format!("it answered {status}"))),
        }
    }

    /// The error would name the address, which may contain a number.
    fn broken(&self, error: reqwest::Error) -> Error {
        Error::ServiceUnavailable(self.name, error.without_url().to_string())
    }
}
