//! Nothing goes live that cannot be played or seen: what records name anew is checked as `content doctor` checks it, before the catalogue service is
//! called.

use std::{collections::BTreeMap, time::Duration};

use catalogue::{
    import::{Change, RecordMedia},
    records::Record,
};
use content::doctor::{Doctor, MediaFault, MediaStore, NewRecord, Pictures, origins};
use serde_json::Value;
use service::{StaffText, StartError};

use crate::{
    app::App,
    catalogues::Catalogue,
    error::Error,
    members::Member,
    texts::written,
    uploads::{UploadsConfig, set},
};

/// The longest check of one record, and of a file.
const RECORD_PATIENCE: Duration = Duration::from_secs(100);
const FILE_PATIENCE: Duration = Duration::from_secs(300);

/// Files that are checked at the same time.
const CONCURRENCY: usize = 4;

/// The check of media where the sites have them: below MEDIA_DIR and IMAGE_ORIGINS, and where uploads go.
pub(crate) fn doctor(config: &UploadsConfig) -> Result<Doctor, StartError> {
    let setting = |name: &str, cause: &str| StartError::Setting(format!("{name}: {cause}"));
    let mut media = Vec::new();
    for (name, address) in [("MEDIA_DIR", Some(&config.media_dir)), ("MEDIA_TARGET", config.media_target.as_ref())] {
        if let Some(address) = set(address.map(String::as_str)) {
            media.push(MediaStore::open(address).map_err(|cause| setting(name, &cause))?);
        }
    }
    let mut images = origins(&config.image_origins).map_err(|cause| setting("IMAGE_ORIGINS", &cause))?;
    if let Some((address, target)) = set(config.image_target.as_deref()).and_then(|target| target.split_once('=')) {
        let folder = match MediaStore::open(target) {
            Ok(MediaStore::Folder(folder)) => folder,
            // Fetched at its public address.
            _ => Default::default(),
        };
        images.push((address.trim_end_matches('/').to_owned(), folder));
    }
    let pictures = Pictures::new(images, false).map_err(|cause| setting("IMAGE_ORIGINS", &cause))?;
    Ok(Doctor { media, pictures, whole: false, concurrency: CONCURRENCY })
}

/// Checks what a draft names, unless the record that it changes names the same.
pub(crate) async fn check_draft(
    app: &App,
    kind: &str,
    slug: &str,
    record: &Value,
    base: Option<&Value>,
) -> Result<(), Error> {
    let media = |record: &Value| record.as_object().map(RecordMedia::of).unwrap_or_default();
    check_one(app, kind, slug, media(record), base.map(media)).await
}

/// Checks what a record names that is put back.
pub(crate) async fn check_put_back(app: &App, kind: &str, live: &Record) -> Result<(), Error> {
    let media = RecordMedia { state: String::new(), ..RecordMedia::of(&live.record) };
    check_one(app, kind, &live.slug, media, None).await
}

async fn check_one(
    app: &App,
    kind: &str,
    slug: &str,
    media: RecordMedia,
    before: Option<RecordMedia>,
) -> Result<(), Error> {
    if !media.is_new(before.as_ref()) {
        return Ok(());
    }
    let record = NewRecord { kind: kind.to_owned(), slug: slug.to_owned(), line: None, media };
    within(RECORD_PATIENCE, async {
        let mut check = app.doctor.check_new_media();
        check.add(&[record]).await.map_err(cannot_check)?;
        outcome(check.faults())
    })
    .await
}

/// Checks what the new and changed records of a file name.
pub(crate) async fn check_file(
    app: &App,
    catalogue: &Catalogue,
    member: &Member,
    id: i64,
    changes: &[Change],
) -> Result<(), Error> {
    within(FILE_PATIENCE, async {
        let mut check = app.doctor.check_new_media();
        let page = async |query| catalogue.new_media(member, id, &query).await;
        check.add_import(catalogue.name(), changes, page, cannot_check).await?;
        outcome(check.faults())
    })
    .await
}

async fn within(patience: Duration, check: impl Future<Output = Result<(), Error>>) -> Result<(), Error> {
    let checked = tokio::time::timeout(patience, check).await;
    checked.unwrap_or_else(|_| Err(Error::NotPossible(StaffText::new("media-check-too-long"))))
}

fn cannot_check(cause: String) -> Error {
    tracing::error!("nothing with a film can be published: {cause}");
    Error::NotPossible(StaffText::new("no-ffmpeg"))
}

/// An error with a sentence for each field that names something that cannot be played or seen.
fn outcome(faults: Vec<MediaFault>) -> Result<(), Error> {
    if faults.is_empty() {
        return Ok(());
    }
    let mut fields = BTreeMap::<String, String>::new();
    for fault in &faults {
        let sentences = fields.entry(fault.field.to_owned()).or_default();
        *sentences = format!("{sentences} {fault}").trim().to_owned();
    }
    let all = fields.values().map(String::as_str).collect::<Vec<_>>().join(" ");
    Err(Error::FieldsRefused(written(&StaffText::new("cannot-go-live").with("faults", all)), fields))
}
