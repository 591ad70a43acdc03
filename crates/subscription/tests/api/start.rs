//! Errors at start, in one line that names the setting; and readiness.

use testkit::{Client, Engine, on_each_engine};

use crate::services::{spawn, subscription_config};

const SECRET: &str = "whsec_ZGV2LW5vdGlmeQ==";

async fn refusal(change: impl FnOnce(&mut subscription::Config)) -> String {
    let store = testkit::store(Engine::Sqlite).await;
    let mut config = subscription_config(&store, SECRET);
    change(&mut config);
    match subscription::start(config).await {
        Ok(_) => panic!("it started"),
        Err(error) => error.to_string(),
    }
}

#[actix_web::test]
async fn start_rejects_test_number_in_production() {
    let line = refusal(|config| {
        config.production.on = true;
        config.charge_key_secret = Some("k".repeat(32));
        config.test_msisdn = Some("27600000000".to_owned());
    })
    .await;
    assert_eq!(line, "TEST_MSISDN: must not be set together with PRODUCTION=1");
}

#[actix_web::test]
async fn start_error_names_the_setting_without_its_secret() {
    type Change = fn(&mut subscription::Config);
    let cases: [(&str, Change); 7] = [
        ("TEST_MSISDN", |config| config.test_msisdn = Some("27999".to_owned())),
        ("NOTIFY_SECRET", |config| config.notify_secret = "hush-hush".to_owned()),
        ("SESSION_SECRET_KEY", |config| config.session_secret_key = "hush-hush".to_owned()),
        ("SESSION_PUBLIC_KEYS", |config| config.session_public_keys = Some("hush-hush".to_owned())),
        ("OPERATOR_URL", |config| config.operator_url = "nowhere".to_owned()),
        ("OPERATOR_URL", |config| config.operator_url = "nowhere:8090".to_owned()),
        ("BRANDS_FILE", |config| config.brands_file = "nowhere.toml".into()),
    ];
    for (name, change) in cases {
        let line = refusal(change).await;
        assert!(line.starts_with(&format!("{name}: ")) && !line.contains("hush") && !line.contains('\n'), "{line}");
    }
}

#[actix_web::test]
async fn start_without_a_network_on_which_subscriptions_run_fails() {
    let store = testkit::store(Engine::Sqlite).await;
    let db = store::Db::open(&store.config, subscription::NAME, subscription::MIGRATIONS).await.unwrap();
    let insert = "INSERT INTO subscriptions (msisdn, svc_id, state, since, network) \
                  VALUES ('27812345678', 150, 'active', '2026-11-26 00:00:00', 'gone')";
    db.write(move |conn| {
        diesel::RunQueryDsl::execute(diesel::sql_query(insert), conn)?;
        Ok::<_, store::Error>(())
    })
    .await
    .unwrap();
    let started = subscription::start(subscription_config(&store, SECRET)).await;
    assert_eq!(
        started.err().unwrap().to_string(),
        "BRANDS_FILE: the network gone is missing, and subscriptions run on it"
    );
}

#[test]
fn new_session_key_returns_a_matching_pair() {
    let lines = subscription::new_session_key().unwrap();
    let (secret, public) = lines.split_once('\n').unwrap();
    let minter = identity::SessionMinter::parse(secret.strip_prefix("SESSION_SECRET_KEY=").unwrap()).unwrap();
    assert_eq!(public, format!("SESSION_PUBLIC_KEYS={}", minter.public_key()));
}

#[test]
fn production_is_read_from_the_environment() {
    use clap::Parser;
    let args = ["subscription", "--session-secret-key", "k", "--notify-secret", "s"];
    assert!(!subscription::Config::parse_from(args).production.on);
    assert!(subscription::Config::parse_from(args.into_iter().chain(["--production=1"])).production.on);
}

on_each_engine! {
    async fn ready_when_the_database_answers(engine) {
        let services = spawn(engine).await;
        let client = Client::new(services.addr, "memeworld");
        assert_eq!(client.get("/readyz").await.status, 200);
        assert_eq!(client.get("/healthz").await.status, 200);
        assert_eq!(client.get("/api/subscribe/nothing").await.status, 404);
    }
}

testkit::on_each_engine! {
    async fn migrate_option_migrates_and_exits(engine) {
        testkit::check_migrate(env!("CARGO_BIN_EXE_subscription"), "subscription", "subscription", engine).await;
    }
}

#[actix_web::test]
async fn binary_rejects_unsafe_production_settings() {
    let program = env!("CARGO_BIN_EXE_subscription");
    let [pull, push] = ["cHVsbHB1", "cHVzaHB1"].map(|word| format!("whsec_{}", word.repeat(6)));
    let secret = identity::SessionMinter::generate().unwrap();
    let settings = [
        ("ADMIN_TOKEN", testkit::STRONG_SECRET),
        ("CHARGE_KEY_SECRET", testkit::STRONG_SECRET),
        ("NOTIFY_SECRET", &pull),
        ("NOTIFY_SECRET_PUSH", &push),
        ("SESSION_SECRET_KEY", &secret),
    ];
    let weak_second = format!("{push},{SECRET}");
    let refused = [
        ("ADMIN_TOKEN", "a"),
        ("ADMIN_TOKEN", "dev-admin"),
        ("CHARGE_KEY_SECRET", ""),
        ("CHARGE_KEY_SECRET", "0123456789abcdef"),
        ("NOTIFY_SECRET", "whsec_YQ=="),
        ("NOTIFY_SECRET", SECRET),
        ("NOTIFY_SECRET_PUSH", &weak_second),
        (
            "SESSION_SECRET_KEY",
            "k4.secret.6Pcel5Zl3c_uJ7g6dzyNwB3q-PJ7n2S77_pnc7UnWQd478p__1B5j26yTrJ2DeW1zcaEFCcJsZVdfykXByN6CQ",
        ),
        ("SESSION_PUBLIC_KEYS", "k4.public.eO_Kf_9QeY9usk6ydg3ltc3GhBQnCbGVXX8pFwcjegk"),
        ("STAFF_TOKEN_PUBLIC_KEYS", "k4.public.eO_Kf_9QeY9usk6ydg3ltc3GhBQnCbGVXX8pFwcjegk"),
        ("TEST_CLOCK", "1"),
        ("TEST_MSISDN", "27600000000"),
    ];
    testkit::check_production(program, &settings, "DATABASE_URL", &refused).await;

    // The networks of staging have no URL of their own, and one key.
    for (operator_url, expected) in [
        ("http://127.0.0.1:8090", "OPERATOR_URL: 127.0.0.1 is the operator sandbox"),
        ("http://operator-sandbox:8090", "OPERATOR_URL: operator-sandbox is the operator sandbox"),
        ("https://network.example", "NOTIFY_SECRET: the networks sandbox-pull and sandbox-push share a key"),
    ] {
        let staging = [
            ("PRODUCTION", "1"),
            ("BIND", "127.0.0.1:0"),
            ("BRANDS_FILE", "deploy/k8s/overlays/staging/brands.toml"),
            ("OPERATOR_URL", operator_url),
        ];
        let line = testkit::failed_start(program, &[&settings[..], &staging].concat()).await;
        assert!(line.starts_with(expected), "{line}");
    }
}
