//! `GET /api/subscribe/check-sub`: the result of an opt-in, and the one session that follows from it.

use serde_json::json;
use testkit::{Client, on_each_engine};

use crate::services::{Browser, MEME, TT, eventually, number, post_form, spawn};

/// A time before the five days for which a join waits, in the tables' format.
fn long_ago() -> String {
    (chrono::Utc::now() - chrono::TimeDelta::days(6)).format("%Y-%m-%d %H:%M:%S").to_string()
}

on_each_engine! {
    async fn confirmed_attempt_opens_one_session_on_its_own_browser(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        let browser = services.browser("memeworld");
        let (page, id) = browser.join(&msisdn, MEME).await;
        assert_eq!(browser.check(&msisdn, &id).await, 0);
        let back = browser.submit_answer(&page, "confirm").await;
        assert_eq!(
            back,
            format!("http://memeworld.localhost:8080/DoiRedirect?msisdn={msisdn}&subscription_id={id}&ext_ref=ad+7%26x%3D1")
        );
        let reply = browser.get(&format!("/api/subscribe/check-sub?msisdn={msisdn}&subscription_id={id}")).await;
        assert_eq!(reply.json()["result"], 1);
        let cookie = reply.header("set-cookie");
        assert!(cookie.starts_with("session-memeworld=v4.public."), "{cookie}");
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax") && !cookie.contains("Domain"), "{cookie}");
        assert_eq!(browser.get("/api/subscribe/me").await.json()["state"], "active");
        // Only once.
        let again = browser.get(&format!("/api/subscribe/check-sub?msisdn={msisdn}&subscription_id={id}")).await;
        assert_eq!((again.json()["result"].as_i64(), again.header("set-cookie")), (Some(1), ""));
    }

    async fn lost_reply_opens_the_same_session_again(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        let browser = services.browser("memeworld");
        let (page, id) = browser.join(&msisdn, MEME).await;
        browser.submit_answer(&page, "confirm").await;
        let before = browser.with_cookies_on(&services, "memeworld");
        assert_eq!(browser.check(&msisdn, &id).await, 1);
        // The page and its script ask at once, and the browser gives up one of the replies.
        assert_eq!(before.check(&msisdn, &id).await, 1);
        assert!(before.has_session());
        assert_eq!(before.get("/api/subscribe/me").await.json()["state"], "active");
        let late = services.browser("memeworld");
        let (_, other) = late.join(&number("2222"), MEME).await;
        assert_eq!((late.check(&msisdn, &id).await, late.has_session()), (1, false), "another browser: {other}");
        // Not for long, and not after a leave.
        let again = browser.with_cookies_on(&services, "memeworld");
        again.forget_session();
        services.execute(format!("UPDATE tries SET opened_at = '{}' WHERE id = '{id}'", long_ago())).await;
        assert_eq!((again.check(&msisdn, &id).await, again.has_session()), (1, false));
    }

    async fn state_is_the_records_word(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        let browser = services.browser("memeworld");
        let state = async |browser: &Browser, id: &str| {
            let reply = browser.get(&format!("/api/subscribe/check-sub?msisdn={msisdn}&subscription_id={id}")).await.json();
            let text = |name: &str| reply[name].as_str().unwrap_or_default().to_owned();
            (text("state"), text("message"))
        };
        let (older, declined) = browser.join(&msisdn, MEME).await;
        let waiting = "We are waiting for your network. You get an SMS as soon as MEMEWORLD is open for you.";
        assert_eq!(state(&browser, &declined).await, ("waiting".to_owned(), waiting.to_owned()));
        browser.submit_answer(&older, "decline").await;
        let no = "You have not joined MEMEWORLD: your network has not confirmed it. Nothing is charged.";
        assert_eq!(state(&browser, &declined).await, ("declined".to_owned(), no.to_owned()));
        let (page, id) = browser.join(&msisdn, MEME).await;
        browser.submit_answer(&page, "confirm").await;
        let (active, message) = state(&browser, &id).await;
        assert_eq!(active, "active");
        assert_eq!(message, "You have joined MEMEWORLD: R3 is charged today. To stop, SMS STOP to 31222.");
        // The older link, in the browser with the session: nothing is said against it.
        let reply = browser.get(&format!("/api/subscribe/check-sub?msisdn={msisdn}&subscription_id={declined}")).await.json();
        assert_eq!(reply, json!({ "result": 0, "state": "declined", "session": true }));
        // In another one: the number is charged, and the page does not say otherwise.
        let elsewhere = services.browser("memeworld");
        let (_, message) = state(&elsewhere, &declined).await;
        assert_eq!(message, "Your network has not confirmed it, and nothing has changed.");
        assert_eq!(state(&elsewhere, "nothing").await.0, "unknown");
        assert_eq!(browser.post("/api/subscribe/unsubscribe", &json!({ "svc_id": MEME })).await.status, 200);
        assert_eq!(state(&browser, &id).await, ("ended".to_owned(), "Your subscription to MEMEWORLD is not active.".to_owned()));
    }

    async fn confirmation_after_late_news_of_an_earlier_end_is_active(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        let browser = services.joined("memeworld", MEME, &msisdn).await;
        assert_eq!(browser.post("/api/subscribe/unsubscribe", &json!({ "svc_id": MEME })).await.status, 200);
        eventually("the network's own end", async || services.count("holds", "ended_by = 'network'").await == 1).await;
        let (page, id) = browser.join(&msisdn, MEME).await;
        // The network tells once more, and dates it by when it tells.
        let listed = Client::new(services.sandbox, "localhost").get_ok("/subscriptions?since=2020-01-01T00:00:00Z").await;
        let (network_ref, at) = (&listed[0]["subscription_id"], chrono::Utc::now().to_rfc3339());
        let stop = json!({
            "event": "stop", "user_msisdn": msisdn, "svc_id": MEME, "network_subscription_id": network_ref, "at": at,
        });
        assert_eq!(services.notify("sandbox-pull", "late-news", &stop).await.status, 200);
        browser.submit_answer(&page, "confirm").await;
        services.wait_for_state(&msisdn, "active").await;
        assert_eq!((browser.check(&msisdn, &id).await, browser.has_session()), (1, true), "active, charged and served");
    }

    async fn check_on_another_browser_returns_1_without_session(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        let victim = services.browser("memeworld");
        let (page, id) = victim.join(&msisdn, MEME).await;
        victim.submit_answer(&page, "confirm").await;
        let foreign = services.browser("memeworld");
        assert_eq!(foreign.check(&msisdn, &id).await, 1);
        // A browser with a cookie of its own, too.
        let (_, own) = foreign.join(&number("2222"), MEME).await;
        assert_eq!(foreign.check(&msisdn, &id).await, 1);
        assert!(!foreign.has_session());
        // A stranger's open attempt for the number is not confirmed by its owner's.
        let (_, strangers) = services.browser("memeworld").join(&number("3333"), MEME).await;
        assert_eq!(foreign.check(&msisdn, &strangers).await, 0);
        assert_eq!(foreign.check(&msisdn, &own).await, 0);
        // Another host does not open it either.
        let elsewhere = victim.with_cookies_on(&services, "madfunny");
        assert_eq!(elsewhere.check(&msisdn, &id).await, 1);
        assert!(!elsewhere.has_session());
        // The browser that started it still can.
        assert_eq!(victim.check(&msisdn, &id).await, 1);
        assert!(victim.has_session());
    }

    async fn other_attempt_of_the_same_number_stays_unconfirmed(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        let (owner, stranger) = (services.browser("memeworld"), services.browser("memeworld"));
        let (_, strangers) = stranger.join(&msisdn, MEME).await;
        let (page, id) = owner.join(&msisdn, MEME).await;
        owner.submit_answer(&page, "confirm").await;
        assert_eq!(owner.check(&msisdn, &id).await, 1);
        assert_eq!(stranger.check(&msisdn, &strangers).await, 0);
        assert!(!stranger.has_session());
    }

    async fn declined_attempt_returns_0(engine) {
        let services = spawn(engine).await;
        for (label, svc_id) in [("memeworld", MEME), ("ttmbhatv", TT)] {
            for (ending, tapped) in [("0002", "confirm"), ("1111", "decline")] {
                let msisdn = number(ending);
                let browser = services.browser(label);
                let (page, id) = browser.join(&msisdn, svc_id).await;
                let back = browser.submit_answer(&page, tapped).await;
                assert!(back.contains("/DoiRedirect?msisdn="), "{back}");
                assert_eq!(browser.check(&msisdn, &id).await, 0);
                // Confirming afterwards changes nothing.
                browser.submit_answer(&page, "confirm").await;
                assert_eq!(browser.check(&msisdn, &id).await, 0, "{label} {ending}");
                eventually("declined", async || services.count("tries", &format!("id = '{id}' AND status = 'declined'")).await == 1).await;
                assert_eq!(browser.check(&msisdn, &id).await, 0);
                assert!(!browser.has_session());
                assert_eq!(services.state_and_causes(&msisdn).await.0, "pending");
            }
        }
    }

    async fn unknown_attempt_or_number_returns_0(engine) {
        let services = spawn(engine).await;
        let browser = services.browser("memeworld");
        let (page, id) = browser.join(&number("1111"), MEME).await;
        browser.submit_answer(&page, "confirm").await;
        for (msisdn, id) in [("0812345678", id.as_str()), ("nonsense", id.as_str()), ("0812345678", "nothing"), ("0812345678", "%00")] {
            assert_eq!(browser.check(msisdn, id).await, 0, "{msisdn} {id}");
        }
        assert_eq!(browser.get("/api/subscribe/check-sub?msisdn=0812345678").await.status, 400);
    }

    async fn confirmation_after_five_days_is_rejected(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        let browser = services.browser("memeworld");
        let (page, id) = browser.join(&msisdn, MEME).await;
        services.execute(format!("UPDATE tries SET created_at = '{}'", long_ago())).await;
        browser.submit_answer(&page, "confirm").await;
        eventually("the confirmation", async || services.count("tries", "status = 'confirmed'").await == 1).await;
        assert_eq!(browser.check(&msisdn, &id).await, 0);
        // The network, where the subscription runs, gets a stop, and reports the end.
        eventually("the stop", async || services.count("outbox", "kind = 'stop' AND done_at IS NOT NULL").await == 1).await;
        services.wait_for_state(&msisdn, "cancelled").await;
        assert_eq!(services.state_and_causes(&msisdn).await.1, ["joined", "stopped"]);
    }

    async fn join_without_answer_expires(engine) {
        let services = spawn(engine).await;
        let (old, young) = (number("1111"), number("2222"));
        services.browser("memeworld").join(&old, MEME).await;
        services.browser("memeworld").join(&young, MEME).await;
        services.execute(format!("UPDATE subscriptions SET since = '{}'", long_ago())).await;
        services.execute(format!(
            "UPDATE tries SET created_at = '{}' WHERE subscription_id = (SELECT id FROM subscriptions WHERE msisdn = '{old}')",
            long_ago()
        )).await;
        // A starting replica runs maintenance at once.
        subscription::start(crate::services::subscription_config(&services.store, &services.secret)).await.unwrap();
        services.wait_for_state(&old, "cancelled").await;
        assert_eq!(services.state_and_causes(&old).await.1, ["joined", "expired"]);
        // A newer attempt keeps a join pending.
        assert_eq!(services.state_and_causes(&young).await.0, "pending");
    }

    async fn push_network_confirms_too(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        let browser = services.joined("ttmbhatv", TT, &msisdn).await;
        eventually("the charge", async || browser.get("/api/subscribe/me").await.json()["total_cents"] == 300).await;
        assert_eq!(services.state_and_causes(&msisdn).await, ("active".to_owned(), vec!["joined".to_owned(), "confirmed".to_owned()]));
    }

    async fn network_own_id_returns_0(engine) {
        let services = spawn(engine).await;
        for (label, svc_id) in [("memeworld", MEME), ("ttmbhatv", TT)] {
            let msisdn = number("1111");
            let form = [("svc_id", &*svc_id.to_string()), ("msisdn", &msisdn)];
            let page = post_form(&format!("http://{}/opt-in", services.sandbox), &form).await;
            let browser = services.browser(label);
            let back = browser.submit_answer(page.headers()["location"].to_str().unwrap(), "confirm").await;
            let (host, query) = back.split_once("/DoiRedirect?").unwrap();
            assert_eq!(host, format!("http://{label}.localhost:8080"));
            services.wait_for_state(&msisdn, "active").await;
            let reply = browser.get(&format!("/api/subscribe/check-sub?{query}")).await;
            assert_eq!((reply.json()["result"].as_i64(), reply.header("set-cookie")), (Some(0), ""));
            assert_eq!(services.state_and_causes(&msisdn).await, ("active".to_owned(), vec!["confirmed".to_owned()]));
            assert_eq!(browser.try_to_join(&msisdn, svc_id).await.json()["result"], 2);
        }
    }
}
