//! A manifest as it lies on disk: read once to check it, and once more to send it, never as a whole.

pub mod csv;
mod cursor;
mod json;
mod record;
mod source;
mod walk;

use std::path::{Path, PathBuf};

use brands::{Brands, Kind};
use sha2::{Digest, Sha256};

pub use record::Record;
pub use source::MAX_RECORD_BYTES;

use self::{
    source::Format,
    walk::{Found, Walk},
};
use crate::{
    Problem,
    problem::{MAX_PROBLEMS, Problems},
};

/// What a manifest has for one service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The service.
    pub service: String,
    /// Its kind.
    pub kind: Kind,
    /// How many records there are.
    pub records: u64,
    /// SHA-256 of what the records say, in hexadecimal: where they stand does not matter.
    pub digest: String,
}

/// A manifest whose records are each right in themselves.
#[derive(Clone, Debug)]
pub struct Manifest {
    /// The file.
    pub path: PathBuf,
    /// Its parts, in the order in which they are first met.
    pub parts: Vec<Part>,
    brands: Brands,
}

impl Manifest {
    /// Reads the file at `path` and checks every record of it.
    pub fn read(path: &Path, brands: &Brands) -> Result<Self, Problems> {
        let mut sums: Vec<(u64, Sha256)> = Vec::new();
        let mut list = Vec::new();
        let services = through(path, brands, &mut |found| match found {
            Found::Record(record) => {
                if sums.len() <= record.part {
                    sums.resize_with(record.part + 1, Default::default);
                }
                if let Some((count, sum)) = sums.get_mut(record.part) {
                    *count += 1;
                    // Fields stand in the order of their names.
                    sum.update(record.list);
                    sum.update(serde_json::to_vec(&record.body).unwrap_or_default());
                    sum.update("\n");
                }
                true
            }
            Found::Problem(problem) => {
                list.push(problem);
                list.len() < MAX_PROBLEMS
            }
        });
        let shown = path.display().to_string();
        let services = match services {
            Ok(services) if list.is_empty() => services,
            Ok(_) => {
                list.sort_by_key(|problem| (problem.line, problem.column));
                return Err(Problems { path: shown, list });
            }
            Err(problem) => return Err(Problems { path: shown, list: vec![problem] }),
        };
        sums.resize_with(services.len(), Default::default);
        let parts = services.into_iter().zip(sums).map(|(service, (records, sum))| Part {
            service: service.name,
            kind: service.kind,
            records,
            digest: hex(&sum.finalize()),
        });
        Ok(Self { path: path.to_owned(), parts: parts.collect(), brands: brands.clone() })
    }

    /// Reads the file once more and hands on every record, as long as more are wanted. The first problem ends it: there was none
    /// before, so somebody has changed the file since.
    pub fn each(&self, mut take: impl FnMut(Record) -> bool) -> Result<(), Problems> {
        let mut problem = None;
        let outcome = through(&self.path, &self.brands, &mut |found| match found {
            Found::Record(record) => take(record),
            Found::Problem(found) => {
                problem = Some(found);
                false
            }
        });
        match outcome.err().or(problem) {
            None => Ok(()),
            Some(problem) => Err(Problems { path: self.path.display().to_string(), list: vec![problem] }),
        }
    }

    /// How many records there are.
    pub fn records(&self) -> u64 {
        self.parts.iter().map(|part| part.records).sum()
    }
}

fn through(path: &Path, brands: &Brands, emit: &mut dyn FnMut(Found) -> bool) -> Result<Vec<walk::Service>, Problem> {
    let (source, format) = source::open(path)?;
    let mut walk = Walk::new(brands, emit);
    match format {
        Format::Json => json::walk(source, &mut walk),
        Format::Csv(delimiter) => csv::walk(source, delimiter, &mut walk),
    }
    Ok(walk.services)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
