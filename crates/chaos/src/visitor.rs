//! Visitors: each runs one subscriber after the other, who joins, reads, plays, likes and leaves, and checks every reply.

use std::{cell::RefCell, rc::Rc, time::Duration};

use rand::{RngExt, rngs::StdRng};
use reqwest::Method;
use serde_json::json;
use tokio::time::sleep;

use crate::{
    browser::{CallOutcome, Reply},
    run::Run,
    site::{Site, WIDTHS},
    subscriber::{Subscriber, WriteState},
};

/// The checks that are made here.
const WRITES_KEPT: &str = "every acknowledged write is kept";
const NO_LOST_SESSION: &str = "no session is lost";
const SERVED: &str = "published pages and images are served";
const VIDEO_BYTES: &str = "videos are served byte for byte";

/// Time between two requests of a visitor, in milliseconds.
const THINK_TIME_MS: std::ops::Range<u64> = 200..1600;

/// How many of a hundred subscribers decline at the network.
const DECLINE_PERCENT: u32 = 8;

/// One of the concurrent visitors, with its random number generator.
pub(crate) struct Visitor {
    run: Rc<Run>,
    sites: Rc<[Rc<Site>]>,
    subscribers: Rc<RefCell<Vec<Subscriber>>>,
    number: usize,
    round: usize,
    rng: StdRng,
}

impl Visitor {
    /// The visitor of this number, which adds each of its subscribers to `subscribers`.
    pub fn new(
        run: &Rc<Run>,
        sites: &Rc<[Rc<Site>]>,
        subscribers: &Rc<RefCell<Vec<Subscriber>>>,
        number: usize,
    ) -> Self {
        let rng = run.rng(number as u64 + 1);
        Self { run: run.clone(), sites: sites.clone(), subscribers: subscribers.clone(), number, round: 0, rng }
    }

    /// Runs one subscriber after the other until the run is over.
    pub async fn run_until_over(mut self) {
        while !self.run.is_over() {
            let index = (self.number + self.round) % self.sites.len().max(1);
            let Some(site) = self.sites.get(index).cloned() else { return };
            let turn = (self.number + self.round) / self.sites.len().max(1);
            let mut subscriber = Subscriber::new(&self.run, &site, self.number, self.round, turn);
            self.round += 1;
            let confirms = !self.rng.random_ratio(DECLINE_PERCENT, 100);
            subscriber.join(&self.run, confirms).await;
            while subscriber.joined && subscriber.left == WriteState::NotSent && !self.run.is_over() {
                self.perform_action(&mut subscriber).await;
                self.pause().await;
            }
            self.subscribers.borrow_mut().push(subscriber);
            self.pause().await;
        }
    }

    async fn pause(&mut self) {
        sleep(Duration::from_millis(self.rng.random_range(THINK_TIME_MS))).await;
    }

    async fn perform_action(&mut self, subscriber: &mut Subscriber) {
        match self.rng.random_range(0..1000) {
            0..60 => self.expect_ok(subscriber, subscriber.site.home.clone()).await,
            60..300 => {
                let reads = &subscriber.site.reads;
                let path = reads.get(self.rng.random_range(0..reads.len().max(1))).cloned();
                self.expect_ok(subscriber, path.unwrap_or_else(|| subscriber.site.list.clone())).await;
            }
            300..380 => self.get_image(subscriber).await,
            380..560 => self.play_video(subscriber).await,
            560..780 => self.toggle_like(subscriber).await,
            780..860 => self.toggle_watchlist(subscriber).await,
            860..920 => self.check_own_items(subscriber).await,
            920..985 => self.check_subscription(subscriber).await,
            _ => subscriber.leave(&self.run).await,
        }
    }

    async fn expect_ok(&self, subscriber: &Subscriber, path: String) {
        if let CallOutcome::Reply(reply) = subscriber.browser.get(&path).await
            && reply.status != 200
        {
            self.run.results.violate(SERVED, format!("{path} on {}: {}", subscriber.site.label, reply.summary()));
        }
    }

    async fn get_image(&mut self, subscriber: &Subscriber) {
        let images = &subscriber.site.images;
        let image = images.get(self.rng.random_range(0..images.len().max(1)));
        let width = WIDTHS.get(self.rng.random_range(0..WIDTHS.len()));
        if let (Some(image), Some(width)) = (image, width) {
            self.expect_ok(subscriber, format!("/img/rs:fit:{width}:0/plain/{image}@webp")).await;
        }
    }

