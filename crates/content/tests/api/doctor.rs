//! `content doctor`, over media and pictures that are broken on purpose.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Output,
};

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, web::to};
use content::{
    Options,
    transcode::{Programs, transcode},
};
use serde_json::{Value, json};
use testkit::Engine;
use tokio::process::Command;
use url::Url;

use crate::{Family, brands_file, spawn_family};

fn demo(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/demo").join(path)
}

/// Runs the command over everything the family lists.
async fn doctor(family: &Family, media: &str, images: &str, options: &[&str], settings: &[(&str, String)]) -> Output {
    tool(family, &[&["doctor", "--media", media, "--images", images], options].concat(), settings).await
}

async fn tool(family: &Family, arguments: &[&str], settings: &[(&str, String)]) -> Output {
    let services = &family.services;
    let mut command = Command::new(env!("CARGO_BIN_EXE_content"));
    command.args(arguments);
    for (name, value) in [
        ("COMEDY_URL", &services.comedy),
        ("DISKI_URL", &services.diski),
        ("MEME_URL", &services.meme),
        ("TT_URL", &services.tt),
        ("ADMIN_TOKEN", &services.admin_token),
    ] {
        command.env(name, value);
    }
    command.env("BRANDS_FILE", brands_file()).envs(settings.iter().map(|(name, value)| (name, value)));
    command.output().await.unwrap()
}

