//! Reads and validates the file: rules about all brands together.

use std::{collections::BTreeMap, path::Path, sync::Arc};

use serde::Deserialize;

use crate::{
    Adapter, Brand, Confirmation, Network, NetworkOffer, PRICE_CENTS, Period, Shape, SubscriberNames, TimeOfDay,
    host::is_host_name,
};

/// Why `brands.toml` could not be used; each message is one line that names the file or the entry at fault.
#[derive(Debug, thiserror::Error)]
pub enum BrandsError {
    /// The file could not be opened or read.
    #[error("BRANDS_FILE: cannot read {path}: {cause}")]
    Unreadable {
        /// The path as configured.
        path: String,
        /// The error of the system.
        cause: std::io::Error,
    },
    /// The file is not TOML of the expected form.
    #[error("BRANDS_FILE: {path}: {cause}")]
    Malformed {
        /// The path as configured.
        path: String,
        /// The parser's error, on one line.
        cause: String,
    },
    /// Two entries conflict, or one refers to an entry that does not exist.
    #[error("BRANDS_FILE: {0}")]
    Inconsistent(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    public_url: String,
    #[serde(default = "default_provider")]
    provider: String,
    #[serde(default = "default_month_limit")]
    month_limit_cents: i64,
    #[serde(default)]
    network: BTreeMap<String, Network>,
    #[serde(default)]
    brand: Vec<Brand>,
}

/// The company that SMSes name if the file has none.
fn default_provider() -> String {
    "Spaza".to_owned()
}

/// What five services at R3 a day cost in the longest month.
const fn default_month_limit() -> i64 {
    5 * 31 * PRICE_CENTS
}

/// A lower price is a slip: 3 for R3.
const LOWEST_PRICE_CENTS: i64 = 50;

/// The content of one version of the file, validated.
#[derive(Debug)]
pub(crate) struct Table {
    /// The file's text.
    pub text: String,
    pub public_url: String,
    pub provider: String,
    pub month_limit_cents: i64,
    pub networks: BTreeMap<String, Arc<Network>>,
    pub brands: Vec<Arc<Brand>>,
}

impl Table {
    /// Reads and checks the file at `path`.
    pub fn load(path: &Path) -> Result<Self, BrandsError> {
        let shown = path.display().to_string();
        let text =
            std::fs::read_to_string(path).map_err(|cause| BrandsError::Unreadable { path: shown.clone(), cause })?;
        Self::parse(text, &shown)
    }

    /// Parses and checks `text`; `path` is only for messages.
    pub fn parse(text: String, path: &str) -> Result<Self, BrandsError> {
        let file: File = toml::from_str(&text).map_err(|error| {
            let line =
                error.span().and_then(|span| text.get(..span.start)).map_or(1, |before| before.lines().count().max(1));
            BrandsError::Malformed {
                path: path.to_owned(),
                cause: format!("line {line}: {}", error.message().replace('\n', " ")),
            }
        })?;
        let brands = file.brand.into_iter().map(|brand| Arc::new(brand.resolve_offers())).collect();
        let networks = file.network.into_iter().map(|(name, network)| (name, Arc::new(network))).collect();
        let File { public_url, provider, month_limit_cents, .. } = file;
        let table = Self { text, public_url, provider, month_limit_cents, networks, brands };
        table.check()?;
        Ok(table)
    }

    /// The brand of a host label.
    pub fn by_label(&self, label: &str) -> Option<&Arc<Brand>> {
        self.brands.iter().find(|brand| brand.labels.iter().any(|known| known == label))
    }

    /// The brand that lists this host name; without port and trailing dot, ignoring case.
    pub fn by_domain(&self, name: &str) -> Option<&Arc<Brand>> {
        self.brands.iter().find(|brand| brand.domains.iter().any(|known| known.eq_ignore_ascii_case(name)))
    }

