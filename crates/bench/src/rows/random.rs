//! Random memes: what a draw costs in a library of a thousand, and in one of a million.

use testkit::Engine;

use crate::{
    fixture::{Service, Size},
    load::{Load, Plan, get},
    report::{Limit, Row},
    stage::{Given, Stage},
};

/// The time of a draw from 1,000,000 memes to that of one from 1,000, on each engine: of one draw at a time, which is what a visitor
/// waits for, and told beside it of as many at once as the machine bears.
///
/// A full machine shows what a bare query costs: thirty rows of a million lie in thirty cold pages, of a thousand in thirty warm ones.
pub async fn rows(stage: &Stage) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let given = Given { engine, apart: false };
        let few = stage.service(Service::Meme, given, Size::of(1_000)).await?;
        let many = stage.service(Service::Meme, given, Size { categories: 100, ..Size::of(1_000_000) }).await?;
        let draw = Plan::same(get("memeworld", "/api/meme/random", &[]));
        let at_once = [&few, &many].map(|library| stage.load(&library.process, draw.clone(), 200));
        let alone = at_once.each_ref().map(|load| Load { connections: 1, ..load.clone() });
        let [few, many, full_few, full_many] =
            stage.pace.alternate([&alone[0], &alone[1], &at_once[0], &at_once[1]]).await?;
        let name = format!("random, 1,000,000 / 1,000 memes, time, {engine:?}");
        rows.push(Row::cost(&name, &many, &few, Some(Limit::AtMost(1.5))));
        rows.push(Row::cost(format!("{name}, {} at once", stage.pace.connections), &full_many, &full_few, None));
    }
    Ok(rows)
}
