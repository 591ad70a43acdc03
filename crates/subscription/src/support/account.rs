//! The calls of operators and customer support, on the service's own listener: a number's account, and dead messages.

use actix_web::web::{Data, Json, Path, Query};
use brands::Parts;
use chrono::NaiveDateTime;
use diesel::prelude::*;
use identity::SubscriberId;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use service::{
    Id, SupportCaller,
    openapi::{Conflict, NotFound, Refused},
};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    App,
    error::Error,
    inbound::sms::received::ReceivedSms,
    ledger::rows as billing_ledger,
    messages::outbox::{self, MessageView},
    schema::{consents, ledger, surplus_charges, tries},
    subscribers::{
        blocks::Block,
        calendar,
        subscriptions::{Event, Subscription},
    },
    support::cases::ChargeComplaint,
};

/// How much of a number's history is read.
#[derive(Clone, Copy)]
pub(crate) struct HistoryLimits {
    /// Of a subscription's newest charges, and consents.
    pub rows: i64,
    /// Of the newest messages.
    pub messages: i64,
}

impl HistoryLimits {
    /// What a screen shows.
    pub const NEWEST: Self = Self { rows: 400, messages: 200 };
    /// Everything, for documents.
    pub const WHOLE: Self = Self { rows: i64::MAX, messages: i64::MAX };
}

/// How much of the history.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct HistoryQuery {
    /// All charges, consents and messages, and not only the newest.
    #[serde(default)]
    whole: bool,
}

/// Everything about one number.
#[derive(Serialize, ToSchema)]
pub(crate) struct Account {
    pub msisdn: String,
    /// Charged since the Johannesburg month began, less refunds, over all services, in cents.
    pub month_spend_cents: i64,
    pub subscriptions: Vec<AccountSubscription>,
    /// Charges that a network made in addition to the day's one; each is given back. Newest first.
    pub surplus_charges: Vec<SurplusCharge>,
    /// Set while the number cannot join.
    #[schema(required = true)]
    pub blocked: Option<Block>,
    /// Newest first, at most 200.
    pub messages: Vec<MessageView>,
    /// SMSes from the number to our short codes, newest first, at most 200.
    pub received: Vec<ReceivedSms>,
}

/// A subscription with its history.
#[derive(Serialize, ToSchema)]
pub(crate) struct AccountSubscription {
    pub id: i64,
    pub svc_id: i32,
    pub service: String,
    /// The network that confirmed it last; empty before the first time.
    pub network: String,
    pub state: &'static str,
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    pub since: NaiveDateTime,
    /// The price that the subscriber agreed to, in cents with VAT, for each period.
    pub price_cents: i64,
    pub period: String,
    /// The day of the first charge (YYYY-MM-DD), of a number that had a free day.
    #[schema(required = true)]
    pub free_until: Option<String>,
    /// The amounts that the subscriber agreed to for a day, the price first; empty: the price alone.
    #[schema(value_type = Vec<service::schema::Cents>)]
    pub parts: Parts,
    /// Since when the number is this person's; null where it had no other owner before.
    #[serde(serialize_with = "maybe_time")]
    #[schema(value_type = Option<service::schema::Time>, required = true)]
    pub person_since: Option<NaiveDateTime>,
    /// Oldest first.
    pub events: Vec<Transition>,
    /// Newest first, at most 400.
    pub charges: Vec<Charge>,
    /// Newest first, at most 400; the confirmed ones are among them.
    pub consents: Vec<Consent>,
    /// Newest first.
    pub complaints: Vec<ChargeComplaint>,
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
    /// The member of staff who ended it, and why; null for every other cause.
    #[schema(required = true)]
    pub made_by: Option<String>,
    #[schema(required = true)]
    pub reason: Option<String>,
}

