//! The editors' tool asked to work on a family that serves real customers.

use std::process::Command;

fn failure(admin_token: &str, brands_file: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_content"));
    command.current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    command.args(["log", "--service", "nothing"]).env_clear().env("PRODUCTION", "1");
    let output = command.env("ADMIN_TOKEN", admin_token).env("BRANDS_FILE", brands_file).output().unwrap();
    assert!(!output.status.success());
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn it_refuses_what_must_not_serve_real_customers() {
    let production = "deploy/k8s/overlays/production/brands.toml";
    for (line, expected) in [
        (failure(testkit::STRONG_SECRET, production), "content: nothing: there is no such service"),
        (failure("dev-admin", production), "content: ADMIN_TOKEN: "),
        (failure("a", production), "content: ADMIN_TOKEN: "),
        (failure(testkit::STRONG_SECRET, "deploy/brands.toml"), "content: BRANDS_FILE: "),
    ] {
        assert!(line.starts_with(expected), "{line}");
    }
}
