//! What the handlers share: built once from the settings, complete before the first request.

use std::sync::Arc;

use arc_swap::ArcSwap;
use brands::Brands;
use identity::{Enrichment, Msisdn, SessionVerifier};
use url::Url;
use web::{Cidrs, StartError};

use crate::{
    Config, NAME, cache::Replies, images::Images, media::Media, openapi::Documents, pages::Frontend, rates::Rates,
    session::Sessions, site::Directory, upstreams::Upstreams,
};

/// The gateway's state.
pub(crate) struct App {
    pub(crate) brands: Brands,
    pub(crate) directory: ArcSwap<Directory>,
    public_port: u16,
    pub(crate) upstreams: Upstreams,
    pub(crate) replies: Replies,
    pub(crate) sessions: Sessions,
    pub(crate) media: Media,
    pub(crate) images: Images,
    pub(crate) frontend: Frontend,
    pub(crate) documents: Documents,
    pub(crate) rates: Rates,
    /// The proxies before us.
    pub(crate) proxies: Cidrs,
    /// The header in which a network names its subscriber's number.
    pub(crate) enrichment: Enrichment,
}

impl App {
    /// Checks every setting; a failure names the one at fault.
    pub(crate) fn new(config: &Config) -> Result<Self, StartError> {
        let setting = |name: &str, cause: &dyn std::fmt::Display| StartError::Setting(format!("{name}: {cause}"));
        let brands = Brands::load(&config.brands_file).map_err(|error| StartError::Setting(error.to_string()))?;
        let verifier = SessionVerifier::parse(&config.session_public_keys)
            .map_err(|error| setting("SESSION_PUBLIC_KEYS", &error))?;
        let test_msisdn = config
            .test_msisdn
            .as_deref()
            .filter(|number| !number.is_empty())
            .map(Msisdn::parse)
            .transpose()
            .map_err(|error| setting("TEST_MSISDN", &error))?;
        if config.production && test_msisdn.is_some() {
            return Err(setting("TEST_MSISDN", &"must not be set together with PRODUCTION=1"));
        }
        let operator = Url::parse(&config.operator_public_url)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or_else(|| {
                setting("OPERATOR_PUBLIC_URL", &format!("{:?} is no http address", config.operator_public_url))
            })?;
        Ok(Self {
            directory: ArcSwap::from_pointee(Directory::new(&brands, config.public_port)),
            public_port: config.public_port,
            upstreams: Upstreams::new(config),
            replies: Replies::new(),
            sessions: Sessions::new(verifier, test_msisdn.is_some()),
            media: Media::new(&config.media_dir, &config.media_origin)?,
            images: Images::new(&config.image_origins, &config.images)?,
            frontend: Frontend::load(
                &config.frontend_dir,
                &brands,
                &operator,
                Media::elsewhere(&config.media_origin),
                test_msisdn,
            )?,
            documents: Documents::new(),
            rates: Rates::new(config.protection.rate_limit, config.protection.rate_burst),
            proxies: config.trusted_proxies.clone(),
            enrichment: config.enrichment.clone(),
            brands,
        })
    }

    /// Makes what every brand has here: its pages, and its place in the directory. It may block.
    pub(crate) fn renew(&self, brands: &Brands) -> Result<(), String> {
        let directory = Directory::new(brands, self.public_port);
        self.frontend.renew(brands).map_err(|error| format!("FRONTEND_DIR: {error}"))?;
        self.directory.store(Arc::new(directory));
        Ok(())
    }
}

/// A folder from a setting, as the one absolute path that every file below it is compared with.
pub(crate) fn folder(setting: &str, folder: &std::path::Path) -> Result<std::path::PathBuf, StartError> {
    let fault = |cause: String| StartError::Setting(format!("{setting}: cannot read {}: {cause}", folder.display()));
    let real = folder.canonicalize().map_err(|cause| fault(cause.to_string()))?;
    if real.is_dir() { Ok(real) } else { Err(fault("it is not a folder".to_owned())) }
}

/// A handler's work that could not be handed to another thread.
pub(crate) fn interrupted(error: impl std::fmt::Display) -> crate::error::Error {
    crate::error::Error::Internal(format!("{NAME}: blocking work was interrupted: {error}"))
}
