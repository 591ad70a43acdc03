//! Manifests: of any size, and as the services take them.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufWriter, Result, Write},
    path::Path,
};

use serde_json::{Map, Value, json};

/// Categories of each kind in a manifest.
pub const MANIFEST_GROUPS: usize = 50;

/// The lists of records that a service takes, from its part of a manifest: what stands below a record goes into a list of its own, with
/// that record for its parent. And how many there are.
pub fn flat_records(part: &Value) -> (Value, u64) {
    let (mut lists, mut count) = (BTreeMap::new(), 0);
    lay_out(part, &mut lists, &mut count);
    (json!(lists), count)
}

/// Moves what stands in `record`'s lists to where it belongs; answers what is left of it.
fn lay_out(record: &Value, lists: &mut BTreeMap<String, Vec<Value>>, count: &mut u64) -> Map<String, Value> {
    let mut left = Map::new();
    for (name, value) in record.as_object().into_iter().flatten() {
        let Some(children) = value.as_array().filter(|children| children.iter().all(Value::is_object)) else {
            left.insert(name.clone(), value.clone());
            continue;
        };
        for child in children {
            *count += 1;
            let place = *count;
            let mut child = lay_out(child, lists, count);
            child.insert("place".to_owned(), place.into());
            child.extend(record.get("slug").map(|slug| ("parent".to_owned(), slug.clone())));
            lists.entry(name.clone()).or_default().push(child.into());
        }
    }
    left
}

/// Writes a manifest of so many videos on demand and memes, in [`MANIFEST_GROUPS`] categories each; what does not divide is left out.
pub fn write_manifest(path: &Path, videos: usize, memes: usize) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    write!(file, r#"{{"services":{{"memeworld":{{"categories":["#)?;
    groups(&mut file, "name", "memes", memes, |number| {
        format!(
            r#"{{"slug":"meme-{number}","title":"When the lights go off at {number}","image":"https://images.spaza.example/m/{number}.webp","created_at":"2026-03-05 18:30:00"}}"#
        )
    })?;
    write!(file, r#"]}},"ttmbhatv":{{"categories":["#)?;
    groups(&mut file, "category_name", "videos", videos, |number| {
        format!(
            r#"{{"slug":"video-{number}","name":"Video {number}","video_name":"The whole of {number}","artist":"Crew","status":"drama","media":"ttmbhatv/{number}/master.m3u8","image":"https://images.spaza.example/v/{number}.webp","datetime":"2026-03-05 18:30:00","duration_s":61,"bytes":1234567}}"#
        )
    })?;
    write!(file, "]}}}}}}")?;
    file.flush()
}

/// Writes groups whose name stands in `name`, and in whose list `items` entries stand.
fn groups(file: &mut impl Write, name: &str, items: &str, count: usize, entry: impl Fn(usize) -> String) -> Result<()> {
    let share = count / MANIFEST_GROUPS;
    for group in 0..MANIFEST_GROUPS {
        let comma = if group > 0 { "," } else { "" };
        writeln!(file, r#"{comma}{{"slug":"group-{group}","{name}":"Group v{group}","{items}":["#)?;
        for number in group * share..(group + 1) * share {
            writeln!(file, "{}{}", if number > group * share { "," } else { "" }, entry(number))?;
        }
        writeln!(file, "]}}")?;
    }
    Ok(())
}
