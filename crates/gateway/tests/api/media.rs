//! Access to media, and how they are sent.

use std::time::{Duration, Instant};

use identity::{Session, SubscriberId, cookie_name};
use reqwest::Method;
use testkit::{Client, Reply, session_cookie};

use crate::helpers::{Gateway, WORDS, film};

const HOST: &str = "mcfunny.localhost:8080";
const CLIP: &str = "/media/mcfunny/clip.mp4";
const NUMBER: &str = "27812345678";

async fn get(browser: &Client, path: &str, headers: &[(&str, &str)]) -> Reply {
    let request =
        headers.iter().fold(browser.request(Method::GET, path), |request, (name, value)| request.header(*name, *value));
    browser.send(request).await
}

fn cookie() -> String {
    session_cookie("mcfunny", 148, NUMBER)
}

/// A reply's status and type.
fn refused(reply: &Reply) -> (u16, String) {
    (reply.status, reply.header("content-type").to_owned())
}

#[actix_web::test]
async fn active_session_gets_media() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    let whole = get(&browser, CLIP, &[("cookie", &cookie())]).await;
    assert_eq!((whole.status, whole.header("content-type")), (200, "video/mp4"));
    assert_eq!(whole.bytes, film());
    assert_eq!(whole.header("accept-ranges"), "bytes");
    assert_eq!(whole.header("cache-control"), "private, max-age=60");
    assert_eq!(whole.header("x-content-type-options"), "nosniff");
    assert_eq!(whole.header("content-disposition"), "");

    for (range, from, to) in [
        ("bytes=0-99", 0, 100),
        ("bytes=5000-5999", 5000, 6000),
        ("bytes=-10", 99_990, 100_000),
        ("bytes=99990-", 99_990, 100_000),
    ] {
        let part = get(&browser, CLIP, &[("cookie", &cookie()), ("range", range)]).await;
        assert_eq!(part.status, 206, "{range}");
        assert_eq!(part.header("content-range"), format!("bytes {from}-{}/100000", to - 1));
        assert_eq!(part.bytes, film()[from..to], "{range}");
    }
    let beyond = get(&browser, CLIP, &[("cookie", &cookie()), ("range", "bytes=200000-")]).await;
    assert_eq!((beyond.status, beyond.header("content-range")), (416, "bytes */100000"));

    let head = browser.send(browser.request(Method::HEAD, CLIP).header("cookie", cookie())).await;
    assert_eq!((head.status, head.bytes.len(), head.header("content-length")), (200, 0, "100000"));
    let fresh = get(&browser, CLIP, &[("cookie", &cookie()), ("if-none-match", whole.header("etag"))]).await;
    assert_eq!((fresh.status, fresh.bytes.len()), (304, 0));

    let list = get(&browser, "/media/mcfunny/hls/list.m3u8", &[("cookie", &cookie())]).await;
    assert_eq!((list.status, list.header("content-type")), (200, "application/vnd.apple.mpegurl"));
    assert_eq!(list.header("content-encoding"), "");
}

#[actix_web::test]
async fn captions_need_the_same_access_as_the_film() {
    const CAPTIONS: &str = "/media/mcfunny/clip.en.vtt";
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    let words = get(&browser, CAPTIONS, &[("cookie", &cookie())]).await;
    assert_eq!((words.status, words.header("content-type"), words.bytes.as_slice()), (200, "text/vtt", WORDS));
    assert_eq!(words.header("cache-control"), "private, max-age=60");
    let stranger = get(&browser, CAPTIONS, &[]).await;
    assert_eq!(refused(&stranger), (401, "application/problem+json".to_owned()));
    let elsewhere = get(&browser, CAPTIONS, &[("cookie", &session_cookie("memeworld", 150, NUMBER))]).await;
    assert_eq!(refused(&elsewhere), (401, "application/problem+json".to_owned()));
    gateway.upstream.set_me(200, "cancelled");
    let lapsed = get(&browser, CAPTIONS, &[("cookie", &session_cookie("mcfunny", 148, "27812345671"))]).await;
    assert_eq!(refused(&lapsed), (403, "application/problem+json".to_owned()));
}

