//! `POST /internal/refund`: a ledger entry, and a request to the network.

use std::collections::BTreeSet;

use serde_json::json;
use testkit::{Client, on_each_engine};

use crate::{
    ledger::{DAY, NOON},
    services::{MEME, PUSH, TT, eventually, number, spawn},
};

const REFUND: &str = "/internal/refund";

on_each_engine! {
    async fn refund_is_made_once(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        for (label, svc_id) in [("memeworld", MEME), ("ttmbhatv", TT)] {
            let msisdn = number("1111");
            let browser = services.joined(label, svc_id, &msisdn).await;
            let charge = services.wait_for_charge(DAY, &msisdn, "settled").await;
            let request = json!({"ledger_id": charge.id, "reason": "a customer asked"});
            let first = services.admin(REFUND, &request).await;
            assert_eq!(first.status, 200);
            let first = first.json();
            assert_eq!((first["ledger_id"].as_i64(), first["cents"].as_i64()), (Some(charge.id), Some(300)));
            assert_eq!(services.admin(REFUND, &request).await.json()["id"], first["id"], "twice is once");
            let of_number = async || {
                let lines = services.ledger(DAY).await.into_iter().filter(|line| line.msisdn == msisdn);
                lines.map(|line| (line.kind, line.status, line.cents)).collect::<Vec<_>>()
            };
            let settled = |kind: &str| (kind.to_owned(), "settled".to_owned(), 300);
            eventually("the confirmation", async || of_number().await == [settled("charge"), settled("refund")]).await;
            assert_eq!(browser.get("/api/subscribe/me").await.json()["total_cents"], 0);
            assert_eq!(services.account(&msisdn).await["month_spend_cents"], 0);
        }
        // The charges are unchanged.
        services.assert_ledger_matches_network(DAY).await;
    }

    async fn charges_chosen_together_are_refunded_once_and_others_are_named(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let (penniless, paying) = (number("0003"), number("1111"));
        services.joined("memeworld", MEME, &penniless).await;
        services.joined("memeworld", MEME, &paying).await;
        services.joined("ttmbhatv", TT, &paying).await;
        let failed = services.wait_for_charge(DAY, &penniless, "failed").await;
        services.wait_for_charge(DAY, &paying, "settled").await;
        eventually("both charges", async || services.count("ledger", "kind = 'charge' AND status = 'settled'").await == 2).await;
        let lines = services.ledger(DAY).await;
        let paid: Vec<i64> = lines.iter().filter(|line| line.status == "settled").map(|line| line.id).collect();
        let order = json!({"ledger_ids": [paid[1], failed.id, 4711, paid[0], paid[0]], "reason": "never joined"});
        let reply = services.admin("/internal/refunds", &order).await;
        assert_eq!(reply.status, 200);
        let reply = reply.json();
        let ids = |list: &str| reply[list].as_array().unwrap().iter().map(|row| row["ledger_id"].as_i64().unwrap()).collect::<BTreeSet<_>>();
        assert_eq!((ids("refunds"), ids("refused")), (BTreeSet::from_iter(paid), BTreeSet::from([failed.id, 4711])));
        for refused in reply["refused"].as_array().unwrap() {
            let why = if refused["ledger_id"] == 4711 { "no such row" } else { "Only a settled charge" };
            assert!(refused["why"].as_str().unwrap().contains(why), "{refused}");
        }
        // After a lost reply the same call is made again.
        let again = services.admin("/internal/refunds", &order).await.json();
        assert_eq!(again["refunds"].as_array().unwrap().len(), 2);
        assert_eq!(services.count("ledger", "kind = 'refund'").await, 2);
        for (ids, status) in [(json!([]), 422), (json!((0..501).collect::<Vec<_>>()), 422), (json!(["x"]), 400)] {
            let order = json!({"ledger_ids": ids, "reason": "never joined"});
            assert_eq!(services.admin("/internal/refunds", &order).await.status, status);
        }
    }

    async fn network_reply_settles_only_its_own_refund(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        services.joined("ttmbhatv", TT, &msisdn).await;
        let charge = services.wait_for_charge(DAY, &msisdn, "settled").await;
        // Push networks choose their own keys: two networks may use the same one.
        services.execute(format!(
            "INSERT INTO ledger (subscription_id, network, day, kind, cents, status, charge_key, attempts, failures, pass, reason, at) \
             SELECT subscription_id, 'another', day, 'refund', cents, 'pending', 'refund-' || charge_key, 0, 0, 0, '', at FROM ledger WHERE id = {}",
            charge.id
        )).await;
        assert_eq!(services.admin(REFUND, &json!({"ledger_id": charge.id, "reason": "a customer asked"})).await.status, 200);
        let settled = format!("kind = 'refund' AND network = '{PUSH}' AND status = 'settled'");
        eventually("the confirmation", async || services.count("ledger", &settled).await == 1).await;
        assert_eq!(services.count("ledger", "network = 'another' AND status = 'pending'").await, 1);
    }

    async fn refund_of_unsettled_charge_is_409(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let (penniless, paying) = (number("0003"), number("1111"));
        for msisdn in [&penniless, &paying] {
            services.joined("memeworld", MEME, msisdn).await;
        }
        let failed = services.wait_for_charge(DAY, &penniless, "failed").await;
        let paid = services.wait_for_charge(DAY, &paying, "settled").await;
        for (body, status) in [
            (json!({"ledger_id": failed.id, "reason": "why not"}), 409),
            (json!({"ledger_id": 4711, "reason": "why not"}), 404),
            (json!({"ledger_id": paid.id, "reason": "  "}), 422),
            (json!({"ledger_id": paid.id, "reason": "x".repeat(257)}), 422),
            (json!({"ledger_id": paid.id}), 400),
        ] {
            assert_eq!(services.admin(REFUND, &body).await.status, status, "{body}");
        }
        let refund = services.admin(REFUND, &json!({"ledger_id": paid.id, "reason": "a mistake"})).await.json();
        let again = json!({"ledger_id": refund["id"], "reason": "a refund of a refund"});
        assert_eq!(services.admin(REFUND, &again).await.status, 409);
        let client = Client::new(services.addr, "localhost");
        assert_eq!(client.post(REFUND, &json!({"ledger_id": paid.id, "reason": "mine"})).await.status, 401);
    }
}
