//! One kind of record, as the import needs it.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value};
use store::DbConnection;

use super::{
    Fault, FieldType, Slug, Source,
    field_types::DateTime,
    translations::{self, TRANSLATIONS},
};
use crate::{Error, State};

/// One kind of record, its table, and its staging table.
///
/// Both tables have the columns `slug`, `state`, `publish_at`, `expires_at`, `translations` and those of the fields without a link. The first also has
/// `id`, `service`, `held` and the columns of the links; the second `import_id`, `place` (where the record stands in the manifest: a
/// line) and, for each link, a slug.
#[derive(Clone, Copy)]
pub struct Table {
    /// The name of one record, `video`.
    pub kind: &'static str,
    /// The catalogue's table, and the name of a list of such records.
    pub rows: &'static str,
    /// The staging table.
    pub staged: &'static str,
    /// The fields besides those that all records have.
    pub fields: &'static [Field],
    /// The names of the fields whose texts may have translations.
    pub translated: &'static [&'static str],
    /// Reads a record of a manifest; returns its faults, field by field.
    pub read: Read,
    /// Validates records on the wire, and stages them for an open import.
    pub(crate) stage: Stage,
    /// The record's schema.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
}

/// Stages records on the wire, each with its `place`, for an import, in a service with this media folder.
pub(crate) type Stage = fn(&mut DbConnection, i64, &str, Vec<Map<String, Value>>) -> Result<(), Error>;

/// Reads a record of a manifest in this format for a service with this media folder: returns its fields on the wire, or all faults.
pub type Read = fn(Map<String, Value>, Source, &str) -> Result<Map<String, Value>, Vec<Fault>>;

/// One field of a record.
#[derive(Clone, Copy)]
pub struct Field {
    /// Its name, in manifests, on the wire and in the staged table.
    pub name: &'static str,
    /// The record it refers to, if it is another record's slug.
    pub link: Option<Link>,
    /// The name of its type, `Title`.
    pub form: &'static str,
    /// Its value where a manifest does not have it; none: every record has one.
    pub absent: fn() -> Option<Value>,
    /// The schema of its value in manifests.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
}

/// A column that refers to another record, which a manifest names by its slug.
#[derive(Clone, Copy)]
pub struct Link {
    /// The column of the catalogue's table, an id.
    pub column: &'static str,
    /// The other record.
    pub to: &'static Table,
}

/// The field with the slug of the record's parent.
pub const PARENT: &str = "parent";

impl Field {
    /// A field with this name that refers to no other record.
    pub(crate) const fn of<F: FieldType + JsonSchema>(name: &'static str) -> Self {
        Self { name, link: None, form: F::FORM, absent: F::absent, schema: F::json_schema }
    }
}

impl Table {
    /// The table of the record's parent, if it has one.
    pub fn parent(&self) -> Option<&'static Table> {
        self.links().find(|(name, _)| *name == PARENT).map(|(_, link)| link.to)
    }

    /// The names of all fields in a manifest.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let own = self.fields.iter().map(|field| field.name);
        ["slug"].into_iter().chain(own).chain(["state", "publish_at", "expires_at"])
    }

    /// The names of all translations in a manifest, `video_name.zu`.
    pub fn translations(&self) -> impl Iterator<Item = String> {
        self.translated
            .iter()
            .flat_map(|field| translations::languages().map(|code| translations::name_of(field, code)))
    }

    /// The field that names a record to a person.
    pub fn title(&self) -> &'static str {
        self.fields
            .iter()
            .find(|field| matches!(field.form, "Title" | "CategoryName"))
            .map_or("slug", |field| field.name)
    }

    /// Whether editors order its records: the table has the columns `position` and `rank` then.
    pub(crate) fn has_positions(&self) -> bool {
        self.fields.iter().any(|field| field.name == "position")
    }

    /// All fields, those that every record has among them.
    pub fn all_fields(&self) -> impl Iterator<Item = Field> {
        let own = self.fields.iter().copied();
        let schedule = ["publish_at", "expires_at"].map(Field::of::<Option<DateTime>>);
        [Field::of::<Slug>("slug")].into_iter().chain(own).chain([Field::of::<Option<State>>("state")]).chain(schedule)
    }

    /// The fields that refer to another record.
    pub(crate) fn links(&self) -> impl Iterator<Item = (&'static str, Link)> {
        self.fields.iter().filter_map(|field| Some((field.name, field.link?)))
    }

    /// The columns that are copied unchanged.
    pub(crate) fn unlinked_columns(&self) -> impl Iterator<Item = &'static str> {
        let own = self.fields.iter().filter(|field| field.link.is_none()).map(|field| field.name);
        own.chain(["publish_at", "expires_at", TRANSLATIONS])
    }

    /// Joins `s`, a staged record, with the records it refers to: `l0`, `l1` and so on.
    pub(crate) fn joins(&self) -> String {
        let join = |(number, (slug, link)): (usize, (&str, Link))| {
            format!(" LEFT JOIN {} l{number} ON l{number}.service = $1 AND l{number}.slug = s.{slug}", link.to.rows)
        };
        self.links().enumerate().map(join).collect()
    }

    /// The condition that `t`, a record of the catalogue, differs from `s`; a held record keeps its state.
    pub(crate) fn differs(&self) -> String {
        let unlinked_columns = self.unlinked_columns().map(|column| format!("t.{column} IS DISTINCT FROM s.{column}"));
        let links = self
            .links()
            .enumerate()
            .map(|(number, (_, link))| format!("t.{} IS DISTINCT FROM l{number}.id", link.column));
        let state = "(NOT t.held AND t.state <> s.state)".to_owned();
        format!("({})", unlinked_columns.chain(links).chain([state]).collect::<Vec<_>>().join(" OR "))
    }
}
