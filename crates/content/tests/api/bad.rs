//! Manifests that are wrong: each is refused with the problem and its place, and changes nothing.

use content::Options;
use serde_json::{Value, json};

use crate::{import::manifest, spawn_family};

/// The name of a file, its bytes, and a part of the message that the import must report.
struct Case(&'static str, Vec<u8>, &'static str);

/// A manifest of one record changed by `change`.
fn changed(change: impl FnOnce(&mut Value)) -> Vec<u8> {
    let mut manifest = manifest();
    change(&mut manifest["services"]);
    serde_json::to_string_pretty(&manifest).unwrap().into()
}

/// The manifest with one field of the second video on demand set.
fn video(field: &str, value: Value) -> Vec<u8> {
    changed(|services| services["ttmbhatv"]["categories"][0]["videos"][1][field] = value)
}

fn text(text: &str) -> Vec<u8> {
    text.as_bytes().to_vec()
}

fn rows(rows: &str) -> Vec<u8> {
    format!("service,kind,slug,parent,name,title,image,created_at,media,state\n{rows}").into()
}

const MEME: &str = "memeworld,meme,m1,monday,,One,https://images.spaza.example/a.webp,2026-03-05 18:30:00,,\n";

fn json_cases() -> Vec<Case> {
    vec![
        Case("a.json", text(""), "a.json: is empty"),
        Case("a.json", text("  \n \n"), "a.json: is empty"),
        Case("a.json", b"\xff\xfe{\0}\0".to_vec(), "\"services\" is missing"),
        Case("a.json", b"{\0\"\0s\0".to_vec(), "zero bytes"),
        Case("a.json", b"\x1f\x8b\x08\x00abc".to_vec(), "is packed"),
        Case("a.json", text("[]"), "a.json:1:"),
        Case("a.json", text("{\n  \"services\": 5}"), "a.json:2:"),
        Case("a.json", text("{}"), "\"services\" is missing"),
        Case("a.json", text("{\"services\": {}, \"more\": 1}"), "\"more\" is unknown here"),
        Case("a.json", text("{\"services\": {}} {}"), "is no JSON from here on"),
        Case("a.json", text("{\"services\": {\"memeworld\": {\"categories\": [{\n\"slug\": \"a\","), "a.json:2:"),
        Case("a.json", b"{\"services\": {\"meme\xe9\": {}}}".to_vec(), "a.json:1: is not UTF-8"),
        Case(
            "a.json",
            changed(|services| services["nowhere"] = json!({})),
            "\"nowhere\" is unknown here; what may stand here: MC Funny",
        ),
        Case("a.json", changed(|services| services["MC Funny"] = json!({})), "is a service that stands here already"),
        Case(
            "a.json",
            changed(|services| services["memeworld"]["banners"] = json!([])),
            "(/services/memeworld/banners)",
        ),
        Case(
            "a.json",
            changed(|services| services["memeworld"]["categories"] = json!({})),
            "a list at /services/memeworld/categories",
        ),
        Case(
            "a.json",
            changed(|services| services["memeworld"]["categories"][0]["memes"][0] = json!("m1")),
            "an object for each meme belongs here (/services/memeworld/categories/0/memes/0)",
        ),
        Case("a.json", video("surprise", json!(1)), "surprise: a video has no such field"),
        Case("a.json", video("video_name", json!(null)), "video_name: is missing"),
        Case("a.json", video("video_name", json!(["x"])), "video_name: is not a text"),
        Case("a.json", video("video_name", json!("")), "video_name: is empty"),
        Case("a.json", video("video_name", json!("=cmd|' /C calc'!A0")), "a spreadsheet takes for a formula"),
        Case("a.json", video("name", json!("a\u{0}b")), "control character"),
        Case("a.json", video("name", json!("a\u{202e}b")), "turns or hides text"),
        Case("a.json", video("name", json!("a".repeat(5001))), "longer than 5000"),
        Case("a.json", video("slug", json!("D 2")), "is not a slug"),
        Case("a.json", video("slug", json!("d1")), "the slug \"d1\" stands twice, first in line"),
        Case("a.json", video("media", json!("../../etc/passwd")), "is not a file below ttmbhatv/"),
        Case("a.json", video("media", json!("ttmbhatv/../mcfunny/a.mp4")), "is not a file below ttmbhatv/"),
        Case("a.json", video("media", json!("raceday/a.mp4")), "is not a file below ttmbhatv/"),
        Case("a.json", video("media", json!("ttmbhatv/%2e%2e/a.mp4")), "is not a file below ttmbhatv/"),
        Case("a.json", video("captions", json!("ttmbhatv/a.srt")), "is not a .vtt file below ttmbhatv/"),
        Case("a.json", video("captions", json!("raceday/a.vtt")), "is not a .vtt file below ttmbhatv/"),
        Case("a.json", video("captions", json!(7)), "captions: is not a text"),
        Case("a.json", video("image", json!("http://images.spaza.example/a.webp")), "is not an https address"),
        Case("a.json", video("image", json!("javascript:alert(1)")), "is not an https address"),
        Case("a.json", video("datetime", json!("2026-13-05 18:30:00")), "is not a time of the form"),
        Case("a.json", video("datetime", json!("2026-03-05 18:30:00 SAST")), "is not a time of the form"),
        Case("a.json", video("datetime", json!("2026-03-05 18:30:61")), "is not a time of the form"),
        Case("a.json", video("duration_s", json!("8")), "duration_s: \"8\" is not a whole number"),
        Case("a.json", video("duration_s", json!(8.5)), "duration_s: 8.5 is not a whole number"),
        Case("a.json", video("bytes", json!(-1)), "it cannot be negative"),
        Case(
            "a.json",
            video("state", json!("hidden")),
            "state: \"hidden\" is not a state: listed, unlisted or deleted",
        ),
        Case(
            "a.json",
            changed(|services| {
                let video = &mut services["ttmbhatv"]["categories"][0]["videos"][1];
                video["publish_at"] = json!("2026-03-05 18:30:00");
                video["expires_at"] = json!("2026-03-05 18:30:00");
            }),
            "is not after publish_at",
        ),
        Case(
            "a.json",
            changed(|services| services["ttmbhatv"]["categories"][0]["category_name"] = json!("2026")),
            "of digits alone",
        ),
        Case(
            "a.json",
            changed(|services| services["ttmbhatv"]["banners"][0]["video"] = json!("tonight")),
            "there is no video \"tonight\"",
        ),
        Case(
            "a.json",
            changed(|services| services["madfunny"]["artists"][0]["slug"] = json!(7)),
            "slug: is not a text",
        ),
        Case(
            "a.json",
            text(r#"{"services": {"memeworld": {"categories": [{"slug": "a", "slug": "b", "name": "A"}]}}}"#),
            "slug: stands twice",
        ),
        Case(
            "a.json",
            format!(
                "{{\"services\": {{\"memeworld\": {{\"categories\": [{{\"slug\": \"{}\"}}]}}}}}}",
                "a".repeat(3 * 1024 * 1024)
            )
            .into(),
            "larger than 1 MiB",
        ),
        Case(
            "a.json",
            format!("{{\"services\": {{\"memeworld\": {{\"categories\": {}", "[".repeat(100_000)).into(),
            "a.json:1:",
        ),
    ]
}

fn csv_cases() -> Vec<Case> {
    let meme = |from: &str, to: &str| rows(&MEME.replace(from, to));
    vec![
        Case("a.csv", text("kind,slug\n"), "the column \"service\" is missing"),
        Case("a.csv", text("service,kind,slug,slug\n"), "the column \"slug\" stands twice"),
        Case("a.csv", text("service,kind,slug,titel\n"), "there is no column \"titel\""),
        Case("a.csv", b"PK\x03\x04sheet".to_vec(), "save the sheet as CSV"),
        Case("a.csv", b"\xfe\xff\0s\0e".to_vec(), "there is no column \"se\""),
        Case(
            "a.csv",
            [rows(""), b"memeworld,category,caf\xe9,,Caf\xe9,,,,,\n".to_vec()].concat(),
            "a.csv:2: slug: is not UTF-8",
        ),
        Case("a.csv", rows("memeworld,meme,m1\n"), "a.csv:2: parent: is missing"),
        Case("a.csv", rows("memeworld,category,a,,A,,,,,,,,x\n"), "a.csv:2: cell 13 stands in a column without a name"),
        Case("a.csv", meme("memeworld", "memeworlds"), "service: \"memeworlds\" is no service"),
        Case("a.csv", meme("meme,", "video,"), "kind: memeworld has no \"video\"; it has: category, meme"),
        Case("a.csv", meme("monday", ""), "parent: is missing"),
        Case("a.csv", meme("monday", "m1"), "there is no category \"m1\""),
        Case("a.csv", meme("One", "+27"), "a spreadsheet takes for a formula"),
        Case("a.csv", meme("One", "=1"), "a spreadsheet takes for a formula"),
        Case("a.csv", rows(&MEME.replace(",,\n", ",memeworld/a.mp4,\n")), "media: a meme has no such field"),
        Case(
            "a.csv",
            rows(&format!("{MEME}{MEME}")),
            "a.csv:3: slug: meme m1 of memeworld: the slug \"m1\" stands twice, first in line 2",
        ),
        Case(
            "a.csv",
            rows(&format!("memeworld,category,a,,\"{}", "x\n".repeat(1024 * 1024))),
            "a.csv:2: the row that begins here is larger than 1 MiB",
        ),
        Case(
            "a.csv",
            rows(&format!("memeworld,category,a,,{}\n", "x".repeat(3 * 1024 * 1024))),
            "is larger than 1 MiB",
        ),
    ]
}

testkit::on_each_engine! {
    async fn import_names_each_problem_with_its_place_and_changes_nothing(engine) {
        let family = spawn_family(engine).await;
        let cases: Vec<_> = json_cases().into_iter().chain(csv_cases()).collect();
        assert!(cases.len() >= 60, "{}", cases.len());
        let mut wrong = Vec::new();
        for (number, Case(name, bytes, expected)) in cases.into_iter().enumerate() {
            let message = match family.try_import(name, &bytes, Options::default()).await {
                Ok(summaries) => format!("taken in: {summaries:?}"),
                Err(message) => message,
            };
            if !message.contains(expected) || !message.ends_with("nothing was changed") || message.len() > 4000 {
                wrong.push(format!("{number} {name}: not {expected:?} but: {}", message.chars().take(600).collect::<String>()));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
        for list in family.listed().await {
            assert_eq!(list, json!([]));
        }
    }

    async fn import_reports_all_problems_with_their_places(engine) {
        let family = spawn_family(engine).await;
        let bad = "{\n \"services\": {\n  \"memeworld\": {\"categories\": [\n   {\"slug\": \"A\",\n    \"name\": \"x\", \"memes\": [\n     {\"slug\": \"m\", \"title\": \"=1\",\n      \"image\": \"ftp://x\", \"created_at\": \"now\"}\n   ]}\n  ]}\n }\n}\n";
        let message = family.try_import("bad.json", bad.as_bytes(), Options::default()).await.unwrap_err();
        let lines: Vec<_> = message.lines().collect();
        let begins = [
            "/bad.json:4:", "/bad.json:6:29: title: ", "/bad.json:7:16: image: ", "/bad.json:7:41: created_at: ", "4 problems; nothing was changed",
        ];
        assert_eq!(lines.len(), begins.len(), "{message}");
        for (line, begin) in lines.iter().zip(begins) {
            let problem = line.strip_prefix(&*family.folder.path().to_string_lossy()).unwrap_or(line);
            assert!(problem.starts_with(begin), "{problem:?} does not begin with {begin:?}");
        }
        assert!(lines[1].ends_with("(/services/memeworld/categories/0/memes/0/title)"), "{message}");
        let many = format!("service,kind,slug\n{}", "nowhere,video,x\n".repeat(5000));
        let message = family.try_import("many.csv", many.as_bytes(), Options::default()).await.unwrap_err();
        assert_eq!(message.lines().count(), content::MAX_PROBLEMS + 1);
        assert!(message.ends_with("200 or more problems; nothing was changed"), "{message}");
    }
}
