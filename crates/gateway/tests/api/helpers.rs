//! Starts a gateway for a test, and a test server in place of all services.

use std::{
    collections::BTreeMap,
    io::{BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    path::Path,
    process::Command,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::Duration,
};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    dev::ServerHandle,
    http::{Method, StatusCode},
    web::{Bytes, Data, to},
};
use clap::Parser;
use gateway::{Config, ImageOrigins, Replicas};
use serde_json::{Value, json};
use service::Running;
use testkit::{Client, Process};

/// A call that a service received.
#[derive(Clone, Debug)]
pub struct Seen {
    pub method: String,
    pub address: String,
    pub headers: BTreeMap<String, Vec<String>>,
    pub body: String,
}

impl Seen {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).and_then(|values| values.first()).map_or("", String::as_str)
    }
}

#[derive(Default)]
struct State {
    seen: Mutex<Vec<Seen>>,
    me: Mutex<Option<(u16, String)>>,
    me_calls: AtomicUsize,
    unready: AtomicBool,
    broken: AtomicBool,
    stopped: AtomicBool,
    shown: AtomicUsize,
}

/// The size of the list at `/api/meme/filler`: as much as the gateway reads ahead.
pub const FILLER_BYTES: usize = 64 * 1024;

/// A test server for all services: echoes requests, except at the paths in `answer`. Like a service, it rejects HEAD.
pub struct Upstream {
    pub addr: SocketAddr,
    state: Data<State>,
    server: ServerHandle,
}

impl Upstream {
    pub async fn start() -> Self {
        Self::start_on(TcpListener::bind(("127.0.0.1", 0)).unwrap())
    }

    pub fn start_on(listener: TcpListener) -> Self {
        let addr = listener.local_addr().unwrap();
        let state = Data::new(State::default());
        let data = state.clone();
        let server = HttpServer::new(move || App::new().app_data(data.clone()).default_service(to(answer)))
            .workers(1)
            .disable_signals()
            .listen(listener)
            .unwrap()
            .run();
        let handle = server.handle();
        actix_web::rt::spawn(server);
        Self { addr, state, server: handle }
    }

    pub fn url(&self) -> Replicas {
        format!("http://{}", self.addr).parse().unwrap()
    }

    /// Sets the response of `GET /api/subscribe/me`.
    pub fn set_me(&self, status: u16, state: &str) {
        *self.state.me.lock().unwrap() = Some((status, state.to_owned()));
    }

    pub fn me_calls(&self) -> usize {
        self.state.me_calls.load(Ordering::SeqCst)
    }

    pub fn set_ready(&self, ready: bool) {
        self.state.unready.store(!ready, Ordering::SeqCst);
    }

    /// Makes public replies fail.
    pub fn set_broken(&self, broken: bool) {
        self.state.broken.store(broken, Ordering::SeqCst);
    }

    pub fn seen(&self) -> Vec<Seen> {
        self.state.seen.lock().unwrap().clone()
    }

    pub async fn stop(&self) {
        // The server may read one more request on a kept connection after it has stopped listening.
        self.state.stopped.store(true, Ordering::SeqCst);
        self.server.stop(false).await;
    }
}

