//! The map of personal data is complete: a new table or column that could hold a number has to be in it, so that no export and no
//! erasure forgets it.

use std::collections::{BTreeMap, BTreeSet};

use diesel::{prelude::*, sql_types::Text};
use store::{
    Db, DbConnection, Migrations,
    personal_data::{Erasure, PersonalTable},
};
use testkit::Engine;

use crate::{migrations::OWNERS, root};

/// The map as a document.
const DOCUMENT: &str = "crates/family/PERSONAL_DATA.md";

/// Each owner's tables without a row about a subscriber; `name*` are all that begin so.
const IMPERSONAL: [(&str, &[&str]); 5] = [
    (
        "artists",
        &[
            "artists",
            "artists_words*",
            "artists_vocabulary",
            "videos",
            "videos_words*",
            "videos_vocabulary",
            "imports",
            "open_imports",
            "staged_*",
            "take_downs",
            "changes",
        ],
    ),
    (
        "meme",
        &[
            "categories",
            "memes",
            "memes_words*",
            "memes_vocabulary",
            "imports",
            "open_imports",
            "staged_*",
            "take_downs",
            "changes",
        ],
    ),
    (
        "tt",
        &[
            "categories",
            "videos",
            "videos_words*",
            "videos_vocabulary",
            "banners",
            "imports",
            "open_imports",
            "staged_*",
            "take_downs",
            "changes",
        ],
    ),
    (
        "subscription",
        &[
            "billing_passes",
            "billing_days",
            "billing_runners",
            "charge_hours",
            "charge_pauses",
            "reminder_runs",
            "reconciliations",
            "restores",
            "ledger_bounds",
            "daily_*",
            "hourly_sums",
            "number_verifications",
            "used_challenges",
            "learned_numbers",
            "held_joins",
            "held_publishers",
            "network_clocks",
            "network_entries",
            "publisher_*",
        ],
    ),
    (
        "backoffice",
        &[
            "staff",
            "role_grants",
            "invitations",
            "sessions",
            "attempts",
            "identities",
            "provider_visits",
            "open_sign_ins",
            "passkeys",
            "passkey_registrations",
            "assignments",
            "audit_head",
            "contract_terms",
            "vat_rates",
            "closed_months",
            "drafts",
            "uploads",
            "erasure_steps",
        ],
    ),
];

/// In the name of a column of those tables, these hint at a subscriber.
const HINTS: [&str; 6] = ["msisdn", "phone", "number_id", "subscriber", "subscription_id", "ani"];

#[derive(QueryableByName)]
struct Column {
    #[diesel(sql_type = Text)]
    table_name: String,
    #[diesel(sql_type = Text)]
    column_name: String,
}

/// The map of an owner; `None` where its tables are not ours: the sandbox imitates the networks.
fn map(owner: &str) -> Option<&'static [PersonalTable]> {
    match owner {
        "artists" => Some(comedy::PUBLICATION.personal_tables),
        "meme" => Some(meme::PUBLICATION.personal_tables),
        "tt" => Some(tt::PUBLICATION.personal_tables),
        "subscription" => Some(subscription::personal_data::TABLES),
        "backoffice" => Some(backoffice::personal_data::TABLES),
        owner => {
            assert_eq!(owner, "operator_sandbox", "an owner without a map of personal data");
            None
        }
    }
}

fn columns(conn: &mut DbConnection) -> Result<BTreeMap<String, BTreeSet<String>>, store::Error> {
    let statement = match conn {
        DbConnection::Sqlite(_) => {
            "SELECT m.name AS table_name, c.name AS column_name FROM sqlite_master m JOIN pragma_table_info(m.name) c \
             WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND m.name NOT LIKE '\\_\\_diesel%' ESCAPE '\\'"
        }
        DbConnection::Postgres(_) => {
            "SELECT table_name::text AS table_name, column_name::text AS column_name FROM information_schema.columns \
             JOIN pg_class c ON c.oid = format('%I.%I', table_schema, table_name)::regclass \
             WHERE table_schema = current_schema() AND NOT c.relispartition AND table_name NOT LIKE '\\_\\_diesel%'"
        }
    };
    let rows: Vec<Column> = diesel::sql_query(statement).load(conn)?;
    let mut tables: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for Column { table_name, column_name } in rows {
        tables.entry(table_name).or_default().insert(column_name);
    }
    Ok(tables)
}

/// What the map of an owner lacks, or has too much.
fn faults(owner: &str, personal: &[PersonalTable], tables: &BTreeMap<String, BTreeSet<String>>) -> Vec<String> {
    let (_, impersonal) = IMPERSONAL.iter().find(|(name, _)| *name == owner).unwrap();
    let is_named = |name: &str| {
        impersonal.iter().any(|each| each.strip_suffix('*').map_or(*each == name, |start| name.starts_with(start)))
    };
    let mut found = Vec::new();
    for (name, columns) in tables {
        match personal.iter().find(|table| table.name == *name) {
            Some(table) => {
                let listed: BTreeSet<String> = table.columns().map(str::to_owned).collect();
                found.extend(
                    columns.difference(&listed).map(|column| format!("{owner}: {name}.{column} is not in the map")),
                );
                found.extend(
                    listed.difference(columns).map(|column| format!("{owner}: {name}.{column} does not exist")),
                );
            }
            None if is_named(name) => {
                let hints = |column: &&String| {
                    HINTS.iter().any(|hint| {
                        column.split('_').any(|part| part == *hint) || column.contains(hint) && hint.len() > 3
                    })
                };
                found.extend(
                    columns
                        .iter()
                        .filter(hints)
                        .map(|column| format!("{owner}: {name}.{column} may be of a subscriber")),
                );
            }
            None => found.push(format!("{owner}: the table {name} is neither in the map nor named as impersonal")),
        }
    }
    let missing = personal.iter().filter(|table| !tables.contains_key(table.name));
    found.extend(missing.map(|table| format!("{owner}: the table {} does not exist", table.name)));
    for table in personal {
        let stays = !matches!(table.erasure, Erasure::Deleted(_));
        if stays && table.kept.is_none() {
            found.push(format!("{owner}: {} stays, and the map does not say until when and why", table.name));
        }
    }
    found
}

