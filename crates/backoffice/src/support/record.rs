//! A number's record: looked up, it gets a token that stands for the number in the further calls of this session.

use actix_web::web::{Data, Json, Path};
use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use diesel::prelude::*;
use identity::SubscriberId;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    StaffText,
    openapi::{NotFound, Refused},
};
use store::{DbConnection, on_each_backend};
use utoipa::ToSchema;

use crate::{
    app::App,
    audit,
    error::Error,
    guard::Support,
    members::Member,
    schema::{lookups, numbers},
    subscription::{self, Account},
    support::{
        checked_reason,
        notes::{self, Note},
        record_act,
        refunds::{self, GivenBack, LIMIT_CENTS},
        timeline::{self, Entry},
    },
    token,
};

/// Not shorter than a session.
pub(crate) const LOOKUP_LIFETIME: TimeDelta = TimeDelta::hours(12);

/// A number that a member of staff looked up in this session.
#[derive(Clone)]
pub(crate) struct Record {
    pub(crate) number_id: i64,
    pub(crate) msisdn: SubscriberId,
}

impl Record {
    /// The record behind a token of this session.
    pub(crate) async fn open(app: &App, member: &Member, token: &str) -> Result<Self, Error> {
        let (hash, session_id, now) = (token::hash(token), member.session_id, app.clock.now());
        let found: Option<(i64, String)> = app
            .db
            .run(move |conn| {
                lookups::table
                    .inner_join(numbers::table)
                    .filter(lookups::token_hash.eq(hash).and(lookups::session_id.eq(session_id)))
                    .filter(lookups::at.gt(now - LOOKUP_LIFETIME))
                    .select((numbers::id, numbers::msisdn))
                    .first(conn)
                    .optional()
                    .map_err(Error::from)
            })
            .await?;
        let (number_id, msisdn) = found.ok_or(Error::UnknownRecord)?;
        Self::new(number_id, &msisdn)
    }

    pub(crate) fn new(number_id: i64, msisdn: &str) -> Result<Self, Error> {
        let msisdn =
            SubscriberId::parse(msisdn).map_err(|_| Error::Internal(format!("number {number_id} is no number")))?;
        Ok(Self { number_id, msisdn })
    }

    /// How the audit log names it.
    pub(crate) fn subject(&self) -> String {
        format!("number {}, {}", self.number_id, self.msisdn)
    }

    /// The newest part of its history.
    pub(crate) async fn account(&self, app: &App, member: &Member) -> Result<Account, Error> {
        app.subscription.account(member, &self.msisdn, false).await
    }
}

/// Which number.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Search {
    /// A mobile number in any common format, `network:token`, or the number of a case after `#`.
    #[schema(max_length = 256, example = "0812345678")]
    number: String,
}

/// What is known of a number.
#[derive(Serialize, ToSchema)]
pub(crate) struct NumberRecord {
    /// Stands for the number in further calls of this session.
    #[serde(rename = "ref")]
    token: String,
    masked: String,
    /// Charged since the Johannesburg month began, less refunds, over all brands.
    month_spend_cents: i64,
    /// Set while the number cannot join.
    #[schema(required = true)]
    blocked: Option<BlockView>,
    subscriptions: Vec<SubscriptionView>,
    /// Newest first.
    timeline: Vec<Entry>,
    /// Newest first.
    notes: Vec<Note>,
    /// Refunds beyond it in 24 hours wait for a second person.
    refund_limit_cents: i64,
    /// What it still leaves to the caller.
    refund_left_cents: i64,
}

/// A block from joining.
#[derive(Serialize, ToSchema)]
pub(crate) struct BlockView {
    #[schema(value_type = String, format = "date-time")]
    at: DateTime<Utc>,
    by: String,
    reason: String,
}

/// A subscription of the number.
#[derive(Serialize, ToSchema)]
pub(crate) struct SubscriptionView {
    id: i64,
    service: String,
    /// The network that confirmed it last; empty before the first time.
    network: String,
    #[schema(value_type = service::schema::SubscriptionState)]
    state: String,
    #[schema(value_type = String, format = "date-time")]
    since: DateTime<Utc>,
    price_cents: i64,
    #[schema(value_type = service::schema::Period)]
    period: String,
    /// Whether there is something to end.
    can_end: bool,
}

impl From<&subscription::Subscription> for SubscriptionView {
    fn from(from: &subscription::Subscription) -> Self {
        Self {
            id: from.id,
            service: from.service.clone(),
            network: from.network.clone(),
            state: from.state.clone(),
            since: from.since.and_utc(),
            price_cents: from.price_cents,
            period: from.period.clone(),
            can_end: from.can_end(),
        }
    }
}

