//! Releases: drafts of one site that go live together. They become a file that waits (`imports`), with one difference, one preview and one
//! publishing, and are published once it is applied.

use actix_web::web::{Data, Json};
use catalogue::{
    import::{UploadQuery, Uploaded},
    kinds::Kinds,
};
use diesel::prelude::*;
use futures_util::{StreamExt as _, TryStreamExt as _, stream};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use service::{
    Id, StaffText,
    openapi::{Conflict, NotFound, Refused},
};
use store::DbConnection;
use utoipa::ToSchema;

use super::drafts::{DISCARDED, DRAFT, DraftRow, OPEN, PUBLISHED, PUBLISHING, REVIEW};
use crate::{
    app::App, audit, catalogues::Catalogue, error::Error, guard::ContentStaff, members::Member, schema::drafts,
};

/// The most drafts of a release.
const MAX_DRAFTS: usize = 100;

/// The longest name of a release, in characters.
const MAX_NAME: usize = 100;

/// Drafts that are compared with the site at the same time.
const CONCURRENCY: usize = 4;

/// Drafts that go live together.
#[derive(Deserialize, ToSchema)]
pub(crate) struct ReleaseOrder {
    /// What a person calls it.
    #[schema(min_length = 1, max_length = 100)]
    name: String,
    /// Drafts of one site: submitted ones, and the caller's own.
    #[schema(min_items = 1, max_items = 100)]
    drafts: Vec<SeenDraft>,
    /// When all of them are shown, with an offset or in Johannesburg; null: as each record says.
    #[schema(required = true)]
    publish_at: Option<String>,
}

/// A draft as the person saw it.
#[derive(Clone, Copy, Deserialize, ToSchema)]
pub(crate) struct SeenDraft {
    #[schema(value_type = Id)]
    id: i64,
    version: i64,
}

/// The drafts as they were seen, if they may go live together.
fn releasable(conn: &mut DbConnection, member: &Member, seen: &[SeenDraft]) -> Result<Vec<DraftRow>, Error> {
    let mut rows = Vec::<DraftRow>::new();
    for SeenDraft { id, version } in seen {
        let row = DraftRow::seen(conn, *id, *version)?;
        if row.state == PUBLISHING || row.state == DRAFT && row.staff_id != member.id {
            return Err(Error::NotPossible(StaffText::new("release-of-others").with("slug", row.slug)));
        }
        if rows.iter().any(|other| other.id == row.id) {
            return Err(Error::Field("drafts", StaffText::new("release-twice")));
        }
        if rows.first().is_some_and(|first| (&first.catalogue, &first.service) != (&row.catalogue, &row.service)) {
            return Err(Error::Field("drafts", StaffText::new("release-of-one-site")));
        }
        rows.push(row);
    }
    Ok(rows)
}

/// A draft as a line of a manifest. Its times are UTC, and say so.
fn line(row: &DraftRow, kinds: &Kinds, publish_at: Option<&str>) -> Result<String, Error> {
    let mut record = row.fields(&row.record)?;
    let fields = kinds.kinds.iter().filter(|kind| kind.kind == row.kind).flat_map(|kind| &kind.fields);
    for field in fields.filter(|field| field.form == "DateTime") {
        if let Some(Value::String(time)) = record.get_mut(&field.name) {
            *time = format!("{}Z", time.replace(' ', "T"));
        }
    }
    if let Some(time) = publish_at {
        record.insert("publish_at".to_owned(), time.into());
    }
    record.insert("service".to_owned(), row.service.as_str().into());
    record.insert("kind".to_owned(), row.kind.as_str().into());
    Ok(format!("{}\n", Value::from(record)))
}

/// An error where the site has another record now than the one that a draft changes.
async fn check_base(catalogue: &Catalogue, member: &Member, row: &DraftRow) -> Result<(), Error> {
    let base = row.base.as_deref().map(|base| row.fields(base)).transpose()?;
    let live = catalogue.check(member, &row.service, &row.kind, row.fields(&row.record)?).await?.live;
    // The state of a record that was taken down is not the draft's to change.
    let is_held = live.as_ref().is_some_and(|live| live.held);
    let compared = |fields: Option<Map<String, Value>>| {
        fields.map(|fields| fields.into_iter().filter(|(name, _)| !is_held || name != "state").collect::<Map<_, _>>())
    };
    if compared(live.map(|live| live.record)) == compared(base) {
        return Ok(());
    }
    Err(Error::NotPossible(StaffText::new("release-behind").with("slug", row.slug.as_str())))
}

