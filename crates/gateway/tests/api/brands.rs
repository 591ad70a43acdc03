//! Changes of `brands.toml` while the gateway runs.

use std::{
    io::Write,
    net::TcpStream,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use testkit::{eventually, session_cookie};

use crate::helpers::{Gateway, boot, folders, process, read_response};

const FAMILY: &str = include_str!("../../../../deploy/brands.toml");

const NEW: &str = r##"
[[brand]]
labels = ["newtv"]
domains = ["www.new.example.co.za"]
kind = "tt"
service = "newtv"
svc_id = 990
network = "sandbox-push"
name = "New TV"
join = "/newlogin"
home = "/ttredirect"
helpline = "080 000 0160"
support_email = "help@newtv.example"
"##;

/// A gateway with a brands file of its own.
async fn start() -> (Gateway, PathBuf) {
    let gateway = Gateway::start_with(|config| {
        config.brands_file = config.media_dir.with_file_name("brands.toml");
        std::fs::write(&config.brands_file, FAMILY).unwrap();
    });
    let gateway = gateway.await;
    let file = gateway.folder.path().join("brands.toml");
    (gateway, file)
}

/// The label of a host's page; `None` on a host without a brand.
async fn label(gateway: &Gateway, host: &str) -> Option<String> {
    let page = String::from_utf8(gateway.on(host).get("/").await.bytes).unwrap();
    page.contains("id=\"boot\"").then(|| boot(&page)["label"].as_str().unwrap().to_owned())
}

#[actix_web::test]
async fn added_brand_is_served_and_open_connections_continue() {
    let (gateway, file) = start().await;
    assert_eq!(label(&gateway, "newtv.localhost").await, None);
    std::fs::create_dir(gateway.folder.path().join("media/newtv")).unwrap();
    std::fs::write(gateway.folder.path().join("media/newtv/clip.mp4"), b"new film").unwrap();

    // A connection with one response sent and a second request under way.
    let mut stream = TcpStream::connect(gateway.addr).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let post = b"POST /api/meme/postlike HTTP/1.1\r\nHost: memeworld.localhost\r\nContent-Length: 4\r\n\r\n";
    stream.write_all(post).unwrap();
    stream.write_all(b"1234").unwrap();
    let stream = actix_web::rt::task::spawn_blocking(move || {
        assert!(read_response(&stream).starts_with("HTTP/1.1 200"));
        stream
    });
    let mut stream = stream.await.unwrap();
    stream.write_all(post).unwrap();
    stream.write_all(b"12").unwrap();

    std::fs::write(&file, format!("{FAMILY}{NEW}")).unwrap();
    eventually("the new brand", async || label(&gateway, "newtv.localhost").await.is_some()).await;
    assert_eq!(label(&gateway, "www.new.example.co.za:8080").await.as_deref(), Some("newtv"));
    assert_eq!(label(&gateway, "memeworld.localhost").await.as_deref(), Some("memeworld"));
    let directory = String::from_utf8(gateway.on("localhost").get("/").await.bytes).unwrap();
    assert!(directory.contains("http://newtv.localhost:8080/") && directory.contains("New TV"));
    gateway.on("www.new.example.co.za").get_ok("/api/tt/ttrelated/live").await;
    assert_eq!(gateway.last_seen().header("host"), "newtv");
    let browser = gateway.on("newtv.localhost");
    let film = browser
        .request(reqwest::Method::GET, "/media/newtv/clip.mp4")
        .header("cookie", session_cookie("newtv", 990, "27812345678"));
    let film = browser.send(film).await;
    assert_eq!((film.status, film.bytes.as_slice()), (200, b"new film".as_slice()));

    stream.write_all(b"34").unwrap();
    let answered = actix_web::rt::task::spawn_blocking(move || read_response(&stream)).await.unwrap();
    assert!(answered.starts_with("HTTP/1.1 200") && answered.contains("1234"), "{answered}");

    // A brand with another look, and a removed brand.
    let renamed = FAMILY.replace("name = \"MEMEWORLD\"", "name = \"MEMES & MORE\"");
    std::fs::write(&file, renamed).unwrap();
    eventually("the brand is gone", async || label(&gateway, "newtv.localhost").await.is_none()).await;
    let page = String::from_utf8(gateway.on("memeworld.localhost").get("/").await.bytes).unwrap();
    assert!(page.contains("<title>MEMES &amp; MORE</title>"), "{page}");
    assert_eq!(gateway.on("www.new.example.co.za").get("/login").await.status, 404);
}

#[actix_web::test]
async fn invalid_file_changes_nothing() {
    let (gateway, file) = start().await;
    let twice = NEW.replace("www.new.example.co.za\"", "a.co.za\", \"a.co.za\"");
    for broken in ["[[", &format!("{FAMILY}{twice}")] {
        std::fs::write(&file, broken).unwrap();
        let written = Instant::now();
        while written.elapsed() < Duration::from_millis(2500) {
            assert_eq!(label(&gateway, "memeworld.localhost").await.as_deref(), Some("memeworld"));
            assert_eq!(label(&gateway, "newtv.localhost").await, None);
            actix_web::rt::time::sleep(Duration::from_millis(50)).await;
        }
    }
    std::fs::write(&file, format!("{FAMILY}{NEW}")).unwrap();
    eventually("the file after it", async || label(&gateway, "newtv.localhost").await.is_some()).await;
}

#[actix_web::test]
async fn file_replaced_by_a_symbolic_link_is_reloaded() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    for (version, text) in [("one", FAMILY.to_owned()), ("two", format!("{FAMILY}{NEW}"))] {
        std::fs::create_dir(at(version)).unwrap();
        std::fs::write(at(version).join("brands.toml"), text).unwrap();
    }
    // As Kubernetes mounts a config map: the file is a symbolic link through another one, which is replaced.
    let link = |to: &str, name: &Path| std::os::unix::fs::symlink(to, name).unwrap();
    link("one", &at("data"));
    link("data/brands.toml", &at("brands.toml"));
    let file = at("brands.toml");
    let gateway = Gateway::start_with(move |config| config.brands_file = file).await;
    link("two", &at("new"));
    std::fs::rename(at("new"), at("data")).unwrap();
    eventually("the new brand", async || label(&gateway, "newtv.localhost").await.is_some()).await;
}

#[actix_web::test]
async fn sighup_reloads_the_file() {
    let folder = folders();
    let (brands, log) = (folder.path().join("brands.toml"), folder.path().join("log"));
    std::fs::write(&brands, FAMILY).unwrap();
    let mut gateway = process(folder.path(), &brands, &log).await;
    let log_count = |what: &str| std::fs::read_to_string(&log).unwrap().matches(what).count();
    assert_eq!(log_count("are in force"), 0);
    gateway.signal("HUP");
    eventually("it has read the file", async || log_count("are in force") == 1).await;
    std::fs::write(&brands, "[[").unwrap();
    eventually("it has refused the file", async || log_count("is refused; the brands stay as they were") == 1).await;
    assert!(log_count("BRANDS_FILE: ") >= 1, "the line names the fault");
    gateway.signal("HUP");
    eventually("it has refused it again", async || log_count("is refused; the brands stay as they were") == 2).await;
    assert!(gateway.ended().is_none());
    let page = testkit::Client::new(gateway.addr, "memeworld.localhost").get("/").await;
    assert_eq!(page.status, 200);
    assert!(gateway.stop().await.success());
}
