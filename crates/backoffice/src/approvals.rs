//! Refunds that wait for a second person, who approves or refuses those of one request together; never the one who requested them.

use std::collections::BTreeSet;

use actix_web::web::{Data, Json, Path};
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
    schema::refunds,
    support::{
        checked_reason,
        refunds::{Choice, MADE, REFUSED, RefundOutcome, RefundReply, WAITING, make, of_choice},
    },
};

/// Refunds of one request, which wait together.
#[derive(Serialize, ToSchema)]
pub(crate) struct Approval {
    id: i64,
    masked: String,
    charges: usize,
    /// Of all of them.
    cents: i64,
    /// The brands; none where a release before this one entered the request, as the days.
    services: BTreeSet<String>,
    /// Johannesburg's calendar days of the first and the last charge.
    #[schema(required = true)]
    first_day: Option<String>,
    #[schema(required = true)]
    last_day: Option<String>,
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

/// Refunds that wait for a second person.
#[utoipa::path(get, path = "", responses((status = 200, description = "All that wait.", body = Approvals)))]
pub(crate) async fn list_approvals(support: Support, app: Data<App>) -> Result<Json<Approvals>, Error> {
    let choices = app.db.run(|conn| Choice::of_state(conn, WAITING, None)).await?;
    let approvals = choices.into_iter().map(|choice| {
        let days = || choice.rows.iter().map(|row| row.day.clone()).filter(|day| !day.is_empty());
        let services = choice.rows.iter().map(|row| row.service.clone()).filter(|service| !service.is_empty());
        Approval {
            id: choice.id,
            masked: choice.record.msisdn.masked(),
            charges: choice.rows.len(),
            cents: choice.cents(),
            services: services.collect(),
            first_day: days().min(),
            last_day: days().max(),
            mine: choice.first.staff_id == support.0.id,
            requested_at: choice.first.at.and_utc(),
            reason: choice.first.reason,
            requested_by: choice.first.staff,
        }
    });
    Ok(Json(Approvals { approvals: approvals.collect() }))
}

/// Approves the refunds of a request, which are then made, or refuses them.
#[utoipa::path(
    post,
    path = "",
    params(("id" = Id, Path, description = "The request's id.")),
    request_body = Decision,
    responses((status = 200, description = "What became of them.", body = RefundReply), NotFound, Conflict, Refused)
)]
pub(crate) async fn decide(
    support: Support,
    app: Data<App>,
    id: Path<Id>,
    decision: Json<Decision>,
) -> Result<Json<RefundReply>, Error> {
    let Support(member) = support;
    let (id, accept, why, now) = (id.get(), decision.accept, checked_reason(&decision.reason)?, app.clock.now());
    let actor = member.clone();
    let choice = app.audited(move |conn| decide_choice(conn, &actor, id, accept, &why, now)).await?;
    if !accept {
        return Ok(Json(choice.reply(RefundOutcome::Refused, Vec::new())));
    }
    make(&app, &member, &choice, Vec::new()).await.map(Json)
}

fn decide_choice(
    conn: &mut DbConnection,
    member: &Member,
    id: i64,
    accept: bool,
    why: &str,
    now: NaiveDateTime,
) -> Result<Choice, Error> {
    let choice = Choice::of_state(conn, WAITING, Some(id))?.pop().ok_or(Error::NotFound)?;
    may_decide(conn, member, choice.first.staff_id, Role::Support, now)?;
    let (state, action) = if accept { (MADE, "refund.approved") } else { (REFUSED, "refund.refused") };
    diesel::update(refunds::table.filter(of_choice(id)).filter(refunds::state.eq(WAITING)))
        .set((
            (refunds::state.eq(state), refunds::is_open.eq(accept)),
            (refunds::decided_by.eq(&member.email), refunds::decided_at.eq(now)),
        ))
        .execute(conn)?;
    let mut details = choice.details();
    if let Some(details) = details.as_object_mut() {
        details.insert("requested_by".to_owned(), json!(choice.first.staff));
        details.insert("decision".to_owned(), json!(why));
    }
    audit::append_of(conn, member, action, &choice.record.subject(), &details, now)?;
    Ok(choice)
}
