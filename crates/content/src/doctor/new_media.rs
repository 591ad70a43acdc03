//! The media of records that are to go live: each distinct film, captions file and picture is checked once, however many records name it.

use std::{
    collections::HashSet,
    fmt,
    hash::{BuildHasher, RandomState},
    time::Duration,
};

use catalogue::import::{Action, Change, DifferenceQuery, NewMedia, NewMediaList, RecordMedia};
use futures_util::{StreamExt, stream};

use super::{Doctor, Film, Picture, captions, decode, film};

/// How long the check of one file may take.
const PATIENCE: Duration = Duration::from_secs(60);

/// Different problems after which no more are looked for.
const MAX_FAULTS: usize = 20;

/// Lines that a problem names.
const NAMED_LINES: usize = 3;

/// A record that is to go live.
#[derive(Clone, Debug)]
pub struct NewRecord {
    /// The kind of record.
    pub kind: String,
    /// Its key.
    pub slug: String,
    /// Its line in a file.
    pub line: Option<i64>,
    /// What it names.
    pub media: RecordMedia,
}

/// A file that records name and that cannot be played or seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MediaFault {
    /// The field that names it: `media`, `captions` or `image`.
    pub field: &'static str,
    /// The problem, as a sentence.
    pub what: String,
    /// The kind and the key of the first record that names it.
    pub record: (String, String),
    /// The lines of the first records that name it, in a file.
    pub lines: Vec<i64>,
    /// How many records name it.
    pub records: u64,
}

impl fmt::Display for MediaFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        let Some((first, others)) = self.lines.split_first() else { return Ok(()) };
        let plural = if others.is_empty() { "" } else { "s" };
        write!(f, " (line{plural} {first}")?;
        others.iter().try_for_each(|line| write!(f, ", {line}"))?;
        match self.records.saturating_sub(self.lines.len() as u64) {
            0 => f.write_str(")"),
            more => write!(f, " and {more} more)"),
        }
    }
}

/// One file, with what its record says of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum File {
    Film(Film),
    Captions(Film),
    Picture(Picture),
}

impl File {
    fn field(&self) -> &'static str {
        match self {
            Self::Film(_) => "media",
            Self::Captions(_) => "captions",
            Self::Picture(_) => "image",
        }
    }

    /// The files of a record.
    fn of(record: &NewRecord) -> Vec<Self> {
        let RecordMedia { media, captions, image, duration_s, bytes, .. } = &record.media;
        let address = |path: &String| format!("/media/{path}");
        let (seconds, bytes) = (*duration_s, *bytes);
        let film = media.as_ref().map(|path| Film { address: address(path), seconds, bytes, captions: None });
        let words = film.clone().zip(captions.as_ref()).map(|(film, path)| Film {
            captions: Some(address(path)),
            address: String::new(),
            bytes: 0,
            ..film
        });
        let picture = image.clone().map(|address| Picture { address, whole: true });
        film.map(Self::Film).into_iter().chain(words.map(Self::Captions)).chain(picture.map(Self::Picture)).collect()
    }
}

/// A check of records, which come in any number of parts.
pub struct NewMediaCheck<'d> {
    doctor: &'d Doctor,
    hasher: RandomState,
    /// Hashes of the files that were checked: a manifest may name millions.
    seen: HashSet<u64>,
    faults: Vec<(File, MediaFault)>,
}

