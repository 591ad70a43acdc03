//! Drafts: records that are not imported yet. A record has at most one that is open. Each save is a new version, and every later step names the
//! version that the person saw.

use actix_web::{
    HttpResponse,
    web::{Data, Json, Path, Query},
};
use catalogue::records::ServiceQuery;
use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use service::{
    Id, StaffText,
    openapi::{Conflict, NotFound, Refused},
};
use store::{DbConnection, on_each_backend};
use utoipa::ToSchema;

use crate::{
    app::App,
    audit,
    catalogues::Catalogue,
    error::Error,
    guard::{ContentStaff, Publisher},
    members::Member,
    schema::drafts,
    support::checked_reason,
    word::word,
};

/// Its author works on it.
pub(crate) const DRAFT: &str = "draft";
/// It waits for a publisher.
pub(crate) const REVIEW: &str = "review";
/// A publisher publishes it, and the outcome is not known yet.
pub(crate) const PUBLISHING: &str = "publishing";
/// It was imported.
pub(crate) const PUBLISHED: &str = "published";
/// It will not be imported.
pub(super) const DISCARDED: &str = "discarded";

/// The states of drafts that are open.
pub(super) const OPEN: [&str; 3] = [DRAFT, REVIEW, PUBLISHING];

const MAX_DRAFTS: i64 = 500;

/// A row of drafts.
#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = drafts)]
pub(crate) struct DraftRow {
    pub(crate) id: i64,
    pub(crate) catalogue: String,
    pub(crate) service: String,
    pub(crate) kind: String,
    pub(crate) slug: String,
    pub(crate) record: String,
    pub(crate) base: Option<String>,
    pub(crate) state: String,
    pub(crate) version: i64,
    pub(crate) staff_id: i64,
    staff: String,
    at: NaiveDateTime,
    reason: String,
    returned_by: Option<String>,
    pub(super) release: Option<i64>,
    /// The version that it had when it was put into the release.
    pub(super) release_version: Option<i64>,
}

/// The state of a draft that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum DraftState {
    /// Its author works on it.
    Draft,
    /// It waits for a publisher.
    Review,
    /// A publisher publishes it, and the outcome is not known yet.
    Publishing,
}

/// A record that is not imported yet.
#[derive(Serialize, ToSchema)]
pub(crate) struct Draft {
    id: i64,
    catalogue: String,
    service: String,
    kind: String,
    slug: String,
    /// Its fields, without those that have their default; times are UTC.
    #[schema(value_type = Object)]
    record: Value,
    /// The record when the draft was begun; null for a new one.
    #[schema(value_type = Option<Object>, required = true)]
    base: Option<Value>,
    state: DraftState,
    /// Counts its saves.
    version: i64,
    /// Who saved it last.
    by: String,
    #[schema(value_type = String, format = "date-time")]
    at: DateTime<Utc>,
    /// Whether the reader saved it last.
    mine: bool,
    /// Why it was sent back; else empty.
    reason: String,
    /// Who sent it back.
    #[schema(required = true)]
    returned_by: Option<String>,
    /// The import of the release that it was put into last.
    #[schema(value_type = Option<Id>, required = true)]
    release: Option<i64>,
}

/// Drafts that are open.
#[derive(Serialize, ToSchema)]
pub(crate) struct Drafts {
    /// Saved last first, at most 500.
    drafts: Vec<Draft>,
}

/// A form to be saved.
#[derive(Deserialize, ToSchema)]
pub(crate) struct SaveOrder {
    service: String,
    /// The fields as in a JSON manifest; times without an offset are in Johannesburg.
    #[schema(value_type = Object)]
    record: Map<String, Value>,
    /// The version of the draft that it replaces; null where there was none.
    version: Option<i64>,
    /// Whether the record is a new one: its slug must be free.
    #[serde(default)]
    new: bool,
}

/// The version that the person saw.
#[derive(Deserialize, ToSchema)]
pub(crate) struct VersionOrder {
    pub(crate) version: i64,
}

/// Why a draft is sent back.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ReturnOrder {
    version: i64,
    #[schema(min_length = 3, max_length = 256)]
    reason: String,
}

/// Which change is undone.
#[derive(Deserialize, ToSchema)]
pub(crate) struct UndoOrder {
    /// `change` of the history's event.
    change: i64,
}

impl DraftRow {
    pub(crate) fn find(conn: &mut DbConnection, id: i64) -> Result<Self, Error> {
        let open = drafts::table.find(id).filter(drafts::state.eq_any(OPEN));
        open.select(Self::as_select()).first(conn).optional()?.ok_or(Error::NotFound)
    }

