//! The months of the ledger and of the events: made ahead, deleted when their time is over, and read one at a time.

use std::sync::mpsc;

use diesel::{RunQueryDsl, sql_query};
use serde_json::json;
use testkit::{Engine, eventually, on_each_engine};

use crate::{
    ledger::{DAY, NEXT, NOON},
    services::{MEME, Options, PULL, TestServices, number, spawn, spawn_with},
};

impl TestServices {
    async fn refund(&self, ledger_id: i64) -> serde_json::Value {
        let reply =
            self.admin("/internal/refund", &json!({"ledger_id": ledger_id, "reason": "a customer asked"})).await;
        assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.bytes));
        reply.json()
    }
}

on_each_engine! {
    async fn refund_that_was_refused_is_entered_again_on_a_later_day(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        // The network refuses refunds to this number.
        let msisdn = number("0011");
        services.joined("memeworld", MEME, &msisdn).await;
        let charge = services.wait_for_charge(DAY, &msisdn, "settled").await;
        let refused = async |day: &str, refunds: i64| {
            let failed = format!("kind = 'refund' AND status = 'failed' AND day = '{day}'");
            eventually("the refusal", async || services.count("ledger", &failed).await == refunds).await;
        };
        let first = services.refund(charge.id).await;
        refused(DAY, 1).await;
        // The same day: the same row.
        assert_eq!(services.refund(charge.id).await["id"], first["id"]);
        refused(DAY, 1).await;
        // Another month: another row, and the first day stays as it was.
        let later = "2060-03-02";
        services.set_clocks(&format!("{later}T12:00:00+02:00")).await;
        let second = services.refund(charge.id).await;
        assert_ne!(second["id"], first["id"]);
        refused(later, 1).await;
        refused(DAY, 1).await;
        // Once the network has made it, there is no third.
        services.execute(format!("UPDATE ledger SET status = 'settled' WHERE id = {}", second["id"])).await;
        services.set_clocks("2060-04-02T12:00:00+02:00").await;
        let third = services.refund(charge.id).await;
        assert_eq!((&third["id"], &third["status"]), (&second["id"], &json!("settled")));
        assert_eq!(services.count("ledger", "kind = 'refund'").await, 2);
    }

    async fn month_is_deleted_when_its_time_is_over_and_nothing_in_it_is_open(engine) {
        let settings: fn(&mut subscription::Config) = |config| (config.ledger_months, config.events_months) = (84, 36);
        let services = spawn_with(engine, Options { settings: Some(settings), ..Options::default() }).await;
        services.set_clocks(NOON).await;
        let (left, stays, lost) = (number("1111"), number("1111"), number("1111"));
        let mut browsers = Vec::new();
        for msisdn in [&left, &stays, &lost] {
            browsers.push(services.joined("memeworld", MEME, msisdn).await);
            services.wait_for_charge(DAY, msisdn, "settled").await;
        }
        let id_of = async |msisdn: &str| services.account(msisdn).await["subscriptions"][0]["id"].as_i64().unwrap();
        let (left_id, stays_id, lost_id) = (id_of(&left).await, id_of(&stays).await, id_of(&lost).await);
        // A join without an answer.
        let unanswered = number("1111");
        services.browser("memeworld").join(&unanswered, MEME).await;
        let unanswered_id = id_of(&unanswered).await;
        assert_eq!(browsers[0].post("/api/subscribe/unsubscribe", &json!({"svc_id": MEME})).await.status, 200);
        services.execute(format!(
            "UPDATE ledger SET status = 'unknown', ask_at = '2999-01-01 00:00:00' WHERE subscription_id = {lost_id}"
        )).await;

        // Until the end of its last month everything is kept.
        services.set_clocks("2067-02-28T12:00:00+02:00").await;
        services.wait_for_state(&stays, "cancelled").await;
        let of_day = format!("day = '{DAY}'");
        assert_eq!(services.count("ledger", &of_day).await, 3);
        // Afterwards, too, as long as a charge of the month has no outcome.
        services.set_clocks("2067-03-01T12:00:00+02:00").await;
        let ended = format!("subscription_id = {left_id} AND at < '2061-01-01 00:00:00'");
        eventually("the deletion of events", async || services.count("events", &ended).await == 0).await;
        assert_eq!(services.count("ledger", &of_day).await, 3);
        assert_eq!(services.count("ledger_bounds", &format!("open_since = '{DAY}'")).await, 1, "it is still looked for");
        // The events of a subscriber who left three years ago are gone; a subscription that ended later has all of its events.
        let (_, causes) = services.state_and_causes(&stays).await;
        assert_eq!(causes, ["joined", "confirmed", "lapsed"]);
        // So are the consents; the subscription stays as long as its charges, and one that never began goes with its attempt.
        for (table, of, rows) in [("tries", left_id, 0), ("tries", stays_id, 1), ("subscriptions", left_id, 1)] {
            let column = if table == "tries" { "subscription_id" } else { "id" };
            let kept = format!("{column} = {of}");
            eventually("the deletion of consents", async || services.count(table, &kept).await == rows).await;
        }
        let never_begun = format!("id = {unanswered_id}");
        eventually("the deletion of a join", async || services.count("subscriptions", &never_begun).await == 0).await;
        assert_eq!(services.count("events", &format!("subscription_id = {unanswered_id}")).await, 0);

        let outcome = format!("UPDATE ledger SET status = 'failed' WHERE subscription_id = {lost_id}");
        let correction = format!("UPDATE ledger SET cents = 200, at = '2067-03-02 10:00:00' WHERE {of_day} AND subscription_id = {stays_id}");
        if engine == Engine::Postgres {
            // A deletion that is interrupted between its sums and its end, here by a reader that does not go away, leaves nothing behind. The
            // reader waits for no lock of it, and what it changes in the month is not lost.
            let (db, read) = (services.db().await.clone(), format!("SELECT id FROM ledger WHERE {of_day}"));
            let ((has_read, read_first), (go_on, goes_on)) = (mpsc::channel(), mpsc::channel::<()>());
            let reader = actix_web::rt::spawn(async move {
                db.write(move |conn| {
                    let rows = sql_query(read).execute(conn)?;
                    let _ = has_read.send(());
                    let _ = goes_on.recv();
                    for write in ["SET LOCAL lock_timeout = '1s'", "UPDATE ledger_bounds SET open_since = open_since", &correction] {
                        sql_query(write).execute(conn)?;
                    }
                    Ok::<_, store::Error>(rows)
                })
                .await
            });
            eventually("the reader", async || read_first.try_recv().is_ok()).await;
            services.execute(outcome).await;
            services.set_clocks("2067-03-02T12:00:00+02:00").await;
            let attempt = "state = 'active' AND query LIKE 'DO %ONLY ledger%'";
            eventually("the attempt", async || services.count("pg_stat_activity", attempt).await > 0).await;
            assert_eq!((services.count("ledger", &of_day).await, services.count("paid_before", "1 = 1").await), (3, 0));
            drop(go_on);
            assert_eq!(reader.await.unwrap().unwrap(), 3);
        } else {
            services.execute(correction).await;
            services.execute(outcome).await;
        }
        services.set_clocks("2067-03-03T12:00:00+02:00").await;
        eventually("the deletion", async || services.count("ledger", &of_day).await == 0).await;
        let paid = format!("(subscription_id = {stays_id} AND cents = 200) OR (subscription_id = {lost_id} AND cents = 0)");
        // Nothing is left of a subscriber who left seven years ago.
        for (table, column) in [("subscriptions", "id"), ("holds", "subscription_id"), ("paid_before", "subscription_id")] {
            let left = format!("{column} = {left_id}");
            eventually("the deletion of what ended", async || services.count(table, &left).await == 0).await;
        }
        // Run again, it changes nothing.
        services.set_clocks("2067-03-04T12:00:00+02:00").await;
        eventually("the next run", async || services.count("daily_totals", "day = '2067-03-04'").await == 1).await;
        assert_eq!(services.count("paid_before", &paid).await, 2);
        assert_eq!(services.count("paid_before", "1 = 1").await, 2);

        // What was paid stays in the total; and the day is not entered a second time.
        let browser = services.joined("memeworld", MEME, &stays).await;
        services.wait_for_charge("2067-03-04", &stays, "settled").await;
        assert_eq!(browser.get("/api/subscribe/me").await.json()["total_cents"], 500);
        assert_eq!(services.charges(DAY).await.len(), 3, "the network still lists them");
        assert_eq!(services.admin("/internal/reconcile", &json!({"day": DAY})).await.status, 422);
        assert_eq!(services.count("ledger", &of_day).await, 0);
        if engine == Engine::Postgres {
            let partitions = services.count("pg_class", "relname IN ('ledger_2060_02', 'events_2060_02')").await;
            assert_eq!(partitions, 0);
            assert_eq!(services.count("pg_class", "relname IN ('ledger_2067_06', 'events_2067_06')").await, 2, "made ahead");
        }
    }

    async fn row_of_a_month_that_was_not_made_is_kept(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        services.make_active(MEME, PULL, 1, "2060-02-26 10:00:00").await;
        services.execute(format!(
            "INSERT INTO ledger (subscription_id, network, day, kind, cents, status, charge_key, attempts, failures, pass, reason, at) \
             SELECT MIN(id), '{PULL}', '2059-06-15', 'charge', 300, 'settled', 'a', 1, 0, 1, '', '2059-06-15 05:00:00' FROM subscriptions"
        )).await;
        services.execute(
            "INSERT INTO events (subscription_id, at, from_state, to_state, cause, evidence) \
             SELECT MIN(id), '2059-06-30 23:59:59', 'active', 'cancelled', 'left', '{}' FROM subscriptions".to_owned(),
        ).await;
        if engine == Engine::Postgres {
            assert_eq!((services.count("ledger_default", "1 = 1").await, services.count("events_default", "1 = 1").await), (1, 1));
        }
        services.set_clocks(&format!("{NEXT}T12:00:00+02:00")).await;
        eventually("the totals", async || services.count("daily_totals", &format!("day = '{NEXT}'")).await == 1).await;
        if engine == Engine::Postgres {
            eventually("its own month", async || {
                let default = services.count("ledger_default", "1 = 1").await + services.count("events_default", "1 = 1").await;
                default == 0
            }).await;
            assert_eq!((services.count("ledger_2059_06", "1 = 1").await, services.count("events_2059_06", "1 = 1").await), (1, 1));
        }
        assert_eq!((services.count("ledger", "day = '2059-06-15'").await, services.count("events", "cause = 'left'").await), (1, 1));
    }
}
