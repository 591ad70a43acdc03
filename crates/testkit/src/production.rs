//! A program asked to serve real customers.

use std::{path::Path, process::Stdio, time::Duration};

use tokio::process::Command;

use crate::Reserved;

/// How long a program may take, on a slow machine.
const TIMEOUT: Duration = Duration::from_secs(240);

/// The brands of the cluster's production.
const BRANDS: &str = include_str!("../../../deploy/k8s/overlays/production/brands.toml");

/// A secret that is neither short nor published.
pub const STRONG_SECRET: &str = "0f1e2d3c4b5a69788796a5b4c3d2e1f0";

/// Asserts that PROGRAM with `PRODUCTION=1`, production's brands and these settings comes as far as to the one that leads nowhere, `then`;
/// and that it ends with a line that names the setting where one of `refused` is set instead, or where the brands are another's.
pub async fn check_production(program: &str, settings: &[(&str, &str)], then: &str, refused: &[(&str, &str)]) {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("a file");
        path.display().to_string()
    };
    let brands = write("brands.toml", BRANDS);
    let closed_port = Reserved::any();
    let database = format!("postgres://nobody:nothing@{}/nothing", closed_port.addr);
    let good = [("PRODUCTION", "1"), ("BIND", "127.0.0.1:0"), ("BRANDS_FILE", &brands), ("DATABASE_URL", &database)];
    let good: Vec<_> = good.into_iter().chain(settings.iter().copied()).collect();
    let line = failed_start(program, &good).await;
    assert!(line.starts_with(&format!("{then}: ")), "{line}");

    let plain = write("plain.toml", &BRANDS.replace("https://{label}", "http://{label}"));
    let imitated =
        write("imitated.toml", &BRANDS.replace("https://push.network.example", "http://operator-sandbox:8090"));
    let refused = refused.iter().copied().chain([("BRANDS_FILE", plain.as_str()), ("BRANDS_FILE", &imitated)]);
    for (name, value) in refused {
        let settings: Vec<_> = good.iter().copied().chain([(name, value)]).collect();
        let line = failed_start(program, &settings).await;
        assert!(line.starts_with(&format!("{name}: ")) && line.contains("PRODUCTION=1"), "{name} {value}: {line}");
    }
}

/// The one line that a program ends with which cannot start; of a setting that is given twice, the last counts.
pub async fn failed_start(program: &str, settings: &[(&str, &str)]) -> String {
    let mut command = Command::new(program);
    command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."));
    command.env_clear().envs(settings.iter().copied()).stdin(Stdio::null()).kill_on_drop(true);
    let output = tokio::time::timeout(TIMEOUT, command.output()).await.expect("it ends").expect("it runs");
    let stderr = String::from_utf8_lossy(&output.stderr).trim_end().to_owned();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    stderr
}