async fn answer(req: HttpRequest, body: Bytes, state: Data<State>) -> HttpResponse {
    if state.stopped.load(Ordering::SeqCst) {
        return std::future::pending().await;
    }
    let mut headers: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (name, value) in req.headers() {
        headers
            .entry(name.as_str().to_owned())
            .or_default()
            .push(String::from_utf8_lossy(value.as_bytes()).into_owned());
    }
    let seen = Seen {
        method: req.method().to_string(),
        address: req.uri().to_string(),
        headers,
        body: String::from_utf8_lossy(&body).into_owned(),
    };
    let path = req.uri().path();
    // Probes are sent in the background.
    if path != "/readyz" {
        state.seen.lock().unwrap().push(seen.clone());
    }
    if req.method() == Method::HEAD {
        return HttpResponse::MethodNotAllowed().finish();
    }
    if path == "/api/tt/shown/missing" {
        return HttpResponse::NotFound()
            .content_type("application/problem+json")
            .body(r#"{"title":"Not Found","status":404}"#);
    }
    if let Some(what) = path.strip_prefix("/api/tt/shown/") {
        let label = seen.header("host").to_owned();
        let (packing, times) = (seen.header("accept-encoding"), state.shown.fetch_add(1, Ordering::SeqCst));
        if state.broken.load(Ordering::SeqCst) {
            return HttpResponse::ServiceUnavailable().finish();
        }
        let mut reply = HttpResponse::Ok();
        reply
            .insert_header(("cache-control", "public, max-age=2"))
            .insert_header(("vary", "accept-encoding"))
            .insert_header(("etag", format!("W/\"{what}-{label}\"")))
            .insert_header(("link", "</next>; rel=\"next\""));
        if what == "cookie" {
            reply.insert_header(("set-cookie", "a=1"));
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
        return reply.json(json!({ "what": "<b>", "label": label, "packing": packing, "times": times }));
    }
    match path {
        "/readyz" if state.unready.load(Ordering::SeqCst) => HttpResponse::ServiceUnavailable().finish(),
        "/readyz" => HttpResponse::Ok().finish(),
        "/api/subscribe/me" => {
            state.me_calls.fetch_add(1, Ordering::SeqCst);
            let (status, word) = state.me.lock().unwrap().clone().unwrap_or((200, "active".to_owned()));
            HttpResponse::build(StatusCode::from_u16(status).unwrap()).json(json!({ "state": word }))
        }
        "/api/subscribe" if seen.body.contains("flood") => HttpResponse::Ok().body("x".repeat(100_000)),
        "/api/subscribe" if seen.body.contains("wordless") => HttpResponse::UnprocessableEntity().finish(),
        "/api/subscribe" if seen.body.contains("nonsense") => HttpResponse::UnprocessableEntity()
            .content_type("application/problem+json")
            .body(r#"{"error_message":"That is no number."}"#),
        "/api/subscribe" if seen.body.contains("0824294294") => HttpResponse::TooManyRequests()
            .content_type("application/problem+json")
            .append_header(("retry-after", "77"))
            .body(r#"{"error_message":"That number was tried too often."}"#),
        "/api/subscribe" if seen.body.contains("0829999999") => HttpResponse::Ok().json(json!({ "result": 2 })),
        "/api/subscribe" if seen.body.contains("0827474747") && !seen.body.contains(r#""code":"472""#) => {
            HttpResponse::Ok().append_header(("set-cookie", "browser=1; HttpOnly")).json(
                json!({ "result": 4, "error_message": "Type the code.", "challenge": "code.153.1.a.b", "code": "472" }),
            )
        }
        "/api/subscribe" if seen.body.contains("0823333333") && !seen.body.contains("network") => HttpResponse::Ok()
            .json(json!({ "result": 3, "networks": [{ "network": "second", "name": "Second", "price_cents": 450, "period": "day" }] })),
        "/api/subscribe" if seen.method == "POST" => HttpResponse::Ok()
            .append_header(("set-cookie", "try=1; HttpOnly"))
            .json(json!({ "result": 1, "redirectUrl": "http://network.test/opt-in?id=1", "subscriptionId": "1" })),
        "/api/subscribe/check-sub" if seen.address.ends_with("subscription_id=confirmed") => HttpResponse::Ok()
            .insert_header(("set-cookie", "session-racedaytv=opened; HttpOnly"))
            .json(json!({
                "result": 1, "state": "active", "session": true, "message": "You have joined: R3 is charged today.",
                "page": "/list/7",
            })),
        "/api/subscribe/check-sub" if seen.address.ends_with("subscription_id=open") => HttpResponse::Ok()
            .json(json!({ "result": 0, "state": "waiting", "session": false, "message": "We are waiting." })),
        "/api/subscribe/check-sub" if seen.address.ends_with("subscription_id=declined") => {
            let session = seen.header("cookie").contains("session-");
            let message = (!session).then_some("Nothing is charged.");
            HttpResponse::Ok().json(json!({ "result": 0, "state": "declined", "session": session, "message": message }))
        }
        "/api/subscribe/opt-in" if seen.address.contains("svc_id=153") => HttpResponse::SeeOther()
            .insert_header(("location", "http://network.test/opt-in/1"))
            .insert_header(("set-cookie", "browser=1; HttpOnly"))
            .finish(),
        "/api/subscribe/opt-in" => HttpResponse::ServiceUnavailable()
            .insert_header(("content-type", "application/problem+json"))
            .insert_header(("retry-after", "5"))
            .body(json!({ "status": 503, "error_message": "Your network is not answering." }).to_string()),
        "/api/subscribe/verify" if seen.body.contains("0824094094") => HttpResponse::Conflict()
            .content_type("application/problem+json")
            .body(r#"{"error_message":"That number is not active."}"#),
        "/api/subscribe/unsubscribe" if seen.body.contains("\"msisdn\":\"\"") => HttpResponse::UnprocessableEntity()
            .content_type("application/problem+json")
            .body(r#"{"error_message":"That is not a number."}"#),
        "/api/subscribe/unsubscribe" if seen.body.contains("0812000503") => HttpResponse::ServiceUnavailable()
            .content_type("application/problem+json")
            .body(r#"{"error_message":"We are busy right now."}"#),
        "/api/subscribe/verify" | "/api/subscribe/unsubscribe" if seen.body.contains("msisdn") => HttpResponse::Ok()
            .append_header(("set-cookie", "try=1; HttpOnly"))
            .json(json!({ "redirectUrl": "http://network.test/confirm?id=1" })),
        "/api/subscribe/unsubscribe" if seen.body.contains("svc_id") && !seen.header("cookie").contains("session-") => {
            HttpResponse::Unauthorized()
                .content_type("application/problem+json")
                .body(r#"{"error_message":"Please name your number."}"#)
        }
        "/api/subscribe/unsubscribe" if seen.body.contains("svc_id") => {
            HttpResponse::Ok().json(json!({ "state": "cancelled" }))
        }
        "/api/tt/unlikevideo" if seen.body.contains("500500") => HttpResponse::InternalServerError().finish(),
        "/api/meme/problem" => HttpResponse::NotFound()
            .content_type("application/problem+json")
            .body(r#"{"title":"Not Found","status":404,"detail":"No such meme."}"#),
        "/api/meme/bare" => HttpResponse::InternalServerError().body("thread 'main' panicked at SELECT"),
        "/api/meme/fresh" => HttpResponse::NotModified().insert_header(("etag", "W/\"x\"")).finish(),
        "/api/subscribe/proof" => {
            HttpResponse::Ok().append_header(("set-cookie", "browser=3; HttpOnly; Secure; Path=/")).finish()
        }
        "/api/meme/headers" => HttpResponse::Ok()
            .append_header(("set-cookie", "a=1; HttpOnly"))
            .append_header(("set-cookie", "b=2; HttpOnly"))
            .insert_header(("keep-alive", "timeout=5"))
            .insert_header(("link", "</next>; rel=\"next\""))
            .insert_header(("server", "inner"))
            .body("{}"),
        "/api/meme/filler" => HttpResponse::Ok().body("x".repeat(FILLER_BYTES)),
        "/api/meme/large" => HttpResponse::Ok().streaming(futures_util::stream::iter(
            (0..64).map(|n: u8| Ok::<_, std::io::Error>(Bytes::from(vec![n; 64 * 1024]))),
        )),
        _ => HttpResponse::Ok().json(json!({
            "method": seen.method, "address": seen.address, "headers": seen.headers, "body": seen.body,
        })),
    }
}

/// A running gateway, its folders, and the test server behind it.
pub struct Gateway {
    pub addr: SocketAddr,
    pub ops: SocketAddr,
    pub upstream: Upstream,
    pub folder: tempfile::TempDir,
    _running: Running,
}

/// The settings of a gateway in front of `upstream`, on free ports, with the folders below `folder`.
pub fn config(folder: &Path, upstream: &Upstream) -> Config {
    let below = |name: &str| folder.join(name);
    let mut config = Config::parse_from(["gateway", "--session-public-keys", &testkit::minter().public_key()]);
    let any = "127.0.0.1:0".parse().unwrap();
    (config.bind, config.ops_bind) = (any, any);
    for url in [
        &mut config.comedy_url,
        &mut config.diski_url,
        &mut config.meme_url,
        &mut config.tt_url,
        &mut config.subscription_url,
    ] {
        *url = upstream.url();
    }
    config.frontend_dir = below("dist");
    config.media_dir = below("media");
    config.image_origins = ImageOrigins(vec![("https://images.spaza.example".to_owned(), below("images"))]);
    config.brands_file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/brands.toml");
    config.serve.workers = 1;
    config
}

/// The page's template, as the front end builds it.
pub const TEMPLATE: &str = "<!doctype html><title>%BRAND_NAME%</title><meta name=\"theme-color\" content=\"%THEME_COLOR%\">\
    <script defer src=\"/assets/app.0123456789.js\"></script><!--styles--><!--boot--><body bgcolor=\"%THEME_COLOR%\">";

/// The film's captions.
pub const WORDS: &[u8] = b"WEBVTT\n\n00:00.000 --> 00:02.000\nHayibo.\n";

/// The film's bytes, different everywhere.
pub fn film() -> Vec<u8> {
    (0..100_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect()
}

/// A folder with a front end, media and images.
pub fn folders() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    let script = b"console.log('app')".repeat(100);
    write("dist/index.html", TEMPLATE.as_bytes());
    write("dist/assets/app.0123456789.js", &script);
    write("dist/assets/app.0123456789.js.br", b"brotli bytes");
    write("dist/assets/app.0123456789.js.gz", b"gzip bytes");
    write("dist/assets/small.css", b"body{}");
    write("dist/favicon.svg", b"<svg/>");
    let views = json!([
        { "kind": "tt", "path": "{home}", "page": "tt-home", "files": ["/assets/app.0123456789.js", "/assets/small.css"],
          "replies": ["/api/tt/shown/{service}?first", "/api/tt/own"] },
        { "kind": null, "path": "/", "page": "home" },
        { "kind": "meme", "path": "{home}", "page": "meme-home" },
        { "kind": null, "path": "/memelogin", "page": "join" },
        { "kind": null, "path": "/ttlogin", "page": "join" },
        { "kind": null, "path": "/memeCategory/*/*/*", "page": "meme-category" },
        { "kind": null, "path": "/ttsingle/*", "page": "tt-video", "replies": ["/api/tt/shown/{1}"] },
        { "kind": null, "path": "/terms", "page": "terms" },
        { "kind": null, "path": "*", "page": "not-found" },
    ]);
    let texts = |of: &str| {
        let ids = [
            "description",
            "undrawn",
            "directory-heading",
            "join-failed",
            "not-joined",
            "leave-unknown",
            "leave-failed",
        ];
        ids.map(|id| (id.to_owned(), json!(format!("{of} {id} {{name}}"))))
            .into_iter()
            .collect::<serde_json::Map<_, _>>()
    };
    let languages = json!([
        { "code": "en", "listed": true, "file": "/assets/messages-en.js", "texts": texts("English") },
        { "code": "zu", "listed": true, "file": "/assets/messages-zu.js", "texts": texts("isiZulu") },
        { "code": "en-XA", "listed": false, "file": "/assets/messages-xa.js", "texts": texts("Test") },
    ]);
    write("dist/languages.json", languages.to_string().as_bytes());
    write("dist/first-views.json", views.to_string().as_bytes());
    write("dist/.hidden", b"secret");
    write("dist/index.html.br", b"secret");
    write("dist/api/openapi.json", include_bytes!("../../../../frontend/openapi.json"));
    write("dist/api/docs.html", b"<!doctype html><title>Spaza API</title>");
    write("media/mcfunny/clip.mp4", &film());
    write("media/mcfunny/hls/list.m3u8", b"#EXTM3U");
    write("media/mcfunny/clip.en.vtt", WORDS);
    write("media/mcfunny/.secret.mp4", b"secret");
    write("media/ttmbhatv/clip.mp4", b"tt film");
    write("outside.mp4", b"outside");
    std::os::unix::fs::symlink(folder.path().join("outside.mp4"), folder.path().join("media/mcfunny/link.mp4"))
        .unwrap();
    std::os::unix::fs::symlink(folder.path().join("media/ttmbhatv"), folder.path().join("media/mcfunny/tt")).unwrap();
    write("images/demo/broken.webp", b"this is no image");
    write("images/demo/.hidden.webp", b"x");
    let picture = |w, h| image::RgbImage::from_fn(w, h, |x, y| image::Rgb([(x % 256) as u8, (y % 256) as u8, 90]));
    picture(1000, 500).save(folder.path().join("images/demo/wide.png")).unwrap();
    picture(200, 400).save(folder.path().join("images/demo/small.jpg")).unwrap();
    image::RgbaImage::from_pixel(700, 700, image::Rgba([10, 200, 30, 128]))
        .save(folder.path().join("images/demo/glass.png"))
        .unwrap();
    folder
}

impl Gateway {
    pub async fn start() -> Self {
        Self::start_with(|_| ()).await
    }

    /// Starts with changed settings.
    pub async fn start_with(change: impl FnOnce(&mut Config)) -> Self {
        let folder = folders();
        let upstream = Upstream::start().await;
        let mut config = config(folder.path(), &upstream);
        change(&mut config);
        let running = gateway::start(config).await.unwrap_or_else(|error| panic!("{error}"));
        Self { addr: running.addr, ops: running.companions[0].addr, upstream, folder, _running: running }
    }

    /// A browser on this host.
    pub fn on(&self, host: &str) -> Client {
        Client::new(self.addr, host)
    }

    /// The last call that a service received.
    pub fn last_seen(&self) -> Seen {
        self.upstream.seen().pop().expect("a call reached the service")
    }

    /// Sends a request as raw bytes (`\n` becomes `\r\n`), for invalid requests; returns status and response.
    pub async fn raw(&self, request: &str) -> (u16, String) {
        let (addr, request) = (self.addr, request.replace('\n', "\r\n"));
        actix_web::rt::task::spawn_blocking(move || {
            let mut stream = TcpStream::connect(addr).unwrap();
            stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
            stream.write_all(request.as_bytes()).unwrap();
            let mut reply = Vec::new();
            // A server that closes with unread input may reset the connection; what was read before counts.
            let _ = stream.read_to_end(&mut reply);
            let reply = String::from_utf8_lossy(&reply).into_owned();
            let status = reply.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
            (status, reply)
        })
        .await
        .unwrap()
    }

    /// GET of a path exactly as written.
    pub async fn raw_get(&self, host: &str, path: &str, more: &str) -> (u16, String) {
        self.raw(&format!("GET {path} HTTP/1.1\nHost: {host}\nConnection: close\n{more}\n")).await
    }
}

/// A gateway in a process of its own, with the folders below `folder` and its log at `log`, without services.
pub async fn process(folder: &Path, brands: &Path, log: &Path) -> Process {
    let text = |path: &Path| path.display().to_string();
    let settings = [
        ("BIND", "127.0.0.1:0".to_owned()),
        ("OPS_BIND", "127.0.0.1:0".to_owned()),
        ("BRANDS_FILE", text(brands)),
        ("FRONTEND_DIR", text(&folder.join("dist"))),
        ("MEDIA_DIR", text(&folder.join("media"))),
        ("IMAGE_ORIGINS", format!("https://images.spaza.example={}", text(&folder.join("images")))),
        ("SESSION_PUBLIC_KEYS", testkit::minter().public_key()),
    ];
    let command = Command::new(env!("CARGO_BIN_EXE_gateway"));
    Process::start(command, "gateway", &settings, log).await.unwrap()
}

/// Reads one response from a kept-alive connection: its head and body.
pub fn read_response(stream: &TcpStream) -> String {
    let mut lines = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        assert!(lines.read_line(&mut line).unwrap() > 0, "the connection ended after {head:?}");
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        head.push_str(&line);
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    lines.read_exact(&mut body).unwrap();
    head + &String::from_utf8(body).unwrap()
}

/// The boot data of a page.
pub fn boot(page: &str) -> Value {
    data(page, "boot").expect("the page carries boot data")
}

/// The Content-Security-Policy of a host's page.
pub async fn boot_policy(gateway: &Gateway, host: &str) -> String {
    gateway.on(host).get("/").await.header("content-security-policy").to_owned()
}

/// The embedded data of a page with this id.
pub fn data(page: &str, id: &str) -> Option<Value> {
    let (_, rest) = page.split_once(&format!("id=\"{id}\">"))?;
    let (text, _) = rest.split_once("</script>")?;
    serde_json::from_str(text).ok()
}
