//! The order that editors give to home rows and banners.

use serde_json::{Value, json};
use testkit::Client;

use crate::{manifest, spawn_app};

/// All pages of a list, of this many items.
async fn walk(client: &Client, path: &str, limit: usize) -> Vec<Value> {
    let (mut next, mut all) = (format!("{path}?limit={limit}"), Vec::new());
    loop {
        let reply = client.get(&next).await;
        assert_eq!(reply.status, 200, "{next}");
        let page = reply.json();
        assert!(page.as_array().unwrap().len() <= limit);
        all.extend(page.as_array().unwrap().iter().cloned());
        match reply.header("link").split_once('>') {
            Some((address, _)) => next = address.trim_start_matches('<').to_owned(),
            None => return all,
        }
    }
}

testkit::on_each_engine! {
    async fn rows_and_banners_follow_positions_and_then_ids(engine) {
        let app = spawn_app(engine).await;
        let paths = ["/api/tt/getCategory/ttmbhatv", "/api/tt/getcatvideos/ttmbhatv", "/api/tt/banners/ttmbhatv"];
        app.import(&manifest("ttmbhatv")).await;
        let mut before = Vec::new();
        for path in paths {
            before.push(app.client.get(path).await);
        }
        let mut ordered = manifest("ttmbhatv");
        ordered["digest"] = json!("ordered");
        ordered["categories"][1]["position"] = json!(1);
        ordered["banners"][1]["position"] = json!(7);
        assert_eq!(app.import(&ordered).await, [0, 2, 8]);
        let client = app.replica().await.1;
        for (path, before) in paths.iter().zip(&before) {
            let mut reversed = before.json();
            reversed.as_array_mut().unwrap().reverse();
            assert_eq!(client.get_ok(path).await, reversed, "{path}");
        }
        // Without positions everything is as it was, to the byte.
        ordered["categories"][1]["position"] = Value::Null;
        ordered["banners"][1]["position"] = Value::Null;
        ordered["digest"] = json!("as before");
        app.import(&ordered).await;
        let client = app.replica().await.1;
        for (path, before) in paths.iter().zip(&before) {
            let reply = client.get(path).await;
            assert_eq!((reply.bytes, reply.headers["etag"].clone()), (before.bytes.clone(), before.headers["etag"].clone()));
        }
    }

    async fn pages_of_a_thousand_rows_have_each_row_once_in_order(engine) {
        let app = spawn_app(engine).await;
        let mut big = manifest("ttmbhatv");
        // Every third has a position, backwards, and pairs share one.
        let position = |number: usize| number.is_multiple_of(3).then_some((999 - number) / 6);
        let category = |number: usize| {
            json!({ "slug": format!("row-{number:04}"), "category_name": format!("Row {number}"), "position": position(number), "videos": [] })
        };
        big["categories"] = (0..1000).map(category).collect();
        big["banners"] = json!([]);
        big["digest"] = json!("thousand");
        assert_eq!(app.import(&big).await, [1000, 0, 0]);
        let mut expected: Vec<usize> = (0..1000).collect();
        expected.sort_by_key(|number| (position(*number).unwrap_or(usize::MAX), *number));
        let expected: Vec<String> = expected.into_iter().map(|number| format!("Row {number}")).collect();
        for limit in [7, 200] {
            let categories = walk(&app.client, "/api/tt/getCategory/ttmbhatv", limit).await;
            let names: Vec<&str> = categories.iter().map(|row| row["category_name"].as_str().unwrap()).collect();
            assert_eq!(names, expected, "{limit}");
        }
        let rows = walk(&app.client, "/api/tt/getcatvideos/ttmbhatv", 200).await;
        let names: Vec<&str> = rows.iter().map(|row| row["category"]["category_name"].as_str().unwrap()).collect();
        assert_eq!(names, expected);
        // An id that no row has is behind all positions.
        let all = walk(&app.client, "/api/tt/getCategory/ttmbhatv", 200).await;
        let behind = app.client.get_ok("/api/tt/getCategory/ttmbhatv?after=999999").await;
        assert_eq!((all.len(), behind), (1000, json!([])));
    }

    async fn position_is_a_count_in_manifests_and_lists(engine) {
        let app = spawn_app(engine).await;
        let mut wrong = manifest("ttmbhatv");
        wrong["categories"][0]["position"] = json!(-1);
        assert_eq!(app.client.import(&wrong).await.unwrap_err().status, 422);
        wrong["categories"][0]["position"] = json!(3);
        app.import(&wrong).await;
        let list = async |query: &str| {
            let path = format!("/internal/records/category?service=ttmbhatv&{query}");
            let request = app.client.request(Default::default(), &path).bearer_auth(testkit::ADMIN_TOKEN);
            app.client.send(request).await
        };
        let records = list("sort=position").await.json();
        assert_eq!((&records["records"][0]["record"]["position"], &records["records"][1]["record"].get("position")), (&json!(3), &None));
        let path = "/internal/records/video?service=ttmbhatv&sort=position";
        let request = app.client.request(Default::default(), path).bearer_auth(testkit::ADMIN_TOKEN);
        assert_eq!(app.client.send(request).await.status, 422, "a video has no position");
    }
}
