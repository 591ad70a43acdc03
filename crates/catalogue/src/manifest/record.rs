//! One record: what every record has beside its own fields, how it is checked, and how it is staged.

use diesel::QueryResult;
use serde_json::{Map, Value};
use service::Problem;
use store::DbConnection;

use super::{Form, Table};
use crate::{Error, State, manifest::DateTime};

/// How a manifest is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// As JSON: values have types.
    Json,
    /// As cells of a CSV: every value is text.
    Cells,
}

/// What is wrong with a field: its name, and words for a person that go on where the name ends.
pub type Fault = (String, String);

/// A record as a service receives it.
pub(crate) trait Record: Sized {
    /// Its kind.
    const TABLE: Table;

    /// Makes it one of an import's, where all of it is as it must be in a service with this media folder.
    fn enter(&mut self, import_id: i64, folder: &str) -> Result<(), Problem>;

    /// Writes records into the table where they wait: by COPY where the engine has it, which takes a million in seconds.
    fn write(records: &[Self], conn: &mut DbConnection) -> QueryResult<usize>;
}

/// Records of several kinds that one request brought.
pub(crate) trait Batch: Send + 'static {
    /// Checks all and writes them where they wait; answers how many.
    fn stage(self, conn: &mut DbConnection, import_id: i64, folder: &str) -> Result<usize, Error>;
}

/// Checks records of one kind and writes them where they wait; answers how many.
pub(crate) fn stage<R: Record>(
    conn: &mut DbConnection,
    import_id: i64,
    folder: &str,
    mut records: Vec<R>,
) -> Result<usize, Error> {
    records.iter_mut().try_for_each(|record| record.enter(import_id, folder))?;
    let mut staged = 0;
    for records in records.chunks(500) {
        staged += R::write(records, conn)?;
    }
    Ok(staged)
}

/// A field's rule, as a service tells that it is broken.
pub(crate) fn check(slug: &str, field: &str, value: &impl Form, folder: &str) -> Result<(), Problem> {
    value.check(folder).map_err(|fault| Problem::unprocessable(format!("{slug}: {field} {fault}.")))
}

/// A record ends after it begins.
pub(crate) fn schedule(publish_at: DateTime, expires_at: DateTime) -> Result<(), String> {
    if publish_at < expires_at { Ok(()) } else { Err(format!("{expires_at} is not after publish_at, {publish_at}")) }
}

/// A record of a manifest that is being read, field by field.
pub(crate) struct Reading<'a> {
    given: Map<String, Value>,
    source: Source,
    folder: &'a str,
    body: Map<String, Value>,
    faults: Vec<Fault>,
}

impl<'a> Reading<'a> {
    pub(crate) fn new(mut given: Map<String, Value>, source: Source, folder: &'a str) -> Self {
        given.retain(|_, value| !value.is_null());
        Self { given, source, folder, body: Map::new(), faults: Vec::new() }
    }

    /// Reads the field of this name.
    pub(crate) fn field<F: Form>(&mut self, kind: &str, name: &str) {
        let value = match self.given.remove(name) {
            Some(Value::String(cell)) if self.source == Source::Cells => Some(F::from_cell(cell)),
            Some(value) => Some(value),
            None => F::absent(),
        };
        let read = match value {
            Some(value) => F::from_manifest(value).and_then(|value| value.check(self.folder).map(|()| value.into())),
            None => Err(format!("is missing: every {kind} has one")),
        };
        match read {
            Ok(Value::Null) => {}
            Ok(value) => drop(self.body.insert(name.to_owned(), value)),
            Err(fault) => self.faults.push((name.to_owned(), fault)),
        }
    }

    /// Reads what every record has, and tells what remains: fields that such a record has not.
    pub(crate) fn end(mut self, table: &Table) -> Result<Map<String, Value>, Vec<Fault>> {
        self.field::<Option<State>>(table.kind, "state");
        self.field::<Option<DateTime>>(table.kind, "publish_at");
        self.field::<Option<DateTime>>(table.kind, "expires_at");
        let time = |name| self.body.get(name).cloned().and_then(|value| serde_json::from_value(value).ok());
        let (from, until) = (time("publish_at").unwrap_or_default(), time("expires_at").unwrap_or_else(super::never));
        if let Err(fault) = schedule(from, until) {
            self.faults.push(("expires_at".to_owned(), fault));
        }
        let unknown = |name| {
            let names = table.names().collect::<Vec<_>>().join(", ");
            (name, format!("a {} has no such field; it has: {names}", table.kind))
        };
        self.faults.extend(std::mem::take(&mut self.given).into_iter().map(|(name, _)| unknown(name)));
        if self.faults.is_empty() { Ok(self.body) } else { Err(self.faults) }
    }
}

