//! The gateway compared with nginx, one worker each, over three protocols: as a proxy, from cache, and for media.

use std::time::Duration;

use anyhow::Context;
use identity::{Session, SubscriberId, cookie_name};
use testkit::{Engine, TestStore};

use crate::{
    fixture::{Service, Size},
    load::{H2load, Protocol, Request, Sample},
    process::{Process, resident_kb},
    report::{Limit, Row},
    stage::{Certificate, NOTIFY_SECRET, NginxContent, Running, Setup, Stage},
};

const HOST: &str = "ttmbhatv";
const PATH: &str = "/api/tt/getcatvideos/ttmbhatv";

/// The encoding that browsers prefer.
const BR: &str = "Accept-Encoding: br";

/// A header that makes the gateway and nginx bypass their caches; the services ignore it.
const UNCACHED: &str = "Authorization: Bearer nobody";

/// The test number, which needs no subscription.
const TEST_MSISDN: &str = "27600000000";

/// A film, and the range of it that is requested.
const FILM: usize = 8 * 1024 * 1024;
const RANGE: &str = "Range: bytes=2097152-3145727";
const RANGE_BITS: f64 = 8.0 * 1024.0 * 1024.0;

/// The share of nginx's maximum rate at which tail latencies are compared.
const SHARE: f64 = 0.8;

/// Open connections when memory is measured.
const OPEN: u32 = 1000;

/// Each comparison in clear text, over TLS 1.3, and in HTTP/2 over TLS.
pub async fn rows(stage: &Stage) -> anyhow::Result<Vec<Row>> {
    let family = Family::start(stage).await?;
    let clear_text = family.column(stage, Protocol::ClearText).await?;
    let tls = family.column(stage, Protocol::Tls).await?;
    let http2 = family.column(stage, Protocol::Http2).await?;
    let rows = clear_text.into_iter().zip(tls).zip(http2);
    Ok(rows.flat_map(|((clear_text, tls), http2)| [clear_text, tls, http2]).collect())
}

/// The services behind the gateway and nginx.
struct Family {
    tt: Running,
    subscription: Process,
    media: tempfile::TempDir,
    film: Vec<u8>,
    list: Vec<u8>,
    certificate: Certificate,
    _store: TestStore,
}

impl Family {
    async fn start(stage: &Stage) -> anyhow::Result<Self> {
        let tt = stage.service(Service::Tt, Setup { engine: Engine::Sqlite, pinned: true }, Size::of(200)).await?;
        let store = testkit::store(Engine::Sqlite).await;
        let keys = identity::SessionMinter::generate()?;
        let settings = [("TEST_MSISDN", TEST_MSISDN), ("SESSION_SECRET_KEY", &keys), ("NOTIFY_SECRET", NOTIFY_SECRET)];
        let subscription = stage.start_with("subscription", &store, &settings, "gateway").await?;
        let film: Vec<u8> = (0..FILM).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let media = tempfile::tempdir()?;
        std::fs::create_dir(media.path().join(HOST))?;
        std::fs::write(media.path().join(HOST).join("film.mp4"), &film)?;
        let (list, _) = stage.fetch(&tt.process, Request::get(HOST, PATH)).await?;
        Ok(Self { tt, subscription, media, film, list, certificate: Certificate::of(HOST)?, _store: store })
    }

