//! Billing: a day's pass over many subscriptions, and over a tenth as many; and passes in which charges are refused.

use std::time::{Duration, Instant};

use chrono::{Days, NaiveDate};
use serde_json::{Value, json};
use store::Db;
use testkit::{ADMIN_TOKEN, Engine, TestStore};

use crate::{
    fixture::people,
    load::Sample,
    process::{Process, cpu_time, parent, peak_kb},
    report::{Limit, Row},
    stage::{NOTIFY_SECRET, Stage},
};

/// The first day: far from the current date, and without monthly reminders in the following days.
const FIRST_DAY: &str = "2060-03-01";

/// The timeout of a pass.
const TIMEOUT: Duration = Duration::from_secs(3600);

/// The network that bills them.
const NETWORK: &str = "sandbox-pull";

/// The cost of billing `due` subscriptions relative to a tenth of them, in time and in the service's memory; and PostgreSQL's CPU time
/// relative to the service's: above 1, the database would limit a second replica.
pub async fn rows(stage: &Stage, due: u32, rounds: u32) -> anyhow::Result<Vec<Row>> {
    // One after the other: what a large pass leaves behind (vacuum, totals) would slow the small ones.
    let (of_few, _, few_kb) = Family::of(stage, Engine::Postgres, due / 10).await?.bill_days(rounds).await?;
    let (of_many, of_database, many_kb) = Family::of(stage, Engine::Postgres, due).await?.bill_days(rounds).await?;
    let name = format!("billing, {due} / {} due", due / 10);
    let mut rows = vec![Row::time(format!("{name}, time"), &of_many, &of_few, Some(Limit::AtMost(11.0)))];
    if let Some((few, many)) = few_kb.zip(many_kb) {
        let ratio = f64::from(many) / f64::from(few);
        let name = format!("{name}, peak memory ({} MB)", many / 1024);
        rows.push(Row::once(name, ratio, (&of_many, &of_few), Some(Limit::AtMost(1.2))));
    }
    if of_database.len() == of_many.len() {
        let name = "billing, processor time, PostgreSQL / service";
        let busy: Vec<f64> = of_database.iter().zip(&of_many).map(|(theirs, ours)| theirs.busy / ours.busy).collect();
        rows.push(Row::once(name, crate::load::median(&busy), (&of_many, &of_database), Some(Limit::AtLeast(1.0))));
    }
    Ok(rows)
}

/// The time of passes in which the network refuses charges for lack of airtime, relative to one in which it makes all of them: of 40 in a hundred;
/// of all for the third time on a day, which suspends; and the pass after it, which makes all charges and reactivates.
pub async fn refused(stage: &Stage, due: u32, rounds: u32) -> anyhow::Result<Vec<Row>> {
    let mut rows = Vec::new();
    for engine in [Engine::Postgres, Engine::Sqlite] {
        let family = Family::of(stage, engine, due).await?;
        let mut days = FIRST_DAY.parse::<NaiveDate>()?.iter_days();
        let mut bill = async |passes: &[u32]| {
            let day = days.next().unwrap_or_default();
            let mut last = Sample::default();
            for (number, percent) in (0..).zip(passes) {
                last = family.bill(day, number, *percent).await?;
            }
            Ok::<_, anyhow::Error>(last)
        };
        let [mut charged, mut partly, mut third, mut after] = [const { Vec::new() }; 4];
        bill(&[0]).await?;
        for _ in 0..rounds {
            charged.push(bill(&[0]).await?);
            partly.push(bill(&[40]).await?);
            // The day before has suspended those.
            bill(&[0]).await?;
            third.push(bill(&[100, 100, 100]).await?);
            after.push(bill(&[0]).await?);
        }
        let row = |what, ours: &[Sample], limit| {
            Row::time(format!("billing, {due} due, {engine:?}: {what} / all charged"), ours, &charged, limit)
        };
        rows.push(row("40 % refused", &partly, Some(Limit::AtMost(1.3))));
        rows.push(row("third pass, all refused", &third, Some(Limit::AtMost(1.5))));
        rows.push(row("all charged and reactivated", &after, None));
    }
    Ok(rows)
}

/// A subscription service, the operator sandbox and their database, where all subscribers are due every day.
struct Family {
    service: Process,
    sandbox: Process,
    /// PostgreSQL's main process, whose children are all others.
    database: Option<u32>,
    due: u32,
    db: Db,
    client: reqwest::Client,
    _store: TestStore,
}

impl Family {
    async fn of(stage: &Stage, engine: Engine, due: u32) -> anyhow::Result<Self> {
        let mut store = testkit::store(engine).await;
        // A single replica needs no Redis.
        store.config.redis_url = None;
        people::fill(&store.config, due.into(), FIRST_DAY).await?;
        let which = format!("{engine:?}-{due}").to_lowercase();
        let both = [("TEST_CLOCK", "1"), ("NOTIFY_SECRET", NOTIFY_SECRET)];
        let sandbox = stage.start_with("operator-sandbox", &store, &both, &which).await?;
        let (network, keys) = (format!("http://{}", sandbox.addr), identity::SessionMinter::generate()?);
        let settings = [
            both.as_slice(),
            &[("OPERATOR_URL", network.as_str()), ("SESSION_SECRET_KEY", &keys), ("BILLING_TIMES", "")],
        ];
        let service = stage.start_with("subscription", &store, &settings.concat(), &which).await?;
        let db = Db::open(&store.config, subscription::NAME, subscription::MIGRATIONS).await?;
        let database = if engine == Engine::Postgres { parent(backend(&db).await?) } else { None };
        Ok(Self { service, sandbox, database, due, db, client: stage.client.clone(), _store: store })
    }