/// Puts drafts together: they wait for a publisher as one file.
#[utoipa::path(
    post,
    path = "",
    request_body = ReleaseOrder,
    responses(
        (status = 200, description = "Where its difference is, or its problems.", body = Uploaded),
        NotFound,
        Conflict,
        Refused,
    )
)]
pub(crate) async fn make(
    staff: ContentStaff,
    app: Data<App>,
    order: Json<ReleaseOrder>,
) -> Result<Json<Uploaded>, Error> {
    let (ContentStaff(member), now) = (staff, app.clock.now());
    let ReleaseOrder { name, drafts: seen, publish_at } = order.into_inner();
    let name = name.trim().to_owned();
    if name.is_empty() || name.chars().count() > MAX_NAME || name.contains(char::is_control) {
        return Err(Error::Field("name", StaffText::new("release-name")));
    }
    if seen.is_empty() || seen.len() > MAX_DRAFTS {
        return Err(Error::Field("drafts", StaffText::new("release-size").with("max", MAX_DRAFTS)));
    }
    let (actor, chosen) = (member.clone(), seen.clone());
    let rows = app.db.run(move |conn| releasable(conn, &actor, &chosen)).await?;
    let Some(first) = rows.first() else { return Err(Error::NotFound) };
    let catalogue = app.catalogues.named(&first.catalogue)?;
    let checks = stream::iter(&rows).map(|row| check_base(catalogue, &member, row));
    checks.buffer_unordered(CONCURRENCY).try_collect::<()>().await?;
    let kinds = catalogue.kinds(&member).await?;
    let lines = rows.iter().map(|row| line(row, &kinds, publish_at.as_deref())).collect::<Result<String, _>>()?;
    let query = UploadQuery { service: first.service.clone(), file: format!("{name}.jsonl"), prune: false };
    let uploaded = catalogue.upload(&member, &query, lines.into()).await?;
    let Some(import) = uploaded.import else { return Ok(Json(uploaded)) };
    let before: Vec<i64> = rows.iter().filter_map(|row| row.release).filter(|before| *before != import).collect();
    let subject = format!("{}, {}", first.service, query.file);
    let details = json!({ "import": import, "sha256": uploaded.sha256, "drafts": seen.iter().map(|draft| draft.id).collect::<Vec<_>>() });
    let actor = member.clone();
    let put_together = app.audited(move |conn| {
        for row in releasable(conn, &actor, &seen)? {
            let release = (drafts::release.eq(import), drafts::release_version.eq(row.version));
            let submitted = (drafts::state.eq(REVIEW), drafts::reason.eq(""), drafts::returned_by.eq(None::<String>));
            diesel::update(drafts::table.find(row.id)).set((release, submitted)).execute(conn)?;
        }
        audit::append_of(conn, &actor, "release.made", &subject, &details, now)
    });
    if let Err(error) = put_together.await {
        drop_file(catalogue, &member, import).await;
        return Err(error);
    }
    // A draft is in one release: the one before it would publish what this one replaces.
    for import in before {
        drop_file(catalogue, &member, import).await;
    }
    Ok(Json(uploaded))
}

/// Forgets a file that is of no use any more; without this, the service forgets it after a day.
async fn drop_file(catalogue: &Catalogue, member: &Member, import: i64) {
    if let Err(error) = catalogue.drop_import(member, import).await {
        tracing::warn!(catalogue.name = catalogue.name(), import.id = import, "a release was not forgotten: {error}");
    }
}

/// An error where a draft of the release was saved again, sent back or discarded since it was put together.
pub(super) fn check(conn: &mut DbConnection, catalogue: &str, import: i64) -> Result<(), Error> {
    let of_release = drafts::table.filter(drafts::catalogue.eq(catalogue).and(drafts::release.eq(import)));
    let rows: Vec<DraftRow> = of_release.select(DraftRow::as_select()).load(conn)?;
    let is_withdrawn = |row: &DraftRow| row.state == DRAFT || row.state == DISCARDED;
    match rows.into_iter().find(|row| is_withdrawn(row) || Some(row.version) != row.release_version) {
        Some(row) => Err(Error::NotPossible(StaffText::new("release-changed").with("slug", row.slug))),
        None => Ok(()),
    }
}

/// The drafts of a release that was applied are published. One that was saved again meanwhile stays open: its text is another.
pub(super) fn publish(conn: &mut DbConnection, catalogue: &str, import: i64) -> Result<(), Error> {
    let of_release = drafts::catalogue.eq(catalogue).and(drafts::release.eq(import)).and(drafts::state.eq_any(OPEN));
    let as_put_together = drafts::version.nullable().eq(drafts::release_version);
    diesel::update(drafts::table.filter(of_release).filter(as_put_together))
        .set(drafts::state.eq(PUBLISHED))
        .execute(conn)?;
    Ok(())
}

/// The drafts of a release that was discarded wait by themselves again.
pub(super) fn dissolve(conn: &mut DbConnection, catalogue: &str, import: i64) -> Result<(), Error> {
    let of_release = drafts::catalogue.eq(catalogue).and(drafts::release.eq(import));
    let none = (drafts::release.eq(None::<i64>), drafts::release_version.eq(None::<i64>));
    diesel::update(drafts::table.filter(of_release)).set(none).execute(conn)?;
    Ok(())
}
