//! The table of uploads.

use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use service::StaffText;
use store::DbConnection;

use crate::{
    app::App,
    error::Error,
    schema::uploads,
    texts::{shown, stored},
};

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

/// Between the time of a line of the log and its text.
const TIME_ENDS: &str = "Z ";

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
    /// Stored by its id, as are the lines of the log.
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
    pub(super) fn note(&mut self, now: NaiveDateTime, line: &StaffText) {
        self.log.push_str(&format!("{}{TIME_ENDS}{}\n", now.format("%Y-%m-%d %H:%M:%S"), stored(line)));
    }

    /// The log in the language of the call.
    pub(super) fn shown_log(&self) -> String {
        let line = |line: &str| match line.split_once(TIME_ENDS) {
            Some((time, text)) => format!("{time}{TIME_ENDS}{}\n", shown(text)),
            None => format!("{line}\n"),
        };
        self.log.lines().map(line).collect()
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
