//! Events that say something true in another form, or twice: consent and price stay, and optional fields decide nothing.

use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use testkit::on_each_engine;

use crate::{
    network::Call,
    service::{DAY, DISKI, MEMEWORLD, Setup, TTMBHA, TestEnv, later, number, wait_for},
};

/// What systems write into a field that they do not use.
pub const RUBBISH: [&str; 8] = [
    "\"0000-00-00 00:00:00\"",
    "\"2031-03-05 09:00:00+02\"",
    "1930460400",
    "\"05/03/2031 09:00\"",
    "\"null\"",
    "\"\"",
    "{\"at\":[]}",
    "\"\\u0001\"",
];

/// The optional fields of a push network's subscription.
const OPTIONAL: [&str; 10] = [
    "last_billed_at",
    "next_billing_at",
    "created_at",
    "svc_name",
    "ext_ref",
    "channel_name",
    "status_name",
    "billing_rate",
    "billing_cycle",
    "partner_ref",
];

pub fn rubbish(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// Waits until joins are offered at this price: those of numbers that no test uses.
async fn price_is_offered(env: &TestEnv, label: &str, svc_id: i64, cents: i64) {
    let mut n = 50;
    wait_for("the new offer is shown", async || {
        n += 1;
        env.browser(label).join(&number(n), svc_id).await;
        env.network_of(svc_id).requests(Call::OptIn).last().unwrap().body["price_cents"] == cents
    })
    .await;
}

on_each_engine! {
    async fn repeated_opt_in_event_changes_neither_price_nor_period(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        let joined = json!({
            "event": "opt_in", "kind": "opt_in", "reference": "at-network", "subscription_id": null,
            "user_msisdn": msisdn, "svc_id": MEMEWORLD, "status": "confirmed",
            "decided_at": env.pull.now().to_rfc3339(), "network_subscription_id": env.pull.begin(&msisdn, MEMEWORLD).to_string(),
        });
        env.notify(&env.pull, &joined).await;
        wait_for("the first charge", async || env.pull.charged_and_refunded(&msisdn) == (300, 0)).await;
        env.change_brands("svc_id = 150\n", "svc_id = 150\noffer = { price_cents = 5000, period = \"month\" }\n");
        price_is_offered(&env, "memeworld", MEMEWORLD, 5000).await;
        let texts = env.pull.texts_to(&msisdn).len();
        env.notify(&env.pull, &joined).await;
        // The same under another id of the network: a migration.
        let mut moved = joined.clone();
        moved["network_subscription_id"] = json!("migrated-1");
        env.notify(&env.pull, &moved).await;
        for days in 1..3 {
            env.set_clock(&later(DAY, days), "09:00:00").await;
            env.pass().await;
        }
        assert_eq!(env.pull.net_charges_by_day(&msisdn).values().copied().collect::<Vec<_>>(), [300, 300, 300]);
        assert_eq!(env.pull.texts_to(&msisdn).len(), texts);
        let account = env.account(&msisdn).await;
        let events = account["subscriptions"][0]["events"].as_array().unwrap().len();
        assert_eq!(events, 1, "{account}");
    }

    async fn new_price_of_a_running_subscription_is_an_event_and_an_sms(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        // Two pages are open: the number confirms the older one first.
        let (first, second) = (env.browser("memeworld"), env.browser("memeworld"));
        let (first_page, _) = first.join(&msisdn, MEMEWORLD).await;
        env.change_brands("svc_id = 150\n", "svc_id = 150\noffer = { price_cents = 500 }\n");
        price_is_offered(&env, "memeworld", MEMEWORLD, 500).await;
        let (second_page, _) = second.join(&msisdn, MEMEWORLD).await;
        env.notify(&env.pull, &env.pull.confirm(&first_page)).await;
        let texts = env.pull.texts_to(&msisdn).len();
        env.notify(&env.pull, &env.pull.confirm(&second_page)).await;
        wait_for("an SMS about the new price", async || {
            env.pull.texts_to(&msisdn).iter().skip(texts).any(|text| text.contains("R5/day"))
        })
        .await;
        let account = env.account(&msisdn).await;
        let events = account["subscriptions"][0]["events"].as_array().unwrap();
        assert_eq!(events.last().unwrap()["cause"], "repriced", "{account}");
    }

    async fn older_consent_that_a_push_network_reports_late_changes_nothing(engine) {
        let at_r5 = |text: String| text.replace("svc_id = 152\n", "svc_id = 152\noffer = { price_cents = 500 }\n");
        let env = Setup::new(engine).brands(at_r5).start().await;
        let browser = env.browser("ttmbhatv");
        let mut older = Vec::new();
        for n in 0..3 {
            older.push(browser.join(&number(n), TTMBHA).await);
        }
        assert_eq!(env.push.requests(Call::OptIn).last().unwrap().body["price_cents"], 500);
        env.change_brands("offer = { price_cents = 500 }\n", "");
        env.set_clock(DAY, "10:00:00").await;
        price_is_offered(&env, "ttmbhatv", TTMBHA, 300).await;
        for (n, (older_page, older_id)) in older.iter().enumerate() {
            let msisdn = number(n);
            let (page, _) = browser.join(&msisdn, TTMBHA).await;
            env.notify(&env.push, &env.push.confirm(&page)).await;
            let id = json!(env.push.subscription(&msisdn, TTMBHA).unwrap().id.to_string());
            // The page at R5 was confirmed, too: as a subscription of its own, as the running one, and as an answer to the opt-in.
            let mut late = match n {
                0 => env.push.confirm(older_page),
                1 => env.push.subscription_event(&msisdn, TTMBHA, &id, 2),
                _ => json!({
                    "event": "opt_in", "kind": "opt_in", "reference": older_page.rsplit('/').next(), "user_msisdn": msisdn,
                    "subscription_id": older_id, "svc_id": TTMBHA, "status": "confirmed",
                    "decided_at": env.push.now().to_rfc3339(), "network_subscription_id": id,
                }),
            };
            if n == 1 {
                late["partner_ref"] = json!(older_id);
            }
            env.notify(&env.push, &late).await;
            let account = env.account(&msisdn).await;
            let subscription = &account["subscriptions"][0];
            assert_eq!((&subscription["state"], &subscription["price_cents"]), (&json!("active"), &json!(300)), "{late}");
            let events = subscription["events"].as_array().unwrap();
            assert!(events.iter().all(|event| event["cause"] != "repriced"), "{late}: {account}");
            // It is charged at the price of the newer page.
            let paid = env.push.billing_event(&msisdn, TTMBHA, &id, &format!("b-{n}"), "SUCCESS");
            env.notify(&env.push, &paid).await;
            assert_eq!(env.month_spend(&msisdn).await, 300, "{late}");
        }
        assert!(env.alarms().is_empty(), "{:?}", env.alarms());
    }

    async fn unreadable_optional_fields_lose_no_event(engine) {
        let env = TestEnv::start(engine).await;
        let cases: Vec<(usize, &str, &str)> = OPTIONAL
            .iter()
            .chain(&["updated_at"])
            .flat_map(|field| RUBBISH.iter().map(move |text| (*field, *text)))
            .enumerate()
            .map(|(n, (field, text))| (n, field, text))
            .collect();
        let run = async |(n, field, text): (usize, &str, &str)| {
            let msisdn = number(n);
            let id = json!(env.push.begin(&msisdn, TTMBHA).to_string());
            let with = |mut event: Value| {
                event[field] = rubbish(text);
                event
            };
            env.notify(&env.push, &with(env.push.subscription_event(&msisdn, TTMBHA, &id, 2))).await;
            assert_eq!(env.state(&msisdn, TTMBHA).await, "active", "{field}: {text}");
            let mut paid = env.push.billing_event(&msisdn, TTMBHA, &id, &format!("b-{n}"), "SUCCESS");
            paid["subscription"] = with(paid["subscription"].clone());
            env.notify(&env.push, &paid).await;
            assert_eq!(env.month_spend(&msisdn).await, 300, "{field}: {text}");
            env.notify(&env.push, &with(env.push.subscription_event(&msisdn, TTMBHA, &id, 8))).await;
            assert_eq!(env.state(&msisdn, TTMBHA).await, "cancelled", "{field}: {text}");
        };
        stream::iter(cases).map(run).buffer_unordered(4).collect::<Vec<_>>().await;

        // The same of the pull network's opt-ins and leaves.
        for (n, text) in RUBBISH.iter().enumerate() {
            let msisdn = number(500 + n);
            env.pull.begin(&msisdn, DISKI);
            for (kind, state) in [("opt_in", "active"), ("leave", "cancelled")] {
                for field in ["decided_at", "ext_ref", "network_subscription_id"] {
                    let mut answered = json!({
                        "event": "opt_in", "kind": kind, "reference": format!("r-{n}"), "subscription_id": null,
                        "user_msisdn": msisdn, "svc_id": DISKI, "status": "confirmed",
                    });
                    if field != "network_subscription_id" || kind == "leave" {
                        answered[field] = rubbish(text);
                    }
                    env.notify(&env.pull, &answered).await;
                    assert_eq!(env.state(&msisdn, DISKI).await, state, "{kind}, {field}: {text}");
                }
            }
        }
    }
}
