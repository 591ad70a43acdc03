//! Films that editors upload, from outside: the real family is killed while a film arrives and while it is transcoded.

use std::{
    io::Write,
    net::TcpStream,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
};

use reqwest::header::HeaderMap;
use serde_json::{Value, json};
use testkit::{Client, Engine, TestStore, eventually};

use crate::{Family, place, support::Staff};

/// How it is after a call of the tus protocol.
struct TusReply {
    status: u16,
    headers: HeaderMap,
    text: String,
}

impl TusReply {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }

    fn offset(&self) -> usize {
        self.header("upload-offset").parse().unwrap()
    }
}

async fn tus(staff: &Staff, method: &str, path: &str, headers: &[(&str, String)], body: &[u8]) -> TusReply {
    let mut request = staff.request(method, path).header("tus-resumable", "1.0.0").body(body.to_vec());
    for (name, value) in headers {
        request = request.header(*name, value);
    }
    let reply = request.send().await.unwrap();
    let (status, headers) = (reply.status().as_u16(), reply.headers().clone());
    TusReply { status, headers, text: reply.text().await.unwrap() }
}

/// Begins an upload for MC Funny; returns its address.
async fn begun(staff: &Staff, name: &str, bytes: usize) -> String {
    // "MC Funny" in base64.
    let metadata = format!("filename {},service TUMgRnVubnk=", in_base64(name));
    let headers = [("upload-length", bytes.to_string()), ("upload-metadata", metadata)];
    let reply = tus(staff, "POST", "/api/uploads", &headers, b"").await;
    assert_eq!(reply.status, 201, "{}", reply.text);
    reply.header("location").to_owned()
}

/// A text in base64, by the tool that every system has.
fn in_base64(text: &str) -> String {
    let output = Command::new("sh").args(["-c", "printf %s \"$1\" | base64 -w0", "sh", text]).output().unwrap();
    String::from_utf8(output.stdout).unwrap()
}

async fn part(staff: &Staff, path: &str, from: usize, bytes: &[u8]) -> TusReply {
    let headers = [("upload-offset", from.to_string()), ("content-type", "application/offset+octet-stream".to_owned())];
    tus(staff, "PATCH", path, &headers, bytes).await
}

async fn offset(staff: &Staff, path: &str) -> usize {
    let reply = tus(staff, "HEAD", path, &[], b"").await;
    assert!(matches!(reply.status, 200 | 204), "{}", reply.status);
    reply.offset()
}

/// Begins to send the rest of a file, and neither ends nor waits for a reply.
fn send_some_of_the_rest(staff: &Staff, path: &str, from: usize, rest: &[u8]) -> TcpStream {
    let mut socket = TcpStream::connect(staff.base.strip_prefix("http://").unwrap()).unwrap();
    let head = format!(
        "PATCH {path} HTTP/1.1\r\nhost: localhost\r\ncookie: {}\r\nsec-fetch-site: same-origin\r\ntus-resumable: 1.0.0\r\n\
         upload-offset: {from}\r\ncontent-type: application/offset+octet-stream\r\ncontent-length: {}\r\n\r\n",
        staff.cookie,
        rest.len()
    );
    socket.write_all(head.as_bytes()).unwrap();
    socket.write_all(&rest[..rest.len() / 2]).unwrap();
    socket
}

/// A film of this size whose index stands in front.
fn film(folder: &Path, size: &str, seconds: u32) -> Vec<u8> {
    let path = folder.join("film.mp4");
    let arguments = format!(
        "-nostdin -v error -y -f lavfi -i testsrc2=s={size}:r=25:d={seconds} -f lavfi -i sine=d={seconds} -c:v libx264 -preset ultrafast \
         -b:v 400k -c:a aac -shortest -movflags +faststart"
    );
    let output = Command::new("ffmpeg").args(arguments.split_whitespace()).arg(&path).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    std::fs::read(path).unwrap()
}

struct Place<'a> {
    home: &'a Path,
    store: &'a TestStore,
}

impl Place<'_> {
    fn folder(&self, name: &str) -> PathBuf {
        self.home.join(name)
    }

    fn printed(&self) -> PathBuf {
        self.folder("printed")
    }

    async fn start(&self, path: Option<&str>) -> Family {
        Family::start_with(self.home, self.store, |command| {
            command.stdout(std::fs::File::create(self.printed()).unwrap());
            if let Some(path) = path {
                command.env("PATH", path);
            }
        })
        .await
    }
}

