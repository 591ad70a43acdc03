//! `content publish`, to a folder and to a bucket on a real S3 server.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

use m3u8_rs::{parse_master_playlist_res, parse_media_playlist_res};
use object_store::{Attribute, ObjectStoreExt, aws::AmazonS3Builder};
use tokio::process::Command;
use url::Url;

use crate::{run, sources::make};

const FILM: &str = "our-film";

/// A rendition of two variants with sound, below `place/media`; other seconds are another film of the same name.
fn film(place: &Path, seconds: u32) -> PathBuf {
    let media = place.join("media");
    fs::create_dir_all(&media).unwrap();
    let (picture, sound) = (format!("testsrc2=s=426x240:r=10:d={seconds}"), format!("sine=d={seconds}"));
    let how = ["-f", "lavfi", "-i", &picture, "-f", "lavfi", "-i", &sound, "-c:v", "libx264", "-preset", "ultrafast"];
    let source = make(place, "Our film.mp4", &how);
    run(&source, &media).unwrap();
    media
}

/// Runs the command; returns whether it succeeded, and what it printed on both outputs.
async fn publish(media: &Path, to: &str, settings: &[(&str, String)]) -> (bool, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_content"));
    command.arg("publish").arg(media).args(["--to", to]).envs(settings.iter().map(|(name, value)| (name, value)));
    let output = command.output().await.unwrap();
    let output_text = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8(output_text).unwrap())
}

fn key_of(bucket: &Url) -> Vec<(&'static str, String)> {
    let (id, secret) = testkit::BUCKET_KEY;
    vec![
        ("AWS_ACCESS_KEY_ID", id.to_owned()),
        ("AWS_SECRET_ACCESS_KEY", secret.to_owned()),
        ("AWS_REGION", "af-south-1".to_owned()),
        ("AWS_ENDPOINT", bucket.origin().ascii_serialization()),
        ("AWS_ALLOW_HTTP", "true".to_owned()),
    ]
}

/// Every file below a folder, with when it was written.
fn files(folder: &Path) -> BTreeMap<String, SystemTime> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => {
                    let name = path.strip_prefix(folder).unwrap().to_string_lossy().into_owned();
                    found.insert(name, fs::metadata(&path).unwrap().modified().unwrap());
                }
            }
        }
    }
    found
}

/// Follows the published master to the last segment: each is there, and is what was made. Answers the folder of the streams.
fn follow(there: &Path, made: &Path) -> String {
    let master = fs::read(there.join("master.m3u8")).unwrap();
    let master = parse_master_playlist_res(&master).unwrap();
    let lists: Vec<String> = master.variants.iter().map(|variant| variant.uri.clone()).collect();
    assert_eq!(lists.iter().filter(|list| !list.contains("-av1/")).count(), 2, "two variants");
    let (version, _) = lists[0].split_once('/').unwrap();
    for list in &lists {
        let below = list.strip_prefix(&format!("{version}/")).unwrap();
        let text = fs::read_to_string(there.join(list)).unwrap();
        assert_eq!(text, fs::read_to_string(made.join(below)).unwrap());
        let folder = below.strip_suffix("index.m3u8").unwrap();
        let playlist = parse_media_playlist_res(text.as_bytes()).unwrap();
        let head = playlist.segments[0].map.as_ref().unwrap();
        for name in playlist.segments.iter().map(|segment| &segment.uri).chain([&head.uri]) {
            let file = format!("{folder}{name}");
            assert_eq!(fs::read(there.join(version).join(&file)).unwrap(), fs::read(made.join(&file)).unwrap());
        }
    }
    for file in ["fallback.mp4", "poster.webp", "card.clip.webp", "rendition.json"] {
        assert_eq!(fs::read(there.join(file)).unwrap(), fs::read(made.join(file)).unwrap(), "{file}");
    }
    version.to_owned()
}

