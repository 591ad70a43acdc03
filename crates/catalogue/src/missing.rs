//! Which translations a service's records lack: the condition of a list, and their number by language.

use actix_web::web::{Data, Json, Path, Query};
use diesel::{
    prelude::*,
    sql_types::{BigInt, Text},
};
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
    #[diesel(sql_type = BigInt)]
    number: i64,
}

/// The condition for records `t` that lack a translation into the language with this code; an empty text needs none.
pub(crate) fn condition(conn: &DbConnection, table: &Table, code: &str) -> Result<String, Problem> {
    let Some(code) = translations::languages().find(|known| *known == code) else {
        let codes = translations::languages().collect::<Vec<_>>().join(", ");
        return Err(Problem::unprocessable(
            StaffText::new("no-language-of-translations").with("code", format!("{code:?}")).with("codes", codes),
        ));
    };
    let of_field = |field: &&str| {
        let translation = match conn {
            DbConnection::Sqlite(_) => format!("json_extract(t.translations, '$.\"{field}.{code}\"')"),
            DbConnection::Postgres(_) => format!("(t.translations::json ->> '{field}.{code}')"),
        };
        format!("t.{field} <> '' AND {translation} IS NULL")
    };
    let fields = table.translated.iter().map(of_field).collect::<Vec<_>>().join(" OR ");
    Ok(format!("t.state <> 'deleted' AND ({fields})"))
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
    let conditions = translations::languages().map(|code| Ok((code, condition(conn, table, code)?)));
    let conditions = conditions.collect::<Result<Vec<_>, Problem>>()?;
    let mut number = |condition: &str| -> Result<i64, Error> {
        let statement = format!("SELECT count(*) AS number FROM {} t WHERE t.service = $1 AND {condition}", table.rows);
        Ok(diesel::sql_query(statement).bind::<Text, _>(service).get_result::<Counted>(conn)?.number)
    };
    let records = number("t.state <> 'deleted'")?;
    let languages = conditions
        .into_iter()
        .map(|(code, condition)| Ok(Missing { language: code.to_owned(), missing: number(&condition)? }))
        .collect::<Result<_, Error>>()?;
    Ok(TranslationCounts { records, languages })
}
