//! The networks: one small interface to all of them, and which of its adapters speaks to which.
//!
//! A new network that speaks an API of its own is one module here with an `impl Operator`, one line in `adapter`, and an entry in
//! `brands.toml` that names it.

mod rest;
mod throttle;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use async_trait::async_trait;
use brands::{Brands, Network};
use operator::{
    Charge, ChargeRequest, InvalidNotification, ListedCharge, Notification, NotifyKeys, NotifySecret, OptIn,
    OptInReply, OptInRequest, Refund, RefundRequest, SmsRequest, StopRequest, UnreadableRow,
};
use service::StartError;

use crate::error::Error;

pub(crate) use throttle::{Admission, Throttle};

/// What came of asking a network for a charge.
pub(crate) enum ChargeReply {
    /// The network's own answer.
    Completed(Charge),
    /// It was not charged; later, perhaps.
    RetryLater(&'static str),
    /// The network did not take the request, and would not take it again.
    Rejected(&'static str),
    /// It may have been charged.
    Unknown(&'static str),
}

/// A page of a network's list of charges, row by row.
pub(crate) type ListPage = Vec<Result<ListedCharge, UnreadableRow>>;

/// One mobile network, in whatever words it speaks. An error means that it could not be asked, and that asking again is right.
#[async_trait]
pub(crate) trait Operator: Send + Sync {
    /// Where it is: two names with one address share a list of charges.
    fn address(&self) -> &str;

    /// Asks for a page that the person confirms on.
    async fn opt_in(&self, request: &OptInRequest) -> Result<OptInReply, Error>;

    /// Asks what became of an opt-in.
    async fn opt_in_status(&self, reference: &str) -> Result<OptIn, Error>;

    /// Ends one of the network's own subscriptions; one that has ended is no error.
    async fn stop(&self, request: &StopRequest) -> Result<(), Error>;

    /// Sends an SMS; the same key twice is one.
    async fn send_sms(&self, request: &SmsRequest) -> Result<(), Error>;

    /// Asks for a charge; the same key twice is one.
    async fn charge(&self, request: &ChargeRequest) -> ChargeReply;

    /// Asks what became of a charge; `None` where the network knows none of its key.
    async fn charge_status(&self, request: &ChargeRequest) -> Result<Option<Charge>, Error>;

    /// Gives a charge back; the same key twice is once.
    async fn refund(&self, request: &RefundRequest) -> Result<Refund, Error>;

    /// A page of what it charged on a day, and the address of the page after it.
    async fn charges_of_day(&self, day: &str, next: Option<&str>) -> Result<(ListPage, Option<String>), Error>;

    /// What one of its notifications says.
    fn parse_notification(&self, body: &[u8]) -> Result<Notification, InvalidNotification>;
}

/// One network: its adapter, the limits of how it is asked, and the keys it signs with.
#[derive(Clone)]
pub(crate) struct NetworkHandle {
    pub operator: Arc<dyn Operator>,
    pub throttle: Arc<Throttle>,
    pub keys: NotifyKeys,
}

/// Every network of `brands.toml`, by name. Clones are one.
#[derive(Clone)]
pub(crate) struct Networks(Arc<Shared>);

struct Shared {
    by_name: ArcSwap<BTreeMap<String, NetworkHandle>>,
    settings: NetworkSettings,
}

/// What networks need beside `brands.toml`.
#[derive(Clone)]
pub(crate) struct NetworkSettings {
    /// Where a network without a `url` is: the operator sandbox.
    pub default_url: String,
    /// How long a charge may take.
    pub charge_timeout: Duration,
    /// `NOTIFY_SECRET`.
    pub notify_secret: String,
    /// Whether networks may not share a key, have a weak one, or be the operator sandbox.
    pub production: bool,
}

impl Networks {
    /// Speaks to every network of the file.
    pub fn new(brands: &Brands, settings: NetworkSettings) -> Result<Self, StartError> {
        check_address(&settings.default_url).map_err(|cause| StartError::Setting(format!("OPERATOR_URL: {cause}")))?;
        let networks = Self(Arc::new(Shared { by_name: ArcSwap::default(), settings }));
        networks.reload(brands)?;
        Ok(networks)
    }

    /// Speaks to the networks of these brands, also to one that no brand names any more; where one cannot be spoken to, to all of
    /// them as before.
    pub fn reload(&self, brands: &Brands) -> Result<(), StartError> {
        let settings = &self.0.settings;
        if settings.production {
            brands.check_production()?;
            if brands.networks().any(|(_, network)| network.url.is_none()) {
                service::refuse_sandbox("OPERATOR_URL", &settings.default_url)?;
            }
        }
        let current = self.0.by_name.load();
        let mut owners: BTreeMap<Vec<u8>, String> = BTreeMap::new();
        let mut networks: BTreeMap<String, NetworkHandle> = BTreeMap::new();
        for (name, network) in brands.networks() {
            let secret = notify_secret(&network.notify_secret, settings)?;
            let invalid = |error| StartError::Setting(format!("{}: {error}", network.notify_secret));
            let keys = NotifyKeys::parse(&secret).map_err(invalid)?;
            if settings.production {
                for key in secret.split(',') {
                    let key = NotifySecret::key_of(key).map_err(invalid)?;
                    service::refuse_weak_secret(&network.notify_secret, &key)?;
                    if let Some(other) = owners.insert(key, name.clone()).filter(|other| *other != name) {
                        return Err(StartError::Setting(format!(
                            "{}: the networks {other} and {name} share a key, so that one could sign for the other",
                            network.notify_secret
                        )));
                    }
                }
            }
            let operator = adapter(&name, &network, &settings.default_url, settings.charge_timeout)?;
            // A pause and what is under way outlive a change of the file.
            let throttle = match current.get(&name) {
                Some(link) if link.throttle.has_settings_of(&network) => link.throttle.clone(),
                _ => Arc::new(Throttle::new(&name, &network)),
            };
            networks.insert(name, NetworkHandle { operator, throttle, keys });
        }
        self.0.by_name.store(Arc::new(networks));
        Ok(())
    }

    /// The adapter of the network of this name.
    pub fn operator(&self, name: &str) -> Result<Arc<dyn Operator>, Error> {
        self.get(name).map(|link| link.operator)
    }

    /// The network of this name.
    pub fn get(&self, name: &str) -> Result<NetworkHandle, Error> {
        self.0.by_name.load().get(name).cloned().ok_or(Error::UnknownNetwork)
    }

    /// The names of all networks.
    pub fn names(&self) -> Vec<String> {
        self.0.by_name.load().keys().cloned().collect()
    }
}

/// The one or two keys of a variable.
fn notify_secret(variable: &str, settings: &NetworkSettings) -> Result<String, StartError> {
    if variable == "NOTIFY_SECRET" {
        return Ok(settings.notify_secret.clone());
    }
    std::env::var(variable).map_err(|_| {
        StartError::Setting(format!("{variable}: not set, and brands.toml names it as a network's notify_secret"))
    })
}

/// The adapter that `brands.toml` names for a network.
fn adapter(
    name: &str,
    network: &Network,
    default_url: &str,
    charge_timeout: Duration,
) -> Result<Arc<dyn Operator>, StartError> {
    let url = network.url.as_deref().unwrap_or(default_url);
    check_address(url).map_err(|cause| StartError::Setting(format!("BRANDS_FILE: url of network {name}: {cause}")))?;
    match network.adapter.as_str() {
        rest::NAME => Ok(Arc::new(rest::Rest::new(url, charge_timeout)?)),
        other => Err(StartError::Setting(format!(
            "BRANDS_FILE: network {name} names the unknown adapter {other:?} (known: {})",
            rest::NAME
        ))),
    }
}

/// Whether this can be asked over HTTP; if not, why.
fn check_address(text: &str) -> Result<(), String> {
    // Without a scheme `host:8090` is an address, too: of the scheme `host`.
    match url::Url::parse(text) {
        Ok(address) if matches!(address.scheme(), "http" | "https") => Ok(()),
        Ok(_) => Err("it does not begin with http:// or https://".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAMILY: &str = include_str!("../../../deploy/brands.toml");

    /// The family with one more line for a network.
    fn with(network: &str, line: &str) -> String {
        let head = format!("[network.{network}]");
        FAMILY.replace(&head, &format!("{head}\n{line}"))
    }

    fn networks(family: &str) -> Result<Networks, String> {
        let brands = Brands::parse(family, "brands.toml").unwrap();
        let settings = NetworkSettings {
            default_url: "http://sandbox/".to_owned(),
            charge_timeout: Duration::from_secs(1),
            notify_secret: "whsec_ZGV2LW5vdGlmeQ==".to_owned(),
            production: false,
        };
        Networks::new(&brands, settings).map_err(|error| error.to_string())
    }

    #[test]
    fn each_network_is_where_the_file_says() {
        let elsewhere = with("sandbox-push", "url = \"http://elsewhere/v1/\"");
        let networks = networks(&elsewhere).unwrap();
        assert_eq!(networks.operator("sandbox-pull").unwrap().address(), "http://sandbox");
        assert_eq!(networks.operator("sandbox-push").unwrap().address(), "http://elsewhere/v1");
        assert!(networks.operator("moon").is_err());

        let moved = elsewhere.replace("elsewhere/v1/", "moved");
        networks.reload(&Brands::parse(&moved, "brands.toml").unwrap()).unwrap();
        let odd = moved
            .replace("moved", "odd")
            .replace("[network.sandbox-pull]", "[network.sandbox-pull]\nadapter = \"pigeon\"");
        assert!(networks.reload(&Brands::parse(&odd, "brands.toml").unwrap()).is_err());
        assert_eq!(networks.operator("sandbox-push").unwrap().address(), "http://moved");
    }

    #[test]
    fn an_address_that_cannot_be_asked_stops_the_start() {
        for url in ["elsewhere/v1", "elsewhere:8090", "ftp://elsewhere"] {
            let error = networks(&with("sandbox-push", &format!("url = {url:?}"))).err().unwrap();
            assert!(error.contains("url of network sandbox-push"), "{url}: {error}");
        }
    }

    #[test]
    fn an_adapter_that_is_not_there_stops_the_start() {
        let odd = with("sandbox-push", "adapter = \"pigeon\"");
        let error = networks(&odd).err().unwrap();
        assert!(error.contains("sandbox-push") && error.contains("pigeon") && error.contains("rest"), "{error}");
    }
}
