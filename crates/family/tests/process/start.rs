//! A start that cannot succeed ends with one line that names the reason.

use std::{path::Path, process::Command};

use crate::{command, failed_start, free_ports};

fn must_fail(change: impl FnOnce(&mut Command) -> &mut Command, named: &[&str]) {
    let home = tempfile::tempdir().unwrap();
    let mut command = command(home.path());
    let ports = free_ports();
    command.env("PORT", ports.first.to_string());
    // Parts that start before another fails tell of themselves.
    command.env("RUST_LOG", "error");
    change(&mut command);
    let (code, stderr_text) = failed_start(command);
    assert_ne!(code, 0, "{stderr_text}");
    assert_eq!(stderr_text.trim_end().lines().count(), 1, "{stderr_text}");
    for word in named {
        assert!(stderr_text.contains(word), "{word:?} is not in {stderr_text:?}");
    }
}

#[test]
fn start_with_a_bad_port_fails() {
    for port in ["banana", "0", "70000", "-1", ""] {
        must_fail(|command| command.env("PORT", port), &["PORT"]);
    }
    must_fail(|command| command.env("PORT", "65530"), &["PORT", "65530"]);
}

#[test]
fn start_with_a_used_port_fails() {
    for offset in [0, 3, 10] {
        let ports = free_ports();
        let used = ports.first + offset;
        let _listener = std::net::TcpListener::bind(("127.0.0.1", used)).unwrap();
        must_fail(|command| command.env("PORT", ports.first.to_string()), &[&used.to_string()]);
    }
}

#[test]
fn start_with_an_unreadable_brands_file_fails() {
    must_fail(|command| command.env("BRANDS_FILE", "/nowhere/brands.toml"), &["BRANDS_FILE", "/nowhere/brands.toml"]);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("brands.toml");
    std::fs::write(&file, "public_url = \"x\"\n[[brand]]\nlabels = 3\n").unwrap();
    must_fail(|command| command.env("BRANDS_FILE", &file), &["BRANDS_FILE", "line 3"]);
}

#[test]
fn start_with_an_unreachable_database_fails() {
    let closed_port = testkit::Reserved::any();
    must_fail(
        |command| command.env("DATABASE_URL", format!("postgres://nobody:secret@{}/nothing", closed_port.addr)),
        &["DATABASE_URL", "127.0.0.1", "refused"],
    );
    must_fail(|command| command.env("DATABASE_URL", "mysql://127.0.0.1/nothing"), &["DATABASE_URL", "mysql"]);
    must_fail(|command| command.env("DATA_DIR", "/proc/nowhere"), &["DATA_DIR"]);
}

#[test]
fn second_family_on_one_folder_fails() {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir(home.path().join("data")).unwrap();
    let of_another = std::fs::File::create(home.path().join("data/lock")).unwrap();
    of_another.lock().unwrap();
    let data_dir = home.path().join("data");
    must_fail(|command| command.env("DATA_DIR", &data_dir), &["DATA_DIR", "another family runs on this folder"]);
}

#[test]
fn start_without_the_right_to_write_the_brands_names_their_folder() {
    let home = tempfile::tempdir().unwrap();
    let data_dir = home.path().join("data");
    std::fs::create_dir_all(data_dir.join("brands.new")).unwrap();
    must_fail(
        |command| command.env("DATA_DIR", &data_dir).env("DEMO_NETWORKS", "deploy/demo/networks.toml"),
        &["DATA_DIR", "brands.toml"],
    );
}

#[test]
fn other_settings_that_lead_nowhere() {
    must_fail(|command| command.env("REDIS_URL", "127.0.0.1"), &["REDIS_URL"]);
    must_fail(|command| command.env("FRONTEND_DIR", "/nowhere"), &["FRONTEND_DIR"]);
    must_fail(|command| command.env("DEMO_MANIFEST", "/nowhere.json"), &["DEMO_MANIFEST"]);
    must_fail(|command| command.env("TEST_MSISDN", "12"), &["TEST_MSISDN"]);
    must_fail(|command| command.env("NOTIFY_SECRET", "nonsense"), &["NOTIFY_SECRET"]);
    must_fail(|command| command.env("PRODUCTION", "1"), &["PRODUCTION", "operator sandbox"]);
}

/// The programs of the services that are nothing but a catalogue of artists.
fn artist_services() -> [(String, &'static str); 2] {
    ["comedy", "diski"].map(|name| {
        let program = Path::new(env!("CARGO_BIN_EXE_family")).with_file_name(name);
        (program.display().to_string(), name)
    })
}

testkit::on_each_engine! {
    async fn artist_services_with_migrate_apply_migrations_and_exit(engine) {
        for (program, name) in artist_services() {
            testkit::check_migrate(&program, name, "artists", engine).await;
        }
    }
}

#[testkit::actix_web::test]
async fn artist_services_in_production_reject_weak_settings() {
    let settings = [("ADMIN_TOKEN", testkit::STRONG_SECRET)];
    let refused = [("ADMIN_TOKEN", "a"), ("ADMIN_TOKEN", "dev-admin")];
    for (program, _) in artist_services() {
        testkit::check_production(&program, &settings, "DATABASE_URL", &refused).await;
    }
}
