//! Which translations a service's records lack: the condition of a list, and their number by language.

use actix_web::web::{Data, Json, Path, Query};
use diesel::{prelude::*, sql_types::Text};
use serde::{Deserialize, Serialize};
use service::{
    EditorCaller, Problem, StaffText,
    openapi::{NotFound, Refused},
};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    App, Error,
    manifest::{Table, translations},
    records::ServiceQuery,
};

/// How many records lack a translation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = MissingTranslations)]
pub struct Missing {
    /// The language's code.
    pub language: String,
    /// Records with a text that is not translated into it.
    #[schema(value_type = service::schema::Count)]
    pub missing: i64,
}

/// The translations of a kind of record.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = TranslationCounts)]
pub struct TranslationCounts {
    /// The records that are not deleted.
    #[schema(value_type = service::schema::Count)]
    pub records: i64,
    /// By language.
    pub languages: Vec<Missing>,
}

#[derive(QueryableByName)]
struct Counted {
    #[diesel(sql_type = Text)]
    numbers: String,
}

/// The condition for records `t` that lack a translation into the language with this code; an empty text needs none.
pub(crate) fn condition(conn: &DbConnection, table: &Table, code: &str) -> Result<String, Problem> {
    let Some(code) = translations::languages().find(|known| *known == code) else {
        let codes = translations::languages().collect::<Vec<_>>().join(", ");
        return Err(Problem::unprocessable(
            StaffText::new("no-language-of-translations").with("code", format!("{code:?}")).with("codes", codes),
        ));
    };
    Ok(format!("t.state <> 'deleted' AND ({})", lacks(conn, table, code)))
}

/// The condition for records `t` with a text that is not translated. PostgreSQL would read the JSON of a record again for each name, which takes several
/// times as long as to search it: the column is compact JSON, and quotes within a text are escaped there, so that a name with its quotes is a name.
fn lacks(conn: &DbConnection, table: &Table, code: &str) -> String {
    let of_field = |field: &&str| {
        let name = translations::name_of(field, code);
        let is_missing = match conn {
            DbConnection::Sqlite(_) => format!("json_extract(t.translations, '$.\"{name}\"') IS NULL"),
            DbConnection::Postgres(_) => format!("strpos(coalesce(t.translations, ''), '\"{name}\":\"') = 0"),
        };
        format!("t.{field} <> '' AND {is_missing}")
    };
    table.translated.iter().map(of_field).collect::<Vec<_>>().join(" OR ")
}

/// How many of a service's records of a kind lack a translation into each language.
#[utoipa::path(
    get,
    path = "",
    params(("kind" = service::schema::Name, Path, description = "The kind of record, such as `video`."), ServiceQuery),
    responses((status = 200, description = "Without deleted records.", body = TranslationCounts), NotFound, Refused)
)]
pub async fn count_missing(
    _: EditorCaller,
    app: Data<App>,
    kind: Path<String>,
    query: Query<ServiceQuery>,
) -> Result<Json<TranslationCounts>, Error> {
    let (table, service) = (app.table_of(&kind)?, app.service_named(&query.service)?);
    Ok(Json(app.db.run(move |conn| counts(conn, &table, &service)).await?))
}

fn counts(conn: &mut DbConnection, table: &Table, service: &str) -> Result<TranslationCounts, Error> {
    let codes: Vec<_> = translations::languages().collect();
    let missing = codes.iter().map(|code| format!("count(CASE WHEN {} THEN 1 END)", lacks(conn, table, code)));
    let numbers: Vec<_> = ["count(*)".to_owned()].into_iter().chain(missing).collect();
    // One column: the records are read once, however many languages there are.
    let statement = format!(
        "SELECT {} AS numbers FROM {} t WHERE t.service = $1 AND t.state <> 'deleted'",
        numbers.join(" || ' ' || "),
        table.rows
    );
    let Counted { numbers } = diesel::sql_query(statement).bind::<Text, _>(service).get_result(conn)?;
    let mut numbers = numbers.split(' ').map(|number| number.parse().unwrap_or_default());
    let records = numbers.next().unwrap_or_default();
    let of_language = |(code, missing): (&&str, i64)| Missing { language: (*code).to_owned(), missing };
    Ok(TranslationCounts { records, languages: codes.iter().zip(numbers).map(of_language).collect() })
}
