//! Playlists, read by a parser that is not ours.

use std::{fs, path::Path};

use content::transcode::Transcoded;
use m3u8_rs::{parse_master_playlist_res, parse_media_playlist_res};

fn segments(folder: &Path, name: &str) -> Vec<f32> {
    let text = fs::read(folder.join(name).join("index.m3u8")).unwrap();
    let playlist = parse_media_playlist_res(&text).unwrap();
    assert!(playlist.end_list && playlist.version.is_some_and(|version| version >= 7));
    let map = playlist.segments[0].map.as_ref().unwrap();
    for file in playlist.segments.iter().map(|segment| &segment.uri).chain([&map.uri]) {
        let bytes = fs::read(folder.join(name).join(file)).unwrap();
        let kinds: [&[u8]; 2] = [b"ftyp", b"styp"];
        assert!(kinds.contains(&&bytes[4..8]) || &bytes[4..8] == b"moof" || &bytes[4..8] == b"sidx", "{name}/{file}");
    }
    let lengths: Vec<f32> = playlist.segments.iter().map(|segment| segment.duration).collect();
    assert!(lengths.iter().all(|length| length.round() <= playlist.target_duration as f32), "{lengths:?}");
    lengths
}

/// Every variant is in the master, with its size, and all are cut at the same times, every four seconds.
pub(crate) fn check(folder: &Path, done: &Transcoded, sound: bool) {
    let text = fs::read(folder.join("master.m3u8")).unwrap();
    let master = parse_master_playlist_res(&text).unwrap();
    let variants = &done.rendition.variants;
    let av1 = &done.rendition.av1;
    assert_eq!(master.variants.len(), variants.len() + av1.len());
    assert!(master.alternatives.is_empty(), "the sound is in the variants");
    let mut first: Option<Vec<f32>> = None;
    for report in variants.iter().chain(av1) {
        let is_av1 = report.name.ends_with("-av1");
        let variant =
            master.variants.iter().find(|variant| variant.uri == format!("{}/index.m3u8", report.name)).unwrap();
        let size = variant.resolution.unwrap();
        assert_eq!((size.width, size.height), (u64::from(report.width), u64::from(report.height)));
        let codecs = variant.codecs.as_deref().unwrap_or_default();
        let kind = if is_av1 { "av01.0." } else { "avc1." };
        assert!(codecs.starts_with(kind) && codecs.contains("mp4a.") == sound, "{codecs}");
        assert!(is_av1 || variant.bandwidth >= u64::from(report.bits) * 9 / 10);
        let lengths = segments(folder, &report.name);
        let (last, others) = lengths.split_last().unwrap();
        assert!(
            others.iter().all(|length| (length - 4.0).abs() < 0.01) && *last <= 4.1,
            "{}: {lengths:?}",
            report.name
        );
        match &first {
            None => first = Some(lengths),
            Some(first) => assert_eq!(first, &lengths, "{} is cut elsewhere", report.name),
        }
    }
    assert_eq!(done.rendition.sound, sound);
}
