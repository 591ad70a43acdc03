//! `content doctor`: checks that everything that the services list can be served: media exist, decode and have the size and length that
//! their records state, captions parse, and pictures decode.

pub mod captions;
mod catalogue;
mod decode;
mod film;
mod media_store;
mod new_media;
pub(crate) mod picture;
mod stream;

use std::path::Path;

use brands::Brands;
use futures_util::{StreamExt, stream as streams};

pub use media_store::MediaStore;
pub use new_media::{MediaFault, NewMediaCheck, NewRecord};
pub use picture::{Pictures, origins};
pub use stream::{is_below, plain_file};

use crate::{CallError, Services, transcode::Rendition};

/// A film, as its record has it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Picture {
    pub address: String,
    /// Whether all records are checked; of memes, of which there are many, only the first are.
    pub whole: bool,
}

/// The listed content of a service that is checked.
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
    /// The problem, as a sentence.
    pub what: String,
}

/// The settings of a check.
pub struct Doctor {
    /// The stores of the media: a file is looked for in each, as the gateway does.
    pub media: Vec<MediaStore>,
    /// The locations of the pictures.
    pub pictures: Pictures,
    /// Whether every second of every film is decoded, and not only its beginning, middle and end.
    pub whole: bool,
    /// Records that are checked at the same time.
    pub concurrency: usize,
}

/// The problems of a rendition in a folder of this machine that no record names yet.
pub async fn check_rendition(folder: &Path, rendition: &Rendition) -> Vec<String> {
    let bytes = i64::try_from(rendition.fallback_bytes).unwrap_or(i64::MAX);
    // Lengths of films are far below what an i64 holds.
    let seconds = rendition.duration_s.round() as i64;
    let film = Film { address: "/media/master.m3u8".to_owned(), seconds, bytes, captions: None };
    film::examine(&MediaStore::Folder(folder.to_owned()), &film, false).await
}

impl Doctor {
    /// An error says why this machine cannot check media.
    pub fn is_ready() -> Result<(), String> {
        decode::check_ffprobe()
    }

    /// Checks everything that one service lists, or all of them; calls `seen` with each checked record and its problems.
    /// Never more than a page of records is in memory.
    pub async fn examine(
        &self,
        brands: &Brands,
        services: &Services,
        service: Option<&str>,
        mut seen: impl FnMut(Vec<Finding>),
    ) -> Result<(), CallError> {
        let mut pages = catalogue::Pages::of(brands, services, service)?;
        while let Some(page) = pages.next().await? {
            let mut checks =
                streams::iter(page.into_iter().map(|listed| self.check(listed))).buffered(self.concurrency);
            while let Some(findings) = checks.next().await {
                seen(findings);
            }
        }
        Ok(())
    }

    /// The store that has the file at an address below `/media/`; the first, if none has it.
    async fn store_of(&self, address: &str) -> Result<&MediaStore, String> {
        let name = address.strip_prefix("/media/").unwrap_or(address);
        let (folder, file) = name.rsplit_once('/').unwrap_or(("", name));
        let mut trouble = Ok(());
        for store in &self.media {
            match store.sizes(folder, &[file.to_owned()]).await {
                Ok(sizes) if sizes.is_empty() => {}
                Ok(_) => return Ok(store),
                Err(cause) => trouble = Err(cause),
            }
        }
        trouble?;
        self.media.first().ok_or_else(|| "has no media folder to be in".to_owned())
    }

    async fn check(&self, listed: Listed) -> Vec<Finding> {
        let mut wrong = Vec::new();
        if let Some(film) = &listed.film {
            match self.store_of(&film.address).await {
                Ok(store) => wrong.extend(film::examine(store, film, self.whole).await),
                Err(cause) => wrong.push(format!("{}: {cause}", film.address)),
            }
            wrong.extend(self.check_captions(film).await.err());
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
