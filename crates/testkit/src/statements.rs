//! Every statement that the connections of this process send, by the owner of the tables and the engine.

use std::{
    collections::BTreeSet,
    fs::File,
    io::Write,
    path::{Path, PathBuf},
    sync::{Mutex, Once, PoisonError},
};

use diesel::connection::{Instrumentation, InstrumentationEvent, set_default_instrumentation};

use crate::Engine;

/// Where a folder's name asks test processes to write down what they see.
const ASKED: &str = "RECORD_STATEMENTS";

static SEEN: Mutex<BTreeSet<Statement>> = Mutex::new(BTreeSet::new());

/// A statement without its values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Statement {
    /// Whose tables: the schema on PostgreSQL, the file on SQLite.
    pub owner: String,
    /// Where they are.
    pub engine: Engine,
    /// On one line; of several rows or of a list's values there is the first alone.
    pub text: String,
}

/// Sees them from now on, on connections that are yet to be opened.
pub fn watch_statements() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let watch = || Some(Box::new(Watch { place: None }) as Box<dyn Instrumentation>);
        set_default_instrumentation(watch).expect("the instrumentation of connections");
    });
}

/// What was seen since the last call.
pub fn take_statements() -> BTreeSet<Statement> {
    std::mem::take(&mut *SEEN.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Where the environment asks for it, every test process that uses a database writes down what its services ask of it.
pub(crate) fn record_where_asked() {
    if std::env::var_os(ASKED).is_some() {
        watch_statements();
    }
}

/// One connection.
struct Watch {
    place: Option<(String, Engine)>,
}

impl Instrumentation for Watch {
    fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
        match event {
            InstrumentationEvent::StartEstablishConnection { url, .. } => self.place = place_of(url),
            InstrumentationEvent::StartQuery { query, .. } => {
                let said = query.to_string();
                if let (Some((owner, engine)), Some(text)) = (&self.place, plain(&said)) {
                    note(Statement { owner: owner.clone(), engine: *engine, text });
                }
            }
            _ => {}
        }
    }
}

/// Whose tables an address leads to.
fn place_of(url: &str) -> Option<(String, Engine)> {
    if let Some((_, after)) = url.split_once("search_path%3D") {
        return Some((after.split('&').next()?.to_owned(), Engine::Postgres));
    }
    let owner = Path::new(url).file_name()?.to_str()?.strip_suffix(".db")?;
    Some((owner.to_owned(), Engine::Sqlite))
}

/// A statement over our tables, shortened; nothing for what only prepares or ends one, and for what asks the engine about itself.
fn plain(said: &str) -> Option<String> {
    let text = said.split(" -- binds:").next()?.split_whitespace().collect::<Vec<_>>().join(" ");
    let ours = ["SELECT ", "INSERT ", "UPDATE ", "DELETE ", "WITH "].iter().any(|verb| text.starts_with(verb))
        && [" FROM ", " INTO ", "UPDATE "].iter().any(|word| text.contains(word))
        && !["__diesel_schema_migrations", "pg_", "sqlite_", "information_schema"].iter().any(|own| text.contains(own));
    ours.then(|| first_row(&first_value(&text)))
}

/// `IN (?, ?, ?)` with one value.
fn first_value(text: &str) -> String {
    let mut parts = text.split("IN (");
    let mut short = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        short.push_str("IN (");
        match part.split_once(')') {
            Some((values, rest))
                if values.chars().all(|char| matches!(char, '?' | ',' | ' ')) && values.contains('?') =>
            {
                short.push_str("?)");
                short.push_str(rest);
            }
            _ => short.push_str(part),
        }
    }
    short
}

/// `VALUES ($1, $2), ($3, $4)` with one row.
fn first_row(text: &str) -> String {
    match (text.starts_with("INSERT "), text.split_once("), (")) {
        (true, Some((first, more))) => {
            let rest = more.rsplit("), (").next().unwrap_or_default();
            let rest = rest.split_once(')').map_or("", |(_, rest)| rest);
            format!("{first}){rest}")
        }
        _ => text.to_owned(),
    }
}

fn note(statement: Statement) {
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if !seen.insert(statement.clone()) {
        return;
    }
    // Services bind their values; what has them spelled out is a test's own.
    let of_a_test = statement.text.contains('\'') && !statement.text.contains(['$', '?']);
    if let Some(folder) = std::env::var_os(ASKED).map(PathBuf::from).filter(|_| !of_a_test) {
        let engine = if statement.engine == Engine::Sqlite { "sqlite" } else { "postgres" };
        let path = folder.join(format!("{}-{engine}", statement.owner));
        let mut file = File::options().append(true).create(true).open(&path).expect("the folder of RECORD_STATEMENTS");
        file.write_all(format!("{}\n", statement.text).as_bytes()).expect("a line");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_are_known_by_their_shape() {
        for (said, text) in [
            (
                "SELECT `a` FROM `b` WHERE `c` IN (?, ?, ?) LIMIT ? -- binds: [1, 2]",
                "SELECT `a` FROM `b` WHERE `c` IN (?) LIMIT ?",
            ),
            ("SELECT a FROM b WHERE c IN (SELECT d FROM e)", "SELECT a FROM b WHERE c IN (SELECT d FROM e)"),
            (
                "INSERT INTO \"a\" (\"b\", \"c\") VALUES ($1, $2), ($3, $4), ($5, $6) ON CONFLICT DO NOTHING",
                "INSERT INTO \"a\" (\"b\", \"c\") VALUES ($1, $2) ON CONFLICT DO NOTHING",
            ),
            ("UPDATE a\n  SET b = 1", "UPDATE a SET b = 1"),
        ] {
            assert_eq!(plain(said).as_deref(), Some(text));
        }
        for other in ["BEGIN", "SELECT 1", "PRAGMA foreign_keys", "SELECT * FROM pg_index", "CREATE TABLE a (b TEXT)"] {
            assert_eq!(plain(other), None);
        }
    }

    #[test]
    fn an_address_tells_whose_tables_they_are() {
        let postgres = "postgres://u@h/d?options=-csearch_path%3Dtt&connect_timeout=5";
        assert_eq!(place_of(postgres), Some(("tt".to_owned(), Engine::Postgres)));
        assert_eq!(place_of("/tmp/x/meme.db"), Some(("meme".to_owned(), Engine::Sqlite)));
        assert_eq!(place_of("postgres://u@h/d"), None);
    }
}