    async fn play_video(&mut self, subscriber: &Subscriber) {
        let Some((address, from, to)) = subscriber.pick_video_range(&mut self.rng) else { return };
        let CallOutcome::Reply(reply) = subscriber.browser.get_range(&address, from, to).await else { return };
        match reply.status {
            206 if read_video(&self.run, &address, from, to).is_some_and(|bytes| bytes == reply.bytes) => {}
            206 => self.run.results.violate(VIDEO_BYTES, format!("{address}, bytes {from} to {to}")),
            401 | 403 => self.session_lost(subscriber, &address, &reply),
            _ => self.run.results.violate(SERVED, format!("{address}: {}", reply.summary())),
        }
    }

    async fn toggle_like(&mut self, subscriber: &mut Subscriber) {
        let Some(id) = self.pick_item(subscriber) else { return };
        let Some(liked) = subscriber.liked.get(&id).copied().unwrap_or(Some(false)) else { return };
        let (method, path, body) = subscriber.site.like(id, !liked);
        subscriber.liked.insert(id, None);
        if self.is_acknowledged(subscriber, path, subscriber.browser.send(method, path, &body).await) {
            subscriber.liked.insert(id, Some(!liked));
        }
    }

    async fn toggle_watchlist(&mut self, subscriber: &mut Subscriber) {
        if subscriber.site.kind != brands::Kind::Tt {
            return;
        }
        let Some(id) = self.pick_item(subscriber) else { return };
        let Some(listed) = subscriber.watchlist.get(&id).copied().unwrap_or(Some(false)) else { return };
        let (method, path) = match listed {
            false => (Method::POST, "/api/tt/ttaddwatchlist"),
            true => (Method::DELETE, "/api/tt/ttremove"),
        };
        subscriber.watchlist.insert(id, None);
        if self.is_acknowledged(
            subscriber,
            path,
            subscriber.browser.send(method, path, &json!({ "videoid": id })).await,
        ) {
            subscriber.watchlist.insert(id, Some(!listed));
        }
    }

    fn pick_item(&mut self, subscriber: &Subscriber) -> Option<u64> {
        let likeable = &subscriber.site.likeable;
        likeable.get(self.rng.random_range(0..likeable.len().max(1))).copied()
    }

    /// Whether a write was acknowledged. One that was not may be done later, so its item is not written again.
    fn is_acknowledged(&self, subscriber: &Subscriber, path: &str, outcome: CallOutcome) -> bool {
        match outcome {
            CallOutcome::Reply(reply) if reply.status == 200 => true,
            CallOutcome::Reply(reply) => {
                self.session_lost(subscriber, path, &reply);
                false
            }
            CallOutcome::Unavailable | CallOutcome::Failed => false,
        }
    }

    async fn check_own_items(&self, subscriber: &Subscriber) {
        let Some(path) = subscriber.own_items_path() else { return };
        let CallOutcome::Reply(reply) = subscriber.browser.get(&path).await else { return };
        if reply.status != 200 {
            return self.session_lost(subscriber, &path, &reply);
        }
        for lost_writes in subscriber.lost_writes(&reply.json()) {
            self.run.results.violate(WRITES_KEPT, format!("{} finds {lost_writes}", subscriber.msisdn));
        }
    }

    async fn check_subscription(&self, subscriber: &Subscriber) {
        let path = "/api/subscribe/me";
        let CallOutcome::Reply(reply) = subscriber.browser.get(path).await else { return };
        if reply.status != 200 || reply.json().get("state").is_none_or(|state| state != "active") {
            self.session_lost(subscriber, path, &reply);
        }
    }

    fn session_lost(&self, subscriber: &Subscriber, path: &str, reply: &Reply) {
        self.run
            .results
            .violate(NO_LOST_SESSION, format!("{} is in, and {path} answers {}", subscriber.msisdn, reply.summary()));
    }
}

/// A range of a video's file.
pub(crate) fn read_video(run: &Run, address: &str, from: u64, to: u64) -> Option<Vec<u8>> {
    use std::os::unix::fs::FileExt;
    let file = std::fs::File::open(run.media.join(address.strip_prefix("/media/")?)).ok()?;
    let mut bytes = vec![0; usize::try_from(to - from + 1).ok()?];
    file.read_exact_at(&mut bytes, from).ok()?;
    Some(bytes)
}
