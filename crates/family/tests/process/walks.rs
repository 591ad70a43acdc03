//! The commands of the documents, run as they stand there: the README's first tour, a new artist with a film, and a new brand.

use std::{
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use reqwest::Method;
use serde_json::{Value, json};
use testkit::Client;

use crate::{TIMEOUT, command, free_ports, root};

/// The commands of a section of a document, block by block.
fn typed(document: &str, section: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(document)).unwrap();
    let (_, section) = text.split_once(&format!("\n## {section}\n")).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let blocks = section.split("\n```sh\n").skip(1);
    blocks.map(|block| block.split_once("\n```").unwrap().0.to_owned()).collect()
}

/// An empty folder with what a clone of the repository has in `deploy/`, and a shell for it.
struct Clone {
    home: tempfile::TempDir,
    port: u16,
    blocks: AtomicU64,
}

impl Clone {
    fn new(port: u16) -> Self {
        let home = tempfile::tempdir().unwrap();
        let (folder, programs) = (home.path().join("clone/deploy"), home.path().join("programs"));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::create_dir_all(&programs).unwrap();
        for part in ["brands.toml", "demo"] {
            let copied = Command::new("cp").arg("-R").arg(root().join("deploy").join(part)).arg(&folder).status();
            assert!(copied.unwrap().success());
        }
        // What `make run` builds is built: it begins with the programs themselves.
        let family = PathBuf::from(env!("CARGO_BIN_EXE_family"));
        let content = family.with_file_name("content");
        assert!(content.exists(), "{} is not built: cargo build -p content", content.display());
        let built = home.path().join("clone/target/debug");
        std::fs::create_dir_all(&built).unwrap();
        std::os::unix::fs::symlink(content, built.join("content")).unwrap();
        let make = programs.join("make");
        let text =
            format!("#!/bin/sh\n[ \"$*\" = run ] && exec '{}'\necho \"make $*\" >&2\nexit 64\n", family.display());
        std::fs::write(&make, text).unwrap();
        std::fs::set_permissions(make, PermissionsExt::from_mode(0o755)).unwrap();
        Self { home, port, blocks: AtomicU64::new(0) }
    }

    /// A block with this family's ports where it names those that `make run` has.
    fn at_my_ports(&self, block: &str) -> String {
        let mut block = block.to_owned();
        for offset in [0, 5, 10] {
            for host in ["localhost", "127.0.0.1"] {
                block = block.replace(&format!("{host}:{}", 8080 + offset), &format!("{host}:{}", self.port + offset));
            }
        }
        block
    }

    fn folder(&self) -> PathBuf {
        self.home.path().join("clone")
    }

    /// A shell in the folder that types `block`, in a window of its own; what it says goes to `log`.
    fn window(&self, block: &str, log: &Path) -> Child {
        // The family's own settings, for what `make run` starts; `content` is told where the services of these ports are.
        let settings = command(self.home.path());
        let mut shell = Command::new("bash");
        shell.args(["-e", "-u", "-o", "pipefail", "-c", block]).current_dir(self.folder()).env_clear();
        for (name, value) in settings.get_envs() {
            shell.env(name, value.unwrap_or_default());
        }
        let path = format!("{}:{}", self.home.path().join("programs").display(), std::env::var("PATH").unwrap());
        shell.env("PATH", path).env("PORT", self.port.to_string()).env_remove("DATA_DIR");
        for (offset, name) in [(1, "COMEDY_URL"), (2, "DISKI_URL"), (3, "MEME_URL"), (4, "TT_URL")] {
            shell.env(name, format!("http://127.0.0.1:{}", self.port + offset));
        }
        let log = || std::fs::File::options().create(true).append(true).open(log).unwrap();
        shell.stdin(Stdio::null()).stdout(log()).stderr(log()).process_group(0).spawn().unwrap()
    }

