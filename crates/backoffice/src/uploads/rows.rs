//! The table of uploads.

use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use store::DbConnection;

use crate::{app::App, error::Error, schema::uploads};

/// Parts of it are missing.
pub(super) const UPLOADING: &str = "uploading";
/// It has arrived, and waits to be transcoded.
pub(super) const WAITING: &str = "waiting";
pub(super) const TRANSCODING: &str = "transcoding";
/// The result, or the picture, is checked and published.
pub(super) const CHECKING: &str = "checking";
/// The film is in the media folder, or the picture where pictures are served from.
pub(super) const READY: &str = "ready";
/// It cannot be used; `reason` says why.
pub(super) const FAILED: &str = "failed";

/// The kinds of uploads.
pub(super) const FILM: &str = "film";
pub(super) const PICTURE: &str = "picture";

/// The states in which the uploaded file is kept.
pub(super) const WITH_FILE: [&str; 4] = [UPLOADING, WAITING, TRANSCODING, CHECKING];

/// For how long an unfinished upload is kept after its last part.
pub(super) const UNFINISHED: TimeDelta = TimeDelta::days(7);
/// For how long an upload is listed after its end.
const LISTED: TimeDelta = TimeDelta::days(30);

#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = uploads)]
pub(super) struct Row {
    pub(super) id: i64,
    pub(super) staff_id: i64,
    pub(super) staff: String,
    pub(super) service: String,
    pub(super) name: String,
    pub(super) folder: String,
    pub(super) size: i64,
    pub(super) modified: String,
    pub(super) state: String,
    pub(super) percent: i64,
    pub(super) reason: String,
    pub(super) log: String,
    pub(super) result: Option<String>,
    pub(super) at: NaiveDateTime,
    pub(super) expires_at: NaiveDateTime,
    pub(super) kind: String,
}

impl Row {
    pub(super) fn find(conn: &mut DbConnection, id: i64) -> Result<Option<Self>, Error> {
        Ok(uploads::table.find(id).select(Self::as_select()).first(conn).optional()?)
    }

    /// How the audit log names it.
    pub(super) fn subject(&self) -> String {
        format!("{}, {}", self.service, self.name)
    }

    /// Its size, which is never negative.
    pub(super) fn bytes(&self) -> u64 {
        self.size.unsigned_abs()
    }

    /// Adds a line to the log.
    pub(super) fn note(&mut self, now: NaiveDateTime, line: &str) {
        self.log.push_str(&format!("{}Z {line}\n", now.format("%Y-%m-%d %H:%M:%S")));
    }

    pub(super) fn is_picture(&self) -> bool {
        self.kind == PICTURE
    }

    /// Writes what the worker changes. False where the upload was deleted meanwhile.
    pub(super) async fn save(&mut self, app: &App, state: &'static str) -> Result<bool, Error> {
        state.clone_into(&mut self.state);
        if matches!(state, READY | FAILED) {
            self.expires_at = app.clock.now() + LISTED;
        }
        let row = self.clone();
        app.db
            .write(move |conn| {
                let written = diesel::update(uploads::table.find(row.id))
                    .set((
                        uploads::state.eq(row.state),
                        uploads::percent.eq(row.percent),
                        uploads::reason.eq(row.reason),
                        uploads::log.eq(row.log),
                        uploads::result.eq(row.result),
                        uploads::expires_at.eq(row.expires_at),
                    ))
                    .execute(conn)?;
                Ok::<_, Error>(written > 0)
            })
            .await
    }
}
