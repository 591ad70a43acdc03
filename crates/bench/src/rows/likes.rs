//! Likes and unlikes through the service, compared with the same SQL statements in a loop.

mod bare;

use std::rc::Rc;

use reqwest::{Method, header::COOKIE};
use serde_json::json;
use testkit::Engine;

use self::bare::Bare;
use crate::{
    fixture::{self, Service, Size},
    load::{Request, Requests},
    report::Row,
    stage::{Setup, Stage},
};

const MEMES: u64 = 1_000;
const HOST: &str = "memeworld";

/// Likes and unlikes per second, relative to the loop.
pub async fn rows(stage: &Stage) -> anyhow::Result<Vec<Row>> {
    let likes = likes(stage.pace.connections)?;
    let mut rows = Vec::new();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let size = Size::of(MEMES.cast_signed());
        let meme = stage.service(Service::Meme, Setup { engine, pinned: false }, size).await?;
        let store = stage.library(Service::Meme, engine, size).await?;
        let bare = Bare::over(&store.config)?;
        let [ours, theirs] = stage.pace.alternate([&stage.load(&meme.process, &likes, 200), &bare]).await?;
        rows.push(Row::throughput(format!("like and unlike / bare loop, {engine:?}"), &ours, &theirs, None));
    }
    Ok(rows)
}

/// As many numbers as connections like one meme after another, each at the same time, and remove each like.
fn likes(connections: usize) -> anyhow::Result<Rc<Requests>> {
    let cookies: Vec<String> =
        (0..connections).map(|number| testkit::session_cookie(HOST, 150, &msisdn(number))).collect();
    Requests::write((0..MEMES).flat_map(|step| {
        let id = liked(step);
        let request = if step.is_multiple_of(2) {
            Request::json(Method::POST, HOST, "/api/meme/postlike", &json!({"id": id}))
        } else {
            Request::json(Method::DELETE, HOST, "/api/meme/unlike", &json!({"meme_id": id}))
        };
        cookies.iter().map(move |cookie| request.clone().header(COOKIE, cookie))
    }))
}

/// The meme of a step: the like and the unlike are two steps.
fn liked(step: u64) -> u64 {
    fixture::listed(step / 2 % (MEMES / 2))
}

/// The numbers that like, counted from 0.
fn msisdn(number: usize) -> String {
    format!("2782{number:07}")
}
