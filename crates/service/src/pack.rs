//! Bodies packed while their request waits: quick settings, and no more at once than there are processors.

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

/// One turn per processor: more packers at once than that would finish nothing sooner, and each takes megabytes.
static TURNS: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(std::thread::available_parallelism().map_or(1, NonZero::get)));

/// Bodies shorter than this travel as they are: packing them saves no packet.
const PACKED_FROM: usize = 1024;

/// A way to pack a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Packing {
    /// Brotli (RFC 7932).
    Br,
    /// Gzip (RFC 1952).
    Gzip,
}

impl Packing {
    /// What the client of a service's request prefers to the whole body.
    pub fn wanted_by(req: &HttpRequest) -> Option<Self> {
        Self::wanted(req.headers().get_all(header::ACCEPT_ENCODING).map(HeaderValue::as_bytes))
    }

    /// What a client prefers to the whole body, by the values of every `Accept-Encoding`; nothing where it takes neither.
    pub fn wanted<'a>(values: impl Iterator<Item = &'a [u8]>) -> Option<Self> {
        Self::wanted_of(values, &[Self::Br, Self::Gzip])
    }

    /// The same of those that are `offered`, the best first.
    pub fn wanted_of<'a>(values: impl Iterator<Item = &'a [u8]>, offered: &[Self]) -> Option<Self> {
        let texts = values.filter_map(|value| std::str::from_utf8(value).ok());
        let wanted: Vec<_> = texts.flat_map(|text| text.split(',')).filter_map(|one| one.trim().parse().ok()).collect();
        if wanted.is_empty() {
            return None;
        }
        let mut encodings: Vec<_> = offered.iter().map(|packing| packing.encoding()).collect();
        encodings.push(Encoding::identity());
        let chosen = AcceptEncoding(wanted).negotiate(encodings.iter())?;
        offered.iter().copied().find(|packing| packing.encoding() == chosen)
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

    /// Packs on a thread that may be busy for the milliseconds it takes.
    pub async fn pack(self, whole: Bytes) -> io::Result<Bytes> {
        let _turn = TURNS.acquire().await.map_err(io::Error::other)?;
        let pack = move || match self {
            Self::Br => brotli(&whole),
            Self::Gzip => gzip(&whole),
        };
        tokio::task::spawn_blocking(pack).await.map_err(io::Error::other)?.map(Bytes::from)
    }
}

/// A body, packed at the first request that wants it packed.
pub struct Body {
    whole: Bytes,
    br: OnceCell<Bytes>,
    gzip: OnceCell<Bytes>,
}

impl Body {
    /// A body that is not packed yet.
    pub fn new(whole: Bytes) -> Self {
        Self { whole, br: OnceCell::new(), gzip: OnceCell::new() }
    }

    /// The body as it is.
    pub fn whole(&self) -> &Bytes {
        &self.whole
    }

    /// Bytes it holds at most; packed bodies are a fraction of the whole one.
    pub fn weight(&self) -> usize {
        self.whole.len().saturating_mul(2)
    }

    /// Finishes a service's response with the body as the client prefers it.
    pub async fn send(&self, response: &mut HttpResponseBuilder, req: &HttpRequest) -> HttpResponse {
        let (packing, body) = self.packed(Packing::wanted_by(req)).await;
        if let Some(packing) = packing {
            response.insert_header((header::CONTENT_ENCODING, packing.name()));
        }
        response.body(body)
    }

    /// The body as the client prefers it, and how it is packed.
    pub async fn packed(&self, wanted: Option<Packing>) -> (Option<Packing>, Bytes) {
        let whole = (None, self.whole.clone());
        let Some(packing) = wanted.filter(|_| self.whole.len() >= PACKED_FROM) else { return whole };
        let cell = match packing {
            Packing::Br => &self.br,
            Packing::Gzip => &self.gzip,
        };
        match cell.get_or_try_init(|| packing.pack(self.whole.clone())).await {
            Ok(packed) => (Some(packing), packed.clone()),
            Err(error) => {
                tracing::error!(error = %error, "a body could not be packed; it goes out whole");
                whole
            }
        }
    }
}

fn brotli(bytes: &[u8]) -> io::Result<Vec<u8>> {
    // Quality 5: a catalogue list in two milliseconds, within a few percent of the slow settings. A window that just holds the body:
    // the encoder takes several times the window's size of memory, for every body it packs.
    let lgwin = bytes.len().next_power_of_two().ilog2().clamp(10, 22).cast_signed();
    let params = brotli::enc::BrotliEncoderParams { quality: 5, lgwin, size_hint: bytes.len(), ..Default::default() };
    let mut packed = Vec::with_capacity(bytes.len() / 4);
    brotli::BrotliCompress(&mut &*bytes, &mut packed, &params)?;
    Ok(packed)
}

/// Packs at once; for what is made rarely and kept.
pub fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder =
        flate2::write::GzEncoder::new(Vec::with_capacity(bytes.len() / 4), flate2::Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}