/// A charge that a network made in addition to the day's one.
#[derive(Queryable, Selectable, Serialize, ToSchema)]
#[diesel(table_name = surplus_charges)]
pub(crate) struct SurplusCharge {
    pub network: String,
    pub svc_id: i32,
    pub day: String,
    pub cents: i64,
    #[diesel(column_name = charge_key)]
    pub key: String,
    #[diesel(column_name = found_at)]
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    pub at: NaiveDateTime,
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
    /// The id of the consent that allows a charge, of those in `consents`; null where none is kept.
    #[schema(required = true)]
    pub consent: Option<String>,
    /// The charge that a refund gives back; null for a charge.
    #[schema(required = true)]
    pub refund_of: Option<i64>,
    /// What the network has not given back of a refund, and a later one asks for.
    pub owed_cents: i64,
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
    /// "opt_in", "verify" or "leave"; "sms_join", where an SMS led to the network's page; "at_network", where the opt-in began at the network, whose own words are
    /// `wording`.
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
    /// "original", or "checked" or "unchecked" by a speaker: of a translation, at that time. Empty without a consent text, and where it was not kept.
    pub translation: String,
    pub price_cents: i64,
    pub period: String,
    /// Who showed that price: "page" (ours), "network" or "sms". Empty where it is not recorded, and the price is only what was charged.
    pub price_source: String,
    /// The free days that the confirmation starts.
    pub free_days: i32,
    /// The amounts of part charges on the page, such as `300,200,100`; empty: the price alone.
    pub parts: String,
    /// Whether the number's SIM was swapped shortly before, as its network told.
    pub sim_swapped: bool,
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
    /// When the browser that began the attempt got its session.
    #[serde(serialize_with = "maybe_time")]
    #[schema(value_type = Option<service::schema::Time>, required = true)]
    pub opened_at: Option<NaiveDateTime>,
}

fn maybe_time<S: serde::Serializer>(time: &Option<NaiveDateTime>, serializer: S) -> Result<S::Ok, S::Error> {
    match time {
        Some(time) => service::timestamp::serialize(time, serializer),
        None => serializer.serialize_none(),
    }
}

impl Account {
    /// Loads the account of a number, in any spelling.
    pub async fn load(app: &App, msisdn: &str, limits: HistoryLimits) -> Result<Self, Error> {
        let msisdn = SubscriberId::parse(msisdn)?;
        let (brands, now) = (app.brands.clone(), app.clock.now());
        app.db
            .run(move |conn| {
                let month = calendar::month_start(now);
                let mut subscriptions = Vec::new();
                for subscription in Subscription::all_of_number(conn, &msisdn)? {
                    let brand = brands.by_svc_id(subscription.svc_id);
                    let service = brand.map(|brand| brand.service.clone()).unwrap_or_default();
                    subscriptions.push(AccountSubscription::load(conn, subscription, service, limits.rows)?);
                }
                Ok(Self {
                    month_spend_cents: billing_ledger::paid_by_number_since(conn, &msisdn, month)?,
                    subscriptions,
                    surplus_charges: SurplusCharge::of_number(conn, &msisdn)?,
                    blocked: Block::of_number(conn, &msisdn)?,
                    messages: outbox::of_number(conn, &msisdn, limits.messages)?,
                    received: ReceivedSms::of_number(conn, &msisdn, limits.messages)?,
                    msisdn: msisdn.as_str().to_owned(),
                })
            })
            .await
    }
}

impl AccountSubscription {
    fn load(conn: &mut DbConnection, subscription: Subscription, service: String, limit: i64) -> Result<Self, Error> {
        let events = subscription.events(conn)?.into_iter();
        Ok(Self {
            id: subscription.id,
            svc_id: subscription.svc_id,
            service,
            network: subscription.network,
            state: subscription.state.as_str(),
            since: subscription.since,
            events: events.map(Transition::from).collect(),
            charges: Charge::of_subscription(conn, subscription.id, limit)?,
            consents: Consent::of_subscription(conn, subscription.id, limit)?,
            complaints: ChargeComplaint::of_subscription(conn, subscription.id)?,
            price_cents: subscription.price_cents,
            period: subscription.period,
            free_until: subscription.free_until.map(|day| day.to_string()),
            parts: subscription.parts,
            person_since: subscription.person_since,
        })
    }
}

