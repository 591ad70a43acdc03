//! Media at an origin: a real S3 server, and misbehaving servers.

use std::{
    convert::Infallible,
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, http::StatusCode, web::to};
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use gateway::{Config, MediaOrigin};
use reqwest::Method;
use testkit::{BUCKET_KEY, Client, Reply, session_cookie};
use url::Url;

use crate::helpers::{Gateway, WORDS, boot_policy, film};

const HOST: &str = "mcfunny.localhost:8080";
const CLIP: &str = "/media/mcfunny/clip%20one.mp4";

/// A private bucket `films` on an S3 server, with the files of the folder `vod`.
async fn bucket(root: &Path) -> Url {
    let put = |name: &str, bytes: &[u8]| {
        let path = root.join("films/vod/mcfunny").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    put("clip one.mp4", &film());
    put("hls/list.m3u8", b"#EXTM3U");
    put("clip.en.vtt", WORDS);
    put("CLIP.VTT", WORDS);
    put("empty.mp4", b"");
    let bucket = testkit::bucket(root, "films").await;
    Url::parse(&format!("{bucket}/vod")).unwrap()
}

fn of(url: Url) -> MediaOrigin {
    MediaOrigin {
        media_origin: Some(url),
        media_key_id: Some(BUCKET_KEY.0.to_owned()),
        media_secret_key: Some(BUCKET_KEY.1.to_owned()),
        ..MediaOrigin::default()
    }
}

async fn get(browser: &Client, path: &str, headers: &[(&str, &str)]) -> Reply {
    let cookie = session_cookie("mcfunny", 148, "27812345678");
    let request = browser.request(Method::GET, path).header("cookie", cookie);
    browser.send(headers.iter().fold(request, |request, (name, value)| request.header(*name, *value))).await
}

#[actix_web::test]
async fn media_of_a_private_bucket_are_served_like_a_folders() {
    let folder = tempfile::tempdir().unwrap();
    let url = bucket(folder.path()).await;
    let gateway = Gateway::start_with(|config| config.media_origin = of(url)).await;
    let browser = gateway.on(HOST);
    let whole = get(&browser, CLIP, &[]).await;
    assert_eq!((whole.status, whole.header("content-type")), (200, "video/mp4"));
    assert!(whole.bytes == film());
    assert_eq!((whole.header("accept-ranges"), whole.header("content-length")), ("bytes", "100000"));
    assert_eq!(whole.header("cache-control"), "private, max-age=60");
    assert_eq!(whole.header("x-content-type-options"), "nosniff");
    for name in whole.headers.keys() {
        assert!(!name.as_str().starts_with("x-amz"), "{name} of the origin is not passed on");
    }
    for (range, from, to) in [
        ("bytes=0-99", 0, 100),
        ("bytes=5000-5999", 5000, 6000),
        ("bytes=-10", 99_990, 100_000),
        ("bytes=99990-", 99_990, 100_000),
        ("bytes=99990-200000", 99_990, 100_000),
    ] {
        let part = get(&browser, CLIP, &[("range", range)]).await;
        assert_eq!(part.status, 206, "{range}");
        assert_eq!(part.header("content-range"), format!("bytes {from}-{}/100000", to - 1));
        assert!(part.bytes == film()[from..to], "{range}");
    }
    assert_eq!(get(&browser, CLIP, &[("range", "bytes=200000-")]).await.status, 416);
    // Several ranges: the whole file.
    assert_eq!(get(&browser, CLIP, &[("range", "bytes=0-1,5-6")]).await.bytes.len(), 100_000);
    let cookie = session_cookie("mcfunny", 148, "27812345678");
    let head = browser.send(browser.request(Method::HEAD, CLIP).header("cookie", cookie)).await;
    assert_eq!((head.status, head.bytes.len(), head.header("content-length")), (200, 0, "100000"));
    let list = get(&browser, "/media/mcfunny/hls/list.m3u8", &[]).await;
    assert_eq!((list.status, list.header("content-type")), (200, "application/vnd.apple.mpegurl"));
    assert_eq!(get(&browser, "/media/mcfunny/empty.mp4", &[]).await.bytes.len(), 0);
    for path in ["/media/mcfunny/lost.mp4", "/media/mcfunny", "/media/mcfunny/.secret.mp4", "/media/nobody/clip.mp4"] {
        let lost = get(&browser, path, &[]).await;
        assert_eq!((lost.status, lost.header("content-type")), (404, "application/problem+json"), "{path}");
    }
    assert_eq!(browser.get(CLIP).await.status, 401, "no session, no media");
    gateway.upstream.set_me(200, "suspended");
    let other = session_cookie("mcfunny", 148, "27812345679");
    assert_eq!(browser.send(browser.request(Method::GET, CLIP).header("cookie", other)).await.status, 403);
}

#[actix_web::test]
async fn redirect_has_a_presigned_url_of_the_bucket() {
    let folder = tempfile::tempdir().unwrap();
    let url = bucket(folder.path()).await;
    let origin = url.origin().ascii_serialization();
    let gateway = Gateway::start_with(|config| {
        config.media_origin = MediaOrigin { media_redirect_seconds: 30, ..of(url) };
    })
    .await;
    let browser = gateway.on(HOST);
    let sent = get(&browser, CLIP, &[("range", "bytes=0-9")]).await;
    assert_eq!((sent.status, sent.bytes.len(), sent.header("cache-control")), (302, 0, "no-store"));
    let location = sent.header("location").to_owned();
    assert!(location.starts_with(&format!("{origin}/films/vod/mcfunny/clip%20one.mp4?")), "{location}");
    assert!(location.contains("X-Amz-Expires=30") && !location.contains("secret"), "{location}");
    let film_there = testkit::client().get(&location).header("range", "bytes=7-9").send().await.unwrap();
    assert_eq!(film_there.status(), 206);
    assert!(film_there.bytes().await.unwrap() == film()[7..10]);
    // The signature is valid for this file only, and there is no access without one.
    for other in [location.replace("clip%20one", "empty"), location.split('?').next().unwrap().to_owned()] {
        assert_eq!(testkit::client().get(other).send().await.unwrap().status(), 403);
    }
    let list = get(&browser, "/media/mcfunny/hls/list.m3u8", &[]).await;
    assert_eq!((list.status, list.bytes.as_slice()), (200, b"#EXTM3U".as_slice()), "the entries are relative");
    for name in ["clip.en.vtt", "CLIP.VTT"] {
        let words = get(&browser, &format!("/media/mcfunny/{name}"), &[]).await;
        assert_eq!((words.status, words.bytes.as_slice()), (200, WORDS), "captions from elsewhere would not be shown");
    }
    assert_eq!(browser.get(CLIP).await.status, 401, "no session, no redirect");
    let policy = boot_policy(&gateway, HOST).await;
    assert!(policy.contains(&format!("media-src 'self' blob: {origin};")), "{policy}");
    assert!(policy.contains(&format!("connect-src 'self' {origin};")), "{policy}");
}

/// An origin that records its requests, and responds by the file's name.
async fn odd_origin() -> (Url, Arc<Mutex<Vec<String>>>) {
    let requests = Arc::new(Mutex::new(Vec::new()));
    let seen = requests.clone();
    let answer = move |req: HttpRequest| {
        let headers = req.headers().iter().map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()));
        seen.lock().unwrap().extend(headers);
        let path = req.path().to_owned();
        let fresh = req.headers().get("if-none-match").is_some_and(|tag| tag == "\"v1\"");
        async move {
            let of = |status: u16| {
                let mut reply = HttpResponse::build(StatusCode::from_u16(status).unwrap());
                reply
                    .insert_header(("server", "inner"))
                    .insert_header(("set-cookie", "a=1"))
                    .insert_header(("etag", "\"v1\""));
                reply.insert_header(("x-amz-request-id", "7")).content_type("text/html");
                reply
            };
            let endless = || {
                let chunk =
                    |at: u64| async move { Ok::<_, Infallible>(Bytes::from(vec![(at % 251) as u8; 64 * 1024])) };
                stream::iter(0_u64..).then(chunk)
            };
            match path.rsplit('/').next().unwrap() {
                _ if fresh => of(304).finish(),
                "whole.mp4" => of(200).body("the whole file"),
                "other.mp4" => of(206).insert_header(("content-range", "bytes 5-7/100")).body("abc"),
                "longer.mp4" => of(206).insert_header(("content-range", "bytes 0-1/100")).body("abc"),
                "odd.mp4" => of(206).insert_header(("content-range", "nonsense")).body("abc"),
                "packed.mp4" => of(200).insert_header(("content-encoding", "gzip")).body("abc"),
                "moved.mp4" => of(302).insert_header(("location", "http://inner.example/")).finish(),
                "refused.mp4" => of(403).body("AccessDenied at http://inner.example/"),
                "gone.mp4" => of(410).finish(),
                "broken.mp4" => of(500).body("panic at http://inner.example/"),
                "endless.mp4" => of(200).streaming(endless()),
                "short.mp4" => of(200).no_chunking(1_000_000).streaming(endless().take(2)),
                _ => of(404).body("<html>no such key at http://inner.example/"),
            }
        }
    };
    let server = HttpServer::new(move || App::new().default_service(to(answer.clone()))).workers(1).disable_signals();
    let server = server.bind(("127.0.0.1", 0)).unwrap();
    let url = Url::parse(&format!("http://{}/", server.addrs()[0])).unwrap();
    actix_web::rt::spawn(server.run());
    (url, requests)
}

