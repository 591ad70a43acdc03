//! Statements over the ledger and the events read the months that they name, and no others: each that the service sends is explained.

use std::collections::BTreeSet;

use diesel::{QueryableByName, RunQueryDsl, connection::SimpleConnection, sql_query, sql_types::Text};
use reqwest::Method;
use serde_json::json;
use store::DbConnection;
use testkit::{ADMIN_TOKEN, Client, Engine, eventually};

use crate::{
    ledger::{DAY, NEXT, NOON},
    services::{MEME, TT, TestServices, number, spawn},
};

/// The most months that a statement may read: it looks back two months, and further partitions are made ahead.
const MOST: usize = 9;

/// Statements that may read every month, each by an index of every month. None belongs to a pass, a join or a page without a session.
const EVERY_MONTH: [(&str, &str); 10] = [
    (
        "SELECT \"ledger\".\"day\" FROM \"ledger\" WHERE (\"ledger\".\"id\" = $1)",
        "staff refund a charge by its id alone",
    ),
    ("FROM \"ledger\" WHERE (\"ledger\".\"subscription_id\" = $1)", "the total and the account of one subscription"),
    ("(\"ledger\".\"subscription_id\" = $1) AND ((\"ledger\".\"network\" = $2)", "a network's own refund names no day"),
    (
        "SELECT \"ledger\".\"status\" FROM \"ledger\" WHERE ((\"ledger\".\"network\" = $1) AND (\"ledger\".\"charge_key\"",
        "staff retry a dead refund",
    ),
    (
        "FROM \"events\" WHERE (\"events\".\"subscription_id\" = $1) ORDER BY \"events\".\"id\"",
        "the account of one subscription",
    ),
    (
        "SELECT \"events\".\"to_state\" FROM \"events\"",
        "a state at the time of a charge on which list and ledger differ",
    ),
    ("events.at >= tries.created_at", "the months since each attempt, which are known only when it runs"),
    ("FROM ledger l WHERE l.subscription_id = s.id", "whether a subscription that ended long ago is to be deleted"),
    ("LEFT OUTER JOIN \"consents\"", "the account of one subscription"),
    ("\"at\") FROM", "the command that marks a restored database"),
];

#[derive(QueryableByName)]
struct Line {
    #[diesel(sql_type = Text, column_name = "QUERY PLAN")]
    text: String,
}

/// The plan of a statement, with these values or, where there are none, with unknown ones.
async fn plan(services: &TestServices, statement: &str, values: &[&str]) -> Vec<String> {
    let parameters = (1..).take_while(|number| statement.contains(&format!("${number}"))).count();
    let (mode, values) = match values {
        [] => ("force_generic_plan", vec!["NULL"; parameters]),
        values => ("force_custom_plan", values.to_vec()),
    };
    let (prepare, values) = (format!("PREPARE asked AS {statement}"), values.join(", "));
    // In one transaction: a pooler may give the next one another connection.
    let lines = services.db().await.write(move |conn| {
        let DbConnection::Postgres(conn) = conn else { panic!("only PostgreSQL has months") };
        // The tables are small: the planner would scan them.
        conn.batch_execute(&format!("SET LOCAL plan_cache_mode = {mode}; SET LOCAL enable_seqscan = off; {prepare}"))?;
        let execute = if values.is_empty() { "EXECUTE asked".to_owned() } else { format!("EXECUTE asked({values})") };
        let lines: Vec<Line> = sql_query(format!("EXPLAIN {execute}")).load(conn)?;
        conn.batch_execute("DEALLOCATE asked")?;
        Ok::<_, store::Error>(lines)
    });
    lines.await.unwrap_or_else(|error| panic!("{error}: {statement}")).into_iter().map(|line| line.text).collect()
}

