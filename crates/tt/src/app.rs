//! What every handler of the video-on-demand service works with.

use brands::{Brands, Kind};
use identity::{SessionVerifier, Site};
use service::{AdminToken, StartError};
use store::{Db, Replies};

use crate::{Config, MIGRATIONS, error::Error};

/// The video-on-demand service: its database, its ready replies, the family's brands.
#[derive(Clone)]
pub struct App {
    /// The service's tables.
    pub db: Db,
    /// Its ready replies.
    pub replies: Replies,
    /// The family's brands.
    pub brands: Brands,
    /// Verifies sessions.
    pub verifier: SessionVerifier,
    /// Opens `/internal`.
    pub admin_token: AdminToken,
}

impl App {
    /// Reads brands and keys, opens the database and brings its tables up to date.
    pub async fn open(config: &Config) -> Result<Self, StartError> {
        let brands = Brands::load(&config.brands_file).map_err(|error| StartError::Setting(error.to_string()))?;
        if config.production.on {
            brands.check_production()?;
            service::refuse_weak_admin_token(config.admin_token.as_deref())?;
            service::refuse_published("SESSION_PUBLIC_KEYS", config.session_public_keys.as_bytes())?;
        }
        brands.follow(&config.brands_file);
        let verifier = SessionVerifier::parse(&config.session_public_keys)
            .map_err(|error| StartError::Setting(format!("SESSION_PUBLIC_KEYS: {error}")))?;
        let db = Db::open(&config.store, "tt", MIGRATIONS).await?;
        Ok(Self {
            replies: Replies::open(&db, &config.store, "tt").await?,
            db,
            brands,
            verifier,
            admin_token: AdminToken::new(config.admin_token.as_deref()),
        })
    }

    /// The service that a name in an address means, through the aliases.
    pub fn service_named(&self, name: &str) -> Result<String, Error> {
        self.brands.by_service_name(Kind::Tt, name).map(|brand| brand.service.clone()).ok_or(Error::UnknownService)
    }

    /// The service of the request's host, where that is a brand of this kind.
    pub fn service_of(site: Option<&Site>) -> Result<String, Error> {
        site.map(|site| &site.brand)
            .filter(|brand| brand.kind == Kind::Tt)
            .map(|brand| brand.service.clone())
            .ok_or(Error::UnknownService)
    }

    /// Where editors' work is taken in.
    pub fn desk(&self) -> intake::Desk {
        intake::Desk {
            db: self.db.clone(),
            replies: self.replies.clone(),
            brands: self.brands.clone(),
            kind: Kind::Tt,
            tables: crate::import::TABLES,
        }
    }
}
