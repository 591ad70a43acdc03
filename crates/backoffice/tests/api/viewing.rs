//! Pictures and films of records, as staff see them before visitors do.

use backoffice::UploadsConfig;
use reqwest::{Method, header::HeaderMap};
use testkit::on_each_engine;

use crate::{Browser, spawn_app_with};

/// A reply whose body is no text.
struct File {
    status: u16,
    headers: HeaderMap,
    bytes: Vec<u8>,
}

impl File {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
    }
}

async fn get(browser: &Browser, path: &str, range: Option<&str>) -> File {
    let mut request = browser.request(Method::GET, path).header("sec-fetch-site", "same-origin");
    if let Some(range) = range {
        request = request.header("range", range);
    }
    let reply = request.send().await.unwrap();
    let (status, headers) = (reply.status().as_u16(), reply.headers().clone());
    File { status, headers, bytes: reply.bytes().await.unwrap().to_vec() }
}

on_each_engine! {
    async fn staff_of_content_play_films_and_see_small_pictures(engine) {
        let folder = tempfile::tempdir().unwrap();
        let film: Vec<u8> = (0..600_000_u32).map(|at| at.to_le_bytes()[1]).collect();
        let stream = folder.path().join("published/mcfunny/a film");
        std::fs::create_dir_all(&stream).unwrap();
        std::fs::create_dir_all(folder.path().join("media")).unwrap();
        std::fs::write(stream.join("fallback.mp4"), &film).unwrap();
        std::fs::write(stream.join("captions.vtt"), "WEBVTT\n").unwrap();
        std::fs::write(folder.path().join("secret.mp4"), b"secret").unwrap();
        let picture = "../../deploy/demo/images/demo/mcfunny/artists/kobus-kettle.webp";
        std::fs::create_dir_all(folder.path().join("images")).unwrap();
        std::fs::copy(picture, folder.path().join("images/kobus.webp")).unwrap();
        let uploads = UploadsConfig {
            media_dir: folder.path().join("media").display().to_string(),
            media_target: Some(format!("file://{}", folder.path().join("published").display())),
            image_origins: format!("https://images.spaza.example={}", folder.path().join("images").display()),
            image_target: Some(format!("https://images.spaza.example/u=file://{}", folder.path().display())),
            brands_file: "../../deploy/brands.toml".into(),
            ..UploadsConfig::default()
        };
        let app = spawn_app_with(engine, |config| config.uploads = uploads).await;
        let (mut admin, _) = app.administrator().await;
        let (editor, _) = app.member(&mut admin, "thandi@spaza.example", &["editor"]).await;

        // Of a stream the file that every browser plays, in the parts that a player requests.
        let address = "/api/film?media=mcfunny/a%20film/master.m3u8";
        let whole = get(&editor, address, None).await;
        assert_eq!((whole.status, whole.header("content-type"), whole.header("accept-ranges")), (200, "video/mp4", "bytes"));
        assert!(whole.bytes == film, "{} bytes", whole.bytes.len());
        for (range, bytes, named) in [
            ("bytes=0-1", 0..2, "bytes 0-1/600000"),
            ("bytes=262143-262144", 262_143..262_145, "bytes 262143-262144/600000"),
            ("bytes=599990-", 599_990..600_000, "bytes 599990-599999/600000"),
            ("bytes=-5", 599_995..600_000, "bytes 599995-599999/600000"),
            ("bytes=0-9999999", 0..600_000, "bytes 0-599999/600000"),
        ] {
            let part = get(&editor, address, Some(range)).await;
            assert_eq!((part.status, part.header("content-range")), (206, named), "{range}");
            assert!(part.bytes == film[bytes], "{range}");
        }
        for unusable in ["bytes=600000-", "bytes=5-1", "films=0-1", "bytes=x"] {
            assert_eq!(get(&editor, address, Some(unusable)).await.status, 200, "{unusable}");
        }
        let captions = get(&editor, "/api/film?media=mcfunny/a%20film/captions.vtt", None).await;
        assert_eq!((captions.status, captions.header("content-type")), (200, "text/vtt"));
        for media in ["", "mcfunny/none.mp4", "mcfunny", "../secret.mp4", "%2e%2e/secret.mp4", "mcfunny/%252e%252e/secret.mp4", "/etc/hosts"] {
            assert_eq!(get(&editor, &format!("/api/film?media={media}"), None).await.status, 404, "{media}");
        }

        let small = get(&editor, "/api/thumbnail?address=https://images.spaza.example/kobus.webp", None).await;
        assert_eq!((small.status, small.header("content-type")), (200, "image/webp"));
        let (width, before) = (width_of(&small.bytes), width_of(&std::fs::read(picture).unwrap()));
        assert!(width <= 320 && width < before, "{before} pixels became {width}");
        for address in ["", "https://images.spaza.example/none.webp", "https://images.spaza.example/../secret.mp4", "https://elsewhere.example/kobus.webp"] {
            assert_eq!(get(&editor, &format!("/api/thumbnail?address={address}"), None).await.status, 404, "{address}");
        }

        // Support and visitors see neither.
        let (support, _) = app.member(&mut admin, "sipho@spaza.example", &["support"]).await;
        let visitor = Browser::new(app.addr);
        for path in [address, "/api/thumbnail?address=https://images.spaza.example/kobus.webp"] {
            assert_eq!(get(&support, path, None).await.status, 403, "{path}");
            assert_eq!(get(&visitor, path, None).await.status, 401, "{path}");
        }
    }
}

/// Pixels of a WebP that is lossy.
fn width_of(bytes: &[u8]) -> u16 {
    let at = bytes.windows(3).position(|part| part == [0x9d, 0x01, 0x2a]).unwrap();
    u16::from_le_bytes([bytes[at + 3], bytes[at + 4]]) & 0x3fff
}