/// The partitions that a plan reads, each with the line that says so.
fn read_months(plan: &[String]) -> BTreeSet<(String, String)> {
    let is_month = |word: &str| word.starts_with("ledger_") || word.starts_with("events_");
    let table = |line: &String| {
        let (_, after) = line.split_once(" on ").filter(|(before, _)| before.contains("Scan"))?;
        let table = after.split_whitespace().next().filter(|table| is_month(table) && *table != "ledger_bounds")?;
        Some((table.to_owned(), line.trim().to_owned()))
    };
    plan.iter().filter_map(table).collect()
}

fn months_in(plan: &[String]) -> usize {
    // An index that is read for a bitmap is named by its table's scan.
    read_months(plan)
        .into_iter()
        .map(|(table, _)| table)
        .filter(|table| !table.contains("_idx"))
        .collect::<BTreeSet<_>>()
        .len()
}

/// Partitions of the two years before.
const EARLIER_MONTHS: &str = "DO $$ DECLARE month DATE; BEGIN
    FOR month IN SELECT generate_series('2058-01-01'::date, '2060-01-01', '1 month') LOOP
        EXECUTE format('CREATE TABLE %I PARTITION OF ledger FOR VALUES FROM (%L) TO (%L)',
            to_char(month, '\"ledger_\"YYYY_MM'), to_char(month, 'YYYY-MM-DD'), to_char(month + interval '1 month', 'YYYY-MM-DD'));
        EXECUTE format('CREATE TABLE %I PARTITION OF events FOR VALUES FROM (%L) TO (%L)',
            to_char(month, '\"events_\"YYYY_MM'), month, (month + interval '1 month')::date);
    END LOOP;
END $$";

/// Joins, passes, refunds, leaves, comparisons, and what staff read.
async fn use_everything(services: &TestServices) {
    let get = async |path: &str| {
        let client = Client::new(services.addr, "memeworld");
        let reply = client.send(client.request(Method::GET, path).bearer_auth(ADMIN_TOKEN)).await;
        assert_eq!(reply.status, 200, "{path}");
    };
    let (paying, penniless, lost, leaving) = (number("1111"), number("0003"), number("0005"), number("1111"));
    let browser = services.joined("memeworld", MEME, &paying).await;
    let charge = services.wait_for_charge(DAY, &paying, "settled").await;
    for msisdn in [&penniless, &lost] {
        services.joined("memeworld", MEME, msisdn).await;
    }
    services.joined("ttmbhatv", TT, &number("1111")).await;
    services.pass(DAY).await;
    let refund = json!({"ledger_id": charge.id, "reason": "a customer asked"});
    assert_eq!(services.admin("/internal/refund", &refund).await.status, 200);
    eventually("the refund", async || services.count("ledger", "kind = 'refund' AND status = 'settled'").await == 1)
        .await;
    // A charge whose process died.
    services
        .execute(format!(
            "UPDATE ledger SET status = 'pending', network_ref = NULL, claim = 'dead', sent_at = '2026-01-01 00:00:00' WHERE id = {}",
            services.wait_for_charge(DAY, &lost, "settled").await.id
        ))
        .await;
    services.wait_for_charge(DAY, &lost, "settled").await;
    let left = services.joined("memeworld", MEME, &leaving).await;
    services.wait_for_charge(DAY, &leaving, "settled").await;
    assert_eq!(left.post("/api/subscribe/unsubscribe", &json!({"svc_id": MEME})).await.status, 200);
    services.joined("memeworld", MEME, &leaving).await;
    services.set_clocks(&format!("{NEXT}T12:00:00+02:00")).await;
    for _ in 0..3 {
        services.pass(NEXT).await;
    }
    services.execute(format!("DELETE FROM ledger WHERE day = '{NEXT}' AND charge_key LIKE '%-{MEME}-%' AND kind = 'charge' AND status = 'settled'")).await;
    for day in [DAY, NEXT] {
        assert_eq!(services.admin("/internal/reconcile", &json!({"day": day, "accept": true})).await.status, 200);
        get(&format!("/internal/ledger?day={day}")).await;
    }
    get(&format!("/internal/subscriptions/{paying}")).await;
    get("/internal/publishers?q=ad&svc_id=150&held=true&sort=held").await;
    get(&format!("/internal/subscribers?from={DAY}&to={NEXT}")).await;
    get("/internal/overview").await;
    assert_eq!(browser.get("/api/subscribe/me").await.status, 200);
    eventually("the totals", async || services.count("daily_totals", &format!("day = '{NEXT}'")).await == 1).await;
}