fn plain(url: Url) -> impl FnOnce(&mut Config) {
    move |config| config.media_origin.media_origin = Some(url)
}

#[actix_web::test]
async fn origin_headers_and_errors_are_not_passed_on() {
    let (url, requests) = odd_origin().await;
    let gateway = Gateway::start_with(plain(url)).await;
    let browser = gateway.on(HOST);
    for (file, range, expected) in [
        ("whole.mp4", "", 200),
        // An origin without range support is allowed.
        ("whole.mp4", "bytes=0-3", 200),
        ("other.mp4", "bytes=0-2", 503),
        ("other.mp4", "", 503),
        ("longer.mp4", "bytes=0-2", 503),
        ("odd.mp4", "bytes=0-2", 503),
        ("packed.mp4", "", 503),
        ("moved.mp4", "", 503),
        ("refused.mp4", "", 404),
        ("gone.mp4", "", 404),
        ("broken.mp4", "", 503),
        ("lost.mp4", "bytes=0-2", 404),
    ] {
        let headers =
            [("range", range), ("x-evil", "1"), ("accept-encoding", "gzip"), ("referer", "http://a/?msisdn=1")];
        let headers = if range.is_empty() { &headers[1..] } else { &headers[..] };
        let reply = get(&browser, &format!("/media/mcfunny/{file}"), headers).await;
        assert_eq!(reply.status, expected, "{file} {range}");
        for name in ["server", "set-cookie", "x-amz-request-id", "content-encoding", "location"] {
            assert_eq!(reply.header(name), "", "{file}: {name}");
        }
        assert!(!String::from_utf8_lossy(&reply.bytes).contains("inner"), "{file}");
        if expected == 200 {
            assert_eq!((reply.bytes.as_slice(), reply.header("etag")), (b"the whole file".as_slice(), "\"v1\""));
            assert_eq!(reply.header("content-type"), "video/mp4");
        } else {
            assert_eq!(reply.header("content-type"), "application/problem+json", "{file}");
            assert_eq!(reply.header("retry-after").is_empty(), expected == 404, "{file}");
        }
    }
    let fresh = get(&browser, "/media/mcfunny/whole.mp4", &[("if-none-match", "\"v1\"")]).await;
    assert_eq!((fresh.status, fresh.bytes.len(), fresh.header("etag")), (304, 0, "\"v1\""));
    let requests = requests.lock().unwrap().join("\n");
    assert!(requests.contains("range: bytes=0-3") && requests.contains("if-none-match: \"v1\""), "{requests}");
    for secret in ["cookie", "x-evil", "referer", "gzip", "mcfunny.localhost"] {
        assert!(!requests.contains(secret), "the origin gets {secret}: {requests}");
    }
}

