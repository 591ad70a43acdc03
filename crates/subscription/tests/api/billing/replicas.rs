//! Several services over one database, billing the same day.

use serde_json::json;
use testkit::{Client, Engine};

use crate::{
    ledger::{DAY, NEXT, NOON, morning},
    services::{MEME, PULL, spawn, subscription_config},
};

#[actix_web::test]
async fn two_replicas_charge_a_day_once() {
    let services = spawn(Engine::Postgres).await;
    let mut config = subscription_config(&services.store, &services.secret);
    config.operator_url = format!("http://{}", services.sandbox);
    let second = Client::new(subscription::start(config).await.unwrap().addr, "localhost");
    services.set_clocks(NOON).await;
    assert_eq!(second.post_as_admin("/internal/clock", &json!({"now": NOON})).await.status, 200);
    services.make_active(MEME, PULL, 1500, "2060-02-26 10:00:00").await;
    for day in [DAY, NEXT] {
        if day == NEXT {
            services.set_clocks(&morning(NEXT)).await;
            second.post_as_admin("/internal/clock", &json!({"now": morning(NEXT)})).await;
        }
        let body = json!({"day": day});
        let other = second.post_as_admin("/internal/billing/run", &body);
        let (mine, other) = futures_util::join!(services.pass(day), other);
        assert_eq!(other.status, 200);
        let other = other.json()["charged"].as_i64().unwrap();
        assert!(mine[1].max(other) == 1500, "one pass, or two of which one found nothing: {mine:?} {other}");
        services.assert_ledger_matches_network(day).await;
        assert_eq!(services.charges(day).await.len(), 1500);
    }
}
