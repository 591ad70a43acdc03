//! A home page's list, 200 videos in 10 categories, compared with nginx serving the same bytes as a file.

use reqwest::header::{ACCEPT_ENCODING, HeaderName, IF_NONE_MATCH};
use testkit::Engine;

use crate::{
    fixture::{Service, Size},
    load::{Request, Requests},
    process::Process,
    report::{Limit, Row},
    stage::{NginxContent, Setup, Stage},
};

const HOST: &str = "ttmbhatv";
const PATH: &str = "/api/tt/getcatvideos/ttmbhatv";

/// From cache: uncompressed, compressed and 304, compared with nginx serving the uncompressed file with its defaults; for information also
/// with nginx with `sendfile`, and with nginx serving the compressed bytes.
pub async fn cached(stage: &Stage) -> anyhow::Result<Vec<Row>> {
    let tt = stage.service(Service::Tt, Setup { engine: Engine::Sqlite, pinned: true }, Size::of(200)).await?;
    let request = Request::get(HOST, PATH);
    let (whole, tag) = stage.fetch(&tt.process, request.clone()).await?;
    let (packed, _) = stage.fetch(&tt.process, request.header(ACCEPT_ENCODING, "br")).await?;
    let nginx = stage.nginx(NginxContent::files(&[("list.json", &whole), ("list.json.br", &packed)]), true).await?;
    let send = |process: &Process, path: &str, headers: &[(HeaderName, &str)], expect| {
        let request = headers.iter().fold(Request::get(HOST, path), |it, (name, value)| it.header(name.clone(), value));
        Requests::write([request]).map(|requests| stage.load(process, &requests, expect))
    };
    let [file, sendfile, packed_file, identity, br, not_modified] = stage
        .pace
        .alternate([
            &send(&nginx.process, "/list.json", &[], 200)?,
            &send(&nginx.process, "/sendfile/list.json", &[], 200)?,
            &send(&nginx.process, "/list.json.br", &[], 200)?,
            &send(&tt.process, PATH, &[], 200)?,
            &send(&tt.process, PATH, &[(ACCEPT_ENCODING, "br, gzip")], 200)?,
            &send(&tt.process, PATH, &[(IF_NONE_MATCH, &tag)], 304)?,
        ])
        .await?;
    Ok(vec![
        Row::throughput("cached list / nginx file", &identity, &file, Some(Limit::AtLeast(1.0))),
        Row::throughput("cached list, br / nginx file", &br, &file, Some(Limit::AtLeast(1.3))),
        Row::throughput("cached list, 304 / nginx file", &not_modified, &file, None),
        Row::throughput("cached list / nginx sendfile", &identity, &sendfile, None),
        Row::throughput("cached list, br / nginx sendfile", &br, &sendfile, None),
        Row::throughput("cached list, br / nginx packed file", &br, &packed_file, None),
    ])
}

/// From the database: each request has another `after` below the first category, so that it misses the cache and has the same 200
/// videos.
pub async fn uncached(stage: &Stage) -> anyhow::Result<Vec<Row>> {
    const IDS_AFTER: i64 = 1_000_000_000_000;
    // More than are sent within the second that a reply is cached.
    const PAGES: u64 = 50_000;
    let size = Size { ids_after: IDS_AFTER, ..Size::of(200) };
    // Not pinned, like nginx: one worker each, but queries run on other threads.
    let sqlite = stage.service(Service::Tt, Setup { engine: Engine::Sqlite, pinned: false }, size).await?;
    let postgres = stage.service(Service::Tt, Setup { engine: Engine::Postgres, pinned: false }, size).await?;
    let page = |after: u64| Request::get(HOST, &format!("{PATH}?after={after}"));
    let (whole, _) = stage.fetch(&sqlite.process, Request::get(HOST, PATH)).await?;
    let (same, _) = stage.fetch(&postgres.process, page(7)).await?;
    if whole != same {
        anyhow::bail!("the two engines return different lists");
    }
    let nginx = stage.nginx(NginxContent::files(&[("list.json", &whole)]), false).await?;
    let pages = Requests::write((0..PAGES).map(page))?;
    let file = Requests::write([Request::get(HOST, "/list.json")])?;
    let [file, sqlite, postgres] = stage
        .pace
        .alternate([
            &stage.load(&nginx.process, &file, 200),
            &stage.load(&sqlite.process, &pages, 200),
            &stage.load(&postgres.process, &pages, 200),
        ])
        .await?;
    Ok(vec![
        Row::throughput("uncached list, SQLite / nginx file", &sqlite, &file, Some(Limit::AtLeast(0.15))),
        Row::throughput("uncached list, PostgreSQL / nginx file", &postgres, &file, Some(Limit::AtLeast(0.10))),
    ])
}
