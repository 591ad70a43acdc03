//! What an import puts live that is played or seen: its films, captions and pictures, for the check of their files.

use actix_web::web::{Data, Json, Path, Query};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use service::{
    Id, Page,
    openapi::{NotFound, Refused},
};
use utoipa::ToSchema;

use super::{
    difference::{self, DifferenceQuery},
    staged,
};
use crate::{App, Error};

/// The fields of a record that name what is played or seen.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct RecordMedia {
    /// Path of the film below the media folder.
    pub media: Option<String>,
    /// Path of the captions below the media folder.
    pub captions: Option<String>,
    /// Address of the picture.
    pub image: Option<String>,
    /// Length of the film in seconds.
    pub duration_s: i64,
    /// Size of the film in bytes.
    pub bytes: i64,
    /// State of the record.
    pub state: String,
}

/// A record that names media which no visitor sees yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NewMedia {
    /// The record's key.
    pub slug: String,
    /// Its line in the file, or its place in the manifest.
    #[schema(value_type = service::schema::Count)]
    pub line: i64,
    /// The media that it names.
    pub media: RecordMedia,
}

/// A page of records with new media.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct NewMediaList {
    /// By slug.
    pub records: Vec<NewMedia>,
    /// `after` of the next page; null on the last.
    #[schema(required = true)]
    pub next: Option<String>,
}

impl RecordMedia {
    /// The media of a record with the names of a JSON manifest.
    pub fn of(record: &Map<String, Value>) -> Self {
        serde_json::from_value(Value::Object(record.clone())).unwrap_or_default()
    }

    /// Whether visitors see something of it that they did not see before.
    pub fn is_new(&self, before: Option<&Self>) -> bool {
        self.state != "deleted" && (self.media.is_some() || self.image.is_some()) && Some(self) != before
    }
}

/// The records of a kind that an import adds or changes, with the media they name where these are new.
#[utoipa::path(
    get,
    path = "",
    params(("id" = Id, Path, description = "The import's id."), DifferenceQuery),
    responses((status = 200, description = "One page.", body = NewMediaList), NotFound, Refused)
)]
pub async fn list_media(
    _: service::EditorCaller,
    app: Data<App>,
    id: Path<Id>,
    query: Query<DifferenceQuery>,
) -> Result<Json<NewMediaList>, Error> {
    let (id, query) = (id.get(), query.into_inner());
    let (table, page) = (app.table_of(&query.kind)?, Page::of_limit(query.limit)?);
    let list = app.db.run(move |conn| {
        let open = staged::find(conn, id)?;
        let after = query.after.unwrap_or_default();
        let (records, last) = difference::new_media(conn, &table, &open, query.action, &after, page.limit)?;
        Ok::<_, Error>(NewMediaList { records, next: last })
    });
    Ok(Json(list.await?))
}
