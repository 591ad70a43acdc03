//! Which database a service uses.

use std::{
    fs::OpenOptions,
    os::unix::fs::OpenOptionsExt as _,
    path::{Path, PathBuf},
};

use clap::{ArgAction, builder::BoolishValueParser};
use service::StartError;

use crate::connection::Connector;

/// What stands for the service's name in `DATABASE_URL`.
const SERVICE: &str = "{service}";

/// As many as a service with two processors uses at a time.
const CONNECTIONS: u16 = 8;

/// Where a service keeps its state.
#[derive(clap::Args, Clone)]
pub struct StoreConfig {
    /// `postgres://user:password@host/database`, with `sslmode=verify-full` where it is not on this machine; `{service}` stands for the
    /// service's name; absent means one SQLite file per service below DATA_DIR.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<String>,
    /// Sends statements to PostgreSQL without names (1 or 0): for a pooler in transaction mode that does not keep named ones, such as
    /// PgBouncer before 1.21.
    #[arg(long, env = "UNNAMED_STATEMENTS", default_value = "0", value_parser = BoolishValueParser::new(), action = ArgAction::Set)]
    pub unnamed_statements: bool,
    /// The most connections of one process to the database of each service.
    #[arg(long, env = "DATABASE_CONNECTIONS", default_value_t = CONNECTIONS, value_parser = clap::value_parser!(u16).range(2..=100))]
    pub database_connections: u16,
    /// Folder of the SQLite files and, of `make run`, the key of sessions.
    #[arg(long, env = "DATA_DIR", default_value = "data")]
    pub data_dir: PathBuf,
    /// `redis://host:port`, or `rediss://` for TLS; absent means limits and caches are kept in this process alone.
    #[arg(long, env = "REDIS_URL", hide_env_values = true)]
    pub redis_url: Option<String>,
    /// PEM file of the authorities whose certificates PostgreSQL and Redis must have; absent means this machine's.
    #[arg(long, env = "STORES_CA_FILE")]
    pub stores_ca_file: Option<PathBuf>,
}

impl std::fmt::Debug for StoreConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Database and Redis addresses may carry passwords.
        f.debug_struct("StoreConfig")
            .field("postgres", &self.postgres().is_some())
            .field("redis", &self.redis_url.is_some())
            .field("data_dir", &self.data_dir)
            .finish()
    }
}

impl StoreConfig {
    /// State in SQLite files below `data_dir`.
    pub fn sqlite(data_dir: impl Into<PathBuf>) -> Self {
        Self {
            database_url: None,
            unnamed_statements: false,
            database_connections: CONNECTIONS,
            data_dir: data_dir.into(),
            redis_url: None,
            stores_ca_file: None,
        }
    }

    /// The URL of the PostgreSQL server. A variable set to the empty string counts as unset.
    pub(crate) fn postgres(&self) -> Option<&str> {
        self.database_url.as_deref().filter(|url| !url.is_empty())
    }

    /// A key for the database that `owner`'s replicas share. `None` on SQLite, whose file belongs to one process.
    pub(crate) fn shared_namespace(&self, owner: &str) -> Option<String> {
        let url = self.postgres()?;
        Some(format!("{owner}:{:032x}", xxhash_rust::xxh3::xxh3_128(url.as_bytes())))
    }

    /// The URL of the Redis server. A variable set to the empty string counts as unset.
    pub(crate) fn redis(&self) -> Option<&str> {
        self.redis_url.as_deref().filter(|url| !url.is_empty())
    }

    /// The file of certificate authorities. A variable set to the empty string counts as unset.
    pub(crate) fn ca_file(&self) -> Result<Option<&Path>, StartError> {
        let file = self.stores_ca_file.as_deref().filter(|path| !path.as_os_str().is_empty());
        if let Some(Err(cause)) = file.map(std::fs::File::open) {
            let path = file.unwrap_or(Path::new("")).display();
            return Err(StartError::Setting(format!("STORES_CA_FILE: cannot read {path}: {cause}")));
        }
        Ok(file)
    }

    /// How connections to `owner`'s tables are opened; on SQLite the folder of its file is created.
    pub(crate) fn connector(&self, owner: &'static str) -> Result<Connector, StartError> {
        let url = match self.postgres() {
            Some(text) => self.libpq_url(text, owner)?,
            None => {
                std::fs::create_dir_all(&self.data_dir).map_err(|cause| {
                    StartError::Setting(format!("DATA_DIR: cannot make {}: {cause}", self.data_dir.display()))
                })?;
                let file = self.data_dir.join(format!("{owner}.db"));
                // It has personal data. SQLite makes its log with the file's own mode.
                OpenOptions::new().append(true).create(true).mode(0o600).open(&file).map_err(|cause| {
                    StartError::Setting(format!("DATA_DIR: cannot open {}: {cause}", file.display()))
                })?;
                file.display().to_string()
            }
        };
        Ok(Connector { owner, url, unnamed_statements: self.unnamed_statements })
    }

