//! The networks: one trait for all of them, and the adapters that implement it.
//!
//! A new API needs one module here with an `impl Operator`, a variant of `brands::Adapter`, one line in `adapter`, and an entry in
//! `brands.toml` that names it. `tests/api/conformance.rs` runs the same tests for each.

pub(crate) mod alarms;
mod camara;
mod http;
pub(crate) mod lookup;
mod pace;
mod rate_limit;
mod reply;
mod rest;
mod soap;
mod throttle;
mod tokens;

use std::{collections::BTreeMap, fmt::Display, str::FromStr, sync::Arc, time::Duration};

use arc_swap::ArcSwap;
use async_trait::async_trait;
use brands::{Adapter, Brands, Network, SubscriberNames};
use chrono::{NaiveDate, NaiveDateTime};
use chrono_tz::Tz;
use operator::{
    Charge, ChargeRequest, Credentials, InvalidNotification, ListedCharge, Notification, NotifyKeys, NotifySecret,
    OptIn, OptInReply, OptInRequest, Refund, RefundRequest, SmsRequest, StopRequest, SubscriptionEvent, UnreadableRow,
};
use reqwest::{Certificate, Client, Identity, RequestBuilder};
use service::{Clock, StartError};
use tokio::time::Instant;

use crate::error::Error;

use camara::Camara;
pub use http::{NoReply, Reply, Transport};
pub(crate) use rate_limit::RateLimit;
use rest::Rest;
use soap::Soap;
pub(crate) use throttle::{Admission, Throttle};
use tokens::Tokens;

/// How long a network may take to accept a connection: the difference between `BEGIN_WINDOW` and `SEND_WINDOW` of the lease.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// How long a network may take to answer: a browser waits for the page behind it.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);

/// The causes of failures.
const AWAY: &str = "the network is away";
const LATER: &str = "the network said later";
const FAILED: &str = "the network failed";
const NOT_ACCEPTED: &str = "the network did not take the request";
const OTHER_CHARGE: &str = "the answer names another charge";
const UNREADABLE: &str = "the answer was cut or cannot be read";

/// How long a network may take to list a page of charges.
const LIST_TIMEOUT: Duration = Duration::from_secs(60);

/// Why a request has no result.
pub(crate) enum Failure {
    /// Not processed; may be sent again.
    RetryLater(&'static str),
    /// Not processed: the network has too much to do, and may have said for how long.
    Busy(Option<Duration>),
    /// The network rejected the request; a retry would be rejected too.
    Rejected(&'static str),
    /// It may have been processed.
    Unknown(&'static str),
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Busy(_) => Self::NetworkUnavailable(LATER.to_owned()),
            Failure::RetryLater(cause) | Failure::Unknown(cause) => Self::NetworkUnavailable(cause.to_owned()),
            Failure::Rejected(cause) => Self::NetworkRejected(cause.to_owned()),
        }
    }
}

/// One request for the number of a browser's SIM.
pub(crate) struct NumberRequest {
    /// Names the request when the browser comes back.
    pub state: String,
    /// Names it in the network's ID token.
    pub nonce: String,
    /// The secret behind the code challenge (RFC 7636).
    pub verifier: String,
    /// Where the network sends the browser back to.
    pub return_url: String,
}

/// A page of a network's list of charges, row by row.
pub(crate) type ListPage = Vec<Result<ListedCharge, UnreadableRow>>;

/// A page of a network's list of subscriptions, row by row; `None` is an unreadable row.
pub(crate) type SubscriptionPage = Vec<Option<SubscriptionEvent>>;

/// The API of one mobile network. An error means that the request failed and may be repeated.
#[async_trait]
pub(crate) trait Operator: Send + Sync {
    /// The contract's calls, for those that its API does not define; itself, where it has them all.
    fn contract(&self) -> &dyn Operator;

    /// The base URL: two networks with one address share a list of charges.
    fn address(&self) -> &str {
        self.contract().address()
    }

    /// Requests a confirm page.
    async fn opt_in(&self, request: &OptInRequest) -> Result<OptInReply, Error> {
        self.contract().opt_in(request).await
    }

    /// Requests the status of an opt-in.
    async fn opt_in_status(&self, reference: &str) -> Result<OptIn, Error> {
        self.contract().opt_in_status(reference).await
    }

    /// Ends one of the network's own subscriptions; an ended one is no error.
    async fn stop(&self, request: &StopRequest) -> Result<(), Error> {
        self.contract().stop(request).await
    }

    /// Sends an SMS; idempotent by its key.
    async fn send_sms(&self, request: &SmsRequest) -> Result<(), Error> {
        self.contract().send_sms(request).await
    }

