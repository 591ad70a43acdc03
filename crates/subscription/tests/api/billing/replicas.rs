//! Several services over one database, billing the same day.

use serde_json::json;
use testkit::{Client, Engine};

use crate::{
    books::{DAY, NEXT, NOON, morning},
    family::{MEME, PULL, spawn, subscription_config},
};

#[actix_web::test]
async fn two_charge_the_same_day_and_nobody_twice() {
    let family = spawn(Engine::Postgres).await;
    let mut config = subscription_config(&family.place, &family.secret);
    config.operator_url = format!("http://{}", family.sandbox);
    let second = Client::new(subscription::start(config).await.unwrap().addr, "localhost");
    family.move_clocks(NOON).await;
    assert_eq!(second.post_as_admin("/internal/clock", &json!({"now": NOON})).await.status, 200);
    family.make_active(MEME, PULL, 1500, "2060-02-20 10:00:00").await;
    for day in [DAY, NEXT] {
        if day == NEXT {
            family.move_clocks(&morning(NEXT)).await;
            second.post_as_admin("/internal/clock", &json!({"now": morning(NEXT)})).await;
        }
        let body = json!({"day": day});
        let other = second.post_as_admin("/internal/billing/run", &body);
        let (mine, other) = futures_util::join!(family.pass(day), other);
        assert_eq!(other.status, 200);
        let other = other.json()["charged"].as_i64().unwrap();
        assert!(mine[1].max(other) == 1500, "one pass, or two of which one found nothing: {mine:?} {other}");
        family.assert_books_agree(day).await;
        assert_eq!(family.charges(day).await.len(), 1500);
    }
}