    /// The open draft of a record.
    pub(crate) fn of_record(
        conn: &mut DbConnection,
        catalogue: &str,
        service: &str,
        kind: &str,
        slug: &str,
    ) -> Result<Option<Self>, Error> {
        let row = drafts::table
            .filter(drafts::catalogue.eq(catalogue))
            .filter(drafts::service.eq(service))
            .filter(drafts::kind.eq(kind))
            .filter(drafts::slug.eq(slug))
            .filter(drafts::state.eq_any(OPEN));
        Ok(row.select(Self::as_select()).first(conn).optional()?)
    }

    /// The draft in the version that the person saw.
    pub(crate) fn seen(conn: &mut DbConnection, id: i64, version: i64) -> Result<Self, Error> {
        let row = Self::find(conn, id)?;
        if row.version == version { Ok(row) } else { Err(Error::NotPossible(CHANGED)) }
    }

    /// How the audit log names it.
    pub(crate) fn subject(&self) -> String {
        subject(&self.service, &self.kind, &self.slug)
    }

    pub(crate) fn view(self, member: &Member) -> Result<Draft, Error> {
        Ok(Draft {
            record: self.fields(&self.record)?.into(),
            base: self.base.as_deref().map(|base| self.fields(base)).transpose()?.map(Value::from),
            id: self.id,
            catalogue: self.catalogue,
            service: self.service,
            kind: self.kind,
            slug: self.slug,
            state: word(&self.state)?,
            version: self.version,
            by: self.staff,
            at: self.at.and_utc(),
            mine: self.staff_id == member.id,
            reason: self.reason,
            returned_by: self.returned_by,
            release: self.release,
        })
    }

    /// The fields of one of its records.
    pub(super) fn fields(&self, record: &str) -> Result<Map<String, Value>, Error> {
        serde_json::from_str(record).map_err(|error| Error::Internal(format!("draft {}: {error}", self.id)))
    }
}

const CHANGED: StaffText = StaffText::new("draft-changed");
const TOO_OLD: StaffText = StaffText::new("change-too-old");

/// How the audit log names a record.
pub(crate) fn subject(service: &str, kind: &str, slug: &str) -> String {
    format!("{service}, {kind} {slug}")
}

/// The fields in which a record differs from the one before it.
pub(crate) fn changed_fields(base: Option<&Value>, record: &Value) -> Vec<String> {
    let fields = |record: Option<&Value>| record.and_then(Value::as_object).cloned().unwrap_or_default();
    let (before, after) = (fields(base), fields(Some(record)));
    let mut names: Vec<String> = before.keys().chain(after.keys()).cloned().collect();
    names.sort();
    names.dedup();
    names.retain(|name| before.get(name) != after.get(name));
    names
}

/// Sets the state of an open draft.
pub(crate) fn set_state(conn: &mut DbConnection, id: i64, state: &str) -> Result<(), Error> {
    diesel::update(drafts::table.find(id)).set(drafts::state.eq(state)).execute(conn)?;
    Ok(())
}

/// A draft to be written.
struct NewDraft {
    catalogue: &'static str,
    service: String,
    kind: String,
    slug: String,
    record: Value,
    base: Option<Value>,
    action: &'static str,
    details: Value,
}

/// Adds a draft, or replaces the given version of the one that is open. The transaction writes the audit log.
fn write(
    conn: &mut DbConnection,
    member: &Member,
    draft: NewDraft,
    version: Option<i64>,
    now: NaiveDateTime,
) -> Result<DraftRow, Error> {
    let NewDraft { catalogue, service, kind, slug, record, base, action, details } = draft;
    let subject = subject(&service, &kind, &slug);
    let open = DraftRow::of_record(conn, catalogue, &service, &kind, &slug)?;
    if open.as_ref().map(|row| row.version) != version {
        return Err(Error::NotPossible(match version {
            Some(_) => CHANGED,
            None => StaffText::new("draft-exists"),
        }));
    }
    if open.as_ref().is_some_and(|row| row.state == PUBLISHING) {
        return Err(Error::NotPossible(StaffText::new("draft-being-published")));
    }
    let written = (
        drafts::record.eq(record.to_string()),
        drafts::base.eq(base.as_ref().map(Value::to_string)),
        drafts::state.eq(DRAFT),
        drafts::version.eq(version.unwrap_or_default().saturating_add(1)),
        drafts::staff_id.eq(member.id),
        drafts::staff.eq(member.email.clone()),
        drafts::at.eq(now),
    );
    let id = match open {
        Some(row) => {
            diesel::update(drafts::table.find(row.id)).set(written).execute(conn)?;
            row.id
        }
        None => {
            let named = (
                drafts::catalogue.eq(catalogue),
                drafts::service.eq(service),
                drafts::kind.eq(kind),
                drafts::slug.eq(slug),
                drafts::reason.eq(""),
            );
            on_each_backend!(conn, conn => diesel::insert_into(drafts::table)
                .values((named, written))
                .returning(drafts::id)
                .get_result(conn))?
        }
    };
    audit::append_of(conn, member, action, &subject, &details, now)?;
    DraftRow::find(conn, id)
}

