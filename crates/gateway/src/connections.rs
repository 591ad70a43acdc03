//! Limits the connections of each address.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Arc, Mutex, PoisonError},
};

use service::Cidrs;

use crate::rates::client_prefix;

/// Counts open connections by address.
pub(crate) struct Connections {
    /// The limit per address; 0 means none.
    most: usize,
    /// Trusted proxies, whose connections carry many clients.
    proxies: Cidrs,
    open: Mutex<HashMap<IpAddr, usize>>,
}

/// An open connection, counted until it is dropped.
pub(crate) struct OpenConnection {
    all: Arc<Connections>,
    addr: IpAddr,
    /// Whether it exceeds its address's limit.
    pub(crate) over: bool,
}

impl Connections {
    pub(crate) fn new(most: usize, proxies: Cidrs) -> Arc<Self> {
        Arc::new(Self { most, proxies, open: Mutex::default() })
    }

    /// Counts a new connection until it is dropped.
    pub(crate) fn register(self: &Arc<Self>, addr: IpAddr) -> OpenConnection {
        // A proxy is counted by its full address, since other hosts with its prefix are no proxies.
        let proxy = self.proxies.contain(addr);
        let addr = if proxy { addr } else { client_prefix(addr) };
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(addr).or_default();
        *count += 1;
        let over = self.most > 0 && *count > self.most && !proxy;
        OpenConnection { all: self.clone(), addr, over }
    }
}

impl Drop for OpenConnection {
    fn drop(&mut self) {
        let mut open = self.all.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.addr) {
            *count = count.saturating_sub(1);
            if *count == 0 {
                open.remove(&self.addr);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn register_limits_an_address_but_not_a_proxy() {
        let all = Connections::new(2, "10.0.0.0/8, 2001:db8::7".parse().unwrap());
        let register = |addr: &str| all.register(addr.parse().unwrap());
        let (first, second, third) = (register("41.0.0.1"), register("41.0.0.1"), register("41.0.0.1"));
        assert_eq!((first.over, second.over, third.over), (false, false, true));
        assert!(!register("41.0.0.2").over);
        let proxied: Vec<OpenConnection> = (0..18).map(|n| register(["10.0.0.1", "2001:db8::7"][n % 2])).collect();
        assert!(proxied.iter().all(|connection| !connection.over));
        assert!(!register("2001:db8::8").over, "a proxy's neighbour");
        drop((first, third));
        assert!(!register("41.0.0.1").over);
        drop((second, proxied));
        assert!(all.open.lock().unwrap().is_empty(), "closed connections are not counted");
    }
}
