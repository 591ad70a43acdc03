//! Films as cameras, television and editing programs make them: in step, of one length, without a comb, and the right streams of them.

use std::{fs, path::Path, process::Command};

use content::transcode::{Programs, probe, transcode};

use crate::{
    run,
    sources::{make, media},
};

/// A picture with a flash and a sound with a beep, both at this second.
const MARK: f64 = 1.5;

fn black(seconds: f64, begins: f64) -> String {
    let mark = MARK - begins;
    format!("color=black:s=192x108:r=25:d={seconds},drawbox=c=white:t=fill:enable='between(t,{mark},{})'", mark + 0.2)
}

fn quiet(seconds: f64, begins: f64) -> String {
    let mark = MARK - begins;
    format!("aevalsrc='if(between(t,{mark},{}),0.8*sin(5530*t),0)':d={seconds}:s=44100", mark + 0.2)
}

/// A source with a picture and a sound of these seconds, each beginning at its own.
fn marked(place: &Path, name: &str, picture: (f64, f64), sound: (f64, f64)) -> std::path::PathBuf {
    let (black, quiet) = (black(picture.1, picture.0), quiet(sound.1, sound.0));
    let (picture, sound) = (picture.0.to_string(), sound.0.to_string());
    make(
        place,
        name,
        &[
            &["-itsoffset", &picture, "-f", "lavfi", "-i", &black, "-itsoffset", &sound, "-f", "lavfi", "-i", &quiet][..],
            &["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-c:a", "aac"],
        ]
        .concat(),
    )
}

