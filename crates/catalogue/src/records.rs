//! Records as editors see them: lists of a kind in every state, and a record with its history. `record_forms` changes them.

use actix_web::web::{Data, Json, Path, Query};
use chrono::NaiveDateTime;
use diesel::{
    prelude::*,
    sql_types::{BigInt, Bool, Text},
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use service::{
    EditorCaller, Page, Problem, StaffText,
    openapi::{NotFound, Refused},
    timestamp,
};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    App, Error, TakeDown,
    changes::{self, as_json, canonical},
    manifest::{DateTime, FieldType, Slug, Table},
    missing, search,
    take_downs::schema::take_downs,
};

/// The tables with an index of words; the others have few rows.
const WITH_WORDS: [&str; 3] = ["artists", "memes", "videos"];

/// How far the records of a list are counted.
const COUNTED: i64 = 10_001;

/// Whether visitors see a record now, and else why not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = RecordVisibility)]
pub enum Visibility {
    /// It is in lists.
    Listed,
    /// It is not published yet.
    Scheduled,
    /// It has expired.
    Expired,
    /// Only its own address works.
    Unlisted,
    /// No visitor sees it.
    Deleted,
}

impl Visibility {
    fn of(record: &Map<String, Value>, now: NaiveDateTime) -> Self {
        // The text of a time sorts as the time does.
        let now = Value::from(DateTime(now));
        let text = |name: &str| record.get(name).and_then(Value::as_str);
        match text("state") {
            Some("deleted") => Self::Deleted,
            _ if text("expires_at").is_some_and(|time| Some(time) <= now.as_str()) => Self::Expired,
            _ if text("publish_at").is_some_and(|time| Some(time) > now.as_str()) => Self::Scheduled,
            Some("unlisted") => Self::Unlisted,
            _ => Self::Listed,
        }
    }

    /// The condition for records `t`, at a time.
    fn condition(self, now: NaiveDateTime) -> String {
        let now = DateTime(now);
        let visible = format!("t.publish_at <= '{now}' AND t.expires_at > '{now}'");
        match self {
            Self::Listed => format!("t.state = 'listed' AND {visible}"),
            Self::Unlisted => format!("t.state = 'unlisted' AND {visible}"),
            Self::Scheduled => format!("t.state <> 'deleted' AND t.publish_at > '{now}'"),
            Self::Expired => format!("t.state <> 'deleted' AND t.expires_at <= '{now}'"),
            Self::Deleted => "t.state = 'deleted'".to_owned(),
        }
    }
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = RecordOrder)]
pub enum Sort {
    /// The record that was added last comes first.
    #[default]
    Newest,
    /// The record that was added first comes first.
    Oldest,
    /// By slug.
    Slug,
    /// By slug, backwards.
    Reverse,
    /// By the first hundred letters of the title, without case.
    Title,
    /// As visitors see them: by position, and behind those without one by id.
    Position,
}

impl Sort {
    /// The expression that records with this alias are sorted by, before their id.
    fn key(self, conn: &DbConnection, table: &Table, alias: &str) -> Result<String, Problem> {
        Ok(match self {
            Self::Newest | Self::Oldest => format!("{alias}.id"),
            Self::Slug | Self::Reverse => format!("{alias}.slug"),
            // An index has it in the same words; both engines then compare bytes.
            Self::Title => match conn {
                DbConnection::Sqlite(_) => format!("lower(substr({alias}.{}, 1, 100))", table.title()),
                DbConnection::Postgres(_) => {
                    format!("lower(substr({alias}.{}, 1, 100) COLLATE \"C\")", table.title())
                }
            },
            Self::Position if table.has_positions() => format!("{alias}.rank"),
            Self::Position => {
                return Err(Problem::unprocessable(StaffText::new("no-position").with("kind", table.kind)));
            }
        })
    }

    const fn is_backwards(self) -> bool {
        matches!(self, Self::Newest | Self::Reverse)
    }

