//! Notifications: believed only when their network signed them, and never lost.

use testkit::Client;

use super::{NAME, Network};
use crate::{ledger::DAY, services::number};

pub async fn an_unsigned_notification_is_401(network: &Network) {
    let (services, msisdn) = (&network.services, number("1111"));
    network.joined(&msisdn).await;
    services.wait_for_charge(DAY, &msisdn, "settled").await;
    let stored = async || services.count("notifications", "1 = 1").await;
    testkit::eventually("the notifications of the join are processed", async || {
        services.count("notifications", "outcome = 'received'").await == 0
    })
    .await;
    let before = stored().await;
    let client = Client::new(services.addr, "memeworld");
    let request = client
        .request(reqwest::Method::POST, &format!("/api/subscribe/notify/{NAME}"))
        .header("webhook-id", "forged")
        .header("webhook-timestamp", chrono::Utc::now().timestamp())
        .header("webhook-signature", "v1,bm8=")
        .body("a body");
    let reply = client.send(request).await;
    assert_eq!((reply.status, reply.header("content-type")), (401, "application/problem+json"));
    assert_eq!(services.notify_raw(NAME, "late", b"a body".to_vec(), -360).await.status, 401);
    assert_eq!((stored().await, network.state(&msisdn).await.as_str()), (before, "active"));
}

pub async fn an_unreadable_notification_is_kept_and_delays_nothing(network: &Network) {
    let services = &network.services;
    for (id, body) in [("m1", &b"neither JSON nor XML"[..]), ("m2", b""), ("m3", b"<a>"), ("m4", &[0, 159, 146, 150])] {
        assert_eq!(services.notify_raw(NAME, id, body.to_vec(), 0).await.status, 200, "{id}");
    }
    assert_eq!(services.count("notifications", "outcome = 'not_understood'").await, 4);
    let msisdn = number("1111");
    network.joined(&msisdn).await;
    network.send_stop(&msisdn).await;
    services.wait_for_state(&msisdn, "cancelled").await;
}
