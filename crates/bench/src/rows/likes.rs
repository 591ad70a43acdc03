//! Likes and unlikes through the service, compared with the same SQL statements in a loop.

mod bare;

use testkit::Engine;

use self::bare::Bare;
use crate::{
    fixture::{self, Service, Size},
    load::{Plan, request},
    report::Row,
    stage::{Setup, Stage},
};

const MEMES: u64 = 1_000;
const HOST: &str = "memeworld";

/// Likes and unlikes per second, relative to the loop.
pub async fn rows(stage: &Stage) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let size = Size::of(MEMES.cast_signed());
        let meme = stage.service(Service::Meme, Setup { engine, pinned: false }, size).await?;
        let store = stage.library(Service::Meme, engine, size).await?;
        let bare = Bare::over(&store.config)?;
        let [ours, theirs] =
            stage.pace.alternate([&stage.load(&meme.process, likes(stage.pace.connections), 200), &bare]).await?;
        rows.push(Row::throughput(format!("like and unlike / bare loop, {engine:?}"), &ours, &theirs, None));
    }
    Ok(rows)
}

/// Each connection is a number that likes one meme after another and removes each like.
fn likes(connections: usize) -> Plan {
    let cookies: Vec<String> = (0..connections)
        .map(|number| format!("Cookie: {}", testkit::session_cookie(HOST, 150, &msisdn(number))))
        .collect();
    Plan::each(move |connection, step| {
        let cookie = cookies.get(connection).map_or("", String::as_str);
        let id = liked(step);
        if step.is_multiple_of(2) {
            request("POST", HOST, "/api/meme/postlike", &[cookie], Some(&format!("{{\"id\":{id}}}")))
        } else {
            request("DELETE", HOST, "/api/meme/unlike", &[cookie], Some(&format!("{{\"meme_id\":{id}}}")))
        }
    })
}

/// The meme of a step: the like and the unlike are two steps.
fn liked(step: u64) -> u64 {
    fixture::listed(step / 2 % (MEMES / 2))
}

/// The number of a connection.
fn msisdn(number: usize) -> String {
    format!("2782{number:07}")
}
