//! A mobile network of `brands.toml`.

use std::collections::BTreeMap;

use chrono_tz::Tz;
use serde::{Deserialize, Serialize};
use service::Cidrs;

/// The shape of a mobile network's billing.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// We ask for each day's charge under a key of our choosing.
    Pull,
    /// The network charges by itself and tells us.
    Push,
}

/// The API of a network, and the subscription service's adapter for it.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Adapter {
    /// Our contract's API: we request each charge.
    Rest,
    /// Our contract's API without charges: the network charges and sends its subscriptions and charges to us.
    Datasync,
    /// Parlay X: we request each charge; what it does not define (opt-ins, queries, lists) as for `rest`.
    Soap,
    /// CAMARA's Carrier Billing: we request each charge; what CAMARA does not define (opt-ins, stops, SMSes) as for `rest`.
    Camara,
}

impl Adapter {
    /// Who starts charges at networks with this API.
    pub const fn shape(self) -> Shape {
        match self {
            Self::Rest | Self::Soap | Self::Camara => Shape::Pull,
            Self::Datasync => Shape::Push,
        }
    }

    /// The word in `brands.toml`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Rest => "rest",
            Self::Datasync => "datasync",
            Self::Soap => "soap",
            Self::Camara => "camara",
        }
    }
}

/// How a network's subscribers confirm.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Confirmation {
    /// On a page of the network.
    #[default]
    Page,
    /// By a reply to our SMS: the network has no page, and keeps no subscriptions.
    Sms,
}

/// By what a network names its subscribers.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum SubscriberNames {
    /// By their numbers.
    #[default]
    Number,
    /// By opaque tokens that are valid for us alone: it does not reveal their numbers.
    Token,
}

/// A mobile network that bills brands. `deploy/NETWORKS.md` explains each key.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// The key `adapter`. Use `adapter()`, which also knows entries with `shape` alone.
    #[serde(rename = "adapter")]
    pub(crate) named_adapter: Option<Adapter>,
    /// The key `shape`: in files from before `adapter` was required, the only sign of a push network.
    #[serde(rename = "shape")]
    pub(crate) named_shape: Option<Shape>,
    /// The name that people know it by, where they choose their network; absent means the entry's key.
    pub name: Option<String>,
    /// The beginnings of the numbers that belong to it, such as `2782`: the longest one that fits decides.
    #[serde(default)]
    pub ranges: Vec<String>,
    /// From where its subscribers call by plain http (CIDRs, separated by commas): with `ENRICHMENT_HEADER`, who calls from there belongs to it.
    #[serde(default)]
    pub addresses: Cidrs,
    /// Base URL of the network's API; absent means the operator sandbox (`OPERATOR_URL`).
    pub url: Option<String>,
    /// The environment variable with the one or two keys that sign the network's notifications.
    #[serde(default = "default_notify_secret")]
    pub notify_secret: String,
    /// The environment variable with the name and password by which the network knows us, where its API needs them.
    #[serde(default = "default_credentials")]
    pub credentials: String,
    /// The environment variable with the certificate and the key (PEM) that we show to its servers, where they ask for one.
    pub client_certificate: Option<String>,
    /// The environment variable with the certificates (PEM) of the authorities that sign those of its servers; absent means the system's.
    pub authorities: Option<String>,
    /// From where its notifications come (CIDRs, separated by commas); absent means from anywhere.
    pub notify_addresses: Option<Cidrs>,
    /// The number for a STOP by SMS; if absent, replying to any of its messages stops.
    pub stop_number: Option<String>,
    /// The USSD code that ends subscriptions.
    pub ussd: Option<String>,
    /// How its subscribers confirm a join, a leave or their number; absent means on a page of the network.
    #[serde(default)]
    pub opt_in: Confirmation,
    /// By what it names its subscribers, to us and we to it.
    #[serde(default)]
    pub subscribers: SubscriberNames,
    /// Whether it delivers SMSes to tokens; without it, a subscriber with a token gets none.
    #[serde(default)]
    pub sms_to_tokens: bool,
    /// The zone of its times without one (IANA's name).
    #[serde(default)]
    pub time_zone: TimeZone,
    /// Whether the network tells of each SMS what became of it.
    #[serde(default)]
    pub receipts: bool,
    /// Quiet hours in Johannesburg, start and end: during them, only messages that respond to a person's own action are sent.
    #[serde(default = "default_quiet_hours")]
    pub quiet_hours: [TimeOfDay; 2],
    /// The time of day in Johannesburg at which the previous day is reconciled with the network's list.
    #[serde(default = "default_reconcile_at")]
    pub reconcile_at: TimeOfDay,
    /// Limits on calls to the network, concurrent and per second.
    #[serde(default)]
    pub pace: Pace,
    /// When the network counts as unavailable.
    #[serde(default)]
    pub breaker: Breaker,
    /// The most that it charges one number in a calendar month, in cents; beside the limit over all networks.
    pub month_limit_cents: Option<i64>,
    /// The meaning of `result_name` values in a push network's billing events, besides `SUCCESS` and `INSUFFICIENT_FUNDS`; compared in
    /// upper case. An event with an unlisted name is stored for a person to look at and does not count as a failure. Of a SOAP network the
    /// meaning of the `messageId` of its exceptions; of a CAMARA network that of its error codes.
    #[serde(default)]
    pub results: BTreeMap<String, BillingResult>,
    /// Where its CAMARA APIs are, and how it charges through them.
    #[serde(default)]
    pub camara: Camara,
}

