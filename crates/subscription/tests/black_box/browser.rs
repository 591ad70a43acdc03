//! A browser on one host, with cookies and one address.

use std::{cell::RefCell, collections::BTreeMap};

use reqwest::{Method, header};
use serde_json::{Value, json};
use testkit::{Client, Reply};

/// The User-Agent header.
pub const AGENT: &str = "Mozilla/5.0 (Nokia 3310)";

/// The page it is on when it joins.
pub const PAGE: &str = "http://memeworld.localhost:8080/memelogin";

/// The `ext_ref` of a join.
pub const EXT_REF: &str = "billboard-17";

pub struct Browser {
    client: Client,
    label: String,
    pub address: String,
    cookies: RefCell<BTreeMap<String, String>>,
}

impl Browser {
    /// Without cookies, at a unique address: joins are limited by address, and all tests share one Redis.
    pub fn new(client: Client, label: &str) -> Self {
        let [a, b, c]: [u8; 3] = rand::random();
        let address = format!("10.{a}.{b}.{c}");
        Self { client, label: label.to_owned(), address, cookies: RefCell::default() }
    }

    /// The same browser with requests to another process.
    pub fn through(self, client: Client) -> Self {
        Self { client, ..self }
    }

    pub async fn send(&self, method: Method, path: &str, body: Option<&Value>, headers: &[(&str, &str)]) -> Reply {
        let mut request = self.client.request(method, path).header("x-forwarded-for", &self.address);
        let cookies: Vec<String> =
            self.cookies.borrow().iter().map(|(name, value)| format!("{name}={value}")).collect();
        if !cookies.is_empty() {
            request = request.header(header::COOKIE, cookies.join("; "));
        }
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = body {
            request = request.json(body);
        }
        let request = request.header(header::USER_AGENT, AGENT).header(header::REFERER, PAGE);
        let reply = self.client.send(request).await;
        for cookie in reply.headers.get_all(header::SET_COOKIE) {
            let cookie = cookie.to_str().unwrap().split(';').next().unwrap();
            let (name, value) = cookie.split_once('=').unwrap();
            if value.is_empty() {
                self.cookies.borrow_mut().remove(name);
            } else {
                self.cookies.borrow_mut().insert(name.to_owned(), value.to_owned());
            }
        }
        reply
    }

    pub async fn get(&self, path: &str) -> Reply {
        self.send(Method::GET, path, None, &[]).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> Reply {
        self.send(Method::POST, path, Some(body), &[]).await
    }

    pub async fn try_to_join(&self, msisdn: &str, svc_id: i64) -> Reply {
        let body = json!({"msisdn": msisdn, "ext_ref": EXT_REF, "channel": "WAP", "svc_id": svc_id});
        self.post("/api/subscribe", &body).await
    }

    /// Starts a join: the network's page, and the id of the attempt.
    pub async fn join(&self, msisdn: &str, svc_id: i64) -> (String, String) {
        let reply = self.try_to_join(msisdn, svc_id).await;
        assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.bytes));
        let body = reply.json();
        assert_eq!(body["result"], 1, "{body}");
        (body["redirectUrl"].as_str().unwrap().to_owned(), body["subscriptionId"].as_str().unwrap().to_owned())
    }

    /// Follows the link to the network's page that asks for the number: the page.
    pub async fn follow_opt_in(&self, svc_id: i64, page: &str) -> String {
        let reply = self.get(&format!("/api/subscribe/opt-in?svc_id={svc_id}&page={page}")).await;
        assert_eq!(reply.status, 303, "{}", String::from_utf8_lossy(&reply.bytes));
        reply.header("location").to_owned()
    }

    /// The reply of check-sub for an attempt.
    pub async fn checked(&self, msisdn: &str, id: &str) -> Value {
        self.get(&format!("/api/subscribe/check-sub?msisdn={msisdn}&subscription_id={id}")).await.json()
    }

    /// The result of check-sub for an attempt: 1 or 0.
    pub async fn check(&self, msisdn: &str, id: &str) -> i64 {
        let reply = self.get(&format!("/api/subscribe/check-sub?msisdn={msisdn}&subscription_id={id}")).await;
        assert_eq!(reply.status, 200);
        reply.json()["result"].as_i64().unwrap()
    }

    /// Leaves with the session.
    pub async fn leave(&self, svc_id: i64) -> Reply {
        self.post("/api/subscribe/unsubscribe", &json!({"svc_id": svc_id})).await
    }

    pub async fn me(&self) -> Reply {
        self.get("/api/subscribe/me").await
    }

    pub fn has_session(&self) -> bool {
        self.cookies.borrow().contains_key(&format!("session-{}", self.label))
    }
}
