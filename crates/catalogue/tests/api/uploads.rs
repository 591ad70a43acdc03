//! Files of editors: `/internal/exports`, `/internal/imports/upload` and what follows.

use serde_json::{Value, json};

use crate::{App, manifest, spawn_app};

const UPLOAD: &str = "/internal/imports/upload?service=madfunny&file=";

async fn upload(app: &App, name: &str, bytes: impl Into<reqwest::Body>) -> Value {
    let path = format!("{UPLOAD}{name}");
    let request = app.client.request("POST".parse().unwrap(), &path).bearer_auth(testkit::ADMIN_TOKEN).body(bytes);
    let reply = app.client.send(request).await;
    assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.bytes));
    reply.json()
}

async fn get(app: &App, path: &str) -> (u16, Vec<u8>) {
    let request = app.client.request("GET".parse().unwrap(), path).bearer_auth(testkit::ADMIN_TOKEN);
    let reply = app.client.send(request).await;
    (reply.status, reply.bytes.to_vec())
}

async fn export(app: &App, query: &str) -> String {
    let (status, bytes) = get(app, &format!("/internal/exports/{query}")).await;
    let text = String::from_utf8(bytes).unwrap();
    assert_eq!(status, 200, "{text}");
    text
}

async fn shown(app: &App, import: &Value) -> Value {
    let (status, bytes) = get(app, &format!("/internal/imports/{import}")).await;
    let shown: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(status, 200, "{shown}");
    shown
}

async fn differences(app: &App, import: &Value, query: &str) -> Value {
    let (status, bytes) = get(app, &format!("/internal/imports/{import}/differences?{query}")).await;
    let page: Value = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(status, 200, "{page}");
    page
}

/// Applies what was shown, with the number of removals.
async fn apply(app: &App, shown: &Value, removals: Value) -> (u16, Value) {
    let import = &shown["import"];
    let order = json!({
        "records": import["records"], "sha256": import["sha256"], "difference": shown["difference"], "removals": removals
    });
    let reply = app.client.post_as_admin(&format!("/internal/imports/{}/apply", import["id"]), &order).await;
    (reply.status, reply.json())
}

fn counts(shown: &Value) -> Vec<[i64; 4]> {
    let of = |change: &Value| ["added", "changed", "unchanged", "removed"].map(|name| change[name].as_i64().unwrap());
    shown["changes"].as_array().unwrap().iter().map(of).collect()
}

fn slugs(page: &Value) -> Vec<&str> {
    page["differences"].as_array().unwrap().iter().map(|each| each["slug"].as_str().unwrap()).collect()
}

/// A file with a film in each row, whose length, in seconds, and time are written so.
fn films(rows: &[(String, String)]) -> String {
    let header = "service,kind,slug,parent,video_name,media,image,datetime,duration_s,bytes\n".to_owned();
    let row = |(number, (seconds, time)): (usize, &(String, String))| {
        let image = "https://images.spaza.example/v.webp";
        format!("MC Funny,video,row-{number},gogo-thandi,Film,mcfunny/v.mp4,{image},\"{time}\",\"{seconds}\",1\n")
    };
    header + &rows.iter().enumerate().map(row).collect::<String>()
}