#[actix_web::test]
async fn unavailable_origin_is_503_with_retry_after() {
    let gateway = Gateway::start_with(plain(Url::parse("http://127.0.0.1:1/").unwrap())).await;
    let away = get(&gateway.on(HOST), CLIP, &[]).await;
    assert_eq!((away.status, away.header("content-type")), (503, "application/problem+json"));
    assert!(!away.header("retry-after").is_empty());
    assert!(!String::from_utf8_lossy(&away.bytes).contains("127.0.0.1"), "the origin's address is not disclosed");
}

#[actix_web::test]
async fn film_is_streamed_and_breaks_off_with_its_origin() {
    let (url, _) = odd_origin().await;
    let gateway = Gateway::start_with(plain(url)).await;
    let cookie = session_cookie("mcfunny", 148, "27812345678");
    let address = |file: &str| format!("http://{}/media/mcfunny/{file}", gateway.addr);
    let open = async |file: &str| {
        let request = testkit::client().get(address(file)).header("host", HOST).header("cookie", &cookie);
        request.send().await.unwrap()
    };
    // The body never ends, so buffering it whole would never respond.
    let mut endless = open("endless.mp4").await;
    let mut received = 0;
    while received < 3_000_000 {
        received += endless.chunk().await.unwrap().expect("more of it").len();
    }
    drop(endless);
    let short = open("short.mp4").await;
    assert_eq!(short.headers()["content-length"], "1000000");
    assert!(short.bytes().await.is_err(), "half a film is not sold as a whole one");
    // The next request works.
    let visitor = gateway.on(HOST);
    let next = tokio::time::timeout(Duration::from_secs(60), get(&visitor, "/media/mcfunny/whole.mp4", &[]));
    assert_eq!(next.await.unwrap().status, 200);
}
