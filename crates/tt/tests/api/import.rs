//! `/internal/import`.

use serde_json::json;

use crate::{manifest, spawn_app};

testkit::on_each_engine! {
    async fn the_same_manifest_twice_changes_nothing(engine) {
        let app = spawn_app(engine).await;
        assert_eq!(app.import(&manifest("ttmbhatv")).await, json!({"added": 10, "changed": 0, "unchanged": 0}));
        assert_eq!(app.import(&manifest("ttmbhatv")).await, json!({"added": 0, "changed": 0, "unchanged": 10}));
        let mut edited = manifest("ttmbhatv");
        edited["banners"][0]["video"] = json!(null);
        assert_eq!(app.import(&edited).await, json!({"added": 0, "changed": 1, "unchanged": 9}));
        let banners = app.client.get_ok("/api/tt/banners/ttmbhatv").await;
        assert_eq!(banners[0]["videoid"], json!(null));
    }

    async fn a_pack_for_two_services_reaches_both_and_each_once(engine) {
        let app = spawn_app(engine).await;
        for service in ["ttmbhatv", "raceday"] {
            let mut pack = manifest(service);
            pack["once"] = json!(true);
            assert_eq!(app.import(&pack).await, json!({"added": 10, "changed": 0, "unchanged": 0}), "{service}");
            pack["categories"][0]["category_name"] = json!("Undone");
            assert_eq!(app.import(&pack).await, json!({"added": 0, "changed": 0, "unchanged": 0}), "{service}");
        }
    }

    async fn a_banner_that_leads_nowhere_undoes_the_whole_import(engine) {
        let app = spawn_app(engine).await;
        let mut bad = manifest("ttmbhatv");
        bad["banners"][1]["video"] = json!("not-there");
        let reply = app.client.post_as_admin("/internal/import", &bad).await;
        assert_eq!(reply.status, 422);
        assert!(reply.json()["error_message"].as_str().unwrap().contains("not-there"));
        assert_eq!(app.client.get_ok("/api/tt/getCategory/ttmbhatv").await, json!([]));
    }
}
