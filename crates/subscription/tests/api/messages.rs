//! Messages to subscribers and networks: ordered, urgent ones first, only replies in quiet hours, and dead ones are visible.

use serde_json::{Value, json};
use testkit::{Client, Reply, on_each_engine};

use crate::{
    ledger::{DAY, NEXT, NOON},
    services::{MEME, PULL, PUSH, TT, TestServices, eventually, number, spawn, subscription_config},
};

/// An SMS in the table: number, text, priority, and the times at which it is due and was created (UTC).
struct Row<'a> {
    to: &'a str,
    text: &'a str,
    priority: i32,
    next_at: &'a str,
    created_at: &'a str,
}

impl TestServices {
    /// Inserts SMSes in one statement, in this order.
    async fn insert_sms(&self, rows: &[Row<'_>]) {
        let values: Vec<String> = rows
            .iter()
            .map(|Row { to, text, priority, next_at, created_at }| {
                let body = json!({"key": format!("{to} {text}"), "msisdn": to, "svc_id": MEME, "text": text});
                format!("('{PULL}', 'sms', '{body}', 0, '{next_at}', '{to}', {priority}, '{created_at}')")
            })
            .collect();
        self.execute(format!(
            "INSERT INTO outbox (network, kind, body, attempts, next_at, msisdn, priority, created_at) VALUES {}",
            values.join(", ")
        ))
        .await;
    }

    async fn waiting(&self) -> i64 {
        self.count("outbox", "done_at IS NULL AND dead_at IS NULL").await
    }

    async fn retry(&self, id: i64) -> Reply {
        self.admin(&format!("/internal/messages/{id}/retry"), &json!({})).await
    }

    /// The newest message about a number.
    async fn newest_message(&self, msisdn: &str) -> Value {
        self.account(msisdn).await["messages"][0].clone()
    }
}

/// Noon of `DAY`, UTC.
const NOW: &str = "2060-02-27 10:00:00";

on_each_engine! {
    async fn welcome_has_every_required_part(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        eventually("the welcome", async || !services.inbox(&msisdn).await.is_empty()).await;
        let text = services.inbox(&msisdn).await.remove(0);
        for part in ["Welcome to MEMEWORLD", "subscription service", "Spaza", "R3/day incl. VAT", "STOP", "080 000 0150"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(text.is_ascii() && text.len() <= 160, "{text}");
        let message = services.newest_message(&msisdn).await;
        assert_eq!((&message["kind"], &message["text"], &message["network"]), (&json!("sms"), &json!(text), &json!(PULL)));
    }

    async fn sms_waits_for_earlier_one_to_the_same_number(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let (one, other) = (number("1111"), number("1111"));
        services.insert_sms(&[
            Row { to: &one, text: "first", priority: 1, next_at: "2060-02-27 12:00:00", created_at: NOW },
            Row { to: &one, text: "second", priority: 1, next_at: "2060-02-27 09:00:00", created_at: NOW },
            Row { to: &one, text: "urgent", priority: 0, next_at: "2060-02-27 09:00:00", created_at: NOW },
            Row { to: &other, text: "other", priority: 1, next_at: "2060-02-27 09:00:00", created_at: NOW },
        ])
        .await;
        eventually("the other number's", async || services.inbox(&other).await == ["other"]).await;
        assert_eq!(services.inbox(&one).await, ["urgent"], "an answer does not wait for a notice");
        services.set_clocks("2060-02-27T15:00:00+02:00").await;
        eventually("both", async || services.inbox(&one).await == ["second", "first", "urgent"]).await;
    }

    async fn urgent_messages_overtake_five_hundred_reminders(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let numbers: Vec<String> = (0..500).map(|n| format!("2784{n:06}1")).collect();
        let mut rows: Vec<Row<'_>> = numbers
            .iter()
            .map(|to| Row { to, text: "reminder", priority: 2, next_at: "2060-02-27 09:00:00", created_at: NOW })
            .collect();
        rows.push(Row { to: "27849999991", text: "welcome", priority: 0, next_at: NOW, created_at: NOW });
        services.insert_sms(&rows).await;
        eventually("all of them", async || services.waiting().await == 0).await;
        let welcome = "(SELECT done_at FROM outbox WHERE msisdn = '27849999991')";
        let before = services.count("outbox", &format!("priority = 2 AND done_at < {welcome}")).await;
        assert!(before < 50, "{before} reminders were sent first");
        assert_eq!(services.inbox("27840001231").await, ["reminder"]);
    }

    async fn reminders_of_one_day_are_sent_at_the_pace_of_the_network(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        services.make_active(MEME, PULL, 600, "2060-02-26 10:00:00").await;
        // All are due on the first: 200 a second are sent, after a burst of a twentieth of a second.
        let began = std::time::Instant::now();
        services.set_clocks("2060-03-01T12:00:00+02:00").await;
        let mut sent = 0;
        while sent < 600 {
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            sent = services.count("outbox", "kind = 'sms' AND done_at IS NOT NULL").await;
            let allowed = 10 + 200 * i64::try_from(began.elapsed().as_millis()).unwrap() / 1000;
            assert!(sent <= allowed, "{sent} were sent where {allowed} are allowed");
            assert!(began.elapsed().as_secs() < 120, "{sent} were sent");
        }
        assert_eq!((services.count("reminders", "month = '2060-03'").await, services.waiting().await), (600, 0));
    }

    async fn refused_message_is_dead_and_delays_no_other(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let (one, other) = (number("1111"), number("1111"));
        services.joined("memeworld", MEME, &one).await;
        eventually("quiet", async || services.waiting().await == 0).await;
        // The network does not know this number: 422.
        let body = json!({"key": "bad", "msisdn": "12", "svc_id": MEME, "text": "bad"});
        services.execute(format!(
            "INSERT INTO outbox (network, kind, body, attempts, next_at, msisdn, priority, created_at) \
             VALUES ('{PULL}', 'sms', '{body}', 0, '{NOW}', '{one}', 1, '{NOW}')"
        )).await;
        services.insert_sms(&[
            Row { to: &one, text: "behind", priority: 1, next_at: NOW, created_at: NOW },
            Row { to: &other, text: "other", priority: 1, next_at: NOW, created_at: NOW },
        ])
        .await;
        eventually("those behind it", async || services.waiting().await == 0).await;
        assert_eq!(services.inbox(&one).await[0], "behind");
        assert_eq!(services.inbox(&other).await, ["other"]);
        let account = services.account(&one).await;
        let dead = account["messages"].as_array().unwrap().iter().find(|message| message["text"] == "bad").unwrap();
        assert_eq!((&dead["state"], &dead["attempts"]), (&json!("dead"), &json!(1)));
        assert!(dead["last_error"].as_str().unwrap().contains("422"), "{dead}");

        let id = dead["id"].as_i64().unwrap();
        let again = services.retry(id).await;
        assert_eq!((again.status, &again.json()["state"]), (200, &json!("waiting")));
        eventually("dead again", async || services.count("outbox", "dead_at IS NOT NULL AND attempts = 1").await == 1).await;
        services.execute(format!("UPDATE outbox SET body = '{}' WHERE id = {id}", json!({"key": "good", "msisdn": one, "svc_id": MEME, "text": "good"}))).await;
        assert_eq!(services.retry(id).await.status, 200);
        eventually("sent at last", async || services.inbox(&one).await[0] == "good").await;
        eventually("no dead one", async || services.count("outbox", "dead_at IS NOT NULL").await == 0).await;
        assert_eq!(services.retry(id).await.status, 404, "it is not dead");
        assert_eq!(services.retry(0).await.status, 400);
        assert_eq!(Client::new(services.addr, "localhost").post(&format!("/internal/messages/{id}/retry"), &json!({})).await.status, 401);
    }

    async fn failed_message_is_retried_and_sms_is_dead_after_its_validity(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        Client::new(services.sandbox, "localhost").post_as_admin("/internal/outage", &json!({"seconds": 600})).await;
        let (one, old, code) = (number("1111"), number("1111"), number("1111"));
        let body = json!({"key": "code", "msisdn": code, "svc_id": MEME, "text": "code", "valid_seconds": 600});
        services.execute(format!(
            "INSERT INTO outbox (network, kind, body, attempts, next_at, msisdn, priority, created_at) \
             VALUES ('{PULL}', 'sms', '{body}', 0, '{NOW}', '{code}', 0, '2060-02-27 09:50:00')"
        ))
        .await;
        services.insert_sms(&[
            Row { to: &one, text: "fresh", priority: 1, next_at: NOW, created_at: NOW },
            Row { to: &old, text: "old", priority: 1, next_at: NOW, created_at: "2060-02-26 09:59:00" },
        ])
        .await;
        for outdated in [&old, &code] {
            eventually("given up", async || services.newest_message(outdated).await["state"] == "dead").await;
        }
        eventually("tried twice", async || services.newest_message(&one).await["attempts"].as_i64().unwrap() >= 2).await;
        assert_eq!(services.newest_message(&one).await["state"], "waiting");
        Client::new(services.sandbox, "localhost").post_as_admin("/internal/outage", &json!({"seconds": 0})).await;
        eventually("sent", async || services.inbox(&one).await == ["fresh"]).await;
        eventually("no error", async || services.newest_message(&one).await["last_error"] == "").await;
        assert_eq!((services.inbox(&old).await.len(), services.inbox(&code).await.len()), (0, 0));
        // Staff send it again: it is valid for its whole time.
        assert_eq!(services.retry(services.newest_message(&old).await["id"].as_i64().unwrap()).await.status, 200);
        eventually("sent again", async || services.inbox(&old).await == ["old"]).await;
    }

    async fn network_learns_how_long_an_sms_is_worth_delivering(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let validity = async |msisdn: &str| {
            eventually("an SMS", async || !services.smses(msisdn).await.is_empty()).await;
            services.smses(msisdn).await[0]["valid_seconds"].as_i64().unwrap()
        };
        let member = number("1111");
        services.joined("memeworld", MEME, &member).await;
        let welcome = validity(&member).await;
        let expected = 24 * 3600;
        assert!((expected - 60..=expected).contains(&welcome), "{welcome}");
        // A notice that has waited for an hour is valid for an hour less.
        let waited = number("1111");
        services.insert_sms(&[Row { to: &waited, text: "notice", priority: 1, next_at: NOW, created_at: "2060-02-27 09:00:00" }]).await;
        let notice = validity(&waited).await;
        assert!((expected - 3660..=expected - 3600).contains(&notice), "{notice}");
        services.set_clocks("2060-03-28T12:00:00+02:00").await;
        let reminder = |sms: &Value| (3 * expected - 60..=3 * expected).contains(&sms["valid_seconds"].as_i64().unwrap());
        eventually("the reminder", async || services.smses(&member).await.iter().any(reminder)).await;
    }

    async fn quiet_hours_allow_only_recent_replies(engine) {
        let services = spawn(engine).await;
        services.set_clocks("2060-02-27T21:00:00+02:00").await;
        let (answer, notice, late) = (number("1111"), number("1111"), number("1111"));
        let now = "2060-02-27 19:00:00";
        services.insert_sms(&[
            Row { to: &notice, text: "notice", priority: 1, next_at: now, created_at: now },
            // A reply to an action of three hours ago.
            Row { to: &late, text: "late", priority: 0, next_at: now, created_at: "2060-02-27 16:00:00" },
            Row { to: &answer, text: "answer", priority: 0, next_at: now, created_at: now },
        ])
        .await;
        eventually("the answer", async || services.inbox(&answer).await == ["answer"]).await;
        services.set_clocks("2060-02-28T07:59:00+02:00").await;
        tokio::time::sleep(std::time::Duration::from_secs(2)).await;
        assert_eq!(services.waiting().await, 2);
        services.set_clocks("2060-02-28T08:00:00+02:00").await;
        eventually("the others", async || services.waiting().await == 0).await;
        assert_eq!((services.inbox(&notice).await, services.inbox(&late).await), (vec!["notice".to_owned()], vec!["late".to_owned()]));
    }

    async fn welcome_after_an_event_that_arrives_hours_late_waits_for_the_morning(engine) {
        let services = spawn(engine).await;
        services.set_clocks("2060-02-27T23:00:00+02:00").await;
        let (late, fresh) = (number("1111"), number("1111"));
        for (msisdn, decided_at) in [(&late, "2060-02-27T19:00:00+02:00"), (&fresh, "2060-02-27T22:55:00+02:00")] {
            let event = json!({
                "event": "opt_in", "kind": "opt_in", "reference": msisdn, "user_msisdn": msisdn, "svc_id": TT,
                "status": "confirmed", "decided_at": decided_at, "network_subscription_id": msisdn,
            });
            assert_eq!(services.notify(PUSH, msisdn, &event).await.status, 200);
        }
        eventually("the welcome", async || services.inbox(&fresh).await.len() == 1).await;
        assert!(services.inbox(&late).await.is_empty(), "nothing is sent at night");
        services.set_clocks("2060-02-28T08:00:00+02:00").await;
        eventually("the late welcome", async || !services.inbox(&late).await.is_empty()).await;
    }

    async fn unpaid_sms_is_sent_in_the_morning_with_its_date(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("0003");
        services.joined("ttmbhatv", TT, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "failed").await;
        eventually("the welcome", async || services.inbox(&msisdn).await.len() == 1).await;
        services.set_clocks("2060-02-28T00:00:05+02:00").await;
        services.wait_for_state(&msisdn, "suspended").await;
        let message = services.newest_message(&msisdn).await;
        assert_eq!(message["state"], "waiting");
        assert_eq!(services.inbox(&msisdn).await.len(), 1);
        services.set_clocks(&format!("{NEXT}T08:00:00+02:00")).await;
        eventually("the notice", async || services.inbox(&msisdn).await.len() == 2).await;
        let text = services.inbox(&msisdn).await.remove(0);
        assert!(text.contains("paused") && text.contains("on 27 February") && !text.contains("today"), "{text}");
    }

    async fn delivered_messages_and_unconfirmed_attempts_are_deleted(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        services.browser("memeworld").join(&number("1111"), MEME).await;
        services.execute(format!(
            "INSERT INTO outbox (network, kind, body, attempts, next_at, done_at) \
             VALUES ('{PULL}', 'sms', '{{}}', 1, '2020-01-01 00:00:00', '2020-01-01 00:00:00')"
        ))
        .await;
        for (id, status) in [("old-yes", "confirmed"), ("old-no", "declined"), ("old-silence", "pending")] {
            services.execute(format!(
                "INSERT INTO tries (id, subscription_id, kind, status, network, reference, label, browser_hash, ext_ref, page, terms_version, address, agent, created_at) \
                 SELECT '{id}', MIN(id), 'opt_in', '{status}', '{PULL}', '', '', '', '', '', '', '', '', '2020-01-01 00:00:00' FROM subscriptions"
            ))
            .await;
        }
        // The first subscription has no confirmation after this one.
        services.execute("UPDATE events SET at = '2019-01-01 00:00:00'".to_owned()).await;
        // A starting replica runs maintenance at once.
        subscription::start(subscription_config(&services.store, &services.secret)).await.unwrap();
        eventually("the deletion", async || {
            let left = services.count("tries", "id IN ('old-no', 'old-silence')").await;
            left + services.count("outbox", "done_at < '2021-01-01 00:00:00'").await == 0
        })
        .await;
        assert_eq!(services.count("tries", "id = 'old-yes'").await, 1);
        assert_eq!(services.count("tries", "id NOT LIKE 'old-%'").await, 2);
    }
}
