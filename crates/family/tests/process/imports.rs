//! Files of editors, from outside: the real family, an editor who uploads, a publisher who applies, and what visitors get from tt.

use std::{path::PathBuf, process::Command};

use serde_json::{Value, json};
use testkit::{Client, Engine};

use crate::{
    root,
    support::{Office, Reply, Staff},
};

const EDITOR: &str = "thandi@spaza.example";
const PUBLISHER: &str = "zola@spaza.example";
const IMPORTS: &str = "/api/content/tt/imports";
const LIST: &str = "service=racedaytv&sort=slug";

/// A thousand videos of a new category, as a spreadsheet writes them in South Africa, with other titles each time.
fn thousand(title: &str) -> String {
    let mut csv = "sep=;\r\nService;Kind;Slug;Parent;Category_Name;Name;Video_Name;Artist;Status;Media;Image;Datetime;Duration_S;Bytes\r\n".to_owned();
    csv.push_str("racedaytv;category;many-races;;Many races;;;;;;;;;\r\n");
    for number in 0..1000 {
        let row = format!(
            "racedaytv;video;race-{number:04};many-races;;\"{title} {number}; the whole of it\";Race {number};Raceday;new;\
             raceday/uploads/many.mp4;https://images.spaza.example/uploads/r.webp;2026-11-25 08:00:00;6;124937\r\n"
        );
        csv.push_str(&row);
    }
    csv
}

async fn upload(staff: &Staff, file: &str, bytes: &str, prune: bool) -> Reply {
    let path = format!("{IMPORTS}?service=racedaytv&file={file}&prune={prune}");
    staff.send("POST", &path, bytes.to_owned()).await
}

/// The import of a file that has no problems, as it is shown.
async fn uploaded(staff: &Staff, file: &str, bytes: &str, prune: bool) -> Value {
    let reply = upload(staff, file, bytes, prune).await;
    assert_eq!(reply.status, 200, "{}", reply.json());
    let uploaded = reply.json();
    assert_eq!(uploaded["problems"], json!([]));
    shown(staff, &uploaded["import"]).await
}

async fn shown(staff: &Staff, id: &Value) -> Value {
    staff.get_ok(&format!("{IMPORTS}/{id}")).await
}

async fn apply(staff: &Staff, seen: &Value, removals: Value) -> (u16, Value) {
    let import = &seen["import"];
    let order = json!({ "sha256": import["sha256"], "difference": seen["difference"], "removals": removals });
    let reply = staff.call("POST", &format!("{IMPORTS}/{}/apply", import["id"]), order).await;
    (reply.status, reply.json())
}

/// Added, changed, unchanged and removed videos.
fn videos(seen: &Value) -> [i64; 4] {
    let changes = seen["changes"].as_array().unwrap();
    let change = changes.iter().find(|change| change["kind"] == "video").unwrap();
    ["added", "changed", "unchanged", "removed"].map(|name| change[name].as_i64().unwrap())
}

/// Whether visitors see the new category in the site's lists.
async fn is_listed(tt: &Client) -> bool {
    let categories = tt.get_ok("/api/tt/getCategory/racedaytv").await;
    categories.as_array().unwrap().iter().any(|each| each["category_name"] == "Many races")
}

/// The status of a video at its own address.
async fn address_status(tt: &Client, staff: &Staff, slug: &str) -> u16 {
    let record = staff.get_ok(&format!("/api/content/tt/video/records/{slug}?service=racedaytv")).await;
    tt.get(&format!("/api/tt/ttsinglevideo/{}", record["live"]["id"])).await.status
}

async fn export(staff: &Staff, kind: &str, query: &str) -> String {
    let reply = staff.call("GET", &format!("/api/content/tt/{kind}/export.csv?{query}"), Value::Null).await;
    let text = String::from_utf8(reply.bytes).unwrap();
    assert_eq!(reply.status, 200, "{text}");
    text
}

