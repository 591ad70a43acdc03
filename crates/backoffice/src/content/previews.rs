//! Links to previews: a draft, a record or a file is shown on the brand's own pages to every browser that opens the link, for an hour.
//!
//! The catalogue service stages what is shown, and this service signs what its link names. A link shows a draft as it was when the link was made.

use actix_web::web::{Data, Json, Path, Query};
use catalogue::{previews::StagedPreview, records::ServiceQuery};
use chrono::{DateTime, Duration, Utc};
use serde::Serialize;
use serde_json::{Value, json};
use service::{
    Id, Preview,
    openapi::{Conflict, NotFound, Refused},
};
use url::form_urlencoded;
use utoipa::ToSchema;

use crate::{
    app::App,
    audit,
    catalogues::Catalogue,
    content::{
        drafts::{DraftRow, subject},
        imports,
    },
    error::Error,
    guard::ContentStaff,
    members::Member,
};

/// How long a link shows a preview.
const LIFETIME: Duration = Duration::hours(1);

/// A link to a preview.
#[derive(Serialize, ToSchema)]
pub(crate) struct PreviewLink {
    /// An address of the brand's site.
    url: String,
    #[schema(value_type = String, format = "date-time")]
    until: DateTime<Utc>,
}

/// Signs a link; the audit log has it before it can be opened.
async fn link(
    app: &App,
    member: Member,
    catalogue: &Catalogue,
    staged: StagedPreview,
    subject: String,
    details: Value,
) -> Result<Json<PreviewLink>, Error> {
    let now = app.clock.now();
    let until = (now + LIFETIME).and_utc();
    let StagedPreview { import, service, site, page } = staged;
    let preview =
        Preview { preview: import, catalogue: catalogue.name().to_owned(), service, page, until: until.timestamp() };
    let token = preview.sign(&app.signing_key);
    let token = token.ok_or_else(|| Error::Internal("a link could not be signed".to_owned()))?;
    app.audited(move |conn| audit::append_of(conn, &member, "content.previewed", &subject, &details, now)).await?;
    let query = form_urlencoded::Serializer::new(String::new()).append_pair("token", &token).finish();
    Ok(Json(PreviewLink { url: format!("{site}/preview?{query}"), until }))
}

/// Makes a link to the preview of a record: of its draft that is open, else of the record as it is.
#[utoipa::path(
    post,
    path = "",
    params(
        ("catalogue" = String, Path, description = "The catalogue service."),
        ("kind" = String, Path, description = "The kind of record."),
        ("slug" = String, Path, description = "The record's key."),
        ServiceQuery
    ),
    responses((status = 200, description = "Good for an hour.", body = PreviewLink), NotFound, Conflict, Refused)
)]
pub(crate) async fn preview_record(
    staff: ContentStaff,
    app: Data<App>,
    path: Path<(String, String, String)>,
    query: Query<ServiceQuery>,
) -> Result<Json<PreviewLink>, Error> {
    let ((catalogue, kind, slug), ContentStaff(member)) = (path.into_inner(), staff);
    let service = query.into_inner().service;
    let catalogue = app.catalogues.named(&catalogue)?;
    let (name, of_service, of_kind, of_slug) = (catalogue.name(), service.clone(), kind.clone(), slug.clone());
    let draft = app.db.run(move |conn| DraftRow::of_record(conn, name, &of_service, &of_kind, &of_slug)).await?;
    let (record, details) = match draft {
        Some(row) => {
            let record = serde_json::from_str(&row.record)
                .map_err(|error| Error::Internal(format!("draft {}: {error}", row.id)))?;
            (record, json!({ "draft": row.id, "version": row.version }))
        }
        None => (Value::from(catalogue.history(&member, &service, &kind, &slug).await?.live.record), json!({})),
    };
    let staged = catalogue.stage_preview(&member, &service, &kind, &record).await?;
    let subject = subject(&staged.service, &kind, &slug);
    link(&app, member, catalogue, staged, subject, details).await
}

/// Makes a link to the preview of a file that waits: the site as if the file were applied.
#[utoipa::path(
    post,
    path = "",
    params(
        ("catalogue" = String, Path, description = "The catalogue service."),
        ("id" = Id, Path, description = "The import's id."),
    ),
    responses((status = 200, description = "Good for an hour.", body = PreviewLink), NotFound, Conflict, Refused)
)]
pub(crate) async fn preview_import(
    staff: ContentStaff,
    app: Data<App>,
    path: Path<(String, Id)>,
) -> Result<Json<PreviewLink>, Error> {
    let ((catalogue, id), ContentStaff(member)) = (path.into_inner(), staff);
    let (id, catalogue) = (id.get(), app.catalogues.named(&catalogue)?);
    let import = catalogue.import(&member, id).await?.import;
    let staged = catalogue.stage_import_preview(&member, id).await?;
    let details = json!({ "import": id, "sha256": import.sha256 });
    link(&app, member, catalogue, staged, imports::subject(&import), details).await
}