#[actix_web::test]
async fn publish_uploads_only_missing_files() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("buckets");
    let bucket = testkit::bucket(&root, "films").await;
    let (media, there) = (film(place.path(), 6), root.join("films/vod/mcfunny").join(FILM));
    let made = media.join(FILM);
    fs::write(media.join("fragment.csv"), "service\n").unwrap();
    fs::create_dir_all(media.join(".half.part")).unwrap();
    let send = async || publish(&media, "s3://films/vod/mcfunny", &key_of(&bucket)).await;

    let (fine, output_text) = send().await;
    assert!(fine && output_text.contains("0 were there already"), "{output_text}");
    let first = follow(&there, &made);
    let at = |name: &str| fs::metadata(root.join("films/vod/mcfunny").join(name));
    assert!(at("fragment.csv").is_err() && at(".half.part").is_err(), "only renditions are published");
    let store = AmazonS3Builder::new().with_endpoint(bucket.origin().ascii_serialization()).with_allow_http(true);
    let (id, secret) = testkit::BUCKET_KEY;
    let store = store.with_bucket_name("films").with_region("af-south-1").with_access_key_id(id);
    let store = store.with_secret_access_key(secret).build().unwrap();
    for (file, kind, kept) in [
        ("master.m3u8", "application/vnd.apple.mpegurl", "max-age=60"),
        (&format!("{first}/240p/index.m3u8"), "application/vnd.apple.mpegurl", "max-age=31536000, immutable"),
        (&format!("{first}/240p/00000.m4s"), "video/iso.segment", "max-age=31536000, immutable"),
        (&format!("{first}/144p/init_0.mp4"), "video/mp4", "max-age=31536000, immutable"),
        ("fallback.mp4", "video/mp4", "max-age=60"),
        ("card.clip.webp", "image/webp", "max-age=60"),
        ("rendition.json", "application/json", "max-age=60"),
    ] {
        let headers = store.get(&format!("vod/mcfunny/{FILM}/{file}").into()).await.unwrap().attributes;
        assert_eq!(headers.get(&Attribute::ContentType).map(AsRef::as_ref), Some(kind), "{file}");
        assert_eq!(headers.get(&Attribute::CacheControl).map(AsRef::as_ref), Some(kept), "{file}");
    }

    let before = files(&there);
    let (fine, output_text) = send().await;
    assert!(fine && output_text.contains("our-film: unchanged"), "{output_text}");
    assert_eq!(files(&there), before, "nothing was written again");

    // A picture of the same size is overwritten by another one.
    let card = fs::metadata(there.join("card.clip.webp")).unwrap().len();
    let other = vec![7_u8; usize::try_from(card).unwrap()];
    store.put(&format!("vod/mcfunny/{FILM}/card.clip.webp").into(), other.into()).await.unwrap();
    let (fine, output_text) = send().await;
    assert!(fine && output_text.contains("our-film: 1 files put"), "{output_text}");
    assert_eq!(follow(&there, &made), first);

    // Players of the previous rendition can go on; the one before that is removed.
    film(place.path(), 5);
    assert!(send().await.0);
    let second = follow(&there, &made);
    assert!(second != first && there.join(&first).join("240p/index.m3u8").exists());
    film(place.path(), 7);
    let (fine, output_text) = send().await;
    assert!(fine && output_text.contains("of earlier renditions removed"), "{output_text}");
    let third = follow(&there, &made);
    let left = files(&there);
    let has = |version: &str| left.keys().any(|file| file.starts_with(version));
    assert_eq!((has(&first), has(&second), has(&third)), (false, true, true));
}

#[actix_web::test]
async fn interrupted_publish_leaves_playable_films_and_resumes() {
    let place = tempfile::tempdir().unwrap();
    let (media, target) = (film(place.path(), 6), place.path().join("target"));
    let to = Url::from_directory_path(&target).unwrap().to_string();
    // A folder stands where the last playlist must go.
    let there = target.join(FILM);
    fs::create_dir_all(there.join("master.m3u8/in-the-way")).unwrap();
    let (fine, output_text) = publish(&media, &to, &[]).await;
    assert!(
        !fine && output_text.contains("master.m3u8") && output_text.contains("once more goes on from here"),
        "{output_text}"
    );
    let sent = files(&there);
    assert!(sent.keys().any(|file| file.ends_with("/240p/index.m3u8")) && sent.contains_key("fallback.mp4"));
    fs::remove_dir_all(there.join("master.m3u8")).unwrap();
    let (fine, output_text) = publish(&media, &to, &[]).await;
    assert!(fine, "{output_text}");
    let version = follow(&there, &media.join(FILM));
    let again = files(&there);
    for (file, at) in sent.iter().filter(|(file, _)| file.starts_with(&version)) {
        assert_eq!(again.get(file), Some(at), "{file} was there already");
    }
    let (fine, output_text) = publish(&media, &to, &[]).await;
    assert!(fine && output_text.contains("unchanged"), "{output_text}");
    // A rendition itself can be published, too.
    let (fine, output_text) = publish(&media.join(FILM), &format!("{to}{FILM}"), &[]).await;
    assert!(fine && output_text.contains(".: unchanged"), "{output_text}");
}

