//! A browser on one host, with cookies of its own; every answer that it gets is held to what the house promises of answers.

use std::{cell::RefCell, collections::BTreeMap, rc::Rc};

use identity::cookie_name;
use reqwest::{Method, RequestBuilder, Response, header};
use serde_json::Value;
use tokio::time::Instant;

use crate::{tally::End, world::World};

/// The checks that hold for every answer.
const POLITE: &str = "no 5xx but 503 with Retry-After and problem+json";
const WHOLE: &str = "replies break off only where a process dies";
const ANSWERED: &str = "every call is answered";

/// How much of an answer is shown as an example.
const SHOWN: usize = 200;

/// What came of a question.
pub(crate) enum Answer {
    /// An answer; not a 5xx.
    Reply(Reply),
    /// 503: later, please.
    Later,
    /// Nothing that can be believed.
    Nothing,
}

/// An answer.
pub(crate) struct Reply {
    /// The status code.
    pub status: u16,
    /// The whole body.
    pub bytes: Vec<u8>,
}

impl Answer {
    /// The answer, if there was one.
    pub fn reply(self) -> Option<Reply> {
        match self {
            Self::Reply(reply) => Some(reply),
            Self::Later | Self::Nothing => None,
        }
    }
}

impl Reply {
    /// The body as JSON; null where it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_default()
    }

    /// Status and body, for a person.
    pub fn told(&self) -> String {
        let text = String::from_utf8_lossy(&self.bytes);
        format!("{} {}", self.status, text.chars().take(SHOWN).collect::<String>())
    }
}

/// A browser.
pub(crate) struct Browser {
    world: Rc<World>,
    label: String,
    cookies: RefCell<BTreeMap<String, String>>,
}

impl Browser {
    /// One without cookies, on the host of this label.
    pub fn new(world: Rc<World>, label: &str) -> Self {
        Self { world, label: label.to_owned(), cookies: RefCell::default() }
    }

    /// Whether it holds a session.
    pub fn has_session(&self) -> bool {
        self.cookies.borrow().contains_key(&cookie_name(&self.label))
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Answer {
        self.ask(self.request(Method::GET, path)).await
    }

    /// GET of these bytes, the last among them.
    pub async fn get_range(&self, path: &str, from: u64, to: u64) -> Answer {
        self.ask(self.request(Method::GET, path).header(header::RANGE, format!("bytes={from}-{to}"))).await
    }

    /// Sends JSON.
    pub async fn send(&self, method: Method, path: &str, body: &Value) -> Answer {
        self.ask(self.request(method, path).json(body)).await
    }

    /// A question as it leaves.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        let request = self.world.http.request(method, format!("{}{path}", self.world.family.gateway.url()));
        let cookies: Vec<_> = self.cookies.borrow().iter().map(|(name, value)| format!("{name}={value}")).collect();
        let request = request.header(header::HOST, format!("{}.localhost", self.label));
        if cookies.is_empty() { request } else { request.header(header::COOKIE, cookies.join("; ")) }
    }

    /// Asks, and holds the answer to what is promised of all.
    pub async fn ask(&self, request: RequestBuilder) -> Answer {
        let tally = &self.world.tally;
        let what = request.try_clone().and_then(|copy| copy.build().ok()).map_or_else(String::new, |request| {
            format!("{} {} on {}", request.method(), request.url().path(), self.label)
        });
        let asked = Instant::now();
        let (reply, polite) = match self.read(request).await {
            Ok(read) => read,
            Err(error) => {
                if error.is_timeout() {
                    tally.violate(ANSWERED, format!("{what}: none after {} s", asked.elapsed().as_secs()));
                } else if !tally.excuses_break(asked.elapsed()) {
                    tally.violate(WHOLE, format!("{what}: {}", chain(&error)));
                }
                tally.count(End::Broken, asked.elapsed());
                return Answer::Nothing;
            }
        };
        if reply.status < 500 {
            tally.count(End::Answered, asked.elapsed());
            return Answer::Reply(reply);
        }
        if reply.status == 503 && polite {
            tally.count(End::Later, asked.elapsed());
            return Answer::Later;
        }
        tally.violate(POLITE, format!("{what}: {}", reply.told()));
        tally.count(End::Broken, asked.elapsed());
        Answer::Nothing
    }

    /// The reply, and whether it says politely when to come again.
    async fn read(&self, request: RequestBuilder) -> Result<(Reply, bool), reqwest::Error> {
        let response = request.send().await?;
        self.keep_cookies(&response);
        let header = |name| response.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let polite = header(header::RETRY_AFTER).parse::<u32>().is_ok()
            && header(header::CONTENT_TYPE).starts_with("application/problem+json");
        let status = response.status().as_u16();
        Ok((Reply { status, bytes: response.bytes().await?.to_vec() }, polite))
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

/// An error with what it was caused by.
fn chain(error: &reqwest::Error) -> String {
    let mut told = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(inner) = cause {
        told = format!("{told}: {inner}");
        cause = inner.source();
    }
    told
}