#[actix_web::test]
async fn statements_read_only_the_months_that_they_name() {
    testkit::watch_statements();
    let services = spawn(Engine::Postgres).await;
    services.execute(EARLIER_MONTHS.to_owned()).await;
    services.set_clocks(NOON).await;
    use_everything(&services).await;
    // Tests write their values into their statements, the service binds them.
    let sent: BTreeSet<String> = testkit::take_statements()
        .into_iter()
        .filter(|sent| sent.engine == Engine::Postgres && sent.owner == subscription::NAME && sent.text.contains('$'))
        .map(|sent| sent.text)
        .collect();
    let statements: BTreeSet<String> = sent
        .iter()
        .filter(|text| {
            ["ledger", "events"]
                .iter()
                .any(|table| text.contains(&format!(" {table} ")) || text.contains(&format!("\"{table}\"")))
        })
        .cloned()
        .collect();
    assert!(statements.len() > 40, "{statements:#?}");
    let mut faults = Vec::new();
    for statement in &statements {
        let plan = plan(&services, statement, &[]).await;
        let is_exempt = EVERY_MONTH.iter().any(|(part, _)| statement.contains(part));
        if months_in(&plan) > MOST && !is_exempt {
            faults.push(format!("{} months: {statement}", months_in(&plan)));
        }
    }
    assert!(faults.is_empty(), "{} of {}:\n{}", faults.len(), statements.len(), faults.join("\n"));

    // The lists of publishers and of subscribers by day read the days that they name.
    const COUNTED: [&str; 4] = ["publisher_days", "held_publishers", "daily_joins", "daily_running"];
    let of_counts: Vec<&String> = sent
        .iter()
        .filter(|text| !text.starts_with("INSERT") && COUNTED.iter().any(|table| text.contains(table)))
        .collect();
    assert!(of_counts.len() >= 5, "{of_counts:#?}");
    for statement in of_counts {
        let plan = plan(&services, statement, &[]).await;
        let scanned = |line: &&String| COUNTED.iter().any(|table| line.contains(&format!("Seq Scan on {table}")));
        assert_eq!(plan.iter().find(scanned), None, "{statement}");
    }

    // The statements of a batch seek in one month's index.
    let day = format!("'{DAY}'");
    let named =
        |part: &str| statements.iter().find(|text| text.contains(part)).unwrap_or_else(|| panic!("no {part}")).clone();
    for (part, values) in [
        ("FROM ledger l JOIN subscriptions s", vec![day.as_str(), "'sandbox-pull'", "0", "3", "64"]),
        ("AS known (id, ref)", vec!["'{1,2}'", "'{a,b}'", "'2060-02-27 10:00:00'", day.as_str(), day.as_str()]),
    ] {
        let statement = named(part);
        let plan = plan(&services, &statement, &values).await;
        let read = read_months(&plan);
        assert!(
            months_in(&plan) == 1 && read.iter().all(|(_, line)| line.contains("Index")),
            "{statement}\n{}",
            plan.join("\n")
        );
    }
}

/// A statement without days is found.
#[actix_web::test]
async fn statement_without_a_day_reads_every_month() {
    let services = spawn(Engine::Postgres).await;
    services.execute(EARLIER_MONTHS.to_owned()).await;
    let months = async |condition: &str| {
        let statement = format!("SELECT id FROM ledger WHERE network = $1 AND charge_key = $2 AND {condition}");
        months_in(&plan(&services, &statement, &[]).await)
    };
    assert!(months("status <> 'failed'").await > 25);
    assert_eq!(months("day = $3").await, 0);
}
