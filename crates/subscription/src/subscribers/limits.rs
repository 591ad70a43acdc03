//! Rate limits of requests for a network's page: per address, and per number and address. They count who acts and never whom it hurts alone: what
//! strangers request about a number does not keep its owner from anything.
//!
//! Counted in Redis where it is configured, so that the limits hold over all replicas; otherwise, and while Redis does not answer, in
//! this process.

use std::{
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use identity::SubscriberId;
use moka::future::Cache;
use operator::OptInKind;
use service::StartError;
use store::{Redis, StoreConfig};

use crate::{
    error::Error,
    subscribers::{attempts::kind_name, policy::ChargeSecret},
};

const MINUTE: Duration = Duration::from_secs(60);
const DAY: Duration = Duration::from_secs(24 * 3600);

/// For one number from one address, per minute.
const PER_NUMBER_AND_ADDRESS: u64 = 10;
/// SMSes to a number because a visitor typed it, per day, and of these at night: each reaches its owner, who may not be the visitor.
const SMS_PER_NUMBER: u64 = 3;
const SMS_AT_NIGHT_PER_NUMBER: u64 = 1;
/// From one address, per minute: many phones share one.
const PER_ADDRESS: u64 = 600;

/// The most counters in this process, per window.
const MAX_COUNTERS: u64 = 200_000;

type Counters = Cache<String, Arc<AtomicU64>>;

/// The counters of all attempts.
#[derive(Clone)]
pub(crate) struct Limits {
    redis: Option<Redis>,
    minutes: Counters,
    days: Counters,
    /// Hashes numbers for the counters' keys; the same on every replica.
    secret: ChargeSecret,
}

impl Limits {
    /// Connects to Redis where it is configured.
    pub async fn open(store: &StoreConfig, secret: ChargeSecret) -> Result<Self, StartError> {
        let redis = Redis::open(store).await?;
        let counters = |window| Cache::builder().max_capacity(MAX_COUNTERS).time_to_live(window).build();
        Ok(Self { redis, minutes: counters(MINUTE), days: counters(DAY), secret })
    }

    /// Counts an attempt from an address, for any number.
    pub async fn count_address(&self, address: &str) -> Result<(), Error> {
        self.count(format!("address:{}", network_of(address)), &self.minutes, MINUTE, PER_ADDRESS).await
    }

    /// Counts an attempt of a kind for a number, from an address.
    pub async fn count_number(&self, kind: OptInKind, msisdn: &SubscriberId, address: &str) -> Result<(), Error> {
        let both = format!("{}:number:{}:address:{}", kind_name(kind), self.hash_of(msisdn), network_of(address));
        self.count(both, &self.minutes, MINUTE, PER_NUMBER_AND_ADDRESS).await
    }

    /// Counts an SMS to a number that a visitor typed; whether it may be sent.
    pub async fn may_send_sms(&self, msisdn: &SubscriberId, is_night: bool) -> bool {
        let key = format!("sms:number:{}", self.hash_of(msisdn));
        let at_night = format!("{key}:night");
        if is_night && self.count(at_night, &self.days, DAY, SMS_AT_NIGHT_PER_NUMBER).await.is_err() {
            return false;
        }
        self.count(key, &self.days, DAY, SMS_PER_NUMBER).await.is_ok()
    }

    async fn count(&self, key: String, own: &Counters, window: Duration, allowed: u64) -> Result<(), Error> {
        let shared = match &self.redis {
            Some(redis) => redis.count(&format!("spaza:tries:{key}"), window).await,
            None => None,
        };
        // Counted locally as well, so that an outage of Redis does not reset the counts.
        let here = own.get_with(key, async { Arc::default() }).await.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        let count = shared.map_or(here, |shared| shared.max(here));
        if count > allowed { Err(Error::TooManyAttempts { retry_after_seconds: window.as_secs() }) } else { Ok(()) }
    }

    /// A keyed digest: the numbers behind plain hashes could be found by trying all of them.
    fn hash_of(&self, msisdn: &SubscriberId) -> String {
        let digest = self.secret.digest(msisdn.as_str());
        hex::encode(digest.get(..16).unwrap_or_default())
    }
}

/// An IPv4 address, or the /64 of an IPv6 address: one household has all addresses of a /64.
pub(crate) fn network_of(address: &str) -> String {
    match address.parse::<IpAddr>() {
        Ok(IpAddr::V6(v6)) if v6.to_ipv4_mapped().is_none() => {
            let [a, b, c, d, ..] = v6.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
        Ok(ip) => ip.to_canonical().to_string(),
        Err(_) => "unknown".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn network_of_groups_ipv6_addresses_by_64_bits() {
        assert_eq!(network_of("203.0.113.7"), "203.0.113.7");
        assert_eq!(network_of("::ffff:203.0.113.7"), "203.0.113.7");
        assert_eq!(network_of("2001:db8:1:2:3:4:5:6"), network_of("2001:db8:1:2:ffff::1"));
        assert_ne!(network_of("2001:db8:1:2::1"), network_of("2001:db8:1:3::1"));
        assert_eq!(network_of("nonsense"), "unknown");
    }

    #[actix_web::test]
    async fn counter_keys_contain_no_number() {
        let secret = ChargeSecret::new(b"dev-notify").unwrap();
        let limits = Limits::open(&StoreConfig::sqlite("unused"), secret).await.unwrap();
        let msisdn = SubscriberId::parse("0812345678").unwrap();
        limits.count_number(OptInKind::OptIn, &msisdn, "203.0.113.7").await.unwrap();
        assert!(limits.may_send_sms(&msisdn, true).await);
        for counters in [&limits.minutes, &limits.days] {
            counters.run_pending_tasks().await;
            assert!(counters.iter().all(|(key, _)| !key.contains("812345678")));
        }
    }
}
