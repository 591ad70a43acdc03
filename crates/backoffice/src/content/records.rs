//! What the catalogue services have: kinds, lists, and a record with its history and its draft.

use actix_web::web::{Data, Json, Path, Query};
use catalogue::kinds::Kinds;
use catalogue::missing::TranslationCounts;
use catalogue::records::{Event, History, Record, RecordQuery, Records, ServiceQuery};
use futures_util::future::join_all;
use serde::Serialize;
use service::openapi::{NotFound, Refused};
use utoipa::ToSchema;

use super::drafts::{Draft, DraftRow};
use crate::{app::App, error::Error, guard::ContentStaff};

/// A catalogue service.
#[derive(Serialize, ToSchema)]
pub(crate) struct CatalogueView {
    /// "comedy", "diski", "meme" or "tt".
    catalogue: &'static str,
    /// Its services and the kinds of their records; null where it does not answer.
    #[schema(required = true)]
    content: Option<Kinds>,
}

/// All catalogue services.
#[derive(Serialize, ToSchema)]
pub(crate) struct CatalogueList {
    catalogues: Vec<CatalogueView>,
}

/// A record as it is, what happened to it, and what becomes of it.
#[derive(Serialize, ToSchema)]
pub(crate) struct RecordView {
    /// Null: it is not published yet.
    #[schema(required = true)]
    live: Option<Record>,
    /// Newest first.
    events: Vec<Event>,
    /// Whether the changes go back to the record's beginning. Else older ones were deleted, or are beyond the first 200.
    is_complete: bool,
    /// For how many months changes are kept.
    kept_months: u32,
    /// The draft that is open.
    #[schema(required = true)]
    draft: Option<Draft>,
}

/// The catalogue services with their kinds of records.
#[utoipa::path(get, path = "", responses((status = 200, description = "Also those that do not answer.", body = CatalogueList)))]
pub(crate) async fn list_kinds(staff: ContentStaff, app: Data<App>) -> Result<Json<CatalogueList>, Error> {
    let ContentStaff(member) = staff;
    let catalogues = join_all(app.catalogues.iter().map(async |catalogue| {
        let content = catalogue.kinds(&member).await;
        if let Err(error) = &content {
            tracing::warn!(catalogue.name = catalogue.name(), "no kinds of records: {error}");
        }
        CatalogueView { catalogue: catalogue.name(), content: content.ok() }
    }));
    Ok(Json(CatalogueList { catalogues: catalogues.await }))
}

/// A service's records of a kind, in every state.
#[utoipa::path(
    get,
    path = "",
    params(
        ("catalogue" = String, Path, description = "The catalogue service."),
        ("kind" = String, Path, description = "The kind of record."),
        RecordQuery
    ),
    responses((status = 200, description = "One page.", body = Records), NotFound, Refused)
)]
pub(crate) async fn list_records(
    staff: ContentStaff,
    app: Data<App>,
    path: Path<(String, String)>,
    query: Query<RecordQuery>,
) -> Result<Json<Records>, Error> {
    let ((catalogue, kind), ContentStaff(member)) = (path.into_inner(), staff);
    app.catalogues.named(&catalogue)?.records(&member, &kind, &query).await.map(Json)
}

/// How many records of a kind lack a translation into each language.
#[utoipa::path(
    get,
    path = "",
    params(
        ("catalogue" = String, Path, description = "The catalogue service."),
        ("kind" = String, Path, description = "The kind of record."),
        ServiceQuery
    ),
    responses((status = 200, description = "Without deleted records.", body = TranslationCounts), NotFound, Refused)
)]
pub(crate) async fn count_missing(
    staff: ContentStaff,
    app: Data<App>,
    path: Path<(String, String)>,
    query: Query<ServiceQuery>,
) -> Result<Json<TranslationCounts>, Error> {
    let ((catalogue, kind), ContentStaff(member)) = (path.into_inner(), staff);
    app.catalogues.named(&catalogue)?.missing(&member, &kind, &query).await.map(Json)
}

/// A record, its history and its draft.
#[utoipa::path(
    get,
    path = "",
    params(
        ("catalogue" = String, Path, description = "The catalogue service."),
        ("kind" = String, Path, description = "The kind of record."),
        ("slug" = String, Path, description = "The record's key."),
        ServiceQuery
    ),
    responses((status = 200, description = "As it is now.", body = RecordView), NotFound, Refused)
)]
pub(crate) async fn get_record(
    staff: ContentStaff,
    app: Data<App>,
    path: Path<(String, String, String)>,
    query: Query<ServiceQuery>,
) -> Result<Json<RecordView>, Error> {
    let ((catalogue, kind, slug), ContentStaff(member)) = (path.into_inner(), staff);
    let service = query.into_inner().service;
    let history = app.catalogues.named(&catalogue)?.history(&member, &service, &kind, &slug).await;
    let draft = app.db.run(move |conn| DraftRow::of_record(conn, &catalogue, &service, &kind, &slug)).await?;
    let draft = draft.map(|row| row.view(&member)).transpose()?;
    match history {
        Ok(History { live, events, is_complete, kept_months }) => {
            Ok(Json(RecordView { live: Some(live), events, is_complete, kept_months, draft }))
        }
        Err(Error::UnknownToService(_)) if draft.is_some() => {
            Ok(Json(RecordView { live: None, events: Vec::new(), is_complete: true, kept_months: 0, draft }))
        }
        Err(error) => Err(error),
    }
}
