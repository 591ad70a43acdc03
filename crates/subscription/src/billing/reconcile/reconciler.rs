//! The state shared by all comparisons.

use std::sync::Arc;

use chrono::NaiveTime;
use service::Clock;
use store::Db;
use tokio::sync::Notify;

use crate::{App, networks::Networks, subscribers::policy::Policy};

/// Compares days with the networks' lists. Clones share the state.
#[derive(Clone)]
pub(crate) struct Reconciler {
    pub(super) db: Db,
    pub(super) policy: Arc<Policy>,
    pub(super) networks: Networks,
    pub(super) clock: Clock,
    pub(super) outbox_wake: Arc<Notify>,
}

impl Reconciler {
    /// With the service's state.
    pub fn of(app: &App) -> Self {
        Self {
            db: app.db.clone(),
            policy: app.policy.clone(),
            networks: app.networks.clone(),
            clock: app.clock.clone(),
            outbox_wake: app.outbox_wake.clone(),
        }
    }

    /// The configured networks, sorted by name, each with the time of day at which its list is compared.
    pub(super) fn networks(&self) -> Vec<(String, NaiveTime)> {
        let status = self.policy.brands.networks().filter(|(name, _)| self.networks.operator(name).is_ok());
        let time = |at: brands::TimeOfDay| NaiveTime::from_hms_opt(at.hour().into(), at.minute().into(), 0);
        status.map(|(name, network)| (name, time(network.reconcile_at).unwrap_or(NaiveTime::MIN))).collect()
    }

    /// The networks with this base URL: each lists the charges of all of them.
    pub(crate) fn networks_at(&self, address: &str) -> Vec<String> {
        let names = self.networks().into_iter().map(|(name, _)| name);
        names.filter(|name| self.networks.operator(name).is_ok_and(|operator| operator.address() == address)).collect()
    }
}
