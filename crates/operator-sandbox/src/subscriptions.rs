//! Subscriptions as the network keeps them: begun by a confirmed opt-in, ended by a stop; one at a time for each service.

use std::collections::BTreeMap;

use brands::{PRICE_CENTS, Shape};
use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use diesel::prelude::*;
use operator::{NamedService, StopEvent, SubscriptionEvent};
use store::{DbConnection, on_each_backend};

use crate::{
    App,
    behaviour::Behaviour,
    clock::day_of,
    error::Error,
    notifications::{self, Event, Notice},
    schema::subscriptions,
};

/// It runs, in a push network's words.
pub(crate) const ACTIVE: (i32, &str) = (2, "ACTIVE");
/// Its person ended it.
const CANCELLED: (i32, &str) = (8, "CANCELLED");

/// One subscription of the network's own.
#[derive(Clone, Queryable)]
pub(crate) struct Subscription {
    pub id: i64,
    pub network: String,
    pub msisdn: String,
    pub svc_id: i32,
    ext_ref: String,
    partner_ref: Option<String>,
    pub started_at: NaiveDateTime,
    pub ended_at: Option<NaiveDateTime>,
    pub last_billed_at: Option<NaiveDateTime>,
}

impl Subscription {
    /// The subscription of this id.
    pub fn find(conn: &mut DbConnection, id: i64) -> Result<Option<Self>, Error> {
        Ok(subscriptions::table.find(id).first(conn).optional()?)
    }

    /// Those of a number that run; of one service, or of all.
    pub fn running(conn: &mut DbConnection, msisdn: &str, svc_id: Option<i32>) -> Result<Vec<Self>, Error> {
        let mut running = subscriptions::table
            .filter(subscriptions::msisdn.eq(msisdn).and(subscriptions::ended_at.is_null()))
            .order(subscriptions::id)
            .into_boxed();
        if let Some(svc_id) = svc_id {
            running = running.filter(subscriptions::svc_id.eq(svc_id));
        }
        Ok(running.load(conn)?)
    }

    /// Those of these numbers that run, by number and service.
    pub fn running_of_numbers(
        conn: &mut DbConnection,
        numbers: &[&str],
    ) -> Result<BTreeMap<(String, i32), Vec<Self>>, Error> {
        let running: Vec<Self> = subscriptions::table
            .filter(subscriptions::msisdn.eq_any(numbers).and(subscriptions::ended_at.is_null()))
            .order(subscriptions::id)
            .load(conn)?;
        let mut by_number: BTreeMap<(String, i32), Vec<Self>> = BTreeMap::new();
        for one in running {
            by_number.entry((one.msisdn.clone(), one.svc_id)).or_default().push(one);
        }
        Ok(by_number)
    }

    /// Those of some networks that run and began before a moment, with ids above `after`.
    pub fn page_of_networks(
        conn: &mut DbConnection,
        networks: &[String],
        before: NaiveDateTime,
        after: i64,
        limit: i64,
    ) -> Result<Vec<Self>, Error> {
        Ok(subscriptions::table
            .filter(subscriptions::network.eq_any(networks).and(subscriptions::ended_at.is_null()))
            .filter(subscriptions::started_at.lt(before).and(subscriptions::id.gt(after)))
            .order(subscriptions::id)
            .limit(limit)
            .load(conn)?)
    }

    /// Those of some networks that began or ended since a moment, with ids above `after`.
    pub fn changed_since(
        conn: &mut DbConnection,
        networks: &[String],
        since: NaiveDateTime,
        after: i64,
        limit: i64,
    ) -> Result<Vec<Self>, Error> {
        Ok(subscriptions::table
            .filter(subscriptions::network.eq_any(networks).and(subscriptions::id.gt(after)))
            .filter(subscriptions::started_at.ge(since).or(subscriptions::ended_at.ge(since)))
            .order(subscriptions::id)
            .limit(limit)
            .load(conn)?)
    }

    /// Its row of the list of subscriptions.
    pub fn listed(&self) -> SubscriptionEvent {
        match self.ended_at {
            Some(ended_at) => self.event(CANCELLED, ended_at),
            None => self.event(ACTIVE, self.started_at),
        }
    }

    /// Whether the network knows it as running.
    pub fn is_known(&self, now: NaiveDateTime) -> bool {
        let forgotten =
            Behaviour::of(&self.msisdn) == Behaviour::UnknownFromSecondDay && day_of(now) > day_of(self.started_at);
        self.ended_at.is_none() && !forgotten
    }

