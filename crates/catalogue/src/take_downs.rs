//! Take-downs: hides or deletes a single record, or restores it, immediately and with a log entry.
//!
//! The record is then held: a later manifest changes its fields but not its state.

use actix_web::web::{Data, Json, Query};
use chrono::NaiveDateTime;
use diesel::{
    prelude::*,
    sql_types::{BigInt, Bool, Text},
};
use serde::{Deserialize, Serialize};
use service::{
    EditorCaller, Problem, StaffText,
    openapi::{Conflict, NotFound, Refused},
};
use store::{DbConnection, imports, on_each_backend};
use utoipa::ToSchema;

use self::schema::take_downs;
use crate::{App, Error, State, import::apply::lock_imports, manifest::Table};

pub(crate) mod schema {
    diesel::table! {
        take_downs (id) {
            id -> BigInt,
            at -> Timestamp,
            who -> Text,
            service -> Text,
            kind -> Text,
            record_id -> BigInt,
            slug -> Text,
            from_state -> Text,
            to_state -> Text,
            reason -> Text,
        }
    }
}

/// The longest name and reason, in characters.
const MAX_TEXT: usize = 500;

/// A record to be taken off the lists, or put back.
#[derive(Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TakeDownOrder {
    /// The service it belongs to, by any of its names.
    pub service: String,
    /// The kind of record, such as `video`.
    pub kind: String,
    /// Its id, or its slug; refused where that is two records.
    pub record: String,
    /// `unlisted`: off every list; `deleted`: nowhere; `listed`: back, and whatever a manifest says from now on.
    pub state: State,
    /// Who requests it; where a member of staff calls, that person.
    #[serde(default)]
    pub who: String,
    /// Why.
    pub reason: String,
}

/// A take-down, or its reversal.
#[derive(Clone, Debug, Queryable, Selectable, Insertable, Serialize, Deserialize, ToSchema)]
#[diesel(table_name = take_downs)]
pub struct TakeDown {
    /// When, UTC.
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    pub at: NaiveDateTime,
    /// Who requested it.
    pub who: String,
    /// The service.
    pub service: String,
    /// The kind of record.
    pub kind: String,
    /// The record's id.
    #[schema(value_type = service::Id)]
    pub record_id: i64,
    /// The record's slug.
    pub slug: String,
    /// Its state before.
    pub from_state: String,
    /// Its state since.
    pub to_state: String,
    /// Why.
    pub reason: String,
}

/// `?service=` of the list of take-downs.
#[derive(Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ServiceQuery {
    /// The service, by any of its names.
    service: String,
}

#[derive(QueryableByName)]
struct Record {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = Text)]
    slug: String,
    #[diesel(sql_type = Text)]
    state: String,
    #[diesel(sql_type = Bool)]
    held: bool,
}

impl Record {
    /// Whether an editor deleted it; a manifest's removal holds nothing.
    fn is_deleted_for_good(&self) -> bool {
        self.held && self.state == State::Deleted.as_str()
    }
}

/// Takes a record off the lists, or puts it back.
#[utoipa::path(
    post,
    path = "",
    request_body = TakeDownOrder,
    responses((status = 200, description = "What stands in the log.", body = TakeDown), NotFound, Conflict, Refused)
)]
pub async fn take_down(
    caller: EditorCaller,
    app: Data<App>,
    order: Json<TakeDownOrder>,
) -> Result<Json<TakeDown>, Error> {
    let mut order = order.into_inner();
    if !caller.is_machine() {
        caller.name().clone_into(&mut order.who);
    }
    for (field, text) in [("who", &order.who), ("reason", &order.reason), ("record", &order.record)] {
        // A NUL is the one character that PostgreSQL cannot store.
        if text.trim().is_empty() || text.chars().count() > MAX_TEXT || text.contains('\0') {
            let detail = StaffText::new("field-length").with("field", field).with("max", MAX_TEXT);
            return Err(Problem::unprocessable(detail).into());
        }
    }
    let service = app.service_named(&order.service)?;
    let table = app.table_of(&order.kind)?;
    let take_down = app.db.write(move |conn| apply(conn, table, &service, order)).await?;
    app.replies.invalidate().await;
    tracing::info!(
        content.service = take_down.service,
        content.kind = take_down.kind,
        content.record = take_down.record_id,
        content.state = take_down.to_state,
        "a record was taken off the lists or put back"
    );
    Ok(Json(take_down))
}