    /// The condition for records `t` behind the last one of the page before, which `after` names by its slug or its id.
    fn behind(self, conn: &DbConnection, table: &Table, after: &str) -> Result<String, Problem> {
        let malformed = || Problem::bad_request(StaffText::new("no-such-page"));
        let id = || after.parse::<i64>().map_err(|_| malformed());
        let (key, comparison) = (self.key(conn, table, "t")?, if self.is_backwards() { "<" } else { ">" });
        match self {
            Self::Newest | Self::Oldest => Ok(format!("{key} {comparison} {}", id()?)),
            Self::Slug | Self::Reverse => {
                Slug(after.to_owned()).check("").map_err(|_| malformed())?;
                Ok(format!("{key} {comparison} '{after}'"))
            }
            Self::Title | Self::Position => {
                let id = id()?;
                let last = format!("(SELECT {} FROM {} p WHERE p.id = {id})", self.key(conn, table, "p")?, table.rows);
                // The first condition is one that every planner seeks in an index.
                Ok(format!("{key} >= {last} AND ({key} > {last} OR t.id > {id})"))
            }
        }
    }

    /// The order of records `t`.
    fn order(self, conn: &DbConnection, table: &Table) -> Result<String, Problem> {
        let (key, direction) = (self.key(conn, table, "t")?, if self.is_backwards() { "DESC" } else { "ASC" });
        Ok(match self {
            Self::Title | Self::Position => format!("{key}, t.id"),
            _ => format!("{key} {direction}"),
        })
    }
}

/// Which records.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RecordQuery {
    /// The service, by any of its names.
    pub service: String,
    /// Only those that visitors see, or do not see for this reason.
    #[param(inline)]
    pub state: Option<Visibility>,
    /// Only those of the parent with this slug.
    pub parent: Option<String>,
    /// Only those with these words, of which the last may be a prefix, or with this slug.
    #[param(max_length = 100)]
    pub q: Option<String>,
    /// Only those that lack a translation into the language with this code; without deleted ones.
    #[param(max_length = 8)]
    pub missing: Option<String>,
    /// The order; newest first.
    #[param(inline)]
    pub sort: Option<Sort>,
    /// `next` of the page before.
    pub after: Option<String>,
    /// The most records of a page; at most 200.
    #[param(minimum = 1)]
    pub limit: Option<i64>,
}

/// A record of a catalogue.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = CatalogueRecord)]
pub struct Record {
    /// Its id in the public API.
    #[schema(value_type = service::Id)]
    pub id: i64,
    /// The editors' key.
    pub slug: String,
    /// What names it to a person.
    pub title: String,
    /// Whether visitors see it now.
    pub visibility: Visibility,
    /// Whether an editor took it down: imports do not change its state.
    pub held: bool,
    /// Its fields as in a manifest, without those that have their default; times are UTC.
    #[schema(value_type = Object)]
    pub record: Map<String, Value>,
}

/// A page of records.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = CatalogueRecords)]
pub struct Records {
    /// In the order requested.
    pub records: Vec<Record>,
    /// `after` of the next page; null on the last.
    #[schema(required = true)]
    pub next: Option<String>,
    /// How many there are on all pages, counted as far as 10,001; null on every page but the first.
    #[serde(default)]
    #[schema(value_type = Option<service::schema::Count>, required = true)]
    pub total: Option<i64>,
}

/// The service of a record.
#[derive(Clone, Debug, Serialize, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ServiceQuery {
    /// The service, by any of its names.
    pub service: String,
}

/// One event of a record's history.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = CatalogueEvent)]
pub struct Event {
    /// When, UTC.
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    pub at: NaiveDateTime,
    /// A member of staff by email address, or `admin-token`.
    pub who: String,
    /// `added`, `changed` or `removed` by an import; `listed`, `unlisted` or `deleted` by a take-down or its reversal.
    pub action: String,
    /// Why, of a take-down.
    pub reason: String,
    /// The id of an import's change.
    #[schema(required = true)]
    pub change: Option<i64>,
    /// The record as it was before, where an import changed it.
    #[schema(value_type = Option<Object>, required = true)]
    pub before: Option<Map<String, Value>>,
}

