//! A service's replicas: where they are, how busy each is, and whether it answers.

use std::{
    net::SocketAddr,
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicU8, AtomicUsize, Ordering},
    },
};

use actix_web::http::Uri;
use arc_swap::ArcSwap;
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
    /// Nobody has asked it yet; it may be tried.
    Unknown,
    /// It said that it is ready.
    Ready,
    /// It said that it is not, or does not answer.
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

    /// Notes what was found; whether that is news.
    pub fn found(&self, health: Health) -> bool {
        self.health.swap(health as u8, Ordering::Relaxed) != health as u8
    }
}

/// Replicas, each with the place of the name that it was found under.
type Known = Vec<(usize, Arc<Replica>)>;

/// The replicas that there are now, of one service.
#[derive(Debug)]
pub(super) struct Fleet {
    names: Vec<String>,
    known: ArcSwap<Known>,
}

impl Fleet {
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

    /// The less busy of two that were drawn from those that answer and were not tried yet; where there is none, any other.
    pub fn pick(&self, tried: &[SocketAddr]) -> Option<Arc<Replica>> {
        let all = self.known.load();
        if let [(_, only)] = all.as_slice() {
            return Some(only.clone());
        }
        let fresh = |replica: &&Arc<Replica>| !tried.contains(&replica.addr);
        let replicas = || all.iter().map(|(_, replica)| replica);
        let mut from: Vec<_> = replicas().filter(|replica| !replica.is_away()).filter(fresh).collect();
        if from.is_empty() {
            from = replicas().filter(fresh).collect();
        }
        if from.is_empty() {
            from = replicas().collect();
        }
        let drawn = from.sample(&mut rand::rng(), 2);
        drawn.min_by_key(|replica| replica.calls.load(Ordering::Relaxed)).map(|replica| Arc::clone(replica))
    }

    /// Asks the names again who they are. A name that does not answer keeps those it had.
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

    #[actix_web::test]
    async fn a_name_stands_for_all_its_addresses_and_is_asked_again() {
        let fleet = Fleet::new(&"http://localhost:9,http://127.0.0.9:9".parse().unwrap());
        assert_eq!(fleet.all().len(), 1, "a name is nobody until it was asked");
        fleet.resolve().await;
        let first = fleet.all();
        assert!(first.iter().any(|(_, replica)| replica.addr == "127.0.0.1:9".parse().unwrap()));
        fleet.resolve().await;
        let same = fleet.all();
        assert!(first.iter().zip(same.iter()).all(|(a, b)| Arc::ptr_eq(&a.1, &b.1)), "who stays keeps what is known");
    }

    #[test]
    fn the_less_busy_of_two_is_picked_and_who_is_away_only_at_need() {
        let fleet = Fleet::new(&"http://127.0.0.1:1,http://127.0.0.1:2,http://127.0.0.1:3".parse().unwrap());
        let all = fleet.all();
        let [(_, first), (_, second), (_, third)] = all.as_slice() else { panic!("three were named") };
        first.calls.store(9, Ordering::Relaxed);
        second.found(Health::Away);
        for _ in 0..50 {
            assert_eq!(fleet.pick(&[]).unwrap().addr, third.addr);
            assert_eq!(fleet.pick(&[third.addr]).unwrap().addr, first.addr);
            assert_eq!(fleet.pick(&[third.addr, first.addr]).unwrap().addr, second.addr);
        }
        assert!(fleet.pick(&[first.addr, second.addr, third.addr]).is_some());
    }
}
