//! Random memes: the cost among a thousand memes and among a million.

use testkit::Engine;

use crate::{
    fixture::{Service, Size},
    load::{Request, Requests, Wrk},
    report::{Limit, Row},
    stage::{Setup, Stage},
};

/// The latency of random memes from 1,000,000 relative to 1,000, on each engine, with one request at a time, as a visitor waits for it; for
/// information also with many concurrent requests, where the cost of cold pages shows: thirty rows of a million are on thirty cold pages.
pub async fn rows(stage: &Stage) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let setup = Setup { engine, pinned: false };
        let few = stage.service(Service::Meme, setup, Size::of(1_000)).await?;
        let many = stage.service(Service::Meme, setup, Size { categories: 100, ..Size::of(1_000_000) }).await?;
        let draw = Requests::write([Request::get("memeworld", "/api/meme/random")])?;
        let at_once = [&few, &many].map(|library| stage.load(&library.process, &draw, 200));
        let alone = at_once.each_ref().map(|load| Wrk { connections: 1, ..load.clone() });
        let [few, many, full_few, full_many] =
            stage.pace.alternate([&alone[0], &alone[1], &at_once[0], &at_once[1]]).await?;
        let name = format!("random, 1,000,000 / 1,000 memes, time, {engine:?}");
        rows.push(Row::cost(&name, &many, &few, Some(Limit::AtMost(1.5))));
        rows.push(Row::cost(format!("{name}, {} at once", stage.pace.connections), &full_many, &full_few, None));
    }
    Ok(rows)
}
