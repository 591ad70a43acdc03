//! Rate limits per address: token buckets, large enough for the many phones behind one address of a network.

use std::{
    net::{IpAddr, Ipv6Addr},
    num::NonZeroU32,
};

use governor::{
    Quota, RateLimiter,
    clock::{Clock, DefaultClock},
    state::keyed::DashMapStateStore,
};

use crate::error::Error;

/// The token buckets.
pub(crate) struct Rates {
    buckets: Option<RateLimiter<IpAddr, DashMapStateStore<IpAddr>, DefaultClock>>,
}

impl Rates {
    /// `per_second` requests and bursts of `burst`; 0 for either means no limit.
    pub(crate) fn new(per_second: u32, burst: u32) -> Self {
        let numbers = NonZeroU32::new(per_second).zip(NonZeroU32::new(burst));
        let quota = numbers.map(|(per_second, burst)| Quota::per_second(per_second).allow_burst(burst));
        Self { buckets: quota.map(RateLimiter::dashmap) }
    }

    /// Counts a request of this client, or rejects it.
    pub(crate) fn count(&self, client: IpAddr) -> Result<(), Error> {
        let Some(buckets) = &self.buckets else { return Ok(()) };
        buckets.check_key(&client_prefix(client)).map_err(|not_until| {
            let wait = not_until.wait_time_from(buckets.clock().now());
            Error::TooMany { seconds: wait.as_secs() + 1 }
        })
    }

    /// Removes full buckets.
    pub(crate) fn retain_recent(&self) {
        if let Some(buckets) = &self.buckets {
            buckets.retain_recent();
            buckets.shrink_to_fit();
        }
    }
}

/// What counts as one client: an IPv4 address, or an IPv6 /64.
pub(crate) fn client_prefix(addr: IpAddr) -> IpAddr {
    match addr {
        IpAddr::V4(_) => addr,
        IpAddr::V6(addr) => Ipv6Addr::from_bits(addr.to_bits() & !u128::from(u64::MAX)).into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn count_limits_each_client_prefix_separately() {
        let rates = Rates::new(1, 3);
        let ask = |addr: &str| rates.count(addr.parse().unwrap());
        for _ in 0..3 {
            assert!(ask("41.0.0.1").is_ok());
            assert!(ask("2001:db8::1").is_ok());
        }
        assert!(matches!(ask("41.0.0.1"), Err(Error::TooMany { seconds: 1 | 2 })));
        assert!(ask("2001:db8::ffff").is_err(), "the same prefix");
        assert!(ask("2001:db8:0:1::1").is_ok() && ask("41.0.0.2").is_ok());
        rates.retain_recent();
        assert!(ask("41.0.0.1").is_err(), "an empty bucket is not forgotten");
    }

    #[test]
    fn count_with_limit_0_never_fails() {
        for rates in [Rates::new(0, 5), Rates::new(5, 0)] {
            assert!((0..1000).all(|_| rates.count("::1".parse().unwrap()).is_ok()));
        }
    }
}
