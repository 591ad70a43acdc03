//! One kind of record, as far as importing it needs to know.

use schemars::{Schema, SchemaGenerator};
use serde_json::{Map, Value};

use super::{Fault, Source};

/// One kind of record, its table, and the table where its staged records wait.
///
/// Both tables have the columns `slug`, `state`, `publish_at`, `expires_at` and those of the fields without a link. The first also has
/// `id`, `service`, `held` and the columns of the links; the second `import_id`, `place` (where the record stands in the manifest: a
/// line) and, for each link, a slug.
#[derive(Clone, Copy)]
pub struct Table {
    /// What one record is called, `video`.
    pub kind: &'static str,
    /// The catalogue's table, and the name of a list of such records.
    pub rows: &'static str,
    /// Where staged records wait.
    pub staged: &'static str,
    /// What such a record has beside what every record has.
    pub fields: &'static [Field],
    /// Reads a record of a manifest; answers what is wrong with it, field by field.
    pub read: Read,
    /// Describes a record.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
}

/// Reads a record of a manifest, written so, for a service with this media folder: its fields on the wire, or all that is wrong with it.
pub type Read = fn(Map<String, Value>, Source, &str) -> Result<Map<String, Value>, Vec<Fault>>;

/// One field of a record.
#[derive(Clone, Copy)]
pub struct Field {
    /// Its name, in manifests, on the wire and in the staged table.
    pub name: &'static str,
    /// What it leads to, where it is another record's slug.
    pub link: Option<Link>,
}

/// A column that leads to another record, which a manifest names by its slug.
#[derive(Clone, Copy)]
pub struct Link {
    /// The column of the catalogue's table, an id.
    pub column: &'static str,
    /// The other record.
    pub to: &'static Table,
}

/// The field that names the group which a record belongs to.
pub const PARENT: &str = "parent";

impl Table {
    /// The group that such a record belongs to, where it belongs to one.
    pub fn parent(&self) -> Option<&'static Table> {
        self.links().find(|(name, _)| *name == PARENT).map(|(_, link)| link.to)
    }

    /// The names of all fields that a manifest may give.
    pub fn names(&self) -> impl Iterator<Item = &'static str> {
        let own = self.fields.iter().map(|field| field.name);
        ["slug"].into_iter().chain(own).chain(["state", "publish_at", "expires_at"])
    }

    /// The fields that lead to another record: their names, and where they lead.
    pub(crate) fn links(&self) -> impl Iterator<Item = (&'static str, Link)> {
        self.fields.iter().filter_map(|field| Some((field.name, field.link?)))
    }

    /// The columns that are copied as they are.
    pub(crate) fn plain(&self) -> impl Iterator<Item = &'static str> {
        let own = self.fields.iter().filter(|field| field.link.is_none()).map(|field| field.name);
        own.chain(["publish_at", "expires_at"])
    }

    /// Joins `s`, a staged record, with what its links lead to: `l0`, `l1` and so on.
    pub(crate) fn joins(&self) -> String {
        let join = |(number, (slug, link)): (usize, (&str, Link))| {
            format!(" LEFT JOIN {} l{number} ON l{number}.service = $1 AND l{number}.slug = s.{slug}", link.to.rows)
        };
        self.links().enumerate().map(join).collect()
    }

    /// Whether `t`, a record of the catalogue, is not what `s` says; a record that is held keeps its state.
    pub(crate) fn differs(&self) -> String {
        let plain = self.plain().map(|column| format!("t.{column} IS DISTINCT FROM s.{column}"));
        let links = self
            .links()
            .enumerate()
            .map(|(number, (_, link))| format!("t.{} IS DISTINCT FROM l{number}.id", link.column));
        let state = "(NOT t.held AND t.state <> s.state)".to_owned();
        format!("({})", plain.chain(links).chain([state]).collect::<Vec<_>>().join(" OR "))
    }
}
