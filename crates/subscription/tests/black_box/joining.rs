//! Joins, verifications and sessions: strangers cannot keep an owner from leaving, and a session ends with its subscription.

use std::time::{Duration, Instant};

use futures_util::{StreamExt, stream};
use reqwest::Method;
use serde_json::json;
use testkit::on_each_engine;

use crate::{
    browser::Browser,
    network::Call,
    service::{DAY, MEMEWORLD, Setup, TTMBHA, TestEnv, number, wait_for},
};

/// Tries of strangers with one number, each in a browser and at an address of its own.
const STRANGERS: usize = 70;

/// Joins a number from browsers at different addresses.
async fn join_as_strangers(env: &TestEnv, msisdn: &str) {
    let tries =
        (0..STRANGERS).map(|_| async move { env.browser("memeworld").try_to_join(msisdn, MEMEWORLD).await.status });
    let replies: Vec<u16> = stream::iter(tries).buffer_unordered(8).collect().await;
    assert!(replies.into_iter().all(|status| status == 200));
}

/// Exceeds the limit of an address per minute; returns the highest status. Repeated where a busy machine took more than a minute.
async fn checks_of_a_minute(browser: &Browser) -> u16 {
    for _ in 0..5 {
        let began = Instant::now();
        let checks = (0..620).map(|n| async move {
            let path = format!("/api/subscribe/check-sub?msisdn={}&subscription_id={n}", number(n));
            browser.get(&path).await.status
        });
        let replies: Vec<u16> = stream::iter(checks).buffer_unordered(16).collect().await;
        assert!(
            replies.iter().filter(|status| **status == 200).count() <= 600 || began.elapsed() > Duration::from_secs(60)
        );
        if began.elapsed() < Duration::from_secs(60) {
            return replies.into_iter().max().unwrap();
        }
    }
    panic!("this machine is too busy to ask 620 times within a minute");
}

