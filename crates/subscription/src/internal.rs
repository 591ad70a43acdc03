//! The operators' calls, on the service's own listener.

use actix_web::web::{Data, Json, Path};
use chrono::NaiveDateTime;
use identity::Msisdn;
use serde::Serialize;
use web::Admin;

use crate::{App, billing_events, clock, error::Error, subscriptions::Subscription};

/// Everything one number has or had.
#[derive(Serialize)]
pub(crate) struct Account {
    msisdn: String,
    /// Paid since the Johannesburg month began, over all services, in cents.
    month_spend_cents: i64,
    subscriptions: Vec<Held>,
}

#[derive(Serialize)]
struct Held {
    id: i64,
    svc_id: i32,
    service: String,
    state: &'static str,
    #[serde(with = "web::timestamp")]
    since: NaiveDateTime,
    events: Vec<Moved>,
}

#[derive(Serialize)]
struct Moved {
    #[serde(with = "web::timestamp")]
    at: NaiveDateTime,
    from: Option<String>,
    to: String,
    cause: String,
}

/// A number's subscriptions with their history.
pub(crate) async fn get_account(_: Admin, app: Data<App>, msisdn: Path<String>) -> Result<Json<Account>, Error> {
    let msisdn = Msisdn::parse(&msisdn)?;
    let brands = app.brands.clone();
    let account = app
        .db
        .run(move |conn| {
            let month = clock::month_start(clock::now()).unwrap_or_default();
            let month_spend_cents = billing_events::paid_by_number_since(conn, &msisdn, month)?;
            let mut subscriptions = Vec::new();
            for held in Subscription::all_of_number(conn, &msisdn)? {
                let events = held.events(conn)?;
                subscriptions.push(Held {
                    id: held.id,
                    svc_id: held.svc_id,
                    service: brands.by_svc_id(held.svc_id).map(|brand| brand.service.clone()).unwrap_or_default(),
                    state: held.state.as_str(),
                    since: held.since,
                    events: events
                        .into_iter()
                        .map(|event| Moved { at: event.at, from: event.from, to: event.to, cause: event.cause })
                        .collect(),
                });
            }
            Ok::<_, Error>(Account { msisdn: msisdn.as_str().to_owned(), month_spend_cents, subscriptions })
        })
        .await?;
    Ok(Json(account))
}
