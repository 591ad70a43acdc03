//! Joining and leaving as a phone does it: the form, the network's consent page, back to the site, and the check that opens the session.

use std::{rc::Rc, time::Duration};

use reqwest::{Method, header};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};
use url::Url;

use crate::{
    browser::CallOutcome,
    run::Run,
    subscriber::{Subscriber, WriteState},
};

/// The checks that are made here.
const WRITES_KEPT: &str = "every acknowledged write is kept";
const NO_UNPAID_ACCESS: &str = "no access without a subscription";
const NO_LOST_SESSION: &str = "no session is lost";
const NO_REFUSAL: &str = "no valid request is refused";

/// How often a form is sent at most: the service allows ten attempts a minute for one number.
const MAX_ATTEMPTS: usize = 4;

/// Time between two attempts.
const RETRY_PAUSE: Duration = Duration::from_millis(2100);

/// How long a consent page, and the check that follows, is retried.
const TIMEOUT: Duration = Duration::from_secs(90);

/// How often access is checked after declining.
const CHECKS_AFTER_DECLINE: usize = 3;

/// Time between two checks, as on the sites.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// A consent page of the network.
struct Page {
    url: String,
    /// The service's id of the attempt, where the reply has it.
    subscription_id: Option<String>,
}

impl Subscriber {
    /// Joins, and confirms or declines at the network; sets `joined`.
    pub async fn join(&mut self, run: &Rc<Run>, confirms: bool) {
        let body = json!({"msisdn": self.msisdn, "ext_ref": "chaos", "channel": "WAP", "svc_id": self.site.svc_id});
        let Some(page) = self.request_consent_page(run, "/api/subscribe", &body).await else { return };
        if confirms {
            self.confirmed = WriteState::Unacknowledged;
        }
        let Some(return_url) = self.submit_choice(run, &page, if confirms { "confirm" } else { "decline" }).await
        else {
            return;
        };
        if !confirms {
            return self.check_declined(run, &page).await;
        }
        self.confirmed = WriteState::Acknowledged;
        self.return_to_site(run, &return_url, page.subscription_id).await;
        if !self.joined && !run.is_over() {
            self.verify(run).await;
        }
    }

    /// Unsubscribes, and retries until there is a reply.
    pub async fn leave(&mut self, run: &Rc<Run>) {
        let body = json!({ "svc_id": self.site.svc_id });
        while !run.is_over() {
            self.left = WriteState::Unacknowledged;
            match self.browser.send(Method::POST, "/api/subscribe/unsubscribe", &body).await {
                CallOutcome::Reply(reply) if reply.status == 200 => {
                    self.left = WriteState::Acknowledged;
                    self.left_at = Some((Instant::now(), run.family.days().len()));
                    return;
                }
                CallOutcome::Reply(reply) => {
                    return run
                        .results
                        .violate(NO_LOST_SESSION, format!("{} could not leave: {}", self.msisdn, reply.summary()));
                }
                CallOutcome::Unavailable | CallOutcome::Failed => sleep(RETRY_PAUSE).await,
            }
        }
    }

    /// The consent page for a form; `None` without one.
    async fn request_consent_page(&mut self, run: &Rc<Run>, path: &str, body: &Value) -> Option<Page> {
        let mut body = body.clone();
        for _ in 0..MAX_ATTEMPTS {
            match self.browser.send(Method::POST, path, &body).await {
                CallOutcome::Reply(reply) if reply.status == 200 => {
                    let reply_json = reply.json();
                    let text = |name: &str| reply_json.get(name).and_then(Value::as_str).map(str::to_owned);
                    if let Some(url) = text("redirectUrl") {
                        self.pages.extend(url.rsplit('/').next().map(str::to_owned));
                        return Some(Page { url, subscription_id: text("subscriptionId") });
                    }
                    // The number's network has another price than the form: the person sees it, and joins there.
                    if let (Some(network), Some(form)) =
                        (reply_json.pointer("/networks/0/network"), body.as_object_mut())
                        && !form.contains_key("network")
                    {
                        form.insert("network".to_owned(), network.clone());
                        continue;
                    }
                    let example = format!("{} joins, and gets: {}", self.msisdn, reply.summary());
                    run.results.violate(NO_UNPAID_ACCESS, example);
                    return None;
                }
                CallOutcome::Reply(reply) => {
                    run.results.violate(NO_REFUSAL, format!("{path} for {}: {}", self.msisdn, reply.summary()));
                    return None;
                }
                CallOutcome::Unavailable | CallOutcome::Failed => sleep(RETRY_PAUSE).await,
            }
        }
        None
    }