/// One kind of record: the table of its rows, the table where it is staged, and the fields that it has beside those of every record.
/// A field that names another record by its slug says which column of the rows holds that one's id, and what kind it is of.
///
/// What every record has is written out beside them, since serde refuses unknown fields only where none of the known ones are another
/// struct's.
macro_rules! record {
    ($(#[$attribute:meta])* $name:ident: $kind:literal in $rows:ident, $staged:ident {
        $($(#[$of_field:meta])* $field:ident: $form:ty $(=> $column:ident of $to:ident)?,)*
    }) => {
        ::diesel::table! {
            use ::diesel::sql_types::{BigInt, Text, Timestamp};
            use $crate::manifest::columns::*;

            $staged (import_id, place) {
                import_id -> BigInt,
                place -> BigInt,
                slug -> Text,
                $($field -> $form,)*
                state -> Text,
                publish_at -> Timestamp,
                expires_at -> Timestamp,
            }
        }

        $(#[$attribute])*
        #[derive(
            Debug, ::serde::Deserialize, ::diesel::Insertable, ::schemars::JsonSchema, ::utoipa::ToSchema,
        )]
        #[diesel(table_name = $staged, treat_none_as_default_value = false)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct $name {
            #[serde(skip)]
            import_id: i64,
            /// Where it stands in the manifest: its line.
            #[schemars(skip)]
            place: i64,
            /// The editors' own key, unique among its kind in the service.
            slug: $crate::manifest::Slug,
            $($(#[$of_field])* $field: $form,)*
            /// Who finds it: everybody (listed), who has its address (unlisted), nobody (deleted).
            #[serde(default)]
            #[schemars(with = "Option<crate::State>")]
            state: $crate::State,
            /// Nobody finds it before this time.
            #[serde(default)]
            #[schemars(with = "Option<crate::manifest::DateTime>")]
            publish_at: $crate::manifest::DateTime,
            /// Nobody finds it from this time on.
            #[serde(default = "crate::manifest::never")]
            #[schemars(with = "Option<crate::manifest::DateTime>")]
            expires_at: $crate::manifest::DateTime,
        }

        impl $crate::manifest::Record for $name {
            const TABLE: $crate::manifest::Table = $crate::manifest::Table {
                kind: $kind,
                rows: stringify!($rows),
                staged: stringify!($staged),
                fields: &[$($crate::manifest::Field {
                    name: stringify!($field),
                    link: $crate::manifest::record!(@link $($column $to)?),
                }),*],
                read: |given, source, folder| {
                    let mut reading = $crate::manifest::record::Reading::new(given, source, folder);
                    reading.field::<$crate::manifest::Slug>($kind, "slug");
                    $(reading.field::<$form>($kind, stringify!($field));)*
                    reading.end(&Self::TABLE)
                },
                schema: |generator| generator.subschema_for::<Self>(),
            };

            fn enter(&mut self, import_id: i64, folder: &str) -> Result<(), ::service::Problem> {
                use $crate::manifest::record::{check, schedule};

                self.import_id = import_id;
                let slug = &*self.slug.0;
                check(slug, "slug", &self.slug, folder)?;
                $(check(slug, stringify!($field), &self.$field, folder)?;)*
                schedule(self.publish_at, self.expires_at)
                    .map_err(|fault| ::service::Problem::unprocessable(format!("{slug}: expires_at {fault}.")))
            }

            fn write(records: &[Self], conn: &mut ::store::DbConnection) -> ::diesel::QueryResult<usize> {
                match conn {
                    ::store::DbConnection::Postgres(conn) => {
                        let copy = ::diesel::copy_from($staged::table).from_insertable(records);
                        ::diesel::ExecuteCopyFromDsl::execute(copy, conn)
                    }
                    ::store::DbConnection::Sqlite(conn) => {
                        let insert = ::diesel::insert_into($staged::table).values(records);
                        ::diesel::RunQueryDsl::execute(insert, conn)
                    }
                }
            }
        }
    };
    (@link) => { None };
    (@link $column:ident $to:ident) => {
        Some($crate::manifest::Link {
            column: stringify!($column),
            to: &<$to as $crate::manifest::Record>::TABLE,
        })
    };
}

/// What one catalogue publishes: its kinds of record, each after what it links to, and the call that takes a batch of them.
macro_rules! batch {
    ($(#[$attribute:meta])* $name:ident { $($rows:ident: $record:ident,)* }) => {
        /// What the catalogue publishes.
        pub(crate) const CONTENT: $crate::manifest::Content = $crate::manifest::Content {
            tables: &[$(<$record as $crate::manifest::Record>::TABLE),*],
            records: ::service::endpoints! {
                admin POST "/imports/{id}/records" => self::add_records,
            },
        };

        $(#[$attribute])*
        #[derive(Debug, ::serde::Deserialize, ::utoipa::ToSchema)]
        #[serde(deny_unknown_fields)]
        pub(crate) struct $name {
            $(#[serde(default)] $rows: Vec<$record>,)*
        }

        impl $crate::manifest::Batch for $name {
            fn stage(
                self,
                conn: &mut ::store::DbConnection,
                import_id: i64,
                folder: &str,
            ) -> Result<usize, $crate::Error> {
                let mut staged = 0;
                $(staged += $crate::manifest::record::stage(conn, import_id, folder, self.$rows)?;)*
                Ok(staged)
            }
        }

        /// Takes in a batch of an import's records.
        #[utoipa::path(
            post,
            path = "",
            params(("id" = ::service::Id, Path, description = "The import's id.")),
            request_body = $name,
            responses(
                (status = 200, description = "They wait.", body = $crate::import::Accepted),
                ::service::openapi::NotFound,
                ::service::openapi::Refused,
            )
        )]
        pub(crate) async fn add_records(
            _: ::service::Admin,
            app: ::actix_web::web::Data<$crate::App>,
            id: ::actix_web::web::Path<::service::Id>,
            records: ::actix_web::web::Json<$name>,
        ) -> Result<::actix_web::web::Json<$crate::import::Accepted>, $crate::Error> {
            $crate::import::stage(app, id.get(), records.into_inner()).await
        }
    };
}

pub(crate) use {batch, record};
