//! The stores as a provider offers them: TLS, PgBouncer in transaction mode, and a role for each service.

#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test that cannot be set up must say so and fail")]

use std::time::{Duration, Instant};

use chrono::{NaiveDate, NaiveDateTime};
use diesel::{Connection, PgConnection, QueryableByName, RunQueryDsl, connection::SimpleConnection, sql_types::BigInt};
use futures_util::future::{join_all, try_join_all};
use store::{Db, Error, Migrations, Redis, StoreConfig, imports};
use tempfile::TempDir;
use testkit::servers::{Authority, Managed, make_roles};

/// As in the tests of `with-servers`: nothing of it need survive.
const SETTINGS: &[&str] = &["fsync=off", "shared_buffers=32MB"];

fn tt() -> Migrations {
    store::migrations!("../../migrations/tt/sqlite", "../../migrations/tt/postgres")
}

fn subscription() -> Migrations {
    store::migrations!("../../migrations/subscription/sqlite", "../../migrations/subscription/postgres")
}

#[derive(QueryableByName)]
struct Count {
    #[diesel(sql_type = BigInt)]
    n: i64,
}

/// The servers, and a folder that must outlive them.
fn servers() -> (Managed, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (Managed::start(folder.path(), SETTINGS).unwrap(), folder)
}

/// What a service is given: PostgreSQL at `url`, and Redis.
fn config(servers: &Managed, url: &str) -> StoreConfig {
    StoreConfig {
        database_url: Some(url.to_owned()),
        redis_url: Some(servers.redis_url.clone()),
        unnamed_statements: !servers.keeps_named_statements,
        stores_ca_file: Some(servers.authority.file.clone()),
        ..StoreConfig::sqlite("unused")
    }
}

/// PostgreSQL itself as `user`, with these parameters.
fn direct(servers: &Managed, user: &str, parameters: &str) -> String {
    format!("postgres://{user}@localhost:{}/postgres?{parameters}", servers.postgres_port)
}

async fn refusal(config: &StoreConfig) -> String {
    Db::open(config, "tt", tt()).await.err().expect("it is refused").to_string()
}

fn now() -> NaiveDateTime {
    NaiveDate::from_ymd_opt(2026, 11, 25).and_then(|day| day.and_hms_opt(12, 0, 0)).unwrap()
}

async fn number(db: &Db, query: &'static str) -> Result<i64, Error> {
    db.run(move |conn| Ok::<_, Error>(diesel::sql_query(query).get_result::<Count>(conn)?.n)).await
}

#[actix_web::test]
async fn connections_over_tls_are_verified_by_the_configured_authority() {
    let (servers, folder) = servers();
    let verified = config(&servers, &direct(&servers, "{service}", "sslmode=verify-full"));
    let db = Db::open(&verified, "tt", tt()).await.unwrap();
    assert_eq!(
        number(&db, "SELECT COUNT(*) AS n FROM pg_stat_ssl WHERE pid = pg_backend_pid() AND ssl").await.unwrap(),
        1
    );
    let redis = Redis::open(&verified).await.unwrap().unwrap();
    let started = Instant::now();
    // Redis is given a tenth of a second, which a busy machine may not keep to.
    while redis.count("tls", Duration::from_secs(600)).await.is_none() {
        assert!(started.elapsed() < Duration::from_secs(120), "Redis does not answer over TLS");
        tokio::time::sleep(Duration::from_millis(200)).await;
    }

    let other = Authority::make(&folder.path().join("other.pem")).unwrap();
    let other = StoreConfig { stores_ca_file: Some(other.file), ..verified.clone() };
    let system = StoreConfig { stores_ca_file: None, ..verified.clone() };
    let plain = config(&servers, &direct(&servers, "tt", "sslmode=disable"));
    let named = config(
        &servers,
        &direct(&servers, "tt", "sslmode=verify-full&hostaddr=127.0.0.1").replace("localhost", "elsewhere.example"),
    );
    let causes = join_all([&other, &system, &plain, &named].map(refusal)).await;
    let expected =
        ["certificate verify failed", "certificate verify failed", "no pg_hba.conf entry", "does not match host name"];
    for (cause, expected) in causes.iter().zip(expected) {
        assert!(cause.starts_with("DATABASE_URL: ") && cause.contains(expected), "{cause}");
    }
    for config in [other, system] {
        let redis = Redis::open(&config).await.unwrap().unwrap();
        for _ in 0..3 {
            assert_eq!(redis.count("tls", Duration::from_secs(600)).await, None);
            tokio::time::sleep(Duration::from_millis(1100)).await;
        }
    }
}

#[actix_web::test]
async fn replicas_share_connections_of_pgbouncer_and_one_of_them_migrates() {
    let (servers, _folder) = servers();
    let named = config(&servers, &servers.pooler_url);
    let unnamed = StoreConfig { unnamed_statements: true, ..named.clone() };
    let mut recorded = 0;
    for config in [&unnamed, &named] {
        // Four connections of PgBouncer for the 24 of three replicas.
        let replicas = try_join_all((0..3).map(|_| Db::open(config, "tt", tt()))).await.unwrap();
        let calls = (0..240).map(|n| {
            let db = replicas.get(n % 3).unwrap();
            async move {
                let service = format!("{n}");
                let written = service.clone();
                db.write(move |conn| Ok::<_, Error>(imports::record(conn, &written, "any", now())?)).await?;
                let latest = db.run(move |conn| Ok::<_, Error>(imports::latest(conn, &service)?)).await?;
                assert_eq!(latest.as_deref(), Some("any"), "a connection of another schema");
                db.run(|conn| Ok::<_, Error>(imports::version(conn)?)).await
            }
        });
        try_join_all(calls).await.unwrap();
        recorded += 240;
        let db = replicas.first().unwrap();
        assert_eq!(number(db, "SELECT COUNT(*) AS n FROM tt.imports").await.unwrap(), recorded);
        assert_eq!(
            number(db, "SELECT COUNT(*) AS n FROM pg_class WHERE relnamespace = 'public'::regnamespace").await.unwrap(),
            0
        );
    }
}

