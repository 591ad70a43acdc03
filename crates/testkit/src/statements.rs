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

/// The variable that names the folder where test processes record statements.
const RECORD_STATEMENTS: &str = "RECORD_STATEMENTS";

static SEEN: Mutex<BTreeSet<Statement>> = Mutex::new(BTreeSet::new());

/// A statement without its values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Statement {
    /// The owner of the tables: the schema on PostgreSQL, the file on SQLite.
    pub owner: String,
    /// The engine.
    pub engine: Engine,
    /// On one line; of several rows or of a list's values there is the first alone.
    pub text: String,
}

/// Records the statements of connections that are opened from now on.
pub fn watch_statements() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let watch = || Some(Box::new(Recorder { place: None }) as Box<dyn Instrumentation>);
        set_default_instrumentation(watch).expect("the instrumentation of connections");
    });
}

/// The statements since the last call.
pub fn take_statements() -> BTreeSet<Statement> {
    std::mem::take(&mut *SEEN.lock().unwrap_or_else(PoisonError::into_inner))
}

/// With `RECORD_STATEMENTS` set, every test process that uses a database records the statements of its services.
pub(crate) fn record_if_requested() {
    if std::env::var_os(RECORD_STATEMENTS).is_some() {
        watch_statements();
    }
}

/// One connection.
struct Recorder {
    place: Option<(String, Engine)>,
}

impl Instrumentation for Recorder {
    fn on_connection_event(&mut self, event: InstrumentationEvent<'_>) {
        match event {
            InstrumentationEvent::StartEstablishConnection { url, .. } => self.place = owner_and_engine(url),
            InstrumentationEvent::StartQuery { query, .. } => {
                let query_text = query.to_string();
                if let (Some((owner, engine)), Some(text)) = (&self.place, normalized(&query_text)) {
                    record(Statement { owner: owner.clone(), engine: *engine, text });
                }
            }
            _ => {}
        }
    }
}

/// The owner and the engine of the tables at a database URL.
fn owner_and_engine(url: &str) -> Option<(String, Engine)> {
    if let Some((_, after)) = url.split_once("application_name=spaza-") {
        return Some((after.split('&').next()?.to_owned(), Engine::Postgres));
    }
    let owner = Path::new(url).file_name()?.to_str()?.strip_suffix(".db")?;
    Some((owner.to_owned(), Engine::Sqlite))
}

/// A statement over our tables, shortened; `None` for statements that only begin or end a transaction and for queries of system tables.
fn normalized(query_text: &str) -> Option<String> {
    let text = query_text.split(" -- binds:").next()?.split_whitespace().collect::<Vec<_>>().join(" ");
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

fn record(statement: Statement) {
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    if !seen.insert(statement.clone()) {
        return;
    }
    // Services bind their values; statements with literals are a test's own.
    let of_a_test = statement.text.contains('\'') && !statement.text.contains(['$', '?']);
    if let Some(folder) = std::env::var_os(RECORD_STATEMENTS).map(PathBuf::from).filter(|_| !of_a_test) {
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
    fn plain_strips_values_and_further_rows() {
        for (query_text, text) in [
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
            assert_eq!(normalized(query_text).as_deref(), Some(text));
        }
        for other in ["BEGIN", "SELECT 1", "PRAGMA foreign_keys", "SELECT * FROM pg_index", "CREATE TABLE a (b TEXT)"] {
            assert_eq!(normalized(other), None);
        }
    }

    #[test]
    fn owner_is_parsed_from_database_urls() {
        let postgres = "postgres://u@h/d?connect_timeout=5&application_name=spaza-tt&options=-csearch_path%3Dtt";
        assert_eq!(owner_and_engine(postgres), Some(("tt".to_owned(), Engine::Postgres)));
        assert_eq!(owner_and_engine("/tmp/x/meme.db"), Some(("meme".to_owned(), Engine::Sqlite)));
        assert_eq!(owner_and_engine("postgres://u@h/d"), None);
    }
}
