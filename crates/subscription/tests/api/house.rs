//! House rules of this crate, as tests.

use std::fs;

use store::Db;
use testkit::on_each_engine;

#[test]
fn one_place_moves_a_subscription() {
    let sources = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src")).unwrap();
    let mut found = Vec::new();
    for source in sources {
        let path = source.unwrap().path();
        let text: String = fs::read_to_string(&path).unwrap().split_whitespace().collect();
        let places = text.matches("update(subscriptions::table").count() + text.matches("UPDATEsubscriptions").count();
        found.extend(vec![path.file_name().unwrap().to_string_lossy().into_owned(); places]);
    }
    assert_eq!(found, ["subscriptions.rs"]);
}

on_each_engine! {
    async fn migrations_go_up_and_down_and_up(engine) {
        let place = testkit::store(engine).await;
        let db = Db::open(&place.config, subscription::NAME, subscription::MIGRATIONS).await.unwrap();
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
