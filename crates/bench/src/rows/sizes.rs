//! Every catalogue call, one at a time and uncached, with 1,000,000 memes or 100,000 videos and 10,000,000 likes, compared with the same
//! call on a small catalogue: the latency must not depend on the size.

use bytes::Bytes;
use testkit::Engine;

use crate::{
    fixture::{Service, Size, listed},
    load::{Load, Plan, get, request},
    report::Row,
    rounds::Pace,
    stage::{Running, Setup, Stage},
};

/// All ids are above this, so that a list can be requested with many values of `after` and stays the same.
const FIRST: u64 = 1_000_000_000;

/// The size of the small catalogue.
const FEW: u64 = 1_000;

/// Makes a call's request, from the number of rows and the step.
type Make = fn(u64, u64) -> Bytes;

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
    call(Service::Meme, "meme mine", |all, n| as_subscriber("memeworld", 150, all, n, "GET", "/api/meme/mine", None)),
    call(Service::Meme, "postlike, unlike", |all, n| {
        let id = any(all, n / 2);
        let (method, path, name) = if n.is_multiple_of(2) {
            ("POST", "/api/meme/postlike", "id")
        } else {
            ("DELETE", "/api/meme/unlike", "meme_id")
        };
        as_subscriber("memeworld", 150, all, 1, method, path, Some(&format!("{{\"{name}\":{id}}}")))
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
    call(Service::Tt, "tt mine", |all, n| as_subscriber("ttmbhatv", 152, all, n, "GET", "/api/tt/mine/ttmbhatv", None)),
    call(Service::Tt, "getTTWatchlist", |all, n| {
        as_subscriber("ttmbhatv", 152, all, n, "GET", "/api/tt/getTTWatchlist/ttmbhatv", None)
    }),
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
                let [small, large] =
                    pace.alternate([&load(&small, call.make, FEW), &load(&large, call.make, items)]).await?;
                rows.push(Row::cost(format!("{}, large / small, {engine:?}", call.name), &large, &small, None));
            }
        }
    }
    Ok(rows)
}

fn load(running: &Running, make: Make, all: u64) -> Load {
    let process = &running.process;
    let plan = Plan::each(move |_, step| make(all, step));
    Load { addr: process.addr, pid: Some(process.id()), connections: 1, plan, expect: 200 }
}

/// The id of a listed row.
fn any(all: u64, step: u64) -> u64 {
    FIRST + listed(step * 7919 % (all / 2))
}

/// An id as the last one of a page.
fn within(all: u64, step: u64) -> u64 {
    FIRST + step * 7919 % all
}

fn meme(path: &str) -> Bytes {
    get("memeworld", &format!("/api/meme/{path}"), &[])
}

fn tt(path: &str) -> Bytes {
    get("ttmbhatv", &format!("/api/tt/{path}"), &[])
}

fn comedy(path: &str) -> Bytes {
    get("mcfunny", &format!("/api/madfunny/{path}"), &[])
}

/// A request of a subscriber who has likes in the fixture.
fn as_subscriber(label: &str, svc_id: i32, all: u64, step: u64, method: &str, path: &str, body: Option<&str>) -> Bytes {
    let fans = if all > FEW { 500_000 } else { 500 };
    let msisdn = format!("{}", 27_810_000_000 + step * 7919 % fans);
    let cookie = format!("Cookie: {}", testkit::session_cookie(label, svc_id, &msisdn));
    request(method, label, path, &[&cookie], body)
}

/// Adds a video in one step and removes it in the next.
fn on_video(all: u64, step: u64, add: &str, remove: &str) -> Bytes {
    let body = format!("{{\"videoid\":{}}}", any(all, step / 2));
    let (method, path) = if step.is_multiple_of(2) { ("POST", add) } else { ("DELETE", remove) };
    as_subscriber("ttmbhatv", 152, all, 1, method, path, Some(&body))
}
