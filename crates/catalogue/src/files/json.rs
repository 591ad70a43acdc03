//! A manifest as JSON: one document whose lists are nested, or JSON Lines, one record a line.

use std::{
    borrow::Cow,
    fmt,
    io::{BufRead, Read},
};

use languages::StaffText;
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::{Map, Value, error::Category, value::RawValue};

use super::{
    problem::Fault,
    source::{MAX_DOCUMENT_BYTES, MAX_RECORD_BYTES, Source, unreadable_text},
    walk::{Location, Walk},
};
use crate::manifest::{FieldType as _, PARENT, Slug, Source as Written, Table};

const TOO_LARGE: StaffText = StaffText::new("record-too-large");

/// Walks through a document.
pub(super) fn document(source: Source, walk: &mut Walk<'_>) {
    let mut bytes = Vec::new();
    let read = source.take(MAX_DOCUMENT_BYTES + 1).read_to_end(&mut bytes);
    let outcome = match read {
        Err(cause) => Err(Fault::at(0, unreadable_text(&cause))),
        Ok(length) if length as u64 > MAX_DOCUMENT_BYTES => Err(Fault::at(0, StaffText::new("document-too-large"))),
        Ok(_) => match std::str::from_utf8(&bytes) {
            Ok(text) => Document::new(text, 1).root(walk),
            Err(error) => {
                let before = bytes.get(..error.valid_up_to()).unwrap_or_default();
                let line = before.iter().filter(|byte| **byte == b'\n').count() as u64 + 1;
                Err(Fault::at(line, StaffText::new("not-utf-8")))
            }
        },
    };
    if let Err(problem) = outcome {
        walk.problem(problem);
    }
}

/// Walks through lines.
pub(super) fn lines(mut source: Source, walk: &mut Walk<'_>) {
    let (mut line, mut number) = (Vec::new(), 0);
    while !walk.stopped {
        line.clear();
        number += 1;
        match source.by_ref().take(MAX_RECORD_BYTES + 1).read_until(b'\n', &mut line) {
            Ok(0) => return,
            Ok(length) if length as u64 > MAX_RECORD_BYTES => return walk.problem(Fault::at(number, TOO_LARGE)),
            Ok(_) if line.iter().all(u8::is_ascii_whitespace) => continue,
            Ok(_) => {}
            Err(cause) => return walk.problem(Fault::at(number, unreadable_text(&cause))),
        }
        match std::str::from_utf8(line.trim_ascii_end()) {
            Ok(text) => {
                let document = Document::new(text, number);
                match document.object(text, StaffText::new("object-of-record")) {
                    Ok(fields) => {
                        let Some(given) = document.values(&fields, "", walk) else { continue };
                        walk.row(given, Written::Json, number, |field| document.location_of(&fields, text, "", field));
                    }
                    Err(problem) => walk.problem(problem),
                }
            }
            Err(_) => walk.problem(Fault::at(number, StaffText::new("not-utf-8"))),
        }
    }
}

/// Text of which every part has a place.
struct Document<'t> {
    text: &'t str,
    first_line: u64,
    /// The offsets of its lines.
    begins: Vec<usize>,
}

/// An object's fields as they are written, with duplicates.
struct Fields<'t>(Vec<(Cow<'t, str>, &'t RawValue)>);

/// One step down a JSON Pointer.
fn below(pointer: &str, step: impl fmt::Display) -> String {
    format!("{pointer}/{}", step.to_string().replace('~', "~0").replace('/', "~1"))
}