/// A time zone.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(try_from = "String")]
pub struct TimeZone(Tz);

impl TimeZone {
    /// The zone.
    pub const fn tz(self) -> Tz {
        self.0
    }
}

impl Default for TimeZone {
    fn default() -> Self {
        Self(chrono_tz::Africa::Johannesburg)
    }
}

impl TryFrom<String> for TimeZone {
    type Error = String;

    fn try_from(name: String) -> Result<Self, String> {
        name.parse().map(Self).map_err(|_| format!("time_zone {name:?} is no zone such as Africa/Johannesburg or UTC"))
    }
}

/// How we prove who we are at a CAMARA network's token endpoint.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum ClientProof {
    /// By the client secret.
    #[default]
    ClientSecretBasic,
    /// By a token that our private key signs; the key stands in the place of the secret.
    PrivateKeyJwt,
}

/// The CAMARA APIs of a network.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
pub struct Camara {
    /// The API root, below which each API has its own path; absent means `/camara` below the network's `url`.
    pub url: Option<String>,
    /// Where access tokens are requested; absent means `/oauth2/token` below the API root.
    pub token_url: Option<String>,
    /// The scopes to request; absent means those of payments and refunds.
    pub scope: Option<String>,
    /// How we prove who we are where access tokens are requested.
    pub client_auth: ClientProof,
    /// Whether payments are prepared and then confirmed, in place of one request.
    pub two_steps: bool,
    /// Present where the network tells the number of a browser's SIM, so that its owner joins without typing.
    pub number_verification: Option<NumberVerification>,
    /// Present where the network tells whether a number's SIM was swapped lately.
    pub sim_swap: Option<SimSwap>,
    /// Present where the network tells whether a number was given to another person.
    pub number_recycling: Option<NumberRecycling>,
}

/// A network's Number Verification. In place of what is absent, the addresses are those of the operator sandbox.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
pub struct NumberVerification {
    /// Where a browser is sent, so that the network recognises its SIM; absent means `/oauth2/authorize` below the API root.
    pub authorize_url: Option<String>,
    /// The issuer of the network's ID tokens; absent means the API root.
    pub issuer: Option<String>,
    /// The scopes to request, where the network has agreed on other ones.
    pub scope: Option<String>,
}

/// A network's SIM Swap.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
pub struct SimSwap {
    /// How long a swap counts as recent, in hours: 1 to 2400.
    pub max_age_hours: u32,
    /// The scopes to request, where the network has agreed on other ones.
    pub scope: Option<String>,
}

impl Default for SimSwap {
    fn default() -> Self {
        Self { max_age_hours: 240, scope: None }
    }
}

