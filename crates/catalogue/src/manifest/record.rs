//! One record: its common fields, validation and staging.

use diesel::QueryResult;
use serde_json::{Map, Value};
use service::{Problem, StaffText};
use store::DbConnection;

use super::{
    FieldType, Table,
    translations::{self, TRANSLATIONS},
};
use crate::{Error, State, manifest::DateTime};

/// The format of a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// JSON: values have types.
    Json,
    /// CSV: every value is text.
    Cells,
}

/// An error of a field: its name, and a sentence that continues after the name.
pub type Fault = (String, StaffText);

/// A record that a service receives.
pub(crate) trait Record: Sized {
    /// Its table.
    const TABLE: Table;

    /// Validates the record in a service with this media folder, and assigns it to an import.
    fn validate(&mut self, import_id: i64, folder: &str) -> Result<(), Problem>;

    /// Inserts records into the staging table: with COPY on PostgreSQL, which takes seconds for a million.
    fn write(records: &[Self], conn: &mut DbConnection) -> QueryResult<usize>;
}

/// Records of several kinds from one request.
pub(crate) trait Batch: Send + 'static {
    /// Validates and stages all; returns their number.
    fn stage(self, conn: &mut DbConnection, import_id: i64, folder: &str) -> Result<usize, Error>;
}

/// Validates and stages records of one kind; returns their number.
pub(crate) fn stage<R: Record>(
    conn: &mut DbConnection,
    import_id: i64,
    folder: &str,
    mut records: Vec<R>,
) -> Result<usize, Error> {
    records.iter_mut().try_for_each(|record| record.validate(import_id, folder))?;
    let mut staged = 0;
    for records in records.chunks(500) {
        staged += R::write(records, conn)?;
    }
    Ok(staged)
}

/// Validates a field; the error is a problem that names it.
pub(crate) fn check(slug: &str, field: &str, value: &impl FieldType, folder: &str) -> Result<(), Problem> {
    value.check(folder).map_err(|fault| refused(slug, field, fault))
}

/// The problem of a record with a faulty field.
pub(crate) fn refused(slug: &str, field: &str, fault: StaffText) -> Problem {
    Problem::unprocessable(
        StaffText::new("fault-of-record").with("slug", slug).with("field", field).with("fault", fault),
    )
}

/// The problem of records that are no records.
pub(crate) fn unreadable(error: &serde_json::Error) -> Problem {
    let detail = parser_words(error);
    Problem::bad_request(detail)
}

/// What a parser says, which is English.
pub(crate) fn parser_words(error: &serde_json::Error) -> StaffText {
    StaffText::new("parser-words").with("words", error.to_string())
}

/// An error unless the record expires after it is published.
pub(crate) fn schedule(publish_at: DateTime, expires_at: DateTime) -> Result<(), StaffText> {
    if publish_at < expires_at {
        return Ok(());
    }
    Err(StaffText::new("expires-too-early")
        .with("expires_at", expires_at.to_string())
        .with("publish_at", publish_at.to_string()))
}

/// Reads a record of a manifest field by field.
pub(crate) struct RecordReader<'a> {
    input: Map<String, Value>,
    source: Source,
    folder: &'a str,
    output: Map<String, Value>,
    faults: Vec<Fault>,
}

impl<'a> RecordReader<'a> {
    pub(crate) fn new(mut input: Map<String, Value>, source: Source, folder: &'a str) -> Self {
        input.retain(|_, value| !value.is_null());
        Self { input, source, folder, output: Map::new(), faults: Vec::new() }
    }

    /// Reads the field with this name.
    pub(crate) fn field<F: FieldType>(&mut self, kind: &str, name: &str) {
        let value = match self.input.remove(name) {
            Some(Value::String(cell)) if self.source == Source::Cells => Some(F::from_cell(cell)),
            Some(value) => Some(value),
            None => F::absent(),
        };
        let read = match value {
            Some(value) => F::from_manifest(value).and_then(|value| value.check(self.folder).map(|()| value.into())),
            None => Err(StaffText::new("missing").with("kind", kind)),
        };
        match read {
            Ok(Value::Null) => {}
            Ok(value) => drop(self.output.insert(name.to_owned(), value)),
            Err(fault) => self.faults.push((name.to_owned(), fault)),
        }
    }

    /// Reads the translations, `video_name.zu`.
    fn translations(&mut self, table: &Table) {
        let names: Vec<String> = self.input.keys().filter(|name| translations::is_name(name)).cloned().collect();
        let mut found = Map::new();
        for name in names {
            let checked = match self.input.remove(&name) {
                Some(Value::String(text)) => translations::check(table, &name, &text).map(|()| text),
                _ => Err(StaffText::new("not-a-text")),
            };
            match checked {
                Ok(text) => drop(found.insert(name, text.into())),
                Err(fault) => self.faults.push((name, fault)),
            }
        }
        if !found.is_empty() {
            self.output.insert(TRANSLATIONS.to_owned(), found.into());
        }
    }

    /// Reads the common fields; returns the record, or all faults, including unknown fields.
    pub(crate) fn finish(mut self, table: &Table) -> Result<Map<String, Value>, Vec<Fault>> {
        self.field::<Option<State>>(table.kind, "state");
        self.field::<Option<DateTime>>(table.kind, "publish_at");
        self.field::<Option<DateTime>>(table.kind, "expires_at");
        self.translations(table);
        let time = |name| self.output.get(name).cloned().and_then(|value| serde_json::from_value(value).ok());
        let (from, until) = (time("publish_at").unwrap_or_default(), time("expires_at").unwrap_or_else(super::never));
        if let Err(fault) = schedule(from, until) {
            self.faults.push(("expires_at".to_owned(), fault));
        }
        let unknown = |name| {
            let names = table.names().collect::<Vec<_>>().join(", ");
            (name, StaffText::new("no-such-field").with("kind", table.kind).with("names", names))
        };
        self.faults.extend(std::mem::take(&mut self.input).into_iter().map(|(name, _)| unknown(name)));
        if self.faults.is_empty() { Ok(self.output) } else { Err(self.faults) }
    }
}

