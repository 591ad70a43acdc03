//! `GET /api/subscribe/opt-in`: the link to the network's page that asks for the number, and the return from it; and opt-ins without it.

use serde_json::{Value, json};
use testkit::{Reply, on_each_engine};

use crate::services::{Browser, MEME, Options, TT, TestServices, eventually, number, post_form, spawn, spawn_with};

/// Follows the link, and types the number on the network's page; the page's address.
async fn follow(browser: &Browser, svc_id: i32, page: &str, msisdn: &str) -> String {
    let reply = link(browser, svc_id, page).await;
    assert_eq!((reply.status, reply.header("cache-control")), (303, "no-store"));
    assert!(reply.header("set-cookie").starts_with("browser="), "the return needs the cookie of this browser");
    let asks = reply.header("location").to_owned();
    let named = post_form(&format!("{asks}/number"), &[("msisdn", msisdn)]).await;
    assert_eq!(named.status(), 303);
    assert_eq!(named.headers()["location"].to_str().unwrap(), asks);
    asks
}

async fn link(browser: &Browser, svc_id: i32, page: &str) -> Reply {
    let query = url::form_urlencoded::Serializer::new(String::new())
        .append_pair("svc_id", &svc_id.to_string())
        .append_pair("page", page)
        .finish();
    browser.get(&format!("/api/subscribe/opt-in?{query}")).await
}

/// The reply of check-sub for a return address.
async fn check_back(browser: &Browser, back: &str) -> Value {
    let (_, query) = back.split_once("/DoiRedirect?").unwrap();
    let reply = browser.get(&format!("/api/subscribe/check-sub?{query}")).await;
    assert_eq!(reply.status, 200);
    reply.json()
}

async fn consents(services: &TestServices, msisdn: &str) -> Vec<Value> {
    services.account(msisdn).await["subscriptions"][0]["consents"].as_array().unwrap().clone()
}