    /// Requests a charge; idempotent by its key. The request that charges is sent by `send_by` or not at all: a leave may be acknowledged
    /// then.
    async fn charge(&self, request: &ChargeRequest, send_by: Instant) -> Result<Charge, Failure>;

    /// Requests the status of a charge; `None` where the network does not know its key.
    async fn charge_status(&self, request: &ChargeRequest) -> Result<Option<Charge>, Error> {
        self.contract().charge_status(request).await
    }

    /// Requests a refund; idempotent by its key.
    async fn refund(&self, request: &RefundRequest) -> Result<Refund, Error>;

    /// A page of the charges of a day, and the address of the next page.
    async fn charges_of_day(&self, day: &str, next: Option<&str>) -> Result<(ListPage, Option<String>), Error> {
        self.contract().charges_of_day(day, next).await
    }

    /// A page of the subscriptions that started or ended since a time, oldest first, and the address of the next page; `None` where the
    /// network has no such list.
    async fn subscriptions_since(
        &self,
        since: NaiveDateTime,
        next: Option<&str>,
    ) -> Result<Option<(SubscriptionPage, Option<String>)>, Error> {
        self.contract().subscriptions_since(since, next).await
    }

    /// Parses one of its notifications.
    fn parse_notification(&self, body: &[u8]) -> Result<Notification, InvalidNotification>;

    /// A name of its own for a notification whose sender proves itself by a token in the message; `None` where it does not.
    fn sender_token(&self, _body: &[u8]) -> Option<String> {
        None
    }

    /// The body of the reply to a notification, where its network needs one: XML.
    fn acknowledgement(&self, _body: &[u8]) -> Option<String> {
        None
    }

    /// Where a browser is sent so that the network recognises its SIM; `None` where the network does not tell numbers.
    fn number_page(&self, _request: &NumberRequest) -> Option<String> {
        None
    }

    /// The number of the SIM for which the network sent a browser back with this code.
    async fn number_of_sim(&self, _code: &str, _request: &NumberRequest) -> Result<String, Error> {
        Err(Error::UnknownNetwork)
    }

    /// Whether a number's SIM was swapped lately; `None` where the network does not tell.
    async fn was_sim_swapped(&self, _msisdn: &str) -> Result<Option<bool>, Error> {
        Ok(None)
    }

    /// Whether a number was given to another person after a day; `None` where the network does not tell.
    async fn was_recycled(&self, _msisdn: &str, _since: NaiveDate) -> Result<Option<bool>, Error> {
        Ok(None)
    }
}

/// One network: its adapter, its rate limits, and its signing keys.
#[derive(Clone)]
pub(crate) struct NetworkHandle {
    pub operator: Arc<dyn Operator>,
    pub throttle: Arc<Throttle>,
    pub keys: NotifyKeys,
}

/// Every network of `brands.toml`, by name. Clones share the state.
#[derive(Clone)]
pub(crate) struct Networks(Arc<Shared>);

struct Shared {
    by_name: ArcSwap<BTreeMap<String, NetworkHandle>>,
    settings: NetworkSettings,
}

/// The settings of networks outside `brands.toml`.
#[derive(Clone)]
pub(crate) struct NetworkSettings {
    /// The URL of networks without a `url`: the operator sandbox. `{network}` in it is the network's name.
    pub default_url: String,
    /// How long a charge may take.
    pub charge_timeout: Duration,
    /// `NOTIFY_SECRET`.
    pub notify_secret: String,
    /// `NETWORK_CREDENTIALS`.
    pub credentials: Option<String>,
    /// Whether networks must not share a key, have a weak one, or be the operator sandbox.
    pub production: bool,
    /// In the place of HTTP.
    pub transport: Option<Arc<dyn Transport>>,
}

impl Networks {
    /// Connects the adapters of all networks in `brands.toml`.
    pub fn new(brands: &Brands, settings: NetworkSettings) -> Result<Self, StartError> {
        check_address(&settings.default_url).map_err(|cause| StartError::Setting(format!("OPERATOR_URL: {cause}")))?;
        let networks = Self(Arc::new(Shared { by_name: ArcSwap::default(), settings }));
        networks.reload(brands)?;
        Ok(networks)
    }

