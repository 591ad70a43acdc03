//! Days of differences that members of finance divide among themselves.

use serde_json::json;

use crate::{id_of, spawn_app};

testkit::on_each_engine! {
    async fn days_are_accepted_given_to_a_colleague_and_freed(engine) {
        let app = spawn_app(engine).await;
        let (mut admin, _) = app.administrator().await;
        let (mut zola, _) = app.member(&mut admin, "zola@spaza.example", &["finance"]).await;
        app.member(&mut admin, "themba@spaza.example", &["finance", "support"]).await;
        app.member(&mut admin, "sipho@spaza.example", &["support"]).await;
        let [own, colleague, support] = [
            id_of(&mut admin, "zola@spaza.example").await,
            id_of(&mut admin, "themba@spaza.example").await,
            id_of(&mut admin, "sipho@spaza.example").await,
        ];
        let call = "/api/finance/differences/2026-11-03/assignment";
        let list = "/api/finance/assignments";
        let listed = zola.get_ok(list).await;
        assert_eq!(listed["assignments"], json!([]));
        let ids: Vec<_> = listed["colleagues"].as_array().unwrap().iter().map(|each| each["id"].as_i64().unwrap()).collect();
        assert!(ids.len() == 2 && ids.contains(&own) && ids.contains(&colleague), "{listed}");

        for (network, staff_id) in [("pull", Some(own)), ("push", Some(own)), ("pull", Some(colleague)), ("push", None)] {
            let reply = zola.call("PUT", call, Some(json!({ "network": network, "staff_id": staff_id }))).await;
            assert_eq!(reply.status, 204, "{reply:?}");
        }
        let expected = json!([{ "day": "2026-11-03", "network": "pull", "staff_id": colleague }]);
        assert_eq!(zola.get_ok(list).await["assignments"], expected);

        for (call, network, staff_id, status) in [
            (call, "pull", support, 422),
            (call, "pull", 999_999, 422),
            (call, "", own, 422),
            ("/api/finance/differences/yesterday/assignment", "pull", own, 404),
        ] {
            let reply = zola.call("PUT", call, Some(json!({ "network": network, "staff_id": staff_id }))).await;
            assert_eq!(reply.status, status, "{reply:?}");
        }
        assert_eq!(zola.get_ok(list).await["assignments"], expected);
        let entries = admin.get_ok("/api/audit?action=day.assigned").await["entries"].clone();
        assert_eq!(entries.as_array().unwrap().len(), 4, "{entries}");
        assert_eq!(entries[1]["details"], json!({ "network": "pull", "to": "themba@spaza.example" }));
        assert_eq!((&entries[1]["subject"], &entries[1]["staff"]), (&json!("2026-11-03"), &json!("zola@spaza.example")));

        // The day of a person who leaves is free.
        let body = json!({ "roles": ["support"], "removed": false });
        assert_eq!(admin.call("PUT", &format!("/api/staff/{colleague}"), Some(body)).await.status, 200);
        assert_eq!(zola.get_ok(list).await["assignments"], json!([]));
    }
}
