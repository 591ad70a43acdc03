//! The erasure of a number's data: requested by one person and approved by another, then done service by service until each has
//! confirmed.
//!
//! An approved erasure is `open`. A background task calls the services that have not confirmed it, the subscription service first,
//! which refuses where the number still has a subscription; every call may be repeated. So a service that does not answer, or a crash
//! between any two steps, delays the erasure and loses nothing.

use std::{
    collections::BTreeSet,
    slice,
    time::{Duration, Instant},
};

use actix_web::{
    HttpResponse,
    web::{Data, Json, Path},
};
use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    Id, StaffText,
    openapi::{Conflict, NotFound, Refused},
};
use store::{
    DbConnection, on_each_backend,
    personal_data::{self, Erased, Kept},
};
use utoipa::ToSchema;

use crate::{
    app::App,
    audit,
    document::attachment,
    error::Error,
    grants::may_decide,
    guard::Support,
    members::{Member, Role},
    personal_data::TABLES,
    schema::{erasure_steps, erasures, numbers},
    support::{Record, checked_reason, record::Reason, refunds, retention},
    texts::{shown, stored, written},
    word::word,
};

/// For a second person.
const WAITING: &str = "waiting";
/// The second person refused.
const REFUSED: &str = "refused";
/// Until each service has confirmed.
const OPEN: &str = "open";
/// Each service has confirmed.
const DONE: &str = "done";
/// The subscription service refused.
const IMPOSSIBLE: &str = "impossible";

/// The service that may refuse, and so is called first.
const SUBSCRIPTION: &str = "subscription";

/// The pause before the services are called again that did not answer.
const RETRY: Duration = Duration::from_secs(5);
/// The pause where nothing is open: another replica may have approved an erasure, and stopped.
const IDLE: Duration = Duration::from_secs(60);
/// The interval between two deletions of what is too old.
const RETENTION_INTERVAL: Duration = Duration::from_secs(3600);

/// The most that a list has.
const PAGE: i64 = 100;

/// How far an erasure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ErasureStage {
    /// For a second person.
    Waiting,
    /// The second person refused.
    Refused,
    /// Services erase.
    Open,
    /// Every service has confirmed it.
    Done,
    /// A service refuses it for good.
    Impossible,
}

/// What an erasure would leave, and what has to be done before it.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErasurePreview {
    /// In words; empty where the number can be erased.
    obstacles: Vec<String>,
    kept: Vec<Kept>,
    /// "waiting" or "open", where there is an erasure already.
    #[schema(required = true)]
    state: Option<ErasureStage>,
}

/// An erasure.
#[derive(Serialize, ToSchema)]
pub(crate) struct Erasure {
    id: i64,
    masked: String,
    reason: String,
    state: ErasureStage,
    requested_by: String,
    #[schema(value_type = String, format = "date-time")]
    requested_at: DateTime<Utc>,
    #[schema(required = true)]
    decided_by: Option<String>,
    #[schema(value_type = Option<String>, format = "date-time", required = true)]
    finished_at: Option<DateTime<Utc>>,
    /// Why it is still open, or impossible; may be empty.
    cause: String,
    /// The services that have confirmed it.
    confirmed: Vec<String>,
    /// Those that have not.
    missing: Vec<String>,
    /// Whether the caller requested it, and so may not decide.
    mine: bool,
}

/// Erasures.
#[derive(Serialize, ToSchema)]
pub(crate) struct Erasures {
    /// Newest first, at most 100.
    erasures: Vec<Erasure>,
}

/// What became of a request.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErasureState {
    /// "waiting", or "open" where it was approved already.
    state: ErasureStage,
}

/// What the second person decides, and why.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ErasureDecision {
    accept: bool,
    #[schema(min_length = 3, max_length = 256)]
    reason: String,
}

#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = erasures)]
struct Row {
    id: i64,
    number_id: i64,
    masked: String,
    reason: String,
    state: String,
    staff_id: i64,
    staff: String,
    at: NaiveDateTime,
    decided_by_id: Option<i64>,
    decided_by: Option<String>,
    cause: String,
    kept: String,
    finished_at: Option<NaiveDateTime>,
}

impl Row {
    fn find(conn: &mut DbConnection, id: i64) -> Result<Self, Error> {
        let found = erasures::table.find(id).select(Self::as_select()).first(conn).optional()?;
        found.ok_or(Error::NotFound)
    }