    /// Types a block and waits for its end, which must be a good one; answers what it output.
    async fn types(&self, block: &str) -> String {
        let log = self.home.path().join(format!("block-{}", self.blocks.fetch_add(1, Ordering::Relaxed)));
        let mut window = Window(self.window(&self.at_my_ports(block), &log));
        let started = Instant::now();
        loop {
            let ended = window.0.try_wait().unwrap();
            let output = std::fs::read_to_string(&log).unwrap_or_default();
            if let Some(status) = ended {
                assert!(status.success(), "{block}\n{output}\n{}", self.output());
                return output;
            }
            assert!(started.elapsed() < TIMEOUT, "it does not end: {block}\n{output}\n{}", self.output());
            actix_web::rt::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Starts the family by `block` and waits until it is ready.
    async fn starts(&self, block: &str) -> Window {
        let mut family = Window(self.window(block, &self.log()));
        let started = Instant::now();
        let ready = format!("http://127.0.0.1:{}/readyz", self.port);
        while !testkit::client().get(&ready).send().await.is_ok_and(|reply| reply.status().is_success()) {
            assert!(started.elapsed() < TIMEOUT && family.0.try_wait().unwrap().is_none(), "{}", self.output());
            actix_web::rt::time::sleep(Duration::from_millis(100)).await;
        }
        family
    }

    fn log(&self) -> PathBuf {
        self.home.path().join("output")
    }

    fn output(&self) -> String {
        std::fs::read_to_string(self.log()).unwrap_or_default()
    }
}

/// A shell and whatever it started; gone when this is.
struct Window(Child);

impl Drop for Window {
    fn drop(&mut self) {
        let group = format!("-{}", self.0.id());
        let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        let _ = self.0.wait();
    }
}

/// The first of a list that has this name.
fn named<'v>(list: &'v Value, name: &str) -> Option<&'v Value> {
    list.as_array().unwrap().iter().find(|each| each["name"] == name)
}

async fn bytes_of(browser: &Client, cookie: &str, path: &str) -> Vec<u8> {
    let reply = browser.send(browser.request(Method::GET, path).header("cookie", cookie)).await;
    assert_eq!(reply.status, 200, "{path}");
    reply.bytes
}

/// Opens the session of the test number, as its home does, once every process knows the brand; the cookie that comes with it.
async fn session(browser: &Client, svc_id: i32) -> String {
    let join = json!({"msisdn": "27600000000", "svc_id": svc_id});
    let started = Instant::now();
    loop {
        let reply = browser.post("/api/session/test", &join).await;
        if (200..300).contains(&reply.status) {
            return reply.header("set-cookie").split(';').next().unwrap().to_owned();
        }
        assert!(started.elapsed() < TIMEOUT, "{}: {}", reply.status, String::from_utf8_lossy(&reply.bytes));
        actix_web::rt::time::sleep(Duration::from_millis(100)).await;
    }
}

