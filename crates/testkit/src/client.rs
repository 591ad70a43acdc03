//! A client that speaks to one address as one host, the way a browser or the gateway does.

use std::net::SocketAddr;

use reqwest::{Method, header};
use serde_json::{Value, json};

/// Speaks to `addr` with the given Host and, where set, a session cookie.
#[derive(Clone)]
pub struct Client {
    http: reqwest::Client,
    base: String,
    host: String,
    cookie: Option<String>,
}

/// A reply.
#[derive(Debug)]
pub struct Reply {
    /// The status code.
    pub status: u16,
    /// The headers.
    pub headers: header::HeaderMap,
    /// The body as it is.
    pub bytes: Vec<u8>,
}

impl Reply {
    /// A header's value; empty where there is none.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }

    /// The body as JSON; fails the test where it is not.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes)
            .unwrap_or_else(|error| panic!("not JSON ({error}): {:?}", String::from_utf8_lossy(&self.bytes)))
    }
}

impl Client {
    /// A client of the server at `addr` that asks for `host`.
    pub fn new(addr: SocketAddr, host: &str) -> Self {
        Self { http: crate::client(), base: format!("http://{addr}"), host: host.to_owned(), cookie: None }
    }

    /// The same client with the session of `msisdn` for its host.
    pub fn with_session(&self, svc_id: i32, msisdn: &str) -> Self {
        self.with_session_of_person(svc_id, msisdn, 0)
    }

    /// As `with_session`, of a later person to whom the number belongs.
    pub fn with_session_of_person(&self, svc_id: i32, msisdn: &str, person: i32) -> Self {
        Self { cookie: Some(crate::session_cookie_of_person(&self.host, svc_id, msisdn, person)), ..self.clone() }
    }

    /// The same client, asking for another host (its cookie stays).
    pub fn on_host(&self, host: &str) -> Self {
        Self { host: host.to_owned(), ..self.clone() }
    }

    /// A request builder, for what the methods below do not cover.
    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        let request = self.http.request(method, format!("{}{path}", self.base)).header(header::HOST, &self.host);
        match &self.cookie {
            Some(cookie) => request.header(header::COOKIE, cookie),
            None => request,
        }
    }

    /// Sends a request and reads the whole reply.
    pub async fn send(&self, request: reqwest::RequestBuilder) -> Reply {
        let reply = request.send().await.expect("the server answers");
        Reply {
            status: reply.status().as_u16(),
            headers: reply.headers().clone(),
            bytes: reply.bytes().await.expect("the whole body").to_vec(),
        }
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Reply {
        self.send(self.request(Method::GET, path)).await
    }

    /// GET that must answer 200 with JSON.
    pub async fn get_ok(&self, path: &str) -> Value {
        let reply = self.get(path).await;
        assert_eq!(reply.status, 200, "{path}: {}", String::from_utf8_lossy(&reply.bytes));
        reply.json()
    }

    /// POST of a JSON body.
    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.send(self.request(Method::POST, path).json(body)).await
    }

    /// DELETE with a JSON body.
    pub async fn delete(&self, path: &str, body: &Value) -> Reply {
        self.send(self.request(Method::DELETE, path).json(body)).await
    }

    /// Retries while the reply is a 503 with Retry-After, which has done nothing, and which many requests at once
    /// cause on a slow machine.
    pub async fn send_until_accepted(&self, method: Method, path: &str, body: &Value) -> Reply {
        let mut reply = self.send(self.request(method.clone(), path).json(body)).await;
        for _ in 0..20 {
            if reply.status != 503 || reply.header("retry-after").is_empty() {
                break;
            }
            reply = self.send(self.request(method.clone(), path).json(body)).await;
        }
        reply
    }

    /// POST of a JSON body with the operators' token.
    pub async fn post_as_admin(&self, path: &str, body: &Value) -> Reply {
        self.send(self.request(Method::POST, path).bearer_auth(crate::ADMIN_TOKEN).json(body)).await
    }

    /// Imports one service's part of a manifest, as the editors' tool does: opened, sent and applied. Returns how many records were
    /// added, changed and there already (none where the service has this very part), or the reply of the step that was refused.
    pub async fn import(&self, part: &Value) -> Result<[u64; 3], Reply> {
        let order = json!({"service": part["service"], "digest": part["digest"], "once": part["once"] == true});
        let opened = self.step("/internal/imports", &order).await?;
        let Some(id) = opened.get("import").and_then(Value::as_i64) else { return Ok([0; 3]) };
        let (lists, records) = crate::flat_records(part);
        self.step(&format!("/internal/imports/{id}/records"), &lists).await?;
        let changes = self.step(&format!("/internal/imports/{id}/apply"), &json!({"records": records})).await?;
        let sum =
            |field: &str| changes.as_array().into_iter().flatten().filter_map(|change| change[field].as_u64()).sum();
        Ok(["added", "changed", "unchanged"].map(sum))
    }

    async fn step(&self, path: &str, body: &Value) -> Result<Value, Reply> {
        let reply = self.post_as_admin(path, body).await;
        if reply.status == 200 { Ok(reply.json()) } else { Err(reply) }
    }
}
