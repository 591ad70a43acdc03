//! `GET /api/subscribe/me`: the state, price and total cost of the session's own subscription.

use actix_web::web::{Data, Json, Query};
use brands::{Brands, Parts};
use chrono::NaiveDateTime;
use identity::Subscriber;
use serde::{Deserialize, Serialize, Serializer};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    App,
    billing::complaints,
    error::Error,
    ledger::{
        month_limit::{self, MonthLimits},
        periods, refunds, rows,
    },
    subscribers::{
        agreement::Terms,
        calendar::{self, BillingTimes},
        lifecycle::State,
        subscriptions::Subscription,
    },
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
    #[schema(value_type = service::schema::SubscriptionState)]
    state: &'static str,
    /// The price for each period that the subscriber agreed to.
    #[schema(value_type = service::schema::Cents)]
    price_cents: i64,
    /// How often the price is charged.
    #[schema(value_type = service::schema::Period)]
    period: String,
    /// When the subscription last became active, not counting suspensions; before that, when the join was requested.
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    since: NaiveDateTime,
    /// The total charged, less refunds.
    #[schema(value_type = service::schema::Cents)]
    total_cents: i64,
    /// What is still owed of refunds that the network has not made, or only in part.
    #[schema(value_type = service::schema::Cents)]
    owed_cents: i64,
    /// The day of the next charge, if any.
    #[serde(serialize_with = "maybe_time")]
    #[schema(value_type = Option<service::schema::Time>, required = true)]
    next_charge: Option<NaiveDateTime>,
    /// Whether nothing more is charged in this calendar month, because the number's monthly limit over all services is reached.
    limit_reached: bool,
    /// The number that a STOP goes to at the subscription's network.
    #[schema(required = true)]
    stop_number: Option<String>,
    /// The USSD code of that network by which subscriptions end.
    #[schema(required = true)]
    ussd: Option<String>,
    /// The telephone number of the helpline.
    helpline: String,
    /// The day of the first charge (YYYY-MM-DD), while the days before it are free.
    #[schema(required = true)]
    free_until: Option<String>,
    /// The price and the smaller amounts that are charged for a day where the airtime does not suffice; empty: the price alone.
    #[schema(value_type = Vec<service::schema::Cents>)]
    parts: Parts,
}

/// Why the subscription is asked for.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct MeQuery {
    /// Set by the gateway before it sends a part of a film to this session: a charge is given back by rule only where nothing was watched.
    #[serde(default)]
    #[param(nullable = false)]
    watching: bool,
}

/// The session's subscription.
#[utoipa::path(get, path = "", params(MeQuery), responses((status = 200, description = "The subscription.", body = Me)))]
pub(crate) async fn me(app: Data<App>, subscriber: Subscriber, query: Query<MeQuery>) -> Result<Json<Me>, Error> {
    let Subscriber { session, site } = subscriber;
    let now = app.clock.now();
    if session.is_expired(now.and_utc().timestamp()) {
        return Err(Error::NoSession);
    }
    if query.watching && !session.test {
        // A film does not wait for this: without it, a charge is given back too easily.
        if let Err(error) = complaints::record_watching(&app.db, &session, now).await {
            tracing::warn!(%error, "a day on which a subscriber watches was not recorded");
        }
    }
    let (state, since, (total_cents, owed_cents), next, (price_cents, period, terms), network) = if session.test {
        if !app.is_test(&session.msisdn) {
            return Err(Error::NoSession);
        }
        let offer = site.brand.offer;
        let price = (offer.price_cents, offer.period.as_str().to_owned(), Terms::default());
        (State::Active, now, (0, 0), NextCharge::default(), price, Some(site.brand.network.clone()))
    } else {
        let (msisdn, times, policy) = (session.msisdn.clone(), app.billing_times.clone(), app.policy.clone());
        let brands = app.brands.clone();
        let found = app
            .db
            .run(move |conn| match Subscription::of_number(conn, &msisdn, session.svc_id)? {
                Some(subscription) => {
                    // A session ends with its subscription's generation; joining again does not make it valid again.
                    if subscription.generation != session.generation && subscription.state != State::Cancelled {
                        return Ok(None);
                    }
                    let network = policy.network_of(&subscription.network, subscription.svc_id);
                    let at_network = (network.as_deref().unwrap_or_default(), &brands);
                    let next = NextCharge::of(conn, &subscription, at_network, (&times, now))?;
                    let total_cents = (rows::paid(conn, subscription.id)? - subscription.former_cents).max(0);
                    let terms = Terms::of_subscription(&subscription, calendar::day_of(now));
                    Ok::<_, Error>(Some((
                        subscription.state,
                        subscription.since,
                        (total_cents, refunds::owed(conn, &subscription)?),
                        next,
                        (subscription.price_cents, subscription.period, terms),
                        network,
                    )))
                }
                None => Ok(None),
            })
            .await?;
        found.filter(|(state, ..)| *state != State::New).ok_or(Error::NoSession)?
    };
    let network = network.and_then(|network| app.brands.network(&network));
    Ok(Json(Me {
        msisdn: session.msisdn.masked(),
        service: site.brand.service.clone(),
        svc_id: session.svc_id,
        state: state.as_str(),
        price_cents,
        period,
        since,
        total_cents,
        owed_cents,
        next_charge: next.at,
        limit_reached: next.is_limited,
        stop_number: network.as_ref().and_then(|network| network.stop_number.clone()),
        ussd: network.as_ref().and_then(|network| network.ussd.clone()),
        helpline: site.brand.helpline.clone(),
        free_until: terms.first_charge.map(|day| day.to_string()),
        parts: terms.parts,
    }))
}

/// When a subscription is charged next.
#[derive(Default)]
struct NextCharge {
    /// `None` where it does not run.
    at: Option<NaiveDateTime>,
    /// Whether it waits for the next month.
    is_limited: bool,
}

impl NextCharge {
    /// Free days and a paid week or month end first, and a month in which the number's limit is reached is over first.
    fn of(
        conn: &mut DbConnection,
        subscription: &Subscription,
        (network, brands): (&str, &Brands),
        (times, now): (&BillingTimes, NaiveDateTime),
    ) -> Result<Self, Error> {
        if !matches!(subscription.state, State::Active | State::Suspended) {
            return Ok(Self::default());
        }
        let today = calendar::day_of(now);
        let paid_until = match subscription.had_long_period {
            _ if subscription.is_free(today) => subscription.free_until,
            true => periods::paid_until(conn, subscription.id, today)?,
            false => None,
        };
        let at = match paid_until {
            Some(until) => times.first_of(until),
            None => times.next(now, rows::is_due(conn, subscription.id, subscription.state, today)?),
        };
        let is_this_month = at.is_some_and(|at| calendar::month_start(at) == calendar::month_start(now));
        let price = subscription.price_cents;
        let limits = (network, MonthLimits::at(brands, network));
        if is_this_month && month_limit::is_reached(conn, &subscription.msisdn, price, limits, today)? {
            let at = month_limit::next_month(today).and_then(|first| times.first_of(first));
            return Ok(Self { at, is_limited: true });
        }
        Ok(Self { at, is_limited: false })
    }
}

fn maybe_time<S: Serializer>(time: &Option<NaiveDateTime>, serializer: S) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => service::timestamp::serialize(time, serializer),
        None => serializer.serialize_none(),
    }
}
