//! What every handler of the meme service works with.

use brands::Brands;
use identity::SessionVerifier;
use service::{AdminToken, StartError};
use store::{Db, Replies};

use crate::{Config, MIGRATIONS, draw::Draws};

/// The meme service: its database, its ready replies, the ids it draws from.
#[derive(Clone)]
pub struct App {
    /// The service's tables.
    pub db: Db,
    /// Its ready replies.
    pub replies: Replies,
    /// The ids that random memes are drawn from.
    pub draws: Draws,
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
        let db = Db::open(&config.store, "meme", MIGRATIONS).await?;
        Ok(Self {
            replies: Replies::open(&db, &config.store, "meme").await?,
            db,
            draws: Draws::default(),
            brands,
            verifier,
            admin_token: AdminToken::new(config.admin_token.as_deref()),
        })
    }

    /// The brand of a request that may come without a site of its own: the site's, else the first meme brand.
    pub fn service_of(&self, site: Option<&identity::Site>) -> Result<String, crate::error::Error> {
        site.map(|site| site.brand.clone())
            .filter(|brand| brand.kind == brands::Kind::Meme)
            .or_else(|| self.brands.iter().find(|brand| brand.kind == brands::Kind::Meme))
            .map(|brand| brand.service.clone())
            .ok_or(crate::error::Error::UnknownService)
    }

    /// Where editors' work is taken in.
    pub fn desk(&self) -> intake::Desk {
        intake::Desk {
            db: self.db.clone(),
            replies: self.replies.clone(),
            brands: self.brands.clone(),
            kind: brands::Kind::Meme,
            tables: crate::import::TABLES,
        }
    }
}