    /// What a confirmed opt-in leads to: the subscription that runs already, or a new one.
    pub fn begin(
        app: &App,
        conn: &mut DbConnection,
        msisdn: &str,
        svc_id: i32,
        ext_ref: &str,
        partner_ref: Option<&str>,
        now: NaiveDateTime,
    ) -> Result<Self, Error> {
        let (brand, _) = app.brand(svc_id)?;
        let new = (
            subscriptions::network.eq(&brand.network),
            subscriptions::msisdn.eq(msisdn),
            subscriptions::svc_id.eq(svc_id),
            subscriptions::ext_ref.eq(ext_ref),
            subscriptions::partner_ref.eq(partner_ref),
            subscriptions::started_at.eq(now),
        );
        if Behaviour::of(msisdn) == Behaviour::NewIdOnRejoin || app.misbehaviours.of(&brand.network).new_id_on_rejoin {
            let running = subscriptions::table
                .filter(subscriptions::msisdn.eq(msisdn).and(subscriptions::svc_id.eq(svc_id)))
                .filter(subscriptions::network.eq(&brand.network))
                .filter(subscriptions::ended_at.is_null());
            diesel::update(running).set(subscriptions::ended_at.eq(now)).execute(conn)?;
        }
        // One may run already, or be begun in this instant by another page.
        on_each_backend!(conn, conn => diesel::insert_into(subscriptions::table)
            .values(new)
            .on_conflict_do_nothing()
            .execute(conn))?;
        let mut running = Self::running(conn, msisdn, Some(svc_id))?;
        running.retain(|one| one.network == brand.network);
        let running = running.pop().ok_or(store::Error::NotFound)?;
        // The page was confirmed for this try too, and so the events name it.
        Ok(Self { partner_ref: partner_ref.map(str::to_owned), ..running })
    }

    /// Ends it and sends the notification; one that has ended before stays as it is.
    pub fn end(&self, app: &App, conn: &mut DbConnection) -> Result<(), Error> {
        let now = app.clock.now();
        let running = subscriptions::table.filter(subscriptions::id.eq(self.id).and(subscriptions::ended_at.is_null()));
        if diesel::update(running).set(subscriptions::ended_at.eq(now)).execute(conn)? == 0 {
            return Ok(());
        }
        let misbehaviour = app.misbehaviours.of(&self.network);
        let stopped_at = misbehaviour.stop_time(now);
        let bodies = match app.brand(self.svc_id)?.1 {
            Shape::Push => {
                let event = misbehaviour.stop_event(notifications::body(&self.event(CANCELLED, stopped_at))?);
                let with_variant_types = Behaviour::of(&self.msisdn) == Behaviour::UntidyEvents;
                if with_variant_types {
                    vec![notifications::with_variant_types(event.clone()).to_string(), event.to_string()]
                } else {
                    vec![event.to_string()]
                }
            }
            Shape::Pull => {
                let event = StopEvent {
                    event: "stop".to_owned(),
                    user_msisdn: self.msisdn.clone(),
                    svc_id: NamedService::Id(self.svc_id),
                    network_subscription_id: Some(self.id.to_string()),
                    at: Some(stopped_at.and_utc()),
                };
                vec![Event::Stop(&event, &misbehaviour).written(app.adapter(&self.network)?)?]
            }
        };
        let notices: Vec<_> = bodies.into_iter().map(|body| Notice::text(&self.network, &self.msisdn, body)).collect();
        notifications::put(conn, &notices)
    }

    /// The event that a push network sends of it.
    pub fn event(&self, (status_id, status_name): (i32, &str), now: NaiveDateTime) -> SubscriptionEvent {
        let utc = |at: NaiveDateTime| -> DateTime<Utc> { at.and_utc() };
        SubscriptionEvent {
            subscription_id: self.id.to_string(),
            user_msisdn: self.msisdn.clone(),
            svc_id: NamedService::Id(self.svc_id),
            svc_name: None,
            ext_ref: Some(self.ext_ref.clone()),
            channel_name: Some("WAP".to_owned()),
            status_id,
            status_name: Some(status_name.to_owned()),
            billing_rate: Some(PRICE_CENTS),
            billing_cycle: Some("DAILY".to_owned()),
            last_billed_at: self.last_billed_at.map(utc),
            next_billing_at: self.last_billed_at.map(|at| utc(at + TimeDelta::days(1))),
            created_at: Some(utc(self.started_at)),
            updated_at: Some(utc(now)),
            partner_ref: self.partner_ref.clone(),
        }
    }
}
