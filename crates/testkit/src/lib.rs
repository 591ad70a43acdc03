//! Test support: temporary databases, session keys, and HTTP clients of one host.

#![expect(clippy::expect_used, clippy::panic, reason = "a test that cannot be set up must say so and fail")]

mod address;
mod bucket;
mod client;
mod corpus;
mod database;
mod manifest;
mod migrate;
mod moment;
mod process;
mod production;
mod scrape;
pub mod servers;
mod statements;
mod tls_front;

use std::{sync::LazyLock, time::Duration};

use brands::Brands;
use identity::{Session, SessionMinter, SessionVerifier, SubscriberId, cookie_name};
use service::SigningKey;

pub use actix_web;
pub use address::Reserved;
pub use bucket::{BUCKET_KEY, bucket};
pub use client::{Client, Reply};
pub use corpus::corpus;
pub use database::{Engine, StoreCopy, TestStore, prepared_store, store, store_with_tables};
pub use manifest::{MANIFEST_GROUPS, flat_records, write_manifest};
pub use migrate::check_migrate;
pub use moment::{away_from_midnight, eventually};
pub use process::Process;
pub use production::{STRONG_SECRET, check_production, failed_start};
pub use scrape::Scrape;
pub use statements::{Statement, take_statements, watch_statements};
pub use tls_front::TlsFront;

static MINTER: LazyLock<SessionMinter> = LazyLock::new(|| {
    let secret = SessionMinter::generate().expect("a key");
    SessionMinter::parse(&secret).expect("our own key")
});

static STAFF_KEY: LazyLock<SigningKey> = LazyLock::new(|| {
    let secret = SigningKey::generate().expect("a key");
    SigningKey::parse(&secret).expect("our own key")
});

/// The token that opens `/internal` in tests.
pub const ADMIN_TOKEN: &str = "test-admin";

/// The family's real `brands.toml`.
pub fn brands() -> Brands {
    Brands::parse(include_str!("../../../deploy/brands.toml"), "brands.toml").expect("the family's brands")
}

/// Writes the least that the gateway takes for a built front end.
pub fn write_pages(folder: &std::path::Path) {
    std::fs::create_dir_all(folder.join("api")).expect("a folder");
    for (name, text) in [
        ("index.html", "<!doctype html><title>%BRAND_NAME%</title><!--boot-->"),
        ("languages.json", r#"[{"code":"en","listed":true,"file":"/assets/en.js","texts":{}}]"#),
        ("first-views.json", r#"[{"kind":null,"path":"*","page":"any"}]"#),
        ("api/openapi.json", include_str!("../../../frontend/openapi.json")),
    ] {
        std::fs::write(folder.join(name), text).expect("a page");
    }
}

/// Signs sessions; one key per test process.
pub fn minter() -> SessionMinter {
    MINTER.clone()
}

/// Signs the tokens of staff; one key per test process.
pub fn staff_key() -> SigningKey {
    STAFF_KEY.clone()
}

/// Verifies what `minter` signs.
pub fn verifier() -> SessionVerifier {
    SessionVerifier::parse(&MINTER.public_key()).expect("our own key")
}

/// A `Cookie` header's value: the session of `msisdn` on the host `label`.
pub fn session_cookie(label: &str, svc_id: i32, msisdn: &str) -> String {
    session_cookie_of_person(label, svc_id, msisdn, 0)
}

/// As `session_cookie`, of a later person to whom the number belongs.
pub fn session_cookie_of_person(label: &str, svc_id: i32, msisdn: &str, person: i32) -> String {
    let session = Session {
        msisdn: SubscriberId::parse(msisdn).expect("a test's own number"),
        svc_id,
        label: label.to_owned(),
        issued_at: service::timestamp::now().and_utc().timestamp(),
        generation: 0,
        person,
        test: false,
    };
    format!("{}={}", cookie_name(label), MINTER.mint(&session).expect("a token"))
}

/// An HTTP client that follows no redirect and uses no proxy, and has all the patience that a slow machine needs.
pub fn client() -> reqwest::Client {
    reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .no_proxy()
        .timeout(Duration::from_secs(180))
        // Tests speak plain HTTP: reading the certificates of the system takes longer than most tests.
        .tls_certs_only([])
        // Our servers let an idle connection go after 5 s, which may be the moment in which a starved test writes into it.
        .pool_max_idle_per_host(0)
        .build()
        .expect("an HTTP client")
}

/// Writes each `async fn name(engine) { … }` as two tests, `name::sqlite` and `name::postgres`.
#[macro_export]
macro_rules! on_each_engine {
    ($($(#[$meta:meta])* async fn $name:ident($engine:ident) $body:block)*) => {$(
        mod $name {
            use super::*;

            $(#[$meta])*
            async fn check($engine: $crate::Engine) $body

            #[$crate::actix_web::test]
            async fn sqlite() {
                check($crate::Engine::Sqlite).await;
            }

            #[$crate::actix_web::test]
            async fn postgres() {
                check($crate::Engine::Postgres).await;
            }
        }
    )*};
}
