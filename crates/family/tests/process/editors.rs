//! The work of editors and publishers, from outside: the real family, members of staff at the back office, and what visitors get from comedy.

use diesel::RunQueryDsl as _;
use serde_json::{Value, json};
use store::Db;
use testkit::{Client, Engine};

use crate::support::{Office, Staff, stored};

const EDITOR: &str = "thandi@spaza.example";
const PUBLISHER: &str = "zola@spaza.example";
const SERVICE: &str = "MC%20Funny";

fn artist(description: &str) -> Value {
    json!({
        "slug": "gogo-new", "artist": "Gogo New", "description": description,
        "image": "https://images.spaza.example/uploads/gogo-new.webp"
    })
}

fn video() -> Value {
    json!({
        "slug": "gogo-new-first", "parent": "gogo-new", "video_name": "The first film", "media": "mcfunny/uploads/first.mp4",
        "image": "https://images.spaza.example/uploads/first.webp",
        "datetime": "2026-11-25 08:00:00", "duration_s": 6, "bytes": 62961
    })
}

const PORTRAIT: [&str; 2] = ["images/demo/mcfunny/artists/kobus-kettle.webp", "images/uploads/gogo-new.webp"];

/// Puts the portrait of the artist where the site shows it.
fn put_portrait(office: &Office) {
    office.put(PORTRAIT[0], PORTRAIT[1]);
}

async fn save(staff: &Staff, kind: &str, record: &Value, version: Option<i64>, new: bool) -> (u16, Value) {
    let form = json!({ "service": "mcfunny", "record": record, "version": version, "new": new });
    let reply = staff.call("POST", &format!("/api/content/comedy/{kind}/drafts"), form).await;
    (reply.status, reply.json())
}

/// Saves a form, which is accepted.
async fn saved(staff: &Staff, kind: &str, record: &Value, version: Option<i64>, new: bool) -> Value {
    let (status, draft) = save(staff, kind, record, version, new).await;
    assert_eq!(status, 200, "{draft}");
    draft
}

/// A step of a draft: the reply's status and body.
async fn step(staff: &Staff, draft: &Value, step: &str, more: Value) -> (u16, Value) {
    let mut body = json!({ "version": draft["version"] });
    body.as_object_mut().unwrap().extend(more.as_object().cloned().unwrap_or_default());
    let reply = staff.call("POST", &format!("/api/content/drafts/{}/{step}", draft["id"]), body).await;
    (reply.status, reply.json())
}

async fn submitted_and_published(editor: &Staff, publisher: &Staff, draft: &Value) {
    assert_eq!(step(editor, draft, "submit", Value::Null).await.0, 204);
    let (status, reply) = step(publisher, draft, "publish", Value::Null).await;
    assert_eq!(status, 200, "{reply}");
}

async fn record(staff: &Staff, kind: &str, slug: &str) -> Value {
    staff.get_ok(&format!("/api/content/comedy/{kind}/records/{slug}?service={SERVICE}")).await
}

/// The newest change that can be undone.
async fn newest_change(staff: &Staff) -> Value {
    let record = record(staff, "artist", "gogo-new").await;
    let events = record["events"].as_array().unwrap();
    events.iter().find(|event| !event["before"].is_null()).unwrap()["change"].clone()
}

async fn undo(staff: &Staff, change: &Value) -> Value {
    let path = format!("/api/content/comedy/artist/records/gogo-new/undo?service={SERVICE}");
    let reply = staff.call("POST", &path, json!({ "change": change })).await;
    assert_eq!(reply.status, 200, "{}", reply.json());
    reply.json()
}

async fn change_state(staff: &Staff, state: &str) -> u16 {
    let order = json!({ "service": "MC Funny", "state": state, "reason": "complaint 4711" });
    staff.call("POST", "/api/content/comedy/artist/records/gogo-new/state", order).await.status
}

/// What visitors get: the artist in the public list.
async fn visible(comedy: &Client) -> Option<Value> {
    let artists = comedy.get_ok(&format!("/api/madfunny/fetchArtist?service={SERVICE}")).await;
    artists.as_array().unwrap().iter().find(|artist| artist["artist"] == "Gogo New").cloned()
}

async fn description(comedy: &Client) -> Value {
    visible(comedy).await.unwrap()["description"].clone()
}

