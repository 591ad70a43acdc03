//! The days' totals that dashboards show: they follow the ledger and the events, also of past days.

use diesel::{RunQueryDsl, sql_query, sql_types::Text};
use serde_json::Value;
use testkit::{Engine, on_each_engine};

use crate::{
    ledger::{DAY, NEXT, NOON, days_after},
    services::{MEME, PULL, eventually, spawn},
};

const DASHBOARDS: [&str; 2] = [
    include_str!("../../../../../deploy/observability/dashboards/billing.json"),
    include_str!("../../../../../deploy/observability/dashboards/business.json"),
];

/// Rows of the totals that are not exactly those of the ledger and the events.
const DIFFERENT: &str = "entries <> (SELECT COUNT(*) FROM ledger l WHERE l.day = daily_charges.day AND l.network = daily_charges.network \
     AND l.kind = daily_charges.kind AND l.status = daily_charges.status) OR cents <> (SELECT SUM(l.cents) FROM ledger l \
     WHERE l.day = daily_charges.day AND l.network = daily_charges.network AND l.kind = daily_charges.kind AND l.status = daily_charges.status)";

/// A line of a plan.
#[derive(diesel::QueryableByName)]
struct Line {
    #[diesel(sql_type = Text, column_name = "QUERY PLAN")]
    text: String,
}

/// Every panel's SQL.
fn queries(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("rawSql").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|field| queries(field, found));
        }
        Value::Array(items) => items.iter().for_each(|item| queries(item, found)),
        _ => {}
    }
}

on_each_engine! {
    async fn totals_follow_the_ledger(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        services.make_active(MEME, PULL, 20, "2060-02-26 10:00:00").await;
        // Past days in three months, and a subscription that ended on one of them.
        for (day, status) in [("2060-01-30", "settled"), ("2060-02-26", "settled"), ("2060-02-26", "failed")] {
            services.execute(format!(
                "INSERT INTO ledger (subscription_id, network, day, kind, cents, status, charge_key, attempts, failures, pass, reason, at) \
                 SELECT MIN(id) + {n}, '{PULL}', '{day}', 'charge', 300, '{status}', '{day}-{status}', 1, 0, 1, '', '{day} 05:00:00' FROM subscriptions",
                n = i32::from(status == "failed"),
            )).await;
        }
        services.execute(
            // Half past midnight in Johannesburg: a day later than in UTC.
            "INSERT INTO events (subscription_id, at, from_state, to_state, cause, evidence) \
             SELECT MIN(id), '2060-02-27 22:30:00', 'active', 'cancelled', 'left', '{}' FROM subscriptions".to_owned(),
        ).await;
        services.set_clocks(&format!("{NEXT}T06:00:00+02:00")).await;
        assert_eq!(services.pass(NEXT).await, [20, 20, 0, 0, 0]);
        services.set_clocks(&format!("{NEXT}T06:06:00+02:00")).await;
        let charged = |day: &str, status: &str, entries: i64, cents: i64| {
            format!("day = '{day}' AND network = '{PULL}' AND kind = 'charge' AND status = '{status}' AND entries = {entries} AND cents = {cents}")
        };
        let today = charged(NEXT, "settled", 20, 6000);
        eventually("today's charges", async || services.count("daily_charges", &today).await == 1).await;
        let left = "from_state = 'active' AND to_state = 'cancelled' AND cause = 'left' AND moves = 1";
        assert_eq!(services.count("daily_moves", &format!("day = '{NEXT}' AND {left}")).await, 1);
        assert_eq!(services.count("daily_moves", &format!("day = '{DAY}' AND {left}")).await, 0);
        // Past days are counted again on the next day.
        services.set_clocks(&format!("{}T07:00:00+02:00", days_after(NEXT, 1))).await;
        for status in ["settled", "failed"] {
            let past = charged("2060-02-26", status, 1, 300);
            eventually("the past day", async || services.count("daily_charges", &past).await == 1).await;
        }
        // A charge of a past day turns out to be unpaid.
        services.execute("UPDATE ledger SET status = 'failed' WHERE day = '2060-02-26'".to_owned()).await;
        services.set_clocks(&format!("{}T07:05:00+02:00", days_after(NEXT, 2))).await;
        let changed = charged("2060-02-26", "failed", 2, 600);
        eventually("the past day", async || services.count("daily_charges", &changed).await == 1).await;
        assert_eq!(services.count("daily_charges", "day = '2060-02-26'").await, 1, "the old group is gone");
        assert_eq!(services.count("daily_charges", DIFFERENT).await, 0);
    }
}

#[actix_web::test]
async fn panels_scan_neither_ledger_nor_events() {
    let services = spawn(Engine::Postgres).await;
    let mut panels = Vec::new();
    DASHBOARDS.iter().for_each(|text| queries(&serde_json::from_str(text).unwrap(), &mut panels));
    assert!(panels.len() > 6, "{panels:?}");
    for panel in panels {
        let statement = panel
            .replace("subscription.", "")
            .replace("$__timeFrom()", "'2060-01-01T00:00:00Z'")
            .replace("$__timeTo()", "'2060-03-01T00:00:00Z'");
        assert!(!statement.contains('$'), "{statement}");
        let text = statement.clone();
        let plan = services
            .db()
            .await
            // In one transaction: a pooler may give the next one another connection.
            .write(move |conn| {
                sql_query(&text).execute(conn)?;
                // The tables are empty: the planner would scan them.
                sql_query("SET LOCAL enable_seqscan = off").execute(conn)?;
                Ok::<_, store::Error>(sql_query(format!("EXPLAIN {text}")).load::<Line>(conn)?)
            })
            .await
            .unwrap();
        for line in plan {
            let scanned = ["ledger", "events", "daily_charges", "daily_moves"]
                .iter()
                .any(|table| line.text.contains(&format!("Seq Scan on {table}")));
            assert!(!scanned, "{statement}: {}", line.text);
        }
    }
}