#[actix_web::test]
async fn role_without_a_schema_is_refused_behind_pgbouncer() {
    let (servers, _folder) = servers();
    let (_pgbouncer, port) = servers.pgbouncer("ignoring", "ignore_startup_parameters = options").unwrap();
    let refused = config(&servers, &servers.pooler_url.replace("{service}", "spaza"));
    let ignored = config(&servers, &format!("postgres://spaza@localhost:{port}/postgres?sslmode=verify-full"));
    for cause in join_all([&refused, &ignored].map(refusal)).await {
        assert!(cause.starts_with("DATABASE_URL: ") && cause.contains("deploy/roles"), "{cause}");
    }
    let shared = config(&servers, &direct(&servers, "spaza", "sslmode=verify-full"));
    let db = Db::open(&shared, "tt", tt()).await.unwrap();
    assert_eq!(number(&db, "SELECT COUNT(*) AS n FROM imports").await.unwrap(), 0, "without a pooler any role will do");
    assert_eq!(
        number(&db, "SELECT COUNT(*) AS n FROM pg_class WHERE relnamespace = 'public'::regnamespace").await.unwrap(),
        0
    );
}

#[actix_web::test]
async fn role_of_comedy_cannot_reach_the_ledger_and_reports_can_only_read_it() {
    let (servers, _folder) = servers();
    let config = config(&servers, &servers.pooler_url);
    Db::open(&config, "subscription", subscription()).await.unwrap();
    Db::open(&config, "tt", tt()).await.unwrap();
    let tls = format!("sslmode=verify-full&sslrootcert={}", servers.authority.file.display());
    for (role, statement, refused) in [
        ("subscription", "SELECT * FROM ledger", None),
        ("comedy", "SELECT * FROM subscription.ledger", Some("permission denied for schema subscription")),
        ("comedy", "UPDATE subscription.ledger SET cents = 0", Some("permission denied for schema subscription")),
        ("comedy", "DROP SCHEMA subscription CASCADE", Some("must be owner of schema subscription")),
        ("comedy", "SET ROLE subscription", Some("permission denied to set role")),
        ("comedy", "CREATE TABLE public.things (id BIGINT)", Some("permission denied for schema public")),
        ("reports", "SELECT * FROM subscription.ledger", None),
        ("reports", "UPDATE subscription.ledger SET cents = 0", Some("read-only transaction")),
        (
            "reports",
            "BEGIN READ WRITE; UPDATE subscription.ledger SET cents = 0",
            Some("permission denied for table ledger"),
        ),
        ("reports", "SELECT * FROM tt.videos", Some("permission denied for schema tt")),
    ] {
        let mut conn = PgConnection::establish(&direct(&servers, role, &tls)).unwrap();
        let outcome = conn.batch_execute(statement);
        match (outcome, refused) {
            (Ok(()), None) => {}
            (Err(error), Some(refused)) => assert!(error.to_string().contains(refused), "{role}: {statement}: {error}"),
            (outcome, _) => panic!("{role}: {statement}: {outcome:?}"),
        }
    }
}

/// Tables of before there were roles get their owners while services read them, which lock them in orders of their own.
#[test]
fn roles_take_over_tables_that_are_in_use() {
    let (servers, _folder) = servers();
    let mut conn = PgConnection::establish(&servers.database_url).unwrap();
    conn.batch_execute(
        "CREATE TABLE tt.one (id BIGINT); CREATE TABLE tt.two (id BIGINT); CREATE TABLE tt.three (id BIGINT)",
    )
    .unwrap();
    conn.batch_execute("BEGIN; LOCK TABLE tt.three IN ROW SHARE MODE").unwrap();
    std::thread::scope(|threads| {
        let made = threads.spawn(|| make_roles(&servers.database_url));
        let waiting = "SELECT COUNT(*) AS n FROM pg_locks WHERE NOT granted AND relation = 'tt.three'::regclass";
        let started = Instant::now();
        while diesel::sql_query(waiting).get_result::<Count>(&mut conn).unwrap().n == 0 {
            assert!(started.elapsed() < Duration::from_secs(120), "nothing waits for the table that is in use");
            std::thread::sleep(Duration::from_millis(5));
        }
        // It would wait for the tables whose owner is changed already, if they were still locked.
        conn.batch_execute("LOCK TABLE tt.one, tt.two IN ROW SHARE MODE; COMMIT").unwrap();
        made.join().unwrap().unwrap();
    });
    let owned = "SELECT COUNT(*) AS n FROM pg_tables WHERE schemaname = 'tt' AND tableowner = 'tt'";
    assert_eq!(diesel::sql_query(owned).get_result::<Count>(&mut conn).unwrap().n, 3);
}