/// One kind of record: its table, its staging table, and its own fields. A field that refers to another record by its slug names the
/// column with that record's id, and its kind.
///
/// The common fields are spelled out beside them, since serde's `deny_unknown_fields` does not work with flattened structs.
macro_rules! record {
    ($(#[$attribute:meta])* $name:ident: $kind:literal in $rows:ident, $staged:ident, translating [$($text:ident),*] {
        $($(#[$of_field:meta])* $field:ident: $form:ty $(=> $column:ident of $to:ident)?,)*
    }) => {
        ::diesel::table! {
            use ::diesel::sql_types::{BigInt, Nullable, Text, Timestamp};
            use $crate::manifest::columns::*;

            $staged (import_id, place) {
                import_id -> BigInt,
                place -> BigInt,
                slug -> Text,
                $($field -> $form,)*
                state -> Text,
                publish_at -> Timestamp,
                expires_at -> Timestamp,
                translations -> Nullable<Text>,
            }
        }

        $(#[$attribute])*
        #[derive(
            Debug, ::serde::Deserialize, ::diesel::Insertable, ::schemars::JsonSchema, ::utoipa::ToSchema,
        )]
        #[diesel(table_name = $staged, treat_none_as_default_value = false)]
        #[serde(deny_unknown_fields)]
        #[schemars(extend("patternProperties" = $crate::manifest::translations::schema(&[$(stringify!($text)),*])))]
        pub(crate) struct $name {
            #[serde(skip)]
            import_id: i64,
            /// Its line in the manifest.
            #[schemars(skip)]
            place: i64,
            /// The editors' own key, unique among its kind in the service.
            slug: $crate::manifest::Slug,
            $($(#[$of_field])* $field: $form,)*
            /// Who can see it: all visitors (listed), visitors with its address (unlisted), no visitor (deleted).
            #[serde(default)]
            #[schemars(with = "Option<crate::State>")]
            state: $crate::State,
            /// Not visible before this time.
            #[serde(default)]
            #[schemars(with = "Option<crate::manifest::DateTime>")]
            publish_at: $crate::manifest::DateTime,
            /// Not visible from this time on.
            #[serde(default = "crate::manifest::never")]
            #[schemars(with = "Option<crate::manifest::DateTime>")]
            expires_at: $crate::manifest::DateTime,
            /// Its texts in other languages, `video_name.zu`: in manifests, each is a field of the record.
            #[serde(default, deserialize_with = "crate::manifest::translations::packed")]
            #[schemars(skip)]
            #[schema(value_type = Option<$crate::manifest::translations::Texts>)]
            translations: Option<String>,
        }

        impl $crate::manifest::Record for $name {
            const TABLE: $crate::manifest::Table = $crate::manifest::Table {
                kind: $kind,
                rows: stringify!($rows),
                staged: stringify!($staged),
                fields: &[$($crate::manifest::Field {
                    link: $crate::manifest::record!(@link $($column $to)?),
                    ..$crate::manifest::Field::of::<$form>(stringify!($field))
                }),*],
                translated: &[$(stringify!($text)),*],
                read: |input, source, folder| {
                    let mut reader = $crate::manifest::record::RecordReader::new(input, source, folder);
                    reader.field::<$crate::manifest::Slug>($kind, "slug");
                    $(reader.field::<$form>($kind, stringify!($field));)*
                    reader.finish(&Self::TABLE)
                },
                stage: |conn, import_id, folder, records| {
                    let records = records.into_iter().map(|record| {
                        ::serde_json::from_value($crate::manifest::translations::pack(record).into())
                    });
                    let records: Vec<Self> = records
                        .collect::<Result<_, _>>()
                        .map_err(|error| $crate::manifest::record::unreadable(&error))?;
                    $crate::manifest::record::stage(conn, import_id, folder, records).map(drop)
                },
                schema: |generator| generator.subschema_for::<Self>(),
            };

            fn validate(&mut self, import_id: i64, folder: &str) -> Result<(), ::service::Problem> {
                use $crate::manifest::record::{check, refused, schedule};

                self.import_id = import_id;
                let slug = &*self.slug.0;
                check(slug, "slug", &self.slug, folder)?;
                $(check(slug, stringify!($field), &self.$field, folder)?;)*
                $crate::manifest::translations::check_packed(&Self::TABLE, slug, self.translations.as_deref())?;
                schedule(self.publish_at, self.expires_at)
                    .map_err(|fault| refused(slug, "expires_at", fault))
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

/// The records of one catalogue: its kinds of record, each after those it refers to, and the endpoint that stages a batch of them.
macro_rules! batch {
    ($(#[$attribute:meta])* $name:ident { $($rows:ident: $record:ident,)* }) => {
        /// The records of the catalogue.
        pub(crate) const CONTENT: $crate::manifest::Content = $crate::manifest::Content {
            tables: &[$(<$record as $crate::manifest::Record>::TABLE),*],
            records: ::service::endpoints! {
                editors_scope POST "/imports/{id}/records" => self::add_records,
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
            _: ::service::EditorCaller,
            app: ::actix_web::web::Data<$crate::App>,
            id: ::actix_web::web::Path<::service::Id>,
            records: ::actix_web::web::Json<$name>,
        ) -> Result<::actix_web::web::Json<$crate::import::Accepted>, $crate::Error> {
            $crate::import::stage(app, id.get(), records.into_inner()).await
        }
    };
}

pub(crate) use {batch, record};