/// A service's take-downs and reversals.
#[utoipa::path(
    get,
    path = "",
    params(ServiceQuery),
    responses((status = 200, description = "The newest first, at most 200.", body = [TakeDown]), NotFound)
)]
pub async fn list_take_downs(
    _: EditorCaller,
    app: Data<App>,
    query: Query<ServiceQuery>,
) -> Result<Json<Vec<TakeDown>>, Error> {
    let service = app.service_named(&query.service)?;
    let list = app.db.run(move |conn| {
        let newest = take_downs::table.filter(take_downs::service.eq(service)).order(take_downs::id.desc());
        Ok::<_, Error>(newest.limit(service::MAX_PAGE).select(TakeDown::as_select()).load(conn)?)
    });
    Ok(Json(list.await?))
}

fn apply(conn: &mut DbConnection, table: Table, service: &str, order: TakeDownOrder) -> Result<TakeDown, Error> {
    lock_imports(conn)?;
    let record = find(conn, table, service, &order.record)?;
    if record.is_deleted_for_good() && order.state == State::Unlisted {
        let detail = StaffText::new("record-deleted").with("kind", table.kind).with("slug", record.slug);
        return Err(Problem::conflict(detail).into());
    }
    let state = order.state.as_str();
    let held = if order.state == State::Listed { "FALSE" } else { "TRUE" };
    diesel::sql_query(format!("UPDATE {} SET state = '{state}', held = {held} WHERE id = {}", table.rows, record.id))
        .execute(conn)?;
    let take_down = TakeDown {
        at: service::timestamp::now(),
        who: order.who,
        service: service.to_owned(),
        kind: table.kind.to_owned(),
        record_id: record.id,
        slug: record.slug,
        from_state: record.state,
        to_state: state.to_owned(),
        reason: order.reason,
    };
    let row = take_down.clone();
    on_each_backend!(conn, conn => diesel::insert_into(take_downs::table).values(row).execute(conn))?;
    // The catalogue's version changes, so that caches of it are refreshed.
    imports::record(conn, service, &format!("{} {} {state}", table.kind, record.id), take_down.at)?;
    Ok(take_down)
}

fn find(conn: &mut DbConnection, table: Table, service: &str, record: &str) -> Result<Record, Error> {
    let columns = format!("SELECT id, slug, state, held FROM {} WHERE service = $1 AND", table.rows);
    let by_id: Option<Record> = match record.parse::<i64>() {
        Ok(id) => {
            diesel::sql_query(format!("{columns} id = {id}")).bind::<Text, _>(service).get_result(conn).optional()?
        }
        Err(_) => None,
    };
    let by_slug: Option<Record> = diesel::sql_query(format!("{columns} slug = $2"))
        .bind::<Text, _>(service)
        .bind::<Text, _>(record)
        .get_result(conn)
        .optional()?;
    match (by_id, by_slug) {
        // A slug can consist of digits.
        (Some(one), Some(other)) if one.id != other.id => {
            let detail = StaffText::new("two-records")
                .with("record", record)
                .with("slug", one.slug)
                .with("id", other.id.to_string());
            Err(Problem::unprocessable(detail).into())
        }
        (Some(found), _) | (None, Some(found)) => Ok(found),
        (None, None) => {
            let detail = StaffText::new("no-such-record")
                .with("service", service)
                .with("kind", table.kind)
                .with("record", format!("{record:?}"));
            Err(Problem::not_found(detail).into())
        }
    }
}
