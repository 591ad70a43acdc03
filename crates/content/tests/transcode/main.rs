//! `content transcode`, on sources that ffmpeg makes here.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on must say so and fail"
)]

mod films;
mod playlists;
mod publish;
mod sources;

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    sync::Mutex,
};

use content::transcode::{Programs, Transcoded, probe, transcode};

use crate::sources::{make, media};

/// Transcodes one source; returns the folder's path and the result, or the error's message.
fn run(source: &Path, out: &Path) -> Result<(PathBuf, Transcoded), String> {
    let mut outcomes = transcode(&[source.to_owned()], out, &Programs::default(), &|_, _| {});
    let done = outcomes.pop().unwrap().map_err(|error| error.to_string())?;
    Ok((out.join(&done.slug), done))
}

fn names(done: &Transcoded) -> Vec<&str> {
    done.rendition.variants.iter().map(|variant| variant.name.as_str()).collect()
}

#[test]
fn transcode_makes_aligned_variants_a_fallback_and_pictures() {
    let place = tempfile::tempdir().unwrap();
    let source = make(
        place.path(),
        "Our Film.mp4",
        &[
            "-f",
            "lavfi",
            "-i",
            "testsrc2=s=1280x720:r=25:d=9",
            "-f",
            "lavfi",
            "-i",
            "sine=d=9",
            "-c:v",
            "libx264",
            "-preset",
            "ultrafast",
            "-c:a",
            "aac",
        ],
    );
    let heard = Mutex::new(0.0_f64);
    let outcomes = transcode(std::slice::from_ref(&source), place.path(), &Programs::default(), &|slug, seconds| {
        assert_eq!(slug, "our-film");
        *heard.lock().unwrap() = seconds;
    });
    let done = outcomes.into_iter().next().unwrap().unwrap();
    assert!((8.0..11.0).contains(&heard.into_inner().unwrap()));
    assert_eq!(names(&done), ["144p", "240p", "360p", "480p", "720p"]);
    let folder = place.path().join("our-film");
    playlists::check(&folder, &done, true);
    for variant in &done.rendition.variants {
        let stream = &media(&folder.join(&variant.name).join("index.m3u8"))["streams"][0];
        assert_eq!(
            (stream["width"].as_u64(), stream["height"].as_u64()),
            (Some(variant.width.into()), Some(variant.height.into()))
        );
        assert_eq!((stream["codec_name"].as_str(), stream["pix_fmt"].as_str()), (Some("h264"), Some("yuv420p")));
        let profile = if variant.height <= 240 { "Constrained Baseline" } else { "Main" };
        assert_eq!(stream["profile"].as_str(), Some(profile), "{}", variant.name);
        assert!(
            variant.bytes > 1000
                && f64::from(u32::try_from(variant.bytes).unwrap()) * 8.0 / 9.0 < f64::from(variant.bits) * 1.5,
            "{variant:?}"
        );
    }
    let in_av1: Vec<&str> = done.rendition.av1.iter().map(|variant| variant.name.as_str()).collect();
    assert_eq!(in_av1, ["144p-av1", "240p-av1", "360p-av1", "480p-av1"], "{:?}", done.rendition.no_av1);
    for (variant, h264) in done.rendition.av1.iter().zip(&done.rendition.variants) {
        let known = media(&folder.join(&variant.name).join("index.m3u8"));
        let (picture, sound) = (&known["streams"][0], &known["streams"][1]);
        assert_eq!((picture["codec_name"].as_str(), picture["pix_fmt"].as_str()), (Some("av1"), Some("yuv420p")));
        assert_eq!((picture["height"].as_u64(), sound["codec_name"].as_str()), (Some(h264.height.into()), Some("aac")));
        assert!(variant.bytes < h264.bytes, "{variant:?} {h264:?}");
    }
    assert!((done.rendition.duration_s - 9.0).abs() < 0.2);
    let fallback = fs::read(folder.join("fallback.mp4")).unwrap();
    let at = |name: &[u8]| fallback.windows(4).position(|window| window == name).unwrap();
    assert!(at(b"moov") < at(b"mdat"), "the index stands in front");
    let sound = media(&folder.join("sound.m4a"));
    assert_eq!(sound["streams"].as_array().map(Vec::len), Some(1));
    let seconds: f64 = sound["format"]["duration"].as_str().unwrap().parse().unwrap();
    assert!((seconds - 9.0).abs() < 0.1, "{seconds}");
    for (name, height) in [("poster.webp", 720), ("card.clip.webp", 270)] {
        assert_eq!(media(&folder.join(name))["streams"][0]["height"], height, "{name}");
    }
}

