//! PostgreSQL and Redis as a provider offers them: TLS with certificates of an authority that the system does not know, PgBouncer in
//! transaction mode in front, and the roles that `deploy/roles` makes.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::{Authority, Fault, PgBouncer, Postgres, Redis, start};

/// The roles of `deploy/roles`, and the superuser.
const ROLES: [&str; 8] = ["comedy", "diski", "meme", "tt", "subscription", "operator_sandbox", "reports", "spaza"];

/// All of them, running.
pub struct Managed {
    /// The authority of all certificates.
    pub authority: Authority,
    /// PostgreSQL itself, as the superuser; the roles have their schemas in every database that is made there.
    pub database_url: String,
    /// PgBouncer, each service as its own role.
    pub pooler_url: String,
    /// Whether PgBouncer keeps named statements.
    pub keeps_named_statements: bool,
    /// Redis.
    pub redis_url: String,
    /// The port of PostgreSQL.
    pub postgres_port: u16,
    folder: PathBuf,
    // In the order in which they are stopped.
    _pgbouncer: PgBouncer,
    _postgres: Postgres,
    _redis: Redis,
}

impl Managed {
    /// Starts all of them in an empty folder.
    pub fn start(folder: &Path, settings: &[&str]) -> Result<Self, Fault> {
        let mut postgres = Postgres::make(folder)?;
        let authority = Authority::make(&folder.join("authority.pem"))?;
        postgres.require_tls(&authority)?;
        let launch = |postgres: &mut Postgres, port| postgres.launch(port, settings);
        let port = start("PostgreSQL", &mut postgres, launch, Postgres::answers, Postgres::has_ended);
        let postgres_port = port.map_err(|error| format!("{error}\n{}", postgres.log()))?;
        let tls = format!("sslmode=verify-full&sslrootcert={}", authority.file.display());
        // What template1 has, every new database has.
        for database in ["template1", "postgres"] {
            make_roles(&format!("postgres://spaza@127.0.0.1:{postgres_port}/{database}?{tls}"))?;
        }
        let (mut pgbouncer, pooler_port) = start_pgbouncer(folder, &authority, postgres_port, "")?;
        let mut redis = Redis::with_tls(folder, &authority)?;
        let redis_port = start("Redis", &mut redis, Redis::launch, Redis::answers, Redis::has_ended)?;
        Ok(Self {
            database_url: format!("postgres://spaza@127.0.0.1:{postgres_port}/postgres?{tls}"),
            pooler_url: format!("postgres://{{service}}@localhost:{pooler_port}/postgres?sslmode=verify-full"),
            keeps_named_statements: pgbouncer.keeps_named_statements && !pgbouncer.has_ended(),
            redis_url: format!("rediss://localhost:{redis_port}"),
            postgres_port,
            folder: folder.to_owned(),
            authority,
            _pgbouncer: pgbouncer,
            _postgres: postgres,
            _redis: redis,
        })
    }

    /// A further PgBouncer before the same PostgreSQL, with these lines in its configuration, and its port.
    pub fn pgbouncer(&self, name: &str, settings: &str) -> Result<(PgBouncer, u16), Fault> {
        let folder = self.folder.join(name);
        std::fs::create_dir(&folder).map_err(|error| error.to_string())?;
        if let Some((uid, gid)) = super::postgres::unprivileged()? {
            std::os::unix::fs::chown(&folder, Some(uid), Some(gid)).map_err(|error| error.to_string())?;
        }
        start_pgbouncer(&folder, &self.authority, self.postgres_port, settings)
    }
}

fn start_pgbouncer(folder: &Path, authority: &Authority, port: u16, settings: &str) -> Result<(PgBouncer, u16), Fault> {
    let mut pgbouncer = PgBouncer::new(folder, authority, port, &ROLES, settings)?;
    let port = start("PgBouncer", &mut pgbouncer, PgBouncer::launch, PgBouncer::answers, PgBouncer::has_ended);
    let port = port.map_err(|error| format!("{error}\n{}", pgbouncer.log()))?;
    Ok((pgbouncer, port))
}

/// The documented step: `deploy/roles`, by a role that may make roles.
pub fn make_roles(database_url: &str) -> Result<(), Fault> {
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/roles");
    let output = Command::new(program).env("DATABASE_URL", database_url).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("deploy/roles: {error}"))?;
    if !output.status.success() {
        return Err(format!("deploy/roles: {}", String::from_utf8_lossy(&output.stderr).trim()));
    }
    Ok(())
}