    /// The unfinished one of a number.
    fn unfinished(conn: &mut DbConnection, number_id: i64) -> Result<Option<Self>, Error> {
        let of_number = erasures::table.filter(erasures::number_id.eq(number_id));
        let unfinished = of_number.filter(erasures::state.eq_any([WAITING, OPEN]));
        Ok(unfinished.select(Self::as_select()).first(conn).optional()?)
    }

    /// How the audit log names its number, also when that is erased.
    fn subject(&self) -> String {
        format!("number {}, {}", self.number_id, self.masked)
    }

    /// The services that have confirmed each of these erasures.
    fn confirmed(conn: &mut DbConnection, rows: &[Self]) -> Result<BTreeSet<(i64, String)>, Error> {
        let ids = rows.iter().map(|row| row.id);
        let steps = erasure_steps::table.filter(erasure_steps::erasure_id.eq_any(ids));
        let steps: Vec<(i64, String)> = steps.select((erasure_steps::erasure_id, erasure_steps::service)).load(conn)?;
        Ok(steps.into_iter().collect())
    }

    /// The services that have confirmed, in the order in which they are called, and the others.
    fn progress(&self, steps: &BTreeSet<(i64, String)>, app: &App) -> (Vec<String>, Vec<String>) {
        services(app).map(str::to_owned).partition(|service| steps.contains(&(self.id, service.clone())))
    }
}

/// All services that know numbers, in the order in which they erase.
fn services(app: &App) -> impl Iterator<Item = &'static str> {
    [SUBSCRIPTION].into_iter().chain(app.catalogues.iter().map(crate::catalogues::Catalogue::name))
}

/// What an erasure of the number would leave, and what has to be done before it. Nothing is changed.
#[utoipa::path(
    get,
    path = "",
    params(("record" = String, Path, description = "`ref` of the record.")),
    responses((status = 200, description = "What stays, and why.", body = ErasurePreview), NotFound)
)]
pub(crate) async fn preview_erasure(
    support: Support,
    app: Data<App>,
    record: Path<String>,
) -> Result<Json<ErasurePreview>, Error> {
    let Support(member) = support;
    let record = Record::open(&app, &member, &record).await?;
    preview(&app, &member, &record).await.map(Json)
}

async fn preview(app: &App, member: &Member, record: &Record) -> Result<ErasurePreview, Error> {
    let of_subscription = app.subscription.preview_erasure(member, &record.msisdn).await?;
    let (mut obstacles, mut kept) = (of_subscription.obstacles, of_subscription.kept);
    let (number, number_id) = (record.msisdn.clone(), record.number_id);
    let language = service::staff_language();
    let (own, of_refunds, earlier) = app
        .db
        .run(move |conn| {
            let own = personal_data::kept(conn, TABLES, number.as_str(), language)?;
            Ok::<_, Error>((own, waiting_refund(conn, number_id)?, Row::unfinished(conn, number_id)?))
        })
        .await?;
    kept.extend(own);
    obstacles.extend(of_refunds.map(|text| text.text(language)));
    Ok(ErasurePreview { obstacles, kept, state: earlier.map(|erasure| word(&erasure.state)).transpose()? })
}

/// The obstacle to an erasure where a refund of the number waits for its second person, or is open.
fn waiting_refund(conn: &mut DbConnection, number_id: i64) -> Result<Option<StaffText>, Error> {
    let requested = refunds::GivenBack::requested(conn, number_id)?;
    let waits = requested.values().any(|state| *state == refunds::GivenBack::Waits);
    Ok((!requested.is_empty())
        .then(|| if waits { StaffText::new("refund-waits") } else { StaffText::new("refund-open") }))
}

