//! Random memes: what a draw costs in a library of a thousand, and in one of a million.

use testkit::Engine;

use crate::{
    Failed,
    fixture::{Service, Size},
    load::{Plan, get},
    report::{Limit, Row},
    stage::{Given, Stage},
};

/// The time of a draw from 1,000,000 memes to that of one from 1,000, on each engine.
pub async fn rows(stage: &Stage) -> Result<Vec<Row>, Failed> {
    let mut rows = Vec::new();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let given = Given { engine, apart: false };
        let few = stage.service(Service::Meme, given, Size::of(1_000)).await?;
        let many = stage.service(Service::Meme, given, Size { categories: 100, ..Size::of(1_000_000) }).await?;
        let draw = Plan::same(get("memeworld", "/api/meme/random", &[]));
        let [few, many] = stage
            .pace
            .alternate([&stage.load(&few.process, draw.clone(), 200), &stage.load(&many.process, draw, 200)])
            .await?;
        let name = format!("random, 1,000,000 / 1,000 memes, time, {engine:?}");
        rows.push(Row::cost(name, &many, &few, Some(Limit::AtMost(1.5))));
    }
    Ok(rows)
}
