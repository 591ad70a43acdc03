//! Where editors' work is taken in.

use std::sync::Arc;

use brands::{Brand, Brands, Kind};
use store::{Db, Replies};

use crate::{Error, Table};

/// One catalogue's desk: its tables, the replies that forget when they change, and whose records it takes.
#[derive(Clone)]
pub struct Desk {
    /// The catalogue's database.
    pub db: Db,
    /// Its ready replies.
    pub replies: Replies,
    /// The family's brands.
    pub brands: Brands,
    /// Which of them are the catalogue's own.
    pub kind: Kind,
    /// What it publishes; what others link to stands before them.
    pub tables: &'static [Table],
}

impl Desk {
    /// The catalogue's own brand that answers to this name.
    pub fn brand(&self, service: &str) -> Result<Arc<Brand>, Error> {
        self.brands.by_service_name(self.kind, service).ok_or(Error::UnknownService)
    }
}
