//! Which database a service uses.

use std::path::PathBuf;

use service::StartError;

/// Where a service keeps its state.
#[derive(clap::Args, Clone)]
pub struct StoreConfig {
    /// `postgres://user:password@host/database`; unset: one SQLite file per service in DATA_DIR.
    #[arg(long, env = "DATABASE_URL", hide_env_values = true)]
    pub database_url: Option<String>,
    /// The folder of the SQLite files.
    #[arg(long, env = "DATA_DIR", default_value = "data")]
    pub data_dir: PathBuf,
    /// `redis://host:port`; unset: limits and caches are in this process only.
    #[arg(long, env = "REDIS_URL", hide_env_values = true)]
    pub redis_url: Option<String>,
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
        Self { database_url: None, data_dir: data_dir.into(), redis_url: None }
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

    /// The connection string of `owner`'s tables: its schema on PostgreSQL; its file on SQLite, whose folder is created.
    pub(crate) fn url_of(&self, owner: &'static str) -> Result<String, StartError> {
        let Some(text) = self.postgres() else {
            std::fs::create_dir_all(&self.data_dir).map_err(|cause| {
                StartError::Setting(format!("DATA_DIR: cannot make {}: {cause}", self.data_dir.display()))
            })?;
            return Ok(self.data_dir.join(format!("{owner}.db")).display().to_string());
        };
        let mut url = url::Url::parse(text)
            .map_err(|cause| StartError::Setting(format!("DATABASE_URL: not an address: {cause}")))?;
        if !matches!(url.scheme(), "postgres" | "postgresql") {
            return Err(StartError::Setting(format!(
                "DATABASE_URL: unknown engine {:?}, expected postgres",
                url.scheme()
            )));
        }
        // Percent-encoded by hand: libpq rejects the + that form encoding writes for a space.
        let options = format!("options=-csearch_path%3D{owner}&connect_timeout=5&application_name=spaza-{owner}");
        let query = match url.query() {
            Some(set) if !set.is_empty() => format!("{set}&{options}"),
            _ => options,
        };
        url.set_query(Some(&query));
        Ok(url.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url_of(url: &str) -> Result<String, String> {
        let config = StoreConfig { database_url: Some(url.to_owned()), ..StoreConfig::sqlite("data") };
        config.url_of("tt").map_err(|error| error.to_string())
    }

    #[test]
    fn url_of_postgres_sets_search_path_to_owner() {
        let url = url_of("postgres://u:p@h:5/d?sslmode=disable").unwrap();
        assert!(url.starts_with("postgres://u:p@h:5/d?sslmode=disable&options=-csearch_path%3Dtt"), "{url}");
    }

    #[test]
    fn url_of_unknown_engine_is_an_error_naming_the_variable() {
        for url in ["mysql://h/d", "nonsense"] {
            assert!(url_of(url).unwrap_err().starts_with("DATABASE_URL: "));
        }
    }
}
