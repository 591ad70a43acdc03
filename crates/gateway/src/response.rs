//! Responses: the body type, and helpers for handlers.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};

use base64::{Engine, engine::general_purpose::STANDARD};
use bytes::Bytes;
use futures_util::Stream;
use http::{
    HeaderValue, StatusCode,
    header::{self, HeaderName},
    response::Builder,
};
use http_body::{Frame, SizeHint};
use languages::Language;
use service::{Problem, compression};
use sha2::{Digest, Sha256};

use crate::request::Head;

/// The response of a handler.
pub type Response = http::Response<Body>;

/// A stream of a body's chunks.
type Pieces = Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>;

/// A response's body.
pub enum Body {
    /// No bytes.
    Empty,
    /// All of it.
    Whole(Bytes),
    /// Streamed while it is sent, with its length in bytes if known.
    Streamed {
        /// Its length in bytes.
        length: Option<u64>,
        /// The pieces.
        pieces: Pieces,
    },
}

/// Browsers must not guess the content type.
pub(crate) const NO_SNIFF: (HeaderName, HeaderValue) =
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));

impl Body {
    /// A streamed body; a known `length` in bytes is sent as `Content-Length`.
    pub fn stream(length: Option<u64>, pieces: impl Stream<Item = io::Result<Bytes>> + Send + 'static) -> Self {
        Self::Streamed { length, pieces: Box::pin(pieces) }
    }

    /// Its length in bytes, if known.
    pub fn length(&self) -> Option<u64> {
        match self {
            Self::Empty => Some(0),
            Self::Whole(bytes) => Some(bytes.len() as u64),
            Self::Streamed { length, .. } => *length,
        }
    }
}

impl<B: Into<Bytes>> From<B> for Body {
    fn from(bytes: B) -> Self {
        Self::Whole(bytes.into())
    }
}

impl http_body::Body for Body {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        match &mut *self {
            Self::Empty => Poll::Ready(None),
            Self::Whole(bytes) => {
                let bytes = std::mem::take(bytes);
                *self = Self::Empty;
                Poll::Ready((!bytes.is_empty()).then(|| Ok(Frame::data(bytes))))
            }
            Self::Streamed { length, pieces } => {
                let piece = ready!(pieces.as_mut().poll_next(cx)).transpose()?;
                if let (Some(left), Some(piece)) = (&mut *length, &piece) {
                    // More bytes than announced would be parsed as the next response.
                    *left = left.checked_sub(piece.len() as u64).ok_or(io::ErrorKind::InvalidData)?;
                }
                match (piece, &*length) {
                    (None, Some(1..)) => Poll::Ready(Some(Err(io::ErrorKind::UnexpectedEof.into()))),
                    (piece, _) => Poll::Ready(piece.map(|piece| Ok(Frame::data(piece)))),
                }
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Empty => true,
            Self::Whole(bytes) => bytes.is_empty(),
            Self::Streamed { length, .. } => *length == Some(0),
        }
    }

    fn size_hint(&self) -> SizeHint {
        self.length().map_or_else(SizeHint::default, SizeHint::with_exact)
    }
}

/// A response with these headers and this body.
pub(crate) fn response<const N: usize>(
    status: StatusCode,
    headers: [(HeaderName, HeaderValue); N],
    body: impl Into<Body>,
) -> Response {
    let mut response = http::Response::new(body.into());
    *response.status_mut() = status;
    response.headers_mut().extend(headers);
    response
}

/// A header value of our own text; invalid text becomes an empty value.
pub(crate) fn value(text: &str) -> HeaderValue {
    HeaderValue::from_str(text).unwrap_or_else(|_| HeaderValue::from_static(""))
}

/// `Vary` of a reply in the visitor's language, which the gateway chooses by these headers.
pub(crate) const BY_LANGUAGE: HeaderValue = HeaderValue::from_static("accept-language, cookie");

/// The Content-Security-Policy of a page with text and this inline style.
pub(crate) fn style_policy(styles: &str) -> String {
    format!(
        "default-src 'none'; style-src {}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        inline_source(styles)
    )
}

/// What `style-src` or `script-src` must allow for an inline style or script.
pub(crate) fn inline_source(text: &str) -> String {
    format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)))
}

