//! The metrics of joins, charges and leaves.

use serde_json::json;
use testkit::{Engine, Scrape, away_from_midnight, eventually};

use crate::{
    ledger::{DAY, NOON},
    services::{PULL, number, spawn},
};

/// A service of a pull network that no other test of this process joins: all tests share the counters.
const DISKI: i32 = 151;
const SERVICE: (&str, &str) = ("service", "diski99");

#[actix_web::test]
async fn counters_count_each_event_once_by_service() {
    away_from_midnight().await;
    for engine in [Engine::Sqlite, Engine::Postgres] {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let before = Scrape::of(services.addr).await;

        let (stays, poor, leaves) = (number("1111"), number("0003"), number("1111"));
        let browser = services.joined("diski99", DISKI, &stays).await;
        services.wait_for_charge(DAY, &stays, "settled").await;
        assert_eq!(browser.try_to_join(&stays, DISKI).await.json()["result"], 2);
        assert_eq!(browser.try_to_join("12", DISKI).await.status, 422);
        let (page, _) = services.browser("diski99").join(&number("1111"), DISKI).await;
        browser.submit_answer(&page, "decline").await;
        services.joined("diski99", DISKI, &poor).await;
        services.wait_for_charge(DAY, &poor, "failed").await;
        let leaver = services.joined("diski99", DISKI, &leaves).await;
        services.wait_for_charge(DAY, &leaves, "settled").await;
        leaver.post("/api/subscribe/unsubscribe", &json!({ "svc_id": DISKI })).await;
        let passes = before.sum("spaza_billing_pass_seconds_count", &[]);
        services.pass(DAY).await;
        let unsigned = testkit::Client::new(services.addr, "localhost");
        assert_eq!(unsigned.post(&format!("/api/subscribe/notify/{PULL}"), &json!({})).await.status, 401);

        let risen = async || {
            let after = Scrape::of(services.addr).await;
            [
                ("spaza_joins_total", "outcome", "asked"),
                ("spaza_joins_total", "outcome", "already_active"),
                ("spaza_joins_total", "outcome", "refused"),
                ("spaza_joins_total", "outcome", "confirmed"),
                ("spaza_joins_total", "outcome", "declined"),
                ("spaza_left_total", "cause", "left"),
                ("spaza_charges_total", "outcome", "charged"),
                ("spaza_charges_total", "outcome", "no_airtime"),
                ("spaza_revenue_cents_total", SERVICE.0, SERVICE.1),
            ]
            .map(|(name, label, value)| {
                after.sum(name, &[SERVICE, (label, value)]) - before.sum(name, &[SERVICE, (label, value)])
            })
        };
        let expected = [4.0, 1.0, 1.0, 3.0, 1.0, 1.0, 2.0, 2.0, 600.0];
        // The decline arrives as a notification.
        eventually("everything is counted", async || risen().await == expected).await;
        let after = Scrape::of(services.addr).await;
        assert!(after.sum("spaza_billing_pass_seconds_count", &[]) > passes);
        for outcome in ["applied", "rejected"] {
            let labels = [("network", PULL), ("outcome", outcome)];
            let name = "spaza_notifications_total";
            assert!(after.sum(name, &labels) > before.sum(name, &labels), "{outcome}");
        }
        assert!(after.sum("spaza_notification_lag_seconds_count", &[]) > 0.0);
        assert!(after.sum("spaza_db_wait_seconds_count", &[("service", "subscription")]) > 0.0);
        eventually("the tables are counted", async || {
            let metrics = Scrape::of(services.addr).await;
            metrics.sum("spaza_subscriptions", &[SERVICE, ("state", "active")]) == 2.0
        })
        .await;
    }
}
