//! The operators' calls, on the service's own listener.

use actix_web::web::{Data, Json, Path};
use chrono::NaiveDateTime;
use identity::Msisdn;
use serde::Serialize;
use utoipa::ToSchema;
use web::{Admin, openapi::Refused};

use crate::{
    App,
    billing::{calendar, ledger},
    error::Error,
    subscriptions::Subscription,
};

/// Everything one number has or had.
#[derive(Serialize, ToSchema)]
pub(crate) struct Account {
    msisdn: String,
    /// Paid since the Johannesburg month began, over all services, in cents.
    month_spend_cents: i64,
    subscriptions: Vec<Held>,
}

#[derive(Serialize, ToSchema)]
struct Held {
    id: i64,
    svc_id: i32,
    service: String,
    state: &'static str,
    #[serde(with = "web::timestamp")]
    #[schema(value_type = web::schema::Time)]
    since: NaiveDateTime,
    events: Vec<Moved>,
}

#[derive(Serialize, ToSchema)]
struct Moved {
    #[serde(with = "web::timestamp")]
    #[schema(value_type = web::schema::Time)]
    at: NaiveDateTime,
    #[schema(required = true)]
    from: Option<String>,
    to: String,
    cause: String,
}

/// A number's subscriptions with their history.
#[utoipa::path(
    get,
    path = "",
    params(("msisdn" = web::schema::Name, Path, description = "The number, in any spelling.", example = "0812345678")),
    responses((status = 200, description = "The number's account.", body = Account), Refused)
)]
pub(crate) async fn get_account(_: Admin, app: Data<App>, msisdn: Path<String>) -> Result<Json<Account>, Error> {
    let msisdn = Msisdn::parse(&msisdn)?;
    let (brands, now) = (app.brands.clone(), app.clock.now());
    let account = app
        .db
        .run(move |conn| {
            let month = calendar::month_start(now);
            let month_spend_cents = ledger::paid_by_number_since(conn, &msisdn, month)?;
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
