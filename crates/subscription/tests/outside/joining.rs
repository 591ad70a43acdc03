//! Joining, proving and sessions: strangers keep no owner from leaving, and a session ends with its subscription.

use std::time::{Duration, Instant};

use futures_util::{StreamExt, stream};
use reqwest::Method;
use serde_json::json;
use testkit::on_each_engine;

use crate::{
    browser::Browser,
    network::Call,
    service::{DAY, MEMEWORLD, Setup, World, number},
};

/// More than the sixty joins that one number may begin in an hour.
const STRANGERS: usize = 70;

/// As many browsers at addresses of their own try to join with a number; how many were told to wait.
async fn strangers_try(world: &World, msisdn: &str) -> usize {
    let tries =
        (0..STRANGERS).map(|_| async move { world.browser("memeworld").try_to_join(msisdn, MEMEWORLD).await.status });
    let replies: Vec<u16> = stream::iter(tries).buffer_unordered(8).collect().await;
    replies.into_iter().filter(|status| *status == 429).count()
}

/// One more than an address may ask in a minute; the last reply. Again where a busy machine took more than a minute for it.
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
    async fn the_owner_leaves_and_proves_while_strangers_try_to_join(engine) {
        let world = World::start(engine).await;
        let msisdn = number(1);
        world.joined("memeworld", MEMEWORLD, &msisdn).await;
        strangers_try(&world, &msisdn).await;
        let body = json!({"msisdn": msisdn, "svc_id": MEMEWORLD});

        let phone = world.browser("memeworld");
        let verify = phone.post("/api/subscribe/verify", &body).await;
        assert_eq!(verify.status, 200, "the owner proves the number on a new phone");
        assert!(verify.json()["redirectUrl"].as_str().unwrap().starts_with(&world.pull.url()));

        let leave = world.browser("memeworld").post("/api/subscribe/unsubscribe", &body).await;
        assert_eq!(leave.status, 200, "the owner leaves by a typed number");
        let page = leave.json()["redirectUrl"].as_str().unwrap().to_owned();
        world.notify(&world.pull, &world.pull.confirm(&page)).await;
        assert_eq!(world.state(&msisdn, MEMEWORLD).await, "cancelled");
    }

    async fn a_browser_that_has_proved_the_number_joins_while_strangers_try(engine) {
        let world = World::start(engine).await;
        let msisdn = number(1);
        let browser = world.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        assert_eq!(browser.leave(MEMEWORLD).await.status, 200);
        assert!(strangers_try(&world, &msisdn).await > 0, "strangers are still told to wait");
        let (page, id) = browser.join(&msisdn, MEMEWORLD).await;
        world.notify(&world.pull, &world.pull.confirm(&page)).await;
        assert_eq!(browser.check(&msisdn, &id).await, 1);
        assert_eq!(browser.me().await.status, 200);
    }

    async fn a_session_from_before_a_leave_is_over(engine) {
        let world = World::start(engine).await;
        let msisdn = number(1);
        let before = world.joined_and_paid("memeworld", MEMEWORLD, &msisdn).await;
        assert_eq!(before.me().await.status, 200);
        world.set_clock(DAY, "09:10:00").await;
        let mut stop = world.stop_event(&world.pull, &msisdn);
        stop["svc_id"] = json!(MEMEWORLD);
        world.notify(&world.pull, &stop).await;
        world.set_clock(DAY, "09:20:00").await;
        let since = world.joined("memeworld", MEMEWORLD, &msisdn).await;
        assert_eq!(before.me().await.status, 401, "a session from before the leave");
        assert_eq!(before.leave(MEMEWORLD).await.status, 401);
        assert_eq!(world.state(&msisdn, MEMEWORLD).await, "active");
        assert_eq!(since.me().await.status, 200, "the session of the new join");
        assert_eq!(since.leave(MEMEWORLD).await.json(), json!({"state": "cancelled"}));
    }

    async fn check_sub_with_the_networks_own_id_answers_0(engine) {
        let world = World::start(engine).await;
        let msisdn = number(1);
        let id = world.join_at_network(&world.pull, &msisdn, MEMEWORLD).await;
        assert_eq!(world.state(&msisdn, MEMEWORLD).await, "active");
        assert_eq!(world.browser("memeworld").check(&msisdn, &id).await, 0);
    }

    async fn check_sub_answers_an_address_600_times_a_minute(engine) {
        let world = World::start(engine).await;
        assert_eq!(checks_of_a_minute(&world.browser("memeworld")).await, 429);
        assert_eq!(world.browser("memeworld").check(&number(1), "no-such-id").await, 0, "from another address");
    }

    async fn the_enrichment_header_does_not_count_on_https(engine) {
        let world = Setup::new(engine)
            .setting("ENRICHMENT_HEADER", "X-MSISDN")
            .setting("ENRICHMENT_SOURCES", "10.0.0.0/8")
            .start()
            .await;
        let msisdn = number(1);
        world.join_at_network(&world.pull, &msisdn, MEMEWORLD).await;
        let body = json!({"msisdn": msisdn, "svc_id": MEMEWORLD});
        let verify = async |headers: &[(&str, &str)]| {
            let browser = world.browser("memeworld");
            let reply = browser.send(Method::POST, "/api/subscribe/verify", Some(&body), headers).await;
            assert_eq!(reply.status, 200);
            reply.json()["redirectUrl"].as_str().unwrap().to_owned()
        };
        let named = ("x-msisdn", msisdn.as_str());
        let proved = verify(&[named]).await;
        assert!(proved.contains("/DoiRedirect"), "over http the header counts: {proved}");
        let asked = world.pull.count(Call::OptIn);
        let page = verify(&[named, ("x-forwarded-proto", "https")]).await;
        assert!(page.starts_with(&world.pull.url()), "over https only the client can have written it: {page}");
        assert_eq!(world.pull.count(Call::OptIn), asked + 1);
    }
}
