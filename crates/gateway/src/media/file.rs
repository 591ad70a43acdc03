//! Responds with a file of the media folder, or one range of it, subject to the request's conditions.

use std::{
    fs::{File, Metadata},
    os::unix::fs::MetadataExt,
    path::Path,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use http::{
    Method, StatusCode,
    header::{self, HeaderValue},
};

use super::{byte_range::ByteRange, file_body::file_body};
use crate::{
    conditions::{self, Outcome},
    error::Error,
    folders, paths,
    request::Head,
    response::{Body, Response, response, value},
};

/// Opens the file of these path segments below `root`.
pub(super) async fn open(root: &Path, below: &[String]) -> Result<(File, Metadata), Error> {
    let (root, below) = (root.to_owned(), below.to_vec());
    let open = move || {
        let file = File::open(paths::file_below(&root, &below)?).ok()?;
        let metadata = file.metadata().ok()?;
        Some((file, metadata))
    };
    folders::blocking(open).await?.ok_or(Error::NotFound)
}

/// Responds with a file, subject to the request's conditions and range (RFC 9110 sections 13 and 14).
pub fn file_response(head: &Head, file: File, metadata: &Metadata) -> Response {
    let (etag, modified, length) = (etag(metadata), last_modified(metadata), metadata.len());
    let (status, content_range, body) = match conditions::evaluate(head, &etag, modified) {
        Outcome::Failed => (StatusCode::PRECONDITION_FAILED, None, Body::Empty),
        Outcome::NotModified => (StatusCode::NOT_MODIFIED, None, Body::Empty),
        Outcome::Proceed => match range(head, &etag).map(|range| range.within(length)) {
            None => (StatusCode::OK, None, part(file, 0, length)),
            Some(Some(range)) => {
                (StatusCode::PARTIAL_CONTENT, Some(range.text()), part(file, range.first(), range.length()))
            }
            Some(None) => (StatusCode::RANGE_NOT_SATISFIABLE, Some(format!("bytes */{length}")), Body::Empty),
        },
    };
    let headers = [(header::ETAG, value(&etag)), (header::ACCEPT_RANGES, HeaderValue::from_static("bytes"))];
    let mut response = response(status, headers, body);
    if let Some(modified) = modified {
        response.headers_mut().insert(header::LAST_MODIFIED, value(&httpdate::fmt_http_date(modified)));
    }
    if let Some(range) = content_range {
        response.headers_mut().insert(header::CONTENT_RANGE, value(&range));
    }
    response
}

/// The range that is sent; ranges are defined for GET only.
fn range(head: &Head, etag: &str) -> Option<ByteRange> {
    ByteRange::of(head).filter(|_| head.method == Method::GET && conditions::allows_range(head, etag))
}

/// `length` bytes of a file starting at `first`.
fn part(file: File, first: u64, length: u64) -> Body {
    Body::stream(Some(length), file_body(file, first, length))
}

/// A file's strong ETag, from its inode, length and modification time.
fn etag(metadata: &Metadata) -> String {
    let (inode, length) = (metadata.ino(), metadata.len());
    format!("\"{inode:x}:{length:x}:{:x}:{:x}\"", metadata.mtime(), metadata.mtime_nsec())
}

/// When the file was last modified, in whole seconds; never in the future (RFC 9110 section 8.8.2.1) nor before 1970.
fn last_modified(metadata: &Metadata) -> Option<SystemTime> {
    let since = Duration::from_secs(metadata.mtime().try_into().ok()?);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).ok()?.as_secs();
    UNIX_EPOCH.checked_add(since.min(Duration::from_secs(now)))
}

#[cfg(test)]
mod tests {
    use http::Request;
    use http_body_util::BodyExt;
    use tempfile::NamedTempFile;

    use super::*;
    use crate::request::tests::head;

    const MODIFIED: &str = "Sun, 06 Nov 1994 08:49:37 GMT";

    /// A file of 100 bytes, each with its offset as its value.
    fn film() -> NamedTempFile {
        let film = NamedTempFile::new().unwrap();
        std::fs::write(film.path(), (0..100).collect::<Vec<u8>>()).unwrap();
        film.as_file().set_modified(UNIX_EPOCH + Duration::new(784_111_777, 5)).unwrap();
        film
    }

    fn respond(film: &NamedTempFile, request: http::request::Builder) -> Response {
        let file = film.reopen().unwrap();
        let metadata = file.metadata().unwrap();
        file_response(&head(request), file, &metadata)
    }

    fn text(response: &Response, name: &str) -> String {
        response.headers().get(name).map_or("", |value| value.to_str().unwrap()).to_owned()
    }