/// The seconds at which ffmpeg's detectors find the flash and the beep, without edit lists.
fn marks(file: &Path) -> (f64, f64) {
    let output = Command::new("ffmpeg")
        .args(["-nostdin", "-hide_banner", "-v", "info", "-nostats", "-ignore_editlist", "1", "-i"])
        .arg(file)
        .args(["-vf", "blackdetect=d=0.05:pix_th=0.5", "-af", "silencedetect=noise=-30dB:d=0.05", "-f", "null", "-"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    let after = |words: &str| -> f64 {
        let at = text.find(words).expect(words) + words.len();
        text[at..].split_whitespace().next().unwrap().parse().unwrap()
    };
    (after("black_end:"), after("silence_end:"))
}

/// The length of a file's picture and of its sound.
fn lengths(file: &Path) -> Vec<f64> {
    let known = media(file);
    let streams = known["streams"].as_array().unwrap();
    streams.iter().map(|stream| stream["duration"].as_str().unwrap().parse().unwrap()).collect()
}

/// Transcodes a source, and checks that each rendition is in step, has no edit list, and is this long.
fn check(source: &Path, seconds: f64, beep: bool) {
    let out = tempfile::tempdir().unwrap();
    let (folder, done) = run(source, out.path()).unwrap();
    let name = source.file_name().unwrap().to_string_lossy().into_owned();
    assert!((done.rendition.duration_s - seconds).abs() <= 0.1, "{name}: {}", done.rendition.duration_s);
    let mut files = vec![folder.join("fallback.mp4")];
    for variant in &done.rendition.variants {
        let mut segments: Vec<_> =
            fs::read_dir(folder.join(&variant.name)).unwrap().map(|entry| entry.unwrap().path()).collect();
        segments.retain(|path| path.extension().is_some_and(|ending| ending == "m4s"));
        segments.sort();
        let parts = [vec![folder.join(&variant.name).join("init.mp4")], segments].concat();
        let whole: Vec<u8> = parts.iter().flat_map(|path| fs::read(path).unwrap()).collect();
        files.push(out.path().join(format!("{}.mp4", variant.name)));
        fs::write(files.last().unwrap(), whole).unwrap();
    }
    for file in files {
        let bytes = fs::read(&file).unwrap();
        assert!(!bytes.windows(4).any(|four| four == b"elst"), "{name}: {} has an edit list", file.display());
        let (flash, sound) = marks(&file);
        assert!((flash - sound).abs() <= 0.1 || !beep, "{name}: {} flash {flash}, beep {sound}", file.display());
        if file.ends_with("fallback.mp4") {
            let lengths = lengths(&file);
            assert!(lengths.iter().all(|length| (length - seconds).abs() <= 0.1), "{name}: {lengths:?}");
        }
    }
}

#[test]
fn sound_that_begins_or_ends_elsewhere_is_in_step_and_as_long_as_the_picture() {
    let place = tempfile::tempdir().unwrap();
    for (name, picture, sound, seconds) in [
        ("late.mp4", (0.0, 4.0), (0.7, 3.3), 4.0),
        ("later.mkv", (0.0, 4.0), (1.3, 2.7), 4.0),
        ("early.mp4", (0.8, 3.2), (0.0, 4.0), 4.0),
        ("short.mp4", (0.0, 4.0), (0.0, 2.0), 4.0),
        ("long.mp4", (0.0, 2.5), (0.0, 6.0), 2.5),
        ("late.ts", (0.0, 4.0), (0.9, 3.1), 4.0),
    ] {
        check(&marked(place.path(), name, picture, sound), seconds, true);
    }
}

#[test]
fn text_track_of_the_film_becomes_its_captions() {
    let place = tempfile::tempdir().unwrap();
    let film = marked(place.path(), "film.mkv", (1.0, 3.0), (1.0, 3.0));
    let words = |name: &str, words: &str| {
        let path = place.path().join(name);
        fs::write(&path, words).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let signs = words("signs.srt", "1\n00:00:02,000 --> 00:00:03,000\nSTOP\n");
    let lines = "1\n00:00:01,500 --> 00:00:02,500\nAwe, Lwazi!\n\n2\n00:00:09,000 --> 00:00:10,000\nBehind the end\n";
    let lines = words("lines.srt", lines);
    let how = [
        "-copyts",
        "-i",
        film.to_str().unwrap(),
        "-i",
        &signs,
        "-i",
        &lines,
        "-map",
        "0",
        "-map",
        "1",
        "-map",
        "2",
        "-c",
        "copy",
    ];
    let marks = ["-disposition:s:0", "forced+default", "-metadata:s:s:1", "language=zul"];
    for (name, codec) in [("with words.mp4", "mov_text"), ("with words.mkv", "subrip")] {
        let source = make(place.path(), name, &[&how[..], &["-c:s", codec], &marks].concat());
        let out = tempfile::tempdir().unwrap();
        let (folder, done) = run(&source, out.path()).unwrap();
        assert_eq!(done.rendition.captions_file(), Some("captions.zul.vtt"), "{name}");
        let captions = fs::read_to_string(folder.join("captions.zul.vtt")).unwrap();
        // The film begins with its first picture and sound, which in MP4 is a frame of AAC earlier.
        assert!(captions.starts_with("WEBVTT\n\n00:00.5"), "{name}: {captions}");
        assert!(captions.trim_end().ends_with("\nAwe, Lwazi!"), "{name}: {captions}");
    }
    let (_, done) = run(&film, place.path()).unwrap();
    assert_eq!(done.rendition.captions_file(), None);
}

#[test]
fn gap_in_the_sound_is_silence() {
    let place = tempfile::tempdir().unwrap();
    let whole = marked(place.path(), "whole.mkv", (0.0, 4.0), (0.0, 4.0));
    // The packets between are dropped, and the others keep their times.
    let gap = make(
        place.path(),
        "gap.mkv",
        &["-i", whole.to_str().unwrap(), "-c", "copy", "-bsf:a", "noise=drop='between(pts*tb,0.4,1.2)'"],
    );
    check(&gap, 4.0, true);
}

#[test]
fn clip_that_a_phone_has_trimmed_is_in_step() {
    let place = tempfile::tempdir().unwrap();
    let whole = marked(place.path(), "whole.mp4", (0.0, 5.0), (0.0, 5.0));
    // Cut between two keyframes: the pictures before are in the file, and an edit list hides them.
    let trimmed = make(place.path(), "trimmed.mp4", &["-ss", "0.9", "-i", whole.to_str().unwrap(), "-c", "copy"]);
    let out = tempfile::tempdir().unwrap();
    let (folder, _) = run(&trimmed, out.path()).unwrap();
    let (flash, beep) = marks(&folder.join("fallback.mp4"));
    assert!((flash - beep).abs() <= 0.1 && (flash - 0.6).abs() <= 0.15, "{flash} {beep}");
}

#[test]
fn whole_matroska_is_accepted_whatever_its_header_says() {
    let place = tempfile::tempdir().unwrap();
    let plain = marked(place.path(), "plain.mkv", (0.0, 3.0), (0.0, 3.0));
    fs::write(place.path().join("words.srt"), "1\n00:00:20,000 --> 00:00:21,000\nLate\n").unwrap();
    let words = place.path().join("words.srt");
    let subtitle = make(
        place.path(),
        "subtitle.mkv",
        &["-i", plain.to_str().unwrap(), "-i", words.to_str().unwrap(), "-map", "0", "-map", "1", "-c", "copy"],
    );
    check(&subtitle, 3.0, true);
    let later =
        make(place.path(), "later.mkv", &["-i", plain.to_str().unwrap(), "-c", "copy", "-output_ts_offset", "100"]);
    check(&later, 3.0, true);
}

#[test]
fn file_that_was_cut_is_refused_before_anything_is_encoded() {
    let place = tempfile::tempdir().unwrap();
    for name in ["a.mp4", "a.mkv", "a.avi", "a.flv", "a.wmv", "a.mov", "a.webm", "a.ogv", "a.mxf", "a.ts", "a.m2ts"] {
        let codecs: &[&str] = match name {
            "a.webm" => &["-c:v", "libvpx", "-deadline", "realtime", "-c:a", "libopus", "-ar", "48000"],
            "a.flv" => &["-c:v", "flv", "-c:a", "aac"],
            "a.ogv" => &["-c:v", "libtheora", "-c:a", "libvorbis"],
            "a.mxf" => &["-c:v", "mpeg2video", "-c:a", "pcm_s16le", "-ar", "48000"],
            "a.avi" | "a.wmv" => &[],
            _ => &["-c:v", "libx264", "-preset", "ultrafast", "-c:a", "aac", "-movflags", "+faststart"],
        };
        let codecs = if matches!(name, "a.mkv" | "a.ts" | "a.m2ts") { &codecs[..6] } else { codecs };
        let source = make(
            place.path(),
            name,
            &[&["-f", "lavfi", "-i", "testsrc2=s=192x108:r=25:d=3", "-f", "lavfi", "-i", "sine=d=3"][..], codecs]
                .concat(),
        );
        assert!(probe(&source, &Programs::default()).is_ok(), "{name}: {:?}", probe(&source, &Programs::default()));
        let bytes = fs::read(&source).unwrap();
        // Not between two packets of a transport stream, whose length is nowhere.
        for kept in [bytes.len() / 2 - 1, bytes.len() * 97 / 100 - 1] {
            let cut = place.path().join(format!("cut-{kept}-{name}"));
            fs::write(&cut, &bytes[..kept]).unwrap();
            let cause = probe(&cut, &Programs::default()).unwrap_err();
            assert!(cause.contains("it is not whole"), "{name}, {kept} of {}: {cause}", bytes.len());
        }
    }
}

#[test]
fn whole_flash_film_is_accepted_whatever_stands_behind_its_last_tag() {
    let place = tempfile::tempdir().unwrap();
    let whole = marked(place.path(), "whole.flv", (0.0, 3.0), (0.0, 3.0));
    let bytes = fs::read(&whole).unwrap();
    let (tags, size) = bytes.split_at(bytes.len() - 4);
    for (name, end) in [("none", &[][..]), ("nought", &[0; 4]), ("filled", &[size, &[0; 100]].concat())] {
        let source = place.path().join(format!("{name}.flv"));
        fs::write(&source, [tags, end].concat()).unwrap();
        assert!(probe(&source, &Programs::default()).is_ok(), "{name}");
    }
}

#[test]
fn picture_of_fields_has_no_comb() {
    let place = tempfile::tempdir().unwrap();
    // A bar that moves six pixels from field to field.
    let bar = "nullsrc=s=720x576:r=50:d=2,geq=lum='if(between(X-mod(T*300,600),0,60),235,16)':cb=128:cr=128";
    let combed = |file: &Path| -> u64 {
        let look = ["-vf", "idet", "-f", "null", "-"];
        let output = Command::new("ffmpeg").args(["-hide_banner", "-nostats", "-i"]).arg(file).args(look).output();
        let text = String::from_utf8(output.unwrap().stderr).unwrap();
        let line = text.lines().find(|line| line.contains("Multi frame detection")).unwrap();
        let counts: Vec<u64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        counts[0] + counts[1]
    };
    for (name, flags) in [("marked.mp4", &["-flags", "+ilme+ildct", "-x264opts", "tff=1"][..]), ("unmarked.mp4", &[])] {
        let source = make(
            place.path(),
            name,
            &[
                &["-f", "lavfi", "-i", bar, "-vf", "interlace=lowpass=0,setfield=tff"][..],
                if flags.is_empty() { &["-vf", "interlace=lowpass=0,setfield=prog"] } else { &[] },
                &["-c:v", "libx264", "-preset", "ultrafast", "-qp", "10", "-pix_fmt", "yuv420p"],
                flags,
            ]
            .concat(),
        );
        let (folder, _) = run(&source, place.path()).unwrap();
        let (before, after) = (combed(&source), combed(&folder.join("480p").join("index.m3u8")));
        assert!(before > 40 && after == 0, "{name}: {before} pictures with a comb, {after} in 480p");
    }
    // Nine seconds of a title, and a film of less than a minute behind it.
    let behind = format!(
        "color=blue:s=720x576:r=50:d=9[title];{bar}[film];[title][film]concat,interlace=lowpass=0,setfield=prog"
    );
    let how =
        ["-f", "lavfi", "-i", &behind, "-c:v", "libx264", "-preset", "ultrafast", "-qp", "10", "-pix_fmt", "yuv420p"];
    let behind = make(place.path(), "behind.mp4", &how);
    assert!(probe(&behind, &Programs::default()).unwrap().fields.is_some());
    let plain = make(place.path(), "plain.mp4", &["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=2"]);
    assert_eq!(probe(&plain, &Programs::default()).unwrap().fields, None);
}

#[test]
fn default_sound_and_the_film_itself_are_accepted() {
    let place = tempfile::tempdir().unwrap();
    let film = marked(place.path(), "film.mkv", (0.0, 3.0), (0.0, 3.0));
    let film = film.to_str().unwrap();
    let sounds = make(
        place.path(),
        "sounds.mkv",
        &[
            &["-i", film, "-f", "lavfi", "-i", "sine=d=3", "-map", "0:v", "-map", "1:a", "-map", "0:a"][..],
            &["-c:v", "copy", "-disposition:a:0", "comment", "-disposition:a:1", "default"],
        ]
        .concat(),
    );
    assert_eq!(probe(&sounds, &Programs::default()).unwrap().sound, Some(2));
    check(&sounds, 3.0, true);
    // MPEG-H, of which ffmpeg knows the name alone.
    let two = ["-i", film, "-map", "0:v", "-map", "0:a", "-map", "0:a", "-c", "copy"];
    let marks = ["-disposition:a:0", "default", "-disposition:a:1", "0"];
    let two = make(place.path(), "two.mp4", &[&two[..], &marks].concat());
    let mut bytes = fs::read(&two).unwrap();
    for (name, other) in [(b"mp4a", b"mhm1"), (b"esds", b"free")] {
        let at = bytes.windows(4).position(|four| four == name).unwrap();
        bytes[at..at + 4].copy_from_slice(other);
    }
    fs::write(&two, bytes).unwrap();
    assert_eq!(probe(&two, &Programs::default()).unwrap().sound, Some(2));
    let nearly_empty = make(
        place.path(),
        "nearly-empty.mkv",
        &[
            &["-i", film, "-f", "lavfi", "-i", "sine=d=0.05", "-map", "0:v", "-map", "1:a", "-map", "0:a"][..],
            &["-c:v", "copy", "-disposition:a:0", "default", "-disposition:a:1", "0"],
        ]
        .concat(),
    );
    check(&nearly_empty, 3.0, true);
    let cover = make(place.path(), "cover.jpg", &["-f", "lavfi", "-i", "testsrc=s=640x640:d=1", "-frames:v", "1"]);
    let covered = make(
        place.path(),
        "covered.mkv",
        &[
            &["-i", cover.to_str().unwrap(), "-i", film, "-map", "0", "-map", "1", "-c", "copy"][..],
            &["-disposition:v:0", "default", "-disposition:v:1", "0"],
        ]
        .concat(),
    );
    assert_eq!(probe(&covered, &Programs::default()).unwrap().picture, 1);
    check(&covered, 3.0, true);
}

#[test]
fn film_of_any_name_has_a_folder_and_keeps_its_title() {
    let place = tempfile::tempdir().unwrap();
    // Without sound, and too small for AV1: it is about names.
    let picture = "color=size=62x34:rate=10:duration=1";
    let small =
        make(place.path(), "small.mp4", &["-f", "lavfi", "-i", picture, "-c:v", "libx264", "-pix_fmt", "yuv420p"]);
    let names = testkit::corpus("names");
    let others = ["видео.mp4", "\u{1f602}.mp4", "….mp4"].map(str::to_owned);
    let sources: Vec<_> = names.iter().map(|(name, _)| name.clone()).chain(others).collect();
    let sources: Vec<_> = sources.iter().map(|name| place.path().join(name)).collect();
    for source in &sources {
        fs::copy(&small, source).unwrap();
    }
    let out = place.path().join("out 50%d");
    fs::create_dir(&out).unwrap();
    let outcomes = transcode(&sources, &out, &Programs::default(), &|_, _| {});
    let done: Vec<_> = outcomes.into_iter().map(Result::unwrap).collect();
    for ((name, right), done) in names.iter().zip(&done) {
        assert_eq!(&format!("{} {}", done.slug, done.title), right, "{name}");
    }
    for done in &done[names.len()..] {
        assert!(done.slug.starts_with("film-") && out.join(&done.slug).join("fallback.mp4").exists(), "{done:?}");
    }
}