testkit::on_each_engine! {
    async fn numbers_and_times_of_the_corpus_are_read_or_refused_by_line_and_field(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 1)).await;
        let pairs = |seconds: &str, time: &str| (seconds.to_owned(), time.to_owned());
        let numbers = testkit::corpus("numbers").into_iter().map(|(input, right)| {
            let right = right.parse::<i64>().ok().filter(|count| *count >= 0);
            (pairs(&input, "2026-11-25 08:00"), "duration_s", right.map(|count| count.to_string()))
        });
        let times = testkit::corpus("times").into_iter().map(|(input, right)| {
            (pairs("6", &input), "datetime", Some(right).filter(|right| right != "refused"))
        });
        let rows: Vec<_> = numbers.chain(times).collect();
        let (good, all): (Vec<_>, Vec<_>) = (rows.iter().filter(|row| row.2.is_some()).collect(), rows.iter().collect());
        let file = |rows: &[&((String, String), &str, Option<String>)]| films(&rows.iter().map(|row| row.0.clone()).collect::<Vec<_>>());
        let reported = upload(&app, "all.csv", file(&all)).await;
        let reported: Vec<(u64, &str)> = reported["problems"].as_array().unwrap().iter().map(|problem| (problem["line"].as_u64().unwrap(), problem["field"].as_str().unwrap())).collect();
        let refused: Vec<(u64, &str)> = (2..).zip(&rows).filter(|(_, row)| row.2.is_none()).map(|(line, row)| (line, row.1)).collect();
        assert_eq!(reported, refused);
        let uploaded = upload(&app, "good.csv", file(&good)).await;
        let seen = shown(&app, &uploaded["import"]).await;
        assert_eq!(apply(&app, &seen, Value::Null).await.0, 200, "{seen}");
        let id = app.artist_id("Gogo Thandi").await;
        let films = app.client.get_ok(&format!("/api/madfunny/fetchVideos/{id}?limit=100")).await;
        let films: Vec<&Value> = films.as_array().unwrap().iter().filter(|film| film["video_name"] == "Film").collect();
        assert_eq!(films.len(), good.len());
        for right in &good {
            let value = |film: &&&Value| film[right.1].to_string().trim_matches('"').to_owned();
            let same = |film: &&Value| Some(value(&film)) == right.2;
            assert!(films.iter().any(same), "{right:?}");
        }
    }

    async fn export_that_is_imported_unchanged_is_no_difference(engine) {
        let app = spawn_app(engine).await;
        let mut manifest = manifest("many", 2103);
        let videos = &mut manifest["artists"][0]["videos"];
        videos[0]["video_name"] = json!("He said \"yebo\", twice;\nthen left");
        videos[1]["publish_at"] = json!("2999-01-01 00:30:00");
        videos[2]["expires_at"] = json!("9999-12-31 23:30:00");
        videos[3]["state"] = json!("unlisted");
        videos[4]["captions"] = json!("mcfunny/video-5.zu.vtt");
        app.import(&manifest).await;
        // Their artist is deleted, and two are held: an export has them all the same.
        for (kind, record, state) in [("video", "video-6", "deleted"), ("video", "video-7", "unlisted"), ("artist", "gogo-thandi", "deleted")] {
            let order = json!({ "service": "madfunny", "kind": kind, "record": record, "state": state, "who": "t", "reason": "test" });
            assert_eq!(app.client.post_as_admin("/internal/take-downs", &order).await.status, 200);
        }
        let csv = export(&app, "video?service=madfunny&sort=slug").await;
        assert_eq!(csv.matches("MC Funny,video,video-").count(), 2103);
        let header = "\u{feff}service,kind,slug,parent,video_name,media,image,datetime,duration_s,bytes,captions,state,publish_at,expires_at,video_name.af,video_name.st,video_name.tn,video_name.xh,video_name.zu\r\n";
        assert!(csv.starts_with(header), "{:?}", &csv[..200]);
        assert!(csv.contains("2026-03-05T20:30:00+02:00"), "Johannesburg's times");
        let uploaded = upload(&app, "videos.csv", csv).await;
        assert_eq!((&uploaded["problems"], &uploaded["records"]), (&json!([]), &json!(2103)));
        let shown = shown(&app, &uploaded["import"]).await;
        assert_eq!((counts(&shown), &shown["faults"], &shown["confirm"]), (vec![[0; 4], [0, 0, 2103, 0]], &json!([]), &Value::Null));
        // The filter of the list is that of the export.
        let some = export(&app, "video?service=madfunny&sort=slug&q=video-12").await;
        assert!(some.lines().count() == 112 && some.matches(",video-12,").count() == 1, "{some}");
        assert_eq!(export(&app, "video?service=madfunny&state=scheduled").await.lines().count(), 2);
        assert_eq!(get(&app, "/internal/exports/meme?service=madfunny").await.0, 422);
        // All but the deleted one lack translations.
        let (status, counts) = get(&app, "/internal/translations/video?service=madfunny").await;
        let counts: Value = serde_json::from_slice(&counts).unwrap();
        let languages = counts["languages"].as_array().unwrap();
        assert_eq!((status, &counts["records"]), (200, &json!(2102)));
        assert!(languages.contains(&json!({ "language": "zu", "missing": 2102 })), "{counts}");
    }

    async fn file_is_applied_only_as_it_was_shown(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 5)).await;
        let csv = export(&app, "video?service=madfunny&sort=slug").await.replace("Video 2", "Second").replace("video-5", "video-9");
        // As a spreadsheet writes it in South Africa.
        let csv = csv.replace(',', ";");
        let uploaded = upload(&app, "Videos%20of%20May.csv", csv.clone()).await;
        let id = &uploaded["import"];
        let seen = shown(&app, id).await;
        assert_eq!(counts(&seen), [[0; 4], [1, 1, 3, 0]]);
        assert_eq!((&seen["import"]["file"], &seen["import"]["who"]), (&json!("Videos of May.csv"), &json!("admin-token")));
        let changed = differences(&app, id, "kind=video&action=changed").await;
        let expected = json!([{ "slug": "video-2", "title": "Second", "line": 3, "fields": [{ "field": "video_name", "before": "Video 2", "after": "Second" }] }]);
        assert_eq!(changed, json!({ "differences": expected, "next": null }));
        let added = differences(&app, id, "kind=video&action=added").await;
        assert_eq!((slugs(&added), &added["differences"][0]["line"]), (vec!["video-9"], &json!(6)));
        assert_eq!(added["differences"][0]["fields"][0], json!({ "field": "slug", "before": null, "after": "video-9" }));
        assert_eq!(slugs(&differences(&app, id, "kind=video&action=removed").await), Vec::<&str>::new());

        // Without what was seen, with another file's hash, and after a change of the catalogue: nothing is applied.
        let order = json!({ "records": 5 });
        assert_eq!(app.client.post_as_admin(&format!("/internal/imports/{id}/apply"), &order).await.status, 409);
        let other = upload(&app, "videos.csv", csv.replace("Second", "Third")).await;
        let mut mixed = seen.clone();
        mixed["import"]["sha256"] = other["sha256"].clone();
        assert_eq!(apply(&app, &mixed, Value::Null).await.0, 409);
        let mut meanwhile = manifest("b", 5);
        meanwhile["artists"][0]["videos"][1]["video_name"] = json!("Meanwhile");
        app.import(&meanwhile).await;
        let (status, refusal) = apply(&app, &seen, Value::Null).await;
        assert_eq!((status, refusal["detail"].as_str().unwrap().contains("has changed")), (409, true), "{refusal}");
        assert_eq!(slugs(&differences(&app, id, "kind=video&action=changed").await), ["video-2"]);
        let now = shown(&app, id).await;
        assert_ne!(now["difference"], seen["difference"]);
        let (status, changes) = apply(&app, &now, Value::Null).await;
        assert_eq!((status, counts(&json!({ "changes": changes }))), (200, vec![[0; 4], [1, 1, 3, 0]]), "{changes}");
        assert!(export(&app, "video?service=madfunny&q=video-2").await.contains("Second"));
        // It is applied once.
        assert_eq!(apply(&app, &now, Value::Null).await.0, 404);
        let list: Value = serde_json::from_slice(&get(&app, "/internal/imports").await.1).unwrap();
        assert_eq!((list["imports"].as_array().unwrap().len(), &list["imports"][0]["id"]), (1, &other["import"]));
    }

    async fn removal_of_more_than_a_tenth_needs_its_number(engine) {
        let app = spawn_app(engine).await;
        app.import(&manifest("a", 20)).await;
        let csv = export(&app, "video?service=madfunny&sort=oldest").await;
        let of_lines = |lines: usize| csv.split_inclusive("\r\n").take(lines).collect::<String>();
        let prune = async |lines: usize| {
            let uploaded = upload(&app, "videos.csv&prune=true", of_lines(lines)).await;
            shown(&app, &uploaded["import"]).await
        };
        // Two of twenty are a tenth; artists are not in the file, and stay.
        let two = prune(19).await;
        assert_eq!((counts(&two), &two["confirm"]), (vec![[0; 4], [0, 0, 18, 2]], &Value::Null));
        let three = prune(18).await;
        assert_eq!((counts(&three), &three["confirm"]), (vec![[0; 4], [0, 0, 17, 3]], &json!(3)));
        let removed = differences(&app, &three["import"]["id"], "kind=video&action=removed&limit=2").await;
        assert_eq!((slugs(&removed), &removed["next"]), (vec!["video-18", "video-19"], &json!("video-19")));
        assert_eq!(removed["differences"][0]["fields"], json!([{ "field": "state", "before": "listed", "after": "deleted" }]));
        for number in [Value::Null, json!(2), json!(20)] {
            let (status, refusal) = apply(&app, &three, number).await;
            assert_eq!((status, refusal["detail"].as_str().unwrap()), (409, "This removes 3 of 20 videos. Confirm the number, 3."));
        }
        assert_eq!(export(&app, "video?service=madfunny&state=deleted").await.lines().count(), 1);
        assert_eq!(apply(&app, &three, json!(3)).await.0, 200);
        assert_eq!(export(&app, "video?service=madfunny&state=deleted").await.lines().count(), 4);
        assert_eq!(export(&app, "artist?service=madfunny&state=listed").await.lines().count(), 3);
    }

    async fn file_with_problems_names_line_and_field_and_leaves_nothing(engine) {
        let app = spawn_app(engine).await;
        let csv = "service;kind;slug;artist;image\nMC Funny;artist;A;Gogo;https://a/b\nmemeworld;category;b;;\nMC Funny;artist;c;;http://x\n";
        let uploaded = upload(&app, "artists.csv", csv).await;
        let named: Vec<(i64, &str)> = uploaded["problems"].as_array().unwrap().iter().map(|problem| (problem["line"].as_i64().unwrap(), problem["field"].as_str().unwrap())).collect();
        assert_eq!((&uploaded["import"], named), (&Value::Null, vec![(2, "slug"), (3, "service"), (4, "artist"), (4, "image")]), "{uploaded}");
        let foreign = upload(&app, "memes.jsonl", "{\"service\":\"memeworld\",\"kind\":\"category\",\"slug\":\"b\",\"category_name\":\"B\"}\n").await;
        assert_eq!(foreign["problems"][0]["message"], "is memeworld, and this import is of MC Funny alone");
        let spreadsheet = upload(&app, "artists.xlsx", &b"PK\x03\x04"[..]).await;
        assert_eq!(spreadsheet["problems"][0]["line"], 0, "{spreadsheet}");
        // A reference that does not exist is found by the comparison, and refused.
        let orphan = "service,kind,slug,parent,video_name,media,image,datetime,duration_s,bytes\nMC Funny,video,v,missing,V,mcfunny/v.mp4,https://a/b,2026-03-05 18:30:00,8,1\n";
        let uploaded = upload(&app, "videos.csv", orphan).await;
        let seen = shown(&app, &uploaded["import"]).await;
        assert_eq!((&seen["faults"][0]["place"], &seen["faults"][0]["field"]), (&json!(2), &json!("parent")));
        assert_eq!(apply(&app, &seen, Value::Null).await.0, 422);
        let list: Value = serde_json::from_slice(&get(&app, "/internal/imports").await.1).unwrap();
        assert_eq!(list["imports"].as_array().unwrap().len(), 1, "a file with problems does not wait");
        let too_large = reqwest::Body::from(vec![b' '; catalogue::import::MAX_FILE_BYTES + 1]);
        let request = app.client.request("POST".parse().unwrap(), &format!("{UPLOAD}large.csv")).bearer_auth(testkit::ADMIN_TOKEN);
        assert_eq!(app.client.send(request.body(too_large)).await.status, 413);
    }
}
