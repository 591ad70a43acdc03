//! What a network may ask for beside a signature: our certificate, a server certificate of its own authority, and addresses of its own.

use std::time::Duration;

use serde_json::json;
use testkit::{
    Engine, TlsFront,
    actix_web::{self, rt},
};

use crate::{
    network::Call,
    service::{MEMEWORLD, Setup, number, wait_for},
};

/// What the entry of the network has beside its address.
const CERTIFICATE: &str = "client_certificate = \"PULL_CERTIFICATE\"";
const AUTHORITIES: &str = "authorities = \"PULL_AUTHORITIES\"";

#[actix_web::test]
async fn network_gets_our_certificate_and_has_to_show_one_of_its_authority() {
    let folder = tempfile::tempdir().unwrap();
    let front = TlsFront::start(folder.path()).await;
    let setup = Setup::new(Engine::Sqlite);
    let setup = setup.setting("PULL_CERTIFICATE", &front.client_pem).setting("PULL_AUTHORITIES", &front.authority_pem);
    let env = setup.start().await;
    front.forward_to(env.pull.addr());
    let plain = format!("url = \"{}\"", env.pull.url());
    let over_tls = |keys: &[&str]| format!("url = \"{}\"\n{}", front.url, keys.join("\n"));

    // A number each time, since attempts of one are limited.
    let mut nth = 100;
    let mut join = async || {
        nth += 1;
        env.browser("memeworld").try_to_join(&number(nth), MEMEWORLD).await.status
    };

    let both = over_tls(&[CERTIFICATE, AUTHORITIES]);
    env.change_brands(&plain, &both);
    wait_for("the network is called over TLS", async || join().await == 200 && front.accepted() > 0).await;
    env.joined_and_paid("memeworld", MEMEWORLD, &number(2)).await;
    assert_eq!(env.pull.requests_about(Call::Charge, &number(2)).len(), 1);
    assert_eq!(front.refused(), 0);

    // Without our certificate the network refuses, and without its authority we do.
    for keys in [[AUTHORITIES].as_slice(), &[CERTIFICATE]] {
        let refused = front.refused();
        env.change_brands(&both, &over_tls(keys));
        wait_for("a join fails", async || join().await == 503).await;
        wait_for("a connection is refused", async || front.refused() > refused).await;
        let requests = env.pull.count(Call::OptIn);
        assert_eq!(join().await, 503);
        assert_eq!(env.pull.count(Call::OptIn), requests, "with {keys:?} the network got a request");
        env.change_brands(&over_tls(keys), &both);
        wait_for("a join succeeds", async || join().await == 200).await;
    }
}

#[actix_web::test]
async fn notification_from_another_address_is_403_and_changes_nothing() {
    let env = Setup::new(Engine::Sqlite).start().await;
    let url = format!("url = \"{}\"", env.pull.url());
    let elsewhere = format!("{url}\nnotify_addresses = \"10.1.0.0/16, 192.0.2.7\"");
    let browser = env.browser("memeworld");
    let (page, id) = browser.join(&number(1), MEMEWORLD).await;
    let confirmed = env.pull.confirm(&page);
    env.change_brands(&url, &elsewhere);
    let mut nth = 0;
    // Until the service follows the file, one about an unknown number is accepted.
    wait_for("the addresses are followed", async || {
        nth += 1;
        let nothing = json!({"event": "stop", "user_msisdn": number(9), "at": env.pull.now().to_rfc3339()});
        env.send_notification(env.pull.name, &format!("early-{nth}"), &nothing, env.key(), 0).await.status == 403
    })
    .await;
    let reply = env.send_notification(env.pull.name, "confirmed", &confirmed, env.key(), 0).await;
    assert_eq!(reply.status, 403);
    assert!(reply.json()["error_message"].is_string(), "{}", reply.json());
    rt::time::sleep(Duration::from_millis(300)).await;
    assert_ne!(env.state(&number(1), MEMEWORLD).await, "active");

    env.change_brands(&elsewhere, &format!("{url}\nnotify_addresses = \"127.0.0.0/8\""));
    wait_for("its own address is accepted", async || {
        env.send_notification(env.pull.name, "confirmed", &confirmed, env.key(), 0).await.status == 200
    })
    .await;
    assert_eq!(browser.check(&number(1), &id).await, 1);
    assert_eq!(env.state(&number(1), MEMEWORLD).await, "active");
}
