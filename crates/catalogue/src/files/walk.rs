//! What all forms of a manifest do alike: services are known by name, and records are checked and handed on.

use std::{collections::HashMap, sync::Arc};

use brands::{Brand, Brands, Kind};
use languages::{Language, StaffText};
use serde_json::{Map, Value};

use super::{Problem, problem::Fault};
use crate::manifest::{Content, PARENT, Source as Written, Table};

/// A record that is right in itself.
#[derive(Clone, Debug)]
pub struct Record {
    /// The index of its part of the manifest.
    pub part: usize,
    /// The list it stands in, on the wire.
    pub list: &'static str,
    /// Its line.
    pub place: u64,
    /// Its fields.
    pub body: Map<String, Value>,
}

/// A record, or what is wrong with one.
pub enum Found {
    /// A record that is right in itself.
    Record(Record),
    /// Something wrong.
    Problem(Problem),
}

/// A place in a manifest.
#[derive(Clone, Debug, Default)]
pub struct Location {
    /// The line, from 1.
    pub line: u64,
    /// The column in bytes, from 1, where it is known.
    pub column: Option<u64>,
    /// Its position in a JSON document.
    pub pointer: Option<String>,
}

impl Location {
    /// A whole line.
    pub fn of_line(line: u64) -> Self {
        Self { line, ..Self::default() }
    }

    /// The fault at this position.
    pub fn fault(self, message: StaffText) -> Fault {
        Fault::at(self.line, message).within(self.column, self.pointer)
    }
}

/// A part of a manifest: what belongs to one service.
#[derive(Clone, Debug)]
pub struct Service {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// Its media folder.
    folder: String,
}

/// The columns that a CSV may have.
pub fn columns() -> Vec<String> {
    let tables = || [Kind::Comedy, Kind::Meme, Kind::Tt].into_iter().flat_map(|kind| Content::of(kind).tables);
    let mut columns = ["service", "kind", "slug", PARENT].map(str::to_owned).to_vec();
    for name in tables().flat_map(Table::names).map(str::to_owned).chain(tables().flat_map(Table::translations)) {
        if !columns.contains(&name) {
            columns.push(name);
        }
    }
    columns
}

/// A walk through a manifest.
pub struct Walk<'a> {
    brands: &'a Brands,
    emit: &'a mut dyn FnMut(Found) -> bool,
    /// The services met so far.
    pub services: Vec<Service>,
    by_name: HashMap<String, Option<usize>>,
    /// The only service whose records are accepted.
    only: Option<&'a str>,
    /// The language of problems.
    language: Language,
    /// The caller needs no more records.
    pub stopped: bool,
}

impl<'a> Walk<'a> {
    /// Begins; `emit` returns whether it needs more. Records of other services than `only` are problems.
    pub fn new(
        brands: &'a Brands,
        only: Option<&'a str>,
        language: Language,
        emit: &'a mut dyn FnMut(Found) -> bool,
    ) -> Self {
        Self { brands, emit, services: Vec::new(), by_name: HashMap::new(), only, language, stopped: false }
    }

    /// The part of the service that answers to this name.
    pub fn part(&mut self, name: &str) -> Option<usize> {
        if let Some(part) = self.by_name.get(name) {
            return *part;
        }
        let brand: Option<Arc<Brand>> = self.brands.iter().find(|brand| brand.has_name(name));
        let part = brand.map(|brand| match self.services.iter().position(|known| known.name == brand.service) {
            Some(part) => part,
            None => {
                let (name, folder) = (brand.service.clone(), brand.media_folder());
                self.services.push(Service { name, kind: brand.kind, folder });
                self.services.len() - 1
            }
        });
        // A name is remembered, but not any number of wrong ones.
        if self.by_name.len() < 1000 {
            self.by_name.insert(name.to_owned(), part);
        }
        part
    }

    /// The kinds of record that a part may have.
    pub fn tables(&self, part: usize) -> &'static [Table] {
        self.services.get(part).map_or(&[], |service| Content::of(service.kind).tables)
    }

    /// The names that a manifest may use.
    pub fn known_names(&self) -> String {
        self.brands.iter().map(|brand| brand.service.clone()).collect::<Vec<_>>().join(", ")
    }

    /// A record that names its service and kind itself, in fields of these names.
    pub fn row(
        &mut self,
        mut given: Map<String, Value>,
        written: Written,
        line: u64,
        location_of: impl Fn(&str) -> Location,
    ) {
        let mut text = |name: &str| match given.remove(name) {
            Some(Value::String(text)) => text,
            _ => String::new(),
        };
        let (service, kind) = (text("service"), text("kind"));
        let Some(part) = self.part(&service) else {
            let text = StaffText::new("unknown-service")
                .with("service", format!("{service:?}"))
                .with("services", self.known_names());
            return self.problem(location_of("service").fault(text).of("service"));
        };
        let tables = self.tables(part);
        let Some(table) = tables.iter().find(|table| table.kind == kind) else {
            let kinds = tables.iter().map(|table| table.kind).collect::<Vec<_>>().join(", ");
            let text = StaffText::new("unknown-kind")
                .with("service", service)
                .with("kind", format!("{kind:?}"))
                .with("kinds", kinds);
            return self.problem(location_of("kind").fault(text).of("kind"));
        };
        self.record(part, table, given, written, line, location_of);
    }

    /// Checks a record and hands it on, or tells what is wrong with it and where.
    pub fn record(
        &mut self,
        part: usize,
        table: &Table,
        given: Map<String, Value>,
        written: Written,
        line: u64,
        location_of: impl Fn(&str) -> Location,
    ) {
        let Some(Service { name, folder, .. }) = self.services.get(part).cloned() else { return };
        if let Some(only) = self.only.filter(|only| *only != name) {
            let text = StaffText::new("other-service").with("service", name).with("only", only);
            return self.problem(location_of("service").fault(text).of("service"));
        }
        match (table.read)(given, written, &folder) {
            Ok(body) => self.found(Found::Record(Record { part, list: table.rows, place: line, body })),
            Err(faults) => {
                for (field, message) in faults {
                    self.problem(location_of(&field).fault(message).of(&field));
                }
            }
        }
    }

    /// Hands on what was found.
    fn found(&mut self, found: Found) {
        if !self.stopped {
            self.stopped = !(self.emit)(found);
        }
    }

    /// Hands on what is wrong.
    pub fn problem(&mut self, fault: Fault) {
        self.found(Found::Problem(fault.written(self.language)));
    }
}