impl From<Event> for Transition {
    fn from(Event { at, from, to, cause, evidence }: Event) -> Self {
        let evidence: Value = serde_json::from_str(&evidence).unwrap_or_default();
        let text = |name: &str| evidence.get(name).and_then(Value::as_str).map(str::to_owned);
        Self { at, from, to, cause, made_by: text("made_by"), reason: text("reason") }
    }
}

impl SurplusCharge {
    fn of_number(conn: &mut DbConnection, msisdn: &SubscriberId) -> Result<Vec<Self>, Error> {
        Ok(surplus_charges::table
            .filter(surplus_charges::msisdn.eq(msisdn.as_str()))
            .order(surplus_charges::id.desc())
            .select(Self::as_select())
            .load(conn)?)
    }
}

impl Charge {
    /// Of every month that is kept, by index.
    fn of_subscription(conn: &mut DbConnection, subscription_id: i64, limit: i64) -> Result<Vec<Self>, Error> {
        let of_charge = consents::table.on(consents::id.nullable().eq(ledger::consent_id));
        Ok(ledger::table
            .left_join(of_charge)
            .filter(ledger::subscription_id.eq(subscription_id))
            .order(ledger::id.desc())
            .limit(limit)
            .select((
                ledger::id,
                ledger::day,
                ledger::kind,
                ledger::cents,
                ledger::status,
                ledger::charge_key,
                ledger::network_ref,
                consents::attempt.nullable(),
                ledger::refund_of,
                ledger::owed_cents,
                ledger::reason,
                ledger::made_by,
                ledger::at,
            ))
            .load(conn)?)
    }
}

impl Consent {
    /// Confirmed ones first, so that attempts by strangers never hide them.
    fn of_subscription(conn: &mut DbConnection, subscription_id: i64, limit: i64) -> Result<Vec<Self>, Error> {
        let of_subscription = || {
            tries::table
                .filter(tries::subscription_id.eq(subscription_id))
                .order((tries::created_at.desc(), tries::id))
                .select(Self::as_select())
        };
        let mut consents: Vec<Self> =
            of_subscription().filter(tries::status.eq("confirmed")).limit(limit).load(conn)?;
        let remaining = limit.saturating_sub(i64::try_from(consents.len()).unwrap_or(limit));
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
    params(
        ("msisdn" = service::schema::Name, Path, description = "The number, in any spelling.", example = "0812345678"),
        HistoryQuery
    ),
    responses((status = 200, description = "The number's account.", body = Account), Refused)
)]
pub(crate) async fn get_account(
    _: SupportCaller,
    app: Data<App>,
    msisdn: Path<String>,
    query: Query<HistoryQuery>,
) -> Result<Json<Account>, Error> {
    let limits = if query.whole { HistoryLimits::WHOLE } else { HistoryLimits::NEWEST };
    Account::load(&app, &msisdn, limits).await.map(Json)
}

/// Queues a dead message again, after its cause was removed.
#[utoipa::path(
    post,
    path = "",
    params(("id" = Id, Path, description = "The message's id.")),
    responses((status = 200, description = "The message, which waits again.", body = MessageView), NotFound, Conflict)
)]
pub(crate) async fn retry_message(_: SupportCaller, app: Data<App>, id: Path<Id>) -> Result<Json<MessageView>, Error> {
    let (id, now) = (id.get(), app.clock.now());
    let message = app.db.write(move |conn| outbox::retry(conn, id, now)).await?;
    app.outbox_wake.notify_one();
    Ok(Json(message))
}

/// Sends an SMS again that was sent before, in the hours when messages are sent. While a copy waits, that one is returned.
#[utoipa::path(
    post,
    path = "",
    params(("id" = Id, Path, description = "The message's id.")),
    responses((status = 200, description = "The copy, which waits to be sent.", body = MessageView), NotFound, Conflict)
)]
pub(crate) async fn resend_message(_: SupportCaller, app: Data<App>, id: Path<Id>) -> Result<Json<MessageView>, Error> {
    let (id, now) = (id.get(), app.clock.now());
    let message = app.db.write(move |conn| outbox::resend(conn, id, now)).await?;
    app.outbox_wake.notify_one();
    Ok(Json(message))
}
