//! Charges after leaves and lapses, and states after charges; months and reminders.

use serde_json::json;
use testkit::{Client, on_each_engine};

use crate::{
    ledger::{DAY, NEXT, NOON, days_after, morning},
    services::{MEME, Options, TT, eventually, number, spawn, spawn_with},
};

const NEXT_BUT_ONE: &str = "2060-02-29";
const LEAVE: &str = "/api/subscribe/unsubscribe";

on_each_engine! {
    async fn pass_after_leave_charges_nothing(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        let browser = services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        services.set_clocks(&morning(NEXT)).await;
        browser.post(LEAVE, &json!({"svc_id": MEME})).await;
        assert_eq!(services.pass(NEXT).await, [0, 0, 0, 0, 0]);
        assert_eq!(services.charges(NEXT).await.len(), 0);
    }

    async fn push_charge_after_leave_is_refunded(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        let browser = services.joined("ttmbhatv", TT, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        services.set_clocks(&morning(NEXT)).await;
        browser.post(LEAVE, &json!({"svc_id": TT})).await;
        services.execute_in_sandbox(format!(
            "INSERT INTO charges (charge_key, msisdn, svc_id, cents, day, at) VALUES ('late', '{msisdn}', {TT}, 300, '{NEXT}', '{NEXT} 05:00:00')"
        )).await;
        let event = json!({
            "amount": 300, "billing_ref": "late", "result_name": "SUCCESS", "billed_at": format!("{NEXT}T07:00:00+02:00"),
            "subscription": {"subscription_id": 1, "user_msisdn": msisdn, "svc_id": TT, "status_id": 2},
        });
        for _ in 0..2 {
            assert_eq!(services.notify(crate::services::PUSH, "m-late", &event).await.status, 200);
        }
        eventually("the refund", async || services.ledger(NEXT).await.iter().filter(|line| line.status == "settled").count() == 2).await;
        let kinds: Vec<_> = services.ledger(NEXT).await.into_iter().map(|line| line.kind).collect();
        assert_eq!(kinds, ["charge", "refund"]);
        assert_eq!(services.account(&msisdn).await["month_spend_cents"], 300, "the first day's alone");
        assert_eq!(services.state_and_causes(&msisdn).await.0, "cancelled");
        services.assert_ledger_matches_network(NEXT).await;
    }

    async fn push_charge_after_leave_is_refunded_after_rejoin(engine) {
        let services = spawn_with(engine, Options { operator_down: true, ..Options::default() }).await;
        let noon = json!({"now": format!("{NEXT_BUT_ONE}T12:00:00+02:00")});
        assert_eq!(services.admin("/internal/clock", &noon).await.status, 200);
        let msisdn = number("1111");
        let at = |time: &str| format!("{DAY}T{time}:00+02:00");
        let runs = |id: i64, since: &str| {
            json!({"subscription_id": id, "user_msisdn": msisdn, "svc_id": TT, "status_id": 2, "created_at": at(since), "updated_at": at(since)})
        };
        let ended = json!({"subscription_id": 1, "user_msisdn": msisdn, "svc_id": TT, "status_id": 8, "updated_at": at("10:00")});
        let paid = |day: &str, time: &str, id: i64| {
            let billed_at = format!("{day}T{time}:00+02:00");
            json!({"amount": 300, "billing_ref": format!("{day}-{id}"), "result_name": "SUCCESS", "billed_at": billed_at, "subscription": runs(id, "09:00")})
        };
        // The first subscription's last charges arrive after the second has started: one of its own time, one of the day after its end.
        for (step, event) in
            [runs(1, "09:00"), ended, runs(2, "11:00"), paid(DAY, "09:30", 1), paid(NEXT, "06:00", 1), paid(NEXT_BUT_ONE, "06:00", 2)]
                .iter()
                .enumerate()
        {
            assert_eq!(services.notify(crate::services::PUSH, &format!("m{step}"), event).await.status, 200);
        }
        assert_eq!(services.state_and_causes(&msisdn).await.0, "active");
        let mut kinds = Vec::new();
        for day in [DAY, NEXT, NEXT_BUT_ONE] {
            kinds.push(services.ledger(day).await.into_iter().map(|line| line.kind).collect::<Vec<_>>());
        }
        // A refund is entered on the day it is made.
        assert_eq!(kinds, [vec!["charge"], vec!["charge"], vec!["refund", "charge"]]);
    }

    async fn leave_before_the_claim_prevents_the_charge(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        let browser = services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        services.set_clocks(&morning(NEXT)).await;
        // The state of a pass that has inserted its rows and sent nothing yet.
        services.execute(format!(
            "INSERT INTO ledger (subscription_id, network, day, kind, cents, status, charge_key, attempts, failures, pass, reason, at) \
             SELECT id, 'sandbox-pull', '{NEXT}', 'charge', 300, 'pending', 'k1', 0, 0, 0, '', since FROM subscriptions"
        )).await;
        browser.post(LEAVE, &json!({"svc_id": MEME})).await;
        assert_eq!(services.pass(NEXT).await, [1, 0, 0, 0, 1]);
        // The claim skips a charge whose subscription is locked (the network's own stop is being applied).
        eventually("the row's end", async || {
            services.pass(NEXT).await;
            services.charge_of(NEXT, &msisdn).await.unwrap().status == "failed"
        })
        .await;
        assert_eq!(services.charges(NEXT).await.len(), 0);
    }

    async fn leave_during_a_charge_lets_it_settle(engine) {
        let short = |config: &mut subscription::Config| config.charge_timeout_ms = 3000;
        let services = spawn_with(engine, Options { settings: Some(short), ..Options::default() }).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        let browser = services.joined("memeworld", MEME, &msisdn).await;
        let charge = services.wait_for_charge(DAY, &msisdn, "settled").await;
        // The state between the network's charge and its reply.
        services.execute(format!(
            "UPDATE ledger SET status = 'pending', network_ref = NULL, claim = 'a process that died', sent_at = '2026-01-01 00:00:00' WHERE id = {}",
            charge.id
        )).await;
        browser.post(LEAVE, &json!({"svc_id": MEME})).await;
        assert_eq!(services.wait_for_charge(DAY, &msisdn, "settled").await.key, charge.key);
        services.assert_ledger_matches_network(DAY).await;
        assert_eq!(services.state_and_causes(&msisdn).await.1, ["joined", "confirmed", "left"]);
    }

    async fn thirty_unpaid_days_end_the_subscription(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("0003");
        services.joined("memeworld", MEME, &msisdn).await;
        services.set_clocks(&morning(NEXT)).await;
        for _ in 0..3 {
            services.pass(NEXT).await;
        }
        assert_eq!(services.state_and_causes(&msisdn).await.0, "suspended");
        let eve = days_after(DAY, 29);
        let announced = services.announce_charges(&eve).await;
        assert_eq!(announced, [0, 0, 0, 0, 0], "after days without a charge an SMS comes first");
        assert_eq!(services.pass(&eve).await, [1, 0, 1, 0, 0]);
        assert_eq!(services.state_and_causes(&msisdn).await.0, "suspended");
        let last = days_after(DAY, 30);
        services.set_clocks(&morning(&last)).await;
        assert_eq!(services.pass(&last).await, [1, 0, 1, 0, 0], "a last try");
        assert_eq!(services.state_and_causes(&msisdn).await.1, ["joined", "confirmed", "unpaid", "lapsed"]);
        // Not in the quiet hours.
        services.set_clocks(&format!("{last}T08:00:00+02:00")).await;
        eventually("the goodbye", async || services.inbox(&msisdn).await.iter().any(|sms| sms.contains("30 days"))).await;
        let after = days_after(DAY, 31);
        services.set_clocks(&morning(&after)).await;
        assert_eq!(services.pass(&after).await, [0, 0, 0, 0, 0]);
    }

    async fn maintenance_ends_lapsed_subscriptions(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("0003");
        services.joined("memeworld", MEME, &msisdn).await;
        services.set_clocks(&morning(NEXT)).await;
        for _ in 0..3 {
            services.pass(NEXT).await;
        }
        services.set_clocks(&morning(&days_after(DAY, 31))).await;
        services.wait_for_state(&msisdn, "cancelled").await;
        assert_eq!(services.state_and_causes(&msisdn).await.1.last().unwrap(), "lapsed");
    }

    async fn unpaid_push_day_suspends_and_payment_reactivates(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("0003");
        services.joined("ttmbhatv", TT, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "failed").await;
        assert_eq!(services.state_and_causes(&msisdn).await.0, "active");
        services.set_clocks("2060-02-28T00:00:01+02:00").await;
        services.wait_for_state(&msisdn, "suspended").await;
        let event = json!({
            "amount": 300, "billing_ref": "b1", "result_name": "SUCCESS", "billed_at": "2060-02-28T00:00:01+02:00",
            "subscription": {"subscription_id": 1, "user_msisdn": msisdn, "svc_id": TT, "status_id": 2},
        });
        assert_eq!(services.notify(crate::services::PUSH, "m1", &event).await.status, 200);
        assert_eq!(services.state_and_causes(&msisdn).await.1, ["joined", "confirmed", "unpaid", "paid"]);
    }

    async fn month_spend_uses_johannesburg_months_and_all_services(engine) {
        let services = spawn(engine).await;
        // The last day of a leap February.
        services.set_clocks("2060-02-29T23:00:00+02:00").await;
        let msisdn = number("1111");
        for (label, svc_id) in [("memeworld", MEME), ("mcfunny", 148), ("ttmbhatv", TT)] {
            services.joined(label, svc_id, &msisdn).await;
        }
        eventually("three charges", async || services.account(&msisdn).await["month_spend_cents"] == 900).await;
        services.assert_ledger_matches_network("2060-02-29").await;
        services.set_clocks("2060-03-01T00:00:01+02:00").await;
        assert_eq!(services.account(&msisdn).await["month_spend_cents"], 0);
        assert_eq!(services.pass("2060-03-01").await, [2, 2, 0, 0, 0]);
        assert_eq!(services.account(&msisdn).await["month_spend_cents"], 600);
        services.assert_ledger_matches_network("2060-03-01").await;
    }

    async fn reminder_is_sent_every_month_after_the_first(engine) {
        let services = spawn(engine).await;
        services.set_clocks("2060-01-31T12:00:00+02:00").await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        let reminders = async || {
            services.inbox(&msisdn).await.iter().filter(|sms| sms.starts_with("You are subscribed")).count()
        };
        let written = async |month: &str| services.count("reminders", &format!("month = '{month}'")).await;
        // Noon of a day, with its charge; due reminders are written before this returns.
        let noon_of = async |day: &str| {
            services.announce_charges(day).await;
            services.pass(day).await;
            let run = format!("network = 'sandbox-pull' AND day = '{day}'");
            eventually("the day's reminders", async || services.count("reminder_runs", &run).await == 1).await;
        };
        noon_of("2060-02-28").await;
        assert_eq!(written("2060-02").await, 0);
        // February has no 31st: the reminder is due on its last day, outside the quiet hours.
        services.set_clocks("2060-02-29T07:59:00+02:00").await;
        tokio::time::sleep(std::time::Duration::from_secs(2)).await;
        assert_eq!(written("2060-02").await, 0);
        services.set_clocks("2060-02-29T08:00:00+02:00").await;
        eventually("the reminder", async || reminders().await == 1).await;
        let text = services.inbox(&msisdn).await.into_iter().find(|sms| sms.starts_with("You are subscribed")).unwrap();
        for part in ["MEMEWORLD", "subscription service", "Spaza", "R3/day incl. VAT", "STOP", "080 000 0150"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        services.pass("2060-02-29").await;
        for day in ["2060-03-20", "2060-03-30"] {
            noon_of(day).await;
        }
        assert_eq!((written("2060-02").await, written("2060-03").await), (1, 0));
        noon_of("2060-03-31").await;
        eventually("the second", async || reminders().await == 2).await;
        // Nothing ran on 30 April: a missed month is not made up for in the next.
        for day in ["2060-04-15", "2060-05-10", "2060-05-31"] {
            noon_of(day).await;
        }
        eventually("the third", async || reminders().await == 3).await;
        assert_eq!((written("2060-04").await, written("2060-05").await), (0, 1));
        // A subscriber who has left gets no reminder.
        Client::new(services.sandbox, "localhost").post("/sms", &json!({"msisdn": msisdn, "text": "STOP"})).await;
        services.wait_for_state(&msisdn, "cancelled").await;
        noon_of("2060-06-30").await;
        assert_eq!(written("2060-06").await, 0);
    }
}
