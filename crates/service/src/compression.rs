//! Compression of bodies while their requests wait: fast settings, and at most one compression per processor.

use std::{
    io::{self, Write},
    num::NonZero,
    sync::LazyLock,
};

use actix_web::{
    HttpRequest, HttpResponse, HttpResponseBuilder,
    http::header::{self, AcceptEncoding, ContentEncoding, Encoding, HeaderValue},
};
use bytes::Bytes;
use tokio::sync::{OnceCell, Semaphore};

/// One permit per processor: more would not finish sooner, and each compression needs megabytes.
static PERMITS: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(std::thread::available_parallelism().map_or(1, NonZero::get)));

/// Shorter bodies are not compressed: that would save no packet.
const MIN_BYTES: usize = 1024;

/// A content encoding that compresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Compression {
    /// Brotli (RFC 7932).
    Br,
    /// Gzip (RFC 1952).
    Gzip,
}

impl Compression {
    /// The compression that a service's client prefers.
    pub fn negotiate_request(req: &HttpRequest) -> Option<Self> {
        Self::negotiate(req.headers().get_all(header::ACCEPT_ENCODING).map(HeaderValue::as_bytes))
    }

    /// The compression that a client prefers, by all its `Accept-Encoding` values; `None` for an uncompressed body.
    pub fn negotiate<'a>(values: impl Iterator<Item = &'a [u8]>) -> Option<Self> {
        Self::negotiate_among(values, &[Self::Br, Self::Gzip])
    }

    /// As `negotiate`, among those that are `offered`, the best first.
    pub fn negotiate_among<'a>(values: impl Iterator<Item = &'a [u8]>, offered: &[Self]) -> Option<Self> {
        let texts = values.filter_map(|value| std::str::from_utf8(value).ok());
        let accepted: Vec<_> =
            texts.flat_map(|text| text.split(',')).filter_map(|one| one.trim().parse().ok()).collect();
        if accepted.is_empty() {
            return None;
        }
        let mut encodings: Vec<_> = offered.iter().map(|compression| compression.encoding()).collect();
        encodings.push(Encoding::identity());
        let chosen = AcceptEncoding(accepted).negotiate(encodings.iter())?;
        offered.iter().copied().find(|compression| compression.encoding() == chosen)
    }

    fn encoding(self) -> Encoding {
        Encoding::Known(match self {
            Self::Br => ContentEncoding::Brotli,
            Self::Gzip => ContentEncoding::Gzip,
        })
    }

    /// Its name in `Content-Encoding`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Br => "br",
            Self::Gzip => "gzip",
        }
    }

    /// Compresses on a blocking thread.
    pub async fn compress(self, whole: Bytes) -> io::Result<Bytes> {
        let _permit = PERMITS.acquire().await.map_err(io::Error::other)?;
        let compress = move || match self {
            Self::Br => brotli(&whole),
            Self::Gzip => gzip(&whole),
        };
        tokio::task::spawn_blocking(compress).await.map_err(io::Error::other)?.map(Bytes::from)
    }
}

/// A body, compressed at the first request that prefers so.
pub struct Body {
    whole: Bytes,
    br: OnceCell<Bytes>,
    gzip: OnceCell<Bytes>,
}

impl Body {
    /// A body that is not compressed yet.
    pub fn new(whole: Bytes) -> Self {
        Self { whole, br: OnceCell::new(), gzip: OnceCell::new() }
    }

    /// The uncompressed body.
    pub fn whole(&self) -> &Bytes {
        &self.whole
    }

    /// The most bytes it uses; compressed bodies are a fraction of the whole one.
    pub fn weight(&self) -> usize {
        self.whole.len().saturating_mul(2)
    }

    /// Completes a service's response with the body in the encoding that the client prefers.
    pub async fn send(&self, response: &mut HttpResponseBuilder, req: &HttpRequest) -> HttpResponse {
        let (compression, body) = self.compressed(Compression::negotiate_request(req)).await;
        if let Some(compression) = compression {
            response.insert_header((header::CONTENT_ENCODING, compression.name()));
        }
        response.body(body)
    }

    /// The body in the encoding that the client prefers, and that encoding.
    pub async fn compressed(&self, preferred: Option<Compression>) -> (Option<Compression>, Bytes) {
        let whole = (None, self.whole.clone());
        let Some(compression) = preferred.filter(|_| self.whole.len() >= MIN_BYTES) else { return whole };
        let cell = match compression {
            Compression::Br => &self.br,
            Compression::Gzip => &self.gzip,
        };
        match cell.get_or_try_init(|| compression.compress(self.whole.clone())).await {
            Ok(bytes) => (Some(compression), bytes.clone()),
            Err(error) => {
                tracing::error!(error = %error, "a body could not be compressed; it is sent uncompressed");
                whole
            }
        }
    }
}

fn brotli(bytes: &[u8]) -> io::Result<Vec<u8>> {
    // Quality 5: 2 ms for a catalogue list, within a few percent of the slow settings. The window just holds the body, since the encoder
    // uses several times the window's size of memory per body.
    let lgwin = bytes.len().next_power_of_two().ilog2().clamp(10, 22).cast_signed();
    let params = brotli::enc::BrotliEncoderParams { quality: 5, lgwin, size_hint: bytes.len(), ..Default::default() };
    let mut compressed = Vec::with_capacity(bytes.len() / 4);
    brotli::BrotliCompress(&mut &*bytes, &mut compressed, &params)?;
    Ok(compressed)
}

/// Compresses on the current thread: for bodies that are made rarely and cached.
pub fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder =
        flate2::write::GzEncoder::new(Vec::with_capacity(bytes.len() / 4), flate2::Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}