#[actix_web::test]
async fn publish_reports_errors_in_one_line() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("buckets");
    let bucket = testkit::bucket(&root, "films").await;
    let media = film(place.path(), 2);
    let key = key_of(&bucket);
    let with = |name: &'static str, value: &str| {
        key.iter().filter(|(known, _)| *known != name).cloned().chain([(name, value.to_owned())]).collect::<Vec<_>>()
    };
    for (to, settings, words) in [
        ("films/vod", &key, "file:///folder, s3://bucket/prefix"),
        ("https://films.example/vod", &key, "it is no store"),
        ("s3://key:secret@films/vod", &key, "keys belong in variables"),
        ("s3://nowhere/vod", &key, "nowhere"),
        ("s3://films/vod", &with("AWS_SECRET_ACCESS_KEY", "wrong"), "403"),
        ("s3://films/vod", &with("AWS_ENDPOINT", "http://127.0.0.1:1"), "127.0.0.1:1"),
    ] {
        let (fine, output_text) = publish(&media, to, settings).await;
        assert!(!fine && output_text.contains(words) && output_text.trim().lines().count() == 1, "{to}: {output_text}");
        assert!(!output_text.contains("secret@") && !output_text.contains("panicked"), "{output_text}");
    }
    assert!(files(&root.join("films")).is_empty());

    let to = Url::from_directory_path(place.path().join("target")).unwrap().to_string();
    let (fine, output_text) = publish(&place.path().join("nothing"), &to, &[]).await;
    assert!(!fine && output_text.contains("No such file"), "{output_text}");
    let (fine, output_text) = publish(place.path(), &to, &[]).await;
    assert!(fine, "renditions are found at any depth: {output_text}");

    // A rendition that is not whole, or that names a file of another one, does not keep the others from being published.
    let other = media.join("another");
    fs::create_dir_all(&other).unwrap();
    let text = fs::read_to_string(media.join(FILM).join("rendition.json")).unwrap();
    fs::write(other.join("rendition.json"), &text).unwrap();
    let (fine, output_text) = publish(&media, &to, &[]).await;
    assert!(
        !fine && output_text.contains("another: is not whole") && output_text.contains("our-film: "),
        "{output_text}"
    );
    assert!(output_text.contains("1 of 2 renditions were not published"), "{output_text}");
    let mut rendition: serde_json::Value = serde_json::from_str(&text).unwrap();
    rendition["files"] = serde_json::json!([["../our-film/card.clip.webp", 1]]);
    let card = fs::metadata(media.join(FILM).join("card.clip.webp")).unwrap().len();
    rendition["files"][0][1] = card.into();
    fs::write(other.join("rendition.json"), rendition.to_string()).unwrap();
    let (_, output_text) = publish(&media, &to, &[]).await;
    assert!(output_text.contains("which is not in the folder"), "{output_text}");
}

#[actix_web::test]
async fn publish_uploads_a_large_file_in_parts() {
    let place = tempfile::tempdir().unwrap();
    let root = place.path().join("buckets");
    let bucket = testkit::bucket(&root, "films").await;
    let media = film(place.path(), 2);
    let made = media.join(FILM);
    // More than is sent at once.
    let large: Vec<u8> = (0..25_000_000_u32).map(|at| (at.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    fs::write(made.join("fallback.mp4"), &large).unwrap();
    let text = fs::read_to_string(made.join("rendition.json")).unwrap();
    let mut rendition: serde_json::Value = serde_json::from_str(&text).unwrap();
    let files = rendition["files"].as_array_mut().unwrap();
    files.iter_mut().find(|file| file[0] == "fallback.mp4").unwrap()[1] = large.len().into();
    fs::write(made.join("rendition.json"), rendition.to_string()).unwrap();
    let (fine, output_text) = publish(&media, "s3://films", &key_of(&bucket)).await;
    assert!(fine, "{output_text}");
    follow(&root.join("films").join(FILM), &made);
    let (fine, output_text) = publish(&media, "s3://films/", &key_of(&bucket)).await;
    assert!(fine && output_text.contains("unchanged"), "{output_text}");
}
