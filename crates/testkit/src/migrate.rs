//! A service's program that only brings its tables up to date.

use std::{path::Path, process::Stdio, time::Duration};

use diesel::RunQueryDsl;
use store::{Db, EmbeddedMigrations, Migrations, StoreConfig};
use tokio::process::Command;

use crate::{Engine, Reserved, database::Count};

/// How long a program may take, on a slow machine.
const TIMEOUT: Duration = Duration::from_secs(240);

/// Asserts that `PROGRAM --migrate`, with no setting but where the tables are, applies every migration below `migrations/FOLDER` to those
/// of `owner` and ends; that a second run changes nothing; and that a database that cannot be reached ends it with one line that names
/// `DATABASE_URL`.
pub async fn check_migrate(program: &str, owner: &'static str, folder: &str, engine: Engine) {
    let place = crate::store(engine).await;
    for _ in 0..2 {
        let (code, stderr) = run(program, &place.config).await;
        assert_eq!(code, Some(0), "{stderr}");
        assert!(stderr.contains(&format!("the tables of {owner} are up to date")), "{stderr}");
        assert_eq!(applied(&place.config, owner).await, written(folder), "{owner}");
    }
    let closed_port = Reserved::any();
    let url = format!("postgres://nobody:secret@{}/nothing", closed_port.addr);
    let away = StoreConfig { database_url: Some(url), ..StoreConfig::sqlite(&place.config.data_dir) };
    let (code, stderr) = run(program, &away).await;
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.starts_with("DATABASE_URL: ") && stderr.trim_end().lines().count() == 1, "{stderr}");
    assert!(!stderr.contains("secret"), "{stderr}");
}

/// Its exit code, and what it printed to standard error.
async fn run(program: &str, store: &StoreConfig) -> (Option<i32>, String) {
    let mut command = Command::new(program);
    command.arg("--migrate").env_clear().env("DATA_DIR", &store.data_dir).stdin(Stdio::null()).kill_on_drop(true);
    if let Some(url) = &store.database_url {
        command.env("DATABASE_URL", url).env("UNNAMED_STATEMENTS", if store.unnamed_statements { "1" } else { "0" });
    }
    if let Some(file) = &store.stores_ca_file {
        command.env("STORES_CA_FILE", file);
    }
    let output = tokio::time::timeout(TIMEOUT, command.output()).await.expect("it ends").expect("it runs");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// How many migrations were applied to the tables; applies none itself.
async fn applied(store: &StoreConfig, owner: &'static str) -> usize {
    const NONE: EmbeddedMigrations = EmbeddedMigrations::new(&[]);
    let db = Db::open(store, owner, Migrations { sqlite: || NONE, postgres: || NONE }).await.expect("the tables");
    let count = db.run(|conn| {
        let query = diesel::sql_query("SELECT COUNT(*) AS n FROM __diesel_schema_migrations");
        Ok::<_, store::Error>(query.get_result::<Count>(conn)?.n)
    });
    usize::try_from(count.await.expect("a count")).unwrap_or_default()
}

fn written(folder: &str) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../migrations").join(folder).join("sqlite");
    std::fs::read_dir(folder).expect("the migrations").count()
}
