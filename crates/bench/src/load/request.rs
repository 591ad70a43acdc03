//! Requests to the servers, and the client that sends them one at a time.

use std::{fmt, net::SocketAddr, time::Duration};

use reqwest::{
    Method,
    header::{CONTENT_TYPE, HOST, HeaderMap, HeaderName},
};
use serde_json::Value;

/// A client that keeps connections open, for less than the five seconds after which the servers close them, and follows no redirect.
pub fn client() -> reqwest::Result<reqwest::Client> {
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .timeout(Duration::from_secs(30))
        .pool_idle_timeout(Duration::from_secs(2))
        .build()
}

/// A request.
#[derive(Clone, Debug)]
pub struct Request {
    method: Method,
    host: String,
    path: String,
    headers: Vec<(HeaderName, String)>,
    body: Option<String>,
}

/// A response with its body.
#[derive(Debug)]
pub struct Response {
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: HeaderMap,
    /// The body as received.
    pub body: Vec<u8>,
}

impl Request {
    /// A GET request.
    pub fn get(host: &str, path: &str) -> Self {
        Self { method: Method::GET, host: host.to_owned(), path: path.to_owned(), headers: Vec::new(), body: None }
    }

    /// A request with a body in JSON.
    pub fn json(method: Method, host: &str, path: &str, body: &Value) -> Self {
        let request = Self { method, body: Some(body.to_string()), ..Self::get(host, path) };
        request.header(CONTENT_TYPE, "application/json")
    }

    /// The same request with one more header.
    #[must_use]
    pub fn header(mut self, name: HeaderName, value: &str) -> Self {
        self.headers.push((name, value.to_owned()));
        self
    }

    /// The text of the request in HTTP/1.1.
    pub fn text(&self) -> String {
        let mut text = format!("{} {} HTTP/1.1\r\nHost: {}\r\n", self.method, self.path, self.host);
        for (name, value) in &self.headers {
            text += &format!("{name}: {value}\r\n");
        }
        if let Some(body) = &self.body {
            text += &format!("Content-Length: {}\r\n", body.len());
        }
        text + "\r\n" + self.body.as_deref().unwrap_or_default()
    }

    /// Sends the request to the server at `addr`, and reads the whole response.
    pub async fn send(&self, client: &reqwest::Client, addr: SocketAddr) -> reqwest::Result<Response> {
        let url = format!("http://{addr}{}", self.path);
        let mut request = client.request(self.method.clone(), url).header(HOST, &self.host);
        for (name, value) in &self.headers {
            request = request.header(name, value);
        }
        if let Some(body) = &self.body {
            request = request.body(body.clone());
        }
        let response = request.send().await?;
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        Ok(Response { status, headers, body: response.bytes().await?.to_vec() })
    }

    /// As `send`; a response with another status than `expect` is an error.
    pub async fn expect(&self, expect: u16, client: &reqwest::Client, addr: SocketAddr) -> anyhow::Result<Response> {
        let response = self.send(client, addr).await?;
        let body = response.body.get(..response.body.len().min(300)).unwrap_or_default();
        anyhow::ensure!(
            response.status == expect,
            "{self} was answered {}: {}",
            response.status,
            String::from_utf8_lossy(body)
        );
        Ok(response)
    }
}

impl fmt::Display for Request {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.method, self.path)
    }
}

#[cfg(test)]
mod tests {
    use reqwest::header::COOKIE;
    use serde_json::json;

    use super::*;

    #[test]
    fn text_has_the_bodys_type_and_length() {
        let request = Request::json(Method::POST, "memeworld", "/a", &json!({})).header(COOKIE, "a=b");
        let head = "POST /a HTTP/1.1\r\nHost: memeworld\r\ncontent-type: application/json\r\ncookie: a=b\r\n";
        assert_eq!(request.text(), format!("{head}Content-Length: 2\r\n\r\n{{}}"));
        assert_eq!(Request::get("x", "/?a=1").text(), "GET /?a=1 HTTP/1.1\r\nHost: x\r\n\r\n");
    }
}
