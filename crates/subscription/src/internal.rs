//! The calls of operators and customer support, on the service's own listener: a number's account, and dead messages.

use actix_web::web::{Data, Json, Path};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use identity::Msisdn;
use serde::Serialize;
use service::{
    Admin, Id,
    openapi::{Conflict, NotFound, Refused},
};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    App,
    billing::{calendar, ledger as billing_ledger},
    error::Error,
    outbox::{self, MessageView},
    schema::{ledger, tries},
    subscriptions::Subscription,
};

/// How many of a subscription's newest charges, and consents, are returned.
const MAX_ROWS: i64 = 400;

/// Everything about one number.
#[derive(Serialize, ToSchema)]
pub(crate) struct Account {
    pub msisdn: String,
    /// Charged since the Johannesburg month began, less refunds, over all services, in cents.
    pub month_spend_cents: i64,
    pub subscriptions: Vec<AccountSubscription>,
    /// Newest first, at most 200.
    pub messages: Vec<MessageView>,
}

/// A subscription with its history.
#[derive(Serialize, ToSchema)]
pub(crate) struct AccountSubscription {
    pub id: i64,
    pub svc_id: i32,
    pub service: String,
    pub state: &'static str,
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    pub since: NaiveDateTime,
    /// The price that the subscriber agreed to, in cents with VAT, for each period.
    pub price_cents: i64,
    pub period: String,
    /// Oldest first.
    pub events: Vec<Transition>,
    /// Newest first, at most 400.
    pub charges: Vec<Charge>,
    /// Newest first, at most 400; the confirmed ones are among them.
    pub consents: Vec<Consent>,
}

/// A change of a subscription's state.
#[derive(Serialize, ToSchema)]
pub(crate) struct Transition {
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    pub at: NaiveDateTime,
    #[schema(required = true)]
    pub from: Option<String>,
    pub to: String,
    pub cause: String,
}

/// A row of the ledger.
#[derive(Queryable, Serialize, ToSchema)]
pub(crate) struct Charge {
    pub id: i64,
    /// Johannesburg's calendar day, YYYY-MM-DD.
    pub day: String,
    /// "charge" or "refund".
    pub kind: String,
    pub cents: i64,
    /// "pending", "settled", "failed" or "unknown".
    pub status: String,
    pub key: String,
    #[schema(required = true)]
    pub network_ref: Option<String>,
    pub reason: String,
    /// Who made a refund; empty for a charge.
    pub made_by: String,
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    pub at: NaiveDateTime,
}

/// One opt-in attempt: what the subscriber saw and answered.
#[derive(Queryable, Selectable, Serialize, ToSchema)]
#[diesel(table_name = tries)]
pub(crate) struct Consent {
    pub id: String,
    /// "opt_in", "verify" or "leave".
    pub kind: String,
    /// "pending", "confirmed" or "declined".
    pub status: String,
    /// The host label.
    pub label: String,
    pub page: String,
    /// The consent text of the page; empty for a page without one.
    pub wording: String,
    /// Hexadecimal SHA-256 of that text.
    pub wording_hash: String,
    /// The language of the page (ISO 639-1).
    pub language: String,
    pub price_cents: i64,
    pub period: String,
    pub terms_version: String,
    pub address: String,
    pub agent: String,
    pub ext_ref: String,
    pub network: String,
    /// The network's reference of the opt-in.
    pub reference: String,
    /// The network's own id of the subscription that the confirmation started.
    #[schema(required = true)]
    pub network_ref: Option<String>,
    #[diesel(column_name = created_at)]
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    pub at: NaiveDateTime,
    #[serde(serialize_with = "maybe_time")]
    #[schema(value_type = Option<service::schema::Time>, required = true)]
    pub decided_at: Option<NaiveDateTime>,
}

fn maybe_time<S: serde::Serializer>(time: &Option<NaiveDateTime>, serializer: S) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => service::timestamp::serialize(time, serializer),
        None => serializer.serialize_none(),
    }
}

