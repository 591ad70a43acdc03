//! Notes and complaints on a number. They are never changed.

use actix_web::{
    HttpResponse,
    web::{Data, Json, Path},
};
use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    StaffText,
    openapi::{NotFound, Refused},
};
use store::DbConnection;
use utoipa::ToSchema;

use super::Record;
use crate::{app::App, audit, error::Error, guard::Support, schema::notes, word::word};

const MAX_CHARS: usize = 2000;

/// What a note is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum NoteKind {
    /// Anything worth knowing.
    Note,
    /// The subscriber complains.
    Complaint,
}

impl NoteKind {
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Complaint => "complaint",
        }
    }
}

/// A note.
#[derive(Serialize, ToSchema)]
pub(crate) struct Note {
    #[schema(value_type = String, format = "date-time")]
    pub(crate) at: DateTime<Utc>,
    /// The author's email address.
    pub(crate) by: String,
    pub(crate) kind: NoteKind,
    pub(crate) text: String,
}

/// A new note.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NewNote {
    kind: NoteKind,
    #[schema(min_length = 1, max_length = 2000)]
    text: String,
}

/// A number's notes, newest first.
pub(crate) fn of_number(conn: &mut DbConnection, number_id: i64) -> Result<Vec<Note>, Error> {
    #[derive(Queryable, Selectable)]
    #[diesel(table_name = notes)]
    struct Row {
        at: NaiveDateTime,
        staff: String,
        kind: String,
        text: String,
    }
    let rows = notes::table
        .filter(notes::number_id.eq(number_id))
        .order(notes::id.desc())
        .select(Row::as_select())
        .load(conn)?;
    let note = |row: Row| Ok(Note { at: row.at.and_utc(), by: row.staff, kind: word(&row.kind)?, text: row.text });
    rows.into_iter().map(note).collect()
}

/// Adds a note or a complaint.
#[utoipa::path(
    post,
    path = "",
    params(("record" = String, Path, description = "`ref` of the record.")),
    request_body = NewNote,
    responses((status = 204, description = "It is added."), NotFound, Refused)
)]
pub(crate) async fn add_note(
    support: Support,
    app: Data<App>,
    record: Path<String>,
    note: Json<NewNote>,
) -> Result<HttpResponse, Error> {
    let Support(member) = support;
    let record = Record::open(&app, &member, &record).await?;
    let NewNote { kind, text } = note.into_inner();
    let (text, now) = (text.trim().to_owned(), app.clock.now());
    if text.is_empty() || text.chars().count() > MAX_CHARS {
        return Err(Error::Field("text", StaffText::new("note-length")));
    }
    app.audited(move |conn| {
        diesel::insert_into(notes::table)
            .values((
                notes::number_id.eq(record.number_id),
                notes::staff_id.eq(member.id),
                notes::staff.eq(&member.email),
                notes::kind.eq(kind.as_str()),
                notes::text.eq(&text),
                notes::at.eq(now),
            ))
            .execute(conn)?;
        // Without its text, which may be erased some day; the log may not.
        audit::append_of(conn, &member, "note.added", &record.subject(), &json!({ "kind": kind }), now)
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}