/// Requests the erasure of the number's data, which another person has to approve.
#[utoipa::path(
    post,
    path = "",
    params(("record" = String, Path, description = "`ref` of the record.")),
    request_body = Reason,
    responses(
        (status = 200, description = "It waits for a second person, also where it did already.", body = ErasureState),
        NotFound,
        Conflict,
        Refused
    )
)]
pub(crate) async fn request_erasure(
    support: Support,
    app: Data<App>,
    record: Path<String>,
    reason: Json<Reason>,
) -> Result<Json<ErasureState>, Error> {
    let Support(member) = support;
    let record = Record::open(&app, &member, &record).await?;
    let reason = checked_reason(&reason.reason)?;
    let ErasurePreview { obstacles, state, .. } = preview(&app, &member, &record).await?;
    if let Some(state) = state {
        return Ok(Json(ErasureState { state }));
    }
    if !obstacles.is_empty() {
        return Err(Error::NotErasable(obstacles.join(" ")));
    }
    let now = app.clock.now();
    let state = app
        .audited(move |conn| {
            if let Some(earlier) = Row::unfinished(conn, record.number_id)? {
                return word(&earlier.state);
            }
            diesel::insert_into(erasures::table)
                .values((
                    erasures::number_id.eq(record.number_id),
                    erasures::masked.eq(record.msisdn.masked()),
                    erasures::reason.eq(&reason),
                    erasures::state.eq(WAITING),
                    erasures::staff_id.eq(member.id),
                    erasures::staff.eq(&member.email),
                    erasures::at.eq(now),
                ))
                .execute(conn)?;
            let details = json!({ "reason": reason });
            audit::append_of(conn, &member, "erasure.requested", &record.subject(), &details, now)?;
            Ok(ErasureStage::Waiting)
        })
        .await?;
    Ok(Json(ErasureState { state }))
}

/// Erasures in every state, newest first.
#[utoipa::path(get, path = "", responses((status = 200, description = "The newest 100.", body = Erasures)))]
pub(crate) async fn list_erasures(support: Support, app: Data<App>) -> Result<Json<Erasures>, Error> {
    let of = app.get_ref().clone();
    let mut erasures = app
        .db
        .run(move |conn| {
            let rows: Vec<Row> =
                erasures::table.order(erasures::id.desc()).limit(PAGE).select(Row::as_select()).load(conn)?;
            let steps = Row::confirmed(conn, &rows)?;
            let mut all = Vec::with_capacity(rows.len());
            for row in rows {
                let (confirmed, missing) = row.progress(&steps, &of);
                all.push(Erasure {
                    id: row.id,
                    masked: row.masked,
                    reason: row.reason,
                    state: word(&row.state)?,
                    requested_by: row.staff,
                    requested_at: row.at.and_utc(),
                    decided_by: row.decided_by,
                    finished_at: row.finished_at.map(|at| at.and_utc()),
                    cause: row.cause,
                    confirmed,
                    missing,
                    mine: row.staff_id == support.0.id,
                });
            }
            Ok::<_, Error>(all)
        })
        .await?;
    // Here, where the language of the call is known.
    for erasure in &mut erasures {
        erasure.cause = shown(&erasure.cause);
    }
    Ok(Json(Erasures { erasures }))
}

/// Approves an erasure, which then begins, or refuses it.
#[utoipa::path(
    post,
    path = "",
    params(("id" = Id, Path, description = "The erasure's id.")),
    request_body = ErasureDecision,
    responses((status = 204, description = "It is decided."), NotFound, Conflict, Refused)
)]
pub(crate) async fn decide_erasure(
    support: Support,
    app: Data<App>,
    id: Path<Id>,
    decision: Json<ErasureDecision>,
) -> Result<HttpResponse, Error> {
    let Support(member) = support;
    let (id, accept, why, now) = (id.get(), decision.accept, checked_reason(&decision.reason)?, app.clock.now());
    app.audited(move |conn| {
        let erasure = Row::find(conn, id)?;
        if erasure.state != WAITING {
            return Err(Error::NotPossible(StaffText::new("erasure-decided")));
        }
        may_decide(conn, &member, erasure.staff_id, Role::Support, now)?;
        if accept && let Some(obstacle) = waiting_refund(conn, erasure.number_id)? {
            return Err(Error::NotPossible(obstacle));
        }
        let (state, action) = if accept { (OPEN, "erasure.approved") } else { (REFUSED, "erasure.refused") };
        diesel::update(erasures::table.find(id))
            .set((
                erasures::state.eq(state),
                erasures::decided_by_id.eq(member.id),
                erasures::decided_by.eq(&member.email),
                erasures::decided_at.eq(now),
                erasures::finished_at.eq((!accept).then_some(now)),
            ))
            .execute(conn)?;
        let details = json!({ "reason": erasure.reason, "requested_by": erasure.staff, "decision": why });
        audit::append_of(conn, &member, action, &erasure.subject(), &details, now)
    })
    .await?;
    app.support_wake.notify_one();
    Ok(HttpResponse::NoContent().finish())
}

