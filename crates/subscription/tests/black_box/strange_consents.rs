//! The consent is the price that the page showed: nothing begins at another one, and each charge names the consent that allows it.

use diesel::connection::SimpleConnection;
use serde_json::{Value, json};
use store::Db;
use testkit::{Reply, on_each_engine};

use crate::{
    browser::Browser,
    network::Call,
    service::{DAY, MEMEWORLD, TTMBHA, TestEnv, later, number, wait_for},
};

/// As the page of memeworld shows its offer: cents, period, free days and parts.
const R3: &str = "300.day.0.";
const R5: &str = "500.day.0.";

/// The signed challenge of a page that shows this price.
async fn challenge(browser: &Browser, shown: &str) -> String {
    let reply = browser.post("/api/subscribe/challenge", &json!({"svc_id": MEMEWORLD, "shown": shown})).await;
    assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.bytes));
    reply.json()["challenge"].as_str().unwrap().to_owned()
}

/// JOIN on a page with this challenge; `more` are further fields of the request.
async fn press_join(browser: &Browser, msisdn: &str, challenge: &str, more: Value) -> Reply {
    let mut body = json!({"msisdn": msisdn, "ext_ref": "", "channel": "WAP", "svc_id": MEMEWORLD});
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    body["challenge"] = json!(challenge);
    browser.post("/api/subscribe", &body).await
}

/// The price becomes R5 a day, and the service follows.
async fn raise_price(env: &TestEnv) {
    env.change_brands("svc_id = 150\n", "svc_id = 150\noffer = { price_cents = 500 }\n");
    let mut n = 50;
    wait_for("the new offer counts", async || {
        n += 1;
        env.browser("memeworld").join(&number(n), MEMEWORLD).await;
        env.pull.requests(Call::OptIn).last().unwrap().body["price_cents"] == 500
    })
    .await;
}

async fn consent_of(env: &TestEnv, msisdn: &str) -> Value {
    env.account(msisdn).await["subscriptions"][0]["consents"][0].clone()
}

/// The requests for the network's page that name this number.
fn pages_of(env: &TestEnv, msisdn: &str) -> usize {
    env.pull.requests(Call::OptIn).iter().filter(|request| request.msisdn() == msisdn).count()
}