    /// The passes of this many days, PostgreSQL's processor time for each, and the service's peak memory. The first day is a warm-up of
    /// connections, plans and pages.
    async fn bill_days(&self, rounds: u32) -> anyhow::Result<(Vec<Sample>, Vec<Sample>, Option<u32>)> {
        let first: NaiveDate = FIRST_DAY.parse()?;
        let (mut passes, mut of_database) = (Vec::new(), Vec::new());
        for round in 0..=rounds {
            let day = first.checked_add_days(Days::new(round.into())).unwrap_or(first);
            let before = self.database.and_then(cpu_time);
            let pass = self.bill(day, 0, 0).await?;
            if round > 0 {
                let used = before.zip(self.database.and_then(cpu_time));
                let seconds = Duration::from_secs_f64(pass.seconds());
                of_database
                    .extend(used.map(|(before, after)| Sample::of_batch(self.due.into(), seconds, after - before)));
                passes.push(pass);
            }
        }
        Ok((passes, of_database, peak_kb(self.service.id())))
    }

    /// A billing pass of a day, in which so many charges of a hundred are refused. `earlier`: the passes of the day before it, which refused all.
    async fn bill(&self, day: NaiveDate, earlier: u32, percent: u32) -> anyhow::Result<Sample> {
        let now = json!({"now": format!("{day}T{}:00:00+02:00", 12 + earlier)});
        for process in [&self.sandbox, &self.service] {
            self.post(process, "/internal/clock", &now).await?;
        }
        let refusals = json!({"network": NETWORK, "no_airtime_percent": percent});
        self.post(&self.sandbox, "/internal/misbehave", &refusals).await?;
        // Reconciliation with the network's list runs at night, before the pass.
        if day.to_string() != FIRST_DAY && earlier == 0 {
            self.wait_for_comparison(day.pred_opt().unwrap_or(day)).await?;
        }
        let (before, began) = (cpu_time(self.service.id()), Instant::now());
        let reply = self.post(&self.service, "/internal/billing/run", &json!({"day": day.to_string()})).await?;
        let (elapsed, after) = (began.elapsed(), cpu_time(self.service.id()));
        let refused = self.due / 100 * percent;
        for (field, expected) in [("due", self.due), ("charged", self.due - refused), ("failed", refused)] {
            if reply.get(field).and_then(Value::as_u64) != Some(expected.into()) {
                anyhow::bail!("not {} were charged and {refused} refused on {day}: {reply}", self.due - refused);
            }
        }
        let cpu = before.zip(after).map_or(Duration::ZERO, |(before, after)| after.saturating_sub(before));
        Ok(Sample::of_batch(self.due.into(), elapsed, cpu))
    }

    async fn post(&self, process: &Process, path: &str, body: &Value) -> anyhow::Result<Value> {
        let request = self.client.post(format!("http://{}{path}", process.addr)).bearer_auth(ADMIN_TOKEN).json(body);
        let response = request.timeout(TIMEOUT).send().await?;
        let (status, body) = (response.status(), response.text().await?);
        anyhow::ensure!(status.is_success(), "{path} was answered {status}: {body}");
        // A reply without content is null.
        Ok(if body.is_empty() { Value::Null } else { serde_json::from_str(&body)? })
    }

    /// Waits until a day has been reconciled with the network's list.
    async fn wait_for_comparison(&self, day: NaiveDate) -> anyhow::Result<()> {
        #[derive(diesel::QueryableByName)]
        struct Compared {
            #[diesel(sql_type = diesel::sql_types::BigInt)]
            days: i64,
        }
        let began = Instant::now();
        while began.elapsed() < TIMEOUT {
            let compared = self.db.run(move |conn| {
                let text = format!(
                    "SELECT COUNT(*) AS days FROM reconciliations WHERE network = '{NETWORK}' AND day = '{day}' AND finished_at IS NOT NULL"
                );
                let compared: Compared = diesel::RunQueryDsl::get_result(diesel::sql_query(text), conn)?;
                Ok::<_, store::Error>(compared.days)
            });
            if compared.await? > 0 {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
        anyhow::bail!("{day} was not compared with the network's list")
    }
}

/// The PostgreSQL process of one of our connections.
async fn backend(db: &Db) -> anyhow::Result<u32> {
    #[derive(diesel::QueryableByName)]
    struct Backend {
        #[diesel(sql_type = diesel::sql_types::Integer)]
        id: i32,
    }
    let found = db.run(|conn| {
        let query = diesel::sql_query("SELECT pg_backend_pid() AS id");
        let backend: Backend = diesel::RunQueryDsl::get_result(query, conn)?;
        Ok::<_, store::Error>(backend.id)
    });
    Ok(found.await?.try_into()?)
}
