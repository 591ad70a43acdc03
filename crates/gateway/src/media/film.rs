//! What players ask for: a file of the folder, or one range of it, and no conditions. It is answered beside the server, in the server's words.

use std::{
    fs::File,
    time::{SystemTime, UNIX_EPOCH},
};

use actix_web::http::{
    StatusCode,
    header::{self, HeaderName, HttpDate},
};
use web::{Answer, Body};

use super::{
    ALWAYS, CACHE_CONTROL, Media, Wanted,
    sent_file::FilePart,
    span::{self, Sent},
};
use crate::{app::App, asked::Asked, error::Error, paths, session::Proof};

/// Conditions that a reply may depend on (RFC 9110 section 13.1).
const CONDITIONS: [HeaderName; 5] =
    [header::IF_MATCH, header::IF_NONE_MATCH, header::IF_MODIFIED_SINCE, header::IF_UNMODIFIED_SINCE, header::IF_RANGE];

/// Later dates have no name (RFC 9110 section 5.6.7).
const YEAR_10000: u64 = 253_402_300_800;

/// A file that can be sent at once, and to whom.
pub(crate) struct Film {
    proof: Proof,
    file: File,
    kind: &'static str,
    length: u64,
    /// The part that is asked for; nothing where that is all of it.
    part: Option<Sent>,
    etag: String,
    modified: SystemTime,
}

impl Film {
    /// What a request asks for; nothing where that takes longer to find, or another answer.
    pub(crate) fn asked(req: &impl Asked, app: &App) -> Option<Self> {
        let Media::Folder(root) = &app.media else { return None };
        if CONDITIONS.iter().any(|condition| req.has(condition)) {
            return None;
        }
        let mut ranges = req.values(&header::RANGE);
        let range = match (ranges.next(), ranges.next()) {
            (None, _) => None,
            (Some(range), None) => Some(span::Asked::read(str::from_utf8(range).ok()?)?),
            _ => return None,
        };
        let Wanted { below, kind, proof } = Wanted::by(req, app).ok()?;
        let opened = paths::open_at_once(root, &below)?;
        let length = opened.known.len();
        let part = match range {
            None => None,
            Some(range) => Some(range.of(length)?),
        };
        let modified = opened.known.modified().ok()?;
        let etag = etag(&opened.known, modified)?;
        Some(Self { proof, file: opened.file, kind, length, part, etag, modified })
    }

    /// The answer, for whom it is.
    pub(crate) async fn answer(self, app: &App) -> Result<Answer, Error> {
        app.sessions.active(&app.upstreams, &self.proof).await?;
        let (status, at, length) = match self.part {
            None => (StatusCode::OK, 0, self.length),
            Some(part) => (StatusCode::PARTIAL_CONTENT, part.from(), part.length()),
        };
        let mut answer = Answer::new(status, Body::Sent(length, Box::new(FilePart::new(self.file, at, length))));
        let mut add = |name: HeaderName, value: &str| answer.add(name.as_str(), value.as_bytes());
        add(header::CONTENT_TYPE, self.kind);
        add(header::LAST_MODIFIED, &HttpDate::from(self.modified).to_string());
        add(header::ETAG, &self.etag);
        add(header::ACCEPT_RANGES, "bytes");
        if let Some(part) = self.part {
            add(header::CONTENT_RANGE, &part.text());
        }
        add(header::CACHE_CONTROL, CACHE_CONTROL);
        for (name, value) in ALWAYS {
            add(name, value);
        }
        Ok(answer)
    }
}

/// The tag that the server gives the file (`actix_files`), so that what was begun on one way can go on on the other.
#[cfg(unix)]
fn etag(known: &std::fs::Metadata, modified: SystemTime) -> Option<String> {
    use std::os::unix::fs::MetadataExt;
    let since = modified.duration_since(UNIX_EPOCH).ok().filter(|since| since.as_secs() < YEAR_10000)?;
    Some(format!("\"{:x}:{:x}:{:x}:{:x}\"", known.ino(), known.len(), since.as_secs(), since.subsec_nanos()))
}

/// Other systems have none to tell a file by.
#[cfg(not(unix))]
fn etag(_: &std::fs::Metadata, _: SystemTime) -> Option<String> {
    None
}
