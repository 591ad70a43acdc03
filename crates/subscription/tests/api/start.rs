//! What stops a start, in one line that names the setting; and readiness.

use testkit::{Client, Engine, on_each_engine};

use crate::family::{spawn, subscription_config};

const SECRET: &str = "whsec_ZGV2LW5vdGlmeQ==";

async fn refusal(change: impl FnOnce(&mut subscription::Config)) -> String {
    let place = testkit::store(Engine::Sqlite).await;
    let mut config = subscription_config(&place, SECRET);
    change(&mut config);
    match subscription::start(config).await {
        Ok(_) => panic!("it started"),
        Err(error) => error.to_string(),
    }
}

#[actix_web::test]
async fn the_test_number_does_not_go_to_production() {
    let line = refusal(|config| {
        config.production = true;
        config.charge_key_secret = Some("k".repeat(32));
        config.test_msisdn = Some("27600000000".to_owned());
    })
    .await;
    assert_eq!(line, "TEST_MSISDN: must not be set together with PRODUCTION=1");
}

#[actix_web::test]
async fn a_bad_setting_is_named_and_no_secret_is_shown() {
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

#[test]
fn a_fresh_pair_of_keys_fits() {
    let lines = subscription::new_session_key().unwrap();
    let (secret, public) = lines.split_once('\n').unwrap();
    let minter = identity::SessionMinter::parse(secret.strip_prefix("SESSION_SECRET_KEY=").unwrap()).unwrap();
    assert_eq!(public, format!("SESSION_PUBLIC_KEYS={}", minter.public_key()));
}

#[test]
fn production_is_a_word_of_the_environment() {
    use clap::Parser;
    let args = ["subscription", "--session-secret-key", "k", "--notify-secret", "s"];
    assert!(!subscription::Config::parse_from(args).production);
    assert!(subscription::Config::parse_from(args.into_iter().chain(["--production=1"])).production);
}

on_each_engine! {
    async fn it_is_ready_when_its_database_answers(engine) {
        let family = spawn(engine).await;
        let client = Client::new(family.addr, "memeworld");
        assert_eq!(client.get("/readyz").await.status, 200);
        assert_eq!(client.get("/healthz").await.status, 200);
        assert_eq!(client.get("/api/subscribe/nothing").await.status, 404);
    }
}

testkit::on_each_engine! {
    async fn its_program_brings_the_tables_up_to_date_and_ends(engine) {
        testkit::check_migrate(env!("CARGO_BIN_EXE_subscription"), "subscription", "subscription", engine).await;
    }
}
