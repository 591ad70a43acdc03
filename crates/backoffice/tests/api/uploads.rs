//! The tus protocol at the back office: what it refuses, with which status; and pictures, which need no transcoding.

use std::path::Path;

use backoffice::UploadsConfig;
use base64::{Engine as _, engine::general_purpose::STANDARD};
use reqwest::Method;
use serde_json::{Value, json};
use sha1::{Digest as _, Sha1};
use sha2::Sha256;

use crate::{App, Browser, Reply, spawn_app_with};

const PART: &str = "application/offset+octet-stream";

async fn spawn(engine: testkit::Engine, folder: &Path) -> App {
    spawn_with_room(engine, folder, 1000).await
}

/// With room for one and a half of the largest file.
async fn spawn_with_room(engine: testkit::Engine, folder: &Path, max_bytes: u64) -> App {
    let uploads = UploadsConfig {
        uploads_dir: Some(folder.join("uploads")),
        upload_max_bytes: max_bytes,
        uploads_max_bytes: max_bytes / 2 * 3,
        media_target: Some(format!("file://{}", folder.join("media").display())),
        image_target: Some(format!("https://images.spaza.example/u=file://{}", folder.join("images").display())),
        brands_file: "../../deploy/brands.toml".into(),
        ..UploadsConfig::default()
    };
    spawn_app_with(engine, |config| config.uploads = uploads).await
}

async fn send(browser: &mut Browser, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
    let mut request = browser.request(Method::from_bytes(method.as_bytes()).unwrap(), path);
    request = request.header("sec-fetch-site", "same-origin").body(body.to_vec());
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    browser.send(request).await
}