/// The pixels of a clip's first picture, as one colour.
fn first_colour(clip: &Path) -> Vec<u8> {
    let mut command = Command::new("ffmpeg");
    command.args(["-v", "error", "-i"]).arg(clip);
    command.args(["-frames:v", "1", "-vf", "scale=1:1:flags=area", "-pix_fmt", "rgb24", "-f", "rawvideo", "-"]);
    command.output().unwrap().stdout
}

#[test]
fn transcode_makes_a_silent_clip_that_fits_whatever_moves() {
    let place = tempfile::tempdir().unwrap();
    // Red for the first tenth, then noise, which cannot be compressed.
    let noise = make(
        place.path(),
        "noise.mp4",
        &[
            &["-f", "lavfi", "-i", "color=red:s=640x360:r=25:d=1", "-f", "lavfi"][..],
            &["-i", "color=gray:s=640x360:r=25:d=12,noise=alls=100:allf=t", "-f", "lavfi", "-i", "sine=d=13"],
            &["-filter_complex", "[0][1]concat", "-c:v", "libx264", "-preset", "ultrafast", "-b:v", "3M"],
        ]
        .concat(),
    );
    let brief = sources::small(place.path(), "brief.mp4");
    for (source, seconds) in [(noise, 10.0), (brief, 2.0)] {
        let (folder, _) = run(&source, place.path()).unwrap();
        let clip = folder.join("card.clip.mp4");
        let known = media(&clip);
        let streams = known["streams"].as_array().unwrap();
        assert_eq!(streams.len(), 1, "a clip is silent: {known}");
        assert_eq!(
            (streams[0]["codec_name"].as_str(), streams[0]["pix_fmt"].as_str()),
            (Some("h264"), Some("yuv420p"))
        );
        assert!(matches!(streams[0]["profile"].as_str(), Some("Main" | "Constrained Baseline")), "{known}");
        let played: f64 = known["format"]["duration"].as_str().unwrap().parse().unwrap();
        assert!((played - seconds).abs() < 0.3, "{played}");
        assert!(fs::metadata(&clip).unwrap().len() <= 100_000, "{known}");
        let [red, green, ..] = first_colour(&clip)[..] else { panic!("no picture") };
        assert!(seconds < 10.0 || red.abs_diff(green) < 60, "it begins after the first tenth");
    }
}

#[test]
fn transcode_stays_below_the_bits_of_an_easy_film_and_keeps_one_channel() {
    let place = tempfile::tempdir().unwrap();
    let film = |name: &str, sound: &str| {
        make(
            place.path(),
            name,
            &[
                &["-f", "lavfi", "-i", "testsrc=s=640x360:r=25:d=8", "-f", "lavfi", "-i", sound][..],
                &["-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-shortest"],
            ]
            .concat(),
        )
    };
    let (folder, done) = run(&film("one.mp4", "sine=d=8"), place.path()).unwrap();
    for variant in &done.rendition.variants {
        let stream = &media(&folder.join(&variant.name).join("index.m3u8"))["streams"][1];
        assert_eq!((stream["codec_name"].as_str(), stream["channels"].as_u64()), (Some("aac"), Some(1)));
    }
    let largest = done.rendition.variants.last().unwrap();
    // Eight seconds may take as many bytes as there are bits in a second.
    assert!(largest.bytes * 4 < u64::from(largest.bits), "{largest:?}");

    let six = film("six.mp4", "anoisesrc=d=8,pan=5.1|c0=c0|c1=c0|c2=c0|c3=c0|c4=c0|c5=c0");
    let (folder, done) = run(&six, place.path()).unwrap();
    assert_eq!(media(&folder.join("360p/index.m3u8"))["streams"][1]["channels"], 2);
    assert_eq!(done.rendition.variants[2].bits, 400_000 + 48_000);
    // Noise takes all that it may: 48 kb/s are the most of the sound alone.
    let alone = fs::metadata(folder.join("sound.m4a")).unwrap().len();
    assert!((8 * 4000..8 * 6000).contains(&alone), "{alone}");
}

