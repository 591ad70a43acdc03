//! What every handler of a catalogue works with.

use brands::Brands;
use service::{AdminToken, StartError};
use store::{Db, Replies};

use crate::{CatalogueConfig, MIGRATIONS, Publication};

/// One catalogue: its database, its ready replies, its brands.
#[derive(Clone)]
pub struct App {
    /// Which service this is.
    pub publication: Publication,
    /// The catalogue's tables.
    pub db: Db,
    /// Its ready replies.
    pub replies: Replies,
    /// The family's brands, for service names and aliases.
    pub brands: Brands,
    /// Opens `/internal`.
    pub admin_token: AdminToken,
}

impl App {
    /// Reads the brands, opens the database and brings its tables up to date.
    pub async fn open(publication: Publication, config: &CatalogueConfig) -> Result<Self, StartError> {
        let brands = Brands::load(&config.brands_file).map_err(|error| StartError::Setting(error.to_string()))?;
        if config.production.on {
            brands.check_production()?;
            service::refuse_weak_admin_token(config.admin_token.as_deref())?;
        }
        brands.follow(&config.brands_file);
        let db = Db::open(&config.store, publication.name, MIGRATIONS).await?;
        Ok(Self {
            publication,
            replies: Replies::open(&db, &config.store, publication.name).await?,
            db,
            brands,
            admin_token: AdminToken::new(config.admin_token.as_deref()),
        })
    }

    /// Where editors' work is taken in.
    pub fn desk(&self) -> intake::Desk {
        intake::Desk {
            db: self.db.clone(),
            replies: self.replies.clone(),
            brands: self.brands.clone(),
            kind: self.publication.kind,
            tables: crate::import::TABLES,
        }
    }
}
