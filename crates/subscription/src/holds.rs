//! Holds: the subscriptions that networks keep on their side, by their own ids. One that has ended stays ended.

use chrono::NaiveDateTime;
use diesel::prelude::*;
use identity::Msisdn;
use store::{DbConnection, on_each_backend};

use crate::{
    error::Error,
    schema::{holds, subscriptions},
};

/// A network's own subscription.
#[derive(Queryable)]
pub(crate) struct Hold {
    pub id: i64,
    pub network: String,
    pub network_ref: String,
    pub ended_at: Option<NaiveDateTime>,
}

type Columns = (holds::id, holds::network, holds::network_ref, holds::ended_at);
const COLUMNS: Columns = (holds::id, holds::network, holds::network_ref, holds::ended_at);

impl Hold {
    /// The hold of that id at a network, among those of one subscription.
    pub fn find(
        conn: &mut DbConnection,
        subscription_id: i64,
        network: &str,
        network_ref: &str,
    ) -> Result<Option<Self>, Error> {
        Ok(holds::table
            .filter(holds::network.eq(network).and(holds::network_ref.eq(network_ref)))
            .filter(holds::subscription_id.eq(subscription_id))
            .select(COLUMNS)
            .first(conn)
            .optional()?)
    }

    /// Keeps a hold we had not heard of, running or ended; one that the subscription has already stays as it is.
    pub fn insert(
        conn: &mut DbConnection,
        subscription_id: i64,
        network: &str,
        network_ref: &str,
        started_at: NaiveDateTime,
        ended_at: Option<NaiveDateTime>,
    ) -> Result<(), Error> {
        let new = (
            holds::subscription_id.eq(subscription_id),
            holds::network.eq(network),
            holds::network_ref.eq(network_ref),
            holds::started_at.eq(started_at),
            holds::ended_at.eq(ended_at),
        );
        on_each_backend!(conn, conn => diesel::insert_into(holds::table)
            .values(new)
            .on_conflict_do_nothing()
            .execute(conn))?;
        Ok(())
    }

    /// Ends a hold, for good.
    pub fn end(&self, conn: &mut DbConnection, at: NaiveDateTime) -> Result<(), Error> {
        diesel::update(holds::table.filter(holds::id.eq(self.id).and(holds::ended_at.is_null())))
            .set(holds::ended_at.eq(at))
            .execute(conn)?;
        Ok(())
    }

    /// The holds of a subscription that run, begun no later than `begun_by` where given.
    pub fn running(
        conn: &mut DbConnection,
        subscription_id: i64,
        begun_by: Option<NaiveDateTime>,
    ) -> Result<Vec<Self>, Error> {
        let mut running = holds::table
            .filter(holds::subscription_id.eq(subscription_id).and(holds::ended_at.is_null()))
            .select(COLUMNS)
            .order(holds::id)
            .into_boxed();
        if let Some(at) = begun_by {
            running = running.filter(holds::started_at.le(at));
        }
        Ok(running.load(conn)?)
    }

    /// The networks and ids of a number's holds for a service that have ended.
    pub fn ended(conn: &mut DbConnection, msisdn: &Msisdn, svc_id: i32) -> Result<Vec<(String, String)>, Error> {
        Ok(holds::table
            .inner_join(subscriptions::table)
            .filter(subscriptions::msisdn.eq(msisdn.as_str()).and(subscriptions::svc_id.eq(svc_id)))
            .filter(holds::ended_at.is_not_null())
            .select((holds::network, holds::network_ref))
            .load(conn)?)
    }

    /// The service a number's running hold of that id is for: what a join at the network itself comes back with.
    pub fn running_service(conn: &mut DbConnection, network_ref: &str, msisdn: &Msisdn) -> Result<Option<i32>, Error> {
        // Only plain ids are looked for: PostgreSQL refuses some characters.
        if !network_ref.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')) {
            return Ok(None);
        }
        Ok(holds::table
            .inner_join(subscriptions::table)
            .filter(holds::network_ref.eq(network_ref).and(holds::ended_at.is_null()))
            .filter(subscriptions::msisdn.eq(msisdn.as_str()))
            .select(subscriptions::svc_id)
            .first(conn)
            .optional()?)
    }
}