    /// Starts the gateway and nginx with this protocol, and compares them.
    async fn column(&self, stage: &Stage, protocol: Protocol) -> anyhow::Result<Vec<Row>> {
        let certificate = (protocol != Protocol::ClearText).then_some(&self.certificate);
        let gateway = self.gateway(stage, certificate).await?;
        let files: &[(&str, &[u8])] = &[("list.json", &self.list), ("film.mp4", &self.film)];
        let content = NginxContent { files, upstream: Some(self.tt.process.addr), certificate };
        let nginx = stage.nginx(content, true).await?;

        let connections = u32::try_from(stage.pace.connections)?;
        let load = |process: &Process, path, headers: &[&str], expect| H2load {
            protocol,
            addr: process.addr,
            pid: process.id(),
            connections,
            rate: None,
            host: HOST,
            path,
            headers: headers.iter().map(ToString::to_string).collect(),
            expect,
        };
        let session = session()?;
        let nginx_proxied = load(&nginx.process, PATH, &[BR, UNCACHED], 200);
        let proxied = load(&gateway, PATH, &[BR, UNCACHED], 200);
        let cached = load(&gateway, PATH, &[BR], 200);
        let cached_whole = load(&gateway, PATH, &[], 200);
        let nginx_file = load(&nginx.process, "/list.json", &[], 200);
        let film = load(&gateway, "/media/ttmbhatv/film.mp4", &[RANGE, &session], 206);
        let nginx_film = load(&nginx.process, "/sendfile/film.mp4", &[RANGE], 206);

        // Before the load, to measure a thousand idle connections and not what 64 busy ones leave allocated.
        let megabytes = memory(&cached).await?;
        let [nginx_proxied_most, proxied_most, cached_most, cached_whole, nginx_file, film, nginx_film] = stage
            .pace
            .alternate([&nginx_proxied, &proxied, &cached, &cached_whole, &nginx_file, &film, &nginx_film])
            .await?;
        let rate = Sample::median(&nginx_proxied_most).per_second * SHARE;
        let [nginx_steady, cached_steady, proxied_steady] =
            stage.pace.alternate([&nginx_proxied.at_rate(rate), &cached.at_rate(rate), &proxied.at_rate(rate)]).await?;

        let clear_text = protocol == Protocol::ClearText;
        // In clear text nginx uses sendfile: there the gateway's limit is its own CPU time.
        let (film_limit, gbit_limit) =
            if clear_text { (None, Some(Limit::AtLeast(10.0))) } else { (Some(Limit::AtLeast(0.9)), None) };
        let gbit_a_core = RANGE_BITS / 1000.0 / Sample::median(&film).cpu_us;
        let named = |name: &str| format!("{name}, {protocol}");
        Ok(vec![
            Row::throughput(
                named("list proxied / nginx proxying it"),
                &proxied_most,
                &nginx_proxied_most,
                // Visitors come by https.
                Some(Limit::AtLeast(if clear_text { 0.7 } else { 1.0 })),
            ),
            Row::throughput(
                named("list from memory / nginx proxying it"),
                &cached_most,
                &nginx_proxied_most,
                Some(Limit::AtLeast(if clear_text { 2.5 } else { 2.0 })),
            ),
            Row::throughput(
                named("list from memory / nginx serving the file"),
                &cached_whole,
                &nginx_file,
                Some(Limit::AtLeast(1.0)),
            ),
            Row::throughput(named("1 MiB of a film / nginx"), &film, &nginx_film, film_limit),
            Row::once(named("1 MiB of a film, Gbit/s a core"), gbit_a_core, (&film, &nginx_film), gbit_limit),
            Row::p99(
                named("p99 at 80 % of nginx's most: list from memory / nginx proxying it"),
                &cached_steady,
                &nginx_steady,
                Some(Limit::AtMost(1.0)),
            ),
            Row::p99(
                named("p99 at 80 % of nginx's most: list proxied / nginx proxying it"),
                &proxied_steady,
                &nginx_steady,
                None,
            ),
            Row::once(
                named("1,000 connections, MB"),
                megabytes,
                (&cached_most, &nginx_proxied_most),
                Some(Limit::AtMost(if clear_text { 40.0 } else { 60.0 })),
            ),
        ])
    }

    async fn gateway(&self, stage: &Stage, certificate: Option<&Certificate>) -> anyhow::Result<Process> {
        let services = [("TT_URL", vec![&self.tt.process]), ("SUBSCRIPTION_URL", vec![&self.subscription])];
        let media = self.media.path().display().to_string();
        let mut settings =
            vec![("WORKERS", "1"), ("RATE_LIMIT", "0"), ("MEDIA_DIR", &media), ("TEST_MSISDN", TEST_MSISDN)];
        if let Some(Certificate { chain, key, .. }) = certificate {
            settings.extend([("TLS_CERT", chain.as_str()), ("TLS_KEY", key.as_str())]);
        }
        stage.gateway(&services, &settings, true).await
    }
}

/// A `Cookie` header for the test number.
fn session() -> anyhow::Result<String> {
    let session = Session {
        msisdn: SubscriberId::parse(TEST_MSISDN).map_err(anyhow::Error::msg)?,
        svc_id: 152,
        label: HOST.to_owned(),
        issued_at: service::timestamp::now().and_utc().timestamp(),
        generation: 0,
        person: 0,
        test: true,
    };
    let token = testkit::minter().mint(&session).context("no token")?;
    Ok(format!("Cookie: {}={token}", cookie_name(HOST)))
}

/// The server's memory in megabytes with a thousand open connections, each idle after one request of this load.
async fn memory(load: &H2load) -> anyhow::Result<f64> {
    // Each connection's second request is due only after ten seconds.
    let once = H2load { connections: OPEN, ..load.clone() }.at_rate(f64::from(OPEN) / 10.0);
    let resident = async {
        tokio::time::sleep(Duration::from_secs(4)).await;
        resident_kb(load.pid)
    };
    let (sample, kb) = tokio::join!(once.run(Duration::from_secs(5)), resident);
    let replies = sample?.replies;
    if replies != u64::from(OPEN) {
        anyhow::bail!("{replies} of {OPEN} connections were answered in {}", load.protocol);
    }
    Ok(f64::from(kb.context("the process's memory is unknown")?) / 1024.0)
}