#[test]
fn transcode_skips_unchanged_sources_and_repeats_incomplete_ones() {
    let place = tempfile::tempdir().unwrap();
    let source = sources::small(place.path(), "a.mp4");
    // An earlier run was killed here.
    fs::create_dir_all(place.path().join(".a.part/144p")).unwrap();
    fs::write(place.path().join(".a.part/144p/half.m4s"), "half").unwrap();
    let (folder, first) = run(&source, place.path()).unwrap();
    assert!(!first.skipped && !place.path().join(".a.part").exists());
    let made = fs::metadata(folder.join("master.m3u8")).unwrap().modified().unwrap();
    let (_, again) = run(&source, place.path()).unwrap();
    assert!(again.skipped);
    assert_eq!(fs::metadata(folder.join("master.m3u8")).unwrap().modified().unwrap(), made);
    fs::write(folder.join("fallback.mp4"), "cut").unwrap();
    assert!(!run(&source, place.path()).unwrap().1.skipped);
    assert!(fs::metadata(folder.join("fallback.mp4")).unwrap().len() > 1000);
    let other = make(place.path(), "a.mp4", &["-f", "lavfi", "-i", "testsrc=s=320x180:r=25:d=2"]);
    let (_, changed) = run(&other, place.path()).unwrap();
    assert!(!changed.skipped && changed.rendition.source_sha256 != first.rendition.source_sha256);
}

#[test]
fn silent_upright_small_and_uneven_sources_come_out_right() {
    let place = tempfile::tempdir().unwrap();
    let lavfi = |name: &str, graph: &str, more: &[&str]| {
        make(
            place.path(),
            name,
            &[&["-f", "lavfi", "-i", graph][..], more, &["-c:v", "libx264", "-preset", "ultrafast"]].concat(),
        )
    };
    let upright = lavfi("upright.mp4", "testsrc2=s=360x640:r=30:d=5", &[]);
    let (folder, done) = run(&upright, place.path()).unwrap();
    assert_eq!(names(&done), ["144p", "240p", "360p"]);
    assert_eq!((done.rendition.variants[2].width, done.rendition.variants[2].height), (360, 640));
    assert_eq!(done.rendition.sound_file(), None, "it is silent");
    playlists::check(&folder, &done, false);

    let (_, done) = run(&lavfi("tiny.mp4", "testsrc2=s=98x74:r=30:d=2", &[]), place.path()).unwrap();
    assert_eq!((done.rendition.variants.len(), done.rendition.variants[0].width), (1, 98));

    // Some pictures stay for a second and others for a thirtieth of one.
    let uneven = lavfi(
        "uneven.mkv",
        "testsrc2=s=320x180:r=30:d=10",
        &["-vf", "select='not(between(mod(n,60),1,30))'", "-fps_mode", "vfr"],
    );
    let (folder, done) = run(&uneven, place.path()).unwrap();
    playlists::check(&folder, &done, false);
    assert!((done.rendition.duration_s - 10.0).abs() < 0.5, "{}", done.rendition.duration_s);

    // Turned by what the file says of itself: shown upright.
    let lying = lavfi("lying.mp4", "testsrc2=s=640x360:r=30:d=2", &[]);
    let turned = place.path().join("turned.mp4");
    sources::turn(&lying, &turned);
    assert_eq!(probe(&turned, &Programs::default()).map(|probe| (probe.width, probe.height)), Ok((360, 640)));
    let (folder, done) = run(&turned, place.path()).unwrap();
    assert_eq!((done.rendition.variants[2].width, done.rendition.variants[2].height), (360, 640));
    let stream = &media(&folder.join("360p/index.m3u8"))["streams"][0];
    assert_eq!((stream["width"].as_u64(), stream["height"].as_u64()), (Some(360), Some(640)));
}