/// Saves a form as a draft, once its fields follow the rules of the service.
#[utoipa::path(
    post,
    path = "",
    params(
        ("catalogue" = String, Path, description = "The catalogue service."),
        ("kind" = String, Path, description = "The kind of record."),
    ),
    request_body = SaveOrder,
    responses((status = 200, description = "The draft.", body = Draft), NotFound, Conflict, Refused)
)]
pub(crate) async fn save(
    staff: ContentStaff,
    app: Data<App>,
    path: Path<(String, String)>,
    order: Json<SaveOrder>,
) -> Result<Json<Draft>, Error> {
    let ((catalogue, kind), ContentStaff(member)) = (path.into_inner(), staff);
    let (order, now) = (order.into_inner(), app.clock.now());
    let catalogue = app.catalogues.named(&catalogue)?;
    let checked = catalogue.check(&member, &order.service, &kind, order.record).await?;
    if order.new && checked.live.is_some() {
        return Err(Error::Field("slug", StaffText::new("slug-used")));
    }
    if !order.new && order.version.is_none() && checked.live.is_none() {
        return Err(Error::Field("slug", StaffText::new("slug-unknown")));
    }
    let (name, version, actor) = (catalogue.name(), order.version, member.clone());
    let row = app.audited(move |conn| {
        // The base stays that of the first save: what was changed since is noticed when the draft is published.
        let open = DraftRow::of_record(conn, name, &checked.service, &kind, &checked.slug)?;
        let base = match open.and_then(|row| row.base) {
            Some(base) => serde_json::from_str(&base).ok(),
            None if order.new || version.is_some() => None,
            None => checked.live.map(|live| Value::from(live.record)),
        };
        let record = Value::from(checked.record);
        let details = json!({ "fields": changed_fields(base.as_ref(), &record) });
        let (service, slug) = (checked.service, checked.slug);
        let draft = NewDraft { catalogue: name, service, kind, slug, record, base, action: "draft.saved", details };
        write(conn, &actor, draft, version, now)
    });
    row.await?.view(&member).map(Json)
}

/// Makes a draft of the record as it was before a change.
#[utoipa::path(
    post,
    path = "",
    params(
        ("catalogue" = String, Path, description = "The catalogue service."),
        ("kind" = String, Path, description = "The kind of record."),
        ("slug" = String, Path, description = "The record's key."),
        ServiceQuery
    ),
    request_body = UndoOrder,
    responses((status = 200, description = "The draft.", body = Draft), NotFound, Conflict, Refused)
)]
pub(crate) async fn undo(
    staff: ContentStaff,
    app: Data<App>,
    path: Path<(String, String, String)>,
    query: Query<ServiceQuery>,
    order: Json<UndoOrder>,
) -> Result<Json<Draft>, Error> {
    let ((catalogue, kind, slug), ContentStaff(member)) = (path.into_inner(), staff);
    let (service, change, now) = (query.into_inner().service, order.change, app.clock.now());
    let catalogue: &Catalogue = app.catalogues.named(&catalogue)?;
    let history = catalogue.history(&member, &service, &kind, &slug).await?;
    let undone = history.events.into_iter().find(|event| event.change == Some(change));
    // A change that was listed when the screen was opened may have become too old meanwhile.
    let undone = undone.ok_or(if history.is_complete { Error::NotFound } else { Error::NotPossible(TOO_OLD) })?;
    let before = undone.before.ok_or(Error::NotPossible(StaffText::new("record-was-not-there")))?;
    let (name, actor) = (catalogue.name(), member.clone());
    let row = app.audited(move |conn| {
        let (record, base) = (Value::from(before), Some(Value::from(history.live.record)));
        let details = json!({ "change": change, "fields": changed_fields(base.as_ref(), &record) });
        let draft = NewDraft { catalogue: name, service, kind, slug, record, base, action: "draft.undone", details };
        write(conn, &actor, draft, None, now)
    });
    row.await?.view(&member).map(Json)
}