impl<'t> Document<'t> {
    fn new(text: &'t str, first_line: u64) -> Self {
        let begins = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(end, _)| end + 1);
        Self { text, first_line, begins: std::iter::once(0).chain(begins).collect() }
    }

    fn root(&self, walk: &mut Walk<'_>) -> Result<(), Fault> {
        let mut services = None;
        for (name, value) in self.object(self.text, StaffText::new("object-with-services"))?.0 {
            match &*name {
                "services" => services = Some(value.get()),
                "$schema" => {}
                other => self.unknown(walk, value.get(), below("", other), other, "services, $schema"),
            }
        }
        let Some(services) = services else {
            return Err(Location::of_line(1).fault(StaffText::new("services-missing")));
        };
        let mut met = Vec::new();
        for (name, value) in self.object(services, StaffText::new("object-of-services"))?.0 {
            let pointer = below("/services", &name);
            match walk.part(&name) {
                Some(part) if !met.contains(&part) => {
                    met.push(part);
                    self.service(walk, part, value.get(), &pointer)?;
                }
                Some(_) => {
                    let text = StaffText::new("service-twice").with("service", format!("{name:?}"));
                    walk.problem(self.place(value.get(), Some(pointer)).fault(text));
                }
                None => {
                    let expected = walk.known_names();
                    self.unknown(walk, value.get(), pointer, &name, &expected);
                }
            }
        }
        Ok(())
    }

    fn service(&self, walk: &mut Walk<'_>, part: usize, value: &'t str, pointer: &str) -> Result<(), Fault> {
        let all = walk.tables(part);
        let tables = || all.iter().filter(|table| table.parent().is_none());
        for (name, value) in self.object(value, StaffText::new("object-of-lists"))?.0 {
            let pointer = below(pointer, &name);
            match tables().find(|table| table.rows == name) {
                Some(table) => self.records(walk, part, table, value.get(), &pointer, None)?,
                None => {
                    let lists = tables().map(|table| table.rows).collect::<Vec<_>>().join(", ");
                    self.unknown(walk, value.get(), pointer, &name, &lists);
                }
            }
        }
        Ok(())
    }

    /// A list of records, each with the list of those that belong to it, where any do.
    fn records(
        &self,
        walk: &mut Walk<'_>,
        part: usize,
        table: &'static Table,
        list: &'t str,
        pointer: &str,
        parent: Option<&Value>,
    ) -> Result<(), Fault> {
        let inner = walk.tables(part).iter().find(|inner| inner.parent().is_some_and(|of| of.rows == table.rows));
        let records: Vec<&RawValue> = self.read(list, StaffText::new("list-at").with("pointer", pointer))?;
        for (number, record) in records.into_iter().enumerate() {
            if walk.stopped {
                return Ok(());
            }
            let (text, pointer) = (record.get(), below(pointer, number));
            let mut fields = match self.object(text, StaffText::new("object-of-kind").with("kind", table.kind)) {
                Ok(fields) => fields,
                Err(fault) => {
                    walk.problem(fault.at_pointer(pointer));
                    continue;
                }
            };
            let items: Vec<_> = fields.0.extract_if(.., |(name, _)| inner.is_some_and(|i| i.rows == *name)).collect();
            if fields.0.iter().map(|(_, value)| value.get().len() as u64).sum::<u64>() > MAX_RECORD_BYTES {
                return Err(self.place(text, Some(pointer)).fault(TOO_LARGE));
            }
            let Some(mut given) = self.values(&fields, &pointer, walk) else { continue };
            // A wrong slug is reported for the group alone, not for each record in it.
            let slug =
                given.get("slug").and_then(Value::as_str).filter(|slug| Slug((*slug).to_owned()).check("").is_ok());
            let slug = Value::from(slug.unwrap_or("unknown"));
            if let (Some(parent), true) = (parent, !given.contains_key(PARENT)) {
                given.insert(PARENT.to_owned(), parent.clone());
            }
            let location_of = |field: &str| self.location_of(&fields, text, &pointer, field);
            walk.record(part, table, given, Written::Json, location_of("").line, location_of);
            for (name, items) in items {
                if let Some(inner) = inner {
                    self.records(walk, part, inner, items.get(), &below(&pointer, name), Some(&slug))?;
                }
            }
        }
        Ok(())
    }

    /// The values of an object's fields; none where a name stands twice or a value cannot be read, which is reported.
    fn values(&self, fields: &Fields<'t>, pointer: &str, walk: &mut Walk<'_>) -> Option<Map<String, Value>> {
        let mut values = Map::new();
        for (name, value) in &fields.0 {
            let fault = match serde_json::from_str(value.get()) {
                Ok(value) => values.insert(name.clone().into_owned(), value).map(|_| StaffText::new("stands-twice")),
                Err(error) => Some(message_of(&error)),
            };
            if let Some(fault) = fault {
                walk.problem(self.place(value.get(), Some(below(pointer, name))).fault(fault).of(name));
                return None;
            }
        }
        Some(values)
    }

    fn unknown(&self, walk: &mut Walk<'_>, value: &str, pointer: String, name: &str, expected: &str) {
        let text = StaffText::new("unknown-here").with("name", format!("{name:?}")).with("expected", expected);
        walk.problem(self.place(value, Some(pointer)).fault(text));
    }

    fn object(&self, text: &'t str, expected: StaffText) -> Result<Fields<'t>, Fault> {
        self.read(text, expected)
    }

    /// Reads a part of the text; where it is of another kind, `expected` is reported.
    fn read<T: Deserialize<'t>>(&self, text: &'t str, expected: StaffText) -> Result<T, Fault> {
        serde_json::from_str(text).map_err(|error| {
            let start = self.place(text, None);
            let (line, column) = (error.line().max(1) as u64, error.column().max(1) as u64);
            let column = if line == 1 { start.column.unwrap_or(1) + column - 1 } else { column };
            let place = Location { line: start.line + line - 1, column: Some(column), pointer: None };
            if error.is_data() {
                start.fault(StaffText::new("belongs-here").with("expected", expected))
            } else {
                place.fault(message_of(&error))
            }
        })
    }

    /// The position of a part of the text.
    fn place(&self, part: &str, pointer: Option<String>) -> Location {
        let offset = (part.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        let line = self.begins.partition_point(|begin| *begin <= offset).saturating_sub(1);
        let column = offset - self.begins.get(line).copied().unwrap_or_default() + 1;
        Location { line: self.first_line + line as u64, column: Some(column as u64), pointer }
    }

    /// The position of a record's field, or of the record if it does not have the field.
    fn location_of(&self, fields: &Fields<'t>, record: &str, pointer: &str, field: &str) -> Location {
        let value = fields.0.iter().find(|(name, _)| name == field).map_or(record, |(_, value)| value.get());
        let pointer = (!pointer.is_empty()).then(|| below(pointer, field));
        self.place(value, pointer)
    }
}

/// An error in plain words, without its place.
fn message_of(error: &serde_json::Error) -> StaffText {
    match error.classify() {
        Category::Eof => StaffText::new("json-ends"),
        _ if error.to_string().contains("recursion limit") => StaffText::new("json-too-deep"),
        _ => StaffText::new("no-json"),
    }
}

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Collect;

        impl<'de> Visitor<'de> for Collect {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::with_capacity(16);
                while let Some((Name(name), value)) = map.next_entry()? {
                    fields.push((name, value));
                }
                Ok(Fields(fields))
            }
        }

        from.deserialize_map(Collect)
    }
}

/// A name that is copied only where it is escaped.
#[derive(Deserialize)]
struct Name<'t>(#[serde(borrow)] Cow<'t, str>);