/// A record with its history.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = CatalogueHistory)]
pub struct History {
    /// As it is now.
    pub live: Record,
    /// Newest first, at most 200 changes and 200 take-downs.
    pub events: Vec<Event>,
    /// Whether the changes go back to the record's beginning. Else older ones were deleted, or are beyond the first 200.
    #[serde(default)]
    #[schema(required = true)]
    pub is_complete: bool,
    /// For how many months changes are kept.
    #[serde(default)]
    #[schema(required = true)]
    pub kept_months: u32,
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = Bool)]
    held: bool,
    #[diesel(sql_type = Text)]
    record: String,
}

#[derive(QueryableByName)]
struct Id {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

impl Record {
    fn of(table: &Table, row: &Row, now: NaiveDateTime) -> Self {
        let record = canonical(serde_json::from_str(&row.record).unwrap_or_default());
        let text = |name: &str| record.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        Self {
            id: row.id,
            slug: text("slug"),
            title: text(table.title()),
            visibility: Visibility::of(&record, now),
            held: row.held,
            record,
        }
    }

    /// The record of a service with this slug.
    pub(crate) fn find(
        conn: &mut DbConnection,
        table: &Table,
        service: &str,
        slug: &str,
    ) -> Result<Option<Self>, Error> {
        Self::find_where(conn, table, &["t.service = $1".to_owned()], service, slug)
    }

    /// As `find`, if the record `t` keeps to these conditions, of which the first is the service's.
    fn find_where(
        conn: &mut DbConnection,
        table: &Table,
        conditions: &[String],
        service: &str,
        slug: &str,
    ) -> Result<Option<Self>, Error> {
        let statement = format!(
            "SELECT t.id, t.held, {} AS record FROM {} t WHERE {} AND t.slug = $2",
            as_json(conn, table),
            table.rows,
            conditions.join(" AND ")
        );
        let row: Option<Row> =
            diesel::sql_query(statement).bind::<Text, _>(service).bind::<Text, _>(slug).get_result(conn).optional()?;
        Ok(row.map(|row| Self::of(table, &row, timestamp::now())))
    }
}

/// A service's records of a kind, in every state.
#[utoipa::path(
    get,
    path = "",
    params(("kind" = service::schema::Name, Path, description = "The kind of record, such as `video`."), RecordQuery),
    responses((status = 200, description = "One page.", body = Records), NotFound, Refused)
)]
pub async fn list_records(
    _: EditorCaller,
    app: Data<App>,
    kind: Path<String>,
    query: Query<RecordQuery>,
) -> Result<Json<Records>, Error> {
    let (table, query) = (app.table_of(&kind)?, query.into_inner());
    let service = app.service_named(&query.service)?;
    let page = Page::of_limit(query.limit)?;
    Ok(Json(app.db.run(move |conn| list(conn, &table, &service, &query, page)).await?))
}

