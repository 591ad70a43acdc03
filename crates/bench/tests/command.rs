//! The command as the README gives it.

use std::process::Command;

#[test]
fn fill_makes_a_library_in_the_data_folder() {
    let home = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_bench"));
    command.env("DATA_DIR", home.path()).env_remove("DATABASE_URL").env_remove("REDIS_URL");
    command.args("fill --service meme --categories 10 --memes 1000 --likes 5000".split(' '));
    assert!(command.status().unwrap().success());
    assert!(home.path().join("meme.db").exists());
}

#[test]
fn an_unknown_group_is_refused() {
    let said = Command::new(env!("CARGO_BIN_EXE_bench")).args(["run", "everything"]).output().unwrap();
    assert!(!said.status.success());
    assert!(String::from_utf8_lossy(&said.stderr).contains("everything"));
}
