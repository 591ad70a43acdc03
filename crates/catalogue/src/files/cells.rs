//! A manifest as a CSV, the way spreadsheets write it: one record a row, its service and kind in columns of their own.

use csv::{ByteRecord, ReaderBuilder};
use languages::StaffText;
use serde_json::{Map, Value};

use super::{
    problem::Fault,
    source::{Bounded, Source},
    walk::{self, Location, Walk},
};
use crate::manifest::{Source as Written, translations};

/// Walks through the rows.
pub(super) fn read(source: Source, delimiter: u8, first_line: u64, walk: &mut Walk<'_>) {
    let (source, marker) = Bounded::new(source);
    let mut rows = ReaderBuilder::new().delimiter(delimiter).flexible(true).from_reader(source);
    let header = match rows.byte_headers() {
        Ok(header) => header.clone(),
        Err(error) => return walk.problem(failed(&error, first_line)),
    };
    let Some(columns) = columns(&header, first_line, walk) else { return };
    // Where lines end with CR LF, the reader counts an LF only as it reads the next row.
    let first_line = first_line + u64::from(rows.position().line() == 1);
    let mut row = ByteRecord::new();
    while !walk.stopped {
        marker.begin_record();
        let line = rows.position().line();
        match rows.read_byte_record(&mut row) {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => return walk.problem(failed(&error, first_line - 1 + line)),
        }
        let line = row.position().map_or(line, csv::Position::line);
        take(&row, &columns, first_line - 1 + line, walk);
    }
}

fn failed(error: &csv::Error, line: u64) -> Fault {
    match error.kind() {
        csv::ErrorKind::Io(cause) if cause.kind() == std::io::ErrorKind::FileTooLarge => {
            Fault::at(line, StaffText::new("row-too-large"))
        }
        _ => Fault::at(line, StaffText::new("parser-words").with("words", error.to_string())),
    }
}

/// The names of the columns, empty ones among them where spreadsheets leave them; none where rows cannot be understood.
fn columns(header: &ByteRecord, line: u64, walk: &mut Walk<'_>) -> Option<Vec<String>> {
    let known = walk::columns();
    let mut columns: Vec<String> = Vec::new();
    let mut right = true;
    let mut wrong = |text: StaffText| {
        right = false;
        walk.problem(Fault::at(line, text));
    };
    for cell in header {
        let name = String::from_utf8_lossy(cell).trim().to_lowercase();
        let is_known = name.is_empty() || known.contains(&name);
        if let Err(fault) = translations::check_language(&name)
            && !is_known
            && translations::is_name(&name)
        {
            wrong(StaffText::new("column-fault").with("column", format!("{name:?}")).with("fault", fault));
        } else if !is_known {
            wrong(
                StaffText::new("no-such-column").with("column", format!("{name:?}")).with("columns", known.join(", ")),
            );
        } else if !name.is_empty() && columns.contains(&name) {
            wrong(StaffText::new("column-twice").with("column", format!("{name:?}")));
        }
        columns.push(name);
    }
    for name in ["service", "kind", "slug"] {
        if !columns.iter().any(|column| column == name) {
            wrong(StaffText::new("column-missing").with("column", format!("{name:?}")));
        }
    }
    right.then_some(columns)
}

fn take(row: &ByteRecord, columns: &[String], line: u64, walk: &mut Walk<'_>) {
    let mut given = Map::new();
    let mut right = true;
    for (number, cell) in row.iter().enumerate().filter(|(_, cell)| !cell.trim_ascii().is_empty()) {
        let column = columns.get(number).map(String::as_str).unwrap_or_default();
        match std::str::from_utf8(cell) {
            _ if column.is_empty() => {
                right = false;
                let text = StaffText::new("cell-without-column").with("cell", number + 1);
                walk.problem(Fault::at(line, text));
            }
            Ok(text) => drop(given.insert(column.to_owned(), Value::from(text))),
            Err(_) => {
                right = false;
                walk.problem(Fault::at(line, StaffText::new("not-utf-8")).of(column));
            }
        }
    }
    if right && !given.is_empty() {
        walk.row(given, Written::Cells, line, |_| Location::of_line(line));
    }
}
