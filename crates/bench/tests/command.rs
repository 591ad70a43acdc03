//! The command as the README gives it.

use std::process::Command;

#[test]
fn fill_writes_to_the_data_folder() {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench"));
    command.env("DATA_DIR", home.path()).env_remove("DATABASE_URL").env_remove("REDIS_URL");
    command.args("fill --service meme --categories 10 --memes 1000 --likes 5000".split(' '));
    assert!(command.status().unwrap().success());
    assert!(home.path().join("meme.db").exists());
}

#[test]
fn run_with_an_unknown_group_fails() {
    let output = Command::new(env!("CARGO_BIN_EXE_bench")).args(["run", "everything"]).output().unwrap();
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("everything"));
}
