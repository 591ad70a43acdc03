//! `/internal/records`: lists of editors, the check of a form, and the import of one record.

use serde_json::{Value, json};
use service::{Scope, SigningKey};

use crate::{App, manifest, spawn_app, spawn_with_staff};

/// A call as a machine.
async fn call(app: &App, method: &str, path: &str, body: Option<Value>) -> (u16, Value) {
    let mut request = app.client.request(method.parse().unwrap(), path).bearer_auth(testkit::ADMIN_TOKEN);
    if let Some(body) = body {
        request = request.json(&body);
    }
    let reply = app.client.send(request).await;
    let status = reply.status;
    (status, reply.json())
}

async fn get(app: &App, path: &str) -> Value {
    let (status, reply) = call(app, "GET", path, None).await;
    assert_eq!(status, 200, "{path}: {reply}");
    reply
}

fn slugs(list: &Value) -> Vec<String> {
    list["records"].as_array().unwrap().iter().map(|record| record["slug"].as_str().unwrap().to_owned()).collect()
}

/// The slugs of all pages of two records, which the first page counts.
async fn walk(app: &App, query: &str) -> Vec<String> {
    let (mut all, mut after) = (Vec::new(), String::new());
    let mut total = None;
    loop {
        let page = get(app, &format!("/internal/records/video?service=madfunny&limit=2&{query}{after}")).await;
        assert!(slugs(&page).len() <= 2, "{query}: {page}");
        all.extend(slugs(&page));
        assert_eq!(page["total"].is_null(), total.is_some(), "{query}: {page}");
        let total = *total.get_or_insert_with(|| page["total"].as_u64().unwrap());
        let Some(next) = page["next"].as_str() else {
            assert_eq!(total, all.len() as u64, "{query}");
            return all;
        };
        after = format!("&after={next}");
    }
}

/// A manifest whose five videos are in five states.
fn in_every_state() -> Value {
    let mut manifest = manifest("states", 5);
    for (number, field, value) in [
        (1, "publish_at", "2999-01-01 00:00:00"),
        (2, "expires_at", "2001-01-01 00:00:00"),
        (3, "state", "unlisted"),
        (4, "state", "deleted"),
    ] {
        manifest["artists"][0]["videos"][number][field] = json!(value);
    }
    manifest
}

fn artist(name: &str) -> Value {
    json!({ "slug": "new-one", "artist": name, "description": "", "image": "https://images.spaza.example/n.webp", "state": "listed" })
}

async fn put(app: &App, record: Value, base: Value) -> (u16, Value) {
    let order = json!({ "service": "madfunny", "record": record, "base": base });
    call(app, "PUT", "/internal/records/artist", Some(order)).await
}