async fn files_are_seen_and_then_applied(engine: Engine) {
    let office = Office::open(engine).await;
    let tt = Client::new(([127, 0, 0, 1], office.family.port + 4).into(), "racedaytv");
    let editor = office.invite(EDITOR, "editor").await;
    let publisher = office.invite(PUBLISHER, "publisher").await;

    // An editor uploads and sees what would change; nothing is changed, and only a publisher applies.
    let by_editor = uploaded(&editor, "races.csv", &thousand("Race"), false).await;
    let id = &by_editor["import"]["id"];
    assert_eq!((videos(&by_editor), &by_editor["import"]["records"]), ([1000, 0, 0, 0], &json!(1001)));
    let page =
        editor.get_ok(&format!("{IMPORTS}/{id}/differences?kind=video&action=added&limit=100&after=race-0899")).await;
    let last = &page["differences"][99];
    assert_eq!(
        (&last["slug"], &last["title"], &page["next"]),
        (&json!("race-0999"), &json!("Race 999; the whole of it"), &Value::Null)
    );
    assert_eq!(apply(&editor, &by_editor, Value::Null).await.0, 403);
    assert!(!is_listed(&tt).await);

    // The publisher finds the file, and applies what the editor saw.
    let waiting = publisher.get_ok("/api/content/imports").await;
    let first = &waiting["imports"][0];
    assert_eq!(
        (&first["catalogue"], &first["import"]["id"], &first["import"]["who"]),
        (&json!("tt"), id, &json!(EDITOR))
    );
    let seen = shown(&publisher, id).await;
    assert_eq!(seen, by_editor);

    // The whole file is refused for a film that is not there, which the reply names once.
    office.put("images/demo/raceday/thumbs/won-by-a-whisker.webp", "images/uploads/r.webp");
    let (status, reply) = apply(&publisher, &seen, Value::Null).await;
    let lines = "The film raceday/uploads/many.mp4 is not there. (lines 4, 5, 6 and 997 more)";
    assert_eq!((status, &reply["errors"]), (422, &json!({ "media": lines })), "{reply}");
    assert!(reply["error_message"].as_str().unwrap().ends_with(lines) && !is_listed(&tt).await, "{reply}");
    office.put("media/raceday/kestrel-downs-mile.mp4", "media/raceday/uploads/many.mp4");
    let (status, changes) = apply(&publisher, &seen, Value::Null).await;
    assert_eq!((status, videos(&json!({ "changes": changes }))), (200, [1000, 0, 0, 0]), "{changes}");
    assert!(is_listed(&tt).await);
    let history = publisher.get_ok("/api/content/tt/video/records/race-0007?service=racedaytv").await;
    assert_eq!((&history["events"][0]["who"], &history["events"][0]["action"]), (&json!(PUBLISHER), &json!("added")));

    // What is exported and imported unchanged is no difference, for every kind of every service.
    let csv = export(&publisher, "video", LIST).await;
    assert!(csv.lines().count() > 1001);
    let same = uploaded(&editor, "same.csv", &csv, true).await;
    assert_eq!((videos(&same)[0], videos(&same)[1], videos(&same)[3]), (0, 0, 0), "{same}");
    for catalogue in editor.get_ok("/api/content/kinds").await["catalogues"].as_array().unwrap() {
        let (name, content) = (catalogue["catalogue"].as_str().unwrap(), &catalogue["content"]);
        for service in content["services"].as_array().unwrap() {
            for kind in content["kinds"].as_array().unwrap() {
                let service = service.as_str().unwrap().replace(' ', "%20");
                let path =
                    format!("/api/content/{name}/{}/export.csv?service={service}", kind["kind"].as_str().unwrap());
                let csv = editor.call("GET", &path, Value::Null).await;
                let path = format!("/api/content/{name}/imports?service={service}&file=all.csv&prune=true");
                let reply = editor.send("POST", &path, String::from_utf8(csv.bytes).unwrap()).await.json();
                assert_eq!(reply["problems"], json!([]), "{path}");
                let seen = editor.get_ok(&format!("/api/content/{name}/imports/{}", reply["import"])).await;
                assert_eq!(seen["faults"], json!([]), "{path}");
                for change in seen["changes"].as_array().unwrap() {
                    assert_eq!(
                        (&change["added"], &change["changed"], &change["removed"]),
                        (&json!(0), &json!(0), &json!(0)),
                        "{path}: {seen}"
                    );
                }
            }
        }
    }

    // A file that was changed after its difference was shown is refused.
    let draft = uploaded(&publisher, "races.csv", &thousand("Ride"), false).await;
    assert_eq!(videos(&draft), [0, 1000, 0, 0]);
    let edited = uploaded(&publisher, "races.csv", &thousand("Rally"), false).await;
    let mut mixed = draft.clone();
    mixed["import"]["sha256"] = edited["import"]["sha256"].clone();
    assert_eq!(apply(&publisher, &mixed, Value::Null).await.0, 409, "another file's hash");
    mixed = draft.clone();
    mixed["difference"] = edited["difference"].clone();
    assert_eq!(apply(&publisher, &mixed, Value::Null).await.0, 409, "another file's difference");
    // As is one after another has changed the catalogue.
    assert_eq!(apply(&publisher, &edited, Value::Null).await.0, 200);
    assert_eq!(apply(&publisher, &draft, Value::Null).await.0, 409, "the catalogue has changed");
    assert_ne!(shown(&publisher, &draft["import"]["id"]).await["difference"], draft["difference"]);
    assert!(export(&publisher, "video", &format!("{LIST}&q=race-0007")).await.contains("Rally 7; the whole of it"));

    // A removal of more than a tenth needs its number.
    let all = export(&publisher, "video", LIST).await;
    let without: Vec<String> = (0..1000).step_by(2).map(|number| format!(",race-{number:04},")).collect();
    let few: String =
        all.split_inclusive("\r\n").filter(|line| !without.iter().any(|slug| line.contains(slug))).collect();
    let pruned = uploaded(&publisher, "few.csv", &few, true).await;
    assert_eq!((videos(&pruned)[3], &pruned["confirm"]), (500, &json!(500)));
    for number in [Value::Null, json!(499)] {
        assert_eq!(apply(&publisher, &pruned, number).await.0, 409);
    }
    assert_eq!(address_status(&tt, &editor, "race-0000").await, 200);
    assert_eq!(apply(&publisher, &pruned, json!(500)).await.0, 200);
    assert_eq!(
        (address_status(&tt, &editor, "race-0000").await, address_status(&tt, &editor, "race-0001").await),
        (404, 200)
    );

    // A file with problems names them, and does not wait.
    let wrong =
        upload(&editor, "wrong.csv", &thousand("=Race").replace("race-0002;many-races", "Race;many-races"), false)
            .await
            .json();
    assert_eq!(
        (&wrong["import"], &wrong["problems"][0]["line"], &wrong["problems"][0]["field"]),
        (&Value::Null, &json!(4), &json!("name")),
        "{wrong}"
    );
    let path = format!("{IMPORTS}/{}", same["import"]["id"]);
    assert_eq!(editor.call("DELETE", &path, Value::Null).await.status, 204);
    assert_eq!(editor.call("GET", &path, Value::Null).await.status, 404);

    // The command line lists and exports the same.
    let content = |arguments: &[&str]| {
        let output = Command::new(PathBuf::from(env!("CARGO_BIN_EXE_family")).with_file_name("content"))
            .args(arguments)
            .args(["--service", "racedaytv", "--sort", "slug", "--brands-file"])
            .arg(root().join("deploy/brands.toml"))
            .args(["--tt-url", &format!("http://127.0.0.1:{}", office.family.port + 4), "--admin-token", "dev-admin"])
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let csv = export(&editor, "video", LIST).await;
    assert_eq!(content(&["export", "video"]), csv);
    let listed = content(&["list", "video"]);
    assert_eq!(listed.lines().count() + 1, csv.lines().count());
    assert!(
        listed.contains(" race-0001 listed: Rally 1; the whole of it") && listed.contains(" race-0000 deleted: "),
        "{listed}"
    );

    // Who did what, with the file, its hash and its counts.
    let log = office.admin.get_ok("/api/audit?action=import.applied").await;
    let entries = log["entries"].as_array().unwrap();
    let oldest = entries.iter().rev().find(|entry| entry["action"] == "import.applied").unwrap();
    assert_eq!((&oldest["staff"], &oldest["subject"]), (&json!(PUBLISHER), &json!("raceday, races.csv")));
    assert_eq!(
        (&oldest["details"]["sha256"], &oldest["details"]["by"]),
        (&by_editor["import"]["sha256"], &json!(EDITOR))
    );
    assert!(oldest["details"]["changes"].as_array().unwrap().iter().any(|change| change["added"] == 1000), "{oldest}");
    assert_eq!(office.admin.get_ok("/api/audit/check").await["intact"], true);
    assert_eq!(office.family.end("INT"), Some(0));
}

testkit::on_each_engine! {
    async fn editor_uploads_a_thousand_records_and_a_publisher_applies_what_was_shown(engine) {
        files_are_seen_and_then_applied(engine).await;
    }
}
