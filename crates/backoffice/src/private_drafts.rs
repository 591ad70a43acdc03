//! Private drafts: what a member of staff typed into a form and has not sent. The owner alone reads the text, in any session; others who open the
//! same form see who edits it, and can take over.

use actix_web::{
    HttpResponse,
    web::{Data, Json, Query},
};
use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use service::{
    StaffText,
    openapi::{Conflict, NotFound, Refused},
};
use store::{DbConnection, on_each_backend};
use utoipa::ToSchema;

use crate::{
    app::App,
    error::Error,
    members::Member,
    schema::{private_drafts, staff},
    support::Record,
};

const MAX_FORM_CHARS: usize = 300;
/// Fits into the largest body.
const MAX_TEXT_BYTES: usize = 48 * 1024;
const MAX_DRAFTS: i64 = 200;
/// For how long after the last change others see who edits.
const EDITING: TimeDelta = TimeDelta::minutes(15);

/// Which form.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct FormQuery {
    /// The form's name.
    form: String,
    /// `ref` of the record, for a form about a number.
    record: Option<String>,
}

/// Which text of a form.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct DropQuery {
    /// The form's name.
    form: String,
    /// `ref` of the record, for a form about a number.
    record: Option<String>,
    /// The version that is dropped: a later one stays.
    version: i64,
}

/// A text to be kept.
#[derive(Deserialize, ToSchema)]
pub(crate) struct KeepOrder {
    #[schema(max_length = 300)]
    form: String,
    /// `ref` of the record, for a form about a number.
    #[serde(default)]
    record: Option<String>,
    /// The typed text, as the form writes it; at most 48 KiB.
    text: String,
    /// The version that it replaces; 0 where there was none.
    version: i64,
    /// Whether the caller edits instead of another person.
    #[serde(default)]
    take_over: bool,
}

/// Another person who edits.
#[derive(Serialize, ToSchema)]
pub(crate) struct Editor {
    name: String,
    /// When they typed last.
    #[schema(value_type = String, format = "date-time")]
    at: DateTime<Utc>,
}

/// The caller's text of a form.
#[derive(Serialize, ToSchema)]
pub(crate) struct PrivateDraft {
    /// Empty without one.
    text: String,
    /// 0 without one.
    version: i64,
    #[schema(value_type = Option<String>, format = "date-time", required = true)]
    at: Option<DateTime<Utc>>,
    /// Set while another person edits, and the caller has not taken over.
    #[schema(required = true)]
    editor: Option<Editor>,
}

/// A text that was kept.
#[derive(Serialize, ToSchema)]
pub(crate) struct KeptDraft {
    version: i64,
    /// As for the text that is read.
    #[schema(required = true)]
    editor: Option<Editor>,
}

/// A form as the rows name it.
struct Form {
    name: String,
    number_id: Option<i64>,
}

impl Form {
    async fn find(app: &App, member: &Member, name: String, record: Option<&str>) -> Result<Self, Error> {
        if name.is_empty() || name.chars().count() > MAX_FORM_CHARS || name.contains(char::is_control) {
            return Err(Error::Field("form", StaffText::new("form-name")));
        }
        let number_id = match record {
            Some(token) => Some(Record::open(app, member, token).await?.number_id),
            None => None,
        };
        Ok(Self { name: number_id.map_or_else(|| name.clone(), |id| format!("{name}, number {id}")), number_id })
    }
}

#[derive(Queryable, Selectable)]
#[diesel(table_name = private_drafts)]
struct Row {
    text: String,
    version: i64,
    holds: bool,
    at: NaiveDateTime,
}

fn own(conn: &mut DbConnection, staff_id: i64, form: &str) -> Result<Option<Row>, Error> {
    let row = private_drafts::table.find((staff_id, form));
    Ok(row.select(Row::as_select()).first(conn).optional()?)
}

/// The other person who edits a form.
fn editor(conn: &mut DbConnection, staff_id: i64, form: &str, now: NaiveDateTime) -> Result<Option<Editor>, Error> {
    let row: Option<(String, NaiveDateTime)> = private_drafts::table
        .inner_join(staff::table.on(staff::id.eq(private_drafts::staff_id)))
        .filter(private_drafts::form.eq(form).and(private_drafts::staff_id.ne(staff_id)))
        .filter(private_drafts::holds.eq(true).and(private_drafts::at.gt(now - EDITING)))
        .order(private_drafts::at.desc())
        .select((staff::name, private_drafts::at))
        .first(conn)
        .optional()?;
    Ok(row.map(|(name, at)| Editor { name, at: at.and_utc() }))
}

