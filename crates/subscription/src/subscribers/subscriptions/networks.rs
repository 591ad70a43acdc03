//! The network at which a subscription runs.

use std::collections::BTreeMap;

use diesel::{dsl::sql, prelude::*, sql_types::Bool};
use store::DbConnection;

use super::Subscription;
use crate::{
    error::Error,
    schema::{holds, subscriptions},
    subscribers::{lifecycle::State, policy::Policy},
};

/// Subscriptions whose network is filled in by one transaction.
const FILLED_BATCH_SIZE: i64 = 1000;

impl Subscription {
    /// Records the network that has confirmed it, and bills it from now on.
    pub fn record_network(&mut self, conn: &mut DbConnection, network: &str) -> Result<(), Error> {
        if self.network == network {
            return Ok(());
        }
        network.clone_into(&mut self.network);
        diesel::update(subscriptions::table.find(self.id)).set(subscriptions::network.eq(network)).execute(conn)?;
        Ok(())
    }

    /// Whether it runs at another network than this one.
    pub fn runs_elsewhere(&self, network: &str) -> bool {
        matches!(self.state, State::Active | State::Suspended) && !self.network.is_empty() && self.network != network
    }

    /// Fills in the network of a page of running rows that an earlier release has written: that of the network's own subscription, or the
    /// brand's. Returns the last id read, `None` for an empty page; each page in a transaction of its own.
    pub fn fill_networks(conn: &mut DbConnection, policy: &Policy, after: i64) -> Result<Option<i64>, Error> {
        let page: Vec<(i64, i32)> = subscriptions::table
            // Literal SQL, so that the partial index applies.
            .filter(sql::<Bool>("subscriptions.state IN ('active', 'suspended')"))
            .filter(subscriptions::network.eq("").and(subscriptions::id.gt(after)))
            .order(subscriptions::id)
            .limit(FILLED_BATCH_SIZE)
            .select((subscriptions::id, subscriptions::svc_id))
            .load(conn)?;
        let ids: Vec<i64> = page.iter().map(|(id, _)| *id).collect();
        let running: BTreeMap<i64, String> = holds::table
            .filter(holds::subscription_id.eq_any(&ids).and(holds::ended_at.is_null()))
            // The newest is the last, and stays in the map.
            .order(holds::id)
            .select((holds::subscription_id, holds::network))
            .load::<(i64, String)>(conn)?
            .into_iter()
            .filter(|(_, network)| policy.brands.network(network).is_some())
            .collect();
        let mut by_network: BTreeMap<String, Vec<i64>> = BTreeMap::new();
        for (id, svc_id) in page {
            let of_brand = || policy.brand(svc_id).map(|brand| brand.network.clone());
            // Without a brand it is not billed.
            if let Some(network) = running.get(&id).cloned().or_else(of_brand) {
                by_network.entry(network).or_default().push(id);
            }
        }
        for (network, ids) in by_network {
            let unfilled =
                subscriptions::table.filter(subscriptions::id.eq_any(ids).and(subscriptions::network.eq("")));
            diesel::update(unfilled).set(subscriptions::network.eq(network)).execute(conn)?;
        }
        Ok(ids.last().copied())
    }

    /// The networks on which subscriptions run.
    pub fn networks_in_use(conn: &mut DbConnection) -> Result<Vec<String>, Error> {
        let mut found = Vec::new();
        let mut after = String::new();
        // One seek for each network, instead of a walk over every subscription.
        loop {
            let next: Option<String> = subscriptions::table
                .filter(sql::<Bool>("subscriptions.state IN ('active', 'suspended')"))
                .filter(subscriptions::network.gt(&after))
                .order(subscriptions::network)
                .select(subscriptions::network)
                .first(conn)
                .optional()?;
            let Some(next) = next else { return Ok(found) };
            found.push(next.clone());
            after = next;
        }
    }
}