/// The text for the person: what was erased, what stays, until when and why.
#[utoipa::path(
    get,
    path = "",
    params(("id" = Id, Path, description = "The erasure's id.")),
    responses(
        (status = 200, description = "The text.", body = String, content_type = "text/plain"),
        NotFound,
        Conflict
    )
)]
pub(crate) async fn get_letter(_: Support, app: Data<App>, id: Path<Id>) -> Result<HttpResponse, Error> {
    let id = id.get();
    let erasure = app.db.run(move |conn| Row::find(conn, id)).await?;
    let Some(finished_at) = erasure.finished_at.filter(|_| erasure.state == DONE) else {
        return Err(Error::NotPossible(StaffText::new("erasure-not-done")));
    };
    let kept: Vec<Kept> =
        serde_json::from_str(&erasure.kept).map_err(|error| Error::Internal(format!("erasure {id}: {error}")))?;
    Ok(attachment("text/plain; charset=utf-8", "erasure.txt").body(letter(&erasure.masked, finished_at, &kept)))
}

fn letter(masked: &str, finished_at: NaiveDateTime, kept: &[Kept]) -> String {
    let mut text = format!(
        "{}\n\n{}\n\n{}\n",
        written(&StaffText::new("letter-title").with("number", masked)),
        written(&StaffText::new("letter-erased").with("day", finished_at.format("%-d %B %Y").to_string())),
        written(&StaffText::new("letter-stays"))
    );
    for Kept { what, rows, until, why } in kept {
        let count = rows.map(|rows| format!(" ({rows})")).unwrap_or_default();
        let until = written(&StaffText::new("letter-kept").with("until", until.as_str()));
        text.push_str(&format!("\n- {what}{count}\n  {until}\n  {why}\n"));
    }
    text.push_str(&format!("\n{}\n", written(&StaffText::new("letter-network"))));
    text
}

/// Starts the task that does approved erasures and open refunds, and deletes what is too old.
pub(crate) fn start(app: &App) {
    let alive = std::sync::Arc::downgrade(&app.alive);
    // Its own copy does not keep the server's alive.
    let mut app = app.clone();
    app.alive = std::sync::Arc::default();
    actix_web::rt::spawn(async move {
        let mut cleaned: Option<Instant> = None;
        while alive.strong_count() > 0 {
            if cleaned.is_none_or(|at| at.elapsed() > RETENTION_INTERVAL) {
                cleaned = Some(Instant::now());
                if let Err(error) = retention::delete_old(&app).await {
                    tracing::error!(error = %error, "old rows about numbers could not be deleted");
                }
            }
            let remaining = continue_all(&app).await.unwrap_or_else(|error| {
                tracing::error!(error = %error, "open erasures could not be continued");
                true
            }) | refunds::continue_open(&app).await.unwrap_or_else(|error| {
                tracing::error!(error = %error, "open refunds could not be continued");
                true
            });
            let pause = if remaining { RETRY } else { IDLE };
            tokio::select! {
                () = app.support_wake.notified() => {}
                () = tokio::time::sleep(pause) => {}
            }
        }
    });
}

/// Continues every open erasure; returns whether any is still open.
async fn continue_all(app: &App) -> Result<bool, Error> {
    let open: Vec<(Row, String)> = app
        .db
        .run(|conn| {
            let open = erasures::table.inner_join(numbers::table).filter(erasures::state.eq(OPEN)).order(erasures::id);
            Ok::<_, Error>(open.select((Row::as_select(), numbers::msisdn)).load(conn)?)
        })
        .await?;
    let mut remaining = false;
    for (erasure, msisdn) in open {
        let record = Record::new(erasure.number_id, &msisdn)?;
        remaining |= !continue_one(app, &erasure, &record).await?;
    }
    Ok(remaining)
}

/// Calls the services that have not confirmed yet; returns whether the erasure is over.
async fn continue_one(app: &App, erasure: &Row, record: &Record) -> Result<bool, Error> {
    let (Some(id), Some(email)) = (erasure.decided_by_id, erasure.decided_by.clone()) else {
        return Err(Error::Internal(format!("erasure {} is open, and was not approved", erasure.id)));
    };
    // The calls name the person who approved it.
    let proved_at = NaiveDateTime::default();
    let member = Member { id, email, name: String::new(), roles: Vec::new(), session_id: 0, proved_at };
    let row = erasure.clone();
    let steps = app.db.run(move |conn| Row::confirmed(conn, slice::from_ref(&row))).await?;
    let (_, missing) = erasure.progress(&steps, app);
    let mut silent = Vec::new();
    for service in missing {
        let outcome = match service.as_str() {
            SUBSCRIPTION => app.subscription.erase(&member, &record.msisdn).await,
            catalogue => match app.catalogues.named(catalogue) {
                Ok(catalogue) => catalogue.erase(&member, &record.msisdn).await,
                Err(error) => Err(error),
            },
        };
        match outcome {
            Ok(erased) => confirm(app, erasure.id, &service, &erased).await?,
            Err(Error::RefusedByService(cause)) if service == SUBSCRIPTION => {
                give_up(app, erasure, &member, cause).await?;
                return Ok(true);
            }
            Err(error) => {
                tracing::warn!(error = %error, erasure.id = erasure.id, "a service did not erase a number yet");
                let is_first = service == SUBSCRIPTION;
                silent.push(service);
                if is_first {
                    break;
                }
            }
        }
    }
    if silent.is_empty() {
        finish(app, erasure.clone(), record.clone(), member).await?;
        return Ok(true);
    }
    let cause = StaffText::new("erasure-silent").with("services", silent.join(", "));
    let (id, cause) = (erasure.id, stored(&cause));
    app.db.write(move |conn| set_cause(conn, id, &cause)).await?;
    Ok(false)
}