    /// Replaces the networks by those of the reloaded brands, including networks that no brand names; after an error the previous ones stay.
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
            let operator = adapter(&name, &network, settings)?;
            // The circuit breaker and calls in flight survive a reload.
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

/// The value of a variable with one or two keys.
fn notify_secret(variable: &str, settings: &NetworkSettings) -> Result<String, StartError> {
    if variable == "NOTIFY_SECRET" {
        return Ok(settings.notify_secret.clone());
    }
    std::env::var(variable).map_err(|_| {
        StartError::Setting(format!("{variable}: not set, and brands.toml names it as a network's notify_secret"))
    })
}

/// The adapter that `brands.toml` names for a network.
pub(crate) fn adapter(
    name: &str,
    network: &Arc<Network>,
    settings: &NetworkSettings,
) -> Result<Arc<dyn Operator>, StartError> {
    let url = network.url.clone().unwrap_or_else(|| settings.default_url.replace("{network}", name));
    let url = url.as_str();
    let clients = Clients::new(name, network, settings, url)?;
    check_address(url).map_err(|cause| StartError::Setting(format!("BRANDS_FILE: url of network {name}: {cause}")))?;
    let operator: Arc<dyn Operator> = match network.adapter() {
        Adapter::Rest => Arc::new(Rest::new(url, clients)),
        Adapter::Datasync => Arc::new(Rest::without_charges(url, clients)),
        Adapter::Soap => {
            // The certificate proves us where no name and password are set.
            let is_named = std::env::var(&network.credentials).is_ok() || settings.credentials.is_some();
            let needed = is_named || network.client_certificate.is_none();
            let credentials = needed.then(|| credentials(name, network, settings)).transpose()?;
            Arc::new(Soap::new(url, network.clone(), credentials, clients))
        }
        Adapter::Camara => {
            let camara = &network.camara;
            let authorize_url =
                camara.number_verification.as_ref().and_then(|verification| verification.authorize_url.as_ref());
            for address in [camara.url.as_ref(), camara.token_url.as_ref(), authorize_url].into_iter().flatten() {
                check_address(address).map_err(|cause| {
                    StartError::Setting(format!("BRANDS_FILE: camara addresses of network {name}: {cause}"))
                })?;
            }
            Arc::new(Camara::new(url, network.clone(), credentials(name, network, settings)?, clients)?)
        }
    };
    Ok(match network.subscribers {
        SubscriberNames::Number => operator,
        SubscriberNames::Token => Arc::new(Tokens::new(name, operator)),
    })
}

/// The credentials of a network whose API needs them.
fn credentials(name: &str, network: &Network, settings: &NetworkSettings) -> Result<Credentials, StartError> {
    let variable = &network.credentials;
    let text = match variable.as_str() {
        "NETWORK_CREDENTIALS" => settings.credentials.clone(),
        other => std::env::var(other).ok(),
    };
    let fault = |cause: &dyn Display| StartError::Setting(format!("{variable}: {cause}"));
    let text = text.ok_or_else(|| fault(&format!("not set, and the network {name} of brands.toml needs it")))?;
    if settings.production {
        service::refuse_published(variable, text.as_bytes())?;
    }
    Credentials::from_str(&text).map_err(|error| fault(&error))
}

/// The HTTP clients of one network.
#[derive(Clone)]
struct Clients {
    http: Client,
    /// For charges only: its connections stay open between them.
    charging: Client,
    /// Of times without one.
    zone: Tz,
    /// The network's name.
    name: Arc<str>,
    transport: Option<Arc<dyn Transport>>,
}

impl Clients {
    /// Clients for the network at `url` that show its certificate, and trust its authorities, where `brands.toml` names them.
    fn new(name: &str, network: &Network, settings: &NetworkSettings, url: &str) -> Result<Self, StartError> {
        let identity = pem(network.client_certificate.as_deref(), |text| Identity::from_pem(text).ok())?;
        let authorities = pem(network.authorities.as_deref(), |text| {
            Certificate::from_pem_bundle(text).ok().filter(|all| !all.is_empty())
        })?;
        let addresses = [Some(url), network.camara.url.as_deref(), network.camara.token_url.as_deref()];
        let strictest = addresses.into_iter().flatten().find(|address| !address.starts_with("http://")).unwrap_or(url);
        let client = |timeout: Duration| {
            let mut client = service::client_for(strictest)
                .connect_timeout(CONNECT_TIMEOUT.min(timeout))
                .timeout(timeout)
                // Shorter than a server's idle timeout: a charge sent while the server closes the connection would be lost.
                .pool_idle_timeout(Duration::from_secs(2));
            if let Some(identity) = &identity {
                client = client.identity(identity.clone());
            }
            if let Some(authorities) = &authorities {
                client = client.tls_certs_only(authorities.clone());
            }
            client.build().map_err(|error| StartError::other(crate::NAME, error))
        };
        let (http, charging) = (client(REQUEST_TIMEOUT)?, client(settings.charge_timeout)?);
        let transport = settings.transport.clone();
        Ok(Self { http, charging, zone: network.time_zone.tz(), name: name.into(), transport })
    }

