//! Every catalogue call, one at a time and uncached, with 1,000,000 memes or 100,000 videos and 10,000,000 likes, compared with the same
//! call on a small catalogue: the latency must not depend on the size.

use std::rc::Rc;

use reqwest::{Method, header::COOKIE};
use serde_json::json;
use testkit::Engine;

use crate::{
    fixture::{Service, Size, listed},
    load::{Request, Requests, Wrk},
    report::Row,
    rounds::Pace,
    stage::{Setup, Stage},
};

/// All ids are above this, so that a list can be requested with many values of `after` and stays the same.
const FIRST: u64 = 1_000_000_000;

/// The size of the small catalogue.
const FEW: u64 = 1_000;

/// The requests of each call; more than are sent within the second that a reply is cached.
const STEPS: u64 = 50_000;

/// Makes a call's request, from the number of rows and the step.
type Make = fn(u64, u64) -> Request;

/// One call and its service.
struct Call {
    name: &'static str,
    service: Service,
    make: Make,
}

const fn call(service: Service, name: &'static str, make: Make) -> Call {
    Call { name, service, make }
}

const CALLS: [Call; 20] = [
    call(Service::Meme, "getMemeCategories", |_, n| meme(&format!("getMemeCategories?after={n}"))),
    call(Service::Meme, "getMemeValue", |all, n| meme(&format!("getMemeValue/{}?after={}", FIRST + 1, within(all, n)))),
    call(Service::Meme, "random", |_, _| meme("random")),
    call(Service::Meme, "meme mine", |all, n| as_subscriber(meme("mine"), "memeworld", 150, all, n)),
    call(Service::Meme, "postlike, unlike", |all, n| {
        let id = any(all, n / 2);
        let (method, path, name) = if n.is_multiple_of(2) {
            (Method::POST, "/api/meme/postlike", "id")
        } else {
            (Method::DELETE, "/api/meme/unlike", "meme_id")
        };
        let request = Request::json(method, "memeworld", path, &json!({name: id}));
        as_subscriber(request, "memeworld", 150, all, 1)
    }),
    call(Service::Tt, "getcatvideos", |_, n| tt(&format!("getcatvideos/ttmbhatv?after={n}"))),
    call(Service::Tt, "getCategory", |_, n| tt(&format!("getCategory/ttmbhatv?after={n}"))),
    call(Service::Tt, "catVideos by id", |all, n| tt(&format!("catVideos/{}?after={}", FIRST + 1, within(all, n)))),
    call(Service::Tt, "catVideos by name", |all, n| {
        tt(&format!("catVideos/drama%20{}?after={}", FIRST + 1, within(all, n)))
    }),
    call(Service::Tt, "ttsinglevideo", |all, n| tt(&format!("ttsinglevideo/{}", any(all, n)))),
    call(Service::Tt, "ttrelated", |all, n| tt(&format!("ttrelated/drama?after={}", within(all, n)))),
    call(Service::Tt, "banners", |_, n| tt(&format!("banners/ttmbhatv?after={n}"))),
    call(Service::Tt, "tt mine", |all, n| as_subscriber(tt("mine/ttmbhatv"), "ttmbhatv", 152, all, n)),
    call(Service::Tt, "getTTWatchlist", |all, n| as_subscriber(tt("getTTWatchlist/ttmbhatv"), "ttmbhatv", 152, all, n)),
    call(Service::Tt, "likevideo, unlikevideo", |all, n| on_video(all, n, "/api/tt/likevideo", "/api/tt/unlikevideo")),
    call(Service::Tt, "ttaddwatchlist, ttremove", |all, n| {
        on_video(all, n, "/api/tt/ttaddwatchlist", "/api/tt/ttremove")
    }),
    call(Service::Comedy, "fetchArtist", |_, n| comedy(&format!("fetchArtist?service=mcfunny&after={n}"))),
    call(Service::Comedy, "fetchsingle", |all, n| comedy(&format!("fetchsingle/{}", any(all, n)))),
    call(Service::Comedy, "common", |all, n| comedy(&format!("common/{}?after={}", FIRST + 1, within(all, n)))),
    call(Service::Comedy, "fetchVideos", |all, n| {
        comedy(&format!("fetchVideos/{}?after={}", FIRST + 2, within(all, n)))
    }),
];

/// The latency of each call on the large catalogue, relative to the small one.
pub async fn rows(stage: &Stage) -> anyhow::Result<Vec<Row>> {
    let pace = Pace { connections: 1, ..stage.pace };
    let mut rows = Vec::new();
    for engine in [Engine::Sqlite, Engine::Postgres] {
        for (service, items) in [(Service::Meme, 1_000_000), (Service::Tt, 100_000), (Service::Comedy, 100_000)] {
            let setup = Setup { engine, pinned: false };
            let size =
                |items: u64, likes| Size { likes, ids_after: FIRST.cast_signed(), ..Size::of(items.cast_signed()) };
            let small = stage.service(service, setup, size(FEW, 10_000)).await?;
            let large = stage.service(service, setup, size(items, 10_000_000)).await?;
            for call in CALLS.iter().filter(|call| call.service == service) {
                let small = Wrk { connections: 1, ..stage.load(&small.process, &requests(call, FEW)?, 200) };
                let large = Wrk { connections: 1, ..stage.load(&large.process, &requests(call, items)?, 200) };
                let [small, large] = pace.alternate([&small, &large]).await?;
                rows.push(Row::cost(format!("{}, large / small, {engine:?}", call.name), &large, &small, None));
            }
        }
    }
    Ok(rows)
}

fn requests(call: &Call, all: u64) -> anyhow::Result<Rc<Requests>> {
    Requests::write((0..STEPS).map(|step| (call.make)(all, step)))
}

/// The id of a listed row.
fn any(all: u64, step: u64) -> u64 {
    FIRST + listed(step * 7919 % (all / 2))
}

/// An id as the last one of a page.
fn within(all: u64, step: u64) -> u64 {
    FIRST + step * 7919 % all
}

fn meme(path: &str) -> Request {
    Request::get("memeworld", &format!("/api/meme/{path}"))
}

fn tt(path: &str) -> Request {
    Request::get("ttmbhatv", &format!("/api/tt/{path}"))
}

fn comedy(path: &str) -> Request {
    Request::get("mcfunny", &format!("/api/madfunny/{path}"))
}

/// The request with the session of a number that has likes in the fixture.
fn as_subscriber(request: Request, label: &str, svc_id: i32, all: u64, step: u64) -> Request {
    let fans = if all > FEW { 500_000 } else { 500 };
    let msisdn = format!("{}", 27_810_000_000 + step * 7919 % fans);
    request.header(COOKIE, &testkit::session_cookie(label, svc_id, &msisdn))
}

/// Adds a video in one step and removes it in the next.
fn on_video(all: u64, step: u64, add: &str, remove: &str) -> Request {
    let body = json!({"videoid": any(all, step / 2)});
    let (method, path) = if step.is_multiple_of(2) { (Method::POST, add) } else { (Method::DELETE, remove) };
    as_subscriber(Request::json(method, "ttmbhatv", path, &body), "ttmbhatv", 152, all, 1)
}
