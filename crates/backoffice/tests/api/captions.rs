//! Captions that editors upload or write, and the lines of those that there are.

use backoffice::UploadsConfig;
use reqwest::Method;
use serde_json::{Value, json};
use testkit::on_each_engine;

use crate::{Browser, Reply, spawn_app_with};

async fn call(browser: &mut Browser, method: Method, query: &str, body: Vec<u8>) -> Reply {
    let request = browser.request(method, &format!("/api/captions?{query}"));
    let request = request.header("sec-fetch-site", "same-origin").header("content-type", "application/octet-stream");
    browser.send(request.body(body)).await
}

async fn publish(browser: &mut Browser, query: &str, body: impl Into<Vec<u8>>) -> Reply {
    call(browser, Method::POST, query, body.into()).await
}

const FILM: &str = "service=mcfunny&slug=late-taxi&language=zu";

fn texts(reply: &Value) -> Vec<&str> {
    reply["lines"].as_array().unwrap().iter().map(|line| line["text"].as_str().unwrap()).collect()
}

on_each_engine! {
    async fn captions_are_published_as_webvtt_under_an_address_of_their_own(engine) {
        let folder = tempfile::tempdir().unwrap();
        let published = folder.path().join("published");
        std::fs::create_dir_all(published.join("mcfunny")).unwrap();
        std::fs::create_dir_all(folder.path().join("media")).unwrap();
        std::fs::write(folder.path().join("secret.vtt"), "WEBVTT\n\n00:01.000 --> 00:02.000\nsecret\n").unwrap();
        std::fs::write(published.join("mcfunny/film.mp4"), [0; 16]).unwrap();
        let uploads = UploadsConfig {
            media_dir: folder.path().join("media").display().to_string(),
            media_target: Some(format!("file://{}", published.display())),
            image_target: Some(format!("https://images.spaza.example/u=file://{}", folder.path().display())),
            brands_file: "../../deploy/brands.toml".into(),
            ..UploadsConfig::default()
        };
        let app = spawn_app_with(engine, |config| config.uploads = uploads).await;
        let (mut admin, _) = app.administrator().await;
        let (mut editor, _) = app.member(&mut admin, "thandi@spaza.example", &["editor"]).await;

        let subrip = "1\r\n00:00:01,500 --> 00:00:02,000\r\nSawubona, Mzansi!\r\n\r\n2\r\n00:00:03,000 --> 00:00:04,000\r\nHamba kahle.\r\n";
        let first = publish(&mut editor, FILM, subrip).await;
        let path = first.json()["captions"].as_str().unwrap().to_owned();
        assert_eq!((first.status, texts(&first.json())), (200, vec!["Sawubona, Mzansi!", "Hamba kahle."]));
        assert!(path.starts_with("mcfunny/uploads/late-taxi-") && path.ends_with(".zu.vtt"), "{path}");
        let file = std::fs::read_to_string(published.join(&path)).unwrap();
        assert_eq!(file, "WEBVTT\n\n00:00:01.500 --> 00:00:02.000\nSawubona, Mzansi!\n\n00:00:03.000 --> 00:00:04.000\nHamba kahle.\n");

        // The same lines have the same address, however they were written; others have another, and what was there stays.
        let utf_16: Vec<u8> = format!("\u{feff}{file}").encode_utf16().flat_map(u16::to_le_bytes).collect();
        for same in [file.clone().into_bytes(), format!("\u{feff}{file}").into_bytes(), utf_16] {
            assert_eq!(publish(&mut editor, FILM, same).await.json()["captions"], path);
        }
        let other = publish(&mut editor, FILM, "WEBVTT\n\n00:01.000 --> 00:02.000 align:start\nYebo").await;
        assert_ne!(other.json()["captions"], path);
        let latin = [b"1\n00:00:01,000 --> 00:00:02,000\nCaf".as_slice(), &[0xe9]].concat();
        assert_eq!(texts(&publish(&mut editor, FILM, latin).await.json()), ["Café"]);
        assert_eq!(std::fs::read_to_string(published.join(&path)).unwrap(), file);

        let shown = call(&mut editor, Method::GET, &format!("captions={path}"), Vec::new()).await;
        assert_eq!(
            (shown.status, &shown.json()["lines"][0]),
            (200, &json!({ "start": 1.5, "end": 2.0, "settings": "", "text": "Sawubona, Mzansi!" }))
        );
        for unknown in ["mcfunny/none.vtt", "../secret.vtt", "%2e%2e/secret.vtt", "/etc/hosts", ""] {
            let reply = call(&mut editor, Method::GET, &format!("captions={unknown}"), Vec::new()).await;
            assert_eq!(reply.status, 404, "{unknown}");
        }
        assert_eq!(call(&mut editor, Method::GET, "captions=mcfunny/film.mp4", Vec::new()).await.status, 422);

        // What cannot be read, is too large, or is of no film.
        for (query, body, field) in [
            (FILM, "", "file"),
            (FILM, "no times", "file"),
            (FILM, "WEBVTT\n\n00:02.000 --> 00:01.000\nbackwards", "file"),
            ("service=mcfunny&slug=..%2Fx&language=zu", subrip, "slug"),
            ("service=mcfunny&slug=&language=zu", subrip, "slug"),
            ("service=mcfunny&slug=a&language=..%2Fzu", subrip, "language"),
            ("service=memeworld&slug=a&language=zu", subrip, "service"),
            ("service=nowhere&slug=a&language=zu", subrip, "service"),
        ] {
            let reply = publish(&mut editor, query, body).await;
            assert_eq!((reply.status, reply.json()["errors"][field].is_string()), (422, true), "{query} {body}: {}", reply.json());
        }
        assert_eq!(publish(&mut editor, FILM, vec![b'a'; 1024 * 1024 + 1]).await.status, 413);

        // Support and visitors neither see nor publish any.
        let (mut support, _) = app.member(&mut admin, "sipho@spaza.example", &["support"]).await;
        let mut visitor = Browser::new(app.addr);
        for (browser, status) in [(&mut support, 403), (&mut visitor, 401)] {
            assert_eq!(publish(browser, FILM, subrip).await.status, status);
            assert_eq!(call(browser, Method::GET, &format!("captions={path}"), Vec::new()).await.status, status);
        }
        let log = admin.get_ok("/api/audit").await;
        let made = log["entries"].as_array().unwrap().iter().filter(|entry| entry["action"] == "captions.published");
        assert_eq!(made.count(), 6);
    }
}
