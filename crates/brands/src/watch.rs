//! Reloads the file when it changes: polls it every second and at SIGHUP, and applies it once it is complete and valid.
//!
//! Compares the text and not the modification time, which is unreliable when a symbolic link is swapped, as Kubernetes does.

use std::{
    path::{Path, PathBuf},
    pin::Pin,
    sync::{Arc, Weak},
    time::Duration,
};

use arc_swap::ArcSwap;
use service::machine;
use telemetry::names::BRANDS_REFUSED;

use crate::{Brands, table::Table};

/// How often the file is read.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// Rebuilds what depends on the brands, or returns the reason why it cannot, on one line.
type Prepare = Box<dyn Fn(Brands) -> Prepared + Send>;
type Prepared = Pin<Box<dyn Future<Output = Result<(), String>> + Send>>;

impl Brands {
    /// Applies changes of the file at `path` for as long as a clone of this exists. A file that is unreadable or invalid is logged as an
    /// error and changes nothing. Needs a tokio runtime.
    pub fn watch(&self, path: &Path) {
        self.watch_with(path, async |_| Ok(()));
    }

    /// As `watch`; before a new table is applied, `prepare` rebuilds what depends on the brands. If that fails, the file changes
    /// nothing.
    pub fn watch_with<F>(&self, path: &Path, prepare: impl Fn(Self) -> F + Send + 'static)
    where
        F: Future<Output = Result<(), String>> + Send + 'static,
    {
        let mut watcher = FileWatcher {
            path: path.to_owned(),
            table: Arc::downgrade(&self.0),
            prepare: Box::new(move |brands| Box::pin(prepare(brands))),
            last_text: self.0.load().text.clone(),
            pending_text: None,
            read_failures: 0,
            is_rejected: false,
        };
        let mut hangups = service::hangups();
        tokio::spawn(async move {
            loop {
                let reload = tokio::select! {
                    () = tokio::time::sleep(POLL_INTERVAL) => false,
                    Ok(()) = hangups.changed() => true,
                };
                if !watcher.poll(reload).await {
                    return;
                }
                metrics::gauge!(BRANDS_REFUSED).set(if watcher.is_refused() { 1.0 } else { 0.0 });
            }
        });
    }
}

struct FileWatcher {
    path: PathBuf,
    table: Weak<ArcSwap<Table>>,
    prepare: Prepare,
    /// The text that was applied or rejected last.
    last_text: String,
    /// A different text, read once: it may still be half written.
    pending_text: Option<String>,
    /// How many times in a row the file could not be read.
    read_failures: u32,
    /// Whether `last_text` was rejected.
    is_rejected: bool,
}

impl FileWatcher {
    /// Reads the file once. With `reload` a change is applied without waiting for a second read of the same text. Returns false when no
    /// clone of the brands is left.
    async fn poll(&mut self, reload: bool) -> bool {
        let Some(table) = self.table.upgrade() else { return false };
        let (file, path) = (self.path.clone(), self.path.display().to_string());
        let Ok(read) = machine::blocking(|| std::fs::read_to_string(file)).await else { return false };
        let text = match read {
            Ok(text) => text,
            Err(cause) => {
                self.read_failures = self.read_failures.saturating_add(1);
                // Not logged at the first failure: the file may be missing for a moment while it is replaced.
                if reload || self.read_failures == 2 {
                    tracing::error!(error = %cause, "{path} cannot be read; the brands stay as they were");
                }
                return true;
            }
        };
        self.read_failures = 0;
        if !reload {
            if text == self.last_text {
                self.pending_text = None;
                return true;
            }
            if self.pending_text.as_ref() != Some(&text) {
                self.pending_text = Some(text);
                return true;
            }
        }
        self.pending_text = None;
        self.last_text.clone_from(&text);
        let applied = self.apply(&table, text, &path).await;
        self.is_rejected = applied.is_err();
        match applied {
            Ok(count) => tracing::info!(brands.count = count, "the brands of {path} are in force"),
            Err(cause) => tracing::error!(error = cause, "{path} is refused; the brands stay as they were"),
        }
        true
    }

    /// Whether the brands stay as they were, because the file cannot be read or applied.
    fn is_refused(&self) -> bool {
        self.is_rejected || self.read_failures > 1
    }

    async fn apply(&mut self, table: &ArcSwap<Table>, text: String, path: &str) -> Result<usize, String> {
        let new = Arc::new(Table::parse(text, path).map_err(|error| error.to_string())?);
        (self.prepare)(Brands(Arc::new(ArcSwap::new(new.clone())))).await?;
        let count = new.brands.len();
        table.store(new);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAMILY: &str = include_str!("../../../deploy/brands.toml");

    fn watcher(path: &Path, brands: &Brands) -> FileWatcher {
        FileWatcher {
            path: path.to_owned(),
            table: Arc::downgrade(&brands.0),
            prepare: Box::new(|brands| {
                let is_unprepared = brands.by_label("unprepared").is_some();
                Box::pin(async move { if is_unprepared { Err("it cannot be prepared".to_owned()) } else { Ok(()) } })
            }),
            last_text: FAMILY.to_owned(),
            pending_text: None,
            read_failures: 0,
            is_rejected: false,
        }
    }

    #[tokio::test]
    async fn poll_applies_a_valid_text_to_every_clone_and_rejects_an_invalid_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("brands.toml");
        let brands = Brands::parse(FAMILY, "brands.toml").unwrap();
        let clone = brands.clone();
        let mut watcher = watcher(&path, &brands);
        let renamed = |label: &str| FAMILY.replace("[\"memeworld\"]", &format!("[\"{label}\"]"));
        let mut poll = async |text: &str, reload: bool| {
            std::fs::write(&path, text).unwrap();
            assert!(watcher.poll(reload).await);
            watcher.is_refused()
        };
        poll(&renamed("new"), false).await;
        assert!(clone.by_label("new").is_none(), "it may be half written");
        poll(&renamed("new"), false).await;
        assert!(clone.by_label("new").is_some() && clone.by_label("memeworld").is_none());
        for broken in ["public_url = ''", "[[", &renamed("unprepared"), &renamed("demo")] {
            assert!(poll(broken, true).await && poll(broken, false).await, "{broken}");
            assert!(clone.by_label("new").is_some(), "{broken}");
        }
        assert!(!poll(FAMILY, true).await);
        assert!(clone.by_label("memeworld").is_some());
        std::fs::remove_file(&path).unwrap();
        assert!(watcher.poll(true).await && watcher.poll(false).await && watcher.is_refused());
        assert!(clone.by_label("memeworld").is_some());
        std::fs::write(&path, FAMILY).unwrap();
        assert!(watcher.poll(false).await && !watcher.is_refused());
    }

    #[tokio::test]
    async fn poll_ends_when_the_brands_are_dropped() {
        let brands = Brands::parse(FAMILY, "brands.toml").unwrap();
        let mut watcher = watcher(Path::new("/nowhere"), &brands);
        drop(brands);
        assert!(!watcher.poll(false).await);
    }
}