async fn open(engine: Engine, owner: &'static str, migrations: Migrations) -> (testkit::TestStore, Db) {
    let place = testkit::store(engine).await;
    let db = Db::open(&place.config, owner, migrations).await.unwrap();
    (place, db)
}

testkit::on_each_engine! {
    async fn map_of_personal_data_names_every_table_and_column(engine) {
        let mut found = Vec::new();
        for (owner, migrations) in OWNERS {
            let Some(personal) = map(owner) else { continue };
            let (_place, db) = open(engine, owner, migrations).await;
            let tables = db.run(columns).await.unwrap();
            found.extend(faults(owner, personal, &tables));
            // Its SQL is prepared by the engine, also where there is no row.
            db.write(move |conn| {
                assert!(store::personal_data::export(conn, personal, "27812345678", service::Language::ENGLISH)?.is_some());
                store::personal_data::erase(conn, personal, "27812345678", service::Language::ENGLISH).map(drop)
            })
            .await
            .map_err(|error: store::Error| format!("{owner}: {error}"))
            .unwrap();
        }
        assert!(found.is_empty(), "{}", found.join("\n"));
    }

    async fn column_that_the_map_does_not_name_is_found(engine) {
        let (_, migrations) = OWNERS.into_iter().find(|(owner, _)| *owner == "tt").unwrap();
        for (change, fault) in [
            ("ALTER TABLE watchlist ADD COLUMN position_s BIGINT", "tt: watchlist.position_s is not in the map"),
            ("ALTER TABLE videos ADD COLUMN msisdn TEXT", "tt: videos.msisdn may be of a subscriber"),
            ("CREATE TABLE history (who TEXT NOT NULL)", "tt: the table history is neither in the map nor named as impersonal"),
            ("ALTER TABLE likes DROP COLUMN created", "tt: likes.created does not exist"),
        ] {
            let (_place, db) = open(engine, "tt", migrations).await;
            let tables = db
                .run(move |conn| {
                    diesel::sql_query(change).execute(conn)?;
                    columns(conn)
                })
                .await
                .unwrap();
            assert_eq!(faults("tt", tt::PUBLICATION.personal_tables, &tables), [fault], "{change}");
        }
    }
}

/// A cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

fn document() -> String {
    let mut text = "# Personal data\n\n\
        Which tables have rows about subscribers, what an erasure of a number does to them, and what stays. Written by a test from the lists of \
        the services (`personal_data.rs` of each), which export and erasure follow; the test refuses a table or a column that is in none. The operator \
        sandbox is not here: it imitates the networks, which answer for their own records.\n\n\
        | service | table | a row is | export | an erasure | kept | why |\n|---|---|---|---|---|---|---|\n"
        .to_owned();
    for (owner, _) in OWNERS {
        for table in map(owner).unwrap_or_default() {
            let export = if table.of_number.is_some() { "yes" } else { "not found by a number" };
            let erasure = match table.erasure {
                Erasure::Deleted(_) => "deletes it".to_owned(),
                Erasure::DeletedWhere(condition) => format!("deletes it where `{}`", cell(condition)),
                Erasure::Changed(values) => format!("sets `{}`", cell(values)),
                Erasure::DeletedWhereAndChanged(condition, values) => {
                    format!("deletes it where `{}`, else sets `{}`", cell(condition), cell(values))
                }
                Erasure::Untouched => "leaves it".to_owned(),
            };
            let (until, why) = match &table.kept {
                Some(kept) => (kept.until.to_string(), kept.why.to_string()),
                None => Default::default(),
            };
            let until = until.replace("LEDGER_MONTHS", "`LEDGER_MONTHS`").replace("EVENTS_MONTHS", "`EVENTS_MONTHS`");
            let about = table.about.to_string();
            let columns = [owner, &format!("`{}`", table.name), &about, export, &erasure, &until, &why];
            text.push_str(&format!("| {} |\n", columns.join(" | ")));
        }
    }
    text
}

#[test]
fn personal_data_is_documented_as_the_services_list_it() {
    let (file, expected) = (root().join(DOCUMENT), document());
    if std::env::var("INSTA_UPDATE").is_ok_and(|value| value == "always") {
        std::fs::write(file, expected).unwrap();
        return;
    }
    let text = std::fs::read_to_string(file).unwrap_or_default();
    assert!(
        text == expected,
        "{DOCUMENT} is stale: INSTA_UPDATE=always cargo test -p family --test house personal_data"
    );
}
