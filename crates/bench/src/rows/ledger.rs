//! A ledger in 36 months, of which the newest are as large as those of 300,000,000 rows: how long the calls that read one subscription, and
//! the dashboards' panels, take.

use std::time::{Duration, Instant};

use chrono::{Datelike, Months, Utc};
use diesel::{RunQueryDsl, connection::SimpleConnection};
use reqwest::{Method, header::COOKIE};
use serde_json::{Value, json};
use store::{Db, DbConnection};
use testkit::{ADMIN_TOKEN, Engine, TestStore};

use crate::{
    fixture::people,
    load::{Request, Sample, percentile},
    process::Process,
    report::{Limit, Row},
    stage::{NOTIFY_SECRET, Stage},
};

/// Subscribers who are charged on 28 days of each of these months.
const SUBSCRIBERS: u32 = 20_000;
const DAYS: u32 = 28;
const MONTHS: u32 = 36;

/// Subscribers who are charged in the newest months: if it were so in all, the ledger would have 300,000,000 rows.
const SUBSCRIBERS_NOW: u32 = 300_000;
const FULL_MONTHS: u32 = 3;

/// How often each call is made, of another subscriber each time.
const CALLS: u32 = 200;

/// The most milliseconds for 95 of 100 calls.
const LIMIT: Limit = Limit::AtMost(50.0);

/// Makes the call of a step.
type Make = fn(u32) -> Request;

/// The panels that read the service's tables.
const DASHBOARDS: [&str; 2] = [
    include_str!("../../../../deploy/observability/dashboards/billing.json"),
    include_str!("../../../../deploy/observability/dashboards/business.json"),
];

/// The 95th percentile latency of each call and panel, in milliseconds.
pub async fn rows(stage: &Stage) -> anyhow::Result<Vec<Row>> {
    let (_store, db, service) = filled(stage).await?;
    let size = f64::from(DAYS) * f64::from(SUBSCRIBERS * (MONTHS - FULL_MONTHS) + SUBSCRIBERS_NOW * FULL_MONTHS) / 1e6;
    let mut rows = Vec::new();
    let calls: [(&str, Make); 3] = [
        ("me", |n| {
            let cookie = testkit::session_cookie("memeworld", 150, &msisdn(n));
            Request::get("memeworld", "/api/subscribe/me").header(COOKIE, &cookie)
        }),
        ("account", |n| admin(Request::get("memeworld", &format!("/internal/subscriptions/{}", msisdn(n))))),
        // A charge of another month each time.
        ("refund by id", |n| {
            let body = json!({"ledger_id": 1 + u64::from(n) * 175_003, "reason": "a measurement"});
            admin(Request::json(Method::POST, "memeworld", "/internal/refund", &body))
        }),
    ];
    for (name, make) in calls {
        let mut times = Vec::new();
        for n in 0..CALLS {
            let request = make(n);
            let started = Instant::now();
            request.expect(200, &stage.client, service.addr).await?;
            times.push(u32::try_from(started.elapsed().as_micros())?);
        }
        rows.push(row(&format!("{name}, {size:.1} M rows"), times));
    }
    for (panel, statement) in panels()? {
        let mut times = Vec::new();
        for _ in 0..CALLS / 10 {
            let (text, started) = (statement.clone(), Instant::now());
            db.run(move |conn| Ok::<_, store::Error>(diesel::sql_query(text).execute(conn)?)).await?;
            times.push(u32::try_from(started.elapsed().as_micros())?);
        }
        rows.push(row(&format!("panel {panel:?}, {size:.1} M rows"), times));
    }
    Ok(rows)
}

fn row(name: &str, mut times: Vec<u32>) -> Row {
    let took = Duration::from_micros(times.iter().copied().map(u64::from).sum());
    let sample = [Sample::of(times.clone(), took, Duration::ZERO)];
    times.sort_unstable();
    let p95 = f64::from(percentile(&times, 95)) / 1000.0;
    Row::once(format!("{name}: ms for 95 of 100"), p95, (&sample, &sample), Some(LIMIT))
}

fn admin(request: Request) -> Request {
    request.header(reqwest::header::AUTHORIZATION, &format!("Bearer {ADMIN_TOKEN}"))
}