fn at(family: &Family, staff: &Staff) -> Staff {
    staff.at(format!("http://127.0.0.1:{}", family.port + 6))
}

async fn killed_upload_goes_on(engine: Engine) {
    let (home, store) = place(engine).await;
    let place = Place { home: home.path(), store: &store };
    let bytes = film(home.path(), "640x360", 10);

    // Without ffmpeg, the service starts and films arrive.
    let family = place.start(Some("/nowhere")).await;
    let printed = std::fs::read_to_string(place.printed()).unwrap();
    let link = printed.lines().find(|line| line.contains("/invitation/")).unwrap();
    let admin = Staff::accept(format!("http://127.0.0.1:{}", family.port + 6), link).await;
    let editor = admin.invite("thandi@spaza.example", "editor").await;
    let other = admin.invite("sipho@spaza.example", "editor").await;
    let publisher = admin.invite("zola@spaza.example", "publisher").await;
    let path = begun(&editor, "Our Film.mp4", bytes.len()).await;
    let first = bytes.len() / 3;
    let reply = part(&editor, &path, 0, &bytes[..first]).await;
    assert_eq!((reply.status, reply.offset()), (204, first), "{}", reply.text);

    // Only its own person goes on with it; publishers see it.
    for (staff, head, delete) in [(&other, 404, 404), (&admin, 403, 403)] {
        assert_eq!(tus(staff, "HEAD", &path, &[], b"").await.status, head);
        assert_eq!(tus(staff, "DELETE", &path, &[], b"").await.status, delete);
        assert_eq!(part(staff, &path, first, &bytes[first..]).await.status, head);
        assert_eq!(staff.call("GET", &path, Value::Null).await.status, head);
    }
    assert_eq!(part(&publisher, &path, first, &bytes[first..]).await.status, 404);
    assert_eq!(offset(&publisher, &path).await, first);
    assert_eq!(other.get_ok("/api/uploads").await["uploads"], json!([]));
    assert_eq!(publisher.get_ok("/api/uploads").await["uploads"][0]["offset"], json!(first));

    // The process is killed while the second part arrives: nothing that was acknowledged is lost.
    let socket = send_some_of_the_rest(&editor, &path, first, &bytes[first..]);
    eventually("some of the second part", async || {
        editor.get_ok(&path).await["offset"].as_u64().unwrap() > u64::try_from(first).unwrap()
    })
    .await;
    family.end("KILL");
    drop(socket);
    let family = place.start(Some("/nowhere")).await;
    let (editor, publisher) = (at(&family, &editor), at(&family, &publisher));
    let from = offset(&editor, &path).await;
    assert!((first..bytes.len()).contains(&from), "{from}");
    let reply = part(&editor, &path, first, &bytes[first..]).await;
    assert!(reply.status == 409 || from == first, "another offset than its own");
    let reply = part(&editor, &path, from, &bytes[from..]).await;
    assert_eq!((reply.status, reply.offset()), (204, bytes.len()), "{}", reply.text);
    eventually("the words about ffmpeg", async || {
        let upload = editor.get_ok(&path).await;
        upload["state"] == "waiting" && upload["reason"].as_str().unwrap().contains("ffmpeg is not installed")
    })
    .await;
    family.end("KILL");

    // The process is killed while the film is transcoded, which begins again.
    let family = place.start(None).await;
    let editor = at(&family, &editor);
    eventually("transcoding", async || editor.get_ok(&path).await["state"] == "transcoding").await;
    family.end("KILL");
    let family = place.start(None).await;
    let (admin, editor, publisher) = (at(&family, &admin), at(&family, &editor), at(&family, &publisher));
    eventually("the film", async || {
        let upload = editor.get_ok(&path).await;
        assert_ne!(upload["state"], "failed", "{upload}");
        upload["state"] == "ready"
    })
    .await;
    let upload = editor.get_ok(&path).await;
    let film = &upload["film"];
    let media = film["media"].as_str().unwrap();
    assert!(media.starts_with("mcfunny/uploads/our-film-") && media.ends_with("/master.m3u8"), "{upload}");
    assert_eq!((&film["duration_s"], &upload["percent"]), (&json!(10), &json!(100)));
    assert!(upload["log"].as_str().unwrap().contains("begins again"), "{upload}");
    let folder = place.folder("data/published/media").join(media).parent().unwrap().to_owned();
    let rendition: Value = serde_json::from_slice(&std::fs::read(folder.join("rendition.json")).unwrap()).unwrap();
    let sum = Command::new("sha256sum").arg(home.path().join("film.mp4")).output().unwrap();
    assert!(String::from_utf8(sum.stdout).unwrap().starts_with(rendition["source_sha256"].as_str().unwrap()));
    assert!(std::fs::read_to_string(folder.join("master.m3u8")).unwrap().contains("360p/index.m3u8"));
    assert_eq!(film["bytes"], json!(std::fs::metadata(folder.join("fallback.mp4")).unwrap().len()));
    let uploads = home.path().join("data/uploads");
    assert!(!uploads.read_dir().unwrap().any(|entry| entry.unwrap().path().is_file()), "the uploaded file is kept");

    // The databases have personal data, and are their user's alone.
    let databases = home.path().join("data").read_dir().unwrap().map(|entry| entry.unwrap());
    for file in databases.filter(|file| file.path().extension().is_some_and(|ending| ending == "db")) {
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{file:?}");
    }

    // A poster is chosen from the film; visitors get it from the gateway, in the record that a publisher puts live.
    assert_eq!(editor.call("GET", &format!("{path}/stills/5"), Value::Null).await.status, 200);
    assert_eq!(editor.call("GET", &format!("{path}/stills/6"), Value::Null).await.status, 404);
    let chosen = editor.call("POST", &format!("{path}/poster"), json!({ "still": 4 })).await;
    assert_eq!(chosen.status, 200, "{}", chosen.json());
    let film = chosen.json()["film"].clone();
    let image = film["image"].as_str().unwrap();
    assert!(
        image.starts_with("https://images.spaza.example/uploads/our-film-") && image.ends_with("/card-4.clip.webp")
    );
    let gateway = Client::new(([127, 0, 0, 1], family.port).into(), "mcfunny.localhost");
    let picture = gateway.get(&format!("/img/rs:fit:160:0/plain/{image}@webp")).await;
    assert_eq!((picture.status, picture.header("content-type")), (200, "image/webp"));
    let clip = gateway.get(&format!("/img/raw:1/plain/{}", image.replace(".webp", ".mp4"))).await;
    assert_eq!((clip.status, clip.header("content-type")), (200, "video/mp4"));
    let record = json!({
        "slug": "our-film", "parent": "loadshed-lwazi", "video_name": "Our film", "media": film["media"], "image": image,
        "datetime": "2026-11-25 08:00:00", "duration_s": film["duration_s"], "bytes": film["bytes"]
    });
    let form = json!({ "service": "MC Funny", "record": record, "version": null, "new": true });
    let draft = publisher.call("POST", "/api/content/comedy/video/drafts", form).await;
    assert_eq!(draft.status, 200, "{}", draft.json());
    let draft = draft.json();
    let order = json!({ "version": draft["version"] });
    let published = publisher.call("POST", &format!("/api/content/drafts/{}/publish", draft["id"]), order).await;
    assert_eq!(published.status, 200, "{}", published.json());

    // Half a film is refused with words, although its header says that it is whole.
    let half = &bytes[..bytes.len() / 2];
    let short = begun(&editor, "half.mp4", half.len()).await;
    assert_eq!(part(&editor, &short, 0, half).await.status, 204);
    eventually("the refusal", async || editor.get_ok(&short).await["state"] == "failed").await;
    let refused = editor.get_ok(&short).await;
    assert!(refused["reason"].as_str().unwrap().contains("its header says") && refused["film"].is_null(), "{refused}");
    assert!(
        !place
            .folder("data/published/media/mcfunny/uploads")
            .read_dir()
            .unwrap()
            .any(|entry| { entry.unwrap().file_name().to_str().unwrap().starts_with("half") })
    );

    // What was ended is gone; a film that is ready stays where it is published.
    for path in [&short, &path] {
        assert_eq!(tus(&editor, "DELETE", path, &[], b"").await.status, 204);
        assert_eq!(tus(&editor, "HEAD", path, &[], b"").await.status, 404);
    }
    assert!(folder.join("master.m3u8").is_file());
    let log = admin.get_ok("/api/audit").await;
    let actions: Vec<&str> =
        log["entries"].as_array().unwrap().iter().rev().filter_map(|entry| entry["action"].as_str()).collect();
    let of_uploads: Vec<&str> = actions.into_iter().filter(|action| action.starts_with("upload.")).collect();
    assert_eq!(
        of_uploads,
        [
            "upload.begun",
            "upload.arrived",
            "upload.ready",
            "upload.poster",
            "upload.begun",
            "upload.arrived",
            "upload.failed",
            "upload.deleted",
            "upload.deleted"
        ]
    );
    assert_eq!(admin.get_ok("/api/audit/check").await["intact"], true);
    assert_eq!(family.end("INT"), Some(0));
}

