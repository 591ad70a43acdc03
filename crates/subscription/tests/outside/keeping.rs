//! What is kept: nothing of strangers, everything of a consent, and of each refund its day, its state and who made it.

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
    service::{DAY, MEMEWORLD, World, later, number, sign, soon},
};

/// As many notifications, of 60 kB each, that the network has not signed.
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
        // A file that was there a moment ago.
        Err(_) => 0,
    });
    sizes.sum()
}

/// How many bytes the service's state takes on the disk.
async fn bytes_stored(world: &World) -> u64 {
    let Some(url) = world.store.config.database_url.clone() else {
        return size_of_folder(&world.store.config.data_dir);
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
async fn one_payer(world: &World) -> (String, i64) {
    let msisdn = number(1);
    world.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
    let id = world.rows(DAY, &msisdn, "charge").await[0].id;
    (msisdn, id)
}

on_each_engine! {
    async fn unsigned_notifications_leave_nothing_stored(engine) {
        let world = World::start(engine).await;
        world.many_join(&world.pull, MEMEWORLD, 0..5).await;
        let before = bytes_stored(&world).await;
        let noise: Vec<u8> = (0..45_000).map(|_| rand::random()).collect();
        let body = json!({"event": "stop", "user_msisdn": number(1), "noise": STANDARD.encode(noise)}).to_string();
        let calls = (0..UNSIGNED).map(|n| {
            let (client, body) = (world.client(0, "localhost"), body.clone().into_bytes());
            async move {
                let (id, now) = (format!("noise-{n}"), chrono::Utc::now().timestamp());
                let mut request = client.request(Method::POST, "/api/subscribe/notify/sandbox-pull");
                // Half of them with a signature, of another key.
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
        let grown = bytes_stored(&world).await.saturating_sub(before);
        assert!(grown < 1_000_000, "{grown} bytes are stored of what was not signed");
        assert_eq!(world.state(&number(1), MEMEWORLD).await, "active");
    }

    async fn a_consent_is_one_document(engine) {
        let world = World::start(engine).await;
        let msisdn = number(1);
        let browser = world.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        let path = format!("/internal/consent/{msisdn}");
        assert_eq!(browser.get(&path).await.status, 401, "without the operators' token");
        let reply = world.get_as_admin(&path).await;
        assert_eq!(reply.status, 200);
        assert!(reply.header("content-type").starts_with("text/html"), "{}", reply.header("content-type"));
        let document = String::from_utf8(reply.bytes).unwrap();
        for part in ["R3", "/memelogin", &browser.address, AGENT, EXT_REF, "opt-in-1"] {
            assert!(document.contains(part), "{part} is missing: {document}");
        }
        assert!(document.to_lowercase().contains("terms"), "the version of the terms is missing: {document}");
        let account = world.account(&msisdn).await;
        let held = &account["subscriptions"][0];
        assert_eq!(held["consents"].as_array().map(Vec::len), Some(1), "{held}");
    }

    async fn a_consent_of_a_number_that_never_joined_names_nobody(engine) {
        let world = World::start(engine).await;
        world.joined_and_paid("memeworld", MEMEWORLD, &number(1)).await;
        let reply = world.get_as_admin(&format!("/internal/consent/{}", number(2))).await;
        assert!([200, 404].contains(&reply.status), "{}", reply.status);
        let document = String::from_utf8(reply.bytes).unwrap();
        assert!(!document.contains(EXT_REF) && !document.contains("27820000001"), "{document}");
    }

    async fn the_support_desk_sees_price_charges_and_messages(engine) {
        let world = World::start(engine).await;
        let (msisdn, id) = one_payer(&world).await;
        soon("a welcome", async || !world.pull.texts_to(&msisdn).is_empty()).await;
        let account = world.account(&msisdn).await;
        let held = &account["subscriptions"][0];
        assert_eq!((&held["price_cents"], &held["period"]), (&json!(300), &json!("day")), "{held}");
        let charge = &held["charges"][0];
        assert_eq!(
            (&charge["id"], &charge["day"], &charge["kind"], &charge["cents"], &charge["status"]),
            (&json!(id), &json!(DAY), &json!("charge"), &json!(300), &json!("settled")),
            "{charge}"
        );
        assert_eq!(account["messages"][0]["state"], "sent", "{account}");
    }

    async fn a_refund_is_booked_on_the_day_it_is_made(engine) {
        let world = World::start(engine).await;
        let (msisdn, charge) = one_payer(&world).await;
        let closed = world.ledger(DAY).await;
        let today = later(DAY, 30);
        world.set_clock(&today, "09:00:00").await;
        let refund = world.refund(charge).await;
        soon("the refund is settled on its own day", async || {
            let refunds = world.rows(&today, &msisdn, "refund").await;
            refunds.len() == 1 && refunds[0].id == refund && refunds[0].status == "settled"
        })
        .await;
        assert_eq!(world.ledger(DAY).await, closed, "a closed month does not change");
        assert_eq!(world.pull.taken(&msisdn), (300, 300));
        let account = world.account(&msisdn).await;
        let charges = account["subscriptions"][0]["charges"].as_array().unwrap();
        let entry = charges.iter().find(|one| one["id"] == refund).unwrap();
        assert!(entry["made_by"].as_str().is_some_and(|who| !who.is_empty()), "who made it is kept: {entry}");
        assert_eq!(entry["reason"], "asked for by telephone", "{entry}");
    }

    async fn a_refund_that_is_refused_fails_and_is_not_counted(engine) {
        let world = World::start(engine).await;
        let (msisdn, charge) = one_payer(&world).await;
        world.pull.on(Call::Refund, |_| Response::Status(503, String::new()));
        let alarms = world.alarms().len();
        world.refund(charge).await;
        soon("the network is asked", async || world.pull.count(Call::Refund) > 0).await;
        assert_eq!(world.month_spend(&msisdn).await, 300, "a refund that has not happened is not counted");
        world.pull.on(Call::Refund, |_| Response::Status(422, "{}".to_owned()));
        soon("it has failed", async || {
            let refunds = world.rows(DAY, &msisdn, "refund").await;
            refunds.len() == 1 && refunds[0].status == "failed"
        })
        .await;
        assert_eq!(world.month_spend(&msisdn).await, 300);
        soon("an alarm", async || world.alarms().len() > alarms).await;
    }

    async fn a_refund_in_part_is_booked_in_part(engine) {
        let world = World::start(engine).await;
        let (msisdn, charge) = one_payer(&world).await;
        world.pull.on(Call::Refund, |_| Response::Changed(|reply| reply["cents"] = json!(100)));
        let alarms = world.alarms().len();
        world.refund(charge).await;
        soon("a third of it is booked", async || {
            let refunds = world.rows(DAY, &msisdn, "refund").await;
            refunds.iter().any(|row| row.cents.abs() == 100 && row.status == "settled")
        })
        .await;
        assert_eq!(world.month_spend(&msisdn).await, 200);
        soon("an alarm", async || world.alarms().len() > alarms).await;
    }
}