    /// Submits a choice on a consent page until the network accepts it; the URL that it redirects to.
    async fn submit_choice(&self, run: &Rc<Run>, page: &Page, choice: &str) -> Option<String> {
        let began = Instant::now();
        while began.elapsed() < TIMEOUT && !run.is_over() {
            let form = run.http.post(&page.url).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
            if let Ok(reply) = form.body(format!("answer={choice}")).send().await {
                let to = reply.headers().get(header::LOCATION).and_then(|to| to.to_str().ok()).map(str::to_owned);
                match (reply.status().as_u16(), to) {
                    (303, Some(to)) => return Some(to),
                    (status @ 400..500, _) => {
                        run.results.violate(WRITES_KEPT, format!("the network's page of {}: {status}", self.msisdn));
                        return None;
                    }
                    _ => {}
                }
            }
            sleep(POLL_INTERVAL).await;
        }
        None
    }

    /// Opens the URL that the network redirects to, and checks until the session is open.
    async fn return_to_site(&mut self, run: &Rc<Run>, return_url: &str, subscription_id: Option<String>) {
        let Ok(url) = Url::parse(return_url) else {
            return run.results.violate(NO_REFUSAL, format!("the network sends {} to {return_url:?}", self.msisdn));
        };
        let from_url = url.query_pairs().find(|(name, _)| name == "subscription_id").map(|(_, id)| id.into_owned());
        let Some(subscription_id) = subscription_id.or(from_url) else { return };
        let page = format!("{}?{}", url.path(), url.query().unwrap_or_default());
        let _ = self.browser.get(&page).await;
        let began = Instant::now();
        while !run.is_over() {
            if self.check_sub(run, &subscription_id).await {
                self.joined = self.browser.has_session();
                return;
            }
            if began.elapsed() > TIMEOUT {
                let seconds = TIMEOUT.as_secs();
                let example = format!("{} has no session {seconds} s after it confirmed at the network", self.msisdn);
                return run.results.violate(NO_LOST_SESSION, example);
            }
            sleep(POLL_INTERVAL).await;
        }
    }

    /// Verifies the number at the network once more, where the reply that carried the session was lost.
    async fn verify(&mut self, run: &Rc<Run>) {
        let body = json!({"msisdn": self.msisdn, "svc_id": self.site.svc_id});
        let Some(page) = self.request_consent_page(run, "/api/subscribe/verify", &body).await else { return };
        if let Some(return_url) = self.submit_choice(run, &page, "confirm").await {
            self.return_to_site(run, &return_url, page.subscription_id).await;
        }
    }

    async fn check_declined(&mut self, run: &Rc<Run>, page: &Page) {
        let Some(subscription_id) = &page.subscription_id else { return };
        for _ in 0..CHECKS_AFTER_DECLINE {
            if self.check_sub(run, subscription_id).await || self.browser.has_session() {
                return run.results.violate(NO_UNPAID_ACCESS, format!("{} has declined, and has access", self.msisdn));
            }
            sleep(POLL_INTERVAL).await;
        }
    }

    /// Whether the service says that the network has confirmed this attempt.
    async fn check_sub(&self, run: &Rc<Run>, subscription_id: &str) -> bool {
        let path = format!("/api/subscribe/check-sub?msisdn={}&subscription_id={subscription_id}", self.msisdn);
        match self.browser.get(&path).await {
            CallOutcome::Reply(reply) if reply.status == 200 => reply.json().get("result").is_some_and(|it| it == 1),
            CallOutcome::Reply(reply) => {
                run.results.violate(NO_REFUSAL, format!("check-sub for {}: {}", self.msisdn, reply.summary()));
                false
            }
            CallOutcome::Unavailable | CallOutcome::Failed => false,
        }
    }
}
