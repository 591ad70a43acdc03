//! The editor: every few seconds changes the first records of all catalogues to a larger number, so that a list's age can be computed from
//! its content.

use std::{cell::RefCell, net::SocketAddr, rc::Rc, time::Duration};

use anyhow::Context;
use reqwest::{Method, header::AUTHORIZATION};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::family::Family;
use crate::{fixture::Service, load::Request};

/// The pause between two imports.
const PAUSE: Duration = Duration::from_secs(3);

/// How old a list may be.
pub(super) const ALLOWED: Duration = Duration::from_secs(2);

/// The imported numbers, and when each was visible in all catalogues.
#[derive(Default)]
pub(super) struct Markers {
    committed: RefCell<Vec<Instant>>,
}

/// The age of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Age {
    /// It is recent enough; this old.
    Fresh(Duration),
    /// It lacks a number for too long.
    Stale(Duration),
}

impl Markers {
    /// The number of imports.
    pub fn count(&self) -> usize {
        self.committed.borrow().len()
    }

    fn commit(&self) {
        self.committed.borrow_mut().push(Instant::now());
    }

    /// The age of a reply to a request sent at `sent` that shows `number`: how long the next number had been visible by then.
    pub fn age(&self, number: usize, sent: Instant) -> Age {
        let committed = self.committed.borrow();
        let behind = committed.get(number).map_or(Duration::ZERO, |next| sent.saturating_duration_since(*next));
        if behind > ALLOWED { Age::Stale(behind) } else { Age::Fresh(behind) }
    }
}

/// The smallest number in a body; numbers count from 1.
pub(super) fn shown(body: &[u8]) -> Option<usize> {
    let text = String::from_utf8_lossy(body);
    let numbers = text.split("marker-").skip(1);
    numbers.filter_map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()).min()
}

/// Imports until the end.
pub(super) async fn work_until(end: Instant, family: Rc<Family>, markers: Rc<Markers>) -> anyhow::Result<()> {
    while Instant::now() + PAUSE < end {
        tokio::time::sleep(PAUSE).await;
        work(&family, &markers).await?;
    }
    Ok(())
}

/// Imports the next number to all catalogues.
pub(super) async fn work(family: &Family, markers: &Markers) -> anyhow::Result<()> {
    let number = markers.count() + 1;
    let marker = format!("marker-{number}");
    for (service, name, part) in [
        (Service::Comedy, "MC Funny", comedy(&marker)),
        (Service::Meme, "memeworld", meme(&marker)),
        (Service::Tt, "ttmbhatv", tt(&marker)),
    ] {
        let addr = family.replica(service, number);
        let order = json!({"service": name, "digest": marker});
        let opened = post(family, addr, "/internal/imports", &order).await?;
        let (lists, records) = testkit::flat_records(&part);
        let import = opened.get("import").and_then(Value::as_i64).context("nothing was to be imported")?;
        let import = format!("/internal/imports/{import}");
        post(family, addr, &format!("{import}/records"), &lists).await?;
        post(family, addr, &format!("{import}/apply"), &json!({"records": records})).await?;
    }
    markers.commit();
    Ok(())
}

/// Sends one step of an import.
async fn post(family: &Family, addr: SocketAddr, path: &str, body: &Value) -> anyhow::Result<Value> {
    let request = Request::json(Method::POST, "127.0.0.1", path, body);
    let request = request.header(AUTHORIZATION, &format!("Bearer {}", testkit::ADMIN_TOKEN));
    let response = request.expect(200, &family.client, addr).await?;
    Ok(serde_json::from_slice(&response.body)?)
}

fn meme(marker: &str) -> Value {
    json!({"categories": [{"slug": "bench-1", "name": marker, "memes": [{
        "slug": "bench-1", "title": marker, "image": "https://images.spaza.example/bench/meme-1.webp",
        "created_at": "2026-03-05 18:30:00"
    }]}]})
}

fn tt(marker: &str) -> Value {
    json!({"categories": [{"slug": "bench-1", "category_name": marker, "videos": [{
        "slug": "bench-1", "name": marker, "video_name": marker, "artist": "Thandi M", "status": "drama",
        "media": "ttmbhatv/bench-1.mp4", "image": "https://images.spaza.example/bench/video-1.webp",
        "datetime": "2026-03-05 18:30:00", "duration_s": 60, "bytes": 200000
    }]}]})
}

fn comedy(marker: &str) -> Value {
    json!({"artists": [{
        "slug": "bench-1", "artist": marker, "description": "Known from every corner of the country.",
        "image": "https://images.spaza.example/bench/artist-1.webp",
        "videos": [{
            "slug": "bench-1", "video_name": marker, "media": "mcfunny/bench-1.mp4",
            "image": "https://images.spaza.example/bench/video-1.webp",
            "datetime": "2026-03-05 18:30:00", "duration_s": 60, "bytes": 200000
        }]
    }]})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_is_the_smallest_number() {
        assert_eq!(shown(br#"[{"name":"marker-12"},{"name":"marker-9 x"}]"#), Some(9));
        assert_eq!(shown(b"[]"), None);
    }

    #[test]
    fn age_counts_from_the_first_missing_number() {
        let start = Instant::now();
        let markers = Markers { committed: RefCell::new(vec![start, start + Duration::from_secs(10)]) };
        let age = |number, seconds| markers.age(number, start + Duration::from_secs_f64(seconds));
        assert_eq!(age(1, 9.0), Age::Fresh(Duration::ZERO));
        assert_eq!(age(1, 11.5), Age::Fresh(Duration::from_millis(1500)));
        assert_eq!(age(1, 12.5), Age::Stale(Duration::from_millis(2500)));
        assert_eq!(age(2, 99.0), Age::Fresh(Duration::ZERO));
        // The import of 3 has not finished yet: showing it already is correct.
        assert_eq!(age(3, 99.0), Age::Fresh(Duration::ZERO));
    }
}
