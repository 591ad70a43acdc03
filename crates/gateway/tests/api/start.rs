//! An invalid setting is a start error of one line that names it.

use clap::Parser;
use gateway::Config;

use crate::helpers::{Upstream, config, folders};

async fn refusal(change: impl FnOnce(&mut Config)) -> String {
    let (folder, upstream) = (folders(), Upstream::start().await);
    let mut config = config(folder.path(), &upstream);
    change(&mut config);
    match gateway::start(config).await {
        Ok(_) => panic!("it started"),
        Err(error) => error.to_string(),
    }
}

#[actix_web::test]
async fn start_error_names_the_setting() {
    for (line, name) in [
        (refusal(|c| c.frontend_dir = "/nowhere".into()).await, "FRONTEND_DIR: cannot read /nowhere/index.html: "),
        (refusal(|c| c.media_dir = "/nowhere".into()).await, "MEDIA_DIR: cannot read /nowhere: "),
        (
            refusal(|c| c.image_origins = "https://x=/nowhere".parse().unwrap()).await,
            "IMAGE_ORIGINS: cannot read /nowhere: ",
        ),
        (
            refusal(|c| c.media_origin.media_origin = "ftp://a/".parse().ok()).await,
            "MEDIA_ORIGIN: it is no plain http or https address",
        ),
        (
            refusal(|c| {
                c.media_origin.media_origin = "http://a/b".parse().ok();
                c.media_origin.media_redirect_seconds = 30;
            })
            .await,
            "MEDIA_REDIRECT_SECONDS: needs MEDIA_KEY_ID and MEDIA_SECRET_KEY",
        ),
        (
            refusal(|c| {
                c.media_origin.media_origin = "http://a/b".parse().ok();
                c.media_origin.media_key_id = Some("K".to_owned());
            })
            .await,
            "MEDIA_KEY_ID: is set together with MEDIA_SECRET_KEY, or neither",
        ),
        (
            refusal(|c| c.protection.tls_cert = Some("/nowhere.pem".into())).await,
            "TLS_CERT: is set together with TLS_KEY, or neither",
        ),
        (
            refusal(|c| {
                c.protection.tls_cert = Some("/nowhere.pem".into());
                c.protection.tls_key = Some("/nowhere.key".into());
            })
            .await,
            "TLS_CERT: cannot read /nowhere.pem: ",
        ),
        (refusal(|c| c.brands_file = "/nowhere".into()).await, "BRANDS_FILE: cannot read /nowhere: "),
        (
            refusal(|c| c.images.imgproxy_url = "ftp://a/".parse().ok()).await,
            "IMGPROXY_URL: ftp://a/ is no http address",
        ),
        (refusal(|c| c.session_public_keys = "k4.public.x".into()).await, "SESSION_PUBLIC_KEYS: "),
        (refusal(|c| c.test_msisdn = Some("123".into())).await, "TEST_MSISDN: "),
        (refusal(|c| c.operator_public_url = "localhost".into()).await, "OPERATOR_PUBLIC_URL: "),
        (
            refusal(|c| {
                c.test_msisdn = Some("27600000000".into());
                c.production = true;
            })
            .await,
            "TEST_MSISDN: must not be set together with PRODUCTION=1",
        ),
        (refusal(|c| c.production = true).await, "BRANDS_FILE: "),
        (
            refusal(|c| {
                c.media_origin.media_origin = "http://a/b".parse().ok();
                c.media_origin.media_accel_redirect = Some("/protected/".to_owned());
            })
            .await,
            "MEDIA_ACCEL_REDIRECT: must not be set together with MEDIA_ORIGIN",
        ),
    ] {
        assert!(line.starts_with(name) && !line.contains('\n'), "{line}");
    }
}

#[actix_web::test]
async fn empty_test_number_is_off() {
    let (folder, upstream) = (folders(), Upstream::start().await);
    let mut config = config(folder.path(), &upstream);
    config.test_msisdn = Some(String::new());
    assert!(gateway::start(config).await.is_ok());
}

#[test]
fn invalid_values_are_rejected_while_parsing() {
    let parse =
        |name: &str, value: &str| Config::try_parse_from(["gateway", "--session-public-keys", "x", name, value]);
    for (name, value) in [
        ("--meme-url", "https://a:1"),
        ("--meme-url", ""),
        ("--trusted-proxies", "everybody"),
        ("--image-origins", "http://a=b"),
        ("--image-origins", "https://a"),
        ("--public-port", "70000"),
        ("--media-origin", "bucket"),
        ("--media-redirect-seconds", "46"),
        ("--imgproxy-url", "imgproxy"),
        ("--production", "perhaps"),
        ("--head-seconds", "0"),
        ("--body-seconds", "0"),
    ] {
        assert!(parse(name, value).is_err(), "{name} {value}");
    }
    assert!(parse("--trusted-proxies", "10.0.0.0/8, ::1").is_ok());
    assert!(parse("--production", "1").is_ok_and(|config| config.production));
}