on_each_engine! {
    async fn confirmed_link_opens_the_session_with_its_consent_and_page(engine) {
        let services = spawn(engine).await;
        for (label, svc_id, page) in
            [("memeworld", MEME, "/memeCategory/1/1/memeworld?after=6&meme=7"), ("ttmbhatv", TT, "/ttsingle/3/ttmbhatv")]
        {
            let msisdn = number("1111");
            let browser = services.browser(label);
            let asks = follow(&browser, svc_id, page, &msisdn).await;
            let back = browser.submit_answer(&asks, "confirm").await;
            let reply = check_back(&browser, &back).await;
            assert_eq!((&reply["result"], &reply["state"], &reply["session"]), (&json!(1), &json!("active"), &json!(true)));
            assert_eq!(reply["page"], page);
            let message = reply["message"].as_str().unwrap();
            assert!(message.contains("R3 is charged today") && message.contains("SMS STOP to 31222"), "{message}");
            assert!(browser.has_session());
            assert_eq!(browser.get("/api/subscribe/me").await.json()["state"], "active");
            let consents = consents(&services, &msisdn).await;
            assert_eq!(consents.len(), 1, "one attempt of ours, and none of the network's own");
            let consent = &consents[0];
            assert_eq!((&consent["kind"], &consent["status"]), (&json!("opt_in"), &json!("confirmed")));
            assert_eq!((&consent["price_cents"], &consent["language"]), (&json!(300), &json!("en")));
            let wording = consent["wording"].as_str().unwrap();
            assert!(wording.ends_with(". R3/day · 18+ · how to stop"), "{wording}");
            eventually("one charge", async || services.count("ledger", "status = 'settled'").await >= 1).await;
        }
        assert_eq!(services.count("ledger", "kind = 'charge'").await, 2, "one for each number");
    }

    async fn declined_link_charges_nothing_and_says_so(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        let browser = services.browser("memeworld");
        let asks = follow(&browser, MEME, "", &msisdn).await;
        let back = browser.submit_answer(&asks, "decline").await;
        let reply = check_back(&browser, &back).await;
        assert_eq!((&reply["result"], &reply["state"], &reply["session"]), (&json!(0), &json!("declined"), &json!(false)));
        let said = "You have not joined MEMEWORLD: your network has not confirmed it. Nothing is charged.";
        assert_eq!(reply["message"], said);
        assert!(!browser.has_session());
        assert_eq!(services.count("ledger", "1 = 1").await, 0);
    }

    async fn another_browser_or_number_gets_no_session_of_a_link(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        let (browser, stranger) = (services.browser("memeworld"), services.browser("memeworld"));
        let asks = follow(&browser, MEME, "", &msisdn).await;
        let back = browser.submit_answer(&asks, "confirm").await;
        stranger.join(&number("2222"), MEME).await;
        assert_eq!(check_back(&stranger, &back).await["session"], false);
        assert!(!stranger.has_session());
        // Who began it, and does not know who confirmed it.
        let guessed = back.replace(&msisdn, &number("3333"));
        assert_eq!(check_back(&browser, &guessed).await["state"], "unknown");
        assert!(!browser.has_session());
        assert_eq!(check_back(&browser, &back).await["session"], true);
    }

    async fn link_refuses_pages_and_services_of_others(engine) {
        let services = spawn(engine).await;
        let browser = services.browser("memeworld");
        for page in ["//evil.example", "https://evil.example", "/\\evil", "/api/subscribe/me", "/forms/leave", "/x?msisdn=0812345678"] {
            let reply = link(&browser, MEME, page).await;
            assert_eq!(reply.status, 422, "{page}");
            assert_eq!(reply.json()["error_message"], "The page must be a path of this site.");
        }
        assert_eq!(link(&browser, TT, "").await.status, 422, "another brand's service");
        assert_eq!(link(&browser, 1, "").await.status, 422);
        assert_eq!(browser.get("/api/subscribe/opt-in").await.status, 400);
        // Joins and proofs have the same rule.
        let join = json!({ "msisdn": number("1111"), "channel": "WAP", "svc_id": MEME, "page": "//evil.example" });
        assert_eq!(browser.post("/api/subscribe", &join).await.status, 422);
        let verify = json!({ "msisdn": number("1111"), "svc_id": MEME, "page": "/internal/x" });
        assert_eq!(browser.post("/api/subscribe/verify", &verify).await.status, 422);
        assert_eq!(services.count("tries", "1 = 1").await, 0);
    }

    async fn link_from_another_site_leads_to_the_join_form(engine) {
        let services = spawn(engine).await;
        let browser = services.browser("memeworld").with_header("sec-fetch-site", "cross-site");
        let reply = link(&browser, MEME, "/memeCategory/1/1/memeworld").await;
        assert_eq!((reply.status, reply.header("location")), (303, "/memelogin?page=%2FmemeCategory%2F1%2F1%2Fmemeworld"));
        assert_eq!(services.count("tries", "1 = 1").await, 0);
    }

    async fn link_without_the_network_is_503_and_leaves_nothing(engine) {
        let services = spawn_with(engine, Options { operator_down: true, ..Options::default() }).await;
        let reply = link(&services.browser("memeworld"), MEME, "").await;
        assert_eq!((reply.status, reply.header("retry-after")), (503, "5"));
        assert_eq!(reply.json()["error_message"], "Your network is not answering right now. Please try again in a moment.");
        assert_eq!(services.count("tries", "1 = 1").await, 0);
        assert_eq!(services.count("subscriptions", "1 = 1").await, 0);
    }

    async fn opt_in_begun_at_the_network_keeps_its_reference_and_words(engine) {
        let services = spawn(engine).await;
        for (label, svc_id) in [("memeworld", MEME), ("ttmbhatv", TT)] {
            let msisdn = number("1111");
            let form = [("svc_id", &*svc_id.to_string()), ("msisdn", &msisdn)];
            let page = post_form(&format!("http://{}/opt-in", services.sandbox), &form).await;
            let browser = services.browser(label);
            let back = browser.submit_answer(page.headers()["location"].to_str().unwrap(), "confirm").await;
            services.wait_for_state(&msisdn, "active").await;
            let reply = check_back(&browser, &back).await;
            assert_eq!((&reply["result"], &reply["state"]), (&json!(0), &json!("unknown")));
            assert!(!reply["message"].as_str().unwrap().contains("Nothing is charged"), "{reply}");
            let consents = consents(&services, &msisdn).await;
            assert_eq!(consents.len(), 1, "{consents:?}");
            let consent = &consents[0];
            assert_eq!((&consent["kind"], &consent["status"], &consent["price_cents"]), (&json!("at_network"), &json!("confirmed"), &json!(300)));
            assert!(!consent["reference"].as_str().unwrap().is_empty() && consent["reference"] == consent["network_ref"]);
            let words = consent["wording"].as_str().unwrap();
            assert!(words.starts_with('{') && words.contains(&svc_id.to_string()) && !words.contains(&msisdn), "{words}");
            let client = testkit::Client::new(services.addr, "memeworld");
            let request = client
                .request(reqwest::Method::GET, &format!("/internal/consent/{msisdn}"))
                .bearer_auth(testkit::ADMIN_TOKEN);
            let document = String::from_utf8(client.send(request).await.bytes.to_vec()).unwrap();
            assert!(document.contains("The opt-in began at the network, not on a page of ours."), "{document}");
        }
    }
}