    fn check(&self) -> Result<(), BrandsError> {
        let fault = |text: String| Err(BrandsError::Inconsistent(text));
        if self.brands.is_empty() {
            return fault("it holds no [[brand]]".to_owned());
        }
        let dearest = self.brands.iter().flat_map(|brand| &brand.offers).map(|offer| offer.price_cents).max();
        if let Some(price) = dearest.filter(|price| *price > self.month_limit_cents) {
            return fault(format!(
                "an offer of {price} cents could never be charged: month_limit_cents is {}",
                self.month_limit_cents
            ));
        }
        let own = self.brands.iter().filter_map(|brand| brand.public_url.as_ref());
        for address in std::iter::once(&self.public_url).chain(own) {
            if !address.starts_with("http://") && !address.starts_with("https://") {
                return fault(format!("public_url {address:?} does not begin with http:// or https://"));
            }
        }
        for (name, network) in &self.networks {
            match (network.named_adapter, network.named_shape) {
                (None, None) => return fault(format!("network {name} names no adapter")),
                (Some(adapter), Some(shape)) if adapter.shape() != shape => {
                    return fault(format!("network {name}: its shape is not that of its adapter; leave shape out"));
                }
                _ => {}
            }
            if network.opt_in == Confirmation::Sms && network.shape() == Shape::Push {
                return fault(format!("network {name}: one that bills by itself needs a page of its own (opt_in)"));
            }
            let has_tokens = network.subscribers == SubscriberNames::Token;
            if has_tokens && (network.adapter() != Adapter::Rest || network.opt_in == Confirmation::Sms) {
                return fault(format!(
                    "network {name}: subscribers = \"token\" needs the adapter rest and pages of the network (opt_in)"
                ));
            }
            if has_tokens && !name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')) {
                return fault(format!(
                    "network {name}: subscribers = \"token\" needs a name of letters, digits, - and _"
                ));
            }
            if let Some(problem) = network.camara.problem_of_sims(network.adapter(), network.url.as_deref()) {
                return fault(format!("network {name}: {problem}"));
            }
            if network.stop_number.as_ref().is_some_and(|number| number.trim().is_empty()) {
                return fault(format!("network {name}: stop_number is empty; leave it out where a reply stops"));
            }
            // SMSes are for the day: hours that begin where they should end would leave the night alone.
            if !network.is_quiet(TimeOfDay::new(2, 0)) || network.is_quiet(TimeOfDay::new(12, 0)) {
                return fault(format!(
                    "network {name}: quiet_hours are not those of a night, such as [\"20:00\", \"08:00\"]"
                ));
            }
            if network.sms_to_tokens && !has_tokens {
                return fault(format!("network {name}: sms_to_tokens is for networks with tokens"));
            }
            let is_range = |range: &String| range.starts_with("27") && range.bytes().all(|b| b.is_ascii_digit());
            if let Some(range) = network.ranges.iter().find(|range| !is_range(range) || range.len() > 11) {
                return fault(format!("network {name}: {range:?} is no beginning of a number such as 2782"));
            }
            let owners = |range: &String| self.networks.values().filter(|other| other.ranges.contains(range)).count();
            if let Some(range) = network.ranges.iter().find(|range| owners(range) > 1) {
                return fault(format!("the range {range:?} belongs to two networks"));
            }
            let dearest =
                self.brands.iter().filter_map(|brand| brand.offer_on(name)).map(|offer| offer.price_cents).max();
            if let Some(limit) = network.month_limit_cents
                && dearest.unwrap_or(1) > limit
            {
                return fault(format!(
                    "network {name}: an offer of {} cents could never be charged: its month_limit_cents is {limit}",
                    dearest.unwrap_or(1)
                ));
            }
            let pace = &network.pace;
            let positive = [
                pace.charges_at_once,
                pace.charges_per_second,
                pace.questions_per_second,
                pace.messages_at_once,
                pace.messages_per_second,
                network.breaker.calls,
                network.breaker.pause_seconds,
            ];
            if positive.contains(&0) {
                return fault(format!("network {name}: pace and breaker hold no 0"));
            }
        }
        for (index, brand) in self.brands.iter().enumerate() {
            if brand.labels.is_empty() {
                return fault(format!("brand {} has no labels", brand.service));
            }
            for label in &brand.labels {
                let plain = !label.is_empty()
                    && label.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
                if !plain || label == "88" || label.starts_with("demo") {
                    return fault(format!("label {label:?} cannot be a brand's host label"));
                }
            }
            for domain in &brand.domains {
                if !is_host_name(domain) {
                    return fault(format!("domain {domain:?} is no host name in lower case, such as www.brand.co.za"));
                }
                let owners = self.brands.iter().flat_map(|brand| &brand.domains).filter(|other| *other == domain);
                if owners.count() > 1 {
                    return fault(format!("the domain {domain:?} is listed twice"));
                }
            }
            if brand.network.is_empty() {
                return fault(format!("brand {} names no network", brand.service));
            }
            if brand.offer_on(&brand.network).is_none() {
                return fault(format!("brand {}: no offer on its network {:?}", brand.service, brand.network));
            }
            for offer in &brand.offers {
                if offer.price_cents < LOWEST_PRICE_CENTS {
                    return fault(format!(
                        "brand {}: a price of {} cents; the lowest is {LOWEST_PRICE_CENTS}",
                        brand.service, offer.price_cents
                    ));
                }
                let Some(network) = self.networks.get(&offer.network) else {
                    return fault(format!("brand {} names the unknown network {:?}", brand.service, offer.network));
                };
                if let Some(problem) = problem_of_terms(offer, network) {
                    return fault(format!("brand {}, offer on {}: {problem}", brand.service, offer.network));
                }
                if brand.offers.iter().filter(|other| other.network == offer.network).count() > 1 {
                    return fault(format!("brand {} has two offers on the network {:?}", brand.service, offer.network));
                }
            }
            if brand.helpline.trim().is_empty() {
                return fault(format!("brand {}: helpline is empty", brand.service));
            }
            let names = std::iter::once(&brand.service).chain(&brand.aliases);
            if let Some(name) = names.into_iter().find(|name| name.trim() != name.as_str() || name.is_empty()) {
                return fault(format!("brand {}: no call can name {name:?}", brand.service));
            }
            for path in [&brand.join, &brand.home] {
                if !path.starts_with('/') {
                    return fault(format!("brand {}: path {path:?} does not start with /", brand.service));
                }
            }
            let folder = brand.media_folder();
            if folder.is_empty()
                || folder.starts_with('.')
                || folder.contains(|c: char| c.is_control() || "/\\%?#".contains(c))
            {
                return fault(format!("service {:?} cannot be the name of a media folder", brand.service));
            }
            for other in self.brands.iter().skip(index + 1) {
                if other.media_folder() == folder {
                    return fault(format!("the media folder {folder:?} belongs to two brands"));
                }
                if other.svc_id == brand.svc_id {
                    return fault(format!("svc_id {} belongs to two brands", brand.svc_id));
                }
                let names = other.labels.iter().chain(&other.aliases).chain([&other.service]);
                if let Some(name) = names.into_iter().find(|name| brand.has_name(name)) {
                    return fault(format!("the name {name:?} belongs to two brands"));
                }
            }
        }
        Ok(())
    }
}

/// Why a network cannot charge by the terms of an offer.
fn problem_of_terms(offer: &NetworkOffer, network: &Network) -> Option<String> {
    let adapter = network.adapter();
    if !(0..=1).contains(&offer.free_days) {
        return Some("free_days is 0 or 1".to_owned());
    }
    if offer.free_days > 0 && adapter.shape() == Shape::Push {
        return Some(format!(
            "free_days: a network that bills by itself ({}) charges the first day, too",
            adapter.as_str()
        ));
    }
    if offer.free_days > 0 && network.subscribers == SubscriberNames::Token {
        return Some(
            "free_days: the page of a network with tokens opens before it is known whose first day it is".to_owned(),
        );
    }
    if offer.parts.is_empty() {
        return None;
    }
    if adapter.shape() == Shape::Push {
        return Some(format!("parts: a network that bills by itself ({}) charges the price alone", adapter.as_str()));
    }
    if offer.period != Period::Day {
        return Some("parts are for a price a day".to_owned());
    }
    let is_price_first = offer.parts.amounts().next() == Some(offer.price_cents);
    (!is_price_first).then(|| format!("parts [{}] do not begin with the price, {}", offer.parts, offer.price_cents))
}
