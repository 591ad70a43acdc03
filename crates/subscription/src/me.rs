//! `GET /api/subscribe/me`: what a session's own subscription is, costs and has cost.

use actix_web::web::{Data, Json};
use brands::PRICE_CENTS;
use chrono::NaiveDateTime;
use identity::Subscriber;
use serde::{Serialize, Serializer};

use crate::{App, billing_events, clock, error::Error, life::State, subscriptions::Subscription};

/// A session's own subscription; only `state` "active" means access.
#[derive(Serialize)]
pub(crate) struct Me {
    /// Masked.
    msisdn: String,
    service: String,
    svc_id: i32,
    state: &'static str,
    price_cents: i64,
    #[serde(with = "web::timestamp")]
    since: NaiveDateTime,
    total_cents: i64,
    #[serde(serialize_with = "maybe_time")]
    next_charge: Option<NaiveDateTime>,
    helpline: String,
}

/// The session's own subscription.
pub(crate) async fn me(app: Data<App>, subscriber: Subscriber) -> Result<Json<Me>, Error> {
    let Subscriber { session, site } = subscriber;
    let now = clock::now();
    let (state, since, total_cents) = if session.test {
        if !app.is_test(&session.msisdn) {
            return Err(Error::Anonymous);
        }
        (State::Active, now, 0)
    } else {
        let msisdn = session.msisdn.clone();
        let found = app
            .db
            .run(move |conn| match Subscription::of_number(conn, &msisdn, session.svc_id)? {
                Some(mine) => Ok::<_, Error>(Some((mine.state, mine.since, billing_events::paid(conn, mine.id)?))),
                None => Ok(None),
            })
            .await?;
        found.filter(|(state, ..)| *state != State::New).ok_or(Error::Anonymous)?
    };
    let is_charged = !session.test && matches!(state, State::Active | State::Suspended);
    Ok(Json(Me {
        msisdn: session.msisdn.masked(),
        service: site.brand.service,
        svc_id: session.svc_id,
        state: state.as_str(),
        price_cents: PRICE_CENTS,
        since,
        total_cents,
        next_charge: if is_charged { clock::next_charge(now) } else { None },
        helpline: site.brand.helpline,
    }))
}

fn maybe_time<S: Serializer>(time: &Option<NaiveDateTime>, serializer: S) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => web::timestamp::serialize(time, serializer),
        None => serializer.serialize_none(),
    }
}
