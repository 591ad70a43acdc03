//! A manifest file: read once to check it, and again to send it.

use std::{
    fs::File,
    path::{Path, PathBuf},
};

use brands::{Brands, Kind};
use catalogue::files::{self, Found, Service};
pub use catalogue::files::{MAX_DOCUMENT_BYTES, MAX_RECORD_BYTES, Record, columns};
use sha2::{Digest, Sha256};

use crate::{
    Problem,
    problem::{MAX_PROBLEMS, Problems},
};

/// A manifest's part for one service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// The service.
    pub service: String,
    /// Its kind.
    pub kind: Kind,
    /// The number of records.
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
        let mut sums = Sums::default();
        let mut list = Vec::new();
        let services = through(path, brands, &mut |found| match found {
            Found::Record(record) => {
                sums.add(&record);
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
        Ok(Self { path: path.to_owned(), parts: sums.parts(services), brands: brands.clone() })
    }

    /// Reads the file again and passes each record to `take`, until that returns `false`. Returns whether the file is unchanged since it
    /// was checked; where `take` stopped early it counts as unchanged.
    pub fn each(&self, mut take: impl FnMut(Record) -> bool) -> bool {
        let mut sums = Sums::default();
        let (mut continues, mut sound) = (true, true);
        let services = through(&self.path, &self.brands, &mut |found| match found {
            Found::Record(record) => {
                sums.add(&record);
                continues = take(record);
                continues
            }
            // There was none before.
            Found::Problem(_) => {
                sound = false;
                false
            }
        });
        !continues || (sound && services.is_ok_and(|services| sums.parts(services) == self.parts))
    }

    /// The number of records.
    pub fn records(&self) -> u64 {
        self.parts.iter().map(|part| part.records).sum()
    }
}

/// The counts and checksums of a file's parts.
#[derive(Default)]
struct Sums(Vec<(u64, Sha256)>);

impl Sums {
    fn add(&mut self, record: &Record) {
        if self.0.len() <= record.part {
            self.0.resize_with(record.part + 1, Default::default);
        }
        if let Some((count, sum)) = self.0.get_mut(record.part) {
            *count += 1;
            // Fields stand in the order of their names.
            sum.update(record.list);
            sum.update(serde_json::to_vec(&record.body).unwrap_or_default());
            sum.update("\n");
        }
    }

    fn parts(mut self, services: Vec<Service>) -> Vec<Part> {
        self.0.resize_with(services.len(), Default::default);
        let parts = services.into_iter().zip(self.0).map(|(service, (records, sum))| Part {
            service: service.name,
            kind: service.kind,
            records,
            digest: hex(&sum.finalize()),
        });
        parts.collect()
    }
}

fn through(path: &Path, brands: &Brands, emit: &mut dyn FnMut(Found) -> bool) -> Result<Vec<Service>, Problem> {
    let file = File::open(path).map_err(|cause| Problem::at(0, format!("cannot be read: {cause}")))?;
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    files::read(file, &extension, brands, None, service::staff_language(), emit)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