/// The number of a subscriber, as `people` makes it.
fn msisdn(n: u32) -> String {
    (27_810_000_000 + u64::from(n) * 97 % u64::from(SUBSCRIBERS) * 10).to_string()
}

/// Fills the tables, and starts the service on the day after.
async fn filled(stage: &Stage) -> anyhow::Result<(TestStore, Db, Process)> {
    let mut store = testkit::store(Engine::Postgres).await;
    store.config.redis_url = None;
    // The last month is the current one: sessions are of the real clock.
    let current = Utc::now().date_naive();
    let current = current.with_day(1).unwrap_or(current);
    let month = |back: u32| current.checked_sub_months(Months::new(back)).unwrap_or(current);
    people::fill(&store.config, SUBSCRIBERS_NOW.into(), &month(MONTHS - 1).to_string()).await?;
    let db = Db::open(&store.config, subscription::NAME, subscription::MIGRATIONS).await?;
    for back in (0..MONTHS).rev() {
        let from = month(back);
        let to = from.checked_add_months(Months::new(1)).unwrap_or(from);
        let name = format!("ledger_{}", from.format("%Y_%m"));
        let subscribers = if back < FULL_MONTHS { SUBSCRIBERS_NOW } else { SUBSCRIBERS };
        // Indexed when it is full.
        let text = format!(
            "CREATE TABLE {name} (LIKE ledger INCLUDING DEFAULTS); \
             INSERT INTO {name} (subscription_id, network, day, kind, cents, status, charge_key, network_ref, attempts, failures, pass, sent_at, reason, at) \
             SELECT s, 'sandbox-pull', to_char(d, 'YYYY-MM-DD'), 'charge', 300, 'settled', to_char(d, 'YYYY-MM-DD-150-') || substr(md5(s || d::text), 1, 24), \
             'ref-' || md5(d::text || s), 1, 0, 1, d, '', d \
             FROM generate_series(date '{from}', LEAST(date '{from}' + {DAYS} - 1, current_date), interval '1 day') d, generate_series(1, {subscribers}) s; \
             ALTER TABLE ledger ATTACH PARTITION {name} FOR VALUES FROM ('{from}') TO ('{to}')"
        );
        batch(&db, text).await?;
    }
    batch(
        &db,
        "INSERT INTO daily_charges SELECT day, network, kind, status, COUNT(*), SUM(cents) FROM ledger GROUP BY day, network, kind, status; ANALYZE"
            .to_owned(),
    )
    .await?;
    let keys = identity::SessionMinter::generate()?;
    let settings = [
        ("NOTIFY_SECRET", NOTIFY_SECRET),
        ("SESSION_SECRET_KEY", keys.as_str()),
        ("BILLING_TIMES", ""),
        // Nothing answers there: refunds wait in the outbox.
        ("OPERATOR_URL", "http://127.0.0.1:9"),
    ];
    let service = stage.start_with("subscription", &store, &settings, "ledger").await?;
    Ok((store, db, service))
}

async fn batch(db: &Db, text: String) -> anyhow::Result<()> {
    let filled = db.run(move |conn| match conn {
        DbConnection::Postgres(conn) => Ok(conn.batch_execute(&text)?),
        DbConnection::Sqlite(_) => Err(store::Error::Query("only PostgreSQL has months".to_owned())),
    });
    Ok(filled.await?)
}

/// Every panel's title and statement, over the last three months.
fn panels() -> anyhow::Result<Vec<(String, String)>> {
    let mut found = Vec::new();
    for dashboard in DASHBOARDS {
        collect(&serde_json::from_str(dashboard)?, "", &mut found);
    }
    Ok(found)
}

fn collect(value: &Value, title: &str, found: &mut Vec<(String, String)>) {
    match value {
        Value::Object(fields) => {
            let title = fields.get("title").and_then(Value::as_str).unwrap_or(title);
            if let Some(text) = fields.get("rawSql").and_then(Value::as_str) {
                let now = Utc::now();
                let time = |days: i64| (now - chrono::TimeDelta::days(days)).format("'%FT%TZ'").to_string();
                let statement = text
                    .replace("subscription.", "")
                    .replace("$__timeFrom()", &time(90))
                    .replace("$__timeTo()", &time(0));
                found.push((title.to_owned(), statement));
            }
            fields.values().for_each(|field| collect(field, title, found));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, title, found)),
        _ => {}
    }
}