/// A network's Number Recycling.
#[derive(Clone, Debug, Default, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
pub struct NumberRecycling {
    /// The scopes to request, where the network has agreed on other ones.
    pub scope: Option<String>,
}

impl Camara {
    /// What is wrong with the settings about SIMs of a network, whose API is at `url`.
    pub(crate) fn problem_of_sims(&self, adapter: Adapter, url: Option<&str>) -> Option<String> {
        let is_set = self.number_verification.is_some() || self.sim_swap.is_some() || self.number_recycling.is_some();
        if is_set && adapter != Adapter::Camara {
            return Some("number_verification, sim_swap and number_recycling need the adapter camara".to_owned());
        }
        let is_sandbox = url.is_none() && self.url.is_none();
        let lacks = |verification: &NumberVerification| {
            let values = [&verification.authorize_url, &verification.issuer];
            values.into_iter().any(|value| value.as_ref().is_none_or(|value| value.trim().is_empty()))
        };
        if !is_sandbox && self.number_verification.as_ref().is_some_and(lacks) {
            return Some("number_verification needs authorize_url and issuer, as the network names them".to_owned());
        }
        let hours = self.sim_swap.as_ref().map(|sim_swap| sim_swap.max_age_hours);
        hours
            .filter(|hours| !(1..=2400).contains(hours))
            .map(|hours| format!("sim_swap: max_age_hours is 1 to 2400, and not {hours}"))
    }
}

/// Limits of one replica's calls to a network.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
pub struct Pace {
    /// Concurrent charges.
    pub charges_at_once: u32,
    /// Charges started per second.
    pub charges_per_second: u32,
    /// Queries per second about charges of unknown outcome.
    pub questions_per_second: u32,
    /// Concurrent messages, stops and refunds, of each kind.
    pub messages_at_once: u32,
    /// Messages started per second.
    pub messages_per_second: u32,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            charges_at_once: 64,
            charges_per_second: 10_000,
            questions_per_second: 20,
            messages_at_once: 16,
            messages_per_second: 200,
        }
    }
}

/// A circuit breaker: when charges to a network are paused.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields, default)]
pub struct Breaker {
    /// The number of latest calls considered; if half of them failed, charging pauses.
    pub calls: u32,
    /// How long a pause lasts, after which a few calls test the network.
    pub pause_seconds: u32,
}

impl Default for Breaker {
    fn default() -> Self {
        Self { calls: 20, pause_seconds: 30 }
    }
}

/// The result of a billing attempt, as a network names it.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "snake_case")]
pub enum BillingResult {
    /// The person was charged.
    Charged,
    /// Declined: the person has no airtime.
    NoAirtime,
    /// Declined for another reason.
    Refused,
    /// Undecided: the network is retrying, grants a day of grace, or tells the result later.
    Pending,
    /// The network has refunded the charge.
    Refunded,
    /// Not processed: the network is busy, and the same request may be sent again.
    RetryLater,
    /// The request is invalid: it would be rejected again.
    Rejected,
    /// The network knows nothing of what was asked about.
    NotFound,
}

impl Network {
    /// The adapter for its API.
    pub fn adapter(&self) -> Adapter {
        self.named_adapter.unwrap_or(match self.named_shape {
            Some(Shape::Push) => Adapter::Datasync,
            Some(Shape::Pull) | None => Adapter::Rest,
        })
    }

    /// Who starts charges: the subscription service (pull) or the network (push).
    pub fn shape(&self) -> Shape {
        self.adapter().shape()
    }

    /// The meaning of a billing event's `result_name`; `None` if it is not configured.
    pub fn billing_result(&self, name: &str) -> Option<BillingResult> {
        let name = name.trim().to_ascii_uppercase();
        match name.as_str() {
            "SUCCESS" => Some(BillingResult::Charged),
            "INSUFFICIENT_FUNDS" => Some(BillingResult::NoAirtime),
            _ => self.results.iter().find(|(known, _)| known.to_ascii_uppercase() == name).map(|(_, meaning)| *meaning),
        }
    }

