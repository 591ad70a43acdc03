//! Unsigned notifications are not stored, consents are stored with all evidence, and refunds with day, status and author.

use std::path::Path;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, sql_types::BigInt};
use futures_util::{StreamExt, stream};
use reqwest::Method;
use serde_json::json;
use testkit::on_each_engine;

use crate::{
    browser::{AGENT, EXT_REF},
    network::{Call, Response},
    service::{DAY, MEMEWORLD, TestEnv, later, number, sign, wait_for},
};

/// The number of unsigned notifications, each of 60 kB.
const UNSIGNED: usize = 200;

#[derive(QueryableByName)]
struct Size {
    #[diesel(sql_type = BigInt)]
    bytes: i64,
}

fn size_of_folder(folder: &Path) -> u64 {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(data) if data.is_dir() => size_of_folder(&entry.path()),
        Ok(data) => data.len(),
        // A file that has been deleted meanwhile.
        Err(_) => 0,
    });
    sizes.sum()
}

/// The size of the service's database in bytes.
async fn bytes_stored(env: &TestEnv) -> u64 {
    let Some(url) = env.store.config.database_url.clone() else {
        return size_of_folder(&env.store.config.data_dir);
    };
    let read = move || {
        let mut conn = PgConnection::establish(&url).unwrap();
        let size =
            diesel::sql_query("SELECT pg_database_size(current_database()) AS bytes").get_result::<Size>(&mut conn);
        u64::try_from(size.unwrap().bytes).unwrap()
    };
    tokio::task::spawn_blocking(read).await.unwrap()
}

/// A number that has paid one day, and the id of that charge.
async fn one_payer(env: &TestEnv) -> (String, i64) {
    let msisdn = number(1);
    env.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
    let id = env.rows(DAY, &msisdn, "charge").await[0].id;
    (msisdn, id)
}