    #[tokio::test]
    async fn file_response_evaluates_conditions_and_range() {
        let film = film();
        let etag = etag(&film.as_file().metadata().unwrap());
        assert!(etag.ends_with(":64:2ebc98a1:5\""), "{etag}");
        let etag = etag.as_str();
        let weak = format!("W/{etag}");
        let whole = (200, "", 0..100);
        for (headers, expected) in [
            (&[][..], whole.clone()),
            (&[("range", "bytes=0-9")], (206, "bytes 0-9/100", 0..10)),
            (&[("range", "bytes=90-")], (206, "bytes 90-99/100", 90..100)),
            (&[("range", "bytes=90-1000")], (206, "bytes 90-99/100", 90..100)),
            (&[("range", "bytes=-5")], (206, "bytes 95-99/100", 95..100)),
            (&[("range", "bytes=100-")], (416, "bytes */100", 0..0)),
            (&[("range", "bytes=-0")], (416, "bytes */100", 0..0)),
            (&[("range", "bytes=0-1,5-6")], whole.clone()),
            (&[("range", "bytes=0-1"), ("range", "bytes=5-6")], whole.clone()),
            (&[("range", "lines=0-1")], whole.clone()),
            (&[("range", "bytes=9-0")], whole.clone()),
            (&[("range", "bytes=0-9"), ("if-range", etag)], (206, "bytes 0-9/100", 0..10)),
            (&[("range", "bytes=0-9"), ("if-range", "\"x\"")], whole.clone()),
            (&[("range", "bytes=0-9"), ("if-range", &weak)], whole.clone()),
            (&[("range", "bytes=0-9"), ("if-range", MODIFIED)], whole.clone()),
            (&[("range", "bytes=100-"), ("if-range", "\"x\"")], whole.clone()),
            (&[("range", "bytes=0-9"), ("if-match", etag)], (206, "bytes 0-9/100", 0..10)),
            (&[("range", "bytes=0-9"), ("if-match", "\"x\"")], (412, "", 0..0)),
            (&[("range", "bytes=0-9"), ("if-none-match", etag)], (304, "", 0..0)),
            (&[("range", "bytes=100-"), ("if-none-match", etag)], (304, "", 0..0)),
            (&[("if-modified-since", MODIFIED)], (304, "", 0..0)),
            (&[("if-unmodified-since", "Thu, 01 Jan 1970 00:00:00 GMT")], (412, "", 0..0)),
        ] {
            let request =
                headers.iter().fold(Request::get("/"), |request, (name, value)| request.header(*name, *value));
            let response = respond(&film, request);
            let (status, range) = (response.status().as_u16(), text(&response, "content-range"));
            assert_eq!((status, range.as_str()), (expected.0, expected.1), "{headers:?}");
            assert_eq!(text(&response, "etag"), etag);
            assert_eq!(text(&response, "last-modified"), MODIFIED);
            assert_eq!(text(&response, "accept-ranges"), "bytes");
            let body = response.into_body().collect().await.unwrap().to_bytes();
            assert_eq!(body, expected.2.collect::<Vec<u8>>(), "{headers:?}");
        }
    }

    #[test]
    fn file_response_ignores_the_range_of_a_head() {
        let response = respond(&film(), Request::head("/").header("range", "bytes=0-9"));
        assert_eq!((response.status(), response.body().length()), (StatusCode::OK, Some(100)));
    }

    #[tokio::test]
    async fn file_response_of_an_empty_file_has_no_range() {
        let film = NamedTempFile::new().unwrap();
        let whole = respond(&film, Request::get("/"));
        assert_eq!(whole.status(), StatusCode::OK);
        assert_eq!(whole.into_body().collect().await.unwrap().to_bytes().len(), 0);
        let part = respond(&film, Request::get("/").header("range", "bytes=0-"));
        assert_eq!((part.status().as_u16(), text(&part, "content-range").as_str()), (416, "bytes */0"));
    }

    #[test]
    fn last_modified_is_never_in_the_future() {
        let film = film();
        film.as_file().set_modified(SystemTime::now() + Duration::from_secs(1_000_000)).unwrap();
        assert!(last_modified(&film.as_file().metadata().unwrap()).unwrap() <= SystemTime::now());
        film.as_file().set_modified(UNIX_EPOCH - Duration::from_secs(1)).unwrap();
        assert_eq!(last_modified(&film.as_file().metadata().unwrap()), None);
        assert_eq!(respond(&film, Request::get("/")).status(), StatusCode::OK);
    }
}
