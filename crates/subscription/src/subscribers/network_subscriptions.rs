//! Network subscriptions (table `holds`): the networks' own records of our subscriptions, by their ids. An ended one stays ended.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use identity::SubscriberId;
use store::{DbConnection, on_each_backend};

use crate::{
    error::Error,
    schema::{holds, subscriptions},
};

/// A network's own subscription.
#[derive(Queryable, Selectable)]
#[diesel(table_name = holds)]
pub(crate) struct NetworkSubscription {
    pub id: i64,
    pub network: String,
    pub network_ref: String,
    pub started_at: NaiveDateTime,
    pub ended_at: Option<NaiveDateTime>,
    ended_by: String,
}

/// `ended_by`: the network reported the end.
pub(crate) const NETWORK: &str = "network";

/// `ended_by`: we told the network to end it.
pub(crate) const OUR_SERVICE: &str = "us";

impl NetworkSubscription {
    /// Finds a subscription's network subscription by the network's id.
    pub fn find(
        conn: &mut DbConnection,
        subscription_id: i64,
        network: &str,
        network_ref: &str,
    ) -> Result<Option<Self>, Error> {
        Ok(holds::table
            .filter(holds::network.eq(network).and(holds::network_ref.eq(network_ref)))
            .filter(holds::subscription_id.eq(subscription_id))
            .select(Self::as_select())
            .first(conn)
            .optional()?)
    }

    /// Inserts a new network subscription, active or ended; an existing one stays unchanged.
    pub fn insert(
        conn: &mut DbConnection,
        subscription_id: i64,
        network: &str,
        network_ref: &str,
        started_at: NaiveDateTime,
        ended: Option<(NaiveDateTime, &str)>,
    ) -> Result<(), Error> {
        let new = (
            holds::subscription_id.eq(subscription_id),
            holds::network.eq(network),
            holds::network_ref.eq(network_ref),
            holds::started_at.eq(started_at),
            holds::ended_at.eq(ended.map(|(at, _)| at)),
            holds::ended_by.eq(ended.map_or("", |(_, by)| by)),
        );
        on_each_backend!(conn, conn => diesel::insert_into(holds::table)
            .values(new)
            .on_conflict_do_nothing()
            .execute(conn))?;
        Ok(())
    }

    /// Ends it because we tell the network to.
    pub fn end(&self, conn: &mut DbConnection, at: NaiveDateTime) -> Result<(), Error> {
        self.end_as(conn, at, OUR_SERVICE)
    }

    /// Ends it because the network reports it.
    pub fn end_by_network(&self, conn: &mut DbConnection, at: NaiveDateTime) -> Result<(), Error> {
        self.end_as(conn, at, NETWORK)
    }

    fn end_as(&self, conn: &mut DbConnection, at: NaiveDateTime, by: &str) -> Result<(), Error> {
        diesel::update(holds::table.filter(holds::id.eq(self.id).and(holds::ended_at.is_null())))
            .set((holds::ended_at.eq(at), holds::ended_by.eq(by)))
            .execute(conn)?;
        // The network's own end replaces ours: only after it can the same id restart.
        if by == NETWORK {
            diesel::update(holds::table.filter(holds::id.eq(self.id).and(holds::ended_by.eq(OUR_SERVICE))))
                .set((holds::ended_at.eq(at), holds::ended_by.eq(by)))
                .execute(conn)?;
        }
        Ok(())
    }

    /// Whether the network itself reported its end before `at`.
    pub fn was_ended_by_network_before(&self, at: NaiveDateTime) -> bool {
        self.ended_by == NETWORK && self.ended_at.is_some_and(|ended_at| ended_at < at)
    }

    /// Restarts it under its old id.
    pub fn reopen(&self, conn: &mut DbConnection, at: NaiveDateTime) -> Result<(), Error> {
        diesel::update(holds::table.find(self.id))
            .set((holds::started_at.eq(at), holds::ended_at.eq(None::<NaiveDateTime>), holds::ended_by.eq("")))
            .execute(conn)?;
        Ok(())
    }

    /// All network subscriptions of a subscription at a network, oldest first.
    pub fn all_at(conn: &mut DbConnection, subscription_id: i64, network: &str) -> Result<Vec<Self>, Error> {
        Ok(holds::table
            .filter(holds::subscription_id.eq(subscription_id).and(holds::network.eq(network)))
            .order(holds::id)
            .select(Self::as_select())
            .load(conn)?)
    }

    /// The services for which a number has or had a network subscription at a network.
    pub fn services_at(conn: &mut DbConnection, msisdn: &SubscriberId, network: &str) -> Result<Vec<i32>, Error> {
        Ok(holds::table
            .inner_join(subscriptions::table)
            .filter(holds::network.eq(network).and(subscriptions::msisdn.eq(msisdn.as_str())))
            .select(subscriptions::svc_id)
            .distinct()
            .load(conn)?)
    }

    /// The subscriber of the network's subscription with this id; `None` where two have it.
    pub fn owner_of(conn: &mut DbConnection, network: &str, network_ref: &str) -> Result<Option<SubscriberId>, Error> {
        let owners: Vec<String> = holds::table
            .inner_join(subscriptions::table)
            .filter(holds::network.eq(network).and(holds::network_ref.eq(network_ref)))
            .select(subscriptions::msisdn)
            .distinct()
            .limit(2)
            .load(conn)?;
        Ok(if let [owner] = owners.as_slice() { SubscriberId::parse(owner).ok() } else { None })
    }

    /// The service of a number's network subscription with this id.
    pub fn service_of(
        conn: &mut DbConnection,
        msisdn: &SubscriberId,
        network: &str,
        network_ref: &str,
    ) -> Result<Option<i32>, Error> {
        Ok(holds::table
            .inner_join(subscriptions::table)
            .filter(holds::network.eq(network).and(holds::network_ref.eq(network_ref)))
            .filter(subscriptions::msisdn.eq(msisdn.as_str()))
            .select(subscriptions::svc_id)
            .first(conn)
            .optional()?)
    }

    /// The active network subscriptions of a subscription, oldest first.
    pub fn running(conn: &mut DbConnection, subscription_id: i64) -> Result<Vec<Self>, Error> {
        Ok(holds::table
            .filter(holds::subscription_id.eq(subscription_id).and(holds::ended_at.is_null()))
            .select(Self::as_select())
            .order(holds::id)
            .load(conn)?)
    }
}
