//! `GET /api/subscribe/me`: the state, price and total cost of the session's own subscription.

use actix_web::web::{Data, Json};
use chrono::NaiveDateTime;
use identity::Subscriber;
use serde::{Serialize, Serializer};
use utoipa::ToSchema;

use crate::{
    App,
    billing::{calendar, ledger},
    error::Error,
    lifecycle::State,
    subscriptions::Subscription,
};

/// The subscription of a session; only `state` "active" gives access.
#[derive(Serialize, ToSchema)]
pub(crate) struct Me {
    /// The session's number, masked.
    #[schema(value_type = service::schema::MaskedNumber)]
    msisdn: String,
    /// The service's name.
    service: String,
    #[schema(value_type = service::schema::ServiceId)]
    svc_id: i32,
    /// Only "active" gives access.
    #[schema(pattern = "^(pending|active|suspended|cancelled)$")]
    state: &'static str,
    /// The daily price that the subscriber agreed to.
    #[schema(value_type = service::schema::Cents)]
    price_cents: i64,
    /// When the subscription last became active, not counting suspensions; before that, when the join was requested.
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    since: NaiveDateTime,
    /// The total charged, less refunds.
    #[schema(value_type = service::schema::Cents)]
    total_cents: i64,
    /// The day of the next charge, if any.
    #[serde(serialize_with = "maybe_time")]
    #[schema(value_type = Option<service::schema::Time>, required = true)]
    next_charge: Option<NaiveDateTime>,
    /// The number that a STOP goes to at the subscription's network.
    #[schema(required = true)]
    stop_number: Option<String>,
    /// The USSD code of that network by which subscriptions end.
    #[schema(required = true)]
    ussd: Option<String>,
    /// The telephone number of the helpline.
    helpline: String,
}

/// The session's subscription.
#[utoipa::path(get, path = "", responses((status = 200, description = "The subscription.", body = Me)))]
pub(crate) async fn me(app: Data<App>, subscriber: Subscriber) -> Result<Json<Me>, Error> {
    let Subscriber { session, site } = subscriber;
    let now = app.clock.now();
    if session.is_expired(now.and_utc().timestamp()) {
        return Err(Error::NoSession);
    }
    let (state, since, total_cents, is_due, price_cents, network) = if session.test {
        if !app.is_test(&session.msisdn) {
            return Err(Error::NoSession);
        }
        (State::Active, now, 0, false, site.brand.offer.price_cents, Some(site.brand.network.clone()))
    } else {
        let (msisdn, policy) = (session.msisdn.clone(), app.policy.clone());
        let found = app
            .db
            .run(move |conn| match Subscription::of_number(conn, &msisdn, session.svc_id)? {
                Some(subscription) => {
                    // A session ends with its subscription's generation; joining again does not make it valid again.
                    if subscription.generation != session.generation && subscription.state != State::Cancelled {
                        return Ok(None);
                    }
                    let is_due = ledger::is_due(conn, subscription.id, subscription.state, calendar::day_of(now))?;
                    let total_cents = ledger::paid(conn, subscription.id)?;
                    Ok::<_, Error>(Some((
                        subscription.state,
                        subscription.since,
                        total_cents,
                        is_due,
                        subscription.price_cents,
                        policy.network_of(&subscription),
                    )))
                }
                None => Ok(None),
            })
            .await?;
        found.filter(|(state, ..)| *state != State::New).ok_or(Error::NoSession)?
    };
    let is_charged = !session.test && matches!(state, State::Active | State::Suspended);
    let network = network.and_then(|network| app.brands.network(&network));
    Ok(Json(Me {
        msisdn: session.msisdn.masked(),
        service: site.brand.service.clone(),
        svc_id: session.svc_id,
        state: state.as_str(),
        price_cents,
        since,
        total_cents,
        next_charge: if is_charged { app.billing_times.next(now, is_due) } else { None },
        stop_number: network.as_ref().and_then(|network| network.stop_number.clone()),
        ussd: network.as_ref().and_then(|network| network.ussd.clone()),
        helpline: site.brand.helpline.clone(),
    }))
}

fn maybe_time<S: Serializer>(time: &Option<NaiveDateTime>, serializer: S) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => service::timestamp::serialize(time, serializer),
        None => serializer.serialize_none(),
    }
}
