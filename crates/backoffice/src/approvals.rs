//! Refunds that wait for a second person, who approves or refuses them; never the one who requested them.

use actix_web::{
    HttpResponse,
    web::{Data, Json, Path},
};
use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    Id,
    openapi::{Conflict, NotFound, Refused},
};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    app::App,
    audit,
    error::Error,
    grants::may_decide,
    guard::Support,
    members::{Member, Role},
    schema::{numbers, refunds},
    support::{
        Record, checked_reason,
        refunds::{MADE, REFUSED, WAITING, make},
    },
};

/// A refund that waits.
#[derive(Serialize, ToSchema)]
pub(crate) struct Approval {
    id: i64,
    masked: String,
    cents: i64,
    reason: String,
    requested_by: String,
    #[schema(value_type = String, format = "date-time")]
    requested_at: DateTime<Utc>,
    /// Whether the caller requested it, and so may not decide.
    mine: bool,
}

/// Refunds that wait.
#[derive(Serialize, ToSchema)]
pub(crate) struct Approvals {
    /// Oldest first.
    approvals: Vec<Approval>,
}

/// What the second person decides, and why.
#[derive(Deserialize, ToSchema)]
pub(crate) struct Decision {
    accept: bool,
    #[schema(min_length = 3, max_length = 256)]
    reason: String,
}

#[derive(Queryable)]
struct Waiting {
    id: i64,
    number_id: i64,
    msisdn: String,
    ledger_id: i64,
    cents: i64,
    reason: String,
    staff_id: i64,
    staff: String,
    at: NaiveDateTime,
}

impl Waiting {
    fn load(conn: &mut DbConnection, id: Option<i64>) -> Result<Vec<Self>, Error> {
        let mut rows = refunds::table
            .inner_join(numbers::table)
            .filter(refunds::state.eq(WAITING))
            .order(refunds::id)
            .select((
                refunds::id,
                refunds::number_id,
                numbers::msisdn,
                refunds::ledger_id,
                refunds::cents,
                refunds::reason,
                refunds::staff_id,
                refunds::staff,
                refunds::at,
            ))
            .into_boxed();
        if let Some(id) = id {
            rows = rows.filter(refunds::id.eq(id));
        }
        Ok(rows.load(conn)?)
    }

    fn record(&self) -> Result<Record, Error> {
        Record::new(self.number_id, &self.msisdn)
    }
}

/// Refunds that wait for a second person.
#[utoipa::path(get, path = "", responses((status = 200, description = "All that wait.", body = Approvals)))]
pub(crate) async fn list_approvals(support: Support, app: Data<App>) -> Result<Json<Approvals>, Error> {
    let rows = app.db.run(|conn| Waiting::load(conn, None)).await?;
    let approvals = rows.into_iter().map(|row| {
        Ok(Approval {
            masked: row.record()?.msisdn.masked(),
            id: row.id,
            cents: row.cents,
            mine: row.staff_id == support.0.id,
            reason: row.reason,
            requested_by: row.staff,
            requested_at: row.at.and_utc(),
        })
    });
    Ok(Json(Approvals { approvals: approvals.collect::<Result<_, Error>>()? }))
}

/// Approves a refund, which is then made, or refuses it.
#[utoipa::path(
    post,
    path = "",
    params(("id" = Id, Path, description = "The refund's id.")),
    request_body = Decision,
    responses((status = 204, description = "It is decided."), NotFound, Conflict, Refused)
)]
pub(crate) async fn decide(
    support: Support,
    app: Data<App>,
    id: Path<Id>,
    decision: Json<Decision>,
) -> Result<HttpResponse, Error> {
    let Support(member) = support;
    let (id, accept, why, now) = (id.get(), decision.accept, checked_reason(&decision.reason)?, app.clock.now());
    let actor = member.clone();
    let refund = app.audited(move |conn| decide_row(conn, &actor, id, accept, &why, now)).await?;
    if accept {
        let made = make(&app, &member, &refund.record()?, refund.ledger_id, &refund.reason).await;
        if let Err(error @ Error::ServiceUnavailable(..)) = made {
            // Nothing is lost by asking twice: the subscription service makes a refund once.
            app.db.write(move |conn| set_state(conn, id, WAITING, None)).await?;
            return Err(error);
        }
        made?;
    }
    Ok(HttpResponse::NoContent().finish())
}

fn decide_row(
    conn: &mut DbConnection,
    member: &Member,
    id: i64,
    accept: bool,
    why: &str,
    now: NaiveDateTime,
) -> Result<Waiting, Error> {
    let refund = Waiting::load(conn, Some(id))?.pop().ok_or(Error::NotFound)?;
    may_decide(conn, member, refund.staff_id, Role::Support, now)?;
    let (state, action) = if accept { (MADE, "refund.approved") } else { (REFUSED, "refund.refused") };
    set_state(conn, id, state, Some((&member.email, now)))?;
    let details = json!({
        "ledger": refund.ledger_id, "cents": refund.cents, "reason": refund.reason, "requested_by": refund.staff, "decision": why
    });
    audit::append_of(conn, member, action, &refund.record()?.subject(), &details, now)?;
    Ok(refund)
}

fn set_state(
    conn: &mut DbConnection,
    id: i64,
    state: &str,
    decided: Option<(&str, NaiveDateTime)>,
) -> Result<(), Error> {
    diesel::update(refunds::table.find(id))
        .set((
            refunds::state.eq(state),
            refunds::decided_by.eq(decided.map(|(by, _)| by)),
            refunds::decided_at.eq(decided.map(|(_, at)| at)),
        ))
        .execute(conn)?;
    Ok(())
}