impl Doctor {
    /// Begins the check of records that are to go live.
    pub fn check_new_media(&self) -> NewMediaCheck<'_> {
        NewMediaCheck { doctor: self, hasher: RandomState::new(), seen: HashSet::new(), faults: Vec::new() }
    }

    async fn check_file(&self, file: &File) -> Vec<String> {
        let (noun, address) = match file {
            File::Film(film) => ("film", film.address.trim_start_matches("/media/")),
            File::Captions(film) => {
                ("captions file", film.captions.as_deref().unwrap_or_default().trim_start_matches("/media/"))
            }
            File::Picture(picture) => ("picture", picture.address.as_str()),
        };
        let work = async {
            match file {
                File::Film(film) => match self.store_of(&film.address).await {
                    Ok(store) => film::examine(store, film, false).await,
                    Err(cause) => vec![format!("{address}: {cause}")],
                },
                File::Captions(film) => self.check_captions(film).await.err().into_iter().collect(),
                File::Picture(picture) => {
                    let wrong = self.pictures.examine(picture).await.err();
                    wrong.map(|cause| format!("{address}: {cause}")).into_iter().collect()
                }
            }
        };
        let checked = tokio::time::timeout(PATIENCE, work).await;
        let wrong = checked
            .unwrap_or_else(|_| vec![format!("{address}: could not be checked within {} seconds", PATIENCE.as_secs())]);
        wrong.into_iter().map(|cause| format!("The {noun} {}.", cause.replacen(": ", " ", 1))).collect()
    }

    pub(super) async fn check_captions(&self, film: &Film) -> Result<(), String> {
        let Some(address) = &film.captions else { return Ok(()) };
        captions::examine(self.store_of(address).await?, film).await
    }
}

impl NewMediaCheck<'_> {
    /// Checks more records. An error says why this machine cannot check films.
    pub async fn add(&mut self, records: &[NewRecord]) -> Result<(), String> {
        let files: Vec<(&NewRecord, File)> =
            records.iter().flat_map(|record| File::of(record).into_iter().map(move |file| (record, file))).collect();
        let mut new = Vec::new();
        for (_, file) in &files {
            if self.seen.insert(self.hasher.hash_one(file)) {
                new.push(file.clone());
            }
        }
        if new.iter().any(|file| matches!(file, File::Film(_))) {
            tokio::task::spawn_blocking(decode::check_ffprobe).await.unwrap_or_else(|error| Err(error.to_string()))?;
        }
        let doctor = self.doctor;
        let checks = new.into_iter().map(|file| async move { (doctor.check_file(&file).await, file) });
        let mut checks = stream::iter(checks).buffered(doctor.concurrency);
        while let Some((wrong, file)) = checks.next().await {
            if wrong.is_empty() {
                continue;
            }
            let fault = MediaFault {
                field: file.field(),
                what: wrong.into_iter().take(NAMED_LINES).collect::<Vec<_>>().join(" "),
                record: Default::default(),
                lines: Vec::new(),
                records: 0,
            };
            self.faults.push((file, fault));
            if self.is_full() {
                break;
            }
        }
        for (record, file) in &files {
            let Some((_, fault)) = self.faults.iter_mut().find(|(faulty, _)| faulty == file) else { continue };
            if fault.records == 0 {
                fault.record = (record.kind.clone(), record.slug.clone());
            }
            fault.records += 1;
            fault.lines.extend(record.line.filter(|_| fault.lines.len() < NAMED_LINES));
        }
        Ok(())
    }

    /// Checks what an import puts live, page by page, which `page` reads. The errors are those of `page`, and of [`add`](Self::add) by `failed`.
    pub async fn add_import<E>(
        &mut self,
        service: &str,
        changes: &[Change],
        page: impl AsyncFn(DifferenceQuery) -> Result<NewMediaList, E>,
        failed: impl Fn(String) -> E,
    ) -> Result<(), E> {
        for Change { kind, added, changed, .. } in changes {
            for (action, count) in [(Action::Added, added), (Action::Changed, changed)] {
                let mut after = (*count > 0).then(String::new);
                while let Some(last) = after.filter(|_| !self.is_full()) {
                    let query = DifferenceQuery { kind: kind.clone(), action, after: Some(last), limit: None };
                    let NewMediaList { records, next } = page(query).await?;
                    let named = |NewMedia { slug, line, media }| NewRecord {
                        kind: format!("{kind} of {service}"),
                        slug,
                        line: Some(line),
                        media,
                    };
                    self.add(&records.into_iter().map(named).collect::<Vec<_>>()).await.map_err(&failed)?;
                    after = next;
                }
            }
        }
        Ok(())
    }

    /// Whether so much is wrong that no more is looked for.
    fn is_full(&self) -> bool {
        self.faults.len() >= MAX_FAULTS
    }

    /// The problems, one for each file, however many records name it.
    pub fn faults(self) -> Vec<MediaFault> {
        self.faults.into_iter().map(|(_, fault)| fault).collect()
    }
}