    /// Sends a request of one of the clients.
    async fn send(&self, request: RequestBuilder) -> Result<Reply, NoReply> {
        let (client, request) = request.build_split();
        match &self.transport {
            Some(transport) => transport.send(request?).await,
            None => Ok(Reply::read(client.execute(request?).await?).await),
        }
    }
}

/// What a variable has as PEM; `None` where none is named.
fn pem<T>(variable: Option<&str>, parse: fn(&[u8]) -> Option<T>) -> Result<Option<T>, StartError> {
    let Some(variable) = variable else { return Ok(None) };
    let text = std::env::var(variable)
        .map_err(|_| StartError::Setting(format!("{variable}: not set, and a network of brands.toml names it")))?;
    // Without the cause, which may quote the text: it has a key.
    parse(text.as_bytes()).map(Some).ok_or_else(|| StartError::Setting(format!("{variable}: not valid as PEM")))
}

/// Logs a reply that names another key, number, service or amount; it settles nothing.
fn log_mismatch(network: &str, call: &'static str) {
    tracing::error!(
        alarm = alarms::daily("reply_mismatch", network, Clock::system_now()),
        network.name = network,
        network.call = call,
        "a network's reply names another charge than the requested one"
    );
}

/// Whether this is an HTTP URL; if not, why.
pub(crate) fn check_address(text: &str) -> Result<(), String> {
    // `host:8090` without a scheme parses as a URL of the scheme `host`.
    match url::Url::parse(text) {
        Ok(address) if matches!(address.scheme(), "http" | "https") => Ok(()),
        Ok(_) => Err("it does not begin with http:// or https://".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BRANDS_TOML: &str = include_str!("../../../deploy/brands.toml");

    /// brands.toml with one more line for a network.
    fn with(network: &str, line: &str) -> String {
        let head = format!("[network.{network}]");
        BRANDS_TOML.replace(&head, &format!("{head}\n{line}"))
    }

    impl NetworkSettings {
        /// Without credentials.
        pub fn of_tests() -> Self {
            Self {
                default_url: "http://sandbox/".to_owned(),
                charge_timeout: Duration::from_secs(20),
                notify_secret: "whsec_ZGV2LW5vdGlmeQ==".to_owned(),
                credentials: None,
                production: false,
                transport: None,
            }
        }
    }

    fn networks(brands_toml: &str) -> Result<Networks, String> {
        let brands = Brands::parse(brands_toml, "brands.toml").unwrap();
        Networks::new(&brands, NetworkSettings::of_tests()).map_err(|error| error.to_string())
    }

    #[test]
    fn reload_follows_brands_toml_or_keeps_the_old_networks() {
        let elsewhere = with("sandbox-push", "url = \"http://elsewhere/v1/\"");
        let networks = networks(&elsewhere).unwrap();
        assert_eq!(networks.operator("sandbox-pull").unwrap().address(), "http://sandbox");
        assert_eq!(networks.operator("sandbox-push").unwrap().address(), "http://elsewhere/v1");
        assert!(networks.operator("moon").is_err());

        let moved = elsewhere.replace("elsewhere/v1/", "moved");
        networks.reload(&Brands::parse(&moved, "brands.toml").unwrap()).unwrap();
        let odd = moved.replace("http://moved", "moved");
        assert!(networks.reload(&Brands::parse(&odd, "brands.toml").unwrap()).is_err());
        assert_eq!(networks.operator("sandbox-push").unwrap().address(), "http://moved");
    }

    #[test]
    fn new_requires_the_credentials_of_a_network_that_needs_them() {
        let soap = BRANDS_TOML.replacen("adapter = \"rest\"", "adapter = \"soap\"", 1);
        assert_eq!(
            networks(&soap).err().unwrap(),
            "NETWORK_CREDENTIALS: not set, and the network sandbox-pull of brands.toml needs it"
        );
        let own = soap.replacen("adapter = \"soap\"", "adapter = \"soap\"\ncredentials = \"WASP_CREDENTIALS\"", 1);
        assert!(networks(&own).err().unwrap().starts_with("WASP_CREDENTIALS: not set"));
    }

    #[test]
    fn new_requires_certificates_that_are_named_and_does_not_quote_them() {
        for key in ["client_certificate", "authorities"] {
            let unset = with("sandbox-pull", &format!("{key} = \"NO_SUCH_CERTIFICATE\""));
            let error = networks(&unset).err().unwrap();
            assert!(error.starts_with("NO_SUCH_CERTIFICATE: not set"), "{error}");
            // A variable that every process has, and that is no PEM.
            let invalid = with("sandbox-pull", &format!("{key} = \"PATH\""));
            assert_eq!(networks(&invalid).err().unwrap(), "PATH: not valid as PEM");
        }
    }
}
