//! A manifest as rows: one record a row, its service and kind in columns of their own.

use std::{borrow::Cow, io::Read};

use csv::{ByteRecord, ReaderBuilder};
use serde_json::Map;

use super::{
    record::{self, Given, Record},
    source::Bounded,
    walk::{Found, Walk},
};
use crate::{
    Problem,
    fields::{Field, Form, PARENT, Shape},
};

/// Walks through the rows.
pub fn walk(source: impl Read, delimiter: u8, walk: &mut Walk<'_>) {
    let (source, marker) = Bounded::new(source);
    let mut reader = ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(source);
    let header = match reader.byte_headers() {
        Ok(header) => header.clone(),
        Err(error) => return walk.problem(failed(&error, 1)),
    };
    let Some(columns) = columns(&header, walk) else { return };
    let mut row = ByteRecord::new();
    loop {
        marker.begin_record();
        let line = reader.position().line();
        match reader.read_byte_record(&mut row) {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => return walk.problem(failed(&error, line)),
        }
        let line = row.position().map_or(line, csv::Position::line);
        take(&row, &columns, line, walk);
        if walk.stopped {
            return;
        }
    }
}

fn failed(error: &csv::Error, line: u64) -> Problem {
    match error.kind() {
        csv::ErrorKind::Io(cause) if cause.kind() == std::io::ErrorKind::FileTooLarge => {
            Problem::at(line, "the row that begins here is larger than 1 MiB: is a quote left open?")
        }
        _ => Problem::at(line, error.to_string()),
    }
}

/// The names of the columns; none where rows cannot be understood.
fn columns(header: &ByteRecord, walk: &mut Walk<'_>) -> Option<Vec<String>> {
    let known: Vec<&str> = names().collect();
    let mut columns: Vec<String> = Vec::new();
    let mut right = true;
    for cell in header {
        let name = String::from_utf8_lossy(cell).trim().to_owned();
        let fault = if !known.contains(&name.as_str()) {
            Some(format!("there is no column {name:?}; there are: {}", known.join(", ")))
        } else if columns.contains(&name) {
            Some(format!("the column {name:?} stands twice"))
        } else {
            None
        };
        if let Some(fault) = fault {
            right = false;
            walk.problem(Problem::at(1, fault));
        }
        columns.push(name);
    }
    for name in ["service", "kind", "slug"] {
        if !columns.iter().any(|column| column == name) {
            right = false;
            walk.problem(Problem::at(1, format!("the column {name:?} is missing")));
        }
    }
    right.then_some(columns)
}

/// The columns that a file may have.
pub fn names() -> impl Iterator<Item = &'static str> {
    let shapes = Shape::all().into_iter().flat_map(|(_, shape)| shape.specs());
    let fields = shapes.flat_map(|spec| spec.fields().map(|field| field.name));
    let mut names = vec!["service", "kind", "slug", PARENT.name];
    for name in fields {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.into_iter()
}

fn take(row: &ByteRecord, columns: &[String], line: u64, walk: &mut Walk<'_>) {
    if row.len() != columns.len() {
        let words = format!("the row has {} cells, and the header {}", row.len(), columns.len());
        return walk.problem(Problem::at(line, words));
    }
    let mut right = true;
    let mut cells: Vec<(&str, Cow<'_, str>)> = Vec::new();
    for (column, cell) in columns.iter().zip(row) {
        match std::str::from_utf8(cell) {
            Ok(text) => cells.push((column, text.into())),
            Err(_) => {
                right = false;
                walk.problem(Problem::at(line, "is not UTF-8; save the file as UTF-8").of(column));
                cells.push((column, "".into()));
            }
        }
    }
    let cell = |name: &str| cells.iter().find(|(column, _)| *column == name).map_or("", |(_, text)| text);
    let Some(part) = walk.part(cell("service")) else {
        let words = format!("{:?} is no service; there are: {}", cell("service"), walk.known_names());
        return walk.problem(Problem::at(line, words).of("service"));
    };
    let Some(service) = walk.services.get(part).cloned() else { return };
    let Some(spec) = service.shape.specs().find(|spec| spec.kind == cell("kind")) else {
        let kinds = service.shape.specs().map(|spec| spec.kind).collect::<Vec<_>>().join(", ");
        let words = format!("{} has no {:?}; it has: {kinds}", service.name, cell("kind"));
        return walk.problem(Problem::at(line, words).of("kind"));
    };
    let mut wrong = |walk: &mut Walk<'_>, field: &str, message: String| {
        right = false;
        walk.problem(Problem::at(line, message).of(field));
    };
    for (column, text) in &cells {
        let own = ["service", "kind"].contains(column)
            || (*column == PARENT.name && spec.parent.is_some())
            || spec.fields().any(|field| field.name == *column);
        if !own && !text.is_empty() {
            wrong(walk, column, format!("a {} has none: leave the cell empty", spec.kind));
        }
    }
    let mut body = Map::new();
    for field in spec.parent.map(|_| PARENT).into_iter().chain(spec.fields()) {
        match record::value(spec, field, given(field, cell(field.name)), &service.folder) {
            Ok(Some(value)) => drop(body.insert(field.name.to_owned(), value)),
            Ok(None) => {}
            Err(message) => wrong(walk, field.name, message),
        }
    }
    if let Err((field, message)) = record::whole(&body) {
        wrong(walk, field, message);
    }
    if right {
        walk.found(Found::Record(Record { part, list: spec.list, place: line, body }));
    }
}

fn given(field: Field, text: &str) -> Given<'_> {
    if text.is_empty() {
        Given::Absent
    } else if field.form == Form::Count {
        text.parse().map_or(Given::Text(text.into()), Given::Number)
    } else {
        Given::Text(text.into())
    }
}
