//! What only publishers do: import a draft, take a record down, put it back. The audit log has the entry before the catalogue service is called,
//! and another where that call fails.

use actix_web::{
    HttpResponse,
    web::{Data, Json, Path},
};
use catalogue::records::Record;
use serde::Deserialize;
use serde_json::{Value, json};
use service::{
    Id, StaffText,
    openapi::{Conflict, NotFound, Refused},
};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    app::App,
    audit,
    content::{
        drafts::{self, DRAFT, DraftRow, PUBLISHED, PUBLISHING, VersionOrder, changed_fields, set_state},
        media,
    },
    error::Error,
    guard::Publisher,
    members::Member,
    support::checked_reason,
};

/// Which state a record gets, and why.
#[derive(Deserialize, ToSchema)]
pub(crate) struct StateOrder {
    service: String,
    /// "unlisted": in no list; "deleted": no visitor sees it; "listed": back, and imports change its state again.
    state: String,
    #[schema(min_length = 3, max_length = 256)]
    reason: String,
}

/// Publishes a draft as it was seen: a submitted one, or the publisher's own.
#[utoipa::path(
    post,
    path = "",
    params(("id" = Id, Path, description = "The draft's id.")),
    request_body = VersionOrder,
    responses((status = 200, description = "The record as it is now.", body = Record), NotFound, Conflict, Refused)
)]
pub(crate) async fn publish(
    publisher: Publisher,
    app: Data<App>,
    id: Path<Id>,
    order: Json<VersionOrder>,
) -> Result<Json<Record>, Error> {
    const ACTION: &str = "content.published";
    let (Publisher(member), id, version, now) = (publisher, id.get(), order.version, app.clock.now());
    let actor = member.clone();
    let (draft, record, base) = app.db.run(move |conn| publishable(conn, &actor, id, version)).await?;
    media::check_draft(&app, &draft.kind, &draft.slug, &record, base.as_ref()).await?;
    let actor = member.clone();
    let (draft, record, base) = app
        .audited(move |conn| {
            let (draft, record, base) = publishable(conn, &actor, id, version)?;
            // Where the outcome stays unknown, it is published again: the service imports the same record once.
            set_state(conn, id, PUBLISHING)?;
            let details = json!({ "fields": changed_fields(base.as_ref(), &record), "record": record });
            audit::append_of(conn, &actor, ACTION, &draft.subject(), &details, now)?;
            Ok((draft, record, base))
        })
        .await?;
    let catalogue = app.catalogues.named(&draft.catalogue)?;
    match catalogue.put(&member, &draft.service, &draft.kind, &record, base.as_ref()).await {
        Ok(live) => {
            app.db.write(move |conn| set_state(conn, id, PUBLISHED)).await?;
            Ok(Json(live))
        }
        Err(error) => {
            let is_unknown = matches!(error, Error::ServiceUnavailable(..));
            let before = (!is_unknown && draft.state != PUBLISHING).then(|| draft.state.clone());
            record_failure(&app, &member, draft.subject(), ACTION, &error, before.map(|state| (id, state))).await?;
            Err(error)
        }
    }
}

/// A draft in the version that was seen, its record, and the one it changes.
fn publishable(
    conn: &mut DbConnection,
    member: &Member,
    id: i64,
    version: i64,
) -> Result<(DraftRow, Value, Option<Value>), Error> {
    let draft = DraftRow::seen(conn, id, version)?;
    if draft.state == DRAFT && draft.staff_id != member.id {
        return Err(Error::NotPossible(StaffText::new("draft-not-submitted")));
    }
    let of_json =
        |text: &str| serde_json::from_str(text).map_err(|error| Error::Internal(format!("draft {id}: {error}")));
    let (record, base) = (of_json(&draft.record)?, draft.base.as_deref().map(of_json).transpose()?);
    Ok((draft, record, base))
}

/// Adds an entry about a call that a catalogue service refused or whose outcome is not known; a refused draft gets its state back.
pub(super) async fn record_failure(
    app: &App,
    member: &Member,
    subject: String,
    action: &'static str,
    error: &Error,
    before: Option<(i64, String)>,
) -> Result<(), Error> {
    let (member, now) = (member.clone(), app.clock.now());
    let details = json!({ "action": action, "cause": error.to_string() });
    app.audited(move |conn| {
        if let Some((id, state)) = before {
            set_state(conn, id, &state)?;
        }
        audit::append_of(conn, &member, "content.failed", &subject, &details, now)
    })
    .await
}

/// Takes a record down, or puts it back.
#[utoipa::path(
    post,
    path = "",
    params(
        ("catalogue" = String, Path, description = "The catalogue service."),
        ("kind" = String, Path, description = "The kind of record."),
        ("slug" = String, Path, description = "The record's key."),
    ),
    request_body = StateOrder,
    responses((status = 204, description = "It is as requested."), NotFound, Conflict, Refused)
)]
pub(crate) async fn change_state(
    publisher: Publisher,
    app: Data<App>,
    path: Path<(String, String, String)>,
    order: Json<StateOrder>,
) -> Result<HttpResponse, Error> {
    let ((catalogue, kind, slug), Publisher(member)) = (path.into_inner(), publisher);
    let StateOrder { service, state, reason } = order.into_inner();
    let catalogue = app.catalogues.named(&catalogue)?;
    let action = match state.as_str() {
        "listed" => "content.put_back",
        "unlisted" | "deleted" => "content.taken_down",
        _ => return Err(Error::Field("state", StaffText::new("state"))),
    };
    let reason = checked_reason(&reason)?;
    // By its id: a slug of digits could be another record's id.
    let live = catalogue.history(&member, &service, &kind, &slug).await?.live;
    if state == "listed" {
        media::check_put_back(&app, &kind, &live).await?;
    }
    let subject = drafts::subject(&service, &kind, &slug);
    let (actor, now) = (member.clone(), app.clock.now());
    let details = json!({ "state": state, "reason": reason, "before": live.visibility });
    let entry = subject.clone();
    app.audited(move |conn| audit::append_of(conn, &actor, action, &entry, &details, now)).await?;
    let order =
        json!({ "service": service, "kind": kind, "record": live.id.to_string(), "state": state, "reason": reason });
    match catalogue.take_down(&member, order).await {
        Ok(_) => Ok(HttpResponse::NoContent().finish()),
        Err(error) => {
            record_failure(&app, &member, subject, action, &error, None).await?;
            Err(error)
        }
    }
}
