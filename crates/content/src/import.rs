//! Imports a manifest into the services that hold its parts: all parts are checked by all services before any part is applied.
//!
//! Each service applies its part in one transaction, but there is none across services: an import that is interrupted between two of
//! them leaves some parts applied and the others as they were, and the same import again completes it.

use std::collections::BTreeMap;

use catalogue::import::{Accepted, Change, Comparison, DifferenceQuery, OpenedImport};
use serde_json::{Value, json};
use tokio::{
    sync::mpsc,
    task::{JoinError, JoinSet, spawn_blocking},
};

use crate::{
    CallError, Manifest, Part, Problem, Problems, Services,
    doctor::Doctor,
    problem::MAX_PROBLEMS,
    services::{ServiceClient, query_of},
};

/// Records of one request, at most.
const BATCH: usize = 500;

/// Bytes of one request, about.
const BATCH_BYTES: usize = 1024 * 1024;

/// Requests under way at once.
const AT_ONCE: usize = 3;

/// The options of an import.
#[derive(Clone, Copy, Default)]
pub struct Options<'d> {
    /// Nothing for a service that has had an import, so that what editors changed stays.
    pub once: bool,
    /// Take away what the manifest does not have, from the services that it names.
    pub prune: bool,
    /// Only look at what would change.
    pub dry_run: bool,
    /// The check of the films, captions and pictures that new and changed records name. None: they are not checked.
    pub doctor: Option<&'d Doctor>,
}

/// The result, or preview, of one service's part.
#[derive(Clone, Debug)]
pub struct Summary {
    /// The service.
    pub service: String,
    /// By kind of record; empty where the service has this very part already.
    pub changes: Vec<Change>,
    /// The number of records of the part.
    pub records: u64,
}

impl Summary {
    /// Whether the import changes any record of the service.
    pub fn is_any(&self) -> bool {
        self.changes.iter().any(Change::is_change)
    }
}

/// Why an import ended early.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The manifest is wrong as a whole; nothing was changed.
    #[error(transparent)]
    Problems(#[from] Problems),
    /// A service could not be reached, or refused; nothing was changed.
    #[error("{0}; nothing was changed")]
    Before(CallError),
    /// A service could not take its part over after others had.
    #[error("{cause}; {done} took their parts, the others did not: the same import once more finishes it")]
    Between {
        /// The error.
        cause: CallError,
        /// The services that are done.
        done: String,
    },
    /// A service that was to take its part over gave no answer.
    #[error("{0}; whether it took its part over is not known: the same import once more finishes it")]
    Unknown(CallError),
    /// This machine cannot check media.
    #[error("{0}; nothing was changed")]
    NoCheck(String),
    /// The manifest is another one than it was a moment ago.
    #[error("{0} has changed while it was read; nothing was changed")]
    Changing(String),
}

/// An import that is open at one service.
struct Session<'m> {
    part: &'m Part,
    client: ServiceClient,
    /// None where the service has this very part already.
    id: Option<i64>,
}

/// Takes a manifest in. `progress` gets the number of records that have gone to a service.
pub async fn import(
    manifest: &Manifest,
    services: &Services,
    options: Options<'_>,
    progress: impl Fn(u64),
) -> Result<Vec<Summary>, Error> {
    let mut sessions = Vec::new();
    let outcome = run(manifest, services, options, progress, &mut sessions).await;
    if outcome.is_err() || options.dry_run {
        for session in &sessions {
            if let Some(id) = session.id {
                session.client.delete(&format!("/imports/{id}")).await;
            }
        }
    }
    outcome
}

async fn run<'m>(
    manifest: &'m Manifest,
    services: &Services,
    options: Options<'_>,
    progress: impl Fn(u64),
    sessions: &mut Vec<Session<'m>>,
) -> Result<Vec<Summary>, Error> {
    for part in &manifest.parts {
        let client = ServiceClient::new(services, part.kind, &part.service).map_err(Error::Before)?;
        let digest = if options.prune { format!("{} and no more", part.digest) } else { part.digest.clone() };
        let order = json!({"service": part.service, "digest": digest, "prune": options.prune, "once": options.once});
        let opened: OpenedImport = client.post("/imports", &order).await.map_err(Error::Before)?;
        sessions.push(Session { part, client, id: opened.import });
    }
    let known: u64 = sessions.iter().filter(|session| session.id.is_none()).map(|session| session.part.records).sum();
    progress(known);
    if sessions.iter().any(|session| session.id.is_some()) {
        send(manifest, sessions, progress).await?;
    }
    let mut summaries = compare(manifest, sessions).await?;
    if let Some(doctor) = options.doctor {
        check_media(manifest, sessions, &summaries, doctor).await?;
    }
    if !options.dry_run {
        commit_all(sessions, &mut summaries).await?;
    }
    Ok(summaries)
}

