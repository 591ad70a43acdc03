//! The file as it changes: read every second and at SIGHUP, and in force as soon as it is whole and right.
//!
//! Its text is what is compared: time stamps are no use where a file is swapped by a symbolic link, as Kubernetes does.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Weak},
    time::Duration,
};

use arc_swap::ArcSwap;

use crate::{Brands, table::Table};

/// How often the file is looked at.
const EVERY: Duration = Duration::from_secs(1);

/// What depends on the brands is made anew by it, or says on one line why it cannot be.
type Prepare = Box<dyn Fn(&Brands) -> Result<(), String> + Send>;

impl Brands {
    /// Takes up what changes in the file at `path` for as long as there is a clone of this; a file that is unreadable, broken or
    /// contradicts itself is logged as an error and changes nothing. Needs a tokio runtime.
    pub fn follow(&self, path: &Path) {
        self.follow_with(path, |_| Ok(()));
    }

    /// As `follow`; just before a new table is in force, `prepare` makes from it what depends on the brands. Where that cannot be
    /// done the file changes nothing. It may block.
    pub fn follow_with(&self, path: &Path, prepare: impl Fn(&Self) -> Result<(), String> + Send + 'static) {
        let mut follower = Follower {
            path: path.to_owned(),
            table: Arc::downgrade(&self.0),
            prepare: Box::new(prepare),
            settled: self.0.load().text.clone(),
            unsettled: None,
            unreadable: 0,
        };
        let mut hangups = service::hangups();
        tokio::spawn(async move {
            loop {
                let asked = tokio::select! {
                    () = tokio::time::sleep(EVERY) => false,
                    Ok(()) = hangups.changed() => true,
                };
                let look = tokio::task::spawn_blocking(move || follower.look(asked).then_some(follower));
                match look.await {
                    Ok(Some(same)) => follower = same,
                    _ => return,
                }
            }
        });
    }
}

struct Follower {
    path: PathBuf,
    table: Weak<ArcSwap<Table>>,
    prepare: Prepare,
    /// The text that was taken up or refused last.
    settled: String,
    /// Another text, seen once: half of what somebody is just writing, perhaps.
    unsettled: Option<String>,
    /// How often in a row it could not be read.
    unreadable: u32,
}

impl Follower {
    /// Looks once; `asked` to, what it says counts at once. False when nobody needs the brands any more.
    fn look(&mut self, asked: bool) -> bool {
        let Some(table) = self.table.upgrade() else { return false };
        let path = self.path.display().to_string();
        let text = match std::fs::read_to_string(&self.path) {
            Ok(text) => text,
            Err(cause) => {
                self.unreadable = self.unreadable.saturating_add(1);
                // Not the first time: whoever swaps files may leave none there for a moment.
                if asked || self.unreadable == 2 {
                    tracing::error!(error = %cause, "{path} cannot be read; the brands stay as they were");
                }
                return true;
            }
        };
        self.unreadable = 0;
        if !asked {
            if text == self.settled {
                self.unsettled = None;
                return true;
            }
            if self.unsettled.as_ref() != Some(&text) {
                self.unsettled = Some(text);
                return true;
            }
        }
        self.unsettled = None;
        self.settled.clone_from(&text);
        match self.take(&table, text, &path) {
            Ok(count) => tracing::info!(brands.count = count, "the brands of {path} are in force"),
            Err(cause) => tracing::error!(error = cause, "{path} is refused; the brands stay as they were"),
        }
        true
    }

    fn take(&self, table: &ArcSwap<Table>, text: String, path: &str) -> Result<usize, String> {
        let new = Arc::new(Table::parse(text, path).map_err(|error| error.to_string())?);
        (self.prepare)(&Brands(Arc::new(ArcSwap::new(new.clone()))))?;
        let count = new.brands.len();
        table.store(new);
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAMILY: &str = include_str!("../../../deploy/brands.toml");

    fn follower(path: &Path, brands: &Brands) -> Follower {
        Follower {
            path: path.to_owned(),
            table: Arc::downgrade(&brands.0),
            prepare: Box::new(|brands| match brands.by_label("unprepared") {
                Some(_) => Err("it cannot be prepared".to_owned()),
                None => Ok(()),
            }),
            settled: FAMILY.to_owned(),
            unsettled: None,
            unreadable: 0,
        }
    }

    #[test]
    fn a_whole_text_is_in_force_for_every_clone_and_a_broken_one_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("brands.toml");
        let brands = Brands::parse(FAMILY, "brands.toml").unwrap();
        let clone = brands.clone();
        let mut follower = follower(&path, &brands);
        let renamed = |label: &str| FAMILY.replace("[\"memeworld\"]", &format!("[\"{label}\"]"));
        let mut look = |text: &str, asked: bool| {
            std::fs::write(&path, text).unwrap();
            assert!(follower.look(asked));
        };
        look(&renamed("new"), false);
        assert!(clone.by_label("new").is_none(), "it may be half written");
        look(&renamed("new"), false);
        assert!(clone.by_label("new").is_some() && clone.by_label("memeworld").is_none());
        for broken in ["public_url = ''", "[[", &renamed("unprepared"), &renamed("demo")] {
            look(broken, true);
            assert!(clone.by_label("new").is_some(), "{broken}");
        }
        look(FAMILY, true);
        assert!(clone.by_label("memeworld").is_some());
        std::fs::remove_file(&path).unwrap();
        assert!(follower.look(true) && follower.look(false));
        assert!(clone.by_label("memeworld").is_some());
    }

    #[test]
    fn it_ends_with_the_brands() {
        let brands = Brands::parse(FAMILY, "brands.toml").unwrap();
        let mut follower = follower(Path::new("/nowhere"), &brands);
        drop(brands);
        assert!(!follower.look(false));
    }
}