pub(crate) fn list(
    conn: &mut DbConnection,
    table: &Table,
    service: &str,
    query: &RecordQuery,
    page: Page,
) -> Result<Records, Error> {
    let now = timestamp::now();
    let sort = query.sort.unwrap_or_default();
    let none = Records { records: Vec::new(), next: None, total: query.after.is_none().then_some(0) };
    let mut conditions = vec!["t.service = $1".to_owned()];
    conditions.extend(query.state.map(|state| state.condition(now)));
    if let Some(code) = query.missing.as_deref().filter(|code| !code.is_empty()) {
        conditions.push(missing::condition(conn, table, code)?);
    }
    if let Some(slug) = query.parent.as_deref().filter(|slug| !slug.is_empty()) {
        let Some((_, link)) = table.links().find(|(name, _)| *name == crate::manifest::PARENT) else {
            return Err(Problem::unprocessable(StaffText::new("no-parent").with("kind", table.kind)).into());
        };
        let parent = diesel::sql_query(format!("SELECT id FROM {} WHERE service = $1 AND slug = $2", link.to.rows));
        let parent: Option<Id> = parent.bind::<Text, _>(service).bind::<Text, _>(slug).get_result(conn).optional()?;
        let Some(Id { id }) = parent else { return Ok(none) };
        conditions.push(format!("t.{} = {id}", link.column));
    }
    let text = query.q.as_deref().map(str::trim).unwrap_or_default();
    let filters = conditions.clone();
    let mut words = String::new();
    if !text.is_empty() {
        let Some(found) = search::matching_text(conn, text) else { return Ok(none) };
        let has_words = WITH_WORDS.contains(&table.rows);
        conditions.push(match conn {
            DbConnection::Sqlite(_) if has_words => {
                // The plus keeps SQLite from sorting what it finds: it walks the index of slugs, and skips rows without the words.
                let id = if matches!(sort, Sort::Newest | Sort::Oldest) { "t.id" } else { "+t.id" };
                format!("{id} IN (SELECT w.rowid FROM {0}_words w WHERE w.{0}_words MATCH $2)", table.rows)
            }
            DbConnection::Postgres(_) if has_words => "t.words @@ $2::tsquery".to_owned(),
            DbConnection::Sqlite(_) => format!("instr(lower(t.{}), lower($2)) > 0", table.title()),
            DbConnection::Postgres(_) => format!("strpos(lower(t.{}), lower($2)) > 0", table.title()),
        });
        words = if has_words { found } else { text.to_owned() };
    }
    let mut total = None;
    match &query.after {
        Some(after) => conditions.push(sort.behind(conn, table, after)?),
        None => total = Some(count(conn, table, &conditions, [service, words.as_str()])?),
    }
    let statement = format!(
        "SELECT t.id, t.held, {} AS record FROM {} t WHERE {} ORDER BY {} LIMIT {}",
        as_json(conn, table),
        table.rows,
        conditions.join(" AND "),
        sort.order(conn, table)?,
        page.fetch()
    );
    let statement = diesel::sql_query(statement).bind::<Text, _>(service);
    // PostgreSQL requires that every bound value is used.
    let rows: Vec<Row> =
        if text.is_empty() { statement.load(conn)? } else { statement.bind::<Text, _>(&words).load(conn)? };
    let mut records: Vec<Record> = rows.iter().map(|row| Record::of(table, row, now)).collect();
    let mut size = usize::try_from(page.limit).unwrap_or(usize::MAX);
    // The slug itself is in no index of words: its record is the first of the first page alone.
    let is_first = query.after.is_none() && !text.is_empty();
    let named = if is_first { Record::find_where(conn, table, &filters, service, text)? } else { None };
    if let (Some(named), Some(total)) = (&named, &mut total) {
        // Its slug has only letters, digits and dashes.
        let with_words = [conditions, vec![format!("t.slug = '{}'", named.slug)]].concat();
        *total += 1 - count(conn, table, &with_words, [service, words.as_str()])?;
        records.retain(|record| record.slug != text);
        size = size.saturating_sub(1);
    }
    let is_last = records.len() <= size;
    records.truncate(size);
    let next = records.last().filter(|_| !is_last).map(|last| match sort {
        Sort::Slug | Sort::Reverse => last.slug.clone(),
        _ => last.id.to_string(),
    });
    if query.after.is_some() {
        records.retain(|record| record.slug != text);
    }
    records.splice(0..0, named);
    Ok(Records { records, next, total })
}

/// How many records `t` keep to the conditions, of a service and, where there are any, with words.
fn count(
    conn: &mut DbConnection,
    table: &Table,
    conditions: &[String],
    [service, words]: [&str; 2],
) -> Result<i64, Error> {
    let found = format!("SELECT 1 FROM {} t WHERE {} LIMIT {COUNTED}", table.rows, conditions.join(" AND "));
    let statement = diesel::sql_query(format!("SELECT count(*) AS id FROM ({found}) found")).bind::<Text, _>(service);
    let Id { id: count } = if words.is_empty() {
        statement.get_result(conn)?
    } else {
        statement.bind::<Text, _>(words).get_result(conn)?
    };
    Ok(count)
}