fn set_cause(conn: &mut DbConnection, id: i64, cause: &str) -> Result<(), Error> {
    diesel::update(erasures::table.find(id)).set(erasures::cause.eq(cause)).execute(conn)?;
    Ok(())
}

/// Records that a service has erased the number.
async fn confirm(app: &App, id: i64, service: &str, erased: &Erased) -> Result<(), Error> {
    let kept = serde_json::to_string(&erased.kept).map_err(|error| Error::Internal(error.to_string()))?;
    let (service, now) = (service.to_owned(), app.clock.now());
    app.db
        .write(move |conn| {
            // Another replica may have done the same.
            on_each_backend!(conn, conn => diesel::insert_into(erasure_steps::table)
                .values((
                    erasure_steps::erasure_id.eq(id),
                    erasure_steps::service.eq(service),
                    erasure_steps::kept.eq(kept),
                    erasure_steps::at.eq(now),
                ))
                .on_conflict_do_nothing()
                .execute(conn))?;
            Ok::<_, Error>(())
        })
        .await
}

/// Ends an erasure that the subscription service refuses: what has to be done first is in `cause`.
async fn give_up(app: &App, erasure: &Row, member: &Member, cause: String) -> Result<(), Error> {
    let (id, subject, member, now) = (erasure.id, erasure.subject(), member.clone(), app.clock.now());
    app.audited(move |conn| {
        let open = erasures::table.filter(erasures::id.eq(id).and(erasures::state.eq(OPEN)));
        let ended = diesel::update(open)
            .set((erasures::state.eq(IMPOSSIBLE), erasures::cause.eq(&cause), erasures::finished_at.eq(now)))
            .execute(conn)?;
        if ended == 0 {
            return Ok(());
        }
        let details = json!({ "action": "number.erased", "cause": cause });
        audit::append_of(conn, &member, "support.failed", &subject, &details, now)
    })
    .await
}

/// Erases what the back office itself knows, and ends the erasure, in one transaction.
async fn finish(app: &App, erasure: Row, record: Record, member: Member) -> Result<(), Error> {
    let (now, language) = (app.clock.now(), service::staff_language());
    app.audited(move |conn| {
        let id = erasure.id;
        let steps: Vec<String> = erasure_steps::table
            .filter(erasure_steps::erasure_id.eq(id))
            .order(erasure_steps::at)
            .select(erasure_steps::kept)
            .load(conn)?;
        let mut kept: Vec<Kept> = Vec::new();
        for step in steps {
            let of_step: Vec<Kept> = serde_json::from_str(&step).map_err(|error| Error::Internal(error.to_string()))?;
            kept.extend(of_step);
        }
        let open = erasures::table.filter(erasures::id.eq(id).and(erasures::state.eq(OPEN)));
        if diesel::update(open).set((erasures::state.eq(DONE), erasures::finished_at.eq(now))).execute(conn)? == 0 {
            return Ok(());
        }
        kept.extend(personal_data::erase(conn, TABLES, record.msisdn.as_str(), language)?.kept);
        let kept = serde_json::to_string(&kept).map_err(|error| Error::Internal(error.to_string()))?;
        diesel::update(erasures::table.find(id))
            .set((erasures::kept.eq(kept), erasures::cause.eq("")))
            .execute(conn)?;
        let details = json!({ "reason": erasure.reason, "requested_by": erasure.staff });
        audit::append_of(conn, &member, "number.erased", &erasure.subject(), &details, now)
    })
    .await
}
