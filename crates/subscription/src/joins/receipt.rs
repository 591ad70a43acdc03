//! `GET /api/subscribe/receipt`: what the session's subscription was charged and given back, each charge with the consent that allows it.
//! `POST /api/subscribe/complaint`: "I did not want this".

use std::collections::BTreeMap;

use actix_web::{
    HttpRequest, HttpResponse,
    http::header,
    web::{Data, Json, Query},
};
use chrono::{NaiveDate, NaiveDateTime};
use diesel::prelude::*;
use identity::{Session, Subscriber};
use serde::{Deserialize, Serialize};
use service::{Page, PageQuery, openapi::Unauthorized};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    App,
    billing::complaints::{self, ComplaintOutcome},
    error::Error,
    ledger::rows::{CHARGE, FAILED, REFUND, SETTLED},
    schema::{consents, ledger, tries},
    subscribers::{lifecycle::State, subscriptions::Subscription},
};

/// A charge, or what was given back.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReceiptEntry {
    #[schema(value_type = service::Id)]
    id: i64,
    /// The day in Johannesburg, YYYY-MM-DD.
    day: String,
    /// "charge" or "refund".
    kind: String,
    #[schema(value_type = service::schema::Cents)]
    cents: i64,
    /// "settled"; of a refund also "pending", until the network has made it.
    status: String,
    /// The network's name, as people know it.
    network: String,
    /// The charge that a refund gives back; null for a charge.
    #[schema(required = true)]
    refund_of: Option<i64>,
    /// The consent that allows a charge; null for a refund, and where none is kept.
    #[schema(required = true)]
    consent: Option<ReceiptConsent>,
    /// The outcome of a complaint about the charge; null where there was none.
    #[schema(required = true)]
    complaint: Option<ComplaintOutcome>,
}

/// What a subscriber agreed to.
#[derive(Serialize, ToSchema)]
pub(crate) struct ReceiptConsent {
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    at: NaiveDateTime,
    #[schema(value_type = service::schema::Cents)]
    price_cents: i64,
    #[schema(value_type = service::schema::Period)]
    period: String,
    /// The words as they were shown; empty where the network showed its own and did not say which.
    words: String,
    /// Their language (ISO 639-1); empty where it was not kept.
    language: String,
    /// Who showed them: "page" (ours), "network" or "sms"; empty where it was not kept.
    shown_by: String,
}

/// A charge or a refund, as it is stored.
#[derive(Queryable, Selectable)]
#[diesel(table_name = ledger)]
struct Row {
    id: i64,
    day: String,
    kind: String,
    cents: i64,
    status: String,
    network: String,
    refund_of: Option<i64>,
}

/// The consent that allows a charge.
#[derive(Queryable, Selectable)]
#[diesel(table_name = consents)]
struct ConsentRow {
    at: NaiveDateTime,
    price_cents: i64,
    period: String,
}

/// Its words.
#[derive(Default, Queryable, Selectable)]
#[diesel(table_name = tries)]
struct Words {
    wording: String,
    language: String,
    price_source: String,
}

/// The session's subscription; an error where the session ended with an earlier generation, or belonged to a former owner of the number.
fn of_session(conn: &mut DbConnection, session: &Session) -> Result<Subscription, Error> {
    let found = Subscription::of_number(conn, &session.msisdn, session.svc_id)?.filter(|subscription| {
        let is_current = subscription.generation == session.generation || subscription.state == State::Cancelled;
        is_current && subscription.person == session.person && subscription.state != State::New
    });
    found.ok_or(Error::NoSession)
}

/// What was charged and given back, newest first.
#[utoipa::path(
    get,
    path = "",
    params(PageQuery),
    responses(
        (
            status = 200,
            description = "One page, the newest first.",
            body = [ReceiptEntry],
            headers(("Link" = String, description = "The next page: `rel=next`. Absent on the last page."))
        ),
        Unauthorized
    )
)]
pub(crate) async fn list_entries(
    app: Data<App>,
    subscriber: Subscriber,
    query: Query<PageQuery>,
    req: HttpRequest,
) -> Result<HttpResponse, actix_web::Error> {
    let page = Page::try_from(query.into_inner())?;
    let session = valid(&app, subscriber)?;
    let mut entries = if session.test {
        Vec::new()
    } else {
        let brands = app.brands.clone();
        let mut entries = app.db.run(move |conn| ReceiptEntry::of(conn, &session, page)).await?;
        for entry in &mut entries {
            if let Some(name) = brands.network(&entry.network).and_then(|network| network.name.clone()) {
                entry.network = name;
            }
        }
        entries
    };
    let mut reply = HttpResponse::Ok();
    if let Some(last) = page.cut(&mut entries, |entry| entry.id) {
        reply.insert_header((header::LINK, page.next_link(req.path(), last)));
    }
    Ok(reply.json(entries))
}

