//! What both forms of a manifest do alike: brands are known, records are checked, and go on to whoever asked for them.

use std::{collections::HashMap, sync::Arc};

use brands::{Brand, Brands};

use super::record::Record;
use crate::{Problem, fields::Shape};

/// A record, or what is wrong with one.
pub enum Found {
    /// A record that is right in itself.
    Record(Record),
    /// Something wrong.
    Problem(Problem),
}

/// A part of a manifest: what belongs to one service.
#[derive(Clone, Debug)]
pub struct Service {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: brands::Kind,
    /// Its media folder.
    pub folder: String,
    /// What it publishes.
    pub shape: &'static Shape,
}

/// A walk through a manifest.
pub struct Walk<'a> {
    brands: &'a Brands,
    emit: &'a mut dyn FnMut(Found) -> bool,
    /// The services met so far.
    pub services: Vec<Service>,
    by_name: HashMap<String, Option<usize>>,
    /// Nobody wants more.
    pub stopped: bool,
}

impl<'a> Walk<'a> {
    /// Begins; `emit` says whether it wants more.
    pub fn new(brands: &'a Brands, emit: &'a mut dyn FnMut(Found) -> bool) -> Self {
        Self { brands, emit, services: Vec::new(), by_name: HashMap::new(), stopped: false }
    }

    /// The part of the service that answers to this name.
    pub fn part(&mut self, name: &str) -> Option<usize> {
        if let Some(part) = self.by_name.get(name) {
            return *part;
        }
        let brand: Option<Arc<Brand>> = self.brands.iter().find(|brand| brand.answers_to(name));
        let part = brand.map(|brand| match self.services.iter().position(|known| known.name == brand.service) {
            Some(part) => part,
            None => {
                self.services.push(Service {
                    name: brand.service.clone(),
                    kind: brand.kind,
                    folder: brand.media_folder(),
                    shape: Shape::of(brand.kind),
                });
                self.services.len() - 1
            }
        });
        // A name is remembered, but not any number of wrong ones.
        if self.by_name.len() < 1000 {
            self.by_name.insert(name.to_owned(), part);
        }
        part
    }

    /// The names that a manifest may use.
    pub fn known_names(&self) -> String {
        self.brands.iter().map(|brand| brand.service.clone()).collect::<Vec<_>>().join(", ")
    }

    /// Hands on what was found.
    pub fn found(&mut self, found: Found) {
        if !self.stopped {
            self.stopped = !(self.emit)(found);
        }
    }

    /// Hands on what is wrong.
    pub fn problem(&mut self, problem: Problem) {
        self.found(Found::Problem(problem));
    }
}
