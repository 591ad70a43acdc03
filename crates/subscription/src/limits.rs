//! How often a visitor may ask for a network's page: per number, per address, and per both; joining, proving and leaving each by
//! itself, so that strangers who try to join with a number do not keep its owner from leaving.
//!
//! Counted in Redis where there is one, so that the limits hold over all replicas; else, and while Redis does not answer,
//! in this process.

use std::{
    net::IpAddr,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use identity::Msisdn;
use moka::future::Cache;
use operator::OptInKind;
use service::StartError;
use store::{Redis, StoreConfig};

use crate::{error::Error, opt_in_attempts::kind_name, policy::ChargeSecret};

const MINUTE: Duration = Duration::from_secs(60);
const HOUR: Duration = Duration::from_secs(3600);

/// For one number from one address, a minute.
const PER_NUMBER_AND_ADDRESS: u64 = 10;
/// For one number, an hour.
const PER_NUMBER: u64 = 60;
/// From one address, a minute: many phones share one.
const PER_ADDRESS: u64 = 600;

/// Counters this process keeps at most, per window.
const MAX_COUNTERS: u64 = 200_000;

type Counters = Cache<String, Arc<AtomicU64>>;

/// The counters of all tries.
#[derive(Clone)]
pub(crate) struct Limits {
    redis: Option<Redis>,
    minutes: Counters,
    hours: Counters,
    /// Makes names of numbers that nobody can read back; the same on every replica.
    secret: ChargeSecret,
}

impl Limits {
    /// Connects to Redis where there is one.
    pub async fn open(store: &StoreConfig, secret: ChargeSecret) -> Result<Self, StartError> {
        let redis = match store.redis_url.as_deref().filter(|url| !url.is_empty()) {
            Some(url) => Some(Redis::open(url).await?),
            None => None,
        };
        let counters = |window| Cache::builder().max_capacity(MAX_COUNTERS).time_to_live(window).build();
        Ok(Self { redis, minutes: counters(MINUTE), hours: counters(HOUR), secret })
    }

    /// One more try from an address, for whatever number.
    pub async fn count_address(&self, address: &str) -> Result<(), Error> {
        self.count(format!("address:{}", network_of(address)), &self.minutes, MINUTE, PER_ADDRESS).await
    }

    /// One more try of a kind for a number, from an address. A browser that has proved before that the number is its owner's is
    /// limited by its address alone: the tries of strangers are not counted against it.
    pub async fn count_number(
        &self,
        kind: OptInKind,
        msisdn: &Msisdn,
        address: &str,
        is_confirmed: bool,
    ) -> Result<(), Error> {
        let (kind, number) = (kind_name(kind), self.name_of(msisdn));
        let both = format!("{kind}:number:{number}:address:{}", network_of(address));
        self.count(both, &self.minutes, MINUTE, PER_NUMBER_AND_ADDRESS).await?;
        if is_confirmed {
            return Ok(());
        }
        self.count(format!("{kind}:number:{number}"), &self.hours, HOUR, PER_NUMBER).await
    }

    async fn count(&self, key: String, own: &Counters, window: Duration, allowed: u64) -> Result<(), Error> {
        let shared = match &self.redis {
            Some(redis) => redis.count(&format!("spaza:tries:{key}"), window).await,
            None => None,
        };
        // Counted here as well: what Redis missed while it did not answer must not begin anew.
        let here = own.get_with(key, async { Arc::default() }).await.fetch_add(1, Ordering::Relaxed).saturating_add(1);
        let count = shared.map_or(here, |shared| shared.max(here));
        if count > allowed { Err(Error::TooManyAttempts { retry_after_seconds: window.as_secs() }) } else { Ok(()) }
    }

    /// A keyed digest: there are few enough numbers to find one behind a plain hash.
    fn name_of(&self, msisdn: &Msisdn) -> String {
        let digest = self.secret.digest(msisdn.as_str());
        hex::encode(digest.get(..16).unwrap_or_default())
    }
}

/// An IPv4 address, or the /64 of an IPv6 address: one household has as many of those as it likes.
fn network_of(address: &str) -> String {
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
    fn a_household_is_one_address() {
        assert_eq!(network_of("203.0.113.7"), "203.0.113.7");
        assert_eq!(network_of("::ffff:203.0.113.7"), "203.0.113.7");
        assert_eq!(network_of("2001:db8:1:2:3:4:5:6"), network_of("2001:db8:1:2:ffff::1"));
        assert_ne!(network_of("2001:db8:1:2::1"), network_of("2001:db8:1:3::1"));
        assert_eq!(network_of("nonsense"), "unknown");
    }

    #[actix_web::test]
    async fn a_counter_names_no_number() {
        let secret = ChargeSecret::new(b"dev-notify").unwrap();
        let limits = Limits::open(&StoreConfig::sqlite("unused"), secret).await.unwrap();
        let msisdn = Msisdn::parse("0812345678").unwrap();
        limits.count_number(OptInKind::OptIn, &msisdn, "203.0.113.7", false).await.unwrap();
        for counters in [&limits.minutes, &limits.hours] {
            counters.run_pending_tasks().await;
            assert!(counters.iter().all(|(key, _)| !key.contains("812345678")));
        }
    }
}