#[actix_web::test]
async fn subscription_service_learns_only_that_a_film_is_sent() {
    let gateway = Gateway::start().await;
    let (browser, cookie) = (gateway.on(HOST), cookie());
    let queries = || -> Vec<String> {
        let seen = gateway.upstream.seen().into_iter().map(|seen| seen.address);
        seen.filter(|address| address.starts_with("/api/subscribe/me")).collect()
    };
    for path in ["/media/mcfunny/clip.en.vtt", "/media/mcfunny/hls/list.m3u8"] {
        assert_eq!(get(&browser, path, &[("cookie", &cookie)]).await.status, 200);
    }
    let head = browser.send(browser.request(Method::HEAD, CLIP).header("cookie", &cookie)).await;
    assert_eq!((head.status, queries().iter().any(|address| address.contains('?'))), (200, false), "{:?}", queries());
    assert_eq!(get(&browser, CLIP, &[("cookie", &cookie), ("range", "bytes=0-9")]).await.status, 206);
    assert_eq!(queries().last().unwrap(), "/api/subscribe/me?watching=true");
}

#[actix_web::test]
async fn media_without_an_active_session_are_401() {
    let gateway = Gateway::start().await;
    let forged = format!("{}x", cookie());
    let stranger = {
        let secret = identity::SessionMinter::generate().unwrap();
        let minter = identity::SessionMinter::parse(&secret).unwrap();
        format!("{}={}", cookie_name("mcfunny"), minter.mint(&session("mcfunny", 148, false)).unwrap())
    };
    let moved = cookie().replacen("session-mcfunny", "session-madfunny", 1);
    for (host, token) in [
        (HOST, String::new()),
        (HOST, "session-mcfunny=".to_owned()),
        (HOST, forged),
        (HOST, stranger),
        // Another brand's session, under its own cookie name and under this brand's.
        (HOST, session_cookie("memeworld", 150, NUMBER)),
        (HOST, session_cookie("memeworld", 150, NUMBER).replacen("memeworld", "mcfunny", 1)),
        (HOST, session_cookie("mcfunny", 150, NUMBER)),
        // The session of the brand's other label.
        (HOST, session_cookie("madfunny", 148, NUMBER)),
        ("madfunny.localhost", moved),
        // A valid session on the host of another brand, or of none.
        ("memeworld.localhost", cookie()),
        ("127.0.0.1:8080", cookie()),
        // The test number's session while the test number is off.
        (HOST, format!("session-mcfunny={}", testkit::minter().mint(&session("mcfunny", 148, true)).unwrap())),
    ] {
        for range in ["", "bytes=0-0"] {
            let reply = get(&gateway.on(host), CLIP, &[("cookie", &token), ("range", range)]).await;
            assert_eq!(
                (reply.status, reply.header("content-type")),
                (401, "application/problem+json"),
                "{host} {token}"
            );
        }
    }
    assert_eq!(gateway.upstream.me_calls(), 0);
}

fn session(label: &str, svc_id: i32, test: bool) -> Session {
    Session {
        msisdn: SubscriberId::parse(NUMBER).unwrap(),
        svc_id,
        label: label.to_owned(),
        issued_at: 1_760_000_000,
        generation: 0,
        person: 0,
        test,
    }
}

#[actix_web::test]
async fn test_session_gets_media_if_the_test_number_is_on() {
    let gateway = Gateway::start_with(|config| config.test_msisdn = Some("27600000000".to_owned())).await;
    let cookie = format!("session-mcfunny={}", testkit::minter().mint(&session("mcfunny", 148, true)).unwrap());
    assert_eq!(get(&gateway.on(HOST), CLIP, &[("cookie", &cookie)]).await.status, 200);
}

#[actix_web::test]
async fn demo_host_accepts_sessions_of_every_brand() {
    let gateway = Gateway::start().await;
    let browser = gateway.on("88.localhost:8080");
    for (cookie, path, expected) in [
        (cookie(), "/media/mcfunny/clip.mp4", 200),
        (session_cookie("madfunny", 148, NUMBER), "/media/mcfunny/clip.mp4?domain=madfunny", 200),
        (session_cookie("ttmbhatv", 152, NUMBER), "/media/ttmbhatv/clip.mp4", 200),
        (session_cookie("ttmbhatv", 152, NUMBER), "/media/mcfunny/clip.mp4", 401),
        (String::new(), "/media/mcfunny/clip.mp4", 401),
    ] {
        assert_eq!(get(&browser, path, &[("cookie", &cookie)]).await.status, expected, "{path}");
    }
    let demo = gateway.on("demo.mcfunny.localhost");
    assert_eq!(get(&demo, CLIP, &[("cookie", &cookie())]).await.status, 200);
}