testkit::on_each_engine! {
    async fn records_are_listed_in_pages_orders_and_states(engine) {
        let app = spawn_app(engine).await;
        app.import(&in_every_state()).await;
        let names = |numbers: &[usize]| numbers.iter().map(|number| format!("video-{number}")).collect::<Vec<_>>();
        assert_eq!(walk(&app, "").await, names(&[5, 4, 3, 2, 1]));
        assert_eq!(walk(&app, "sort=oldest").await, names(&[1, 2, 3, 4, 5]));
        assert_eq!(walk(&app, "sort=slug").await, names(&[1, 2, 3, 4, 5]));
        assert_eq!(walk(&app, "sort=reverse").await, names(&[5, 4, 3, 2, 1]));
        assert_eq!(walk(&app, "sort=title").await, names(&[1, 2, 3, 4, 5]));
        for (number, state) in [(1, "listed"), (2, "scheduled"), (3, "expired"), (4, "unlisted"), (5, "deleted")] {
            let list = get(&app, &format!("/internal/records/video?service=madfunny&state={state}")).await;
            assert_eq!((slugs(&list), &list["records"][0]["visibility"]), (names(&[number]), &json!(state)), "{list}");
        }
        assert_eq!(walk(&app, "parent=gogo-thandi").await.len(), 5);
        assert_eq!(walk(&app, "parent=quiet-one").await, names(&[]));
        assert_eq!(walk(&app, "q=video%203").await, names(&[3]));
        assert_eq!(walk(&app, "q=Gogo%20vid&state=deleted").await, names(&[5]));
        let by_slug = get(&app, "/internal/records/video?service=madfunny&q=video-4").await;
        assert_eq!(by_slug["records"][0]["slug"], "video-4");
        assert_eq!(walk(&app, "q=video-4&parent=gogo-thandi&state=unlisted").await, names(&[4]));
        for filter in ["parent=quiet-one", "state=listed", "missing=zu&parent=quiet-one"] {
            assert_eq!(walk(&app, &format!("q=video-4&{filter}")).await, names(&[]), "{filter}");
        }
        assert_eq!(walk(&app, "q=!!!").await, names(&[]));
        let record = &get(&app, "/internal/records/video?service=madfunny&sort=slug&limit=1").await["records"][0];
        let fields = json!({
            "slug": "video-1", "parent": "gogo-thandi", "video_name": "Video 1", "media": "mcfunny/video-1.mp4",
            "image": "https://images.spaza.example/video-1.webp", "datetime": "2026-03-05 18:30:00", "duration_s": 8,
            "bytes": 65536, "state": "listed"
        });
        assert_eq!((&record["record"], &record["title"], &record["held"]), (&fields, &json!("Video 1"), &json!(false)));
        for (path, status) in [
            ("video?service=nowhere", 404),
            ("meme?service=madfunny", 422),
            ("artist?service=madfunny&parent=x", 422),
            ("video?service=madfunny&after=x", 400),
            ("video?service=madfunny&sort=slug&after=%27", 400),
            ("video?service=madfunny&state=gone", 400),
        ] {
            assert_eq!(call(&app, "GET", &format!("/internal/records/{path}"), None).await.0, status, "{path}");
        }
    }

    async fn records_searched_by_a_slug_are_first_and_fit_the_page(engine) {
        let app = spawn_app(engine).await;
        let mut manifest = manifest("slugs", 5);
        manifest["artists"][0]["videos"][1]["slug"] = json!("video");
        app.import(&manifest).await;
        assert_eq!(walk(&app, "q=video").await, ["video", "video-5", "video-4", "video-3", "video-1"]);
        assert_eq!(walk(&app, "q=video&sort=slug").await, ["video", "video-1", "video-3", "video-4", "video-5"]);
    }

    async fn records_by_title_are_in_order_without_case_and_pages_join(engine) {
        let app = spawn_app(engine).await;
        let mut manifest = manifest("titles", 6);
        // The engines agree also on letters beyond ASCII; equal titles are by id.
        let titles = ["beta", "Alpha", "\u{e9}clair", "alpha", "Zulu", "alpha"];
        for (number, title) in titles.iter().enumerate() {
            manifest["artists"][0]["videos"][number]["video_name"] = json!(title);
        }
        app.import(&manifest).await;
        let expected: Vec<String> = [2, 4, 6, 1, 5, 3].map(|number| format!("video-{number}")).to_vec();
        assert_eq!(walk(&app, "sort=title").await, expected);
        assert_eq!(walk(&app, "sort=title&q=alpha").await, ["video-2", "video-4", "video-6"]);
        let (status, _) = call(&app, "GET", "/internal/records/video?service=madfunny&sort=title&after=x", None).await;
        assert_eq!(status, 400);
    }

    async fn check_names_every_faulty_field_and_changes_nothing(engine) {
        let app = spawn_app(engine).await;
        let check = async |record: Value| {
            call(&app, "POST", "/internal/records/video", Some(json!({ "service": "madfunny", "record": record }))).await
        };
        let (status, reply) = check(json!({ "slug": "A", "parent": "x", "media": "raceday/a.mp4", "bytes": -1, "surprise": 1 })).await;
        assert_eq!(status, 422);
        let faults: Vec<&String> = reply["errors"].as_object().unwrap().keys().collect();
        assert_eq!(faults, ["bytes", "datetime", "duration_s", "image", "media", "slug", "surprise", "video_name"]);
        let good = json!({
            "slug": "a", "parent": "x", "video_name": "A", "media": "mcfunny/a.mp4", "image": "https://a/b",
            "datetime": "2026-03-05 18:30:00", "duration_s": 8, "bytes": 1
        });
        let (status, reply) = check(good).await;
        assert_eq!((status, &reply["service"], &reply["live"]), (200, &json!("MC Funny"), &Value::Null));
        assert_eq!((&reply["record"]["datetime"], &reply["record"]["state"]), (&json!("2026-03-05 16:30:00"), &json!("listed")));
        assert_eq!(get(&app, "/internal/records/video?service=madfunny").await["records"], json!([]));
    }

    async fn record_is_imported_only_in_place_of_its_base_and_its_history_is_kept(engine) {
        let app = spawn_app(engine).await;
        assert_eq!(put(&app, artist("First"), Value::Null).await.0, 200);
        let listed = app.client.get_ok("/api/madfunny/fetchArtist?service=madfunny").await;
        assert_eq!(listed[0]["artist"], "First");
        assert_eq!(put(&app, artist("First"), Value::Null).await.0, 200, "the same again is there already");
        assert_eq!(put(&app, artist("Second"), Value::Null).await.0, 409, "it is not new");
        assert_eq!(put(&app, artist("Second"), artist("Other")).await.0, 409, "its base is not what is there");
        assert_eq!(put(&app, artist("Second"), artist("First")).await.0, 200);
        let history = get(&app, "/internal/records/artist/new-one?service=madfunny").await;
        let events = history["events"].as_array().unwrap();
        let actions: Vec<&str> = events.iter().map(|event| event["action"].as_str().unwrap()).collect();
        assert_eq!((actions, &events[0]["before"]), (vec!["changed", "added"], &artist("First")));
        assert_eq!((&history["is_complete"], &history["kept_months"]), (&json!(true), &json!(24)));
    }

    async fn record_with_unknown_parent_is_422_at_the_field(engine) {
        let app = spawn_app(engine).await;
        let record = json!({
            "slug": "a", "parent": "x", "video_name": "A", "media": "mcfunny/a.mp4", "image": "https://a/b",
            "datetime": "2026-03-05 18:30:00", "duration_s": 8, "bytes": 1, "state": "listed"
        });
        let order = json!({ "service": "madfunny", "record": record, "base": null });
        let (status, reply) = call(&app, "PUT", "/internal/records/video", Some(order)).await;
        assert_eq!((status, reply["errors"]["parent"].is_string()), (422, true), "{reply}");
        assert_eq!(get(&app, "/internal/records/video?service=madfunny").await["records"], json!([]));
        let (status, _) = call(&app, "GET", "/internal/records/video/a?service=madfunny", None).await;
        assert_eq!(status, 404);
    }

    async fn deleted_record_is_only_put_back_by_name(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 1)).await;
        let order = async |state: &str| {
            let order = json!({ "service": "madfunny", "kind": "artist", "record": "quiet-one", "state": state, "who": "me", "reason": "why" });
            call(&app, "POST", "/internal/take-downs", Some(order)).await.0
        };
        let listed = async || app.client.get_ok("/api/madfunny/fetchArtist?service=madfunny").await.as_array().unwrap().len();
        assert_eq!((order("deleted").await, listed().await), (200, 1));
        assert_eq!((order("unlisted").await, listed().await), (409, 1), "a deletion is final until it is put back");
        let before = json!({ "slug": "quiet-one", "artist": "The Quiet One", "description": "Nothing yet.", "image": "https://images.spaza.example/quiet.webp", "state": "deleted" });
        let mut edited = before.clone();
        (edited["state"], edited["artist"]) = (json!("listed"), json!("Back?"));
        assert_eq!(put(&app, edited, before).await.0, 200);
        app.import(&manifest("b", 1)).await;
        assert_eq!(listed().await, 1, "imports do not bring it back");
        assert_eq!((order("listed").await, listed().await), (200, 2));
    }

    async fn staff_need_the_scope_of_editors_and_are_named_by_their_token(engine) {
        let secret = SigningKey::generate().unwrap();
        let key = SigningKey::parse(&secret).unwrap();
        let app = spawn_with_staff(engine, Some(key.public_key())).await;
        let send = async |token: String, method: &str, path: &str, body: Value| {
            let request = app.client.request(method.parse().unwrap(), path).bearer_auth(token).json(&body);
            app.client.send(request).await
        };
        let token = |service: &str, scope: Scope| service::staff_token(&key, service, "thandi@spaza.example", scope).unwrap();
        let order = json!({ "service": "madfunny", "record": artist("Hers"), "base": null });
        for (token, status) in [
            (token("comedy", Scope::Support), 403),
            (token("comedy", Scope::Finance), 403),
            (token("diski", Scope::Editors), 401),
            (token("comedy", Scope::Editors), 200),
        ] {
            assert_eq!(send(token, "PUT", "/internal/records/artist", order.clone()).await.status, status);
        }
        // The name in the order does not count: the person of the token is recorded.
        let order = json!({ "service": "madfunny", "kind": "artist", "record": "new-one", "state": "unlisted", "who": "other@spaza.example", "reason": "why" });
        let reply = send(token("comedy", Scope::Editors), "POST", "/internal/take-downs", order).await;
        assert_eq!((reply.status, &reply.json()["who"]), (200, &json!("thandi@spaza.example")));
        let history = get(&app, "/internal/records/artist/new-one?service=madfunny").await;
        for event in history["events"].as_array().unwrap() {
            assert_eq!(event["who"], "thandi@spaza.example", "{event}");
        }
    }
}
