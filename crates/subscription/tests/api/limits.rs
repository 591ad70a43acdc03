//! Rate limits of opt-in attempts.

use std::time::{Duration, Instant};

use testkit::{Reply, on_each_engine};

use crate::services::{MEME, number, spawn};

/// The reply to the last of some attempts within one minute; repeated where a busy machine took more than a minute.
async fn within_a_minute(mut tries: impl AsyncFnMut() -> Reply) -> Reply {
    for _ in 0..10 {
        let began = Instant::now();
        let reply = tries().await;
        if began.elapsed() < Duration::from_secs(60) {
            return reply;
        }
    }
    panic!("this machine is too busy to try anything within a minute");
}

on_each_engine! {
    async fn number_and_address_are_limited_to_ten_a_minute(engine) {
        let services = spawn(engine).await;
        let reply = within_a_minute(async || {
            let (browser, msisdn) = (services.browser("memeworld"), number("1111"));
            for _ in 0..10 {
                browser.join(&msisdn, MEME).await;
            }
            let reply = browser.try_to_join(&msisdn, MEME).await;
            // Another number from that address, and the same number from another address, are not limited by it.
            browser.join(&number("2222"), MEME).await;
            services.browser("memeworld").join(&msisdn, MEME).await;
            reply
        })
        .await;
        assert_eq!((reply.status, reply.header("retry-after")), (429, "60"));
        assert!(!reply.json()["error_message"].as_str().unwrap().is_empty());
    }

    async fn address_is_limited_to_six_hundred_a_minute(engine) {
        let services = spawn(engine).await;
        let reply = within_a_minute(async || {
            let browser = services.browser("memeworld");
            for _ in 0..600 {
                assert_eq!(browser.try_to_join("no number", MEME).await.status, 422);
            }
            browser.try_to_join("no number", MEME).await
        })
        .await;
        assert_eq!(reply.status, 429);
        assert_eq!(services.browser("memeworld").try_to_join("no number", MEME).await.status, 422);
    }
}