/// The runs of ffmpeg and ffprobe whose command names this folder, also those that are about to begin.
fn programs_in(folder: &Path) -> Vec<String> {
    let commands = std::fs::read_dir("/proc").unwrap().filter_map(|entry| {
        let command = std::fs::read(entry.ok()?.path().join("cmdline")).ok()?;
        Some(String::from_utf8_lossy(&command).replace('\0', " "))
    });
    let folder = folder.file_name().unwrap().to_str().unwrap();
    commands.filter(|command| command.contains(" -protocol_whitelist ") && command.contains(folder)).collect()
}

/// Uploads a film, and returns once it is transcoded.
async fn in_transcoding(staff: &Staff, home: &Path, name: &str, bytes: &[u8]) -> String {
    let path = begun(staff, name, bytes.len()).await;
    assert_eq!(part(staff, &path, 0, bytes).await.status, 204);
    eventually("transcoding", async || {
        let upload = staff.get_ok(&path).await;
        assert!(!matches!(upload["state"].as_str().unwrap(), "failed" | "ready"), "{upload}");
        upload["state"] == "transcoding" && programs_in(home).iter().any(|command| command.contains("libx264"))
    })
    .await;
    path
}

async fn programs_end_with_their_upload(engine: Engine) {
    let (home, store) = place(engine).await;
    let place = Place { home: home.path(), store: &store };
    let bytes = film(home.path(), "1280x720", 60);
    let family = place.start(None).await;
    let printed = std::fs::read_to_string(place.printed()).unwrap();
    let link = printed.lines().find(|line| line.contains("/invitation/")).unwrap();
    let admin = Staff::accept(format!("http://127.0.0.1:{}", family.port + 6), link).await;
    let editor = admin.invite("thandi@spaza.example", "editor").await;

    // A film that is deleted while it is transcoded.
    let path = in_transcoding(&editor, home.path(), "first.mp4", &bytes).await;
    assert_eq!(tus(&editor, "DELETE", &path, &[], b"").await.status, 204);
    eventually("the end of its programs", async || programs_in(home.path()).is_empty()).await;
    assert_eq!(editor.call("GET", &path, Value::Null).await.status, 404);
    let uploads = home.path().join("data/uploads");
    eventually("the end of its files", async || {
        let of_first =
            |entry: std::io::Result<std::fs::DirEntry>| entry.unwrap().file_name().to_string_lossy().contains("first");
        !uploads.read_dir().unwrap().any(of_first)
    })
    .await;

    // A service that is stopped meanwhile; the next one begins again.
    let path = in_transcoding(&editor, home.path(), "second.mp4", &bytes).await;
    assert_eq!(family.end("TERM"), Some(0));
    eventually("the end of its programs", async || programs_in(home.path()).is_empty()).await;
    let family = place.start(None).await;
    let (admin, editor) = (at(&family, &admin), at(&family, &editor));
    eventually("another beginning", async || {
        let upload = editor.get_ok(&path).await;
        assert_ne!(upload["state"], "failed", "{upload}");
        upload["state"] == "transcoding" && upload["log"].as_str().unwrap().contains("begins again")
    })
    .await;
    assert_eq!(tus(&editor, "DELETE", &path, &[], b"").await.status, 204);
    eventually("the end of its programs", async || programs_in(home.path()).is_empty()).await;
    let log = admin.get_ok("/api/audit").await;
    let actions: Vec<&str> =
        log["entries"].as_array().unwrap().iter().rev().filter_map(|entry| entry["action"].as_str()).collect();
    let of_uploads: Vec<&str> = actions.into_iter().filter(|action| action.starts_with("upload.")).collect();
    let of_one = ["upload.begun", "upload.arrived", "upload.deleted"];
    assert_eq!(of_uploads, [of_one, of_one].concat());
    assert_eq!(family.end("INT"), Some(0));
    assert!(programs_in(home.path()).is_empty());
}

testkit::on_each_engine! {
    async fn programs_of_a_film_end_with_its_upload_and_with_the_service(engine) {
        programs_end_with_their_upload(engine).await;
    }

    async fn upload_goes_on_after_a_kill_and_the_film_is_transcoded(engine) {
        killed_upload_goes_on(engine).await;
    }
}