/// Imports the artist as a manifest does.
async fn import_as_machine(comedy: &Client, description: &str) {
    let call = async |path: String, body: Value| {
        let request = comedy.request(reqwest::Method::POST, &path).bearer_auth("dev-admin").json(&body);
        let reply = comedy.send(request).await;
        assert_eq!(reply.status, 200, "{path}: {}", String::from_utf8_lossy(&reply.bytes));
        reply.json()
    };
    let order = json!({ "service": "MC Funny", "digest": format!("machine: {description}") });
    let id = call("/internal/imports".to_owned(), order).await["import"].clone();
    let mut record = artist(description);
    record["place"] = json!(1);
    call(format!("/internal/imports/{id}/records"), json!({ "artists": [record] })).await;
    call(format!("/internal/imports/{id}/apply"), json!({ "records": 1 })).await;
}

async fn editor_writes_and_publisher_publishes(engine: Engine) {
    let office = Office::open(engine).await;
    let comedy = office.client(1);
    let editor = office.invite(EDITOR, "editor").await;
    let publisher = office.invite(PUBLISHER, "publisher").await;

    // Every catalogue describes its kinds, and lists its demo content.
    let kinds = editor.get_ok("/api/content/kinds").await;
    let names: Vec<&str> =
        kinds["catalogues"].as_array().unwrap().iter().map(|each| each["catalogue"].as_str().unwrap()).collect();
    assert_eq!(names, ["comedy", "diski", "meme", "tt"]);
    for catalogue in kinds["catalogues"].as_array().unwrap() {
        let (name, service) =
            (catalogue["catalogue"].as_str().unwrap(), catalogue["content"]["services"][0].as_str().unwrap());
        for kind in catalogue["content"]["kinds"].as_array().unwrap() {
            let kind = kind["kind"].as_str().unwrap();
            let path = format!("/api/content/{name}/{kind}/records?service={}&limit=3", service.replace(' ', "%20"));
            let list = editor.get_ok(&path).await;
            let first = &list["records"][0];
            assert!(!first["title"].as_str().unwrap().is_empty() && first["visibility"] == "listed", "{path}: {list}");
        }
    }
    for offset in 1..=4 {
        assert_eq!(office.client(offset).get("/internal/kinds").await.status, 401);
    }

    // Every faulty field is named, and nothing is saved.
    let (status, faults) = save(&editor, "artist", &json!({ "slug": "Gogo", "image": "http://x" }), None, true).await;
    let named: Vec<&str> = faults["errors"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!((status, named), (422, vec!["artist", "image", "slug"]), "{faults}");
    assert_eq!(editor.get_ok("/api/content/drafts").await, json!({ "drafts": [] }));

    // From nothing: drafts, which visitors do not see and an editor cannot publish.
    let new_artist = saved(&editor, "artist", &artist("First text."), None, true).await;
    let new_video = saved(&editor, "video", &video(), None, true).await;
    assert_eq!(
        (&new_artist["service"], &new_artist["base"], &new_artist["version"]),
        (&json!("MC Funny"), &Value::Null, &json!(1))
    );
    assert_eq!(save(&editor, "artist", &artist("Twice."), None, true).await.0, 409, "one draft of a record");
    assert_eq!(step(&editor, &new_artist, "publish", Value::Null).await.0, 403);
    assert_eq!(step(&publisher, &new_artist, "publish", Value::Null).await.0, 409, "its author has not submitted it");
    assert_eq!(visible(&comedy).await, None);
    assert_eq!(record(&publisher, "artist", "gogo-new").await["live"], Value::Null);

    // Nothing goes live that cannot be played or seen: each field says so, and the draft still waits.
    assert_eq!(step(&editor, &new_video, "submit", Value::Null).await.0, 204);
    let (status, reply) = step(&publisher, &new_video, "publish", Value::Null).await;
    assert_eq!(
        (status, &reply["errors"]),
        (
            422,
            &json!({
                "image": "The picture https://images.spaza.example/uploads/first.webp is not there.",
                "media": "The film mcfunny/uploads/first.mp4 is not there."
            })
        ),
        "{reply}"
    );
    let text = reply["error_message"].as_str().unwrap();
    assert!(text.starts_with("Nothing was published") && text.contains("first.mp4 is not there."), "{text}");
    assert_eq!(record(&publisher, "video", "gogo-new-first").await["draft"]["state"], "review");
    office.put("images/demo/mcfunny/thumbs/around-the-corner.webp", "images/uploads/first.webp");
    office.put("media/mcfunny/bakkie-logic.mp4", "media/mcfunny/uploads/first.mp4");
    let (status, reply) = step(&publisher, &new_video, "publish", Value::Null).await;
    assert_eq!((status, &reply["errors"]["image"]), (422, &Value::Null), "{reply}");
    assert!(reply["errors"]["media"].as_str().unwrap().contains("and 62961 are declared"), "another film: {reply}");
    office.put("media/mcfunny/around-the-corner.mp4", "media/mcfunny/uploads/first.mp4");
    put_portrait(&office);

    // A video needs its artist: the fault is at the field, and the draft still waits.
    let (status, reply) = step(&publisher, &new_video, "publish", Value::Null).await;
    assert_eq!((status, reply["errors"]["parent"].is_string()), (422, true), "{reply}");
    assert_eq!(record(&publisher, "video", "gogo-new-first").await["draft"]["state"], "review");
    submitted_and_published(&editor, &publisher, &new_artist).await;
    assert_eq!(step(&publisher, &new_video, "publish", Value::Null).await.0, 200);
    let listed = visible(&comedy).await.unwrap();
    assert_eq!(listed["description"], "First text.");
    let videos = comedy.get_ok(&format!("/api/madfunny/fetchVideos/{}", listed["id"])).await;
    assert_eq!(
        (&videos[0]["video_name"], &videos[0]["datetime"]),
        (&json!("The first film"), &json!("2026-11-25 06:00:00"))
    );
    assert_eq!(save(&editor, "artist", &artist("Again."), None, true).await.0, 422, "the slug is not free");

    // Sent back with a reason, saved again; only the version that the publisher saw is published.
    let draft = saved(&editor, "artist", &artist("Second texd."), None, false).await;
    assert_eq!(step(&editor, &draft, "submit", Value::Null).await.0, 204);
    assert_eq!(step(&editor, &draft, "return", json!({ "reason": "a typing error" })).await.0, 403);
    assert_eq!(step(&publisher, &draft, "return", json!({ "reason": "a typing error" })).await.0, 204);
    let returned = record(&editor, "artist", "gogo-new").await["draft"].clone();
    assert_eq!(
        (&returned["state"], &returned["reason"], &returned["returned_by"]),
        (&json!("draft"), &json!("a typing error"), &json!(PUBLISHER))
    );
    let second = saved(&editor, "artist", &artist("Second text."), Some(1), false).await;
    assert_eq!(save(&editor, "artist", &artist("Lost."), Some(1), false).await.0, 409, "an older version is replaced");
    assert_eq!(step(&editor, &second, "submit", Value::Null).await.0, 204);
    assert_eq!(step(&publisher, &draft, "publish", Value::Null).await.0, 409, "an older version is published");
    assert_eq!(description(&comedy).await, "First text.");
    assert_eq!(step(&publisher, &second, "publish", Value::Null).await.0, 200);
    assert_eq!(description(&comedy).await, "Second text.");

    // Undo brings the old text back; the history names who published.
    let change = newest_change(&editor).await;
    submitted_and_published(&editor, &publisher, &undo(&editor, &change).await).await;
    assert_eq!(description(&comedy).await, "First text.");
    let history = record(&editor, "artist", "gogo-new").await;
    let of_artist: Vec<(&str, &str)> = history["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| (event["who"].as_str().unwrap(), event["action"].as_str().unwrap()))
        .collect();
    assert_eq!(of_artist, [(PUBLISHER, "changed"), (PUBLISHER, "changed"), (PUBLISHER, "added")]);

    // What was changed meanwhile is not overwritten.
    let late = saved(&editor, "artist", &artist("Late text."), None, false).await;
    import_as_machine(&comedy, "Imported text.").await;
    assert_eq!(step(&editor, &late, "submit", Value::Null).await.0, 204);
    assert_eq!(step(&publisher, &late, "publish", Value::Null).await.0, 409);
    assert_eq!(description(&comedy).await, "Imported text.");
    let discarded = editor.call("DELETE", &format!("/api/content/drafts/{}", late["id"]), Value::Null).await;
    assert_eq!(discarded.status, 204);

    // A taken-down record stays invisible after an undo and an import, until it is put back.
    assert_eq!((change_state(&editor, "deleted").await, visible(&comedy).await.is_some()), (403, true));
    assert_eq!((change_state(&publisher, "deleted").await, visible(&comedy).await), (204, None));
    let change = newest_change(&publisher).await;
    let own = undo(&publisher, &change).await;
    assert_eq!(step(&publisher, &own, "publish", Value::Null).await.0, 200, "a publisher's own draft");
    assert_eq!(visible(&comedy).await, None, "after an undo");
    import_as_machine(&comedy, "Imported again.").await;
    assert_eq!(visible(&comedy).await, None, "after an import");
    assert_eq!(change_state(&publisher, "unlisted").await, 409, "a deletion is final");
    let portrait = office.published(PORTRAIT[1]);
    std::fs::remove_file(portrait).unwrap();
    assert_eq!(change_state(&publisher, "listed").await, 422, "its picture is gone");
    put_portrait(&office);
    assert_eq!(change_state(&publisher, "listed").await, 204);
    assert_eq!(description(&comedy).await, "Imported again.");

    // Who did what.
    let log = office.admin.get_ok("/api/audit").await;
    let mut acts: Vec<(&str, &str)> = log["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| (entry["staff"].as_str().unwrap(), entry["action"].as_str().unwrap()))
        .filter(|(_, action)| action.starts_with("draft") || action.starts_with("content"))
        .collect();
    acts.reverse();
    assert_eq!(
        acts,
        [
            (EDITOR, "draft.saved"),
            (EDITOR, "draft.saved"),
            (EDITOR, "draft.submitted"),
            (PUBLISHER, "content.published"),
            (PUBLISHER, "content.failed"),
            (EDITOR, "draft.submitted"),
            (PUBLISHER, "content.published"),
            (PUBLISHER, "content.published"),
            (EDITOR, "draft.saved"),
            (EDITOR, "draft.submitted"),
            (PUBLISHER, "draft.returned"),
            (EDITOR, "draft.saved"),
            (EDITOR, "draft.submitted"),
            (PUBLISHER, "content.published"),
            (EDITOR, "draft.undone"),
            (EDITOR, "draft.submitted"),
            (PUBLISHER, "content.published"),
            (EDITOR, "draft.saved"),
            (EDITOR, "draft.submitted"),
            (PUBLISHER, "content.published"),
            (PUBLISHER, "content.failed"),
            (EDITOR, "draft.discarded"),
            (PUBLISHER, "content.taken_down"),
            (PUBLISHER, "draft.undone"),
            (PUBLISHER, "content.published"),
            (PUBLISHER, "content.taken_down"),
            (PUBLISHER, "content.failed"),
            (PUBLISHER, "content.put_back"),
        ]
    );
    assert_eq!(office.admin.get_ok("/api/audit/check").await["intact"], true);
    assert_eq!(office.family.end("INT"), Some(0));
}

/// Puts drafts together: the reply's status and body.
async fn release(staff: &Staff, drafts: &[&Value], publish_at: Value) -> (u16, Value) {
    let seen: Vec<Value> =
        drafts.iter().map(|draft| json!({ "id": draft["id"], "version": draft["version"] })).collect();
    let order = json!({ "name": "Gogo's first", "drafts": seen, "publish_at": publish_at });
    let reply = staff.call("POST", "/api/content/releases", order).await;
    (reply.status, reply.json())
}

/// The import of drafts that were put together.
async fn released(staff: &Staff, drafts: &[&Value]) -> Value {
    let (status, reply) = release(staff, drafts, Value::Null).await;
    assert_eq!((status, &reply["problems"]), (200, &json!([])), "{reply}");
    reply["import"].clone()
}

/// Applies a release as it is now: the reply's status and body.
async fn apply(staff: &Staff, import: &Value) -> (u16, Value) {
    let path = format!("/api/content/comedy/imports/{import}");
    let shown = staff.get_ok(&path).await;
    let order = json!({ "sha256": shown["import"]["sha256"], "difference": shown["difference"], "removals": null });
    let reply = staff.call("POST", &format!("{path}/apply"), order).await;
    (reply.status, reply.json())
}

/// The state and the release of each open draft, by its key.
async fn open_drafts(staff: &Staff) -> Value {
    let drafts = staff.get_ok("/api/content/drafts").await;
    let of_draft =
        |draft: &Value| (draft["slug"].as_str().unwrap().to_owned(), json!([draft["state"], draft["release"]]));
    drafts["drafts"].as_array().unwrap().iter().map(of_draft).collect::<serde_json::Map<_, _>>().into()
}

async fn drafts_go_live_together(engine: Engine) {
    let office = Office::open(engine).await;
    let comedy = office.client(1);
    let editor = office.invite(EDITOR, "editor").await;
    let publisher = office.invite(PUBLISHER, "publisher").await;
    let new_artist = saved(&editor, "artist", &artist("First text."), None, true).await;
    let new_video = saved(&editor, "video", &video(), None, true).await;

    // Another person's unsubmitted drafts, drafts of two sites, none, one twice, an older version.
    assert_eq!(release(&publisher, &[&new_artist, &new_video], Value::Null).await.0, 409);
    let other_site = json!({ "service": "diski99", "record": artist("Elsewhere."), "version": null, "new": true });
    let other_site = editor.call("POST", "/api/content/diski/artist/drafts", other_site).await.json();
    assert_eq!(release(&editor, &[&new_artist, &other_site], Value::Null).await.0, 422);
    assert_eq!(release(&editor, &[], Value::Null).await.0, 422);
    assert_eq!(release(&editor, &[&new_artist, &new_artist], Value::Null).await.0, 422);
    assert_eq!(release(&editor, &[&json!({ "id": new_artist["id"], "version": 7 })], Value::Null).await.0, 409);
    let gone = editor.call("DELETE", &format!("/api/content/drafts/{}", other_site["id"]), Value::Null).await;
    assert_eq!(gone.status, 204);
    assert_eq!(editor.get_ok("/api/content/imports").await, json!({ "imports": [] }));
    let (status, reply) = release(&editor, &[&new_artist], json!("tomorrow")).await;
    assert_eq!(
        (status, &reply["import"], &reply["problems"][0]["field"]),
        (200, &Value::Null, &json!("publish_at")),
        "{reply}"
    );
    assert_eq!(open_drafts(&editor).await, json!({ "gogo-new": ["draft", null], "gogo-new-first": ["draft", null] }));

    // Both wait as one file, which an editor cannot apply; what cannot be played does not go live.
    let first = released(&editor, &[&new_artist, &new_video]).await;
    assert_eq!(
        open_drafts(&editor).await,
        json!({ "gogo-new": ["review", first], "gogo-new-first": ["review", first] })
    );
    assert_eq!(apply(&editor, &first).await.0, 403);
    let (status, reply) = apply(&publisher, &first).await;
    assert_eq!((status, reply["errors"]["media"].is_string(), visible(&comedy).await), (422, true, None), "{reply}");
    office.put("images/demo/mcfunny/thumbs/around-the-corner.webp", "images/uploads/first.webp");
    office.put("media/mcfunny/around-the-corner.mp4", "media/mcfunny/uploads/first.mp4");
    put_portrait(&office);

    // A draft that is saved again is not what the release has: it is put together once more, and the first one is gone.
    let second_video = saved(&editor, "video", &video(), Some(1), false).await;
    let (status, reply) = apply(&publisher, &first).await;
    assert_eq!((status, visible(&comedy).await), (409, None), "{reply}");
    assert!(reply["error_message"].as_str().unwrap().contains("gogo-new-first"), "{reply}");
    let second = released(&editor, &[&new_artist, &second_video]).await;
    let status = publisher.call("GET", &format!("/api/content/comedy/imports/{first}"), Value::Null).await.status;
    assert_eq!(status, 404, "the first release");
    // One that is sent back does not go live with the others, until it is submitted again.
    assert_eq!(step(&publisher, &second_video, "return", json!({ "reason": "a typing error" })).await.0, 204);
    assert_eq!((apply(&publisher, &second).await.0, visible(&comedy).await), (409, None));
    assert_eq!(step(&editor, &second_video, "submit", Value::Null).await.0, 204);

    // Discarded, its drafts wait by themselves; one publishing puts both on the site, with their times as they were typed.
    let discarded = publisher.call("DELETE", &format!("/api/content/comedy/imports/{second}"), Value::Null).await;
    assert_eq!(discarded.status, 204);
    assert_eq!(open_drafts(&editor).await, json!({ "gogo-new": ["review", null], "gogo-new-first": ["review", null] }));
    let third = released(&publisher, &[&second_video, &new_artist]).await;
    let (status, reply) = apply(&publisher, &third).await;
    assert_eq!(status, 200, "{reply}");
    let listed = visible(&comedy).await.unwrap();
    let videos = comedy.get_ok(&format!("/api/madfunny/fetchVideos/{}", listed["id"])).await;
    assert_eq!(
        (&videos[0]["video_name"], &videos[0]["datetime"]),
        (&json!("The first film"), &json!("2026-11-25 06:00:00"))
    );
    assert_eq!(open_drafts(&editor).await, json!({}));

    // One time for all of them, and nothing that was changed meanwhile is overwritten.
    let later = saved(&editor, "artist", &artist("Later text."), None, false).await;
    let (status, reply) = release(&editor, &[&later], json!("2031-01-02 03:04:05")).await;
    assert_eq!(status, 200, "{reply}");
    let path = format!("/api/content/comedy/imports/{}/differences?kind=artist&action=changed", reply["import"]);
    let fields = editor.get_ok(&path).await["differences"][0]["fields"].clone();
    let time = fields.as_array().unwrap().iter().find(|field| field["field"] == "publish_at").unwrap();
    assert_eq!(time["after"], "2031-01-02 01:04:05", "{fields}");
    import_as_machine(&comedy, "Imported text.").await;
    let (status, reply) = release(&editor, &[&later], Value::Null).await;
    assert_eq!(status, 409, "{reply}");
    assert_eq!(description(&comedy).await, "Imported text.");

    let log = office.admin.get_ok("/api/audit").await;
    let entries = log["entries"].as_array().unwrap().iter();
    let made: Vec<&Value> =
        entries.filter(|entry| entry["action"] == "release.made").map(|entry| &entry["staff"]).collect();
    assert_eq!(made, [EDITOR, PUBLISHER, EDITOR, EDITOR]);
    assert_eq!(office.family.end("INT"), Some(0));
}

/// Changes the times of comedy's changes, as if months had gone by.
async fn age_changes(office: &Office, statements: [String; 2]) {
    let db = Db::open(&stored(office), "comedy", comedy::PUBLICATION.migrations).await.unwrap();
    for statement in statements {
        let aged = db.write(move |conn| Ok::<_, store::Error>(diesel::sql_query(statement).execute(conn)?)).await;
        assert!(aged.unwrap() > 0);
    }
}

async fn history_is_kept_for_two_years(engine: Engine) {
    let office = Office::open(engine).await;
    let publisher = office.invite(PUBLISHER, "publisher").await;
    put_portrait(&office);
    for (text, is_new) in [("First text.", true), ("Second text.", false), ("Third text.", false)] {
        let draft = saved(&publisher, "artist", &artist(text), None, is_new).await;
        assert_eq!(step(&publisher, &draft, "publish", Value::Null).await.0, 200);
    }
    let history = record(&publisher, "artist", "gogo-new").await;
    assert_eq!((&history["is_complete"], &history["kept_months"]), (&json!(true), &json!(24)));
    let changes: Vec<i64> =
        history["events"].as_array().unwrap().iter().map(|event| event["change"].as_i64().unwrap()).collect();
    let [third, second, first] = changes[..] else { panic!("{history}") };

    // All but the last two are of 25 months ago, the last but one of 23.
    let months_ago = |months| {
        let time = chrono::Utc::now().naive_utc().checked_sub_months(chrono::Months::new(months)).unwrap();
        time.format("%Y-%m-%d %H:%M:%S").to_string()
    };
    age_changes(
        &office,
        [
            format!("UPDATE changes SET at = '{}' WHERE id < {second}", months_ago(25)),
            format!("UPDATE changes SET at = '{}' WHERE id = {second}", months_ago(23)),
        ],
    )
    .await;
    let office = office.restarted().await;
    let publisher = publisher.at(office.admin.base.clone());
    testkit::eventually("the end of the old changes", async || {
        record(&publisher, "artist", "gogo-new").await["is_complete"] == false
    })
    .await;
    let history = record(&publisher, "artist", "gogo-new").await;
    let left: Vec<&Value> = history["events"].as_array().unwrap().iter().map(|event| &event["change"]).collect();
    assert_eq!(left, [&json!(third), &json!(second)], "{history}");

    // What is gone cannot be undone, and the words say so; what is left can be.
    let path = format!("/api/content/comedy/artist/records/gogo-new/undo?service={SERVICE}");
    let refused = publisher.call("POST", &path, json!({ "change": first })).await;
    assert_eq!(refused.status, 409);
    assert!(refused.json()["error_message"].as_str().unwrap().contains("no longer in the history"));
    assert_eq!(undo(&publisher, &json!(second)).await["record"]["description"], "First text.");
    assert_eq!(office.family.end("INT"), Some(0));
}

testkit::on_each_engine! {
    async fn history_of_records_is_deleted_after_two_years(engine) {
        history_is_kept_for_two_years(engine).await;
    }

    async fn drafts_of_an_artist_and_her_video_go_live_together(engine) {
        drafts_go_live_together(engine).await;
    }

    async fn editor_makes_an_artist_and_a_video_and_a_publisher_publishes_them(engine) {
        editor_writes_and_publisher_publishes(engine).await;
    }
}
