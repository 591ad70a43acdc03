//! The editor: changes the first things of every catalogue every few seconds, each time to a larger number, so that whoever
//! reads a list can tell how old it is.

use std::{cell::RefCell, rc::Rc, time::Duration};

use anyhow::Context;
use serde_json::{Value, json};
use tokio::time::Instant;

use super::family::Family;
use crate::{
    fixture::Service,
    load::{Connection, request, unexpected},
};

/// Between two imports.
const PAUSE: Duration = Duration::from_secs(3);

/// What a list may be behind the catalogue.
pub(super) const ALLOWED: Duration = Duration::from_secs(2);

/// Which numbers were imported, and when each stood in every catalogue.
#[derive(Default)]
pub(super) struct Markers {
    committed: RefCell<Vec<Instant>>,
}

/// How a list stands to what was imported before it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Age {
    /// It has a number that it need not be ashamed of; so much time it was behind.
    Fresh(Duration),
    /// It lacks what had stood there for too long.
    Stale(Duration),
}

impl Markers {
    /// How many imports there were.
    pub fn count(&self) -> usize {
        self.committed.borrow().len()
    }

    fn commit(&self) {
        self.committed.borrow_mut().push(Instant::now());
    }

    /// How old a reply is that was asked for at `sent` and shows `number`: the time for which the next number had stood.
    pub fn age(&self, number: usize, sent: Instant) -> Age {
        let committed = self.committed.borrow();
        let behind = committed.get(number).map_or(Duration::ZERO, |next| sent.saturating_duration_since(*next));
        if behind > ALLOWED { Age::Stale(behind) } else { Age::Fresh(behind) }
    }
}

/// The smallest number that a body shows; numbers count from 1.
pub(super) fn shown(body: &[u8]) -> Option<usize> {
    let text = String::from_utf8_lossy(body);
    let numbers = text.split("marker-").skip(1);
    numbers.filter_map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()).min()
}

/// Imports until the time is up.
pub(super) async fn work_until(end: Instant, family: Rc<Family>, markers: Rc<Markers>) -> anyhow::Result<()> {
    while Instant::now() + PAUSE < end {
        tokio::time::sleep(PAUSE).await;
        work(&family, &markers).await?;
    }
    Ok(())
}

/// Imports the next number everywhere.
pub(super) async fn work(family: &Family, markers: &Markers) -> anyhow::Result<()> {
    let number = markers.count() + 1;
    let marker = format!("marker-{number}");
    for (service, name, part) in [
        (Service::Comedy, "MC Funny", comedy(&marker)),
        (Service::Meme, "memeworld", meme(&marker)),
        (Service::Tt, "ttmbhatv", tt(&marker)),
    ] {
        let mut connection = Connection::open(family.replica(service, number)).await?;
        let order = json!({"service": name, "digest": marker});
        let opened = tell(&mut connection, "/internal/imports", &order).await?;
        let (lists, records) = testkit::flat_records(&part);
        let import = opened.get("import").and_then(Value::as_i64).context("nothing was to be imported")?;
        let import = format!("/internal/imports/{import}");
        tell(&mut connection, &format!("{import}/records"), &lists).await?;
        tell(&mut connection, &format!("{import}/apply"), &json!({"records": records})).await?;
    }
    markers.commit();
    Ok(())
}

/// One step of an import.
async fn tell(connection: &mut Connection, path: &str, body: &Value) -> anyhow::Result<Value> {
    let token = format!("Authorization: Bearer {}", testkit::ADMIN_TOKEN);
    let step = request("POST", "127.0.0.1", path, &[&token], Some(&body.to_string()));
    let reply = connection.ask(&step).await?;
    if reply.status != 200 {
        return Err(unexpected(&step, &reply));
    }
    Ok(serde_json::from_slice(reply.body)?)
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
    fn the_oldest_number_in_a_body_counts() {
        assert_eq!(shown(br#"[{"name":"marker-12"},{"name":"marker-9 x"}]"#), Some(9));
        assert_eq!(shown(b"[]"), None);
    }

    #[test]
    fn a_list_is_as_old_as_what_it_lacks() {
        let start = Instant::now();
        let markers = Markers { committed: RefCell::new(vec![start, start + Duration::from_secs(10)]) };
        let age = |number, seconds| markers.age(number, start + Duration::from_secs_f64(seconds));
        assert_eq!(age(1, 9.0), Age::Fresh(Duration::ZERO));
        assert_eq!(age(1, 11.5), Age::Fresh(Duration::from_millis(1500)));
        assert_eq!(age(1, 12.5), Age::Stale(Duration::from_millis(2500)));
        assert_eq!(age(2, 99.0), Age::Fresh(Duration::ZERO));
        // The import of 3 has not been answered yet: showing it already is no fault.
        assert_eq!(age(3, 99.0), Age::Fresh(Duration::ZERO));
    }
}