on_each_engine! {
    async fn join_at_a_price_that_the_page_did_not_show_begins_nothing(engine) {
        let env = TestEnv::start(engine).await;
        let (by_script, by_form) = (number(1), number(2));
        let browser = env.browser("memeworld");
        let (opened, unused) = (challenge(&browser, R3).await, challenge(&browser, R3).await);
        raise_price(&env).await;
        for (msisdn, challenge, more) in [
            (&by_script, opened.as_str(), json!({})),
            (&by_form, "", json!({"shown": R3})),
            // A network that the visitor has chosen changes nothing: its button showed R3, too.
            (&by_form, "", json!({"shown": R3, "network": "sandbox-pull"})),
            // What was signed counts, whatever the request adds.
            (&by_script, unused.as_str(), json!({"shown": R5})),
        ] {
            let reply = press_join(&browser, msisdn, challenge, more).await.json();
            assert_eq!(reply["result"], 3, "{reply}");
            assert_eq!((&reply["networks"][0]["price_cents"], &reply["networks"][0]["period"]), (&json!(500), &json!("day")));
            assert!(reply["error_message"].as_str().unwrap().contains("price has changed"), "{reply}");
            assert_eq!((pages_of(&env, msisdn), env.state(msisdn, MEMEWORLD).await.as_str()), (0, "none"));
        }
        let forged = opened.replacen("300", "500", 1);
        assert_ne!(forged, opened);
        let reply = press_join(&browser, &by_script, &forged, json!({"shown": R3})).await.json();
        assert_eq!(reply["result"], 3, "{reply}");

        // Both have now seen R5, press again, and pay that.
        let fresh = challenge(&browser, R5).await;
        for (msisdn, challenge, more) in [
            (&by_script, fresh.as_str(), json!({"network": "sandbox-pull"})),
            (&by_form, "", json!({"shown": format!("{R3}~{R5}"), "network": "sandbox-pull"})),
        ] {
            let reply = press_join(&browser, msisdn, challenge, more).await.json();
            assert_eq!(reply["result"], 1, "{reply}");
            env.notify(&env.pull, &env.pull.confirm(reply["redirectUrl"].as_str().unwrap())).await;
            wait_for("R5 is charged", async || env.pull.charged_and_refunded(msisdn) == (500, 0)).await;
            let consent = consent_of(&env, msisdn).await;
            assert_eq!((&consent["price_cents"], &consent["price_source"]), (&json!(500), &json!("page")), "{consent}");
            assert!(consent["wording"].as_str().unwrap().contains("R5/day"), "{consent}");
        }
        let rubbish = press_join(&browser, &number(3), "", json!({"shown": "\u{1}<300>"})).await;
        assert_eq!((rubbish.status, rubbish.header("content-type")), (422, "application/problem+json"));
    }

    async fn each_charge_names_the_consent_that_allows_it(engine) {
        let env = TestEnv::start(engine).await;
        let (msisdn, at_network) = (number(1), number(2));
        let browser = env.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        env.join_at_network(&env.pull, &at_network, MEMEWORLD).await;
        env.joined_and_paid("ttmbhatv", TTMBHA, &msisdn).await;
        wait_for("the first day of the other", async || env.pull.charged_and_refunded(&at_network) == (300, 0)).await;
        assert_eq!(browser.leave(MEMEWORLD).await.status, 200);
        raise_price(&env).await;
        env.set_clock(&later(DAY, 1), "09:00:00").await;
        env.joined("memeworld", MEMEWORLD, &msisdn).await;
        wait_for("the new price is charged", async || env.pull.charged_and_refunded(&msisdn) == (800, 0)).await;
        for (number, svc_id, prices) in
            [(&msisdn, MEMEWORLD, vec![500, 300]), (&msisdn, TTMBHA, vec![300]), (&at_network, MEMEWORLD, vec![300])]
        {
            let account = env.account(number).await;
            let all = account["subscriptions"].as_array().unwrap();
            let subscription = all.iter().find(|one| one["svc_id"] == svc_id).unwrap();
            let consents = subscription["consents"].as_array().unwrap();
            let charges = subscription["charges"].as_array().unwrap();
            let named: Vec<i64> = charges
                .iter()
                .map(|charge| {
                    let consent = consents.iter().find(|consent| consent["id"] == charge["consent"]).unwrap();
                    assert_eq!((&consent["status"], &consent["price_cents"]), (&json!("confirmed"), &charge["cents"]));
                    charge["cents"].as_i64().unwrap()
                })
                .collect();
            assert_eq!(named, prices, "{subscription}");
            let path = format!("/internal/consent/{number}");
            let document = String::from_utf8(env.get_as_admin(&path).await.bytes).unwrap();
            let id = charges[0]["consent"].as_str().unwrap();
            assert!(document.contains(&format!("<td>{id}</td>")), "{id}: {document}");
        }
    }

    async fn consent_without_a_recorded_price_says_so(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        env.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        let document = async || {
            let bytes = env.get_as_admin(&format!("/internal/consent/{msisdn}")).await.bytes;
            String::from_utf8(bytes).unwrap()
        };
        assert!(document().await.contains("incl. VAT, shown"));
        // As an earlier release has written it: the price is a default of the column.
        let db = Db::open(&env.store.config, subscription::NAME, subscription::MIGRATIONS).await.unwrap();
        let earlier = db.write(|conn| Ok::<_, store::Error>(conn.batch_execute("UPDATE tries SET price_source = ''")?));
        earlier.await.unwrap();
        let text = document().await;
        assert!(text.contains("not recorded") && !text.contains("incl. VAT, shown"), "{text}");
        assert_eq!(consent_of(&env, &msisdn).await["price_source"], "");
    }

    async fn link_of_a_page_with_an_old_price_leads_to_the_join_form(engine) {
        let env = TestEnv::start(engine).await;
        let browser = env.browser("memeworld");
        let follow = async |shown: &str| {
            let reply = browser.get(&format!("/api/subscribe/opt-in?svc_id=150&page=/list/7&shown={shown}")).await;
            assert_eq!(reply.status, 303, "{}", String::from_utf8_lossy(&reply.bytes));
            reply.header("location").to_owned()
        };
        assert!(follow(R3).await.starts_with(&env.pull.url()));
        raise_price(&env).await;
        let pages = env.pull.count(Call::OptIn);
        assert_eq!(follow(R3).await, "/memelogin?page=%2Flist%2F7");
        assert_eq!(env.pull.count(Call::OptIn), pages, "nothing begins");
        assert!(follow(R5).await.starts_with(&env.pull.url()));
    }
}