    /// `DATABASE_URL` with what every connection of `owner` asks of libpq.
    fn libpq_url(&self, text: &str, owner: &str) -> Result<String, StartError> {
        let mut url = url::Url::parse(&text.replace(SERVICE, owner))
            .map_err(|cause| StartError::Setting(format!("DATABASE_URL: not an address: {cause}")))?;
        if !matches!(url.scheme(), "postgres" | "postgresql") {
            return Err(StartError::Setting(format!(
                "DATABASE_URL: unknown engine {:?}, expected postgres",
                url.scheme()
            )));
        }
        let mut query = url.query().filter(|set| !set.is_empty()).map_or_else(String::new, |set| format!("{set}&"));
        query.push_str(&format!("connect_timeout=5&application_name=spaza-{owner}"));
        if let Some(file) = self.postgres_authorities(&url)? {
            // libpq rejects the + that form encoding writes for a space.
            let path: String = url::form_urlencoded::byte_serialize(file.as_os_str().as_encoded_bytes()).collect();
            query.push_str(&format!("&sslrootcert={}", path.replace('+', "%20")));
        }
        url.set_query(Some(&query));
        Ok(url.into())
    }

    /// The file of authorities that libpq verifies PostgreSQL's certificate by: the configured one, or the system's where the URL asks to
    /// verify. `None` where the URL names one itself, or asks for no verification.
    fn postgres_authorities(&self, url: &url::Url) -> Result<Option<PathBuf>, StartError> {
        let set = |name: &str| url.query_pairs().find(|(key, _)| key == name).map(|(_, value)| value.into_owned());
        if set("sslrootcert").is_some() {
            return Ok(None);
        }
        if let Some(file) = self.ca_file()? {
            return Ok(Some(file.to_owned()));
        }
        // libpq is built with an OpenSSL that does not know where this machine keeps its authorities.
        let verifies = set("sslmode").is_some_and(|mode| mode.starts_with("verify-"));
        Ok(verifies.then(|| openssl_probe::probe().cert_file).flatten())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn libpq_url(url: &str, ca_file: Option<&str>) -> Result<String, String> {
        let config = StoreConfig {
            database_url: Some(url.to_owned()),
            stores_ca_file: ca_file.map(PathBuf::from),
            ..StoreConfig::sqlite("data")
        };
        config.connector("tt").map(|connector| connector.url).map_err(|error| error.to_string())
    }

    #[test]
    fn libpq_url_keeps_what_is_set_and_names_the_service() {
        for (url, expected) in [
            (
                "postgres://u:p@h:5/d?sslmode=disable",
                "postgres://u:p@h:5/d?sslmode=disable&connect_timeout=5&application_name=spaza-tt",
            ),
            ("postgres://{service}@h/d", "postgres://tt@h/d?connect_timeout=5&application_name=spaza-tt"),
        ] {
            assert_eq!(libpq_url(url, None).unwrap(), expected);
        }
    }

    #[test]
    fn libpq_url_names_the_authorities_unless_the_url_does() {
        let root = |url, file| {
            let url = url::Url::parse(&libpq_url(url, file).unwrap()).unwrap();
            url.query_pairs().find(|(key, _)| key == "sslrootcert").map(|(_, file)| file.into_owned())
        };
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a b+c.pem").display().to_string();
        assert!(libpq_url("postgres://h/d", Some(&file)).unwrap_err().starts_with("STORES_CA_FILE: "));
        std::fs::write(&file, "").unwrap();
        assert_eq!(root("postgres://h/d?sslmode=verify-full", Some(&file)).unwrap(), file);
        assert_eq!(root("postgres://h/d?sslrootcert=own.pem", Some(&file)).unwrap(), "own.pem");
        let system = openssl_probe::probe().cert_file.map(|file| file.display().to_string());
        assert_eq!(root("postgres://h/d?sslmode=verify-full", Some("")), system);
        assert_eq!(root("postgres://h/d?sslmode=require", None), None);
    }

    #[test]
    fn libpq_url_of_unknown_engine_is_an_error_naming_the_variable() {
        for url in ["mysql://h/d", "nonsense"] {
            assert!(libpq_url(url, None).unwrap_err().starts_with("DATABASE_URL: "));
        }
    }
}