/// A problem as a response (RFC 9457), in English; the server writes it in the language of the request.
pub(crate) fn problem(problem: &Problem) -> Response {
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/problem+json")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::CONTENT_LANGUAGE, HeaderValue::from_static(Language::ENGLISH.code())),
        (header::VARY, BY_LANGUAGE),
    ];
    let status = StatusCode::from_u16(problem.status_code()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = response(status, headers, problem.json(Language::ENGLISH));
    if let Some((name, text)) = problem.header() {
        response.headers_mut().insert(HeaderName::from_static(name), value(&text));
    }
    if let Some(cause) = problem.cause() {
        response.extensions_mut().insert(Cause(cause.to_owned()));
    }
    response.extensions_mut().insert(problem.clone());
    response
}

/// Writes a problem of the gateway in the language of its request.
pub(crate) fn translate(response: &mut Response, language: impl FnOnce() -> Language) {
    let Some(problem) = response.extensions_mut().remove::<Problem>() else { return };
    let language = problem.language(language());
    if language != Language::ENGLISH {
        response.headers_mut().insert(header::CONTENT_LANGUAGE, HeaderValue::from_static(language.code()));
        *response.body_mut() = problem.json(language).into();
    }
}

/// The cause of an error, for the access log only.
#[derive(Clone, Debug)]
pub(crate) struct Cause(pub(crate) String);

/// The head without the body, but with its length (RFC 9110 section 9.3.2).
pub(crate) fn without_body(response: Response) -> Response {
    let (mut parts, body) = response.into_parts();
    let has_length =
        !parts.status.is_informational() && !matches!(parts.status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED);
    if let Some(length) = body.length().filter(|_| has_length && !parts.headers.contains_key(header::CONTENT_LENGTH)) {
        parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    }
    Response::from_parts(parts, Body::Empty)
}

/// The compression that the client prefers.
pub(crate) fn compression(head: &Head) -> Option<compression::Compression> {
    compression::Compression::negotiate(head.headers.get_all(header::ACCEPT_ENCODING).iter().map(HeaderValue::as_bytes))
}

/// Completes a response with the body in the encoding that the client prefers.
pub(crate) async fn compressed(
    mut builder: Builder,
    body: &compression::Body,
    head: &Head,
) -> Result<Response, http::Error> {
    let (compression, bytes) = body.compressed(compression(head)).await;
    if let Some(compression) = compression {
        builder = builder.header(header::CONTENT_ENCODING, compression.name());
    }
    builder.body(bytes.into())
}

#[cfg(test)]
mod tests {
    use futures_util::stream;
    use http_body_util::BodyExt;

    use super::*;

    #[tokio::test]
    async fn stream_of_another_length_fails() {
        let body = |length, parts: &[&'static str]| {
            let pieces: Vec<_> = parts.iter().map(|part| Ok(Bytes::from_static(part.as_bytes()))).collect();
            Body::stream(length, stream::iter(pieces))
        };
        for (length, parts, whole) in [
            (Some(5), &["ab", "cde"][..], Some("abcde")),
            (None, &["ab", "cde"], Some("abcde")),
            (Some(4), &["ab", "cde"], None),
            (Some(6), &["ab", "cde"], None),
        ] {
            let collected = body(length, parts).collect().await.ok().map(|whole| whole.to_bytes());
            assert_eq!(collected.as_deref(), whole.map(str::as_bytes), "{length:?}");
        }
    }

    #[test]
    fn without_body_keeps_the_content_length() {
        let of = |status, body: Body| {
            let response = without_body(response(status, [], body));
            response.headers().get(header::CONTENT_LENGTH).map(|length| length.to_str().unwrap().to_owned())
        };
        assert_eq!(of(StatusCode::OK, "abc".into()).as_deref(), Some("3"));
        assert_eq!(of(StatusCode::OK, Body::stream(Some(9), stream::empty())).as_deref(), Some("9"));
        assert_eq!(of(StatusCode::OK, Body::stream(None, stream::empty())), None);
        assert_eq!(of(StatusCode::NOT_MODIFIED, Body::Empty), None);
    }
}
