//! Films and pictures that editors upload by the browser: they arrive in parts, films are transcoded, and they are published for a record that
//! names them.
//!
//! `tus` is the protocol by which a file arrives, and goes on after a cut or a restart. `list` shows uploads and changes films' posters. `worker`
//! transcodes one film at a time, checks it as `content doctor` does and publishes it as `content publish` does; `pictures` does so with
//! pictures, beside it; `captions` need no worker. `rows` is their table:
//!
//! uploading → waiting → transcoding (films) → checking → ready | failed
//!
//! The file itself says how much of it has arrived.

pub(crate) mod captions;
pub(crate) mod list;
pub(crate) mod pictures;
mod rows;
pub(crate) mod tus;
mod worker;

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use brands::{Brand, Brands, Kind};
use content::transcode::Programs;
use service::{StaffText, StartError};
use tokio::sync::{Notify, OwnedMutexGuard};

use crate::{
    error::Error,
    members::{Member, Role},
};

pub(crate) use worker::start;

/// How long a request waits for the end of an earlier one that writes the same file.
const TURN: Duration = Duration::from_secs(10);

/// Where uploads are kept, films go, and what the sites play and show is checked.
#[derive(clap::Args, Clone, Debug)]
pub struct UploadsConfig {
    /// The folder in which films arrive and are transcoded. Unset: `uploads` below DATA_DIR.
    #[arg(long, env = "UPLOADS_DIR")]
    pub uploads_dir: Option<PathBuf>,
    /// The most bytes of one film.
    #[arg(long, env = "UPLOAD_MAX_BYTES", default_value_t = 8 << 30)]
    pub upload_max_bytes: u64,
    /// The most bytes of all films that arrive or wait.
    #[arg(long, env = "UPLOADS_MAX_BYTES", default_value_t = 64 << 30)]
    pub uploads_max_bytes: u64,
    /// Where finished films go, as for `content publish`: `file:///folder`, `s3://…`, `gs://…` or `az://…`, which the gateway serves as /media/.
    /// Unset: no films can be uploaded.
    #[arg(long, env = "MEDIA_TARGET")]
    pub media_target: Option<String>,
    /// The public https address of uploaded pictures and of films' posters, and where they go: `https://host/path=file:///folder`, or a bucket as in MEDIA_TARGET.
    #[arg(long, env = "IMAGE_TARGET")]
    pub image_target: Option<String>,
    /// The location of the media that sites play, as for `content doctor`: a folder, `s3://…`, `gs://…`, `az://…` or `https://…`. Nothing is published that
    /// names a film which neither it nor MEDIA_TARGET has whole.
    #[arg(long, env = "MEDIA_DIR", default_value = "deploy/demo/media")]
    pub media_dir: String,
    /// The image origins that the sites show, as for the gateway, and the folder of each; without a folder (`https://host=`), its pictures are fetched.
    #[arg(long, env = "IMAGE_ORIGINS", default_value = "https://images.spaza.example=deploy/demo/images")]
    pub image_origins: String,
    /// The file with the brands and networks: whose films go where.
    #[arg(long, env = "BRANDS_FILE", default_value = "deploy/brands.toml")]
    pub brands_file: PathBuf,
}

impl Default for UploadsConfig {
    fn default() -> Self {
        Self {
            uploads_dir: None,
            upload_max_bytes: 8 << 30,
            uploads_max_bytes: 64 << 30,
            media_target: None,
            image_target: None,
            media_dir: "deploy/demo/media".to_owned(),
            image_origins: "https://images.spaza.example=deploy/demo/images".to_owned(),
            brands_file: PathBuf::from("deploy/brands.toml"),
        }
    }
}

/// The state of uploads.
#[derive(Clone)]
pub(crate) struct Uploads {
    dir: Arc<Path>,
    max_bytes: u64,
    quota_bytes: u64,
    /// None: no films can be uploaded here.
    films: Option<Arc<Films>>,
    /// Notified when a film has arrived, and when a picture has.
    film_wake: Arc<Notify>,
    picture_wake: Arc<Notify>,
    /// The film that is transcoded, and its programs.
    transcoding: Arc<Mutex<Option<(i64, Programs)>>>,
    writers: Arc<Mutex<HashMap<i64, Arc<Writer>>>>,
}

/// Where finished films go.
struct Films {
    brands: Brands,
    media_target: String,
    image_target: String,
    /// The public address of what is at `image_target`.
    image_address: String,
}

/// Who writes a file.
#[derive(Default)]
struct Writer {
    turn: Arc<tokio::sync::Mutex<()>>,
    /// Notified when a later request wants to write.
    replaced: Notify,
}

