//! What editors send: the kinds of record, their fields, and what each field holds.
//!
//! `artists`, `memes` and `videos` list the fields of each catalogue. The services check and stage records by these lists, and the
//! editors' tool reads and describes manifests by them, so that neither refuses what the other accepts.

mod artists;
mod forms;
mod memes;
mod record;
mod table;
mod videos;

use brands::Kind;
use service::openapi::Endpoints;

pub(crate) use forms::columns;
pub use forms::{Captions, CategoryName, Count, DateTime, Form, Image, Media, Slug, Title, Words, never};
pub(crate) use record::{Batch, Record, batch, record};
pub use record::{Fault, Source};
pub use table::{Field, Link, PARENT, Table};

/// What the services of one kind publish.
#[derive(Clone, Copy)]
pub struct Content {
    /// Its kinds of record, each after what it links to.
    pub tables: &'static [Table],
    /// The call below `/internal` that takes a batch of them.
    pub records: Endpoints,
}

impl Content {
    /// What the services of this kind publish.
    pub const fn of(kind: Kind) -> Self {
        match kind {
            Kind::Comedy | Kind::Diski => artists::CONTENT,
            Kind::Meme => memes::CONTENT,
            Kind::Tt => videos::CONTENT,
        }
    }
}
