//! Transcodes films that have arrived, one at a time, and publishes pictures beside them.
//!
//! The programs of a film are ended with the upload and with the server. Only a process that is killed leaves them behind: work that it
//! interrupts begins again from the uploaded file, in another folder, since they may still write to theirs until they notice that it is gone.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Weak,
        atomic::{AtomicI64, Ordering},
    },
    time::{Duration, Instant},
};

use content::{
    doctor,
    publish::{self, Target},
    transcode::{self, CLIP, Programs, Transcoded},
};
use diesel::prelude::*;
use serde_json::json;
use service::StaffText;
use store::DbConnection;
use tokio::sync::oneshot;

use super::{
    Films,
    list::Film,
    pictures,
    rows::{CHECKING, FAILED, FILM, PICTURE, READY, Row, TRANSCODING, UPLOADING, WAITING},
    tus,
};
use crate::{
    app::App,
    audit,
    error::Error,
    schema::uploads,
    texts::{shown, stored},
    token,
};

/// Pictures to choose a poster from.
pub(super) const STILLS: u32 = 5;
/// The one that is the poster until another is chosen.
const FIRST_STILL: u32 = 2;

/// When a film is tried again that waits for a program or for the place where films go.
const RETRY: Duration = Duration::from_secs(60);
const IDLE: Duration = Duration::from_secs(300);
const EXPIRY_INTERVAL: Duration = Duration::from_secs(3600);
/// How often the percentage is written.
const PROGRESS: Duration = Duration::from_secs(1);

/// How the work on an upload ended.
pub(super) enum Outcome {
    /// What a record has of it.
    Ready(serde_json::Value),
    /// The file is at fault.
    Failed(StaffText),
    /// Something else is: it waits.
    Later(StaffText),
    /// The upload was deleted, or the server stops: nothing is written of it.
    Stopped,
}

/// Ends the programs of a film when it is dropped, as with the server.
struct StopOnDrop<'a>(&'a App, Programs);

impl Drop for StopOnDrop<'_> {
    fn drop(&mut self) {
        self.1.stop();
        self.0.uploads.set_transcoding(None);
    }
}

/// Starts the tasks, which end with the server.
pub(crate) fn start(app: &App) {
    let Some(films) = app.uploads.films.clone() else { return };
    let alive = Arc::downgrade(&app.alive);
    // Its own copy does not keep the server's alive.
    let mut app = app.clone();
    app.alive = Arc::default();
    actix_web::rt::spawn(async move {
        let all_work = app.uploads.dir.join("work");
        let _ = tokio::fs::remove_dir_all(&all_work).await;
        let work = all_work.join(token::random());
        if let Err(error) = resume(&app).await {
            tracing::error!(error = %error, "interrupted uploads could not be resumed");
        }
        actix_web::rt::spawn(work_on(app.clone(), Arc::clone(&films), work.clone(), alive.clone(), PICTURE));
        work_on(app, films, work, alive, FILM).await;
    });
}