impl Account {
    /// Loads the account of a number, in any spelling.
    pub async fn load(app: &App, msisdn: &str) -> Result<Self, Error> {
        let msisdn = Msisdn::parse(msisdn)?;
        let (brands, now) = (app.brands.clone(), app.clock.now());
        app.db
            .run(move |conn| {
                let month = calendar::month_start(now);
                let mut subscriptions = Vec::new();
                for subscription in Subscription::all_of_number(conn, &msisdn)? {
                    let brand = brands.by_svc_id(subscription.svc_id);
                    let service = brand.map(|brand| brand.service.clone()).unwrap_or_default();
                    subscriptions.push(AccountSubscription::load(conn, subscription, service)?);
                }
                Ok(Self {
                    month_spend_cents: billing_ledger::paid_by_number_since(conn, &msisdn, month)?,
                    subscriptions,
                    messages: outbox::of_number(conn, &msisdn)?,
                    msisdn: msisdn.as_str().to_owned(),
                })
            })
            .await
    }
}

impl AccountSubscription {
    fn load(conn: &mut DbConnection, subscription: Subscription, service: String) -> Result<Self, Error> {
        let events = subscription.events(conn)?.into_iter();
        Ok(Self {
            id: subscription.id,
            svc_id: subscription.svc_id,
            service,
            state: subscription.state.as_str(),
            since: subscription.since,
            events: events
                .map(|event| Transition { at: event.at, from: event.from, to: event.to, cause: event.cause })
                .collect(),
            charges: Charge::of_subscription(conn, subscription.id)?,
            consents: Consent::of_subscription(conn, subscription.id)?,
            price_cents: subscription.price_cents,
            period: subscription.period,
        })
    }
}

impl Charge {
    /// Of every month that is kept, by index.
    fn of_subscription(conn: &mut DbConnection, subscription_id: i64) -> Result<Vec<Self>, Error> {
        Ok(ledger::table
            .filter(ledger::subscription_id.eq(subscription_id))
            .order(ledger::id.desc())
            .limit(MAX_ROWS)
            .select((
                ledger::id,
                ledger::day,
                ledger::kind,
                ledger::cents,
                ledger::status,
                ledger::charge_key,
                ledger::network_ref,
                ledger::reason,
                ledger::made_by,
                ledger::at,
            ))
            .load(conn)?)
    }
}

impl Consent {
    /// Confirmed ones first, so that attempts by strangers never hide them.
    fn of_subscription(conn: &mut DbConnection, subscription_id: i64) -> Result<Vec<Self>, Error> {
        let of_subscription = || {
            tries::table
                .filter(tries::subscription_id.eq(subscription_id))
                .order((tries::created_at.desc(), tries::id))
                .select(Self::as_select())
        };
        let mut consents: Vec<Self> =
            of_subscription().filter(tries::status.eq("confirmed")).limit(MAX_ROWS).load(conn)?;
        let remaining = MAX_ROWS.saturating_sub(i64::try_from(consents.len()).unwrap_or(MAX_ROWS));
        let others: Vec<Self> = of_subscription().filter(tries::status.ne("confirmed")).limit(remaining).load(conn)?;
        consents.extend(others);
        consents.sort_by_key(|consent| std::cmp::Reverse(consent.at));
        Ok(consents)
    }
}

/// A number's subscriptions with their states, charges and consents, and the messages about it.
#[utoipa::path(
    get,
    path = "",
    params(("msisdn" = service::schema::Name, Path, description = "The number, in any spelling.", example = "0812345678")),
    responses((status = 200, description = "The number's account.", body = Account), Refused)
)]
pub(crate) async fn get_account(_: Admin, app: Data<App>, msisdn: Path<String>) -> Result<Json<Account>, Error> {
    Account::load(&app, &msisdn).await.map(Json)
}

/// Queues a dead message again, after its cause was removed.
#[utoipa::path(
    post,
    path = "",
    params(("id" = Id, Path, description = "The message's id.")),
    responses((status = 200, description = "The message, which waits again.", body = MessageView), NotFound, Conflict)
)]
pub(crate) async fn retry_message(_: Admin, app: Data<App>, id: Path<Id>) -> Result<Json<MessageView>, Error> {
    let (id, now) = (id.get(), app.clock.now());
    let message = app.db.write(move |conn| outbox::retry(conn, id, now)).await?;
    app.outbox_wake.notify_one();
    Ok(Json(message))
}
