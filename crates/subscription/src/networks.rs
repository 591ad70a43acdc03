//! The networks: one small interface to all of them, and which of its adapters speaks to which.
//!
//! A new network that speaks an API of its own is one module here with an `impl Operator`, one line in `adapter`, and an entry in
//! `brands.toml` that names it.

mod rest;

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use async_trait::async_trait;
use brands::{Brands, Network};
use operator::{
    Charge, ChargeListed, ChargeRequest, NotUnderstood, Notification, OptIn, OptInReply, OptInRequest, Refund,
    RefundRequest, SmsRequest, StopRequest,
};
use web::StartError;

use crate::error::Error;

/// What a network said to a charge.
pub(crate) enum Said {
    /// What became of it.
    Answer(Charge),
    /// It was not charged; later, perhaps.
    NotNow(&'static str),
    /// It will not charge this.
    Refused(&'static str),
    /// It may have been charged.
    Unclear(&'static str),
}

/// One mobile network, in whatever words it speaks. An error means that it could not be asked, and that asking again is right.
#[async_trait]
pub(crate) trait Operator: Send + Sync {
    /// Where it is: two names with one address share a list of charges.
    fn address(&self) -> &str;

    /// Asks for a page that the person confirms on.
    async fn opt_in(&self, request: &OptInRequest) -> Result<OptInReply, Error>;

    /// Asks what became of an opt-in.
    async fn answer_to(&self, reference: &str) -> Result<OptIn, Error>;

    /// Ends one of the network's own subscriptions; one that has ended is no error.
    async fn stop(&self, request: &StopRequest) -> Result<(), Error>;

    /// Sends an SMS; the same key twice is one.
    async fn send_sms(&self, request: &SmsRequest) -> Result<(), Error>;

    /// Asks for a charge; the same key twice is one.
    async fn charge(&self, request: &ChargeRequest) -> Said;

    /// Asks what became of a charge; `None` where the network knows none of that key.
    async fn charge_of(&self, key: &str) -> Result<Option<Charge>, Error>;

    /// Gives a charge back; the same key twice is once.
    async fn refund(&self, request: &RefundRequest) -> Result<Refund, Error>;

    /// A page of what it charged on a day, and the address of the page after it.
    async fn charges_of_day(&self, day: &str, next: Option<&str>)
    -> Result<(Vec<ChargeListed>, Option<String>), Error>;

    /// What one of its notifications says.
    fn understand(&self, body: &[u8]) -> Result<Notification, NotUnderstood>;
}

/// Every network of `brands.toml`, by name. Clones are one.
#[derive(Clone)]
pub(crate) struct Networks(Arc<Shared>);

struct Shared {
    by_name: ArcSwap<BTreeMap<String, Arc<dyn Operator>>>,
    default_url: String,
    charge_patience: Duration,
}

impl Networks {
    /// Networks without an address of their own are at `default_url`, the operator sandbox. A charge may take `charge_patience`.
    pub fn new(brands: &Brands, default_url: &str, charge_patience: Duration) -> Result<Self, StartError> {
        check_address(default_url).map_err(|cause| StartError::Setting(format!("OPERATOR_URL: {cause}")))?;
        let networks = Self(Arc::new(Shared {
            by_name: ArcSwap::default(),
            default_url: default_url.to_owned(),
            charge_patience,
        }));
        networks.renew(brands)?;
        Ok(networks)
    }

    /// Speaks to the networks that these brands name; where one cannot be spoken to, to all of them as before.
    pub fn renew(&self, brands: &Brands) -> Result<(), StartError> {
        let mut networks: BTreeMap<String, Arc<dyn Operator>> = BTreeMap::new();
        for brand in brands.iter() {
            if let Some(network) = brands.network_of(&brand) {
                let adapter = adapter(&brand.network, &network, &self.0.default_url, self.0.charge_patience)?;
                networks.insert(brand.network.clone(), adapter);
            }
        }
        self.0.by_name.store(Arc::new(networks));
        Ok(())
    }

    /// The network of this name.
    pub fn of(&self, name: &str) -> Result<Arc<dyn Operator>, Error> {
        self.0.by_name.load().get(name).cloned().ok_or(Error::UnknownNetwork)
    }
}

/// The adapter that `brands.toml` names for a network.
fn adapter(
    name: &str,
    network: &Network,
    default_url: &str,
    charge_patience: Duration,
) -> Result<Arc<dyn Operator>, StartError> {
    let url = network.url.as_deref().unwrap_or(default_url);
    check_address(url).map_err(|cause| StartError::Setting(format!("BRANDS_FILE: url of network {name}: {cause}")))?;
    match network.adapter.as_str() {
        rest::NAME => Ok(Arc::new(rest::Rest::new(url, charge_patience)?)),
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
        Networks::new(&brands, "http://sandbox/", Duration::from_secs(1)).map_err(|error| error.to_string())
    }

    #[test]
    fn each_network_is_where_the_file_says() {
        let elsewhere = with("sandbox-push", "url = \"http://elsewhere/v1/\"");
        let networks = networks(&elsewhere).unwrap();
        assert_eq!(networks.of("sandbox-pull").unwrap().address(), "http://sandbox");
        assert_eq!(networks.of("sandbox-push").unwrap().address(), "http://elsewhere/v1");
        assert!(networks.of("moon").is_err());

        let moved = elsewhere.replace("elsewhere/v1/", "moved");
        networks.renew(&Brands::parse(&moved, "brands.toml").unwrap()).unwrap();
        let odd = moved
            .replace("moved", "odd")
            .replace("[network.sandbox-pull]", "[network.sandbox-pull]\nadapter = \"pigeon\"");
        assert!(networks.renew(&Brands::parse(&odd, "brands.toml").unwrap()).is_err());
        assert_eq!(networks.of("sandbox-push").unwrap().address(), "http://moved");
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
