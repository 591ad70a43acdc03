//! One video: from cache, and from 100,000 videos, where the cache rarely hits.

use testkit::Engine;

use crate::{
    fixture::{Service, Size, listed},
    load::{Plan, get},
    report::Row,
    stage::{NginxContent, Setup, Stage, fetch},
};

const VIDEOS: i64 = 100_000;

/// Spreads ids, so that none repeats within the second in which a reply is cached.
fn spread_id(number: u64) -> u64 {
    listed(number * 7919 % (VIDEOS.unsigned_abs() / 2))
}

/// `ttsinglevideo` and `fetchsingle`, cached and not, against nginx serving one of them as a file.
pub async fn rows(stage: &Stage) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for (service, host, path) in [
        (Service::Tt, "ttmbhatv", "/api/tt/ttsinglevideo/"),
        (Service::Comedy, "mcfunny", "/api/madfunny/fetchsingle/"),
    ] {
        let setup = |engine| Setup { engine, pinned: false };
        let sqlite = stage.service(service, setup(Engine::Sqlite), Size::of(VIDEOS)).await?;
        let postgres = stage.service(service, setup(Engine::Postgres), Size::of(VIDEOS)).await?;
        let one = format!("{path}1");
        let (whole, _) = fetch(&sqlite.process, host, &one, &[]).await?;
        let nginx = stage.nginx(NginxContent::files(&[("one.json", &whole)]), false).await?;
        let connections = u64::try_from(stage.pace.connections)?;
        let any = Plan::each(move |connection, step| {
            let number = step * connections + u64::try_from(connection).unwrap_or_default();
            get(host, &format!("{path}{}", spread_id(number)), &[])
        });
        let file = Plan::same(get(host, "/one.json", &[]));
        let same = Plan::same(get(host, &one, &[]));
        let [file, cached, sqlite, postgres] = stage
            .pace
            .alternate([
                &stage.load(&nginx.process, file, 200),
                &stage.load(&sqlite.process, same, 200),
                &stage.load(&sqlite.process, any.clone(), 200),
                &stage.load(&postgres.process, any, 200),
            ])
            .await?;
        let name = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        rows.extend([
            Row::throughput(format!("{name}, cached / nginx file"), &cached, &file, None),
            Row::throughput(format!("{name}, uncached, SQLite / nginx file"), &sqlite, &file, None),
            Row::throughput(format!("{name}, uncached, PostgreSQL / nginx file"), &postgres, &file, None),
        ]);
    }
    Ok(rows)
}
