//! Consent evidence: the stored wording and price, as data and as one printable document.

use reqwest::Method;
use serde_json::json;
use sha2::{Digest, Sha256};
use testkit::{ADMIN_TOKEN, Client, Reply, on_each_engine};

use crate::services::{MEME, TestServices, eventually, number, spawn};

impl TestServices {
    async fn consent_document(&self, msisdn: &str, token: &str) -> Reply {
        let client = Client::new(self.addr, "memeworld");
        client.send(client.request(Method::GET, &format!("/internal/consent/{msisdn}")).bearer_auth(token)).await
    }
}

on_each_engine! {
    async fn join_stores_price_and_wording_of_its_page(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        let browser = services.joined("memeworld", MEME, &msisdn).await;
        let account = services.account(&msisdn).await;
        let subscription = &account["subscriptions"][0];
        assert_eq!((subscription["price_cents"].as_i64(), subscription["period"].as_str()), (Some(300), Some("day")));
        let consent = &subscription["consents"][0];
        for (name, value) in [
            ("kind", "opt_in"),
            ("status", "confirmed"),
            ("label", "memeworld"),
            ("period", "day"),
            ("address", browser.address.as_str()),
            ("agent", "a test's browser"),
            ("ext_ref", "ad 7&x=1"),
            ("network", "sandbox-pull"),
        ] {
            assert_eq!(consent[name], value, "{name}");
        }
        assert_eq!(consent["price_cents"], 300);
        let wording = consent["wording"].as_str().unwrap();
        for part in ["MEMEWORLD", "R3/day", "18+", "I agreed to the Terms and Conditions", "JOIN"] {
            assert!(wording.contains(part), "{part}: {wording}");
        }
        assert!(!consent["terms_version"].as_str().unwrap().is_empty());
        assert_eq!(consent["wording_hash"], hex::encode(Sha256::digest(wording)));
        assert!(!consent["reference"].as_str().unwrap().is_empty() && consent["decided_at"].is_string());
    }

    async fn consent_and_sms_are_in_the_language_of_the_page(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        let browser = services.browser("memeworld").with_header("accept-language", "zu-ZA,en;q=0.5");
        let (redirect_url, id) = browser.join(&msisdn, MEME).await;
        let page = reqwest::get(&redirect_url).await.unwrap();
        assert_eq!((page.status().as_u16(), page.headers()["content-language"].to_str().unwrap()), (200, "zu"));
        browser.submit_answer(&redirect_url, "confirm").await;
        assert_eq!(browser.check(&msisdn, &id).await, 1);
        let consent = services.account(&msisdn).await["subscriptions"][0]["consents"][0].clone();
        // No speaker has checked isiZulu yet: the evidence says so.
        assert_eq!((&consent["language"], &consent["translation"]), (&json!("zu"), &json!("unchecked")));
        let evidence = "cause = 'joined' AND evidence LIKE '%\"translation\":\"unchecked\"%'";
        assert_eq!(services.count("events", evidence).await, 1);
        let document = String::from_utf8(services.consent_document(&msisdn, ADMIN_TOKEN).await.bytes).unwrap();
        assert!(document.contains("zu, a translation that no speaker had checked"), "{document}");
        let wording = consent["wording"].as_str().unwrap();
        assert!(wording.contains("R3/ngosuku") && wording.contains("Ngiyavumelana"), "{wording}");
        eventually("the welcome", async || services.inbox(&msisdn).await.len() == 1).await;
        // Later SMSes keep to the language of the consent, whatever the page of the leave was.
        let browser = browser.with_header("accept-language", "af");
        let reply = browser.post("/api/subscribe/unsubscribe", &json!({"svc_id": MEME})).await;
        assert_eq!(reply.status, 200);
        // A charge that was under way adds an SMS about its refund.
        eventually("the goodbye", async || {
            services.inbox(&msisdn).await.join(" ").contains("Usuphumile ku-MEMEWORLD")
        })
        .await;
        let texts = services.inbox(&msisdn).await.join(" ");
        assert!(texts.contains("Siyakwamukela ku-MEMEWORLD") && !texts.contains("have left"), "{texts}");
    }

    async fn sms_is_in_the_language_chosen_since_and_the_consent_stays(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        let browser = services.joined("memeworld", MEME, &msisdn).await;
        eventually("the welcome", async || services.inbox(&msisdn).await.len() == 1).await;
        let choose = async |language: &str| {
            let reply = browser.post("/api/subscribe/language", &json!({"language": language})).await;
            (reply.status, reply.json())
        };
        assert_eq!(choose("st").await, (200, json!({"language": "st"})));
        assert_eq!(choose("zu").await, (200, json!({"language": "zu"})));
        let (status, problem) = choose("en-XA").await;
        assert_eq!((status, problem["error_message"].as_str()), (422, Some("There are no texts in this language.")));
        let stranger = services.browser("memeworld").post("/api/subscribe/language", &json!({"language": "af"})).await;
        assert_eq!(stranger.status, 401);
        let consent = services.account(&msisdn).await["subscriptions"][0]["consents"][0].clone();
        assert_eq!((&consent["language"], &consent["translation"]), (&json!("en"), &json!("original")));
        assert!(consent["wording"].as_str().unwrap().contains("I agreed"), "{consent}");
        assert_eq!(browser.post("/api/subscribe/unsubscribe", &json!({"svc_id": MEME})).await.status, 200);
        eventually("the goodbye", async || {
            services.inbox(&msisdn).await.join(" ").contains("Usuphumile ku-MEMEWORLD")
        })
        .await;
        // The session has ended with the subscription.
        assert_eq!(choose("af").await.0, 401);
    }

    async fn get_document_has_consents_charges_and_messages(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        let browser = services.joined("memeworld", MEME, &msisdn).await;
        eventually("the charge", async || services.account(&msisdn).await["month_spend_cents"] == 300).await;
        eventually("the welcome", async || services.inbox(&msisdn).await.len() == 1).await;
        let reply = services.consent_document(&msisdn, ADMIN_TOKEN).await;
        assert_eq!((reply.status, reply.header("content-type")), (200, "text/html; charset=utf-8"));
        assert_eq!(reply.header("cache-control"), "no-store");
        let page = String::from_utf8(reply.bytes).unwrap();
        for part in [
            msisdn.as_str(),
            browser.address.as_str(),
            "I agreed to the Terms and Conditions",
            "R3/day incl. VAT",
            "ad 7&amp;x=1",
            "confirmed",
            "settled",
            "Welcome to MEMEWORLD",
        ] {
            assert!(page.contains(part), "{part}: {page}");
        }
    }

    async fn consent_without_a_recorded_price_says_so(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        let page = async || String::from_utf8(services.consent_document(&msisdn, ADMIN_TOKEN).await.bytes).unwrap();
        assert!(page().await.contains("R3/day incl. VAT, shown by the network"), "{}", page().await);
        // As the first release wrote it: the price is a column's default.
        services.execute("UPDATE tries SET price_source = '', wording = '', wording_hash = ''".to_owned()).await;
        let page = page().await;
        assert!(page.contains("<dt>Price shown</dt><dd>not recorded</dd>") && !page.contains("incl. VAT, shown"), "{page}");
        let consent = services.account(&msisdn).await["subscriptions"][0]["consents"][0].clone();
        assert_eq!(consent["price_source"], "", "{consent}");
    }

    async fn get_document_escapes_html(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        services.execute("UPDATE tries SET agent = '<script>alert(1)</script>'".to_owned()).await;
        let page = String::from_utf8(services.consent_document(&msisdn, ADMIN_TOKEN).await.bytes).unwrap();
        assert!(page.contains("&lt;script&gt;") && !page.contains("<script"), "{page}");
    }

    async fn get_document_needs_admin_token_and_number(engine) {
        let services = spawn(engine).await;
        assert_eq!(services.consent_document("27812345678", "wrong").await.status, 401);
        assert_eq!(services.consent_document("12", ADMIN_TOKEN).await.status, 422);
        let page = services.consent_document("27812345678", ADMIN_TOKEN).await;
        assert_eq!(page.status, 200);
        assert!(String::from_utf8(page.bytes).unwrap().contains("never asked"));
    }
}
