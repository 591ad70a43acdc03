//! A list of records as a CSV manifest, page by page: importing it unchanged changes nothing.

use actix_web::{
    HttpResponse,
    web::{Bytes, Data, Path, Query},
};
use chrono::{Datelike, Duration, NaiveDateTime};
use csv::{Terminator, WriterBuilder};
use futures_util::{StreamExt as _, stream};
use serde_json::Value;
use service::{
    EditorCaller, Page, Problem,
    openapi::{NotFound, Refused},
    timestamp,
};

use crate::{
    App, Error,
    manifest::Table,
    records::{Record, RecordQuery, list},
};

/// Records read in one query.
const PAGE: Page = Page { limit: 1000, after: 0 };

/// Spreadsheets read a CSV with it as UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What the pages of an export have in common.
#[derive(Clone)]
struct Export {
    app: Data<App>,
    table: Table,
    service: String,
}

impl Export {
    fn header(&self) -> Result<Bytes, Error> {
        let row = ["service", "kind"].into_iter().chain(self.table.names()).map(str::to_owned);
        let row = row.chain(self.table.translations()).collect();
        Ok([BYTE_ORDER_MARK, &lines(vec![row])?].concat().into())
    }

    /// The lines of a page, and the query of the next.
    async fn page(&self, query: RecordQuery) -> Result<(Bytes, Option<RecordQuery>), Error> {
        let Self { app, table, service } = self.clone();
        let of_page = query.clone();
        let page = app.db.run(move |conn| list(conn, &table, &service, &of_page, PAGE)).await?;
        let rows = page.records.iter().map(|record| self.row(record)).collect();
        Ok((lines(rows)?.into(), page.next.map(|next| RecordQuery { after: Some(next), ..query })))
    }

    fn row(&self, record: &Record) -> Vec<String> {
        let cells = self.table.all_fields().map(|field| match record.record.get(field.name) {
            None | Some(Value::Null) => String::new(),
            Some(Value::String(text)) if field.form == "DateTime" => local_time(text),
            Some(Value::String(text)) => text.clone(),
            Some(other) => other.to_string(),
        });
        let text = |name: &str| record.record.get(name).and_then(Value::as_str).unwrap_or_default().to_owned();
        let translations = self.table.translations().map(|name| text(&name));
        [self.service.clone(), self.table.kind.to_owned()].into_iter().chain(cells).chain(translations).collect()
    }
}

/// A time in Johannesburg with its offset: spreadsheets leave this form alone.
fn local_time(utc: &str) -> String {
    let Ok(time) = NaiveDateTime::parse_from_str(utc, timestamp::FORMAT) else { return utc.to_owned() };
    match time.checked_add_signed(Duration::hours(2)).filter(|local| local.year() <= 9999) {
        Some(local) => local.format("%Y-%m-%dT%H:%M:%S+02:00").to_string(),
        None => time.format("%Y-%m-%dT%H:%M:%SZ").to_string(),
    }
}

fn lines(rows: Vec<Vec<String>>) -> Result<Vec<u8>, Error> {
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    let written = rows.iter().try_for_each(|row| writer.write_record(row));
    let bytes = written
        .map_err(|error| error.to_string())
        .and_then(|()| writer.into_inner().map_err(|error| error.to_string()));
    bytes.map_err(|cause| Problem::internal(cause).into())
}

/// A service's records of a kind, in every state, as a manifest: all pages of the list.
#[utoipa::path(
    get,
    path = "",
    params(("kind" = service::schema::Name, Path, description = "The kind of record, such as `video`."), RecordQuery),
    responses(
        (status = 200, description = "A row per record.", body = String, content_type = "text/csv"),
        NotFound,
        Refused,
    )
)]
pub(crate) async fn export_records(
    _: EditorCaller,
    app: Data<App>,
    kind: Path<String>,
    query: Query<RecordQuery>,
) -> Result<HttpResponse, Error> {
    let (table, query) = (app.table_of(&kind)?, RecordQuery { after: None, ..query.into_inner() });
    let service = app.service_named(&query.service)?;
    let export = Export { app, table, service };
    // Read before the reply starts, so that an error is a problem response and not a truncated file.
    let (first, next) = export.page(query).await?;
    let begin = stream::iter([export.header(), Ok(first)]);
    let rest = stream::try_unfold(next, move |next| {
        let export = export.clone();
        async move {
            match next {
                Some(query) => export.page(query).await.map(Some),
                None => Ok(None),
            }
        }
    });
    Ok(HttpResponse::Ok().content_type("text/csv; charset=utf-8").streaming(begin.chain(rest)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::{DateTime, FieldType as _};

    #[test]
    fn local_time_is_read_as_the_same_time() {
        for (utc, local) in [
            ("2026-03-05 16:30:00", "2026-03-05T18:30:00+02:00"),
            ("2025-12-31 22:00:00", "2026-01-01T00:00:00+02:00"),
            ("9999-12-31 23:59:58", "9999-12-31T23:59:58Z"),
        ] {
            assert_eq!(local_time(utc), local);
            assert_eq!(DateTime::from_manifest(local.into()).map(|time| time.to_string()).as_deref(), Ok(utc));
        }
    }
}