impl Uploads {
    pub(crate) fn open(config: &UploadsConfig, data_dir: &Path) -> Result<Self, StartError> {
        let setting = |name: &str, cause: &str| StartError::Setting(format!("{name}: {cause}"));
        let dir = config.uploads_dir.clone().unwrap_or_else(|| data_dir.join("uploads"));
        let films = match (set(config.media_target.as_deref()), set(config.image_target.as_deref())) {
            (None, None) => None,
            (Some(_), None) => return Err(setting("IMAGE_TARGET", "not set, and MEDIA_TARGET is")),
            (None, Some(_)) => return Err(setting("MEDIA_TARGET", "not set, and IMAGE_TARGET is")),
            (Some(media_target), Some(images)) => {
                let (address, target) =
                    images
                        .split_once('=')
                        .filter(|(address, _)| address.starts_with("https://"))
                        .ok_or_else(|| setting("IMAGE_TARGET", "is not of the form https://host/path=target"))?;
                for (name, target) in [("MEDIA_TARGET", media_target), ("IMAGE_TARGET", target)] {
                    content::publish::Target::open(target).map_err(|cause| setting(name, &cause))?;
                }
                let brands =
                    Brands::load(&config.brands_file).map_err(|cause| setting("BRANDS_FILE", &cause.to_string()))?;
                std::fs::create_dir_all(&dir)
                    .map_err(|cause| setting("UPLOADS_DIR", &format!("{}: {cause}", dir.display())))?;
                let plain = |text: &str| text.trim_end_matches('/').to_owned();
                Some(Arc::new(Films {
                    brands,
                    media_target: plain(media_target),
                    image_target: plain(target),
                    image_address: plain(address),
                }))
            }
        };
        Ok(Self {
            dir: dir.into(),
            max_bytes: config.upload_max_bytes,
            quota_bytes: config.uploads_max_bytes,
            films,
            film_wake: Arc::default(),
            picture_wake: Arc::default(),
            transcoding: Arc::default(),
            writers: Arc::default(),
        })
    }

    fn films(&self) -> Result<&Arc<Films>, Error> {
        self.films.as_ref().ok_or(Error::NotPossible(StaffText::new("no-media-target")))
    }

    /// The file as it arrives.
    fn source(&self, folder: &str) -> PathBuf {
        self.dir.join(format!("{folder}.upload"))
    }

    /// A part of it whose checksum is not known to be right yet.
    fn part(&self, folder: &str) -> PathBuf {
        self.dir.join(format!("{folder}.part"))
    }

    /// The folder of the pictures to choose a poster from.
    fn stills(&self, folder: &str) -> PathBuf {
        self.dir.join("stills").join(folder)
    }

    /// The bytes that have arrived; none where there is no file.
    async fn arrived(&self, folder: &str) -> Option<u64> {
        tokio::fs::metadata(self.source(folder)).await.ok().map(|known| known.len())
    }

    /// Deletes what there is of an upload on this machine, but not the finished film.
    async fn delete_files(&self, folder: &str) {
        for file in [self.source(folder), self.part(folder)] {
            let _ = tokio::fs::remove_file(file).await;
        }
        let _ = tokio::fs::remove_dir_all(self.stills(folder)).await;
    }

    /// Ends an earlier request that still writes the file, as after a cut that the server has not noticed, and keeps others from writing until
    /// the guard is dropped.
    async fn take_turn(&self, id: i64) -> Result<(Arc<Writer>, OwnedMutexGuard<()>), Error> {
        let writer = {
            let mut writers = self.writers.lock().unwrap_or_else(PoisonError::into_inner);
            Arc::clone(writers.entry(id).or_default())
        };
        writer.replaced.notify_waiters();
        let guard = tokio::time::timeout(TURN, Arc::clone(&writer.turn).lock_owned()).await;
        let guard = guard.map_err(|_| Error::Upload(423, "locked", StaffText::new("file-locked")))?;
        Ok((writer, guard))
    }

    /// Wakes the worker of this kind of uploads.
    fn wake(&self, kind: &str) {
        match kind {
            rows::PICTURE => self.picture_wake.notify_one(),
            _ => self.film_wake.notify_one(),
        }
    }

    fn set_transcoding(&self, film: Option<(i64, Programs)>) {
        *self.transcoding.lock().unwrap_or_else(PoisonError::into_inner) = film;
    }

    /// Ends the programs that transcode this film.
    fn stop_transcoding(&self, id: i64) {
        let transcoding = self.transcoding.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, programs)) = transcoding.as_ref().filter(|(film, _)| *film == id) {
            programs.stop();
        }
    }

    fn forget(&self, id: i64) {
        self.writers.lock().unwrap_or_else(PoisonError::into_inner).remove(&id);
    }
}

impl Films {
    /// The brand that shows films under this name.
    fn brand(&self, service: &str) -> Option<Arc<Brand>> {
        self.any_brand(service).filter(|brand| brand.kind != Kind::Meme)
    }

    /// The brand with this name.
    fn any_brand(&self, service: &str) -> Option<Arc<Brand>> {
        self.brands.iter().find(|brand| brand.has_name(service))
    }
}

/// A setting that is not empty.
pub(crate) fn set(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
}

/// Whether a person may see an upload: publishers see all.
fn may_see(member: &Member, row: &rows::Row) -> bool {
    row.staff_id == member.id || member.roles.contains(&Role::Publisher)
}