/// Drafts that are open.
#[utoipa::path(get, path = "", responses((status = 200, description = "Of everybody.", body = Drafts)))]
pub(crate) async fn list_drafts(staff: ContentStaff, app: Data<App>) -> Result<Json<Drafts>, Error> {
    let ContentStaff(member) = staff;
    let rows: Vec<DraftRow> = app
        .db
        .run(|conn| {
            let open = drafts::table.filter(drafts::state.eq_any(OPEN)).order((drafts::at.desc(), drafts::id.desc()));
            Ok::<_, Error>(open.limit(MAX_DRAFTS).select(DraftRow::as_select()).load(conn)?)
        })
        .await?;
    let drafts = rows.into_iter().map(|row| row.view(&member)).collect::<Result<_, _>>()?;
    Ok(Json(Drafts { drafts }))
}

/// Gives a draft to the publishers.
#[utoipa::path(
    post,
    path = "",
    params(("id" = Id, Path, description = "The draft's id.")),
    request_body = VersionOrder,
    responses((status = 204, description = "It waits for a publisher."), NotFound, Conflict, Refused)
)]
pub(crate) async fn submit(
    staff: ContentStaff,
    app: Data<App>,
    id: Path<Id>,
    order: Json<VersionOrder>,
) -> Result<HttpResponse, Error> {
    let (ContentStaff(member), id, version, now) = (staff, id.get(), order.version, app.clock.now());
    app.audited(move |conn| {
        let row = DraftRow::seen(conn, id, version)?;
        if row.state != DRAFT {
            return Err(Error::NotPossible(StaffText::new("draft-waits")));
        }
        diesel::update(drafts::table.find(id))
            .set((drafts::state.eq(REVIEW), drafts::reason.eq(""), drafts::returned_by.eq(None::<String>)))
            .execute(conn)?;
        audit::append_of(conn, &member, "draft.submitted", &row.subject(), &json!({ "version": version }), now)
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Gives a draft back to its author.
#[utoipa::path(
    post,
    path = "",
    params(("id" = Id, Path, description = "The draft's id.")),
    request_body = ReturnOrder,
    responses((status = 204, description = "Its author has it again."), NotFound, Conflict, Refused)
)]
pub(crate) async fn send_back(
    publisher: Publisher,
    app: Data<App>,
    id: Path<Id>,
    order: Json<ReturnOrder>,
) -> Result<HttpResponse, Error> {
    let (Publisher(member), id, version, now) = (publisher, id.get(), order.version, app.clock.now());
    let reason = checked_reason(&order.reason)?;
    app.audited(move |conn| {
        let row = DraftRow::seen(conn, id, version)?;
        if row.state != REVIEW {
            return Err(Error::NotPossible(StaffText::new("draft-does-not-wait")));
        }
        diesel::update(drafts::table.find(id))
            .set((drafts::state.eq(DRAFT), drafts::reason.eq(&reason), drafts::returned_by.eq(&member.email)))
            .execute(conn)?;
        audit::append_of(conn, &member, "draft.returned", &row.subject(), &json!({ "reason": reason }), now)
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Discards a draft.
#[utoipa::path(
    delete,
    path = "",
    params(("id" = Id, Path, description = "The draft's id.")),
    responses((status = 204, description = "It will not be published."), NotFound, Conflict)
)]
pub(crate) async fn discard(staff: ContentStaff, app: Data<App>, id: Path<Id>) -> Result<HttpResponse, Error> {
    let (ContentStaff(member), id, now) = (staff, id.get(), app.clock.now());
    app.audited(move |conn| {
        let row = DraftRow::find(conn, id)?;
        if row.state == PUBLISHING {
            return Err(Error::NotPossible(StaffText::new("draft-being-published")));
        }
        set_state(conn, id, DISCARDED)?;
        let details = json!({ "saved_by": row.staff, "record": row.record });
        audit::append_of(conn, &member, "draft.discarded", &row.subject(), &details, now)
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_fields_names_what_is_added_changed_and_gone() {
        let (before, after) = (json!({ "a": 1, "b": 2, "c": 3 }), json!({ "a": 1, "b": 4, "d": 5 }));
        assert_eq!(changed_fields(Some(&before), &after), ["b", "c", "d"]);
        assert_eq!(changed_fields(None, &before), ["a", "b", "c"]);
    }
}
