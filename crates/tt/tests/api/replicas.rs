//! Two replicas over one database and one Redis.

use std::time::Duration;

use serde_json::json;
use testkit::Engine;

use crate::{manifest, spawn_app};

#[actix_web::test]
async fn import_is_visible_on_every_replica_within_two_seconds() {
    let app = spawn_app(Engine::Postgres).await;
    let (_second, other) = app.replica().await;
    app.import(&manifest("ttmbhatv")).await;
    let name = async |client: &testkit::Client| {
        client.get_ok("/api/tt/getCategory/ttmbhatv").await[0]["category_name"].as_str().unwrap().to_owned()
    };
    assert_eq!((name(&app.client).await, name(&other).await), ("Drama".to_owned(), "Drama".to_owned()));
    for round in 1..=3 {
        let mut edited = manifest("ttmbhatv");
        edited["digest"] = json!(format!("edit {round}"));
        edited["categories"][0]["category_name"] = json!(format!("Drama {round}"));
        app.import(&edited).await;
        assert_eq!(name(&app.client).await, format!("Drama {round}"), "the replica that imported it");
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert_eq!(name(&other).await, format!("Drama {round}"), "another replica");
    }
}
