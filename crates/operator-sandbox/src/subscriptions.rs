//! Subscriptions as the network keeps them: begun by a confirmed opt-in, ended by a stop. Push networks charge and tell.

use brands::{PRICE_CENTS, Shape};
use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use diesel::prelude::*;
use operator::{BillingEvent, StopEvent, SubscriptionEvent};
use serde_json::Value;
use store::DbConnection;

use crate::{
    App,
    behaviour::Behaviour,
    charges::{Charge, day_of},
    error::Error,
    notifications,
    schema::subscriptions,
};

const ACTIVE: (i32, &str) = (2, "ACTIVE");
const CANCELLED: (i32, &str) = (8, "CANCELLED");

/// One subscription of the network's own.
#[derive(Clone, Queryable)]
pub(crate) struct Subscription {
    pub id: i64,
    network: String,
    msisdn: String,
    svc_id: i32,
    ext_ref: String,
    partner_ref: Option<String>,
    started_at: NaiveDateTime,
    pub ended_at: Option<NaiveDateTime>,
    last_billed_at: Option<NaiveDateTime>,
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

    /// What a confirmed opt-in leads to: the subscription that runs already, or a new one. A push network charges its
    /// first day and tells of both.
    pub fn begin(
        app: &App,
        conn: &mut DbConnection,
        msisdn: &str,
        svc_id: i32,
        ext_ref: &str,
        partner_ref: Option<&str>,
        now: NaiveDateTime,
    ) -> Result<i64, Error> {
        let (brand, shape) = app.brand(svc_id)?;
        let running = Self::running(conn, msisdn, Some(svc_id))?.pop();
        let mut subscription = match running {
            // The page was confirmed for this try too, and so the events name it.
            Some(running) => Self { partner_ref: partner_ref.map(str::to_owned), ..running },
            None => diesel::insert_into(subscriptions::table)
                .values((
                    subscriptions::network.eq(&brand.network),
                    subscriptions::msisdn.eq(msisdn),
                    subscriptions::svc_id.eq(svc_id),
                    subscriptions::ext_ref.eq(ext_ref),
                    subscriptions::partner_ref.eq(partner_ref),
                    subscriptions::started_at.eq(now),
                ))
                .returning(subscriptions::all_columns)
                .get_result(conn)?,
        };
        if shape == Shape::Push {
            let billing = subscription.charge(conn, now)?;
            let told = notifications::body(&subscription.event(ACTIVE, now))?;
            tell_of_start(conn, &subscription, told, billing, now)?;
        }
        Ok(subscription.id)
    }

    /// Ends it and tells; ended before, nothing happens.
    pub fn end(&self, app: &App, conn: &mut DbConnection, now: NaiveDateTime) -> Result<(), Error> {
        let running = subscriptions::table.filter(subscriptions::id.eq(self.id).and(subscriptions::ended_at.is_null()));
        if diesel::update(running).set(subscriptions::ended_at.eq(now)).execute(conn)? == 0 {
            return Ok(());
        }
        match app.brand(self.svc_id)?.1 {
            Shape::Push => {
                let told = notifications::body(&self.event(CANCELLED, now))?;
                let untidy = Behaviour::of(&self.msisdn) == Behaviour::Untidy;
                let copies = if untidy { vec![notifications::untidy(told.clone()), told] } else { vec![told] };
                copies.iter().try_for_each(|body| notifications::put(conn, &self.network, body, now))
            }
            Shape::Pull => {
                let stop = StopEvent {
                    event: "stop".to_owned(),
                    user_msisdn: self.msisdn.clone(),
                    svc_id: self.svc_id,
                    network_subscription_id: Some(self.id.to_string()),
                    at: Some(now.and_utc()),
                };
                notifications::put(conn, &self.network, &notifications::body(&stop)?, now)
            }
        }
    }

    /// Charges the day of `now`, once; the event to tell of it, `None` where the day was charged before.
    fn charge(&mut self, conn: &mut DbConnection, now: NaiveDateTime) -> Result<Option<Value>, Error> {
        let key = format!("push-{}-{}-{}", self.msisdn, self.svc_id, day_of(now));
        let (result_id, result_name) = if Behaviour::of(&self.msisdn) == Behaviour::Penniless {
            (2, "INSUFFICIENT_FUNDS")
        } else if Charge::make(conn, &key, &self.msisdn, self.svc_id, PRICE_CENTS, now)? {
            self.last_billed_at = Some(now);
            diesel::update(subscriptions::table.find(self.id))
                .set(subscriptions::last_billed_at.eq(now))
                .execute(conn)?;
            (1, "SUCCESS")
        } else {
            return Ok(None);
        };
        let event = BillingEvent {
            amount: PRICE_CENTS,
            billing_ref: format!("{}-{}-{}", self.id, day_of(now), now.and_utc().timestamp_micros()),
            result_id: Some(result_id),
            result_name: result_name.to_owned(),
            billed_at: Some(now.and_utc()),
            subscription: self.event(ACTIVE, now),
        };
        notifications::body(&event).map(Some)
    }

    fn event(&self, (status_id, status_name): (i32, &str), now: NaiveDateTime) -> SubscriptionEvent {
        let utc = |at: NaiveDateTime| -> DateTime<Utc> { at.and_utc() };
        SubscriptionEvent {
            subscription_id: self.id.to_string(),
            user_msisdn: self.msisdn.clone(),
            svc_id: self.svc_id,
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

/// The subscription's event, then the charge's; an untidy number's come twice each and the wrong way round.
fn tell_of_start(
    conn: &mut DbConnection,
    subscription: &Subscription,
    began: Value,
    charged: Option<Value>,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let bodies: Vec<Value> = if Behaviour::of(&subscription.msisdn) == Behaviour::Untidy {
        let pair = || charged.iter().cloned().chain([began.clone()]).map(notifications::untidy);
        pair().chain(pair()).collect()
    } else {
        [began].into_iter().chain(charged).collect()
    };
    bodies.iter().try_for_each(|body| notifications::put(conn, &subscription.network, body, now))
}