async fn tus(browser: &mut Browser, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Reply {
    let headers = [&[("tus-resumable", "1.0.0")], headers].concat();
    let reply = send(browser, method, path, &headers, body).await;
    if reply.status != 401 {
        assert_eq!(reply.header("tus-resumable"), "1.0.0", "{reply:?}");
    }
    reply
}

async fn begin(browser: &mut Browser, length: &str, metadata: &str) -> Reply {
    tus(browser, "POST", "/api/uploads", &[("upload-length", length), ("upload-metadata", metadata)], b"").await
}

/// `film.mp4` for MC Funny.
const FILM: &str = "filename ZmlsbS5tcDQ=,service TUMgRnVubnk=";
/// The same for Meme World, which shows no films.
const MEMES: &str = "filename ZmlsbS5tcDQ=,service bWVtZXdvcmxk";

fn metadata(name: &str, service: &str, kind: &str) -> String {
    let values = [("filename", name), ("service", service), ("kind", kind)];
    values.map(|(key, value)| format!("{key} {}", STANDARD.encode(value))).join(",")
}

/// Uploads a picture in one part; returns its address.
async fn uploaded(browser: &mut Browser, name: &str, service: &str, bytes: &[u8]) -> String {
    let begun = begin(browser, &bytes.len().to_string(), &metadata(name, service, "picture")).await;
    assert_eq!(begun.status, 201, "{begun:?}");
    let path = begun.header("location").to_owned();
    let part = tus(browser, "PATCH", &path, &[("upload-offset", "0"), ("content-type", PART)], bytes).await;
    assert_eq!(part.status, 204, "{part:?}");
    path
}

/// An upload once it is ready or failed.
async fn ended(browser: &mut Browser, path: &str) -> Value {
    let mut known = browser.clone();
    testkit::eventually("the end of the upload", async || {
        let state = known.get_ok(path).await["state"].clone();
        state == "ready" || state == "failed"
    })
    .await;
    browser.get_ok(path).await
}

testkit::on_each_engine! {
    async fn upload_that_cannot_be_is_refused_with_words(engine) {
        let folder = tempfile::tempdir().unwrap();
        let app = spawn(engine, folder.path()).await;
        let (mut admin, _) = app.administrator().await;
        let (mut editor, _) = app.member(&mut admin, "thandi@spaza.example", &["editor"]).await;
        for (length, metadata, status, words) in [
            ("1001", FILM, 413, "at most"),
            ("0", FILM, 422, "empty"),
            ("-1", FILM, 400, "Upload-Length"),
            ("many", FILM, 400, "Upload-Length"),
            ("10", "service TUMgRnVubnk=", 422, "no name"),
            ("10", "filename ZmlsbS5tcDQ=", 422, "No site"),
            ("10", MEMES, 422, "No site"),
            ("10", "filename ZmlsbS5tcDQ=,service TUMgRnVubnk=,kind c29uZw==", 422, "Films and pictures"),
            ("10", "filename ZmlsbS5tcDQ=,service bm9uZQ==,kind cGljdHVyZQ==", 422, "No site"),
        ] {
            let reply = begin(&mut editor, length, metadata).await;
            assert!(reply.status == status && reply.text.contains(words), "{length}, {metadata}: {reply:?}");
        }
        let without = send(&mut editor, "POST", "/api/uploads", &[("upload-length", "10"), ("upload-metadata", FILM)], b"").await;
        assert_eq!(without.status, 412);
        assert_eq!(without.header("tus-version"), "1.0.0");
        let able = tus(&mut editor, "OPTIONS", "/api/uploads", &[], b"").await;
        assert_eq!(able.header("tus-extension"), "creation,expiration,termination,checksum");
        assert_eq!((able.header("tus-checksum-algorithm"), able.header("tus-max-size")), ("sha1,sha256", "1000"));

        // All that arrive or wait have room together.
        assert_eq!(begin(&mut editor, "1000", FILM).await.status, 201);
        let reply = begin(&mut editor, "501", FILM).await;
        assert!(reply.status == 413 && reply.text.contains("no room"), "{reply:?}");
        // As long as Windows allows it, and twice as long in UTF-8.
        let long = metadata(&format!("{}.mp4", "ж".repeat(251)), "MC Funny", "film");
        assert_eq!(begin(&mut editor, "500", &long).await.status, 201);
    }

    async fn part_is_written_only_where_the_last_one_ended(engine) {
        let folder = tempfile::tempdir().unwrap();
        let app = spawn(engine, folder.path()).await;
        let (mut admin, _) = app.administrator().await;
        let (mut editor, _) = app.member(&mut admin, "thandi@spaza.example", &["editor"]).await;
        let begun = begin(&mut editor, "10", FILM).await;
        let path = begun.header("location").to_owned();
        assert!(begun.header("upload-expires").ends_with(" GMT"), "{begun:?}");
        for (offset, kind, body, status) in [
            ("1", PART, &b"abc"[..], 409),
            ("0", "text/plain", b"abc", 415),
            ("0", PART, b"eleven bytes", 413),
            ("x", PART, b"abc", 400),
            ("0", PART, b"abc", 204),
            ("0", PART, b"abc", 409),
            ("3", PART, b"def", 204),
        ] {
            let headers = [("upload-offset", offset), ("content-type", kind)];
            let reply = tus(&mut editor, "PATCH", &path, &headers, body).await;
            assert_eq!(reply.status, status, "{offset} {kind}: {reply:?}");
        }
        let head = tus(&mut editor, "HEAD", &path, &[], b"").await;
        assert_eq!((head.header("upload-offset"), head.header("upload-length")), ("6", "10"));
        assert_eq!(head.header("cache-control"), "no-store");
        assert_eq!(std::fs::read(folder.path().join("uploads/film-1.upload")).unwrap(), b"abcdef");

        // Another process on the same database and folder goes on from there, and deletes what was not finished in time.
        app.execute("UPDATE uploads SET expires_at = '2026-01-01 00:00:00'").await.unwrap();
        let _second = app.restarted(|_| ()).await;
        testkit::eventually("the expiry", async || !folder.path().join("uploads/film-1.upload").exists()).await;
        assert_eq!(tus(&mut editor, "HEAD", &path, &[], b"").await.status, 404);
        let actions = app.texts("SELECT action AS text FROM audit WHERE action LIKE 'upload.%' ORDER BY id").await;
        assert_eq!(actions, ["upload.begun", "upload.expired"]);
    }

    async fn part_counts_only_with_its_checksum(engine) {
        let folder = tempfile::tempdir().unwrap();
        let app = spawn(engine, folder.path()).await;
        let (mut admin, _) = app.administrator().await;
        let (mut editor, _) = app.member(&mut admin, "thandi@spaza.example", &["editor"]).await;
        let path = begin(&mut editor, "10", FILM).await.header("location").to_owned();
        let sha1 = |bytes: &[u8]| format!("sha1 {}", STANDARD.encode(Sha1::digest(bytes)));
        let sha256 = |bytes: &[u8]| format!("sha256 {}", STANDARD.encode(Sha256::digest(bytes)));
        for (offset, checksum, body, status, words) in [
            ("0", sha1(b"abd"), &b"abc"[..], 460, "checksum"),
            ("0", sha256(b"abd"), b"abc", 460, "checksum"),
            // The whole of the part is verified, and not its beginning.
            ("0", sha1(b"abc"), b"abcd", 460, "checksum"),
            ("0", "md5 kAFQmDzST7DWlj99KOF/cg==".to_owned(), b"abc", 400, "sha1,sha256"),
            ("0", "sha1".to_owned(), b"abc", 400, "Upload-Checksum"),
            ("0", "sha1 not base64".to_owned(), b"abc", 400, "Upload-Checksum"),
            ("0", "sha1 YWJj".to_owned(), b"abc", 400, "Upload-Checksum"),
            ("0", sha1(b"eleven bytes"), b"eleven bytes", 413, "announced"),
            ("0", sha1(b"abc"), b"abc", 204, ""),
            ("3", sha256(b"def"), b"def", 204, ""),
            ("6", sha1(b"gh"), b"gx", 460, "checksum"),
        ] {
            let headers = [("upload-offset", offset), ("content-type", PART), ("upload-checksum", checksum.as_str())];
            let reply = tus(&mut editor, "PATCH", &path, &headers, body).await;
            assert!(reply.status == status && reply.text.contains(words), "{offset} {checksum}: {reply:?}");
        }
        // Nothing of a refused part is kept, and parts without a checksum go on from there.
        let uploads = folder.path().join("uploads");
        assert_eq!(std::fs::read(uploads.join("film-1.upload")).unwrap(), b"abcdef");
        assert!(!uploads.join("film-1.part").exists());
        let head = tus(&mut editor, "HEAD", &path, &[], b"").await;
        assert_eq!(head.header("upload-offset"), "6");
        let headers = [("upload-offset", "6"), ("content-type", PART)];
        assert_eq!(tus(&mut editor, "PATCH", &path, &headers, b"g").await.header("upload-offset"), "7");

        // Some networks let no PATCH through.
        for (method, offset) in [("PATCH", "7"), ("patch", "8")] {
            let headers = [("upload-offset", offset), ("content-type", PART), ("x-http-method-override", method)];
            assert_eq!(tus(&mut editor, "POST", &path, &headers, b"h").await.status, 204, "{method}");
        }
        let head = tus(&mut editor, "POST", &path, &[("x-http-method-override", "HEAD")], b"").await;
        assert_eq!(head.header("upload-offset"), "9");
        assert_eq!(tus(&mut editor, "POST", &path, &[("x-http-method-override", "Delete")], b"").await.status, 204);
    }

    async fn picture_is_published_as_it_is_and_read_again(engine) {
        let folder = tempfile::tempdir().unwrap();
        let app = spawn_with_room(engine, folder.path(), 32 << 20).await;
        let (mut admin, _) = app.administrator().await;
        let (mut editor, _) = app.member(&mut admin, "thandi@spaza.example", &["editor"]).await;
        let bytes = std::fs::read("../../deploy/demo/images/demo/mcfunny/thumbs/around-the-corner.webp").unwrap();
        let path = uploaded(&mut editor, "Round the corner.WEBP", "memeworld", &bytes).await;
        let upload = ended(&mut editor, &path).await;
        assert_eq!((&upload["kind"], &upload["state"], &upload["film"]), (&json!("picture"), &json!("ready"), &Value::Null));
        let picture = &upload["picture"];
        let address = "https://images.spaza.example/u/round-the-corner-1/picture.webp";
        assert_eq!((&picture["image"], &picture["bytes"]), (&json!(address), &json!(bytes.len())));
        assert!(picture["width"].as_u64().unwrap() > picture["height"].as_u64().unwrap(), "{picture}");
        assert_eq!(std::fs::read(folder.path().join("images/round-the-corner-1/picture.webp")).unwrap(), bytes);
        let arrived = folder.path().join("uploads/round-the-corner-1.upload");
        testkit::eventually("the end of the file that arrived", async || !arrived.exists()).await;

        // The list is of films; the address of pictures is in it.
        let list = editor.get_ok("/api/uploads").await;
        assert_eq!((&list["uploads"], &list["pictures"]), (&json!([]), &json!("https://images.spaza.example/u")));

        // A browser that crops it has it from here, and nothing else.
        std::fs::write(folder.path().join("secret.webp"), b"secret").unwrap();
        for (address, status) in [
            (address, 200),
            ("https://images.spaza.example/u/none/picture.webp", 404),
            ("https://images.spaza.example/u/../secret.webp", 404),
            ("https://images.spaza.example/u/%2e%2e/secret.webp", 404),
            ("https://images.spaza.example/u/", 404),
            ("https://images.spaza.example/other/picture.webp", 404),
            ("https://elsewhere.example/u/round-the-corner-1/picture.webp", 404),
        ] {
            let query = address.replace('%', "%25");
            let reply = editor.call("GET", &format!("/api/pictures?address={query}"), None).await;
            assert_eq!(reply.status, status, "{address}: {reply:?}");
            if status == 200 {
                assert_eq!(reply.header("content-type"), "image/webp");
                assert_eq!(reply.header("content-length"), bytes.len().to_string());
            }
        }
        let actions = app.texts("SELECT action AS text FROM audit WHERE action LIKE 'upload.%' ORDER BY id").await;
        assert_eq!(actions, ["upload.begun", "upload.arrived", "upload.ready"]);
    }

    async fn file_that_is_no_picture_is_refused_with_words(engine) {
        let folder = tempfile::tempdir().unwrap();
        let app = spawn_with_room(engine, folder.path(), 32 << 20).await;
        let (mut admin, _) = app.administrator().await;
        let (mut editor, _) = app.member(&mut admin, "thandi@spaza.example", &["editor"]).await;
        let path = uploaded(&mut editor, "picture.png", "MC Funny", b"<svg onload=alert(1)>").await;
        let upload = ended(&mut editor, &path).await;
        assert_eq!((&upload["state"], &upload["picture"]), (&json!("failed"), &Value::Null));
        let reason = upload["reason"].as_str().unwrap();
        assert!(reason.starts_with("The file ") && reason.contains("is not a picture"), "{upload}");
        let lines: Vec<&str> = upload["log"].as_str().unwrap().lines().map(|line| &line[21..]).collect();
        assert_eq!(lines, ["1 MB have arrived.", &format!("It failed: {reason}")]);
        // Stored by its id, but in the audit log, whose entries never change.
        let stored = app.texts("SELECT reason AS text FROM uploads").await.join("");
        assert!(stored.contains("file-fault") && !stored.contains("The file"), "{stored}");
        let details = app.texts("SELECT details AS text FROM audit WHERE action = 'upload.failed'").await.join("");
        assert!(details.contains("The file ") && !details.contains("file-fault"), "{details}");
        // What an earlier release stored in words is shown as it is.
        let old = "2026-11-01 08:00:00Z It failed: It is not whole.\n";
        app.execute(&format!("UPDATE uploads SET reason = 'It is not whole.', log = '{old}'")).await.unwrap();
        let upload = editor.get_ok(&path).await;
        assert_eq!((&upload["reason"], &upload["log"]), (&json!("It is not whole."), &json!(old)));
        assert!(!folder.path().join("images").exists());
        let large = begin(&mut editor, &(10 * 1024 * 1024 + 1).to_string(), &metadata("large.png", "MC Funny", "picture")).await;
        assert!(large.status == 413 && large.text.contains("The picture has"), "{large:?}");
    }

    async fn upload_without_a_place_for_films_is_409(engine) {
        let app = crate::spawn_app(engine).await;
        let (mut admin, _) = app.administrator().await;
        let (mut editor, _) = app.member(&mut admin, "thandi@spaza.example", &["editor"]).await;
        let reply = begin(&mut editor, "10", FILM).await;
        assert!(reply.status == 409 && reply.text.contains("MEDIA_TARGET"), "{reply:?}");
        assert_eq!(editor.get_ok("/api/uploads").await["possible"], false);
    }
}
