//! Refunds by support. One waits for a second person where it and the refunds that were made for the number in the 24 hours before exceed
//! R50 together; so many small ones need a second person as well as a large one.

use actix_web::web::{Data, Json, Path};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    StaffText,
    openapi::{Conflict, NotFound, Refused},
};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    app::App,
    audit,
    error::Error,
    guard::Support,
    members::Member,
    schema::refunds,
    support::{Record, checked_reason, record_failure},
};

/// The most that one person gives back to a number in `WINDOW`, and to all numbers together.
pub(crate) const LIMIT_CENTS: i64 = 5000;
const PERSON_LIMIT_CENTS: i64 = 50_000;
const WINDOW: TimeDelta = TimeDelta::hours(24);

/// The network was asked, as far as is known.
pub(crate) const MADE: &str = "made";
/// For a second person.
pub(crate) const WAITING: &str = "waiting";
/// The second person refused.
pub(crate) const REFUSED: &str = "refused";
/// The subscription service refused.
pub(crate) const FAILED: &str = "failed";

/// The action's name in the audit log.
pub(crate) const ACTION: &str = "refund.made";

/// Which charge, and why.
#[derive(Deserialize, ToSchema)]
pub(crate) struct RefundOrder {
    /// `ledger_id` of the timeline's entry.
    ledger_id: i64,
    #[schema(min_length = 3, max_length = 256)]
    reason: String,
}

/// Whether a charge was given back.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RefundOutcome {
    /// The network was asked.
    Made,
    /// A second person decides.
    Waits,
}

/// What became of a request to give a charge back.
#[derive(Serialize, ToSchema)]
pub(crate) struct RefundReply {
    state: RefundOutcome,
}

/// Gives a charge of the number back, or asks for a second person.
#[utoipa::path(
    post,
    path = "",
    params(("record" = String, Path, description = "`ref` of the record.")),
    request_body = RefundOrder,
    responses((status = 200, description = "Whether it was made.", body = RefundReply), NotFound, Conflict, Refused)
)]
pub(crate) async fn refund(
    support: Support,
    app: Data<App>,
    record: Path<String>,
    order: Json<RefundOrder>,
) -> Result<Json<RefundReply>, Error> {
    let Support(member) = support;
    let record = Record::open(&app, &member, &record).await?;
    let (ledger_id, reason) = (order.ledger_id, checked_reason(&order.reason)?);
    let account = record.account(&app, &member).await?;
    let charge = account.refundable(ledger_id).ok_or(Error::NotPossible(StaffText::new("charge-not-refundable")))?;
    let request = Request { ledger_id, cents: charge.cents, reason: reason.clone() };
    let (actor, of, now) = (member.clone(), record.clone(), app.clock.now());
    let state = app.audited(move |conn| request.enter(conn, &actor, &of, now)).await?;
    if state == WAITING {
        return Ok(Json(RefundReply { state: RefundOutcome::Waits }));
    }
    make(&app, &member, &record, ledger_id, &reason).await?;
    Ok(Json(RefundReply { state: RefundOutcome::Made }))
}

/// Requests a refund from the subscription service, which makes it once.
pub(crate) async fn make(
    app: &App,
    member: &Member,
    record: &Record,
    ledger_id: i64,
    reason: &str,
) -> Result<(), Error> {
    let Err(error) = app.subscription.refund(member, ledger_id, reason).await else { return Ok(()) };
    // Where the outcome is not known, the refund counts as made: it may have been, and a further request makes it once.
    if matches!(error, Error::RefusedByService(_)) {
        app.db
            .write(move |conn| {
                diesel::update(refunds::table.filter(refunds::ledger_id.eq(ledger_id).and(refunds::state.eq(MADE))))
                    .set(refunds::state.eq(FAILED))
                    .execute(conn)?;
                Ok::<_, Error>(())
            })
            .await?;
    }
    Err(record_failure(app, member, record, ACTION, error).await)
}

struct Request {
    ledger_id: i64,
    cents: i64,
    reason: String,
}

impl Request {
    /// Enters the request and its entry of the audit log; returns its state. A charge that was requested before keeps that request.
    fn enter(
        &self,
        conn: &mut DbConnection,
        member: &Member,
        record: &Record,
        now: NaiveDateTime,
    ) -> Result<&'static str, Error> {
        let details = json!({ "ledger": self.ledger_id, "cents": self.cents, "reason": self.reason });
        let earlier: Option<String> = refunds::table
            .filter(refunds::ledger_id.eq(self.ledger_id).and(refunds::state.eq_any([MADE, WAITING])))
            .select(refunds::state)
            .first(conn)
            .optional()?;
        match earlier.as_deref() {
            Some(WAITING) => return Ok(WAITING),
            Some(_) => {
                audit::append_of(conn, member, ACTION, &record.subject(), &details, now)?;
                return Ok(MADE);
            }
            None => {}
        }
        let recent: Vec<(i64, i64, i64)> = refunds::table
            .filter(refunds::number_id.eq(record.number_id).or(refunds::staff_id.eq(member.id)))
            .filter(refunds::state.eq(MADE).and(refunds::at.gt(now - WINDOW)))
            .select((refunds::number_id, refunds::staff_id, refunds::cents))
            .load(conn)?;
        let (mut to_number, mut by_person) = (self.cents, self.cents);
        for (number_id, staff_id, cents) in recent {
            to_number += if number_id == record.number_id { cents } else { 0 };
            by_person += if staff_id == member.id { cents } else { 0 };
        }
        let exceeds = to_number > LIMIT_CENTS || by_person > PERSON_LIMIT_CENTS;
        let state = if exceeds { WAITING } else { MADE };
        diesel::insert_into(refunds::table)
            .values((
                refunds::number_id.eq(record.number_id),
                refunds::ledger_id.eq(self.ledger_id),
                refunds::cents.eq(self.cents),
                refunds::reason.eq(&self.reason),
                refunds::state.eq(state),
                refunds::staff_id.eq(member.id),
                refunds::staff.eq(&member.email),
                refunds::at.eq(now),
            ))
            .execute(conn)?;
        let action = if exceeds { "refund.requested" } else { ACTION };
        audit::append_of(conn, member, action, &record.subject(), &details, now)?;
        Ok(state)
    }
}
