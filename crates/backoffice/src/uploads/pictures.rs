//! Pictures that editors upload: they are checked and published as they are, each under an address of its own.

use actix_web::{
    HttpResponse,
    web::{Data, Query},
};
use content::{pictures, publish::Target};
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{StaffText, openapi::NotFound};
use utoipa::ToSchema;

use super::{
    Films,
    rows::{CHECKING, Row},
    worker::{Outcome, blocking},
};
use crate::{app::App, error::Error, guard::ContentStaff};

/// A picture that is published.
#[derive(Clone, Deserialize, Serialize, ToSchema)]
pub(crate) struct Picture {
    /// Its address, for the field of a record.
    image: String,
    /// Pixels.
    width: u32,
    /// Pixels.
    height: u32,
    bytes: u64,
}

/// Which picture.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct PictureQuery {
    /// Its address, below that of uploaded pictures.
    address: String,
}

/// Checks a picture that has arrived, and puts it where pictures are served from.
pub(super) async fn publish(app: &App, films: &Films, row: &mut Row) -> Result<Outcome, Error> {
    if !row.save(app, CHECKING).await? {
        return Ok(Outcome::Stopped);
    }
    let bytes = tokio::fs::read(app.uploads.source(&row.folder)).await;
    let bytes = bytes.map_err(|error| Error::Internal(format!("UPLOADS_DIR: {error}")))?;
    let picture = match blocking(move || pictures::clean(bytes)).await {
        Ok(picture) => picture,
        Err(cause) => return Ok(Outcome::Failed(StaffText::new("file-fault").with("fault", cause))),
    };
    // Caches keep a picture for ever: no other gets its address.
    let name = format!("{}/picture.{}", row.folder, picture.ending);
    let published = Picture {
        image: format!("{}/{name}", films.image_address),
        width: picture.width,
        height: picture.height,
        bytes: picture.bytes.len() as u64,
    };
    let put = async {
        let target = Target::open(&films.image_target)?;
        target.put_new(&name, picture.bytes).await.map_err(|error| error.to_string())
    };
    Ok(match put.await {
        Ok(()) => Outcome::Ready(json!(published)),
        Err(cause) => Outcome::Later(StaffText::new("picture-not-published").with("cause", cause)),
    })
}

/// A picture that was uploaded, or a film's poster: of another site's address, a browser could not crop it.
#[utoipa::path(
    get,
    path = "",
    params(PictureQuery),
    responses((status = 200, description = "The picture.", body = String, content_type = "image/*"), NotFound)
)]
pub(crate) async fn get_picture(
    _: ContentStaff,
    app: Data<App>,
    query: Query<PictureQuery>,
) -> Result<HttpResponse, Error> {
    let films = app.uploads.films.as_ref().ok_or(Error::NotFound)?;
    let below = query.address.strip_prefix(films.image_address.as_str()).and_then(|rest| rest.strip_prefix('/'));
    let name = below.ok_or(Error::NotFound)?;
    let kind = match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "jpg" => "image/jpeg",
        "png" => "image/png",
        "webp" => "image/webp",
        _ => return Err(Error::NotFound),
    };
    let target = Target::open(&films.image_target).map_err(Error::Internal)?;
    let found = target.find(name).await.map_err(|error| {
        tracing::error!("the picture {name} could not be read: {error}");
        Error::NotFound
    })?;
    Ok(HttpResponse::Ok().content_type(kind).body(found.ok_or(Error::NotFound)?))
}