on_each_engine! {
    async fn unsigned_notifications_are_not_stored(engine) {
        let env = TestEnv::start(engine).await;
        env.many_join(&env.pull, MEMEWORLD, 0..5).await;
        let before = bytes_stored(&env).await;
        let noise: Vec<u8> = (0..45_000).map(|_| rand::random()).collect();
        let body = json!({"event": "stop", "user_msisdn": number(1), "noise": STANDARD.encode(noise)}).to_string();
        let calls = (0..UNSIGNED).map(|n| {
            let (client, body) = (env.client(0, "localhost"), body.clone().into_bytes());
            async move {
                let (id, now) = (format!("noise-{n}"), chrono::Utc::now().timestamp());
                let mut request = client.request(Method::POST, "/api/subscribe/notify/sandbox-pull");
                // Half of them have a signature with another key.
                if n % 2 == 0 {
                    request = request
                        .header("webhook-signature", sign(b"not the network's", &id, now, &body))
                        .header("webhook-id", id)
                        .header("webhook-timestamp", now);
                }
                client.send(request.header("content-type", "application/json").body(body)).await.status
            }
        });
        let replies: Vec<u16> = stream::iter(calls).buffer_unordered(8).collect().await;
        assert_eq!(replies, [401; UNSIGNED]);
        let grown = bytes_stored(&env).await.saturating_sub(before);
        assert!(grown < 1_000_000, "{grown} bytes are stored of what was not signed");
        assert_eq!(env.state(&number(1), MEMEWORLD).await, "active");
    }

    async fn consent_document_has_all_evidence(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        let browser = env.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        let path = format!("/internal/consent/{msisdn}");
        assert_eq!(browser.get(&path).await.status, 401, "without the operators' token");
        let reply = env.get_as_admin(&path).await;
        assert_eq!(reply.status, 200);
        assert!(reply.header("content-type").starts_with("text/html"), "{}", reply.header("content-type"));
        let document = String::from_utf8(reply.bytes).unwrap();
        for part in ["R3", "/memelogin", &browser.address, AGENT, EXT_REF, "opt-in-1"] {
            assert!(document.contains(part), "{part} is missing: {document}");
        }
        assert!(document.to_lowercase().contains("terms"), "the version of the terms is missing: {document}");
        let account = env.account(&msisdn).await;
        let subscription = &account["subscriptions"][0];
        assert_eq!(subscription["consents"].as_array().map(Vec::len), Some(1), "{subscription}");
    }

    async fn consent_document_of_unknown_number_is_empty(engine) {
        let env = TestEnv::start(engine).await;
        env.joined_and_paid("memeworld", MEMEWORLD, &number(1)).await;
        let reply = env.get_as_admin(&format!("/internal/consent/{}", number(2))).await;
        assert!([200, 404].contains(&reply.status), "{}", reply.status);
        let document = String::from_utf8(reply.bytes).unwrap();
        assert!(!document.contains(EXT_REF) && !document.contains("27820000001"), "{document}");
    }

    async fn account_has_price_charges_and_messages(engine) {
        let env = TestEnv::start(engine).await;
        let (msisdn, id) = one_payer(&env).await;
        wait_for("a welcome", async || !env.pull.texts_to(&msisdn).is_empty()).await;
        let account = env.account(&msisdn).await;
        let subscription = &account["subscriptions"][0];
        assert_eq!((&subscription["price_cents"], &subscription["period"]), (&json!(300), &json!("day")), "{subscription}");
        let charge = &subscription["charges"][0];
        assert_eq!(
            (&charge["id"], &charge["day"], &charge["kind"], &charge["cents"], &charge["status"]),
            (&json!(id), &json!(DAY), &json!("charge"), &json!(300), &json!("settled")),
            "{charge}"
        );
        assert_eq!(account["messages"][0]["state"], "sent", "{account}");
    }

    async fn refund_is_entered_on_the_day_it_is_made(engine) {
        let env = TestEnv::start(engine).await;
        let (msisdn, charge) = one_payer(&env).await;
        let closed = env.ledger(DAY).await;
        let today = later(DAY, 30);
        env.set_clock(&today, "09:00:00").await;
        let refund = env.refund(charge).await;
        wait_for("the refund is settled on its own day", async || {
            let refunds = env.rows(&today, &msisdn, "refund").await;
            refunds.len() == 1 && refunds[0].id == refund && refunds[0].status == "settled"
        })
        .await;
        assert_eq!(env.ledger(DAY).await, closed, "a closed month does not change");
        assert_eq!(env.pull.charged_and_refunded(&msisdn), (300, 300));
        let account = env.account(&msisdn).await;
        let charges = account["subscriptions"][0]["charges"].as_array().unwrap();
        let entry = charges.iter().find(|one| one["id"] == refund).unwrap();
        assert!(entry["made_by"].as_str().is_some_and(|who| !who.is_empty()), "made_by is stored: {entry}");
        assert_eq!(entry["reason"], "asked for by telephone", "{entry}");
    }

    async fn refused_refund_fails_and_is_not_counted(engine) {
        let env = TestEnv::start(engine).await;
        let (msisdn, charge) = one_payer(&env).await;
        env.pull.on(Call::Refund, |_| Response::Status(503, String::new()));
        let alarms = env.alarms().len();
        env.refund(charge).await;
        wait_for("the network is asked", async || env.pull.count(Call::Refund) > 0).await;
        assert_eq!(env.month_spend(&msisdn).await, 300, "a refund that has not happened is not counted");
        env.pull.on(Call::Refund, |_| Response::Status(422, "{}".to_owned()));
        wait_for("it has failed", async || {
            let refunds = env.rows(DAY, &msisdn, "refund").await;
            refunds.len() == 1 && refunds[0].status == "failed"
        })
        .await;
        assert_eq!(env.month_spend(&msisdn).await, 300);
        wait_for("an alarm", async || env.alarms().len() > alarms).await;
    }

    async fn partial_refund_is_entered_in_part(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        let browser = env.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        let charge = env.rows(DAY, &msisdn, "charge").await[0].id;
        env.pull.on(Call::Refund, |_| Response::Changed(|reply| reply["cents"] = json!(100)));
        let alarms = env.alarms().len();
        env.refund(charge).await;
        wait_for("a third of it is booked", async || {
            let refunds = env.rows(DAY, &msisdn, "refund").await;
            refunds.iter().any(|row| row.cents.abs() == 100 && row.status == "settled")
        })
        .await;
        assert_eq!(env.month_spend(&msisdn).await, 200);
        wait_for("an alarm", async || env.alarms().len() > alarms).await;
        // Subscriber and staff see what is still owed, until it is given back.
        assert_eq!(browser.me().await.json()["owed_cents"], 200);
        let owed = async || {
            let account = env.account(&msisdn).await;
            let charges = account["subscriptions"][0]["charges"].as_array().unwrap().clone();
            charges.iter().filter_map(|row| row["owed_cents"].as_i64()).sum::<i64>()
        };
        assert_eq!(owed().await, 200);
        env.pull.behave(Call::Refund);
        env.refund(charge).await;
        wait_for("the rest is given back", async || env.month_spend(&msisdn).await == 0).await;
        assert_eq!((owed().await, &browser.me().await.json()["owed_cents"]), (0, &json!(0)));
    }
}
