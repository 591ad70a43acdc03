//! Measures how soon everything works after a fault: a home page, a list and a like of every brand (or, where nothing can be liked, the
//! subscription), with subscribers who joined before the first fault; and the back office's overview.

use std::{rc::Rc, time::Duration};

use futures_util::{
    StreamExt,
    future::try_join_all,
    stream::{self, FuturesUnordered},
};
use reqwest::{Method, RequestBuilder, StatusCode, header};
use tokio::time::{Instant, interval, sleep_until};

use crate::{run::Run, site::Site, staff::Staff, subscriber::Subscriber};

/// Time between two attempts.
const RETRY_INTERVAL: Duration = Duration::from_millis(100);

/// Attempts at the same time.
const MAX_CONCURRENT: usize = 3;

/// How long the probe's subscribers may take to join, without faults.
const JOIN_TIMEOUT: Duration = Duration::from_secs(60);

/// The first visitor number of the probe.
const FIRST_NUMBER: usize = 900;

/// Likes at the same time in `rewrite_likes`.
const CONCURRENCY: usize = 4;

/// One subscriber for each brand.
pub(crate) struct Probe {
    subscribers: Vec<Subscriber>,
    staff: Rc<Staff>,
}

impl Probe {
    /// Has its subscribers join.
    pub async fn new(run: &Rc<Run>, sites: &[Rc<Site>], staff: &Rc<Staff>) -> anyhow::Result<Self> {
        let began = Instant::now();
        let mut subscribers = Vec::new();
        for (number, site) in sites.iter().enumerate() {
            let mut round = 0;
            let subscriber = loop {
                let mut subscriber = Subscriber::new(run, site, FIRST_NUMBER + number, round, 0);
                subscriber.join(run, true).await;
                if subscriber.joined {
                    // The probe repeats its likes, so that their final state is unknown.
                    subscriber.liked.extend(site.likeable.iter().map(|id| (*id, None)));
                    break subscriber;
                }
                if began.elapsed() > JOIN_TIMEOUT {
                    anyhow::bail!("no subscriber can join on {}", site.label);
                }
                round += 1;
            };
            subscribers.push(subscriber);
        }
        Ok(Self { subscribers, staff: staff.clone() })
    }

    /// Retries until everything works and returns how long that took; or the last failure after `longest`.
    pub async fn recovery(&self, longest: Duration) -> Result<Duration, String> {
        let began = Instant::now();
        let mut tries = FuturesUnordered::new();
        let mut failure = "no reply".to_owned();
        let mut again = interval(RETRY_INTERVAL);
        loop {
            tokio::select! {
                Some(tried) = tries.next() => match tried {
                    // On a busy machine the reply and the end of the time may be seen at once.
                    Ok(()) if began.elapsed() <= longest => return Ok(began.elapsed()),
                    Ok(()) => return Err(format!("it took {:.2} s", began.elapsed().as_secs_f64())),
                    Err(cause) => failure = cause,
                },
                // The next attempt does not wait for a slow one: it may be answered at once.
                _ = again.tick(), if tries.len() < MAX_CONCURRENT => tries.push(self.check_all()),
                () = sleep_until(began + longest) => return Err(failure),
            }
        }
    }

    /// Removes every like and makes it again, so that tables have to grow; each reply may be a 503.
    pub async fn rewrite_likes(&self) {
        let likes = self
            .subscribers
            .iter()
            .flat_map(|subscriber| subscriber.site.likeable.iter().map(move |id| (subscriber, *id)));
        let writes = likes.map(|(subscriber, id)| async move {
            for likes in [false, true] {
                let (method, path, body) = subscriber.site.like(id, likes);
                let _ = subscriber.browser.send(method, path, &body).await;
            }
        });
        stream::iter(writes).buffer_unordered(CONCURRENCY).collect::<Vec<()>>().await;
    }

    async fn check_all(&self) -> Result<(), String> {
        expect_ok(self.staff.overview()).await.map_err(|cause| format!("the overview of the back office: {cause}"))?;
        try_join_all(self.subscribers.iter().map(check_site)).await.map(drop)
    }

    /// Staff pause all charges, or resume them; whether that was acknowledged.
    pub async fn change_charges(&self, call: &str) -> bool {
        self.staff.change_charges(call).await
    }

    /// Its subscribers, for the checks at the end.
    pub fn into_subscribers(self) -> Vec<Subscriber> {
        self.subscribers
    }
}

async fn check_site(subscriber: &Subscriber) -> Result<(), String> {
    let (site, browser) = (&subscriber.site, &subscriber.browser);
    let get = |path: &str| browser.request(Method::GET, path);
    // With this header the gateway does not answer from its cache.
    let list = get(&site.list).header(header::AUTHORIZATION, "Bearer none");
    let like = match site.likeable.first() {
        Some(id) => {
            let (method, path, body) = site.like(*id, true);
            browser.request(method, path).json(&body)
        }
        None => get("/api/subscribe/me"),
    };
    for (what, request) in [("home", get(&site.home)), ("list", list), ("like", like)] {
        expect_ok(request).await.map_err(|cause| format!("the {what} of {}: {cause}", site.label))?;
    }
    Ok(())
}

async fn expect_ok(request: RequestBuilder) -> Result<(), String> {
    let reply = request.send().await.map_err(|error| error.to_string())?;
    let status = reply.status();
    let body = reply.bytes().await.map_err(|error| error.to_string())?;
    if status == StatusCode::OK { Ok(()) } else { Err(format!("{status} {}", String::from_utf8_lossy(&body))) }
}
