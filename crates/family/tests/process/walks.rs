//! The README's walks, typed as they stand there: a new artist with a film, and a new brand, seen through the gateway.

use std::{
    os::unix::{fs::PermissionsExt, process::CommandExt},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use reqwest::Method;
use serde_json::{Value, json};
use testkit::Client;

use crate::{PATIENCE, command, free_ports, root};

/// The commands of a section of the README, block by block.
fn typed(section: &str) -> Vec<String> {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let (_, section) = readme.split_once(&format!("\n## {section}\n")).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let blocks = section.split("\n```sh\n").skip(1);
    blocks.map(|block| block.split_once("\n```").unwrap().0.to_owned()).collect()
}

/// An empty folder with what a clone of the repository has in `deploy/`, and a shell for it.
struct Clone {
    home: tempfile::TempDir,
    port: u16,
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
        // What `make run` and `cargo run -p content` build is built: they begin with the programs themselves.
        let family = PathBuf::from(env!("CARGO_BIN_EXE_family"));
        let content = family.with_file_name("content");
        assert!(content.exists(), "{} is not built: cargo build -p content", content.display());
        let begin = |name: &str, wanted: &str, count: usize, program: &Path| {
            let path = programs.join(name);
            let program = program.display();
            let text = format!(
                "#!/bin/sh\ncase \"$*\" in \"{wanted}\"*) shift {count}; exec '{program}' \"$@\";; esac\n\
                 echo \"$0 $*: there is no such command here\" >&2\nexit 64\n"
            );
            std::fs::write(&path, text).unwrap();
            std::fs::set_permissions(path, PermissionsExt::from_mode(0o755)).unwrap();
        };
        begin("make", "run", 1, &family);
        begin("cargo", "run -p content -- ", 4, &content);
        Self { home, port }
    }

    fn folder(&self) -> PathBuf {
        self.home.path().join("clone")
    }

    /// A shell in the folder that types `block`, in a window of its own.
    fn window(&self, block: &str) -> Child {
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
        let log = || std::fs::File::options().create(true).append(true).open(self.log()).unwrap();
        shell.stdin(Stdio::null()).stdout(log()).stderr(log()).process_group(0).spawn().unwrap()
    }

    /// Types a block and waits for its end, which must be a good one.
    async fn types(&self, block: &str) {
        let mut window = Window(self.window(block));
        let started = Instant::now();
        loop {
            if let Some(status) = window.0.try_wait().unwrap() {
                assert!(status.success(), "{block}\n{}", self.said());
                return;
            }
            assert!(started.elapsed() < PATIENCE, "it does not end: {block}\n{}", self.said());
            actix_web::rt::time::sleep(Duration::from_millis(100)).await;
        }
    }

    fn log(&self) -> PathBuf {
        self.home.path().join("said")
    }

    fn said(&self) -> String {
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
        assert!(started.elapsed() < PATIENCE, "{}: {}", reply.status, String::from_utf8_lossy(&reply.bytes));
        actix_web::rt::time::sleep(Duration::from_millis(100)).await;
    }
}

#[actix_web::test]
async fn whoever_types_what_the_readme_says_has_an_artist_with_a_film_and_a_brand() {
    let artist = typed("Adding an artist");
    let [start, add_artist] = artist.as_slice() else { panic!("{artist:?}") };
    let brand = typed("Adding a brand");
    let [add_brand] = brand.as_slice() else { panic!("{brand:?}") };

    let ports = free_ports();
    let clone = Clone::new(ports.first);
    let film = root().join("deploy/demo/media/mcfunny/around-the-corner.mp4");
    std::fs::copy(film, clone.folder().join("film.mp4")).unwrap();
    let mut family = Window(clone.window(start));
    let door = Client::new(([127, 0, 0, 1], clone.port).into(), "mcfunny.localhost");
    let started = Instant::now();
    let ready = format!("http://127.0.0.1:{}/readyz", clone.port);
    while !testkit::client().get(&ready).send().await.is_ok_and(|reply| reply.status().is_success()) {
        assert!(started.elapsed() < PATIENCE && family.0.try_wait().unwrap().is_none(), "{}", clone.said());
        actix_web::rt::time::sleep(Duration::from_millis(100)).await;
    }

    clone.types(add_artist).await;
    let artists = door.get_ok("/api/madfunny/fetchArtist?service=MC%20Funny").await;
    let gogo = named(&artists, "Gogo Laughs").unwrap_or_else(|| panic!("{artists}"));
    let films = door.get_ok(&format!("/api/madfunny/fetchVideos/{}", gogo["id"])).await;
    assert_eq!(films.as_array().map(Vec::len), Some(1), "{films}");
    let master = films[0]["vurl"].as_str().unwrap();
    assert_eq!(master, "/media/mcfunny/film/master.m3u8");
    assert_eq!(door.send(door.request(Method::GET, master)).await.status, 401, "a stranger gets not one byte");
    let cookie = session(&door, 148).await;
    let text = String::from_utf8(bytes_of(&door, &cookie, master).await).unwrap();
    let lists: Vec<&str> = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty()).collect();
    assert!(lists.len() >= 2, "{text}");
    for list in lists {
        let list = format!("/media/mcfunny/film/{list}");
        let text = String::from_utf8(bytes_of(&door, &cookie, &list).await).unwrap();
        let segment = text.lines().find(|line| line.ends_with(".m4s")).unwrap();
        let folder = list.strip_suffix("index.m3u8").unwrap();
        assert!(!bytes_of(&door, &cookie, &format!("{folder}{segment}")).await.is_empty());
    }
    for picture in [&gogo["artist_img_url"], &films[0]["imgurl"]] {
        let picture = format!("/img/rs:fit:320:0/plain/{}@webp", picture.as_str().unwrap());
        let reply = door.send(door.request(Method::GET, &picture)).await;
        assert_eq!((reply.status, reply.header("content-type")), (200, "image/webp"), "{picture}");
    }

    // In the same window, which has the settings still.
    let settings = add_artist.lines().find(|line| line.starts_with("export ")).unwrap();
    clone.types(&format!("{settings}\n{add_brand}")).await;
    let kasi = door.on_host("kasilaughs.localhost");
    let artists = kasi.get_ok("/api/madfunny/fetchArtist?service=Kasi%20Laughs").await;
    assert!(named(&artists, "Sis Thembi").is_some_and(|_| named(&artists, "Gogo Laughs").is_none()), "{artists}");
    // The gateway reads the entry by itself, too, at a moment of its own.
    let started = Instant::now();
    loop {
        let page = kasi.send(kasi.request(Method::GET, "/").header("accept", "text/html")).await;
        if String::from_utf8_lossy(&page.bytes).contains("Kasi Laughs") {
            break;
        }
        assert!(started.elapsed() < PATIENCE, "{}", String::from_utf8_lossy(&page.bytes));
        actix_web::rt::time::sleep(Duration::from_millis(100)).await;
    }
    assert!(!session(&kasi, 160).await.is_empty(), "it can be joined");
    assert!(named(&door.get_ok("/api/madfunny/fetchArtist?service=MC%20Funny").await, "Gogo Laughs").is_some());
}