/// A record and its history.
#[utoipa::path(
    get,
    path = "",
    params(
        ("kind" = service::schema::Name, Path, description = "The kind of record, such as `video`."),
        ("slug" = service::schema::Name, Path, description = "The record's slug."),
        ServiceQuery
    ),
    responses((status = 200, description = "As it is now, and what happened to it.", body = History), NotFound, Refused)
)]
pub async fn get_record(
    _: EditorCaller,
    app: Data<App>,
    path: Path<(String, String)>,
    query: Query<ServiceQuery>,
) -> Result<Json<History>, Error> {
    let (kind, slug) = path.into_inner();
    let (table, service) = (app.table_of(&kind)?, app.service_named(&query.service)?);
    let kept_months = app.changes_months;
    let history = app.db.run(move |conn| {
        let live = Record::find(conn, &table, &service, &slug)?.ok_or_else(|| {
            let detail = StaffText::new("no-such-record")
                .with("service", service.as_str())
                .with("kind", kind)
                .with("record", format!("{slug:?}"));
            Problem::not_found(detail)
        })?;
        let changes = changes::of_record(conn, &table, live.id)?;
        let is_complete = changes::is_complete(&changes);
        let events = events(conn, &table, &service, live.id, changes)?;
        Ok::<_, Error>(History { live, events, is_complete, kept_months })
    });
    Ok(Json(history.await?))
}

fn events(
    conn: &mut DbConnection,
    table: &Table,
    service: &str,
    id: i64,
    changes: Vec<changes::ChangeRow>,
) -> Result<Vec<Event>, Error> {
    let changed = changes.into_iter().map(|row| Event {
        at: row.at,
        who: row.who,
        action: row.action,
        reason: String::new(),
        change: Some(row.id),
        before: row.before.and_then(|before| serde_json::from_str(&before).ok()).map(canonical),
    });
    let mut events: Vec<Event> = changed.collect();
    let orders: Vec<TakeDown> = take_downs::table
        .filter(take_downs::service.eq(service))
        .filter(take_downs::kind.eq(table.kind))
        .filter(take_downs::record_id.eq(id))
        .order(take_downs::id.desc())
        .limit(service::MAX_PAGE)
        .select(TakeDown::as_select())
        .load(conn)?;
    events.extend(orders.into_iter().map(|row| Event {
        at: row.at,
        who: row.who,
        action: row.to_state,
        reason: row.reason,
        change: None,
        before: None,
    }));
    // The sort is stable: of one second, each list keeps its order.
    events.sort_by_key(|event| std::cmp::Reverse(event.at));
    Ok(events)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{State, manifest::never};

    #[test]
    fn visibility_follows_state_and_schedule() {
        let now = timestamp::now();
        let past = DateTime(now - chrono::Duration::hours(1)).to_string();
        let future = DateTime(now + chrono::Duration::hours(1)).to_string();
        for (record, visibility) in [
            (json!({ "state": "listed" }), Visibility::Listed),
            (json!({ "state": "unlisted", "publish_at": past }), Visibility::Unlisted),
            (json!({ "state": "listed", "publish_at": future }), Visibility::Scheduled),
            (json!({ "state": "unlisted", "publish_at": past, "expires_at": past }), Visibility::Expired),
            (json!({ "state": "deleted", "publish_at": future }), Visibility::Deleted),
        ] {
            assert_eq!(Visibility::of(record.as_object().unwrap(), now), visibility, "{record}");
        }
    }

    #[test]
    fn canonical_record_has_no_defaults() {
        let record = json!({ "slug": "a", "captions": null, "publish_at": "1970-01-01 00:00:00", "expires_at": never().to_string() });
        let record = canonical(record.as_object().unwrap().clone());
        assert_eq!(Value::from(record), json!({ "slug": "a", "state": State::Listed.as_str() }));
    }
}
