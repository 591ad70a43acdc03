//! Editors' manifests, as JSON and as CSV: what is accepted from one form can be written in the other, and means the same.

use std::{io::Write, sync::LazyLock};

use brands::Brands;
use catalogue::manifest::{Content, Source};
use content::{MAX_PROBLEMS, Manifest, Part, Record, csv_columns};
use serde_json::{Map, Value};
use tempfile::NamedTempFile;

target!("manifests", 3000, holds);

static BRANDS: LazyLock<Brands> =
    LazyLock::new(|| Brands::parse(include_str!("../../../../deploy/brands.toml"), "brands.toml").unwrap());

fn read(bytes: &[u8]) -> (NamedTempFile, Result<Manifest, content::Problems>) {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    let manifest = Manifest::read(file.path(), &BRANDS);
    (file, manifest)
}

fn holds(input: &[u8]) {
    let (_file, manifest) = read(input);
    let manifest = match manifest {
        Ok(manifest) => manifest,
        Err(problems) => {
            assert!((1..=MAX_PROBLEMS).contains(&problems.list.len()));
            assert!(problems.list.iter().all(|problem| !problem.message.is_empty()));
            return;
        }
    };
    let mut records = Vec::new();
    let is_the_same = manifest.each(|record| {
        records.push(record);
        true
    });
    assert!(is_the_same, "the file counts as changed, and is not");
    assert_eq!(manifest.records(), records.len() as u64);
    for record in &records {
        check_services_accept(&manifest.parts[record.part], record);
    }
    let (_file, rows) = read(&as_csv(&manifest.parts, &records));
    let rows = rows.unwrap_or_else(|problems| panic!("{problems}"));
    let digests = |manifest: &Manifest| {
        let mut parts: Vec<Part> = manifest.parts.iter().filter(|part| part.records > 0).cloned().collect();
        parts.sort_by(|a, b| a.service.cmp(&b.service));
        parts
    };
    assert_eq!(digests(&rows), digests(&manifest), "the same records in a CSV");
}

/// No service refuses a record that the editors' tool lets pass, by the rules they share.
fn check_services_accept(part: &Part, record: &Record) {
    let folder = BRANDS.by_service_name(part.kind, &part.service).unwrap().media_folder();
    let table = Content::of(part.kind).tables.iter().find(|table| table.rows == record.list).unwrap();
    (table.read)(as_written(record), Source::Json, &folder).unwrap();
}

/// A record's fields as a manifest writes them: on the wire times are UTC and say no offset, which would be Johannesburg's time there.
fn as_written(record: &Record) -> Map<String, Value> {
    let mut body = record.body.clone();
    // On the wire they are one object; in files, each translation is a field.
    if let Some(Value::Object(texts)) = body.remove("translations") {
        body.extend(texts);
    }
    for name in ["datetime", "created_at", "publish_at", "expires_at"] {
        if let Some(Value::String(time)) = body.get_mut(name) {
            time.push('Z');
        }
    }
    body
}

fn as_csv(parts: &[Part], records: &[Record]) -> Vec<u8> {
    let columns = csv_columns();
    let mut rows = csv::Writer::from_writer(Vec::new());
    rows.write_record(&columns).unwrap();
    for record in records {
        let part = &parts[record.part];
        let table = Content::of(part.kind).tables.iter().find(|table| table.rows == record.list).unwrap();
        let body = as_written(record);
        let cell = |column: &String| match (&**column, body.get(column)) {
            ("service", _) => part.service.clone(),
            ("kind", _) => table.kind.to_owned(),
            (_, None) => String::new(),
            (_, Some(Value::String(text))) => text.clone(),
            (_, Some(other)) => other.to_string(),
        };
        rows.write_record(columns.iter().map(cell)).unwrap();
    }
    rows.into_inner().unwrap()
}

#[test]
fn corpus_has_accepted_manifests() {
    let accepted = crate::corpora::inputs("manifests").iter().filter(|input| read(input).1.is_ok()).count();
    assert!(accepted >= 5, "only {accepted}");
}
