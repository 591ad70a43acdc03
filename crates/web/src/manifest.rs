//! What every catalogue asks of a manifest's entries before it takes any of them in.

use std::collections::HashSet;

use serde::Deserialize;
use utoipa::ToSchema;

use crate::Problem;

/// Who finds a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[schema(as = ManifestState)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// Everybody: it stands in lists and is drawn.
    #[default]
    Listed,
    /// Who has its address: it stands in no list and is never drawn.
    Unlisted,
    /// Nobody.
    Deleted,
}

/// The word of a record that everybody finds.
pub const LISTED: &str = State::Listed.as_str();

/// The word of a record that nobody finds.
pub const DELETED: &str = State::Deleted.as_str();

impl State {
    /// The word a manifest and the database use.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Listed => "listed",
            Self::Unlisted => "unlisted",
            Self::Deleted => "deleted",
        }
    }
}

/// An editors' key: lower case letters, digits and dashes.
pub fn slug(slug: &str) -> Result<(), Problem> {
    let plain = slug.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    if plain && !slug.is_empty() && slug.len() <= 100 {
        Ok(())
    } else {
        Err(Problem::unprocessable(format!("{slug:?} is not a slug: use lower case letters, digits and dashes.")))
    }
}

/// An image's address: `https://…`, as nothing else is ever shown.
pub fn image(slug: &str, address: &str) -> Result<(), Problem> {
    if address.starts_with("https://") && !address.contains(char::is_whitespace) {
        Ok(())
    } else {
        Err(Problem::unprocessable(format!("{slug}: the image {address:?} is not an https address.")))
    }
}

/// A stream's path below the media folder: in the brand's own folder, and never out of it.
pub fn media(slug: &str, path: &str, folder: &str) -> Result<(), Problem> {
    let mut parts = path.split('/');
    let inside = parts.next() == Some(folder)
        && parts.clone().count() > 0
        && parts.all(|part| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', '%', '?', '#', '\0']));
    if inside {
        Ok(())
    } else {
        Err(Problem::unprocessable(format!("{slug}: the media path {path:?} is not a file below {folder}/.")))
    }
}

/// No key stands twice.
pub fn no_twins<'a>(slugs: impl Iterator<Item = &'a str>) -> Result<(), Problem> {
    let mut seen = HashSet::new();
    for slug in slugs {
        if !seen.insert(slug) {
            return Err(Problem::unprocessable(format!("The slug {slug:?} stands twice.")));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_media_path_stays_in_its_brands_folder() {
        assert!(media("x", "mcfunny/a/b.mp4", "mcfunny").is_ok());
        for path in [
            "",
            "mcfunny",
            "mcfunny/",
            "raceday/a.mp4",
            "mcfunny/../a.mp4",
            "/mcfunny/a.mp4",
            "mcfunny/%2e%2e/a",
            "mcfunny/.a",
        ] {
            assert!(media("x", path, "mcfunny").is_err(), "{path}");
        }
    }

    #[test]
    fn keys_are_plain_and_single() {
        assert!(slug("late-taxi-2").is_ok());
        for text in ["", "Late", "a b", "a/b", "ä"] {
            assert!(slug(text).is_err(), "{text}");
        }
        assert!(no_twins(["a", "b"].into_iter()).is_ok());
        assert!(no_twins(["a", "a"].into_iter()).is_err());
        assert!(image("x", "http://a/b").is_err() && image("x", "https://a/b").is_ok());
    }
}
