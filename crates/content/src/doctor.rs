//! `content doctor`: whether everything that the services list can be shown: media are there, play and are as large and long as is said
//! of them, captions can be read, and pictures are pictures.

mod captions;
mod catalogue;
mod film;
mod picture;
mod place;
mod playable;
mod stream;

use brands::Brands;
use futures_util::{StreamExt, stream as streams};

pub use picture::{Pictures, origins};
pub use place::Place;
pub use stream::is_below;

use crate::{CallError, Services};

/// A film, as its record has it.
#[derive(Clone, Debug)]
pub(crate) struct Film {
    /// Its address on the site, below `/media/`.
    pub address: String,
    /// Length in seconds.
    pub seconds: i64,
    /// Bytes.
    pub bytes: i64,
    /// The address of its captions, where it has any.
    pub captions: Option<String>,
}

/// A picture, as a record has it.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    pub address: String,
    /// Whether all of it is looked at; of memes, of which there are a great many, only the beginning is.
    pub whole: bool,
}

/// What a service lists, as far as it can be looked at.
#[derive(Clone, Debug)]
pub(crate) struct Listed {
    pub service: String,
    pub kind: &'static str,
    pub id: i64,
    pub film: Option<Film>,
    pub picture: Option<Picture>,
}

/// One thing that is wrong with one record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The service.
    pub service: String,
    /// The kind of record.
    pub kind: &'static str,
    /// Its id.
    pub id: i64,
    /// What is wrong, in words for a person.
    pub what: String,
}

/// What there is to look at, and where.
pub struct Doctor {
    /// Where the media are.
    pub media: Place,
    /// Where the pictures are.
    pub pictures: Pictures,
    /// Whether every second of every film is decoded, and not only its beginning, middle and end.
    pub whole: bool,
    /// Records that are looked at together.
    pub at_once: usize,
}

impl Doctor {
    /// Fails in a sentence where nothing can be looked at by this machine.
    pub fn is_ready() -> Result<(), String> {
        playable::is_there()
    }

    /// Looks at everything that one service lists, or all of them; `seen` is told each record that was looked at, with what is wrong
    /// with it. Never more than a page of records is in memory.
    pub async fn examine(
        &self,
        brands: &Brands,
        services: &Services,
        service: Option<&str>,
        mut seen: impl FnMut(Vec<Finding>),
    ) -> Result<(), CallError> {
        let mut pages = catalogue::Pages::of(brands, services, service)?;
        while let Some(page) = pages.next().await? {
            let mut looks = streams::iter(page.into_iter().map(|listed| self.look(listed))).buffered(self.at_once);
            while let Some(findings) = looks.next().await {
                seen(findings);
            }
        }
        Ok(())
    }

    async fn look(&self, listed: Listed) -> Vec<Finding> {
        let mut wrong = Vec::new();
        if let Some(film) = &listed.film {
            wrong.extend(film::examine(&self.media, film, self.whole).await);
            wrong.extend(captions::examine(&self.media, film).await.err());
        }
        if let Some(picture) = &listed.picture
            && let Err(cause) = self.pictures.examine(picture).await
        {
            wrong.push(format!("{}: {cause}", picture.address));
        }
        let Listed { service, kind, id, .. } = listed;
        wrong.into_iter().map(|what| Finding { service: service.clone(), kind, id, what }).collect()
    }
}