on_each_engine! {
    async fn owner_can_verify_and_leave_while_strangers_join(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        env.joined("memeworld", MEMEWORLD, &msisdn).await;
        join_as_strangers(&env, &msisdn).await;
        let body = json!({"msisdn": msisdn, "svc_id": MEMEWORLD});

        let phone = env.browser("memeworld");
        let verify = phone.post("/api/subscribe/verify", &body).await;
        assert_eq!(verify.status, 200, "the owner proves the number on a new phone");
        assert!(verify.json()["redirectUrl"].as_str().unwrap().starts_with(&env.pull.url()));

        let leave = env.browser("memeworld").post("/api/subscribe/unsubscribe", &body).await;
        assert_eq!(leave.status, 200, "the owner leaves by a typed number");
        let page = leave.json()["redirectUrl"].as_str().unwrap().to_owned();
        env.notify(&env.pull, &env.pull.confirm(&page)).await;
        assert_eq!(env.state(&msisdn, MEMEWORLD).await, "cancelled");
    }

    async fn owner_can_join_while_strangers_join(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        let browser = env.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        assert_eq!(browser.leave(MEMEWORLD).await.status, 200);
        join_as_strangers(&env, &msisdn).await;
        let (page, id) = browser.join(&msisdn, MEMEWORLD).await;
        env.notify(&env.pull, &env.pull.confirm(&page)).await;
        assert_eq!(browser.check(&msisdn, &id).await, 1);
        assert_eq!(browser.me().await.status, 200);
    }

    async fn session_from_before_a_leave_is_401(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        let before = env.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        assert_eq!(before.me().await.status, 200);
        env.set_clock(DAY, "09:10:00").await;
        let mut stop = env.stop_event(&env.pull, &msisdn);
        stop["svc_id"] = json!(MEMEWORLD);
        env.notify(&env.pull, &stop).await;
        env.set_clock(DAY, "09:20:00").await;
        let since = env.joined("memeworld", MEMEWORLD, &msisdn).await;
        assert_eq!(before.me().await.status, 401, "a session from before the leave");
        assert_eq!(before.leave(MEMEWORLD).await.status, 401);
        assert_eq!(env.state(&msisdn, MEMEWORLD).await, "active");
        assert_eq!(since.me().await.status, 200, "the session of the new join");
        assert_eq!(since.leave(MEMEWORLD).await.json(), json!({"state": "cancelled"}));
    }

    async fn tap_that_leads_to_the_network_opens_the_session_and_charges_once(engine) {
        let env = TestEnv::start(engine).await;
        for (label, svc_id, network, page) in [
            ("memeworld", MEMEWORLD, &env.pull, "/memeCategory/1/1/memeworld"),
            ("ttmbhatv", TTMBHA, &env.push, "/ttsingle/3/ttmbhatv"),
        ] {
            let (msisdn, browser) = (number(1), env.browser(label));
            let asks = browser.follow_opt_in(svc_id, page).await;
            let request = network.requests(Call::OptIn).pop().unwrap();
            assert_eq!((request.msisdn(), request.body["price_cents"].as_i64()), ("", Some(300)));
            let id = request.text("subscription_id").to_owned();
            assert_eq!(browser.checked(&msisdn, &id).await["state"], "waiting");
            env.notify(network, &network.confirm_as(&asks, &msisdn)).await;
            // Another browser, with a cookie of its own, gets no session.
            let stranger = env.browser(label);
            stranger.follow_opt_in(svc_id, "").await;
            assert_eq!((stranger.check(&msisdn, &id).await, stranger.has_session()), (1, false));
            let reply = browser.checked(&msisdn, &id).await;
            assert_eq!((&reply["result"], &reply["state"], &reply["page"]), (&json!(1), &json!("active"), &json!(page)));
            assert_eq!(browser.me().await.json()["state"], "active");
            let account = env.account(&msisdn).await;
            let subscriptions = account["subscriptions"].as_array().unwrap();
            let subscription = subscriptions.iter().find(|one| one["svc_id"] == svc_id).unwrap();
            let consents = subscription["consents"].as_array().unwrap();
            assert_eq!(consents.len(), 1, "{consents:?}");
            assert_eq!((&consents[0]["kind"], &consents[0]["price_cents"]), (&json!("opt_in"), &json!(300)));
            assert!(consents[0]["wording"].as_str().unwrap().contains("R3/day"), "{consents:?}");
        }
        wait_for("the charge", async || env.rows(&env.today(), &number(1), "charge").await.len() == 1).await;
    }

    async fn declined_attempt_never_contradicts_a_running_subscription(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        let browser = env.browser("memeworld");
        let (page, older) = browser.join(&msisdn, MEMEWORLD).await;
        let mut no = env.pull.confirm(&page);
        env.pull.end(&msisdn, MEMEWORLD);
        no["status"] = json!("declined");
        no["network_subscription_id"] = json!(null);
        env.notify(&env.pull, &no).await;
        let reply = browser.checked(&msisdn, &older).await;
        assert_eq!((&reply["state"], &reply["session"]), (&json!("declined"), &json!(false)));
        assert!(reply["message"].as_str().unwrap().ends_with("Nothing is charged."), "{reply}");
        let (page, id) = browser.join(&msisdn, MEMEWORLD).await;
        env.notify(&env.pull, &env.pull.confirm(&page)).await;
        assert_eq!(browser.check(&msisdn, &id).await, 1);
        let reply = browser.checked(&msisdn, &older).await;
        assert_eq!((&reply["result"], &reply["session"], reply.get("message")), (&json!(0), &json!(true), None));
        let elsewhere = env.browser("memeworld").checked(&msisdn, &older).await;
        assert!(!elsewhere["message"].as_str().unwrap().contains("charged"), "{elsewhere}");
    }

    async fn opt_in_at_the_network_keeps_the_networks_words_as_its_consent(engine) {
        let env = TestEnv::start(engine).await;
        for (svc_id, network) in [(MEMEWORLD, &env.pull), (TTMBHA, &env.push)] {
            let msisdn = number(1);
            let id = env.join_at_network(network, &msisdn, svc_id).await;
            let account = env.account(&msisdn).await;
            let subscriptions = account["subscriptions"].as_array().unwrap();
            let subscription = subscriptions.iter().find(|one| one["svc_id"] == svc_id).unwrap();
            let consents = subscription["consents"].as_array().unwrap();
            assert_eq!(consents.len(), 1, "{consents:?}");
            assert_eq!((&consents[0]["kind"], &consents[0]["reference"]), (&json!("at_network"), &json!(id)));
            let words = consents[0]["wording"].as_str().unwrap();
            assert!(words.contains(&format!("\"{id}\"")) && !words.contains(&msisdn), "{words}");
        }
        let document = env.get_as_admin(&format!("/internal/consent/{}", number(1))).await;
        let document = String::from_utf8(document.bytes.to_vec()).unwrap();
        assert_eq!(document.matches("The opt-in began at the network, not on a page of ours.").count(), 2);
    }

    async fn check_sub_with_network_own_id_returns_0(engine) {
        let env = TestEnv::start(engine).await;
        let msisdn = number(1);
        let id = env.join_at_network(&env.pull, &msisdn, MEMEWORLD).await;
        assert_eq!(env.state(&msisdn, MEMEWORLD).await, "active");
        assert_eq!(env.browser("memeworld").check(&msisdn, &id).await, 0);
    }

    async fn check_sub_allows_600_requests_a_minute_per_address(engine) {
        let env = TestEnv::start(engine).await;
        assert_eq!(checks_of_a_minute(&env.browser("memeworld")).await, 429);
        assert_eq!(env.browser("memeworld").check(&number(1), "no-such-id").await, 0, "from another address");
    }

    async fn enrichment_header_is_ignored_on_https(engine) {
        let env = Setup::new(engine)
            .setting("ENRICHMENT_HEADER", "X-MSISDN")
            .setting("ENRICHMENT_SOURCES", "10.0.0.0/8")
            .start()
            .await;
        let msisdn = number(1);
        env.join_at_network(&env.pull, &msisdn, MEMEWORLD).await;
        let body = json!({"msisdn": msisdn, "svc_id": MEMEWORLD});
        let verify = async |headers: &[(&str, &str)]| {
            let browser = env.browser("memeworld");
            let reply = browser.send(Method::POST, "/api/subscribe/verify", Some(&body), headers).await;
            assert_eq!(reply.status, 200);
            reply.json()["redirectUrl"].as_str().unwrap().to_owned()
        };
        let named = ("x-msisdn", msisdn.as_str());
        let proved = verify(&[named]).await;
        assert!(proved.contains("/DoiRedirect"), "over http the header counts: {proved}");
        let opt_ins_before = env.pull.count(Call::OptIn);
        let page = verify(&[named, ("x-forwarded-proto", "https")]).await;
        assert!(page.starts_with(&env.pull.url()), "over https only the client can have written it: {page}");
        assert_eq!(env.pull.count(Call::OptIn), opt_ins_before + 1);
    }
}