/// Works on the uploads of a kind until the server stops. A picture does not wait for a film.
async fn work_on(app: App, films: Arc<Films>, work: PathBuf, alive: Weak<()>, kind: &'static str) {
    let mut expired: Option<Instant> = None;
    while alive.strong_count() > 0 {
        if kind == FILM && expired.is_none_or(|at| at.elapsed() > EXPIRY_INTERVAL) {
            expired = Some(Instant::now());
            if let Err(error) = expire(&app).await {
                tracing::error!(error = %error, "expired uploads could not be deleted");
            }
        }
        let pause = work_on_next(&app, &films, &work, &alive, kind).await.unwrap_or_else(|error| {
            tracing::error!(error = %error, "a {kind} could not be processed");
            RETRY
        });
        let wake = if kind == FILM { &app.uploads.film_wake } else { &app.uploads.picture_wake };
        tokio::select! {
            () = wake.notified() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}

/// What a crash interrupted: files that were complete, and films that were transcoded.
async fn resume(app: &App) -> Result<(), Error> {
    for mut row in in_states(app, &[UPLOADING, TRANSCODING, CHECKING]).await? {
        // Without its file, it is another machine's.
        let Some(length) = app.uploads.arrived(&row.folder).await else { continue };
        if row.state != UPLOADING {
            row.percent = 0;
            row.note(app.clock.now(), &StaffText::new("work-begins-again"));
            row.save(app, WAITING).await?;
        } else if length >= row.bytes() {
            tus::arrived(app, &row).await?;
        }
    }
    Ok(())
}

async fn in_states(app: &App, states: &'static [&'static str]) -> Result<Vec<Row>, Error> {
    app.db
        .run(move |conn| {
            let rows = uploads::table.filter(uploads::state.eq_any(states)).order(uploads::id);
            Ok::<_, Error>(rows.select(Row::as_select()).load(conn)?)
        })
        .await
}

/// Deletes uploads that were not finished in time, and those that ended long ago; a finished film stays where it is published.
async fn expire(app: &App) -> Result<(), Error> {
    let now = app.clock.now();
    let old = in_states(app, &[UPLOADING, READY, FAILED]).await?;
    for row in old.into_iter().filter(|row| row.expires_at < now) {
        let (id, state, subject) = (row.id, row.state.clone(), row.subject());
        app.audited(move |conn| {
            let this = uploads::table.find(id).filter(uploads::expires_at.lt(now));
            if diesel::delete(this).execute(conn)? > 0 {
                let details = json!({ "upload": id, "state": state });
                audit::append(conn, None, "upload.expired", &subject, &details, now)?;
            }
            Ok(())
        })
        .await?;
        app.uploads.delete_files(&row.folder).await;
    }
    Ok(())
}

/// Processes the upload of a kind that has waited longest; returns when to look again.
async fn work_on_next(
    app: &App,
    films: &Films,
    work: &Path,
    alive: &Weak<()>,
    kind: &'static str,
) -> Result<Duration, Error> {
    let mut waiting = in_states(app, &[WAITING]).await?.into_iter().filter(|row| row.kind == kind);
    let mut next = None;
    for row in waiting.by_ref() {
        if app.uploads.arrived(&row.folder).await.is_some() {
            next = Some(row);
            break;
        }
    }
    let Some(mut row) = next else { return Ok(IDLE) };
    let others = waiting.next().is_some();
    let outcome = match kind {
        PICTURE => pictures::publish(app, films, &mut row).await?,
        _ => transcode_one(app, films, &mut row, work, alive).await?,
    };
    let now = app.clock.now();
    let (state, action) = match outcome {
        Outcome::Later(cause) => {
            let reason = stored(&cause);
            if row.reason != reason {
                row.note(now, &StaffText::new("upload-waits").with("cause", cause));
            }
            row.reason = reason;
            row.save(app, WAITING).await?;
            return Ok(RETRY);
        }
        Outcome::Stopped => {
            let _ = tokio::fs::remove_dir_all(work.join(&row.folder)).await;
            return Ok(Duration::ZERO);
        }
        Outcome::Ready(result) => {
            row.reason.clear();
            row.percent = 100;
            let ready = if row.is_picture() { StaffText::new("picture-ready") } else { StaffText::new("film-ready") };
            row.note(now, &ready);
            row.result = Some(result.to_string());
            (READY, "upload.ready")
        }
        Outcome::Failed(cause) => {
            row.reason = stored(&cause);
            row.note(now, &StaffText::new("upload-failed").with("cause", cause));
            (FAILED, "upload.failed")
        }
    };
    if row.save(app, state).await? {
        let (subject, details) = (row.subject(), json!({ "upload": row.id, "reason": shown(&row.reason) }));
        app.audited(move |conn: &mut DbConnection| audit::append(conn, None, action, &subject, &details, now)).await?;
    }
    let _ = tokio::fs::remove_file(app.uploads.source(&row.folder)).await;
    let _ = tokio::fs::remove_dir_all(work.join(&row.folder)).await;
    Ok(if others { Duration::ZERO } else { IDLE })
}

async fn transcode_one(
    app: &App,
    films: &Films,
    row: &mut Row,
    work: &Path,
    alive: &Weak<()>,
) -> Result<Outcome, Error> {
    if let Err(cause) = blocking(transcode::check_programs).await {
        tracing::error!("films wait to be transcoded: {cause}");
        return Ok(Outcome::Later(StaffText::new("no-ffmpeg")));
    }
    let Some(brand) = films.brand(&row.service) else {
        return Ok(Outcome::Failed(StaffText::new("no-films-any-more").with("service", row.service.as_str())));
    };
    row.percent = 0;
    row.reason.clear();
    row.note(app.clock.now(), &StaffText::new("transcoding-begins"));
    let programs = Programs::default();
    // Known before the row says that it is transcoded: who deletes it from then on ends the programs.
    app.uploads.set_transcoding(Some((row.id, programs.clone())));
    let _stop = StopOnDrop(app, programs.clone());
    if !row.save(app, TRANSCODING).await? {
        return Ok(Outcome::Stopped);
    }
    let (rendition, seconds) = match encode(app, row, work, &programs, alive).await? {
        _ if programs.is_stopped() => return Ok(Outcome::Stopped),
        Ok(encoded) => encoded,
        Err(fault) => return Ok(Outcome::Failed(StaffText::new("file-fault").with("fault", fault))),
    };
    if let Some(cause) = &rendition.rendition.no_av1 {
        tracing::info!("film {} has no AV1: {cause}", row.folder);
    }
    let made = rendition.rendition.variants.iter().chain(&rendition.rendition.av1);
    let variants: Vec<&str> = made.map(|variant| variant.name.as_str()).collect();
    let transcoded = StaffText::new("seconds-transcoded")
        .with("seconds", format!("{seconds:.1}"))
        .with("variants", variants.join(", "));
    row.note(app.clock.now(), &transcoded);
    row.percent = 100;
    if !row.save(app, CHECKING).await? {
        return Ok(Outcome::Stopped);
    }
    let folder = work.join(&row.folder);
    let faults = doctor::check_rendition(&folder, &rendition.rendition).await;
    for fault in &faults {
        row.note(app.clock.now(), &words(fault));
    }
    if !faults.is_empty() {
        return Ok(Outcome::Failed(StaffText::new("plays-badly")));
    }
    row.note(app.clock.now(), &StaffText::new("check-found-nothing"));
    let media = format!("{}/uploads", brand.media_folder());
    let published = async {
        let target = Target::open(&format!("{}/{media}", films.media_target))?;
        publish::publish(work, &folder, &target, &|_| {}).await.map_err(|error| error.to_string())
    };
    let image = match published.await {
        Ok(published) => {
            let count = published.put + published.unchanged;
            row.note(app.clock.now(), &StaffText::new("files-published").with("count", count));
            publish_poster(app, row, FIRST_STILL).await
        }
        Err(cause) => Err(cause),
    };
    Ok(match image {
        Ok(image) => Outcome::Ready(json!(Film {
            media: format!("{media}/{}/master.m3u8", row.folder),
            image,
            // Lengths of films are far below what an i64 holds.
            duration_s: rendition.rendition.duration_s.round().max(1.0) as i64,
            bytes: i64::try_from(rendition.rendition.fallback_bytes).unwrap_or(i64::MAX),
            captions: rendition.rendition.captions_file().map(|file| format!("{media}/{}/{file}", row.folder)),
            still: FIRST_STILL,
        })),
        Err(cause) => Outcome::Later(StaffText::new("film-not-published").with("cause", cause)),
    })
}

/// What a program says of a film, in its words.
fn words(cause: impl ToString) -> StaffText {
    StaffText::new("parser-words").with("words", cause.to_string())
}

/// Transcodes the film and makes its pictures, and writes the percentage meanwhile. The inner error is the film's.
async fn encode(
    app: &App,
    row: &mut Row,
    work: &Path,
    programs: &Programs,
    alive: &Weak<()>,
) -> Result<Result<(Transcoded, f64), StaffText>, Error> {
    let (source, stills, work) = (app.uploads.source(&row.folder), app.uploads.stills(&row.folder), work.to_owned());
    let running = programs.clone();
    let percent = Arc::new(AtomicI64::new(0));
    let written = Arc::clone(&percent);
    let (done, mut result) = oneshot::channel();
    // A thread of its own, which a stop of the service does not wait for.
    std::thread::Builder::new()
        .name("transcode".to_owned())
        .spawn(move || {
            let _ = done.send(encode_here(&source, &work, &stills, &running, &written));
        })
        .map_err(|error| Error::Internal(error.to_string()))?;
    loop {
        tokio::select! {
            result = &mut result => return Ok(result.unwrap_or_else(|_| Err(StaffText::new("not-transcoded")))),
            () = tokio::time::sleep(PROGRESS) => {}
        }
        if alive.strong_count() == 0 {
            programs.stop();
        }
        let now = percent.load(Ordering::Relaxed);
        if now != row.percent {
            row.percent = now;
            row.save(app, TRANSCODING).await?;
        }
    }
}

fn encode_here(
    source: &Path,
    work: &Path,
    stills: &Path,
    programs: &Programs,
    percent: &AtomicI64,
) -> Result<(Transcoded, f64), StaffText> {
    let probe = transcode::probe(source, programs).map_err(words)?;
    std::fs::create_dir_all(work).map_err(words)?;
    let progress = |_: &str, seconds: f64| {
        // A film that is longer than it says stays at 99.
        let part = (seconds / probe.seconds * 100.0).clamp(0.0, 99.0);
        percent.store(part as i64, Ordering::Relaxed);
    };
    let transcoded = transcode::transcode(&[PathBuf::from(source)], work, programs, &progress).pop();
    let transcoded = transcoded.ok_or(StaffText::new("not-transcoded"))?.map_err(|error| words(error.cause))?;
    std::fs::create_dir_all(stills).map_err(words)?;
    transcode::stills(source, &probe, stills, STILLS, programs).map_err(words)?;
    std::fs::copy(work.join(&transcoded.slug).join(CLIP), stills.join(CLIP)).map_err(words)?;
    let seconds = transcoded.rendition.duration_s;
    Ok((transcoded, seconds))
}

/// Puts a picture, its card and the film's clip where pictures are served from; returns the card's address. Each has an address of its own,
/// since caches keep them. A film that was transcoded without a clip has none.
pub(super) async fn publish_poster(app: &App, row: &Row, still: u32) -> Result<String, String> {
    let films = app.uploads.films.as_ref().ok_or("IMAGE_TARGET is not set")?;
    let target = Target::open(&films.image_target)?;
    let stills = app.uploads.stills(&row.folder);
    let has_clip = tokio::fs::try_exists(stills.join(CLIP)).await.unwrap_or(false);
    let card = if has_clip { format!("card-{still}.clip") } else { format!("card-{still}") };
    let mut files = vec![
        (format!("poster-{still}.webp"), format!("poster-{still}.webp")),
        (format!("card-{still}.webp"), format!("{card}.webp")),
    ];
    if has_clip {
        files.push((CLIP.to_owned(), format!("{card}.mp4")));
    }
    for (file, name) in files {
        let bytes = tokio::fs::read(stills.join(&file)).await.map_err(|error| format!("{file}: {error}"))?;
        let name = format!("{}/{name}", row.folder);
        target.put_new(&name, bytes).await.map_err(|error| error.to_string())?;
    }
    Ok(format!("{}/{}/{card}.webp", films.image_address, row.folder))
}

pub(super) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|error| Err(error.to_string()))
}
