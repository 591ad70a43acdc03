//! A browser on one host with its own cookies, which checks the rules that hold for every reply.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use identity::cookie_name;
use reqwest::{Method, RequestBuilder, Response, header};
use serde_json::Value;
use tokio::time::Instant;

use crate::{managed_process::ManagedProcess, results::RequestEnd, run::Run};

/// The checks that hold for every reply.
const WELL_FORMED: &str = "no 5xx but 503 with Retry-After and problem+json";
const COMPLETE: &str = "replies break off only where a process dies";
const ANSWERED: &str = "every call is answered";

/// How many characters of a reply are shown as an example.
const SHOWN: usize = 200;

/// The outcome of a call.
pub(crate) enum CallOutcome {
    /// A reply other than a 5xx.
    Reply(Reply),
    /// 503 with Retry-After.
    Unavailable,
    /// No reply, one that broke off, or another 5xx.
    Failed,
}

/// A reply.
pub(crate) struct Reply {
    /// The status code.
    pub status: u16,
    /// The whole body.
    pub bytes: Vec<u8>,
}

impl CallOutcome {
    /// The reply, if there is one.
    pub fn reply(self) -> Option<Reply> {
        match self {
            Self::Reply(reply) => Some(reply),
            Self::Unavailable | Self::Failed => None,
        }
    }
}

impl Reply {
    /// The body as JSON; null where it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_default()
    }

    /// Status and the beginning of the body, for a report.
    pub fn summary(&self) -> String {
        let text = String::from_utf8_lossy(&self.bytes);
        format!("{} {}", self.status, text.chars().take(SHOWN).collect::<String>())
    }
}

/// A browser.
pub(crate) struct Browser {
    run: Rc<Run>,
    server: Rc<ManagedProcess>,
    label: String,
    cookies: RefCell<BTreeMap<String, String>>,
}

impl Browser {
    /// A browser without cookies, at the gateway, on the host of this label.
    pub fn new(run: Rc<Run>, label: &str) -> Self {
        let server = run.family.gateway.clone();
        Self { run, server, label: label.to_owned(), cookies: RefCell::default() }
    }

    /// A browser without cookies, at the back office.
    pub fn of_staff(run: Rc<Run>) -> Self {
        let server = run.family.backoffice.clone();
        Self { run, server, label: "backoffice".to_owned(), cookies: RefCell::default() }
    }

    /// Whether it has a session's cookie.
    pub fn has_session(&self) -> bool {
        self.cookies.borrow().contains_key(&cookie_name(&self.label))
    }

    /// GET.
    pub async fn get(&self, path: &str) -> CallOutcome {
        self.execute(self.request(Method::GET, path)).await
    }

    /// GET of a range of bytes, with the last one included.
    pub async fn get_range(&self, path: &str, from: u64, to: u64) -> CallOutcome {
        self.execute(self.request(Method::GET, path).header(header::RANGE, format!("bytes={from}-{to}"))).await
    }

    /// Sends a JSON body.
    pub async fn send(&self, method: Method, path: &str, body: &Value) -> CallOutcome {
        self.execute(self.request(method, path).json(body)).await
    }

    /// A request with the host and the cookies of this browser.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.run.http.request(method, format!("{}{path}", self.server.url()));
        let cookies: Vec<_> = self.cookies.borrow().iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = request.header(header::HOST, format!("{}.localhost", self.label));
        let request = request.header("sec-fetch-site", "same-origin");
        if cookies.is_empty() { request } else { request.header(header::COOKIE, cookies.join("; ")) }
    }

    /// Sends a request and checks its reply.
    pub async fn execute(&self, request: RequestBuilder) -> CallOutcome {
        let results = &self.run.results;
        let what = request.try_clone().and_then(|copy| copy.build().ok()).map_or_else(String::new, |request| {
            format!("{} {} on {}", request.method(), request.url().path(), self.label)
        });
        let began = Instant::now();
        let (reply, well_formed) = match self.read(request).await {
            Ok(read) => read,
            Err(error) => {
                if error.is_timeout() {
                    results.violate(ANSWERED, format!("{what}: no reply after {} s", began.elapsed().as_secs()));
                } else if !results.allows_broken_reply(began.elapsed()) {
                    results.violate(COMPLETE, format!("{what}: {}", with_causes(&error)));
                }
                results.count(RequestEnd::Failed, began.elapsed());
                return CallOutcome::Failed;
            }
        };
        if reply.status < 500 {
            results.count(RequestEnd::Answered, began.elapsed());
            return CallOutcome::Reply(reply);
        }
        if reply.status == 503 && well_formed {
            results.count(RequestEnd::Unavailable, began.elapsed());
            return CallOutcome::Unavailable;
        }
        results.violate(WELL_FORMED, format!("{what}: {}", reply.summary()));
        results.count(RequestEnd::Failed, began.elapsed());
        CallOutcome::Failed
    }

    /// The reply, and whether it is a problem with `Retry-After`.
    async fn read(&self, request: RequestBuilder) -> Result<(Reply, bool), reqwest::Error> {
        let response = request.send().await?;
        self.keep_cookies(&response);
        let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let well_formed = header(header::RETRY_AFTER).parse::<u32>().is_ok()
            && header(header::CONTENT_TYPE).starts_with("application/problem+json");
        let status = response.status().as_u16();
        Ok((Reply { status, bytes: response.bytes().await?.to_vec() }, well_formed))
    }

    fn keep_cookies(&self, response: &Response) {
        let set = response.headers().get_all(header::SET_COOKIE).iter().filter_map(|cookie| cookie.to_str().ok());
        for cookie in set.filter_map(|cookie| cookie.split(';').next()) {
            if let Some((name, value)) = cookie.split_once('=') {
                self.cookies.borrow_mut().insert(name.trim().to_owned(), value.trim().to_owned());
            }
        }
    }
}

/// An error's message with those of its causes.
fn with_causes(error: &reqwest::Error) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        text = format!("{text}: {inner}");
        cause = inner.source();
    }
    text
}
