//! Search among 1,000,000 videos: the latency, and whether the right title is among the first ten despite a typo.

use std::time::{Duration, Instant};

use serde_json::Value;
use testkit::Engine;

use crate::{
    fixture::{self, Service, Size, listed},
    load::{Request, Sample, percentile},
    report::{Limit, Row},
    stage::{Running, Setup, Stage},
};

const TITLES: i64 = 1_000_000;

/// The number of titles that are searched, each with every spelling.
const SEARCHES: u64 = 500;

/// Spells a title as a visitor would, at a step.
type Spelling = fn(&str, u64) -> String;

/// The 95th percentile latency, and the share of titles that are among the first ten results.
pub async fn rows(stage: &Stage) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let setup = Setup { engine, pinned: false };
        let library = stage.service(Service::Tt, setup, Size { categories: 100, ..Size::of(TITLES) }).await?;
        let ways: [(&str, Option<Limit>, Spelling); 3] = [
            ("as it is spelled", Some(Limit::AtLeast(0.99)), |title, _| title.to_owned()),
            ("with a wrong letter", Some(Limit::AtLeast(0.95)), with_a_wrong_letter),
            ("as it is typed", None, prefix_of),
        ];
        for (way, recall, spelling) in ways {
            let (times, found) = search(stage, &library, spelling).await?;
            let limit = recall.is_some().then_some(Limit::AtMost(20.0));
            let p95 = {
                let mut sorted = times.clone();
                sorted.sort_unstable();
                f64::from(percentile(&sorted, 95)) / 1000.0
            };
            let took = Duration::from_micros(times.iter().copied().map(u64::from).sum());
            let sample = [Sample::of(times, took, Duration::ZERO)];
            let name = format!("search, 1,000,000 titles, {way}, {engine:?}");
            rows.push(Row::once(format!("{name}: ms for 95 of 100"), p95, (&sample, &sample), limit));
            if recall.is_some() {
                rows.push(Row::once(format!("{name}: share found"), found, (&sample, &sample), recall));
            }
        }
    }
    Ok(rows)
}

/// Searches titles with this spelling, one by one; returns the latencies in microseconds, and the share of titles among the first ten results.
async fn search(stage: &Stage, library: &Running, spelling: Spelling) -> anyhow::Result<(Vec<u32>, f64)> {
    let (mut times, mut found) = (Vec::new(), 0_u32);
    for step in 0..SEARCHES {
        let id = listed(step * 7919 % (TITLES.unsigned_abs() / 2));
        let query = spelling(&fixture::video_title(id.cast_signed() - 1), step);
        let query: String = url::form_urlencoded::byte_serialize(query.as_bytes()).collect();
        let request = Request::get("ttmbhatv", &format!("/api/tt/search/ttmbhatv?q={query}&limit=10"));
        let started = Instant::now();
        let response = request.expect(200, &stage.client, library.process.addr).await?;
        times.push(u32::try_from(started.elapsed().as_micros())?);
        let videos: Vec<Value> = serde_json::from_slice(&response.body)?;
        found += u32::from(videos.iter().any(|video| video["id"] == id));
    }
    Ok((times, f64::from(found) / f64::from(u32::try_from(SEARCHES)?)))
}

/// A title with one letter inserted, deleted, replaced or transposed, in a word of three or more letters.
fn with_a_wrong_letter(title: &str, step: u64) -> String {
    let mut letters: Vec<char> = title.to_lowercase().chars().collect();
    let inner: Vec<usize> = (1..letters.len().saturating_sub(1))
        .filter(|at| letters.get(at - 1..=at + 1).is_some_and(|near| near.iter().all(|letter| letter.is_alphabetic())))
        .collect();
    let pick = usize::try_from(step * 31 % 997).unwrap_or_default();
    let Some(at) = inner.get(pick % inner.len().max(1)).copied() else { return title.to_owned() };
    let other = char::from(b'a' + u8::try_from(step % 26).unwrap_or_default());
    match step % 4 {
        0 => letters.insert(at, other),
        1 => drop(letters.remove(at)),
        2 => letters.swap(at, at - 1),
        _ => letters.splice(at..=at, [other]).for_each(drop),
    }
    letters.into_iter().collect()
}

/// A prefix of a title, of two letters or more.
fn prefix_of(title: &str, step: u64) -> String {
    let letters = title.chars().count();
    title.chars().take(2 + usize::try_from(step).unwrap_or_default() % letters).collect()
}
