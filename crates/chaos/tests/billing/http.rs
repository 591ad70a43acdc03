//! An HTTP client for processes that may die while they answer: a missing reply is a normal result.

use std::time::Duration;

use reqwest::{Client, Method, RequestBuilder, header};
use serde_json::Value;
use testkit::ADMIN_TOKEN;

/// The timeout of each request.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Each request uses a new connection.
#[derive(Clone)]
pub struct HttpClient(Client);

/// A reply.
pub struct Reply {
    pub status: u16,
    pub headers: header::HeaderMap,
    pub text: String,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("not JSON ({error}): {}", self.text))
    }

    /// The cookie of this name, as a browser sends it back.
    pub fn cookie(&self, name: &str) -> Option<String> {
        let mut cookies = self.headers.get_all(header::SET_COOKIE).iter().filter_map(|cookie| cookie.to_str().ok());
        let cookie = cookies.find(|cookie| cookie.starts_with(&format!("{name}=")))?;
        cookie.split(';').next().map(str::to_owned)
    }
}

impl HttpClient {
    pub fn new() -> Self {
        let client = Client::builder()
            .timeout(TIMEOUT)
            .pool_max_idle_per_host(0)
            .redirect(reqwest::redirect::Policy::none())
            .no_proxy();
        Self(client.build().unwrap())
    }

    pub fn request(&self, method: Method, url: &str) -> RequestBuilder {
        self.0.request(method, url)
    }

    /// `None` where no reply arrived: the request may have been processed or not.
    pub async fn send(&self, request: RequestBuilder) -> Option<Reply> {
        let reply = request.send().await.ok()?;
        let (status, headers) = (reply.status().as_u16(), reply.headers().clone());
        Some(Reply { status, headers, text: reply.text().await.ok()? })
    }

    pub async fn get(&self, url: &str) -> Option<Reply> {
        self.send(self.request(Method::GET, url).bearer_auth(ADMIN_TOKEN)).await
    }

    pub async fn post(&self, url: &str, body: &Value) -> Option<Reply> {
        self.send(self.request(Method::POST, url).bearer_auth(ADMIN_TOKEN).json(body)).await
    }

    pub async fn post_form(&self, url: &str, fields: &[(&str, &str)]) -> Option<Reply> {
        let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
        let form = header::HeaderValue::from_static("application/x-www-form-urlencoded");
        self.send(self.request(Method::POST, url).header(header::CONTENT_TYPE, form).body(body)).await
    }
}