#[test]
fn transcode_maps_hdr_to_sdr() {
    let place = tempfile::tempdir().unwrap();
    let source = make(
        place.path(),
        "bright.mp4",
        &[
            "-f",
            "lavfi",
            "-i",
            "testsrc2=s=320x180:r=25:d=2",
            "-pix_fmt",
            "yuv420p10le",
            "-c:v",
            "libx265",
            "-preset",
            "ultrafast",
            "-x265-params",
            "log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc",
            "-color_primaries",
            "bt2020",
            "-color_trc",
            "smpte2084",
            "-colorspace",
            "bt2020nc",
            "-tag:v",
            "hvc1",
        ],
    );
    assert!(probe(&source, &Programs::default()).unwrap().hdr);
    let (folder, done) = run(&source, place.path()).unwrap();
    playlists::check(&folder, &done, false);
    let stream = &media(&folder.join("144p/index.m3u8"))["streams"][0];
    assert_eq!(stream["pix_fmt"], "yuv420p");
    assert_ne!(stream["color_transfer"], "smpte2084");
}

#[test]
fn transcode_refuses_other_files_in_one_line_and_leaves_nothing() {
    let place = tempfile::tempdir().unwrap();
    let whole = fs::read(sources::small(place.path(), "whole.mp4")).unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = place.path().join(name);
        fs::write(&path, bytes).unwrap();
        path
    };
    // Its index stands in front, as phones and sites write it: half a film says that it is whole.
    let long = make(
        place.path(),
        "long.mp4",
        &[
            "-f",
            "lavfi",
            "-i",
            "testsrc2=s=256x144:r=25:d=8",
            "-c:v",
            "libx264",
            "-preset",
            "ultrafast",
            "-g",
            "25",
            "-movflags",
            "+faststart",
        ],
    );
    let long = fs::read(long).unwrap();
    let matroska = make(
        place.path(),
        "long.mkv",
        &["-f", "lavfi", "-i", "testsrc2=s=256x144:r=25:d=8", "-c:v", "libx264", "-preset", "ultrafast", "-g", "25"],
    );
    let matroska = fs::read(matroska).unwrap();
    let sound = make(place.path(), "sound.mp3", &["-f", "lavfi", "-i", "sine=d=2"]);
    let still = make(place.path(), "still.png", &["-f", "lavfi", "-i", "testsrc=s=64x64:d=1", "-frames:v", "1"]);
    for (source, words) in [
        (file("empty.mp4", b""), "is broken or no video"),
        (file("text.mp4", b"This is not a film."), "is broken or no video"),
        (file("head.mp4", &whole[..whole.len() / 4]), "its header says"),
        (file("half.mp4", &long[..long.len() / 2]), "its header says"),
        (file("nearly.mp4", &long[..long.len() - long.len() / 50]), "its header says"),
        (file("half.mkv", &matroska[..matroska.len() / 2]), "its header says"),
        (
            file(
                "list.m3u8",
                format!(
                    "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n{}/whole.mp4\n#EXT-X-ENDLIST\n",
                    place.path().display()
                )
                .as_bytes(),
            ),
            "film",
        ),
        (sound, "holds no moving picture"),
        (still, "is a still picture"),
        (place.path().join("nowhere.mp4"), "is not a file"),
    ] {
        let out = place.path().join("out");
        fs::create_dir_all(&out).unwrap();
        let message = run(&source, &out).unwrap_err();
        assert!(message.contains(words) && !message.contains('\n'), "{message}");
        assert_eq!(fs::read_dir(&out).unwrap().count(), 0, "{message}");
    }
    let twins = transcode(
        &[place.path().join("a b.mp4"), place.path().join("a-b.mov")],
        place.path(),
        &Programs::default(),
        &|_, _| {},
    );
    assert!(twins[1].as_ref().unwrap_err().to_string().contains("would have the same folder"));
}
