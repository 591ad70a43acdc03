//! Media: a request's range and conditions, a line each (`Range`, `If-Range`, `If-None-Match`, `If-Modified-Since`), over a file;
//! and what an origin says of the part it sends.

use std::{
    io::Write,
    net::IpAddr,
    sync::LazyLock,
    time::{Duration, UNIX_EPOCH},
};

use gateway::{
    Head,
    byte_range::{ByteRange, ContentRange, complete_length},
    file_response,
};
use http::{
    Request, StatusCode,
    header::{self, HeaderValue},
};
use http_body_util::BodyExt;
use service::Cidrs;
use tempfile::NamedTempFile;
use tokio::runtime::{Builder, Runtime};

target!("ranges", 6000, holds);

const NAMES: [&str; 4] = ["range", "if-range", "if-none-match", "if-modified-since"];

static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| (0..1000_u16).map(|at| at.to_be_bytes()[1]).collect());
static FILE: LazyLock<NamedTempFile> = LazyLock::new(|| {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(&BYTES).unwrap();
    file.as_file().set_modified(UNIX_EPOCH + Duration::from_secs(1_760_000_000)).unwrap();
    file
});

thread_local! {
    static RUNTIME: Runtime = Builder::new_current_thread().build().unwrap();
}

fn holds(input: &[u8]) {
    if let Ok(text) = std::str::from_utf8(input) {
        spans(text.lines().next().unwrap_or_default());
    }
    let mut request = Request::get("/media/mcfunny/clip.mp4");
    for (name, value) in NAMES.into_iter().zip(input.split(|byte| *byte == b'\n')) {
        if let (false, Ok(value)) = (value.is_empty(), HeaderValue::from_bytes(value)) {
            request = request.header(name, value);
        }
    }
    let (parts, ()) = request.body(()).unwrap().into_parts();
    let head = Head::new(parts, IpAddr::from([127, 0, 0, 1]), false, &Cidrs::default());
    let file = FILE.reopen().unwrap();
    let metadata = file.metadata().unwrap();
    let response = file_response(&head, file, &metadata);

    let status = response.status();
    let text = |name| response.headers().get(name).map(|value: &HeaderValue| value.to_str().unwrap().to_owned());
    let (etag, content_range) = (text(header::ETAG).unwrap(), text(header::CONTENT_RANGE));
    assert_eq!(text(header::LAST_MODIFIED).as_deref(), Some("Thu, 09 Oct 2025 08:53:20 GMT"));
    assert_eq!(text(header::ACCEPT_RANGES).as_deref(), Some("bytes"));
    let body = RUNTIME.with(|runtime| runtime.block_on(response.into_body().collect())).unwrap().to_bytes();

    // A range counts unless the client says that it is of another version.
    let of_this_version = head.headers.get(header::IF_RANGE).is_none_or(|tag| tag.as_bytes() == etag.as_bytes());
    let range = ByteRange::of(&head).filter(|_| of_this_version);
    match status {
        StatusCode::OK => {
            assert_eq!((body, content_range), (BYTES.as_slice().into(), None));
            assert!(range.is_none(), "{range:?}");
        }
        StatusCode::PARTIAL_CONTENT => {
            let content_range = content_range.unwrap();
            let sent = ContentRange::read(&content_range).unwrap_or_else(|| panic!("{content_range}"));
            assert_eq!((sent.text(), sent.length()), (content_range, body.len() as u64));
            let first = usize::try_from(sent.first()).unwrap();
            assert_eq!(body, BYTES[first..first + body.len()], "{sent:?}");
            let range = range.unwrap();
            assert!(sent.answers(&range) && range.within(1000) == Some(sent), "{range:?} {sent:?}");
        }
        StatusCode::RANGE_NOT_SATISFIABLE => {
            assert!(body.is_empty());
            assert_eq!(content_range.as_deref().and_then(complete_length), Some(1000));
            assert_eq!(range.unwrap().within(1000), None);
        }
        StatusCode::NOT_MODIFIED => {
            assert!(body.is_empty());
            let conditions = [header::IF_NONE_MATCH, header::IF_MODIFIED_SINCE];
            assert!(conditions.iter().any(|condition| head.headers.contains_key(condition)));
        }
        other => panic!("{other}"),
    }
}

fn spans(text: &str) {
    if let Some(range) = ByteRange::read(text) {
        assert_eq!(ByteRange::read(&range.text).map(|again| again.text), Some(range.text.clone()), "{text}");
        // An origin that sends exactly what was asked for is believed.
        if let Some(sent) =
            range.text.strip_prefix("bytes=").and_then(|span| ContentRange::read(&format!("bytes {span}/{}", u64::MAX)))
        {
            assert!(sent.answers(&range), "{text}");
        }
    }
    if let Some(sent) = ContentRange::read(text) {
        assert!(sent.length() > 0 && ContentRange::read(&sent.text()) == Some(sent), "{text}");
    }
    if let Some(length) = complete_length(text) {
        assert_eq!(complete_length(&format!("bytes */{length}")), Some(length));
    }
}
