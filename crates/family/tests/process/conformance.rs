//! `family conformance NETWORK`, against the operator sandbox as a network's test bed.

use std::{
    io::{BufRead, BufReader},
    path::PathBuf,
    process::{Command, Stdio},
};

use serde_json::{Value, json};
use service::ServeConfig;
use testkit::{ADMIN_TOKEN, Client, Engine, actix_web};

use crate::root;

/// brands.toml with one adapter for its pull network.
fn brands_file(adapter: &str) -> PathBuf {
    let brands = std::fs::read_to_string(root().join("deploy/brands.toml")).unwrap();
    let brands = brands.replace("adapter = \"rest\"", &format!("adapter = \"{adapter}\""));
    let file = tempfile::Builder::new().suffix(".toml").tempfile().unwrap().into_temp_path().keep().unwrap();
    std::fs::write(&file, brands).unwrap();
    file
}

/// The lines of the command, and whether all cases hold. A person confirms on every page that it prints.
async fn try_network(adapter: &str, network: &str, faults: Value) -> (Vec<String>, bool) {
    let store = testkit::store(Engine::Sqlite).await;
    let brands_file = brands_file(adapter);
    let sandbox = operator_sandbox::start(operator_sandbox::Config {
        bind: ([127, 0, 0, 1], 0).into(),
        public_url: "http://localhost:8090".to_owned(),
        notify_url: "http://127.0.0.1:9".to_owned(),
        notify_secret: "whsec_ZGV2LW5vdGlmeQ==".to_owned(),
        network_credentials: Some("wasp:a-password".to_owned()),
        brands_file: brands_file.clone(),
        public_port: 8080,
        admin_token: Some(ADMIN_TOKEN.to_owned()),
        test_clock: true,
        production: service::Production::default(),
        store: store.config.clone(),
        serve: ServeConfig { workers: 1, ..ServeConfig::default() },
    })
    .await
    .unwrap();
    let client = Client::new(sandbox.addr, "localhost");
    if faults != json!({}) {
        let mut faults = faults;
        faults["network"] = json!(network);
        assert_eq!(client.post_as_admin("/internal/misbehave", &faults).await.status, 204);
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_family"));
    let url = format!("http://{}", sandbox.addr);
    command.args(["conformance", network, "--paying", "0812341111", "--without-airtime", "0812340003", "--wait", "60"]);
    command.env_clear().env("BRANDS_FILE", &brands_file).env("OPERATOR_URL", &url);
    command.env("NETWORK_CREDENTIALS", "wasp:a-password").stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let (pages, mut page) = tokio::sync::mpsc::unbounded_channel();
    let reader = std::thread::spawn(move || {
        let of_line = |line: String| {
            if let Some((_, address)) = line.split_once("confirm on http://localhost:8090") {
                pages.send(address.to_owned()).unwrap();
            }
            line
        };
        lines.map_while(Result::ok).map(of_line).collect::<Vec<String>>()
    });
    while let Some(address) = page.recv().await {
        let request = client.request(reqwest::Method::POST, &address);
        let request = request.header("content-type", "application/x-www-form-urlencoded").body("answer=confirm");
        assert_eq!(client.send(request).await.status, 303);
    }
    (reader.join().unwrap(), child.wait().unwrap().success())
}

/// The lines that report a case.
fn cases(lines: &[String]) -> Vec<&str> {
    lines.iter().map(String::as_str).filter(|line| !line.contains("confirm on")).collect()
}

#[actix_web::test]
async fn conformance_of_the_sandbox_holds_for_every_adapter() {
    for (adapter, network, count) in [
        ("rest", "sandbox-pull", 24),
        ("soap", "sandbox-pull", 24),
        ("camara", "sandbox-pull", 24),
        ("rest", "sandbox-push", 10),
    ] {
        let (lines, is_well) = try_network(adapter, network, json!({})).await;
        let cases = cases(&lines);
        assert!(is_well && cases.iter().all(|line| line.starts_with("ok    ")), "{adapter}: {lines:#?}");
        assert_eq!(cases.len(), count, "{adapter}: {lines:#?}");
    }
}

#[actix_web::test]
async fn conformance_names_the_case_that_does_not_hold() {
    for (faults, expected) in [
        (json!({"refund": "part"}), "FAILS a charge is given back: 100 in the place of 300"),
        (json!({"forget_charges": true}), "FAILS a charge is known by its key: its key is not known"),
        (
            json!({"list": "bad_row"}),
            "FAILS the list of the day can be read to its end, and has each charge once: a row cannot be read",
        ),
        (
            json!({"list": "endless"}),
            "FAILS the list of the day can be read to its end, and has each charge once: it has no end",
        ),
    ] {
        let (lines, is_well) = try_network("rest", "sandbox-pull", faults.clone()).await;
        assert!(!is_well && lines.iter().any(|line| line == expected), "{faults}: {lines:#?}");
    }
}