/// The session, unless it is too old.
fn valid(app: &App, Subscriber { session, .. }: Subscriber) -> Result<Session, Error> {
    if session.is_expired(app.clock.now().and_utc().timestamp()) { Err(Error::NoSession) } else { Ok(session) }
}

impl ReceiptEntry {
    fn of(conn: &mut DbConnection, session: &Session, page: Page) -> Result<Vec<Self>, Error> {
        let subscription = of_session(conn, session)?;
        let complaints: BTreeMap<i64, ComplaintOutcome> =
            ComplaintOutcome::by_charge(conn, &subscription)?.into_iter().collect();
        let made = ledger::kind.eq(CHARGE).and(ledger::status.eq(SETTLED));
        let given_back = ledger::kind.eq(REFUND).and(ledger::status.ne(FAILED));
        let before = if page.after == 0 { i64::MAX } else { page.after };
        let rows: Vec<(Row, Option<ConsentRow>, Option<Words>)> = ledger::table
            .left_join(consents::table.on(consents::id.nullable().eq(ledger::consent_id)))
            .left_join(tries::table.on(tries::id.nullable().eq(consents::attempt.nullable())))
            .filter(ledger::subscription_id.eq(subscription.id).and(ledger::day.ge(subscription.first_day())))
            .filter(made.or(given_back).and(ledger::id.lt(before)))
            .order(ledger::id.desc())
            .limit(page.fetch())
            .select((Row::as_select(), Option::<ConsentRow>::as_select(), Option::<Words>::as_select()))
            .load(conn)?;
        let entry = |(row, consent, words): (Row, Option<ConsentRow>, Option<Words>)| {
            let Words { wording, language, price_source } = words.unwrap_or_default();
            let consent = consent.filter(|_| row.kind == CHARGE).map(|consent| ReceiptConsent {
                at: consent.at,
                price_cents: consent.price_cents,
                period: consent.period,
                words: wording,
                language,
                shown_by: price_source,
            });
            let complaint = complaints.get(&row.id).cloned();
            let Row { id, day, kind, cents, status, network, refund_of } = row;
            Self { id, day, kind, cents, status, network, refund_of, consent, complaint }
        };
        Ok(rows.into_iter().map(entry).collect())
    }
}

/// The charge that the subscriber did not want.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ComplaintRequest {
    /// The day of the charge, YYYY-MM-DD; without it the last charge. A repeated complaint about a day gets the first one's outcome.
    #[serde(default)]
    day: Option<String>,
}

/// Complains about a charge. The first complaint gives the last charge back, if the charge is at most seven days old and nothing was watched
/// since its day; any other is a case for support.
#[utoipa::path(
    post,
    path = "",
    request_body = ComplaintRequest,
    responses((status = 200, description = "What became of it.", body = ComplaintOutcome), Unauthorized, service::openapi::Refused)
)]
pub(crate) async fn complain(
    app: Data<App>,
    subscriber: Subscriber,
    request: Json<ComplaintRequest>,
) -> Result<Json<ComplaintOutcome>, Error> {
    let session = valid(&app, subscriber)?;
    let day = request.into_inner().day.map(|day| day.parse::<NaiveDate>().map_err(|_| Error::BadDay)).transpose()?;
    if session.test {
        return Err(Error::NoSession);
    }
    let now = app.clock.now();
    let outcome = app
        .db
        .write(move |conn| {
            let id = of_session(conn, &session)?.id;
            let subscription = Subscription::lock_by_id(conn, id)?.ok_or(Error::NoSession)?;
            let day = day.map(|day| day.to_string());
            complaints::complain(conn, &subscription, day.as_deref(), "page", now)
        })
        .await?;
    app.outbox_wake.notify_one();
    Ok(Json(outcome))
}