fn table_and_error(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

/// A folder of media and pictures, many of them broken, and the records of its videos.
struct BrokenMedia {
    place: tempfile::TempDir,
    /// Seconds of every film.
    seconds: u64,
    videos: Vec<Value>,
    /// The problem that the command must report, beside the slug of the record.
    expected: Vec<(String, &'static str)>,
}

impl BrokenMedia {
    fn media(&self) -> PathBuf {
        self.place.path().join("media")
    }

    fn video(&mut self, slug: &str, media: &str, seconds: u64, bytes: usize, wrong: &'static str) {
        self.videos.push(json!({
            "slug": slug, "video_name": slug, "media": format!("mcfunny/{media}"), "image": "https://pictures.example/fine.webp",
            "datetime": "2026-01-01 00:00:00", "duration_s": seconds, "bytes": bytes,
        }));
        if !wrong.is_empty() {
            self.expected.push((slug.to_owned(), wrong));
        }
    }

    fn file(&mut self, slug: &str, bytes: &[u8], seconds: u64, declared: usize, wrong: &'static str) {
        let name = format!("{slug}.mp4");
        fs::write(self.media().join("mcfunny").join(&name), bytes).unwrap();
        self.video(slug, &name, seconds, declared, wrong);
    }

    /// A film that is fine, with these captions.
    fn captions(&mut self, slug: &str, text: Option<&[u8]>, clip: &[u8], wrong: &'static str) {
        self.file(slug, clip, self.seconds, clip.len(), "");
        let name = format!("mcfunny/{slug}.en.vtt");
        if let Some(text) = text {
            fs::write(self.media().join(&name), text).unwrap();
        }
        self.videos.last_mut().unwrap()["captions"] = json!(name);
        if !wrong.is_empty() {
            self.expected.push((slug.to_owned(), wrong));
        }
    }

    /// The whole rendition once more under another name, and something done to it.
    fn stream(&mut self, slug: &str, wrong: &'static str, harm: impl Fn(&Path)) {
        let (from, to) = (self.media().join("mcfunny/whole"), self.media().join("mcfunny").join(slug));
        if slug != "whole" {
            copy(&from, &to);
        }
        let fallback = usize::try_from(fs::metadata(from.join("fallback.mp4")).unwrap().len()).unwrap();
        harm(&to);
        self.video(slug, &format!("{slug}/master.m3u8"), self.seconds, fallback, wrong);
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let name = to.join(path.file_name().unwrap());
        match path.is_dir() {
            true => copy(&path, &name),
            false => assert!(fs::copy(&path, &name).is_ok()),
        }
    }
}

fn zeroed(path: PathBuf) {
    let length = fs::read(&path).unwrap().len();
    fs::write(path, vec![0; length]).unwrap();
}

/// Half a minute of film, zeroed for half a second from this second on.
fn hole(folder: &Path, second: usize) -> Vec<u8> {
    let path = folder.join("long.mp4");
    if !path.exists() {
        let made = std::process::Command::new("ffmpeg")
            .args(["-v", "error", "-f", "lavfi", "-i", "testsrc2=d=30:r=10:s=192x108", "-pix_fmt", "yuv420p"])
            .args(["-g", "10", "-bf", "0", "-b:v", "100k"])
            .arg(&path)
            .status();
        assert!(made.unwrap().success());
    }
    let mut bytes = fs::read(&path).unwrap();
    let of_a_minute = bytes.len() / 60;
    bytes[2 * second * of_a_minute..][..of_a_minute].fill(0);
    bytes
}

fn broken_media() -> BrokenMedia {
    let place = tempfile::tempdir().unwrap();
    fs::create_dir_all(place.path().join("media/mcfunny")).unwrap();
    let clip = fs::read(demo("media/mcfunny/around-the-corner.mp4")).unwrap();
    let manifest: Value = serde_json::from_slice(&fs::read(demo("manifest.json")).unwrap()).unwrap();
    let artists = manifest["services"]["MC Funny"]["artists"].as_array().unwrap();
    let mut videos = artists.iter().flat_map(|artist| artist["videos"].as_array().unwrap());
    let record = videos.find(|video| video["slug"] == "around-the-corner").unwrap();
    let seconds = record["duration_s"].as_u64().unwrap();
    let mut broken = BrokenMedia { place, seconds, videos: Vec::new(), expected: Vec::new() };

    broken.file("fine", &clip, seconds, clip.len(), "");
    broken.file("another-length", &clip, seconds + 5, clip.len(), "seconds, and");
    broken.file("another-size", &clip, seconds, clip.len() + 1, "bytes, and");
    broken.file("cut", &clip[..clip.len() / 2], seconds, clip.len() / 2, "does not play");
    broken.file("zeroed", &vec![0; clip.len()], seconds, clip.len(), "does not play");
    broken.file("words", b"This is not a film.", seconds, 19, "does not play");
    let line = |at: &str| format!("\u{feff}WEBVTT\n\n{at}.000 --> {at}.900\nAwe\n").into_bytes();
    broken.captions("fine-words", Some(&line("00:01")), &clip, "");
    broken.captions("lost-words", None, &clip, "lost-words.en.vtt: is not there");
    broken.captions(
        "other-words",
        Some(b"1\n00:00:01,000 --> 00:00:02,000\nAwe\n"),
        &clip,
        "other-words.en.vtt: is no WebVTT",
    );
    broken.captions("no-words", Some(b"WEBVTT\n\nAwe\n"), &clip, "no-words.en.vtt: has no line");
    broken.captions("late-words", Some(&line("59:00")), &clip, "late-words.en.vtt: has a line at 3540.0 seconds");
    broken.captions(
        "old-words",
        Some(b"WEBVTT\n\n00:01.000 --> 00:02.000\nS\xea\n"),
        &clip,
        "old-words.en.vtt: is not UTF-8",
    );
    let holes = [10, 15].map(|second| hole(broken.place.path(), second));
    broken.file("hole", &holes[0], 30, holes[0].len(), "");
    broken.file("hole-in-middle", &holes[1], 30, holes[1].len(), "hole-in-middle.mp4: does not play");
    broken.video("gone", "gone.mp4", seconds, clip.len(), "gone.mp4: is not there");

    let source = broken.place.path().join("whole.mp4");
    fs::write(&source, &clip).unwrap();
    let made =
        transcode(&[source], &broken.media().join("mcfunny"), &Programs::default(), &|_, _| {}).remove(0).unwrap();
    assert!(made.rendition.variants.len() >= 2, "{:?}", made.rendition.variants);
    broken.stream("whole", "", |_| {});
    broken.stream("lost-segment", "144p/00001.m4s: is not there", |to| {
        fs::remove_file(to.join("144p/00001.m4s")).unwrap()
    });
    broken.stream("lost-head", "144p/init_0.mp4: is not there", |to| {
        fs::remove_file(to.join("144p/init_0.mp4")).unwrap()
    });
    broken.stream("lost-list", "240p/index.m3u8: is not there", |to| {
        fs::remove_file(to.join("240p/index.m3u8")).unwrap()
    });
    broken.stream("lost-master", "master.m3u8: is not there", |to| fs::remove_file(to.join("master.m3u8")).unwrap());
    broken
        .stream("lost-fallback", "fallback.mp4: is not there", |to| fs::remove_file(to.join("fallback.mp4")).unwrap());
    broken.stream("lost-sound", "sound.m4a: is not there", |to| fs::remove_file(to.join("sound.m4a")).unwrap());
    // As an older recipe left it.
    broken.stream("without-sound-alone", "", |to| {
        fs::remove_file(to.join("sound.m4a")).unwrap();
        let path = to.join("rendition.json");
        let mut rendition: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        rendition["files"].as_array_mut().unwrap().retain(|file| file[0] != "sound.m4a");
        fs::write(path, rendition.to_string()).unwrap();
    });
    broken.stream("zeroed-segment", "240p/00000.m4s: does not play", |to| zeroed(to.join("240p/00000.m4s")));
    broken.stream("longer-segment", "240p: has", |to| {
        let path = to.join("240p/00000.m4s");
        let mut bytes = fs::read(&path).unwrap();
        // A box that players pass over.
        bytes.extend(*b"\0\0\0\x0cfree\0\0\0\0");
        fs::write(path, bytes).unwrap();
    });
    broken.stream("other-pixels", "pixels, and 426 by 240 are declared", |to| {
        fs::remove_dir_all(to.join("240p")).unwrap();
        copy(&to.join("144p"), &to.join("240p"));
    });
    broken.stream("leads-away", "which is elsewhere", |to| {
        let path = to.join("master.m3u8");
        let text = fs::read_to_string(&path).unwrap();
        fs::write(path, text.replace("144p/index.m3u8", "../whole/144p/index.m3u8")).unwrap();
    });
    broken.stream("no-list", "is no playlist", |to| fs::write(to.join("master.m3u8"), "<html>").unwrap());
    broken
}

/// The manifest, with pictures that are fine and some that are not.
fn manifest(broken: &mut BrokenMedia) -> Value {
    let pictures = broken.place.path().join("pictures");
    fs::create_dir_all(&pictures).unwrap();
    let webp = fs::read(demo("images/demo/diski99/artists/gloves-galant.webp")).unwrap();
    fs::write(pictures.join("fine.webp"), &webp).unwrap();
    fs::write(pictures.join("cut.webp"), &webp[..webp.len() / 2]).unwrap();
    fs::write(pictures.join("words.webp"), "This is not a picture.").unwrap();
    for name in ["moves", "alone", "heavy"] {
        fs::write(pictures.join(format!("{name}.clip.webp")), &webp).unwrap();
    }
    let clip = fs::read(demo("images/demo/mcfunny/thumbs/kettle-conspiracy.clip.mp4")).unwrap();
    fs::write(pictures.join("moves.clip.mp4"), &clip).unwrap();
    fs::write(pictures.join("heavy.clip.mp4"), [clip, vec![0; 100_000]].concat()).unwrap();
    let at = |name: &str| format!("https://pictures.example/{name}.webp");
    let artist = |slug: &str, image: &str| json!({"slug": slug, "artist": slug, "image": image, "videos": []});
    let meme = |slug: &str, image: &str| json!({"slug": slug, "title": slug, "image": image, "created_at": "2026-01-01 00:00:00"});
    let banner = |slug: &str, image: &str| json!({"slug": slug, "title": slug, "image": image});
    for (slug, wrong) in [
        ("artist-cut", "cut.webp: cannot be shown"),
        ("artist-gone", "gone.webp: is not there"),
        ("artist-alone", "alone.clip.webp: has a clip that is not there"),
        ("artist-heavy", "heavy.clip.webp: has a clip that is no MP4 of at most 100000 bytes"),
        ("meme-words", "words.webp: is no picture"),
        ("meme-gone", "gone.webp: is not there"),
        ("meme-away", "cannot be fetched"),
        ("banner-words", "words.webp: cannot be shown"),
    ] {
        broken.expected.push((slug.to_owned(), wrong));
    }
    json!({"services": {
        "MC Funny": {"artists": [
            {"slug": "main", "artist": "Main", "image": at("fine"), "videos": broken.videos},
            artist("artist-cut", &at("cut")),
            artist("artist-gone", &at("gone")),
            artist("artist-moves", &at("moves.clip")),
            artist("artist-alone", &at("alone.clip")),
            artist("artist-heavy", &at("heavy.clip")),
        ]},
        "memeworld": {"categories": [{"slug": "one", "name": "One", "memes": [
            meme("meme-fine", &at("fine")),
            // The beginning is all that is looked at.
            meme("meme-cut", &at("cut")),
            meme("meme-words", &at("words")),
            meme("meme-gone", &at("gone")),
            meme("meme-away", "https://127.0.0.1:1/meme.webp"),
        ]}]},
        "ttmbhatv": {"categories": [], "banners": [banner("banner-fine", &at("fine")), banner("banner-words", &at("words"))]},
    }})
}

/// A server of the files of a folder.
fn origin(folder: PathBuf) -> String {
    let answer = move |req: HttpRequest| {
        let file = fs::read(folder.join(req.path().trim_start_matches('/')));
        async move {
            match file {
                Ok(bytes) => HttpResponse::Ok().body(bytes),
                Err(_) => HttpResponse::NotFound().finish(),
            }
        }
    };
    let server = HttpServer::new(move || App::new().default_service(to(answer.clone()))).workers(1).disable_signals();
    let server = server.bind(("127.0.0.1", 0)).unwrap();
    let address = format!("http://{}", server.addrs()[0]);
    actix_web::rt::spawn(server.run());
    address
}

testkit::on_each_engine! {
    async fn import_takes_nothing_that_cannot_be_played_or_seen(engine) {
        let family = spawn_family(engine).await;
        let place = tempfile::tempdir().unwrap();
        let (media, pictures) = (place.path().join("media/mcfunny"), place.path().join("pictures"));
        fs::create_dir_all(&media).unwrap();
        fs::create_dir_all(&pictures).unwrap();
        let mut csv = "service,kind,slug,parent,artist,description,video_name,media,image,datetime,duration_s,bytes\n\
            mcfunny,artist,main,,Main,Words,,,https://pictures.example/a.webp,,,\n".to_owned();
        for number in 0..500 {
            csv.push_str(&format!("mcfunny,video,v-{number:03},main,,,Film {number},mcfunny/one.mp4,https://pictures.example/a.webp,2026-01-01 00:00:00,6,62961\n"));
        }
        let path = family.write("films.csv", csv.as_bytes());
        let images = format!("https://pictures.example={}", pictures.display());
        let import = async |media: &Path, more: &[&str], settings: &[(&str, String)]| {
            let from = ["import", path.to_str().unwrap(), "--media", media.to_str().unwrap(), "--images", &images];
            let (text, error) = table_and_error(&tool(&family, &[&from, more].concat(), settings).await);
            let listed = family.comedy.get_ok("/api/madfunny/fetchArtist?service=mcfunny").await;
            (text, error, listed.as_array().unwrap().len())
        };
        let media_folder = media.parent().unwrap();

        // The tool names each file once, with the first lines that name it; a dry run does so, too.
        for more in [&[][..], &["--dry-run"]] {
            let (_, error, listed) = import(media_folder, more, &[]).await;
            let film = "films.csv:3: media: video of MC Funny v-000: The film mcfunny/one.mp4 is not there. (lines 3, 4, 5 and 497 more)";
            let picture = "films.csv:2: image: artist of MC Funny main: The picture https://pictures.example/a.webp is not there. (lines 2, 3, 4 and 498 more)";
            assert!(error.contains(film) && error.contains(picture) && error.contains("2 problems; nothing was changed"), "{error}");
            assert_eq!(listed, 0);
        }
        // A place that this machine does not see, and no ffprobe: it says so.
        let (_, error, _) = import(Path::new("/nowhere"), &[], &[]).await;
        assert!(error.contains("cannot be looked for: the media folder (MEDIA_DIR) is not there"), "{error}");
        let (_, error, listed) = import(media_folder, &[], &[("PATH", "/nowhere".to_owned())]).await;
        assert!(error.contains("ffprobe cannot be started") && error.contains("--without-media-check"), "{error}");
        assert_eq!(listed, 0);

        fs::copy(demo("images/demo/diski99/artists/gloves-galant.webp"), pictures.join("a.webp")).unwrap();
        fs::write(media.join("one.mp4"), vec![0; 62961]).unwrap();
        let (_, error, listed) = import(media_folder, &[], &[]).await;
        assert!(error.contains("The film mcfunny/one.mp4 does not play") && listed == 0, "{error}");
        fs::copy(demo("media/mcfunny/around-the-corner.mp4"), media.join("one.mp4")).unwrap();
        let (text, error, listed) = import(media_folder, &[], &[]).await;
        assert!(text.contains("video: 500 added") && listed == 1, "{text}{error}");

        // What is live already is not looked at again; without the check anything goes.
        fs::remove_file(media.join("one.mp4")).unwrap();
        family.write("films.csv", csv.replace("Film 7,", "Film seven,").as_bytes());
        let (text, error, _) = import(media_folder, &[], &[]).await;
        assert!(text.contains("video: 0 added, 1 changed"), "{text}{error}");
        family.write("films.csv", csv.replace("one.mp4", "two.mp4").as_bytes());
        let (text, error, _) = import(media_folder, &["--without-media-check"], &[]).await;
        assert!(text.contains("video: 0 added, 500 changed"), "{text}{error}");
    }
}

#[actix_web::test]
async fn doctor_reports_every_broken_record_and_no_other() {
    // It reads the lists that visitors read, which are the same on each engine.
    let family = spawn_family(Engine::Sqlite).await;
    let mut broken = broken_media();
    let document = manifest(&mut broken);
    family.import(&document, Options::default()).await;
    let images = format!("https://pictures.example={}", broken.place.path().join("pictures").display());
    let output = doctor(&family, broken.media().to_str().unwrap(), &images, &[], &[]).await;
    let (table, error) = table_and_error(&output);
    assert_eq!(output.status.code(), Some(1), "{table}{error}");
    let (records, problems) = (table.lines().last().unwrap(), table.lines().skip(1).count() - 1);
    for (slug, wrong) in &broken.expected {
        let lines = table.lines().filter(|line| line.contains(wrong));
        let own = lines.filter(|line| !line.contains("mcfunny/") || line.contains(&format!("mcfunny/{slug}")));
        assert!(own.count() > 0, "{slug} is not reported as wrong ({wrong}):\n{table}{error}");
    }
    for fine in ["mcfunny/fine.mp4", "mcfunny/whole/", "fine-words", "hole.mp4", "fine.webp", "meme-cut"] {
        assert!(!table.contains(fine), "{fine} is reported as wrong:\n{table}");
    }
    assert_eq!(records, format!("{} records were looked at", broken.videos.len() + 6 + 1 + 5 + 2));
    assert!(error.contains(&format!("{problems} things are wrong")), "{problems}: {error}");

    // With --whole that is found too.
    let output = doctor(&family, broken.media().to_str().unwrap(), &images, &["--whole"], &[]).await;
    assert!(table_and_error(&output).0.contains("hole.mp4: does not play"), "{}", table_and_error(&output).0);

    // From wherever the media are, it looks the same.
    let (id, secret) = testkit::BUCKET_KEY;
    let bucket = testkit::bucket(broken.place.path(), "media").await;
    let settings = [
        ("AWS_ACCESS_KEY_ID", id.to_owned()),
        ("AWS_SECRET_ACCESS_KEY", secret.to_owned()),
        ("AWS_REGION", "us-east-1".to_owned()),
        ("AWS_ENDPOINT", bucket.origin().ascii_serialization()),
        ("AWS_ALLOW_HTTP", "true".to_owned()),
    ];
    assert_eq!(table_and_error(&doctor(&family, "s3://media", &images, &[], &settings).await).0, table);
    assert_eq!(table_and_error(&doctor(&family, &origin(broken.media()), &images, &[], &[]).await).0, table);
}

#[actix_web::test]
async fn doctor_finds_no_problem_in_the_demo_pack() {
    let family = spawn_family(Engine::Sqlite).await;
    let manifest: Value = serde_json::from_slice(&fs::read(demo("manifest.json")).unwrap()).unwrap();
    family.import(&manifest, Options::default()).await;
    let images = format!("https://images.spaza.example={}", demo("images").display());
    let media = Url::from_directory_path(demo("media").canonicalize().unwrap()).unwrap();
    let output = doctor(&family, media.as_str(), &images, &[], &[]).await;
    let (table, error) = table_and_error(&output);
    assert!(output.status.success(), "{table}{error}");
    assert!(table.ends_with(" records were looked at\n") && table.lines().count() == 1, "{table}");

    // Without what it needs, it says so and looks at nothing.
    let bare = doctor(&family, "nowhere", &images, &[], &[("PATH", "/nonexistent".to_owned())]).await;
    let (table, error) = table_and_error(&bare);
    assert!(
        error.contains("ffprobe cannot be started") && table.is_empty() && bare.status.code() == Some(1),
        "{error}"
    );
    let lost = doctor(&family, "s3://", &images, &[], &[]).await;
    assert!(table_and_error(&lost).1.contains("--media"), "{:?}", table_and_error(&lost));
    let odd = doctor(&family, "nowhere", "pictures", &[], &[]).await;
    assert!(table_and_error(&odd).1.contains("--images"), "{:?}", table_and_error(&odd));
    let away = doctor(&family, "nowhere", &images, &[], &[("COMEDY_URL", "http://127.0.0.1:1".to_owned())]).await;
    assert!(table_and_error(&away).1.contains("cannot reach http://127.0.0.1:1/"), "{:?}", table_and_error(&away));
}