#[actix_web::test]
async fn media_need_an_active_subscription() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    for (state, index) in [("cancelled", 1), ("suspended", 2), ("pending", 3)] {
        gateway.upstream.set_me(200, state);
        let cookie = session_cookie("mcfunny", 148, &format!("2781234567{index}"));
        let reply = get(&browser, CLIP, &[("cookie", &cookie)]).await;
        assert_eq!((reply.status, reply.header("content-type")), (403, "application/problem+json"), "{state}");
    }
    gateway.upstream.set_me(401, "");
    assert_eq!(get(&browser, CLIP, &[("cookie", &cookie())]).await.status, 401);
    let call = gateway.last_seen();
    assert_eq!((call.header("host"), call.header("cookie")), ("mcfunny", cookie().as_str()));
}

#[actix_web::test]
async fn active_subscription_is_cached_and_survives_a_short_outage() {
    let gateway = Gateway::start().await;
    // A cookie tells its second.
    let (browser, cookie) = (gateway.on(HOST), cookie());
    let began = Instant::now();
    for _ in 0..5 {
        assert_eq!(get(&browser, CLIP, &[("cookie", &cookie), ("range", "bytes=0-9")]).await.status, 206);
    }
    // A positive reply is cached for 15 seconds; on a slow machine five requests may take longer.
    let spans = usize::try_from(began.elapsed().as_secs() / 15).unwrap();
    assert!((1..=1 + spans).contains(&gateway.upstream.me_calls()), "{}", gateway.upstream.me_calls());

    // During an outage, unknown sessions get 503, and recently active ones continue.
    gateway.upstream.set_me(500, "");
    let other = session_cookie("mcfunny", 148, "27812345679");
    let reply = get(&browser, CLIP, &[("cookie", &other)]).await;
    assert_eq!((reply.status, reply.header("content-type")), (503, "application/problem+json"));
    assert_eq!(get(&browser, CLIP, &[("cookie", &cookie), ("range", "bytes=0-9")]).await.status, 206);
}

#[actix_web::test]
async fn inactive_subscription_is_checked_again_soon() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    gateway.upstream.set_me(200, "pending");
    assert_eq!(get(&browser, CLIP, &[("cookie", &cookie())]).await.status, 403);
    gateway.upstream.set_me(200, "active");
    // Longer than a negative reply is cached.
    tokio::time::sleep(Duration::from_millis(2300)).await;
    assert_eq!(get(&browser, CLIP, &[("cookie", &cookie())]).await.status, 200);
}

#[actix_web::test]
async fn only_regular_files_below_the_brands_folder_are_served() {
    let gateway = Gateway::start().await;
    let header = format!("Cookie: {}\n", cookie());
    for path in [
        "/media/mcfunny/missing.mp4",
        "/media/mcfunny",
        "/media/mcfunny/",
        "/media/mcfunny/hls",
        "/media/mcfunny/hls/",
        "/media/mcfunny/link.mp4",
        "/media/mcfunny/tt/clip.mp4",
        "/media/mcfunny/.secret.mp4",
        "/media/mcfunny/../ttmbhatv/clip.mp4",
        "/media/mcfunny/%2e%2e/ttmbhatv/clip.mp4",
        "/media/mcfunny/..%2fttmbhatv%2fclip.mp4",
        "/media/mcfunny/%252e%252e/ttmbhatv/clip.mp4",
        "/media/mcfunny//clip.mp4",
        "/media/mcfunny/./clip.mp4",
        "/media/mcfunny/../../outside.mp4",
        "/media/mcfunny/clip.mp4%00",
        "/media/../media/mcfunny/clip.mp4",
        "/media/nobody/clip.mp4",
        "/media/",
        "/media",
    ] {
        let (status, reply) = gateway.raw_get(HOST, path, &header).await;
        assert!(matches!(status, 400 | 404), "{path}: {reply}");
        assert!(!reply.contains("tt film") && !reply.contains("outside") && !reply.contains("secret"), "{path}");
    }
    // Only with access is a missing file distinguishable from others.
    assert_eq!(gateway.on(HOST).get("/media/mcfunny/missing.mp4").await.status, 401);
    assert_eq!(gateway.raw_get(HOST, CLIP, &header).await.0, 200);
}

