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

/// Writes a manifest, as JSON Lines, of so many videos on demand and memes, in [`MANIFEST_GROUPS`] categories each; what does not divide is
/// left out.
pub fn write_manifest(path: &Path, videos: usize, memes: usize) -> Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    groups(&mut file, "memeworld", "name", "meme", memes, |number| {
        format!(
            r#""title":"When the lights go off at {number}","image":"https://images.spaza.example/m/{number}.webp","created_at":"2026-03-05 18:30:00""#
        )
    })?;
    groups(&mut file, "ttmbhatv", "category_name", "video", videos, |number| {
        format!(
            r#""name":"Video {number}","video_name":"The whole of {number}","artist":"Crew","status":"drama","media":"ttmbhatv/{number}/master.m3u8","image":"https://images.spaza.example/v/{number}.webp","datetime":"2026-03-05 18:30:00","duration_s":61,"bytes":1234567"#
        )
    })?;
    file.flush()
}

/// Writes a service's categories, whose name stands in `name`, each with its share of records of this kind.
fn groups(
    file: &mut impl Write,
    service: &str,
    name: &str,
    kind: &str,
    count: usize,
    fields: impl Fn(usize) -> String,
) -> Result<()> {
    let share = count / MANIFEST_GROUPS;
    for group in 0..MANIFEST_GROUPS {
        let slug = format!("group-{group}");
        writeln!(file, r#"{{"service":"{service}","kind":"category","slug":"{slug}","{name}":"Group v{group}"}}"#)?;
        for number in group * share..(group + 1) * share {
            let fields = fields(number);
            writeln!(
                file,
                r#"{{"service":"{service}","kind":"{kind}","slug":"{kind}-{number}","parent":"{slug}",{fields}}}"#
            )?;
        }
    }
    Ok(())
}
