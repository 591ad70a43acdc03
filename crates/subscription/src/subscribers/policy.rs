//! The settings behind every state change and charge: the brands, their networks, the charge keys, the test number.

use std::sync::Arc;

use brands::{Brand, Brands, Shape};
use chrono::NaiveDate;
use hmac::{Hmac, KeyInit, Mac};
use identity::{Msisdn, SubscriberId};
use sha2::Sha256;

/// The secret for charge keys and counters' keys; prints masked.
#[derive(Clone)]
pub(crate) struct ChargeSecret(Hmac<Sha256>);

impl ChargeSecret {
    /// From any bytes; `None` for none.
    pub fn new(key: &[u8]) -> Option<Self> {
        let mac = Hmac::new_from_slice(key).ok();
        mac.filter(|_| !key.is_empty()).map(Self)
    }

    /// A keyed digest, for identifiers that must not reveal the text.
    pub fn digest(&self, text: &str) -> [u8; 32] {
        let mut mac = self.0.clone();
        mac.update(text.as_bytes());
        mac.finalize().into_bytes().into()
    }
}

/// Shared by handlers and background tasks.
pub(crate) struct Policy {
    pub brands: Brands,
    /// Makes charge keys unguessable and unreadable.
    pub secret: ChargeSecret,
    pub test_msisdn: Option<Msisdn>,
}

impl Policy {
    /// The brand of a service.
    pub fn brand(&self, svc_id: i32) -> Option<Arc<Brand>> {
        self.brands.by_svc_id(svc_id)
    }

    /// The network of a subscription, which keeps it although its brand may have another one by now. The brand's, where the subscription was
    /// never confirmed, or ended under a release that did not keep it: then its `network` is empty.
    pub fn network_of(&self, network: &str, svc_id: i32) -> Option<String> {
        if !network.is_empty() {
            return Some(network.to_owned());
        }
        self.brand(svc_id).map(|brand| brand.network.clone())
    }

    /// Whether we request the charges of a number at this network; false where the network charges by itself, and for the test number.
    pub fn requests_charges(&self, msisdn: &SubscriberId, network: &str) -> bool {
        self.is_pull(network) && !self.is_test(msisdn.as_str())
    }

    /// Whether a network delivers SMSes to its subscribers, by the names that it has for them.
    pub fn sends_sms(&self, network: &str) -> bool {
        !self.brands.has_tokens(network) || self.brands.network(network).is_some_and(|network| network.sms_to_tokens)
    }

    /// Whether this is the configured test number.
    pub fn is_test(&self, msisdn: &str) -> bool {
        self.test_msisdn.as_ref().is_some_and(|test| test.as_str() == msisdn)
    }

    /// The networks that we request charges from, also those that no brand names any more: subscriptions may still run there.
    pub fn pull_networks(&self) -> Vec<String> {
        self.brands.networks().filter(|(_, network)| network.shape() == Shape::Pull).map(|(name, _)| name).collect()
    }

    /// The idempotency key of a day's charge: the same for every attempt, even if our own record of it were lost.
    ///
    /// Made of the number and not of our row's id, so that a second installation at the same network never uses another subscriber's
    /// key; a digest, because keys appear in URLs and logs.
    pub fn charge_key(&self, msisdn: &str, svc_id: i32, day: NaiveDate) -> String {
        let digest = self.secret.digest(&format!("charge/{msisdn}/{svc_id}/{day}"));
        format!("{day}-{svc_id}-{}", hex::encode(digest.get(..12).unwrap_or_default()))
    }

    /// Whether we request the charges of this network.
    pub fn is_pull(&self, network: &str) -> bool {
        self.brands.network(network).is_some_and(|network| network.shape() == Shape::Pull)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn charge_key_depends_on_number_service_and_day() {
        let secret = ChargeSecret::new(b"dev-notify").unwrap();
        let policy = Policy { brands: testkit::brands(), secret, test_msisdn: None };
        let (one, other) = ("27812345678", "27812345679");
        let day: NaiveDate = "2028-02-29".parse().unwrap();
        let key = policy.charge_key(one, 150, day);
        assert_eq!(key, policy.charge_key(one, 150, day));
        assert!(key.starts_with("2028-02-29-150-") && !key.contains("812345678"), "{key}");
        for another in [
            policy.charge_key(other, 150, day),
            policy.charge_key(one, 151, day),
            policy.charge_key(one, 150, day.succ_opt().unwrap()),
        ] {
            assert_ne!(key, another);
        }
    }

    #[test]
    fn pull_networks_excludes_push_networks() {
        let secret = ChargeSecret::new(b"dev-notify").unwrap();
        let test = Msisdn::parse("27600000000").unwrap();
        let policy = Policy { brands: testkit::brands(), secret, test_msisdn: Some(test.clone()) };
        let number = SubscriberId::parse("0812345678").unwrap();
        assert!(policy.requests_charges(&number, "sandbox-pull"));
        assert!(!policy.requests_charges(&number, "sandbox-push") && !policy.requests_charges(&number, "removed"));
        assert!(!policy.requests_charges(&test.into(), "sandbox-pull"));
        let networks = policy.pull_networks();
        assert!(networks.iter().any(|network| network == "sandbox-pull"));
        assert!(networks.iter().all(|network| network != "sandbox-push"));
    }
}