#[actix_web::test]
async fn readme_tour_commands_work() {
    let tour = typed("README.md", "First tour");
    let [ledger, add_video, join_watch_leave] = tour.as_slice() else { panic!("{tour:?}") };
    let ports = free_ports();
    let clone = Clone::new(ports.first);
    let _family = clone.starts("make run").await;

    let output = clone.types(join_watch_leave).await;
    assert!(
        output.contains(r#"{"result":1,"state":"active""#) && output.contains(r#"{"state":"cancelled"}"#),
        "{output}"
    );
    let film = std::fs::read(clone.folder().join("data/film.mp4")).unwrap();
    assert_eq!(film, std::fs::read(root().join("deploy/demo/media/mcfunny/around-the-corner.mp4")).unwrap());
    // A subscription that has ended opens no film.
    let cookies = "curl -s -o /dev/null -w '%{http_code}' -b data/cookies.txt";
    let film = "http://mcfunny.localhost:8080/media/mcfunny/around-the-corner.mp4";
    assert_eq!(clone.types(&format!("{cookies} {film}")).await, "403");

    let output = clone.types(ledger).await;
    // Where it left before the charge had settled, the charge is refunded; and where it left before the charge was sent, there is none.
    let rows: Vec<&str> = output.lines().filter(|row| !row.contains(",refund,")).collect();
    assert_eq!(rows.len(), 2, "one charge: {output}");
    assert!(rows[1].contains("27812345678,148,"), "{output}");
    assert!([",charge,300,settled,", ",charge,300,failed,"].iter().any(|charge| rows[1].contains(charge)), "{output}");

    let output = clone.types(add_video).await;
    let videos: Value = serde_json::from_str(&output[output.find('[').unwrap()..]).unwrap();
    assert!(videos.as_array().unwrap().iter().any(|video| video["video_name"] == "My first video"), "{output}");
    assert_eq!(videos.as_array().map(Vec::len), Some(6), "{output}");
}

#[actix_web::test]
async fn readme_commands_add_an_artist_and_a_brand() {
    let artist = typed("crates/content/README.md", "Adding an artist");
    let [start, add_artist] = artist.as_slice() else { panic!("{artist:?}") };
    let brand = typed("deploy/BRANDS.md", "Adding a brand");
    let [add_brand] = brand.as_slice() else { panic!("{brand:?}") };

    let ports = free_ports();
    let clone = Clone::new(ports.first);
    let film = root().join("deploy/demo/media/mcfunny/around-the-corner.mp4");
    std::fs::copy(film, clone.folder().join("film.mp4")).unwrap();
    let _family = clone.starts(start).await;
    let gateway = Client::new(([127, 0, 0, 1], clone.port).into(), "mcfunny.localhost");

    clone.types(add_artist).await;
    let artists = gateway.get_ok("/api/madfunny/fetchArtist?service=MC%20Funny").await;
    let gogo = named(&artists, "Gogo Laughs").unwrap_or_else(|| panic!("{artists}"));
    let films = gateway.get_ok(&format!("/api/madfunny/fetchVideos/{}", gogo["id"])).await;
    assert_eq!(films.as_array().map(Vec::len), Some(1), "{films}");
    let master = films[0]["vurl"].as_str().unwrap();
    assert_eq!(master, "/media/mcfunny/film/master.m3u8");
    assert_eq!(gateway.send(gateway.request(Method::GET, master)).await.status, 401, "no bytes without a session");
    let cookie = session(&gateway, 148).await;
    let text = String::from_utf8(bytes_of(&gateway, &cookie, master).await).unwrap();
    let lists: Vec<&str> = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
    assert!(lists.len() >= 2, "{text}");
    for list in lists {
        let list = format!("/media/mcfunny/film/{list}");
        let text = String::from_utf8(bytes_of(&gateway, &cookie, &list).await).unwrap();
        let segment = text.lines().find(|line| line.ends_with(".m4s")).unwrap();
        let folder = list.strip_suffix("index.m3u8").unwrap();
        assert!(!bytes_of(&gateway, &cookie, &format!("{folder}{segment}")).await.is_empty());
    }
    for picture in [&gogo["artist_img_url"], &films[0]["imgurl"]] {
        let picture = format!("/img/rs:fit:320:0/plain/{}@webp", picture.as_str().unwrap());
        let reply = gateway.send(gateway.request(Method::GET, &picture)).await;
        assert_eq!((reply.status, reply.header("content-type")), (200, "image/webp"), "{picture}");
    }

    clone.types(add_brand).await;
    let kasi = gateway.on_host("kasilaughs.localhost");
    let artists = kasi.get_ok("/api/madfunny/fetchArtist?service=Kasi%20Laughs").await;
    assert!(named(&artists, "Sis Thembi").is_some_and(|_| named(&artists, "Gogo Laughs").is_none()), "{artists}");
    // The gateway reads the entry by itself, too, at a moment of its own.
    let started = Instant::now();
    loop {
        let page = kasi.send(kasi.request(Method::GET, "/").header("accept", "text/html")).await;
        if String::from_utf8_lossy(&page.bytes).contains("Kasi Laughs") {
            break;
        }
        assert!(started.elapsed() < TIMEOUT, "{}", String::from_utf8_lossy(&page.bytes));
        actix_web::rt::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(!session(&kasi, 160).await.is_empty(), "it can be joined");
    assert!(named(&gateway.get_ok("/api/madfunny/fetchArtist?service=MC%20Funny").await, "Gogo Laughs").is_some());
}
