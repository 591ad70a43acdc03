//! Rules for this crate's source code, as tests.

use std::{
    fs,
    path::{Path, PathBuf},
};

use store::Db;
use testkit::on_each_engine;

#[test]
fn only_subscriptions_rs_changes_a_state() {
    let mut found = Vec::new();
    for path in sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))) {
        let text: String = fs::read_to_string(&path).unwrap().split_whitespace().collect();
        let updates = text.split("update(subscriptions::table").skip(1);
        let moves =
            updates.filter(|update| update.split(".execute(").next().unwrap().contains("subscriptions::state.eq("));
        let places = moves.count() + text.matches("UPDATEsubscriptions").count();
        found.extend(vec![path.file_name().unwrap().to_string_lossy().into_owned(); places]);
    }
    assert_eq!(found, ["subscriptions.rs"]);
}

/// All source files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

on_each_engine! {
    async fn migrations_run_up_down_and_up(engine) {
        let store = testkit::store(engine).await;
        let db = Db::open(&store.config, subscription::NAME, subscription::MIGRATIONS).await.unwrap();
        db.run(|conn| {
            for step in [store::revert_all, store::migrate] {
                step(conn, subscription::NAME, subscription::MIGRATIONS).map_err(store::Error::Query)?;
            }
            Ok::<_, store::Error>(())
        })
        .await
        .unwrap();
    }
}
