//! The tus protocol at the back office: what it refuses, with which status.

use std::path::Path;

use backoffice::UploadsConfig;
use reqwest::Method;

use crate::{App, Browser, Reply, spawn_app_with};

const PART: &str = "application/offset+octet-stream";

async fn spawn(engine: testkit::Engine, folder: &Path) -> App {
    let uploads = UploadsConfig {
        uploads_dir: Some(folder.join("uploads")),
        upload_max_bytes: 1000,
        uploads_max_bytes: 1500,
        media_target: Some(format!("file://{}", folder.join("media").display())),
        image_target: Some(format!("https://images.spaza.example/u=file://{}", folder.join("images").display())),
        brands_file: "../../deploy/brands.toml".into(),
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
        ] {
            let reply = begin(&mut editor, length, metadata).await;
            assert!(reply.status == status && reply.text.contains(words), "{length}, {metadata}: {reply:?}");
        }
        let without = send(&mut editor, "POST", "/api/uploads", &[("upload-length", "10"), ("upload-metadata", FILM)], b"").await;
        assert_eq!(without.status, 412);
        assert_eq!(without.header("tus-version"), "1.0.0");
        let able = tus(&mut editor, "OPTIONS", "/api/uploads", &[], b"").await;
        assert_eq!((able.header("tus-extension"), able.header("tus-max-size")), ("creation,expiration,termination", "1000"));

        // All that arrive or wait have room together.
        assert_eq!(begin(&mut editor, "1000", FILM).await.status, 201);
        let reply = begin(&mut editor, "501", FILM).await;
        assert!(reply.status == 413 && reply.text.contains("no room"), "{reply:?}");
        assert_eq!(begin(&mut editor, "500", FILM).await.status, 201);
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

    async fn upload_without_a_place_for_films_is_409(engine) {
        let app = crate::spawn_app(engine).await;
        let (mut admin, _) = app.administrator().await;
        let (mut editor, _) = app.member(&mut admin, "thandi@spaza.example", &["editor"]).await;
        let reply = begin(&mut editor, "10", FILM).await;
        assert!(reply.status == 409 && reply.text.contains("MEDIA_TARGET"), "{reply:?}");
        assert_eq!(editor.get_ok("/api/uploads").await["possible"], false);
    }
}