#[actix_web::test]
async fn conditions_and_ranges_select_the_response() {
    let gateway = Gateway::start().await;
    let browser = gateway.on(HOST);
    std::fs::write(gateway.folder.path().join("media/mcfunny/empty.ts"), "").unwrap();
    let cookie = cookie();
    let etag = get(&browser, CLIP, &[("cookie", &cookie)]).await.header("etag").to_owned();
    let past = "Thu, 01 Jan 1970 00:00:00 GMT";
    for (headers, status, length) in [
        (&[("range", "bytes=0-")][..], 206, 100_000),
        (&[("range", "bytes=99990-200000")], 206, 10),
        (&[("range", "bytes=-0")], 416, 0),
        // Several or invalid ranges: the whole file.
        (&[("range", "bytes=0-1,5-6")], 200, 100_000),
        (&[("range", "bytes=0-,0-,0-,-1")], 200, 100_000),
        (&[("range", "bytes=0-1, 200000-")], 200, 100_000),
        (&[("range", "bytes=5-2")], 200, 100_000),
        (&[("range", "lines=0-1")], 200, 100_000),
        (&[("range", "bytes=0-1"), ("if-range", &etag)], 206, 2),
        (&[("range", "bytes=0-1"), ("if-range", "\"x\"")], 200, 100_000),
        (&[("if-match", &etag)], 200, 100_000),
        (&[("if-match", "\"x\"")], 412, 0),
        (&[("if-unmodified-since", past)], 412, 0),
        (&[("if-none-match", "*")], 304, 0),
        (&[("if-none-match", "\"x\""), ("if-modified-since", "Fri, 01 Jan 2100 00:00:00 GMT")], 200, 100_000),
    ] {
        let request = headers
            .iter()
            .fold(browser.request(Method::GET, CLIP), |request, (name, value)| request.header(*name, *value));
        let reply = browser.send(request.header("cookie", &cookie)).await;
        if status >= 400 {
            assert_eq!(refused(&reply), (status, "application/problem+json".to_owned()), "{headers:?}");
            continue;
        }
        assert_eq!((reply.status, reply.bytes.len()), (status, length), "{headers:?}");
        assert!(!reply.header("content-type").starts_with("multipart/"), "{headers:?}");
    }
    let empty = get(&browser, "/media/mcfunny/empty.ts", &[("cookie", &cookie), ("range", "bytes=0-")]).await;
    assert_eq!(refused(&empty), (416, "application/problem+json".to_owned()));
    assert_eq!(get(&browser, "/media/mcfunny/empty.ts", &[("cookie", &cookie)]).await.status, 200);
}

#[actix_web::test]
async fn accel_redirect_names_the_file_if_access_is_allowed() {
    let gateway = Gateway::start_with(|config| {
        config.media_origin.media_accel_redirect = Some("/protected/".to_owned());
    })
    .await;
    for name in ["clip one.mp4", "UPPER.MP4", "LIST.M3U8", "WORDS.VTT", "FACE.JPG"] {
        std::fs::write(gateway.folder.path().join("media/mcfunny").join(name), film()).unwrap();
    }
    let browser = gateway.on(HOST);
    const ACCEL: &str = "x-accel-redirect";
    for (path, address, kind) in [
        (CLIP, "/protected/mcfunny/clip.mp4", "video/mp4"),
        ("/media/mcfunny/clip%20one.mp4", "/protected/mcfunny/clip%20one.mp4", "video/mp4"),
        ("/media/mcfunny/hls/list.m3u8?x=1", "/protected/mcfunny/hls/list.m3u8", "application/vnd.apple.mpegurl"),
        ("/media/mcfunny/UPPER.MP4", "/protected/mcfunny/UPPER.MP4", "video/mp4"),
        ("/media/mcfunny/LIST.M3U8", "/protected/mcfunny/LIST.M3U8", "application/vnd.apple.mpegurl"),
        ("/media/mcfunny/WORDS.VTT", "/protected/mcfunny/WORDS.VTT", "text/vtt"),
        ("/media/mcfunny/FACE.JPG", "/protected/mcfunny/FACE.JPG", "image/jpeg"),
    ] {
        let reply = get(&browser, path, &[("cookie", &cookie()), ("range", "bytes=0-9")]).await;
        assert_eq!((reply.status, reply.header(ACCEL), reply.bytes.len()), (200, address, 0), "{path}");
        assert_eq!((reply.header("content-type"), reply.header("cache-control")), (kind, "private, max-age=60"));
    }
    let refused = async |path: &str, cookie: &str| {
        let reply = get(&browser, path, &[("cookie", cookie)]).await;
        assert_eq!((reply.header(ACCEL), reply.header("content-type")), ("", "application/problem+json"), "{path}");
        reply.status
    };
    assert_eq!(refused(CLIP, "").await, 401);
    assert_eq!(refused(CLIP, &session_cookie("memeworld", 150, NUMBER)).await, 401);
    for path in ["/media/mcfunny/missing.mp4", "/media/mcfunny/link.mp4", "/media/mcfunny/.secret.mp4"] {
        assert_eq!(refused(path, &cookie()).await, 404, "{path}");
    }
    gateway.upstream.set_me(200, "cancelled");
    assert_eq!(refused(CLIP, &session_cookie("mcfunny", 148, "27812345671")).await, 403);
}
