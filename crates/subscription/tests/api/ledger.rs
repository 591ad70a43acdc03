//! Access to the ledger and the network's own list, and the days of the billing tests.

use diesel::RunQueryDsl;
use reqwest::Method;
use serde_json::{Value, json};
use store::{Db, DbConnection};
use testkit::{ADMIN_TOKEN, Client, Reply, eventually};

use crate::services::TestServices;

/// A day far from the real clock, and its noon, so that no test meets midnight.
pub const DAY: &str = "2060-02-27";
pub const NOON: &str = "2060-02-27T12:00:00+02:00";
/// The day after it.
pub const NEXT: &str = "2060-02-28";

/// The first billing time of a day.
pub fn morning(day: &str) -> String {
    format!("{day}T06:00:00+02:00")
}

/// The day this many days after another.
pub fn days_after(day: &str, days: i64) -> String {
    (day.parse::<chrono::NaiveDate>().unwrap() + chrono::TimeDelta::days(days)).to_string()
}

/// A row of the ledger.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LedgerRow {
    pub id: i64,
    pub msisdn: String,
    pub svc_id: i32,
    pub kind: String,
    pub cents: i64,
    pub status: String,
    pub key: String,
    pub network_ref: String,
}

impl TestServices {
    /// Sets the network's clock, then the service's.
    pub async fn set_clocks(&self, to: &str) {
        for addr in [self.sandbox, self.addr] {
            let reply = Client::new(addr, "localhost").post_as_admin("/internal/clock", &json!({"now": to})).await;
            assert_eq!(reply.status, 200, "{to}: {}", String::from_utf8_lossy(&reply.bytes));
        }
    }

    /// An admin call of the service.
    pub async fn admin(&self, path: &str, body: &Value) -> Reply {
        Client::new(self.addr, "localhost").post_as_admin(path, body).await
    }

    /// Runs a pass; `[due, charged, failed, unknown, skipped]`.
    pub async fn pass(&self, day: &str) -> [i64; 5] {
        let reply = self.admin("/internal/billing/run", &json!({"day": day})).await;
        assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.bytes));
        let body = reply.json();
        ["due", "charged", "failed", "unknown", "skipped"].map(|name| body[name].as_i64().unwrap())
    }

    /// Runs a pass in the quiet hours, and waits until the charges that it announces after days without one have their SMS at noon; returns
    /// its totals.
    pub async fn announce_charges(&self, day: &str) -> [i64; 5] {
        self.set_clocks(&morning(day)).await;
        let totals = self.pass(day).await;
        self.set_clocks(&format!("{day}T12:00:00+02:00")).await;
        let waiting = "kind = 'sms' AND done_at IS NULL AND dead_at IS NULL";
        eventually("the announcements", async || self.count("outbox", waiting).await == 0).await;
        totals
    }

    /// A day of the ledger.
    pub async fn ledger(&self, day: &str) -> Vec<LedgerRow> {
        let client = Client::new(self.addr, "localhost");
        let request = client.request(Method::GET, &format!("/internal/ledger?day={day}")).bearer_auth(ADMIN_TOKEN);
        let reply = client.send(request).await;
        assert_eq!((reply.status, reply.header("content-type")), (200, "text/csv; charset=utf-8"));
        let text = String::from_utf8(reply.bytes).unwrap();
        let mut lines = text.lines();
        assert_eq!(lines.next(), Some("id,subscription_id,msisdn,svc_id,day,kind,cents,status,key,network_ref,at"));
        lines
            .map(|line| {
                let fields: Vec<&str> = line.split(',').collect();
                assert_eq!((fields.len(), fields[4]), (11, day), "{line}");
                LedgerRow {
                    id: fields[0].parse().unwrap(),
                    msisdn: fields[2].to_owned(),
                    svc_id: fields[3].parse().unwrap(),
                    kind: fields[5].to_owned(),
                    cents: fields[6].parse().unwrap(),
                    status: fields[7].to_owned(),
                    key: fields[8].to_owned(),
                    network_ref: fields[9].to_owned(),
                }
            })
            .collect()
    }

    /// The charge of a number on a day.
    pub async fn charge_of(&self, day: &str, msisdn: &str) -> Option<LedgerRow> {
        self.ledger(day).await.into_iter().find(|line| line.msisdn == self.subscriber(msisdn) && line.kind == "charge")
    }

    pub async fn wait_for_charge(&self, day: &str, msisdn: &str, status: &str) -> LedgerRow {
        let found = async || self.charge_of(day, msisdn).await.filter(|line| line.status == status);
        eventually(&format!("a {status} charge"), async || found().await.is_some()).await;
        found().await.unwrap()
    }

    /// The charges that the network made for a day.
    pub async fn charges(&self, day: &str) -> Vec<Value> {
        let listed = Client::new(self.sandbox, "localhost").get_ok(&format!("/charges?day={day}")).await;
        listed.as_array().unwrap().clone()
    }

    /// Asserts that the network's list and the settled charges of the ledger are the same.
    pub async fn assert_ledger_matches_network(&self, day: &str) {
        let mut ledger: Vec<_> = self
            .ledger(day)
            .await
            .into_iter()
            .filter(|line| line.kind == "charge" && line.status == "settled")
            .map(|line| (line.msisdn, i64::from(line.svc_id), line.cents, line.key))
            .collect();
        let mut network: Vec<_> = self
            .charges(day)
            .await
            .into_iter()
            .map(|charge| {
                let text = |name: &str| charge[name].as_str().unwrap().to_owned();
                (
                    self.as_service_writes(&text("msisdn")),
                    charge["svc_id"].as_i64().unwrap(),
                    charge["cents"].as_i64().unwrap(),
                    text("key"),
                )
            })
            .collect();
        ledger.sort();
        network.sort();
        assert_eq!(ledger, network);
    }

    /// The sandbox's database.
    pub async fn sandbox_db(&self) -> Db {
        Db::open(&self.store.config, operator_sandbox::OWNER, operator_sandbox::MIGRATIONS).await.unwrap()
    }

    /// Executes SQL in the sandbox's database.
    pub async fn execute_in_sandbox(&self, statement: String) {
        execute_in(&self.sandbox_db().await, statement).await;
    }

    /// Inserts numbers that are active since `since` (UTC), here and at the network.
    pub async fn make_active(&self, svc_id: i32, network: &str, count: usize, since: &str) {
        let numbers: Vec<String> = (0..count).map(|n| format!("2783{n:06}1")).collect();
        let values = |row: &dyn Fn(&String) -> String| numbers.iter().map(row).collect::<Vec<_>>().join(", ");
        let here =
            values(&|number| format!("('{}', {svc_id}, 'active', '{since}', '{network}')", self.subscriber(number)));
        self.execute(format!("INSERT INTO subscriptions (msisdn, svc_id, state, since, network) VALUES {here}")).await;
        let there =
            values(&|number| format!("('{network}', '{}', {svc_id}, '', '{since}')", self.name_at_network(number)));
        self.execute_in_sandbox(format!(
            "INSERT INTO subscriptions (network, msisdn, svc_id, ext_ref, started_at) VALUES {there}"
        ))
        .await;
    }
}

async fn execute_in(db: &Db, statement: String) {
    db.write(move |conn: &mut DbConnection| {
        diesel::sql_query(statement).execute(conn)?;
        Ok::<_, store::Error>(())
    })
    .await
    .unwrap();
}
