//! One video: from cache, and from 100,000 videos, where the cache rarely hits.

use testkit::Engine;

use crate::{
    fixture::{Service, Size, listed},
    load::{Request, Requests},
    report::Row,
    stage::{NginxContent, Setup, Stage},
};

const VIDEOS: i64 = 100_000;

/// All listed ids, in an order in which neighbours are far apart; more than are sent within the second that a reply is cached.
fn scattered() -> impl Iterator<Item = u64> {
    let count = VIDEOS.unsigned_abs() / 2;
    (0..count).map(move |number| listed(number * 7919 % count))
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
        let video = |id: u64| Request::get(host, &format!("{path}{id}"));
        let (whole, _) = stage.fetch(&sqlite.process, video(1)).await?;
        let nginx = stage.nginx(NginxContent::files(&[("one.json", &whole)]), false).await?;
        let any = Requests::write(scattered().map(video))?;
        let file = Requests::write([Request::get(host, "/one.json")])?;
        let same = Requests::write([video(1)])?;
        let [file, cached, sqlite, postgres] = stage
            .pace
            .alternate([
                &stage.load(&nginx.process, &file, 200),
                &stage.load(&sqlite.process, &same, 200),
                &stage.load(&sqlite.process, &any, 200),
                &stage.load(&postgres.process, &any, 200),
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
