//! Bodies packed for the wire while somebody waits: quick settings, and no more at once than there are processors.

use std::{
    io::{self, Write},
    num::NonZero,
    sync::LazyLock,
};

use bytes::Bytes;
use tokio::sync::Semaphore;

/// One turn per processor: more packers at once than that would finish nothing sooner, and each takes megabytes.
static TURNS: LazyLock<Semaphore> =
    LazyLock::new(|| Semaphore::new(std::thread::available_parallelism().map_or(1, NonZero::get)));

/// A way to pack a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Packing {
    /// Brotli (RFC 7932).
    Br,
    /// Gzip (RFC 1952).
    Gzip,
}

impl Packing {
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
