//! Media: a request's range and conditions, a line each (`Range`, `If-Range`, `If-None-Match`, `If-Modified-Since`), over a file;
//! and what an origin says of the part it sends.

use std::{io::Write, sync::LazyLock};

use actix_files::NamedFile;
use actix_web::{
    body::to_bytes,
    http::{
        StatusCode,
        header::{CONTENT_RANGE, HeaderValue},
    },
    rt::System,
    test::TestRequest,
};
use gateway::span::{Asked, Sent, whole};
use tempfile::NamedTempFile;

target!("ranges", 6000, holds);

const NAMES: [&str; 4] = ["range", "if-range", "if-none-match", "if-modified-since"];

static BYTES: LazyLock<Vec<u8>> = LazyLock::new(|| (0..1000_u16).map(|at| at.to_be_bytes()[1]).collect());
static FILE: LazyLock<NamedTempFile> = LazyLock::new(|| {
    let mut file = NamedTempFile::new().unwrap();
    file.write_all(&BYTES).unwrap();
    file
});

thread_local! {
    static SYSTEM: actix_web::rt::SystemRunner = System::new();
}

fn holds(input: &[u8]) {
    if let Ok(text) = std::str::from_utf8(input) {
        spans(text.lines().next().unwrap_or_default());
    }
    let mut req = TestRequest::get();
    for (name, value) in NAMES.into_iter().zip(input.split(|byte| *byte == b'\n')) {
        if let (false, Ok(value)) = (value.is_empty(), HeaderValue::from_bytes(value)) {
            req = req.insert_header((name, value));
        }
    }
    let reply = gateway::of_file(&req.to_http_request(), NamedFile::open(FILE.path()).unwrap()).unwrap();
    let status = reply.status();
    let asked =
        input.split(|byte| *byte == b'\n').next().and_then(|line| std::str::from_utf8(line).ok()).and_then(Asked::read);
    let range = reply.headers().get(CONTENT_RANGE).map(|range| range.to_str().unwrap().to_owned());
    let body = SYSTEM.with(|system| system.block_on(to_bytes(reply.into_body()))).unwrap();
    match status {
        StatusCode::OK => assert_eq!(body, *BYTES),
        StatusCode::PARTIAL_CONTENT => {
            let range = range.unwrap();
            let sent = Sent::read(&range).unwrap_or_else(|| panic!("{range}"));
            assert_eq!((sent.text(), sent.length()), (range.clone(), body.len() as u64));
            let from: usize = range[6..].split('-').next().unwrap().parse().unwrap();
            assert_eq!(body, BYTES[from..from + body.len()], "{range}");
            // What is answered beside the server is the same.
            if let Some(asked) = &asked {
                assert_eq!(asked.of(1000), Some(sent), "{range}");
            }
        }
        StatusCode::RANGE_NOT_SATISFIABLE => {
            assert_eq!(range.as_deref().and_then(whole), Some(1000));
            assert_eq!(asked.and_then(|asked| asked.of(1000)), None);
        }
        StatusCode::NOT_MODIFIED => assert!(body.is_empty()),
        // Of a range that is no text nothing can be said but that.
        StatusCode::BAD_REQUEST => assert!(!input.split(|byte| *byte == b'\n').next().unwrap_or_default().is_ascii()),
        other => panic!("{other}"),
    }
}

fn spans(text: &str) {
    if let Some(asked) = Asked::read(text) {
        assert_eq!(Asked::read(&asked.text).map(|again| again.text), Some(asked.text.clone()), "{text}");
        // An origin that sends exactly what was asked for is believed.
        if let Some(sent) =
            asked.text.strip_prefix("bytes=").and_then(|span| Sent::read(&format!("bytes {span}/{}", u64::MAX)))
        {
            assert!(sent.answers(&asked), "{text}");
        }
    }
    if let Some(sent) = Sent::read(text) {
        assert!(sent.length() > 0 && Sent::read(&sent.text()) == Some(sent), "{text}");
    }
    if let Some(length) = whole(text) {
        assert_eq!(whole(&format!("bytes */{length}")), Some(length));
    }
}
