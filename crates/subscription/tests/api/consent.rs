//! Consent evidence: what a person was shown is kept, and comes out again as data and as one printable document.

use reqwest::Method;
use sha2::{Digest, Sha256};
use testkit::{ADMIN_TOKEN, Client, Reply, on_each_engine};

use crate::family::{Family, MEME, eventually, number, spawn};

impl Family {
    async fn consent_document(&self, msisdn: &str, token: &str) -> Reply {
        let client = Client::new(self.addr, "memeworld");
        client.send(client.request(Method::GET, &format!("/internal/consent/{msisdn}")).bearer_auth(token)).await
    }
}

on_each_engine! {
    async fn a_join_keeps_the_price_and_the_words_that_its_page_showed(engine) {
        let family = spawn(engine).await;
        let msisdn = number("1111");
        let browser = family.joined("memeworld", MEME, &msisdn).await;
        let account = family.account(&msisdn).await;
        let held = &account["subscriptions"][0];
        assert_eq!((held["price_cents"].as_i64(), held["period"].as_str()), (Some(300), Some("day")));
        let consent = &held["consents"][0];
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

    async fn a_numbers_consents_charges_and_messages_are_one_printable_document(engine) {
        let family = spawn(engine).await;
        let msisdn = number("1111");
        let browser = family.joined("memeworld", MEME, &msisdn).await;
        eventually("the charge", async || family.account(&msisdn).await["month_spend_cents"] == 300).await;
        eventually("the welcome", async || family.inbox(&msisdn).await.len() == 1).await;
        let reply = family.consent_document(&msisdn, ADMIN_TOKEN).await;
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

    async fn what_a_browser_sent_is_shown_as_text(engine) {
        let family = spawn(engine).await;
        let msisdn = number("1111");
        family.joined("memeworld", MEME, &msisdn).await;
        family.execute("UPDATE tries SET agent = '<script>alert(1)</script>'".to_owned()).await;
        let page = String::from_utf8(family.consent_document(&msisdn, ADMIN_TOKEN).await.bytes).unwrap();
        assert!(page.contains("&lt;script&gt;") && !page.contains("<script"), "{page}");
    }

    async fn a_document_needs_the_admin_token_and_a_number(engine) {
        let family = spawn(engine).await;
        assert_eq!(family.consent_document("27812345678", "wrong").await.status, 401);
        assert_eq!(family.consent_document("12", ADMIN_TOKEN).await.status, 422);
        let page = family.consent_document("27812345678", ADMIN_TOKEN).await;
        assert_eq!(page.status, 200);
        assert!(String::from_utf8(page.bytes).unwrap().contains("never asked"));
    }
}