/// Looks a number up over all brands; the look is an entry of the audit log.
#[utoipa::path(
    post,
    path = "",
    request_body = Search,
    responses((status = 200, description = "What is known of the number, which may be nothing.", body = NumberRecord), Refused)
)]
pub(crate) async fn search(
    support: Support,
    app: Data<App>,
    search: Json<Search>,
) -> Result<Json<NumberRecord>, Error> {
    let Support(member) = support;
    let case = search.number.trim().strip_prefix('#').and_then(|id| id.trim().parse().ok());
    let number = match case {
        Some(id) => app.subscription.case(&member, id).await?.msisdn,
        None => search.into_inner().number,
    };
    let msisdn = SubscriberId::parse(&number).map_err(|_| Error::Field("number", StaffText::new("not-a-number")))?;
    let (token, now) = (token::random(), app.clock.now());
    let (hash, actor) = (token::hash(&token), member.clone());
    let record = app
        .audited(move |conn| {
            let record = Record { number_id: number_id(conn, &msisdn, now)?, msisdn };
            diesel::delete(lookups::table.filter(lookups::at.le(now - LOOKUP_LIFETIME))).execute(conn)?;
            insert_lookup(conn, &hash, actor.session_id, record.number_id, now)?;
            audit::append_of(conn, &actor, "number.searched", &record.subject(), &json!({}), now)?;
            Ok(record)
        })
        .await?;
    Ok(Json(number_record(&app, &member, &record, token).await?))
}

/// Reads a record of this session again. The look is the search's: it has no entry of its own in the audit log.
#[utoipa::path(
    get,
    path = "",
    params(("record" = String, Path, description = "`ref` of the record.")),
    responses((status = 200, description = "What is known of the number now.", body = NumberRecord), NotFound, Refused)
)]
pub(crate) async fn get_record(
    support: Support,
    app: Data<App>,
    record: Path<String>,
) -> Result<Json<NumberRecord>, Error> {
    let token = record.into_inner();
    let record = Record::open(&app, &support.0, &token).await?;
    Ok(Json(number_record(&app, &support.0, &record, token).await?))
}

async fn number_record(app: &App, member: &Member, record: &Record, token: String) -> Result<NumberRecord, Error> {
    let account = record.account(app, member).await?;
    let number_id = record.number_id;
    let (staff_id, now) = (member.id, app.clock.now());
    let (notes, requested, refund_left_cents) = app
        .db
        .run(move |conn| {
            let left = refunds::left(conn, number_id, staff_id, now)?;
            Ok::<_, Error>((notes::of_number(conn, number_id)?, GivenBack::requested(conn, number_id)?, left))
        })
        .await?;
    Ok(NumberRecord {
        token,
        masked: record.msisdn.masked(),
        month_spend_cents: account.month_spend_cents,
        subscriptions: account.subscriptions.iter().map(SubscriptionView::from).collect(),
        timeline: timeline::entries(&account, &requested),
        blocked: account.blocked.map(|block| BlockView {
            at: block.at.and_utc(),
            by: block.made_by,
            reason: block.reason,
        }),
        notes,
        refund_limit_cents: LIMIT_CENTS,
        refund_left_cents,
    })
}

/// The id of a number, new where it was never looked up.
fn number_id(conn: &mut DbConnection, msisdn: &SubscriberId, now: NaiveDateTime) -> Result<i64, Error> {
    on_each_backend!(conn, conn => diesel::insert_into(numbers::table)
        .values(numbers::msisdn.eq(msisdn.as_str()))
        .on_conflict_do_nothing()
        .execute(conn))?;
    let row = || numbers::table.filter(numbers::msisdn.eq(msisdn.as_str()));
    diesel::update(row()).set(numbers::searched_at.eq(now)).execute(conn)?;
    Ok(row().select(numbers::id).first(conn)?)
}

fn insert_lookup(
    conn: &mut DbConnection,
    token_hash: &str,
    session_id: i64,
    number_id: i64,
    now: NaiveDateTime,
) -> Result<(), Error> {
    diesel::insert_into(lookups::table)
        .values((
            lookups::token_hash.eq(token_hash),
            lookups::session_id.eq(session_id),
            lookups::number_id.eq(number_id),
            lookups::at.eq(now),
        ))
        .execute(conn)?;
    Ok(())
}

/// Why an action.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Reason {
    #[schema(min_length = 3, max_length = 256)]
    pub(crate) reason: String,
}

/// A whole number.
#[derive(Serialize, ToSchema)]
pub(crate) struct Revealed {
    number: String,
}

/// The whole number; the look and its reason are an entry of the audit log.
#[utoipa::path(
    post,
    path = "",
    params(("record" = String, Path, description = "`ref` of the record.")),
    request_body = Reason,
    responses((status = 200, description = "The number.", body = Revealed), NotFound, Refused)
)]
pub(crate) async fn reveal(
    support: Support,
    app: Data<App>,
    record: Path<String>,
    reason: Json<Reason>,
) -> Result<Json<Revealed>, Error> {
    let record = Record::open(&app, &support.0, &record).await?;
    let reason = checked_reason(&reason.reason)?;
    record_act(&app, &support.0, &record, "number.revealed", json!({ "reason": reason })).await?;
    Ok(Json(Revealed { number: record.msisdn.as_str().to_owned() }))
}