/// The caller's text of a form that is not sent, and who else edits.
#[utoipa::path(
    get,
    path = "",
    params(FormQuery),
    responses((status = 200, description = "The text.", body = PrivateDraft), NotFound, Refused)
)]
pub(crate) async fn get_private_draft(
    member: Member,
    app: Data<App>,
    query: Query<FormQuery>,
) -> Result<Json<PrivateDraft>, Error> {
    let (FormQuery { form, record }, now) = (query.into_inner(), app.clock.now());
    let form = Form::find(&app, &member, form, record.as_deref()).await?;
    let draft = app.db.run(move |conn| {
        let row = own(conn, member.id, &form.name)?;
        let editor = match &row {
            Some(row) if row.holds => None,
            _ => editor(conn, member.id, &form.name, now)?,
        };
        Ok::<_, Error>(match row {
            Some(Row { text, version, at, .. }) => PrivateDraft { text, version, at: Some(at.and_utc()), editor },
            None => PrivateDraft { text: String::new(), version: 0, at: None, editor },
        })
    });
    draft.await.map(Json)
}

/// Keeps what is typed into a form. Where another window of the caller has kept a later text, nothing is replaced.
#[utoipa::path(
    put,
    path = "",
    request_body = KeepOrder,
    responses((status = 200, description = "It is kept.", body = KeptDraft), NotFound, Conflict, Refused)
)]
pub(crate) async fn keep_private_draft(
    member: Member,
    app: Data<App>,
    order: Json<KeepOrder>,
) -> Result<Json<KeptDraft>, Error> {
    let (KeepOrder { form, record, text, version: replaced, take_over }, now) = (order.into_inner(), app.clock.now());
    if text.len() > MAX_TEXT_BYTES || text.contains('\0') {
        return Err(Error::Field("text", StaffText::new("private-draft-text")));
    }
    let form = Form::find(&app, &member, form, record.as_deref()).await?;
    let kept = app.db.write(move |conn| {
        let row = own(conn, member.id, &form.name)?;
        if row.as_ref().map_or(0, |row| row.version) != replaced {
            return Err(Error::NotPossible(StaffText::new("private-draft-elsewhere")));
        }
        let was_holding = row.as_ref().is_some_and(|row| row.holds);
        let other = editor(conn, member.id, &form.name, now)?;
        let holds = was_holding || take_over || other.is_none();
        if holds && !was_holding {
            let others = private_drafts::table
                .filter(private_drafts::form.eq(&form.name).and(private_drafts::staff_id.ne(member.id)));
            diesel::update(others).set(private_drafts::holds.eq(false)).execute(conn)?;
        }
        // Grows over deletions, too: no version names two texts.
        let version = now.and_utc().timestamp_micros().max(replaced.saturating_add(1));
        let written = (
            private_drafts::text.eq(text),
            private_drafts::version.eq(version),
            private_drafts::holds.eq(holds),
            private_drafts::at.eq(now),
        );
        let rows = if row.is_some() {
            let same = private_drafts::table.find((member.id, &form.name)).filter(private_drafts::version.eq(replaced));
            diesel::update(same).set(written).execute(conn)?
        } else {
            let count = private_drafts::table.filter(private_drafts::staff_id.eq(member.id)).count();
            if count.get_result::<i64>(conn)? >= MAX_DRAFTS {
                return Err(Error::Field("form", StaffText::new("private-drafts-many")));
            }
            let named = (
                private_drafts::staff_id.eq(member.id),
                private_drafts::form.eq(&form.name),
                private_drafts::number_id.eq(form.number_id),
            );
            on_each_backend!(conn, conn => diesel::insert_into(private_drafts::table)
                .values((named, written))
                .on_conflict_do_nothing()
                .execute(conn))?
        };
        match rows {
            0 => Err(Error::NotPossible(StaffText::new("private-draft-elsewhere"))),
            _ => Ok(KeptDraft { version, editor: other.filter(|_| !holds) }),
        }
    });
    kept.await.map(Json)
}

/// Drops the caller's text of a form: it was sent, or the person throws it away.
#[utoipa::path(
    delete,
    path = "",
    params(DropQuery),
    responses((status = 204, description = "This version is not kept any more."), NotFound, Refused)
)]
pub(crate) async fn drop_private_draft(
    member: Member,
    app: Data<App>,
    query: Query<DropQuery>,
) -> Result<HttpResponse, Error> {
    let DropQuery { form, record, version } = query.into_inner();
    let form = Form::find(&app, &member, form, record.as_deref()).await?;
    app.db
        .run(move |conn| {
            let row = private_drafts::table.find((member.id, form.name)).filter(private_drafts::version.eq(version));
            diesel::delete(row).execute(conn).map_err(Error::from)
        })
        .await?;
    Ok(HttpResponse::NoContent().finish())
}
