//! The manifests of editors: kinds of record, their fields, and the rules of each field.
//!
//! `artists`, `memes` and `videos` list the fields of each catalogue. The services validate and stage records by these lists, and the
//! editors' tool reads and documents manifests by them, so that both accept the same manifests.

mod artists;
mod cells;
mod field_types;
mod memes;
mod record;
mod table;
pub(crate) mod translations;
mod videos;

use brands::Kind;
use service::openapi::Endpoints;

pub(crate) use field_types::columns;
pub use field_types::{Captions, CategoryName, Count, DateTime, FieldType, Image, Media, Slug, Title, Words, never};
pub(crate) use record::{Batch, Record, batch, record};
pub use record::{Fault, Source};
pub use table::{Field, Link, PARENT, Table};

/// The records of one kind of service.
#[derive(Clone, Copy)]
pub struct Content {
    /// Its kinds of record, each after those it refers to.
    pub tables: &'static [Table],
    /// The endpoint below `/internal` that stages a batch of them.
    pub records: Endpoints,
}

impl Content {
    /// The records of services of this kind.
    pub const fn of(kind: Kind) -> Self {
        match kind {
            Kind::Comedy | Kind::Diski => artists::CONTENT,
            Kind::Meme => memes::CONTENT,
            Kind::Tt => videos::CONTENT,
        }
    }
}
