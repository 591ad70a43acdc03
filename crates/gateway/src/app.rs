//! The gateway's parts, built from the settings before the first request.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use brands::Brands;
use identity::{Msisdn, SessionVerifier};
use service::StartError;
use url::Url;

use crate::{
    Config,
    cache::ReplyCache,
    images::Images,
    media::Media,
    ops::Ops,
    pages::{Forms, Pages},
    previews::Previews,
    proxy::Proxy,
    rates::Rates,
    routes::Routes,
    session::Sessions,
    upstream::Upstreams,
    vitals::Vitals,
};

/// How often rate limits of idle clients are removed.
const RETAIN_INTERVAL: Duration = Duration::from_secs(5);

/// The parts, each with references to those it needs.
pub(crate) struct App {
    pub(crate) brands: Brands,
    pub(crate) pages: Arc<Pages>,
    pub(crate) upstreams: Arc<Upstreams>,
    pub(crate) rates: Arc<Rates>,
    pub(crate) routes: Routes,
    pub(crate) ops: Ops,
}

impl App {
    /// Validates all settings; an error names the setting.
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
        config.check_production(&brands)?;
        let operator = Url::parse(&config.operator_public_url)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
            .ok_or_else(|| {
                setting("OPERATOR_PUBLIC_URL", &format!("{:?} is no http address", config.operator_public_url))
            })?;
        let upstreams = Arc::new(Upstreams::new(config));
        let sessions = Arc::new(Sessions::new(verifier, test_msisdn.is_some(), upstreams.clone(), brands.clone()));
        let rates = Arc::new(Rates::new(config.protection.rate_limit, config.protection.rate_burst));
        let proxy = Arc::new(Proxy {
            brands: brands.clone(),
            enrichment: config.enrichment.clone(),
            sessions: sessions.clone(),
            previews: Previews::new(config.staff_token_public_keys.as_deref(), &brands, config.production)?,
            replies: Arc::new(ReplyCache::new(upstreams.clone())),
            upstreams: upstreams.clone(),
        });
        let films_from = Media::redirect_origin(&config.media_origin);
        let pages = Arc::new(Pages::load(config, &brands, &operator, films_from, test_msisdn, proxy.clone())?);
        let routes = Routes {
            rates: rates.clone(),
            body_patience: Duration::from_secs(config.protection.body_seconds),
            upstreams: upstreams.clone(),
            media: Media::new(config, brands.clone(), sessions)?,
            proxy: proxy.clone(),
            images: Images::new(&config.image_origins, &config.images)?,
            pages: pages.clone(),
            forms: Forms::new(pages.clone(), brands.clone(), proxy),
            vitals: Vitals::new(brands.clone(), pages.clone()),
        };
        let ops = Ops { upstreams: upstreams.clone() };
        Ok(Self { brands, pages, upstreams, rates, routes, ops })
    }
}

/// Removes the rate limits of idle clients, as long as the gateway runs.
pub(crate) async fn remove_idle_rates(rates: Weak<Rates>) {
    while let Some(rates) = rates.upgrade() {
        rates.retain_recent();
        drop(rates);
        tokio::time::sleep(RETAIN_INTERVAL).await;
    }
}