    /// Whether this time is in the quiet hours, which may cross midnight.
    pub fn is_quiet(&self, time: TimeOfDay) -> bool {
        let [from, until] = self.quiet_hours;
        if from <= until { (from..until).contains(&time) } else { time >= from || time < until }
    }
}

/// A time of day in minutes after midnight, written `06:30`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct TimeOfDay(u16);

impl TimeOfDay {
    /// Of an hour (0 to 23) and a minute (0 to 59).
    pub const fn new(hour: u16, minute: u16) -> Self {
        Self(hour * 60 + minute)
    }

    /// Its hour.
    pub const fn hour(self) -> u16 {
        self.0 / 60
    }

    /// The minute of its hour.
    pub const fn minute(self) -> u16 {
        self.0 % 60
    }
}

impl TryFrom<String> for TimeOfDay {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        let parsed = text.split_once(':').and_then(|(hour, minute)| {
            let two_digits = |part: &str| (part.len() == 2).then(|| part.parse::<u16>().ok()).flatten();
            Some((two_digits(hour).filter(|hour| *hour < 24)?, two_digits(minute).filter(|minute| *minute < 60)?))
        });
        let (hour, minute) = parsed.ok_or_else(|| format!("{text:?} is no time like 06:30"))?;
        Ok(Self::new(hour, minute))
    }
}

fn default_credentials() -> String {
    "NETWORK_CREDENTIALS".to_owned()
}

fn default_notify_secret() -> String {
    "NOTIFY_SECRET".to_owned()
}

const fn default_quiet_hours() -> [TimeOfDay; 2] {
    [TimeOfDay::new(20, 0), TimeOfDay::new(8, 0)]
}

const fn default_reconcile_at() -> TimeOfDay {
    TimeOfDay::new(4, 30)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(text: &str) -> Result<Network, String> {
        toml::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn adapter_follows_shape_where_it_is_not_named() {
        for (entry, adapter, shape) in [
            ("adapter = 'rest'", Adapter::Rest, Shape::Pull),
            ("adapter = 'datasync'", Adapter::Datasync, Shape::Push),
            ("adapter = 'soap'", Adapter::Soap, Shape::Pull),
            ("adapter = 'camara'\n[camara]\ntwo_steps = true", Adapter::Camara, Shape::Pull),
            ("shape = 'pull'", Adapter::Rest, Shape::Pull),
            ("shape = 'push'", Adapter::Datasync, Shape::Push),
        ] {
            let network = network(entry).unwrap();
            assert_eq!((network.adapter(), network.shape()), (adapter, shape), "{entry}");
        }
        assert!(network("adapter = 'pigeon'").unwrap_err().contains("`rest`"));
    }

    #[test]
    fn is_quiet_crosses_midnight() {
        let usual = network("shape = 'pull'").unwrap();
        for (hour, quiet) in [(19, false), (20, true), (23, true), (0, true), (7, true), (8, false), (12, false)] {
            assert_eq!(usual.is_quiet(TimeOfDay::new(hour, 0)), quiet, "{hour}");
        }
        let lunch = network("shape = 'pull'\nquiet_hours = ['12:00', '13:30']").unwrap();
        for (hour, minute, quiet) in [(11, 59, false), (12, 0, true), (13, 29, true), (13, 30, false)] {
            assert_eq!(lunch.is_quiet(TimeOfDay::new(hour, minute)), quiet, "{hour}:{minute}");
        }
        for time in ["24:00", "6:00", "06:60", "noon"] {
            assert!(network(&format!("shape = 'pull'\nreconcile_at = '{time}'")).is_err(), "{time}");
        }
    }

    #[test]
    fn billing_result_uses_the_networks_own_names() {
        let odd = network("shape = 'push'\n[results]\ngrace = 'pending'\nREFUNDED = 'refunded'").unwrap();
        for (name, meaning) in [
            ("success", Some(BillingResult::Charged)),
            ("INSUFFICIENT_FUNDS", Some(BillingResult::NoAirtime)),
            (" Grace ", Some(BillingResult::Pending)),
            ("refunded", Some(BillingResult::Refunded)),
            ("PENDING", None),
        ] {
            assert_eq!(odd.billing_result(name), meaning, "{name}");
        }
    }
}
