//! A home page's list, 200 videos in 10 categories, beside nginx serving the same bytes as a file.

use testkit::Engine;

use crate::{
    fixture::{Service, Size},
    load::{Plan, get},
    process::Process,
    report::{Limit, Row},
    stage::{Beside, Given, Stage, fetch},
};

const HOST: &str = "ttmbhatv";
const PATH: &str = "/api/tt/getcatvideos/ttmbhatv";

/// From memory: as it is, packed, and known already, against nginx serving the unpacked file by its own defaults. For
/// knowledge also against nginx with `sendfile`, which copies nothing, and against nginx serving the packed bytes.
pub async fn cached(stage: &Stage) -> anyhow::Result<Vec<Row>> {
    let tt = stage.service(Service::Tt, Given { engine: Engine::Sqlite, apart: true }, Size::of(200)).await?;
    let (whole, tag) = fetch(&tt.process, HOST, PATH, &[]).await?;
    let (packed, _) = fetch(&tt.process, HOST, PATH, &["Accept-Encoding: br"]).await?;
    let nginx = stage.nginx(Beside::files(&[("list.json", &whole), ("list.json.br", &packed)]), true).await?;
    let ask = |process: &Process, path: &str, headers: &[&str], expect| {
        stage.load(process, Plan::same(get(HOST, path, headers)), expect)
    };
    let known = format!("If-None-Match: {tag}");
    let [file, sendfile, packed_file, identity, br, not_modified] = stage
        .pace
        .alternate([
            &ask(&nginx.process, "/list.json", &[], 200),
            &ask(&nginx.process, "/sendfile/list.json", &[], 200),
            &ask(&nginx.process, "/list.json.br", &[], 200),
            &ask(&tt.process, PATH, &[], 200),
            &ask(&tt.process, PATH, &["Accept-Encoding: br, gzip"], 200),
            &ask(&tt.process, PATH, &[&known], 304),
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

/// From the database: every request names another page start below the first category, so that each is a list of its own
/// with the same 200 videos in it, and none is served from memory.
pub async fn uncached(stage: &Stage) -> anyhow::Result<Vec<Row>> {
    const IDS_AFTER: i64 = 1_000_000_000_000;
    let size = Size { ids_after: IDS_AFTER, ..Size::of(200) };
    // Unpinned, like nginx beside them: one worker each, but queries run on threads of their own.
    let sqlite = stage.service(Service::Tt, Given { engine: Engine::Sqlite, apart: false }, size).await?;
    let postgres = stage.service(Service::Tt, Given { engine: Engine::Postgres, apart: false }, size).await?;
    let (whole, _) = fetch(&sqlite.process, HOST, PATH, &[]).await?;
    let (same, _) = fetch(&postgres.process, HOST, &format!("{PATH}?after=7"), &[]).await?;
    if whole != same {
        anyhow::bail!("the two engines answer different lists");
    }
    let nginx = stage.nginx(Beside::files(&[("list.json", &whole)]), false).await?;
    let connections = u64::try_from(stage.pace.connections)?;
    let pages = Plan::each(move |connection, step| {
        let start = step * connections + u64::try_from(connection).unwrap_or_default();
        get(HOST, &format!("{PATH}?after={start}"), &[])
    });
    let file = Plan::same(get(HOST, "/list.json", &[]));
    let [file, sqlite, postgres] = stage
        .pace
        .alternate([
            &stage.load(&nginx.process, file, 200),
            &stage.load(&sqlite.process, pages.clone(), 200),
            &stage.load(&postgres.process, pages, 200),
        ])
        .await?;
    Ok(vec![
        Row::throughput("uncached list, SQLite / nginx file", &sqlite, &file, Some(Limit::AtLeast(0.15))),
        Row::throughput("uncached list, PostgreSQL / nginx file", &postgres, &file, Some(Limit::AtLeast(0.10))),
    ])
}
