//! The gateway beside nginx, one worker each: as a proxy, from memory, and for media.

use anyhow::Context;
use identity::{Msisdn, Session, cookie_name};
use testkit::Engine;

use crate::{
    fixture::{Service, Size},
    load::{Connection, Plan, Sample, get},
    process::{Process, resident_kb},
    report::{Limit, Row},
    stage::{Beside, Given, NOTIFY_SECRET, Stage, fetch},
};

const HOST: &str = "ttmbhatv";
const PATH: &str = "/api/tt/getcatvideos/ttmbhatv";

/// With it nobody between keeps a reply; the services take no notice.
const ALONE: &str = "Authorization: Bearer nobody";

/// The number that needs no subscription.
const TEST_MSISDN: &str = "27600000000";

/// A film, and the part of it that is asked for.
const FILM: usize = 8 * 1024 * 1024;
const RANGE: &str = "Range: bytes=2097152-3145727";

/// The share of the most it can do at which a server's slowest replies are looked at.
const SHARE: f64 = 0.8;

/// Connections that wait, for the memory they take.
const WAITING: usize = 1000;

/// A list through the gateway and through nginx; the same from the gateway's memory, beside nginx serving it as a file; a range of a
/// film; the slowest replies under a steady load; and the memory of a thousand connections.
pub async fn rows(stage: &Stage) -> anyhow::Result<Vec<Row>> {
    let given = Given { engine: Engine::Sqlite, apart: true };
    let tt = stage.service(Service::Tt, given, Size::of(200)).await?;
    let store = testkit::store(Engine::Sqlite).await;
    let keys = identity::SessionMinter::generate()?;
    let settings = [("TEST_MSISDN", TEST_MSISDN), ("SESSION_SECRET_KEY", &keys), ("NOTIFY_SECRET", NOTIFY_SECRET)];
    let subscription = stage.start_with("subscription", &store, &settings, "gateway").await?;
    let film: Vec<u8> = (0..FILM).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let media = tempfile::tempdir()?;
    std::fs::create_dir(media.path().join(HOST))?;
    std::fs::write(media.path().join(HOST).join("film.mp4"), &film)?;
    let media_dir = media.path().display().to_string();
    let gateway = stage
        .gateway(
            &[("TT_URL", vec![&tt.process]), ("SUBSCRIPTION_URL", vec![&subscription])],
            &[("WORKERS", "1"), ("RATE_LIMIT", "0"), ("MEDIA_DIR", &media_dir), ("TEST_MSISDN", TEST_MSISDN)],
            true,
        )
        .await?;
    let takes_br = "Accept-Encoding: br";
    let (whole, _) = fetch(&tt.process, HOST, PATH, &[]).await?;
    let (packed, _) = fetch(&tt.process, HOST, PATH, &[takes_br]).await?;
    let files: &[(&str, &[u8])] = &[("list.json", &whole), ("list.json.br", &packed), ("film.mp4", &film)];
    let beside = Beside { files, upstream: Some(tt.process.addr) };
    let nginx = stage.nginx(beside, true).await?;

    let ask = |process: &Process, path: &str, headers: &[&str], expect| {
        stage.load(process, Plan::same(get(HOST, path, headers)), expect)
    };
    let session = session()?;
    // Before the load: what a thousand phones cost, not what sixty-four busy ones leave behind.
    let memory = waiting(&gateway).await?;
    let [theirs, ours, kept, kept_whole, file, packed_file, their_film, our_film] = stage
        .pace
        .alternate([
            &ask(&nginx.process, PATH, &[takes_br, ALONE], 200),
            &ask(&gateway, PATH, &[takes_br, ALONE], 200),
            &ask(&gateway, PATH, &[takes_br], 200),
            &ask(&gateway, PATH, &[], 200),
            &ask(&nginx.process, "/list.json", &[], 200),
            &ask(&nginx.process, "/list.json.br", &[], 200),
            &ask(&nginx.process, "/sendfile/film.mp4", &[RANGE], 206),
            &ask(&gateway, "/media/ttmbhatv/film.mp4", &[RANGE, &session], 206),
        ])
        .await?;
    let most = |samples: &[Sample]| Sample::median(samples).per_second * SHARE;
    let (asked, alone) = (ask(&gateway, PATH, &[takes_br], 200), ask(&gateway, PATH, &[takes_br, ALONE], 200));
    let nginx_asked = ask(&nginx.process, PATH, &[takes_br, ALONE], 200).steady(most(&theirs));
    let [nginx_steady, kept_steady, own_steady] =
        stage.pace.alternate([&nginx_asked, &asked.steady(most(&theirs)), &alone.steady(most(&ours))]).await?;
    let memory_after = waiting(&gateway).await?;
    Ok(vec![
        Row::throughput("proxied list / nginx proxy", &ours, &theirs, Some(Limit::AtLeast(1.0))),
        Row::throughput("kept list / nginx proxy", &kept, &theirs, Some(Limit::AtLeast(2.0))),
        Row::throughput("kept list / nginx file", &kept_whole, &file, Some(Limit::AtLeast(1.0))),
        Row::throughput("kept list, br / nginx file", &kept, &file, Some(Limit::AtLeast(1.0))),
        Row::throughput("kept list, br / nginx packed file", &kept, &packed_file, None),
        Row::throughput("1 MiB of a film / nginx sendfile", &our_film, &their_film, Some(Limit::AtLeast(0.9))),
        Row::p99(
            "p99 at 80 % of nginx's most: list / nginx proxy",
            &kept_steady,
            &nginx_steady,
            Some(Limit::AtMost(1.0)),
        ),
        Row::p99("p99 at 80 % of each one's most: proxied list / nginx", &own_steady, &nginx_steady, None),
        Row::once("1,000 connections, MB / 40 MB", memory / 40.0, (&kept, &file), Some(Limit::AtMost(1.0))),
        Row::once("1,000 connections after this load, MB / 40 MB", memory_after / 40.0, (&kept, &file), None),
    ])
}

/// A `Cookie` header for the test number.
fn session() -> anyhow::Result<String> {
    let session = Session {
        msisdn: Msisdn::parse(TEST_MSISDN).map_err(anyhow::Error::msg)?,
        svc_id: 152,
        label: HOST.to_owned(),
        issued_at: web::timestamp::now().and_utc().timestamp(),
        generation: 0,
        test: true,
    };
    let token = testkit::minter().mint(&session).context("no token")?;
    Ok(format!("Cookie: {}={token}", cookie_name(HOST)))
}

/// Megabytes that the process holds while a thousand connections are open, each of which has asked once.
async fn waiting(gateway: &Process) -> anyhow::Result<f64> {
    let mut open = Vec::with_capacity(WAITING);
    // As browsers ask.
    let request = get(HOST, PATH, &["Accept-Encoding: gzip, br"]);
    for _ in 0..WAITING {
        let mut connection = Connection::open(gateway.addr).await?;
        connection.ask(&request).await?;
        open.push(connection);
    }
    let kb = resident_kb(gateway.id()).context("the system does not tell memory")?;
    Ok(f64::from(kb) / 1024.0)
}
