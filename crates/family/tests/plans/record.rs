//! Every statement that any connection of this process sends, once.

use std::{
    collections::BTreeSet,
    sync::{Mutex, PoisonError},
};

use diesel::connection::{Instrumentation, InstrumentationEvent, set_default_instrumentation};

static STATEMENTS: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());

/// Records from now on, on connections that are yet to be opened.
pub(crate) fn start() {
    set_default_instrumentation(|| {
        let recorder: Box<dyn Instrumentation> = Box::new(|event: InstrumentationEvent<'_>| {
            if let InstrumentationEvent::StartQuery { query, .. } = event {
                let text = query.to_string();
                let statement = text.split(" -- binds:").next().unwrap_or_default().trim().to_owned();
                STATEMENTS.lock().unwrap_or_else(PoisonError::into_inner).insert(statement);
            }
        });
        Some(recorder)
    })
    .unwrap();
}

/// Forgets what was recorded.
pub(crate) fn clear() {
    STATEMENTS.lock().unwrap_or_else(PoisonError::into_inner).clear();
}

/// The statements that look for rows: no transactions, no settings, no plain inserts, nothing of migrations.
pub(crate) fn taken() -> Vec<String> {
    let all = std::mem::take(&mut *STATEMENTS.lock().unwrap_or_else(PoisonError::into_inner));
    all.into_iter()
        .filter(|text| ["SELECT", "UPDATE", "DELETE"].iter().any(|verb| text.starts_with(verb)))
        .filter(|text| text.contains(" FROM ") || text.contains("UPDATE "))
        .filter(|text| !text.contains("__diesel_schema_migrations") && !text.contains("pg_"))
        .collect()
}
