//! A service's replicas: their addresses, the calls under way at each, and whether it is ready.

use std::{
    net::SocketAddr,
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicU8, AtomicUsize, Ordering},
    },
};

use arc_swap::ArcSwap;
use http::Uri;
use rand::seq::IndexedRandom;

/// The base URLs of one service's replicas. A host name may stand for several: one for each address it resolves to.
#[derive(Clone, Debug)]
pub struct Replicas(pub(super) Vec<String>);

impl FromStr for Replicas {
    type Err = String;

    /// `http://host:port`, one or more, separated by commas.
    fn from_str(text: &str) -> Result<Self, String> {
        let bases = text
            .split(',')
            .map(str::trim)
            .filter(|base| !base.is_empty())
            .map(|base| {
                let uri: Uri = base.parse().map_err(|_| format!("{base:?} is no address"))?;
                let plain = uri.path() == "/" && uri.query().is_none();
                match (uri.scheme_str(), uri.authority()) {
                    (Some("http"), Some(authority)) if plain => Ok(match authority.port() {
                        Some(_) => authority.to_string(),
                        None => format!("{authority}:80"),
                    }),
                    _ => Err(format!("{base:?} is not of the form http://host:port")),
                }
            })
            .collect::<Result<Vec<_>, String>>()?;
        if bases.is_empty() { Err("it names no address".to_owned()) } else { Ok(Self(bases)) }
    }
}

/// What is known of a replica.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Health {
    /// It has not been asked yet; it may be tried.
    Unknown,
    /// It said that it is ready.
    Ready,
    /// It said that it is not ready, or does not answer.
    Away,
}

/// One process of a service.
#[derive(Debug)]
pub(super) struct Replica {
    pub addr: SocketAddr,
    pub calls: AtomicUsize,
    health: AtomicU8,
}

impl Replica {
    fn new(addr: SocketAddr) -> Self {
        Self { addr, calls: AtomicUsize::new(0), health: AtomicU8::new(Health::Unknown as u8) }
    }

    pub fn is_ready(&self) -> bool {
        self.health.load(Ordering::Relaxed) == Health::Ready as u8
    }

    pub fn is_away(&self) -> bool {
        self.health.load(Ordering::Relaxed) == Health::Away as u8
    }

    /// Records whether it is ready; returns whether that has changed.
    pub fn set_health(&self, health: Health) -> bool {
        self.health.swap(health as u8, Ordering::Relaxed) != health as u8
    }
}

/// Replicas, each with the index of the name that resolved to it.
type Known = Vec<(usize, Arc<Replica>)>;

/// The current replicas of one service.
#[derive(Debug)]
pub(super) struct ReplicaSet {
    names: Vec<String>,
    known: ArcSwap<Known>,
}

impl ReplicaSet {
    pub fn new(replicas: &Replicas) -> Self {
        let numbered = replicas.0.iter().enumerate();
        let fixed = numbered.filter_map(|(name, base)| Some((name, Arc::new(Replica::new(base.parse().ok()?)))));
        Self { names: replicas.0.clone(), known: ArcSwap::from_pointee(fixed.collect()) }
    }

    /// All of them.
    pub fn all(&self) -> Arc<Known> {
        self.known.load_full()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.known.load().len()
    }

    /// The less busy of two random replicas that are not away and were not tried yet; where there is none, of any others.
    pub fn pick(&self, tried: &[SocketAddr]) -> Option<Arc<Replica>> {
        let all = self.known.load();
        if let [(_, only)] = all.as_slice() {
            return Some(only.clone());
        }
        let fresh = |replica: &&Arc<Replica>| !tried.contains(&replica.addr);
        let known = || all.iter().map(|(_, replica)| replica);
        let mut from: Vec<_> = known().filter(|replica| !replica.is_away()).filter(fresh).collect();
        if from.is_empty() {
            from = known().filter(fresh).collect();
        }
        if from.is_empty() {
            from = known().collect();
        }
        let drawn = from.sample(&mut rand::rng(), 2);
        drawn.min_by_key(|replica| replica.calls.load(Ordering::Relaxed)).map(|replica| Arc::clone(replica))
    }

    /// Resolves the names again. A name that cannot be resolved keeps its replicas.
    pub async fn resolve(&self) {
        let old = self.all();
        let mut now = Vec::with_capacity(old.len());
        for (name, base) in self.names.iter().enumerate() {
            let of_name = old.iter().filter(|(of, _)| *of == name);
            let found = match base.parse::<SocketAddr>() {
                Ok(_) => None,
                Err(_) => tokio::net::lookup_host(base).await.ok(),
            };
            let Some(found) = found else {
                now.extend(of_name.cloned());
                continue;
            };
            let mut addrs: Vec<SocketAddr> = found.collect();
            addrs.sort_unstable();
            addrs.dedup();
            now.extend(addrs.into_iter().map(|addr| {
                let known = of_name.clone().find(|(_, replica)| replica.addr == addr);
                known.cloned().unwrap_or_else(|| (name, Arc::new(Replica::new(addr))))
            }));
        }
        self.known.store(Arc::new(now));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replicas_are_plain_http_addresses() {
        let parsed = |text: &str| text.parse::<Replicas>().map(|replicas| replicas.0);
        assert_eq!(parsed("http://a:1, http://b:2/, http://c").unwrap(), ["a:1", "b:2", "c:80"]);
        for text in ["", ",", "a:1", "https://a:1", "http://a:1/path", "http://a:1?x", "ftp://a"] {
            assert!(parsed(text).is_err(), "{text}");
        }
    }

    #[tokio::test]
    async fn a_name_stands_for_all_its_addresses_and_is_resolved_again() {
        let replicas = ReplicaSet::new(&"http://localhost:9,http://127.0.0.9:9".parse().unwrap());
        assert_eq!(replicas.all().len(), 1, "a name has no replica before it was resolved");
        replicas.resolve().await;
        let first = replicas.all();
        assert!(first.iter().any(|(_, replica)| replica.addr == "127.0.0.1:9".parse().unwrap()));
        replicas.resolve().await;
        let same = replicas.all();
        assert!(
            first.iter().zip(same.iter()).all(|(a, b)| Arc::ptr_eq(&a.1, &b.1)),
            "a replica that stays keeps what is known of it"
        );
    }

    #[test]
    fn the_less_busy_of_two_is_picked_and_one_that_is_away_only_at_need() {
        let replicas = ReplicaSet::new(&"http://127.0.0.1:1,http://127.0.0.1:2,http://127.0.0.1:3".parse().unwrap());
        let all = replicas.all();
        let [(_, first), (_, second), (_, third)] = all.as_slice() else { panic!("three were named") };
        first.calls.store(9, Ordering::Relaxed);
        second.set_health(Health::Away);
        for _ in 0..50 {
            assert_eq!(replicas.pick(&[]).unwrap().addr, third.addr);
            assert_eq!(replicas.pick(&[third.addr]).unwrap().addr, first.addr);
            assert_eq!(replicas.pick(&[third.addr, first.addr]).unwrap().addr, second.addr);
        }
        assert!(replicas.pick(&[first.addr, second.addr, third.addr]).is_some());
    }
}
