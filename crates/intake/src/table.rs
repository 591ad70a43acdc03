//! What a catalogue publishes, as far as taking it in needs to know.

/// One kind of record, its table, and the table where its staged records wait.
///
/// Both tables have the columns `slug`, `state`, `publish_at`, `expires_at` and those of `columns`. The first also has `id`,
/// `service`, `held` and the columns of `links`; the second `import_id`, `place` (where the record stands in the manifest: a line)
/// and, for each link, a slug.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// What one record is called, `video`.
    pub kind: &'static str,
    /// The catalogue's table.
    pub rows: &'static str,
    /// Where staged records wait.
    pub staged: &'static str,
    /// Columns that are taken over as they are.
    pub columns: &'static [&'static str],
    /// Columns that lead to another record.
    pub links: &'static [Link],
}

/// A column that leads to another record, which a manifest names by its slug.
#[derive(Clone, Copy, Debug)]
pub struct Link {
    /// The column of the catalogue's table, an id.
    pub column: &'static str,
    /// The staged table's column, a slug.
    pub slug: &'static str,
    /// What the other record is called.
    pub kind: &'static str,
    /// The other record's table.
    pub rows: &'static str,
    /// Where the other record is staged.
    pub staged: &'static str,
}

impl Table {
    /// The columns that are taken over as they are, with the schedule's.
    pub(crate) fn plain(&self) -> impl Iterator<Item = &'static str> {
        self.columns.iter().copied().chain(["publish_at", "expires_at"])
    }

    /// Joins `s`, a staged record, with what its links lead to: `l0`, `l1` and so on.
    pub(crate) fn joins(&self) -> String {
        let join = |(number, link): (usize, &Link)| {
            format!(" LEFT JOIN {} l{number} ON l{number}.service = $1 AND l{number}.slug = s.{}", link.rows, link.slug)
        };
        self.links.iter().enumerate().map(join).collect()
    }

    /// Whether `t`, a record of the catalogue, is not what `s` says; a record that is held keeps its state.
    pub(crate) fn differs(&self) -> String {
        let plain = self.plain().map(|column| format!("t.{column} IS DISTINCT FROM s.{column}"));
        let links = self
            .links
            .iter()
            .enumerate()
            .map(|(number, link)| format!("t.{} IS DISTINCT FROM l{number}.id", link.column));
        let state = "(NOT t.held AND t.state <> s.state)".to_owned();
        format!("({})", plain.chain(links).chain([state]).collect::<Vec<_>>().join(" OR "))
    }
}