/// The comparisons of all services.
async fn compare(manifest: &Manifest, sessions: &[Session<'_>]) -> Result<Vec<Summary>, Error> {
    let mut summaries = Vec::new();
    let mut list = Vec::new();
    for session in sessions {
        let part = session.part;
        let mut summary = Summary { service: part.service.clone(), changes: Vec::new(), records: part.records };
        if let Some(id) = session.id {
            let comparison: Comparison = session
                .client
                .post(&format!("/imports/{id}/check"), &json!({"records": part.records}))
                .await
                .map_err(Error::Before)?;
            summary.changes = comparison.changes;
            list.extend(comparison.faults.into_iter().map(|fault| {
                let words = format!("{} {} of {}: {}", fault.kind, fault.slug, part.service, fault.message);
                Problem::at(line(fault.place), words).of(&fault.field)
            }));
        }
        summaries.push(summary);
    }
    if list.is_empty() {
        return Ok(summaries);
    }
    list.sort_by_key(|problem| problem.line);
    list.truncate(MAX_PROBLEMS);
    Err(Problems { path: manifest.path.display().to_string(), list }.into())
}

/// Checks the media that new and changed records name.
async fn check_media(
    manifest: &Manifest,
    sessions: &[Session<'_>],
    summaries: &[Summary],
    doctor: &Doctor,
) -> Result<(), Error> {
    let mut check = doctor.check_new_media();
    for (session, summary) in sessions.iter().zip(summaries) {
        let Some(id) = session.id else { continue };
        let page = async |query: DifferenceQuery| {
            let path = format!("/imports/{id}/media?{}", query_of(&query));
            session.client.get(&path).await.map_err(Error::Before)
        };
        check.add_import(&summary.service, &summary.changes, page, Error::NoCheck).await?;
    }
    let list: Vec<_> = check
        .faults()
        .into_iter()
        .map(|fault| {
            let (kind, slug) = &fault.record;
            let place = fault.lines.first().copied().unwrap_or(0);
            Problem::at(line(place), format!("{kind} {slug}: {fault}")).of(fault.field)
        })
        .collect();
    match list.is_empty() {
        true => Ok(()),
        false => Err(Problems { path: manifest.path.display().to_string(), list }.into()),
    }
}

fn line(place: i64) -> u64 {
    u64::try_from(place).unwrap_or(0)
}

async fn commit_all(sessions: &mut [Session<'_>], summaries: &mut [Summary]) -> Result<(), Error> {
    let mut done: Vec<&str> = Vec::new();
    for (session, summary) in sessions.iter_mut().zip(summaries) {
        let Some(id) = session.id else { continue };
        let count = json!({"records": session.part.records});
        match session.client.post(&format!("/imports/{id}/apply"), &count).await {
            Ok(changes) => summary.changes = changes,
            Err(cause @ CallError::Unreachable { .. }) => return Err(Error::Unknown(cause)),
            Err(cause) if done.is_empty() => return Err(Error::Before(cause)),
            Err(cause) => return Err(Error::Between { cause, done: done.join(", ") }),
        }
        session.id = None;
        done.push(&session.part.service);
    }
    Ok(())
}

/// Records on their way to one service.
#[derive(Default)]
struct Batch {
    lists: BTreeMap<&'static str, Vec<Value>>,
    records: usize,
    bytes: usize,
}

/// A request's body, the part it belongs to, and how many records it holds.
type Request = (usize, Vec<u8>, usize);

/// The result of a request: the number of records that were sent, and that the service accepted.
type RequestResult = Result<Result<(usize, usize), CallError>, JoinError>;

/// Sends every record of the open sessions, reading the manifest beside.
async fn send(manifest: &Manifest, sessions: &[Session<'_>], progress: impl Fn(u64)) -> Result<(), Error> {
    let (requests, mut ready) = mpsc::channel::<Request>(AT_ONCE);
    let requested: Vec<bool> = sessions.iter().map(|session| session.id.is_some()).collect();
    let file = manifest.clone();
    let reading = spawn_blocking(move || read(&file, &requested, &requests));
    let mut under_way = JoinSet::new();
    let changing = || Error::Changing(manifest.path.display().to_string());
    let settle = |outcome: Option<RequestResult>| match outcome {
        Some(Ok(Ok((sent, accepted)))) if sent == accepted => {
            progress(sent as u64);
            Ok(())
        }
        Some(Ok(Err(cause))) => Err(Error::Before(cause)),
        None => Ok(()),
        Some(_) => Err(changing()),
    };
    while let Some((part, body, records)) = ready.recv().await {
        while under_way.len() >= AT_ONCE {
            settle(under_way.join_next().await)?;
        }
        let Some(Session { client, id: Some(id), .. }) = sessions.get(part) else { return Err(changing()) };
        let (client, path) = (client.clone(), format!("/imports/{id}/records"));
        under_way.spawn(async move {
            let reply: Accepted = client.post_bytes(&path, body).await?;
            Ok((records, reply.accepted))
        });
    }
    while !under_way.is_empty() {
        settle(under_way.join_next().await)?;
    }
    if reading.await.unwrap_or(false) { Ok(()) } else { Err(changing()) }
}

/// Makes requests of the manifest's records until the receiver is closed; returns whether the file is the one that was checked.
fn read(manifest: &Manifest, requested: &[bool], requests: &mpsc::Sender<Request>) -> bool {
    let mut batches: Vec<Batch> = requested.iter().map(|_| Batch::default()).collect();
    let hand_over = |part: usize, batch: &mut Batch| {
        let Batch { lists, records, .. } = std::mem::take(batch);
        let body = serde_json::to_vec(&lists).unwrap_or_default();
        records == 0 || requests.blocking_send((part, body, records)).is_ok()
    };
    let is_the_same = manifest.each(|record| {
        // A part that the file did not have when it was checked is reported at the end; one that the service has already is not sent.
        let batch = batches.get_mut(record.part).filter(|_| requested.get(record.part) == Some(&true));
        let Some(batch) = batch else { return true };
        let mut body = record.body;
        batch.bytes += body.values().map(|value| value.as_str().map_or(8, str::len)).sum::<usize>();
        body.insert("place".to_owned(), record.place.into());
        batch.lists.entry(record.list).or_default().push(body.into());
        batch.records += 1;
        let full = batch.records >= BATCH || batch.bytes >= BATCH_BYTES;
        !full || hand_over(record.part, batch)
    });
    for (part, batch) in batches.iter_mut().enumerate() {
        if !hand_over(part, batch) {
            break;
        }
    }
    is_the_same
}
