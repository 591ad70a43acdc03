//! Coming in and going out, as a phone does it: the form, the network's page, back to the site, and the check that opens the session.

use std::{rc::Rc, time::Duration};

use reqwest::{Method, header};
use serde_json::{Value, json};
use tokio::time::{Instant, sleep};
use url::Url;

use crate::{
    browser::Answer,
    person::{Fact, Person},
    world::World,
};

/// The checks that are made here.
const KEPT: &str = "every acknowledged write is there";
const GAINED: &str = "no session is gained";
const LOST: &str = "no session is lost";
const UNDERSTOOD: &str = "nobody is refused without a reason";

/// How often a form is sent at most: the house lets one number try ten times a minute.
const TRIES: usize = 4;

/// Between two tries.
const PAUSE: Duration = Duration::from_millis(2100);

/// How long a page of the network's is tried for, and how long the check that follows is asked.
const PATIENCE: Duration = Duration::from_secs(90);

/// How often whoever has declined looks whether they are in nonetheless.
const LOOKS: usize = 3;

/// Between two looks, as the site itself does it.
const LOOK: Duration = Duration::from_millis(500);

/// A page of the network's.
struct Page {
    url: String,
    /// What the service calls the try, where it says so.
    try_id: Option<String>,
}

impl Person {
    /// Asks to join, and confirms or declines at the network. Afterwards `let_in` tells.
    pub async fn join(&mut self, world: &Rc<World>, confirms: bool) {
        let body = json!({"msisdn": self.msisdn, "ext_ref": "chaos", "channel": "WAP", "svc_id": self.site.svc_id});
        let Some(page) = self.ask_for_page(world, "/api/subscribe", &body).await else { return };
        if confirms {
            self.confirmed = Fact::Perhaps;
        }
        let Some(back) = self.tap(world, &page, if confirms { "confirm" } else { "decline" }).await else { return };
        if !confirms {
            return self.look_in_vain(world, &page).await;
        }
        self.confirmed = Fact::Yes;
        self.come_back(world, &back, page.try_id).await;
        if !self.let_in && !world.is_over() {
            self.prove(world).await;
        }
    }

    /// Leaves in one tap, and asks until it is answered.
    pub async fn leave(&mut self, world: &Rc<World>) {
        let body = json!({ "svc_id": self.site.svc_id });
        while !world.is_over() {
            self.left = Fact::Perhaps;
            match self.browser.send(Method::POST, "/api/subscribe/unsubscribe", &body).await {
                Answer::Reply(reply) if reply.status == 200 => {
                    self.left = Fact::Yes;
                    self.left_at = Some((Instant::now(), world.family.days().len()));
                    return;
                }
                Answer::Reply(reply) => {
                    return world.tally.violate(LOST, format!("{} could not leave: {}", self.msisdn, reply.told()));
                }
                Answer::Later | Answer::Nothing => sleep(PAUSE).await,
            }
        }
    }

    /// The network's page to a form; none where it could not be had, or the number is said to be active.
    async fn ask_for_page(&mut self, world: &Rc<World>, path: &str, body: &Value) -> Option<Page> {
        for _ in 0..TRIES {
            match self.browser.send(Method::POST, path, body).await {
                Answer::Reply(reply) if reply.status == 200 => {
                    let told = reply.json();
                    let text = |name: &str| told.get(name).and_then(Value::as_str).map(str::to_owned);
                    if let Some(url) = text("redirectUrl") {
                        self.pages.extend(url.rsplit('/').next().map(str::to_owned));
                        return Some(Page { url, try_id: text("subscriptionId") });
                    }
                    world.tally.violate(GAINED, format!("{} joins, and is told: {}", self.msisdn, reply.told()));
                    return None;
                }
                Answer::Reply(reply) => {
                    world.tally.violate(UNDERSTOOD, format!("{path} for {}: {}", self.msisdn, reply.told()));
                    return None;
                }
                Answer::Later | Answer::Nothing => sleep(PAUSE).await,
            }
        }
        None
    }

    /// Taps a button of a page until the network has taken it; the address that it sends back to.
    async fn tap(&self, world: &Rc<World>, page: &Page, button: &str) -> Option<String> {
        let began = Instant::now();
        while began.elapsed() < PATIENCE && !world.is_over() {
            let form = world.http.post(&page.url).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
            if let Ok(reply) = form.body(format!("answer={button}")).send().await {
                let to = reply.headers().get(header::LOCATION).and_then(|to| to.to_str().ok()).map(str::to_owned);
                match (reply.status().as_u16(), to) {
                    (303, Some(to)) => return Some(to),
                    (status @ 400..500, _) => {
                        world.tally.violate(KEPT, format!("the network's page of {}: {status}", self.msisdn));
                        return None;
                    }
                    _ => {}
                }
            }
            sleep(LOOK).await;
        }
        None
    }

    /// Comes back to the site, and looks until the session is open.
    async fn come_back(&mut self, world: &Rc<World>, back: &str, try_id: Option<String>) {
        let Ok(back) = Url::parse(back) else {
            return world.tally.violate(UNDERSTOOD, format!("the network sends {} to {back:?}", self.msisdn));
        };
        let named = back.query_pairs().find(|(name, _)| name == "subscription_id").map(|(_, id)| id.into_owned());
        let Some(try_id) = try_id.or(named) else { return };
        let page = format!("{}?{}", back.path(), back.query().unwrap_or_default());
        let _ = self.browser.get(&page).await;
        let began = Instant::now();
        while !world.is_over() {
            if self.look(world, &try_id).await {
                self.let_in = self.browser.has_session();
                return;
            }
            if began.elapsed() > PATIENCE {
                let seconds = PATIENCE.as_secs();
                let told = format!("{} is not in {seconds} s after the network had its yes", self.msisdn);
                return world.tally.violate(LOST, told);
            }
            sleep(LOOK).await;
        }
    }

    /// Proves who this is, where the answer that carried the session was lost.
    async fn prove(&mut self, world: &Rc<World>) {
        let body = json!({"msisdn": self.msisdn, "svc_id": self.site.svc_id});
        let Some(page) = self.ask_for_page(world, "/api/subscribe/verify", &body).await else { return };
        if let Some(back) = self.tap(world, &page, "confirm").await {
            self.come_back(world, &back, page.try_id).await;
        }
    }

    async fn look_in_vain(&mut self, world: &Rc<World>, page: &Page) {
        let Some(try_id) = &page.try_id else { return };
        for _ in 0..LOOKS {
            if self.look(world, try_id).await || self.browser.has_session() {
                return world.tally.violate(GAINED, format!("{} has declined, and is let in", self.msisdn));
            }
            sleep(LOOK).await;
        }
    }

    /// Whether the service says that the network has confirmed this try.
    async fn look(&self, world: &Rc<World>, try_id: &str) -> bool {
        let path = format!("/api/subscribe/check-sub?msisdn={}&subscription_id={try_id}", self.msisdn);
        match self.browser.get(&path).await {
            Answer::Reply(reply) if reply.status == 200 => reply.json().get("result").is_some_and(|it| it == 1),
            Answer::Reply(reply) => {
                world.tally.violate(UNDERSTOOD, format!("check-sub for {}: {}", self.msisdn, reply.told()));
                false
            }
            Answer::Later | Answer::Nothing => false,
        }
    }
}
