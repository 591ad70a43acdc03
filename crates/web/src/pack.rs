//! Bodies packed for the wire while somebody waits: quick settings, and no more at once than there are processors.

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
    /// What the client would rather have than the whole body; nothing where it takes neither.
    pub fn wanted_by(req: &HttpRequest) -> Option<Self> {
        Self::wanted(req.headers().get_all(header::ACCEPT_ENCODING).map(HeaderValue::as_bytes))
    }

    /// The same by the values of every `Accept-Encoding`.
    pub fn wanted<'a>(values: impl Iterator<Item = &'a [u8]>) -> Option<Self> {
        let texts = values.filter_map(|value| std::str::from_utf8(value).ok());
        let wanted: Vec<_> = texts.flat_map(|text| text.split(',')).filter_map(|one| one.trim().parse().ok()).collect();
        if wanted.is_empty() {
            return None;
        }
        let offered = [Encoding::brotli(), Encoding::gzip(), Encoding::identity()];
        match AcceptEncoding(wanted).negotiate(offered.iter())? {
            Encoding::Known(ContentEncoding::Brotli) => Some(Self::Br),
            Encoding::Known(ContentEncoding::Gzip) => Some(Self::Gzip),
            _ => None,
        }
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

/// A body, packed the first time somebody asks for it packed.
pub struct Body {
    whole: Bytes,
    br: OnceCell<Bytes>,
    gzip: OnceCell<Bytes>,
}

impl Body {
    /// A body that nobody has asked for yet.
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

    /// Finishes a reply with the body as the client would rather have it.
    pub async fn send(&self, reply: &mut HttpResponseBuilder, req: &HttpRequest) -> HttpResponse {
        match self.packed_for(req).await {
            Some((packing, body)) => reply.insert_header((header::CONTENT_ENCODING, packing.name())).body(body),
            None => reply.body(self.whole.clone()),
        }
    }

    async fn packed_for(&self, req: &HttpRequest) -> Option<(Packing, Bytes)> {
        if self.whole.len() < PACKED_FROM {
            return None;
        }
        let packing = Packing::wanted_by(req)?;
        let cell = match packing {
            Packing::Br => &self.br,
            Packing::Gzip => &self.gzip,
        };
        match cell.get_or_try_init(|| packing.pack(self.whole.clone())).await {
            Ok(packed) => Some((packing, packed.clone())),
            Err(error) => {
                tracing::error!(error = %error, "a body could not be packed; it goes out whole");
                None
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
