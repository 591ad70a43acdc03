//! The running services, by the client that is for editors.

use std::time::Duration;

use brands::{Brands, Kind};
use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use url::form_urlencoded;

/// The address of each kind's service for editors, and the token.
#[derive(Clone, clap::Args)]
pub struct Services {
    /// Base URL of the comedy service.
    #[arg(long = "comedy-url", env = "COMEDY_URL", default_value = "http://127.0.0.1:8081")]
    pub comedy: String,
    /// Base URL of the diski service.
    #[arg(long = "diski-url", env = "DISKI_URL", default_value = "http://127.0.0.1:8082")]
    pub diski: String,
    /// Base URL of the meme service.
    #[arg(long = "meme-url", env = "MEME_URL", default_value = "http://127.0.0.1:8083")]
    pub meme: String,
    /// Base URL of the tt service.
    #[arg(long = "tt-url", env = "TT_URL", default_value = "http://127.0.0.1:8084")]
    pub tt: String,
    /// The services' admin token.
    #[arg(long, env = "ADMIN_TOKEN", hide_env_values = true)]
    pub admin_token: String,
}

/// Why a service did not do what was requested.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// It could not be reached.
    #[error("{service}: cannot reach {url}: {cause}")]
    Unreachable {
        /// The service.
        service: String,
        /// Its address.
        url: String,
        /// The transport error, in one line.
        cause: String,
    },
    /// It refused.
    #[error("{service}: {message}")]
    Refused {
        /// The service.
        service: String,
        /// The error message in its reply.
        message: String,
    },
}

impl Services {
    fn url_of(&self, kind: Kind) -> &str {
        match kind {
            Kind::Comedy => &self.comedy,
            Kind::Diski => &self.diski,
            Kind::Meme => &self.meme,
            Kind::Tt => &self.tt,
        }
    }
}

/// The error message for an unknown service.
pub fn unknown(brands: &Brands, service: &str) -> CallError {
    let known = brands.iter().map(|brand| brand.service.clone()).collect::<Vec<_>>().join(", ");
    let message = format!("there is no such service; there are: {known}");
    CallError::Refused { service: service.to_owned(), message }
}

/// The fields of an object as a query, without those that are null.
pub fn query_of(query: &impl Serialize) -> String {
    let mut pairs = form_urlencoded::Serializer::new(String::new());
    for (name, value) in json!(query).as_object().into_iter().flatten().filter(|(_, value)| !value.is_null()) {
        pairs.append_pair(name, &value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    }
    pairs.finish()
}

/// A client of a service's public endpoints, as a visitor of one brand's site.
#[derive(Clone)]
pub struct Visitor {
    client: ServiceClient,
    host: String,
}

impl Visitor {
    /// A visitor of the site of this label.
    pub fn new(services: &Services, kind: Kind, service: &str, label: &str) -> Result<Self, CallError> {
        let mut client = ServiceClient::new(services, kind, service)?;
        client.base = services.url_of(kind).trim_end_matches('/').to_owned();
        Ok(Self { client, host: format!("{label}.localhost") })
    }

    /// GET.
    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, CallError> {
        let request = self.client.http.get(format!("{}{path}", self.client.base)).header("host", &self.host);
        self.client.answer(path, request).await
    }
}

/// A client of the internal endpoints of one brand's service.
#[derive(Clone)]
pub struct ServiceClient {
    http: reqwest::Client,
    service: String,
    base: String,
    token: String,
}

impl ServiceClient {
    /// The client of the service that has `service`'s records.
    pub fn new(services: &Services, kind: Kind, service: &str) -> Result<Self, CallError> {
        let base = format!("{}/internal", services.url_of(kind).trim_end_matches('/'));
        let http = service::client_for(&base)
            .connect_timeout(Duration::from_secs(10))
            // A service closes an idle connection after 5 s: a call must not be written into a connection that is closing.
            .pool_idle_timeout(Duration::from_secs(2))
            .build();
        let http = http.map_err(|cause| CallError::Unreachable {
            service: service.to_owned(),
            url: base.clone(),
            cause: cause.to_string(),
        })?;
        Ok(Self { http, service: service.to_owned(), base, token: services.admin_token.clone() })
    }

    /// POST; answers what the service answers.
    pub async fn post<T: DeserializeOwned>(&self, path: &str, body: &impl Serialize) -> Result<T, CallError> {
        let bytes = serde_json::to_vec(body).map_err(|cause| self.unreachable(path, &cause))?;
        self.send(Method::POST, path, Some(bytes)).await
    }

    /// POST of a body that is JSON already.
    pub async fn post_bytes<T: DeserializeOwned>(&self, path: &str, body: Vec<u8>) -> Result<T, CallError> {
        self.send(Method::POST, path, Some(body)).await
    }

    /// GET.
    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, CallError> {
        self.send(Method::GET, path, None).await
    }

    /// DELETE without checking its outcome.
    pub async fn delete(&self, path: &str) {
        let request = self.http.delete(format!("{}{path}", self.base)).bearer_auth(&self.token);
        // The service closes open imports later.
        let _ = request.send().await;
    }

    async fn send<T: DeserializeOwned>(
        &self,
        method: Method,
        path: &str,
        body: Option<Vec<u8>>,
    ) -> Result<T, CallError> {
        let mut request = self.http.request(method, format!("{}{path}", self.base)).bearer_auth(&self.token);
        if let Some(body) = body {
            request = request.header("content-type", "application/json").body(body);
        }
        self.answer(path, request).await
    }

    /// The reply to a call without a body.
    pub async fn reply(&self, method: Method, path: &str) -> Result<Response, CallError> {
        self.accepted(path, self.http.request(method, format!("{}{path}", self.base)).bearer_auth(&self.token)).await
    }

    async fn answer<T: DeserializeOwned>(&self, path: &str, request: RequestBuilder) -> Result<T, CallError> {
        let reply = self.accepted(path, request).await?;
        reply.json().await.map_err(|cause| self.unreachable(path, &cause))
    }

    /// The reply, unless the service refuses.
    async fn accepted(&self, path: &str, request: RequestBuilder) -> Result<Response, CallError> {
        let reply = request.send().await.map_err(|cause| self.unreachable(path, &cause))?;
        if reply.status().is_success() {
            return Ok(reply);
        }
        let status = reply.status();
        let problem: Option<Value> = reply.json().await.ok();
        let error_message = problem.as_ref().and_then(|problem| problem.get("error_message")).and_then(Value::as_str);
        let message = match (status, error_message) {
            (StatusCode::UNAUTHORIZED, _) => "the admin token is not the service's (ADMIN_TOKEN)".to_owned(),
            (_, Some(error_message)) => error_message.to_owned(),
            (status, None) => format!("{path} answered {status}"),
        };
        Err(CallError::Refused { service: self.service.clone(), message })
    }

    fn unreachable(&self, path: &str, cause: &dyn std::error::Error) -> CallError {
        let mut words = cause.to_string();
        let mut deeper = cause.source();
        while let Some(next) = deeper {
            words = format!("{words}: {next}");
            deeper = next.source();
        }
        CallError::Unreachable { service: self.service.clone(), url: format!("{}{path}", self.base), cause: words }
    }
}
