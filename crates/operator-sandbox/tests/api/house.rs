//! House rules of this crate, as tests.

use store::Db;
use testkit::on_each_engine;

on_each_engine! {
    async fn migrations_go_up_and_down_and_up(engine) {
        let place = testkit::store(engine).await;
        let db = Db::open(&place.config, operator_sandbox::OWNER, operator_sandbox::MIGRATIONS).await.unwrap();
        db.run(|conn| {
            for step in [store::revert_all, store::migrate] {
                step(conn, operator_sandbox::OWNER, operator_sandbox::MIGRATIONS).map_err(store::Error::Query)?;
            }
            Ok::<_, store::Error>(())
        })
        .await
        .unwrap();
    }
}
