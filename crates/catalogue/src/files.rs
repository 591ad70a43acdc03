//! Manifests as files: CSV the way spreadsheets write it, JSON Lines, or one JSON document. The editors' tool and the import of an uploaded
//! file read them by the same code, and `export` writes the CSV that it reads.

mod cells;
pub(crate) mod export;
mod json;
mod problem;
mod source;
mod walk;

use std::io::Read;

use brands::Brands;
use languages::Language;

pub use self::{
    problem::{MAX_PROBLEMS, Problem},
    source::{MAX_DOCUMENT_BYTES, MAX_RECORD_BYTES},
    walk::{Found, Record, Service, columns},
};
use self::{source::Format, walk::Walk};

/// Reads the bytes of a file with this extension, and passes each record, or what is wrong with it, to `emit`, which says whether it wants
/// more. Records of other services than `only` are problems, which are written in `language`. Returns the services in the order in which they are first met.
pub fn read(
    bytes: impl Read + 'static,
    extension: &str,
    brands: &Brands,
    only: Option<&str>,
    language: Language,
    emit: &mut dyn FnMut(Found) -> bool,
) -> Result<Vec<Service>, Problem> {
    let (source, format) = source::open(bytes, extension).map_err(|fault| fault.written(language))?;
    let mut walk = Walk::new(brands, only, language, emit);
    match format {
        Format::Document => json::document(source, &mut walk),
        Format::Lines => json::lines(source, &mut walk),
        Format::Cells { delimiter, header } => cells::read(source, delimiter, header, &mut walk),
    }
    Ok(walk.services)
}
