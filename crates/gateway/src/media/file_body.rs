//! A part of a file as a stream of chunks. What the system has in memory is read at once; only what lies on the disk costs a trip to
//! another thread, so that a part that many clients fetch costs little more than its bytes.

use std::{
    fs::File,
    io,
    os::unix::fs::FileExt,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
};

use bytes::{Bytes, BytesMut};
use futures_util::Stream;
use tokio::task::{JoinHandle, spawn_blocking};

/// Bytes read at a time: enough to make calls cheap, and what one slow client may hold.
const CHUNK: u64 = 64 * 1024;

/// A part of at least this many bytes is read in large chunks, which cost fewer calls a byte.
const LARGE_PART: u64 = 1024 * 1024;
const LARGE_CHUNK: u64 = 256 * 1024;

type Read = io::Result<(BytesMut, usize)>;

/// `left` bytes of a file from `at` on.
pub(super) struct FileBody {
    file: Arc<File>,
    at: u64,
    left: u64,
    /// Bytes read at a time at most.
    chunk: u64,
    /// The chunk before; its memory is used again once it has been written.
    last: Bytes,
    /// A read that waits for the disk.
    waiting: Option<JoinHandle<Read>>,
}

impl FileBody {
    pub(super) fn new(file: File, at: u64, left: u64) -> Self {
        let chunk = if left < LARGE_PART { CHUNK } else { LARGE_CHUNK };
        Self { file: Arc::new(file), at, left, chunk, last: Bytes::new(), waiting: None }
    }

    /// The next chunk, of which a read has filled `read` bytes.
    fn advance(&mut self, mut buffer: BytesMut, read: usize) -> io::Result<Bytes> {
        if read == 0 {
            self.left = 0;
            return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file has become shorter"));
        }
        buffer.truncate(read);
        self.last = buffer.freeze();
        let read = u64::try_from(read).unwrap_or(u64::MAX);
        self.at = self.at.saturating_add(read);
        self.left = self.left.saturating_sub(read);
        Ok(self.last.clone())
    }
}

impl Stream for FileBody {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = &mut *self;
        if this.left == 0 {
            return Poll::Ready(None);
        }
        let waiting = match &mut this.waiting {
            Some(waiting) => waiting,
            None => {
                let size = usize::try_from(this.left.min(this.chunk)).unwrap_or_default();
                let mut buffer = std::mem::take(&mut this.last).try_into_mut().unwrap_or_default();
                buffer.resize(size, 0);
                match read_at_once(&this.file, &mut buffer, this.at) {
                    Ok(read) if read > 0 => return Poll::Ready(Some(this.advance(buffer, read))),
                    // It is not in memory, or the file system has no such read.
                    _ => {
                        let (file, at) = (this.file.clone(), this.at);
                        this.waiting.insert(spawn_blocking(move || {
                            let read = read_at(&file, &mut buffer, at)?;
                            Ok((buffer, read))
                        }))
                    }
                }
            }
        };
        let ended = ready!(Pin::new(waiting).poll(cx));
        this.waiting = None;
        let read = ended.map_err(io::Error::other).and_then(|read| read);
        Poll::Ready(Some(read.and_then(|(buffer, read)| this.advance(buffer, read))))
    }
}

/// Reads what is in memory; an error where the disk would have to be waited for (preadv2(2), `RWF_NOWAIT`).
#[cfg(target_os = "linux")]
fn read_at_once(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    use rustix::io::{ReadWriteFlags, preadv2};
    Ok(preadv2(file, &mut [io::IoSliceMut::new(buffer)], at, ReadWriteFlags::NOWAIT)?)
}

#[cfg(not(target_os = "linux"))]
fn read_at_once(_: &File, _: &mut [u8], _: u64) -> io::Result<usize> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Reads, and waits for the disk.
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    loop {
        match file.read_at(buffer, at) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use futures_util::TryStreamExt;

    use super::*;

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        file.reopen().unwrap()
    }

    #[tokio::test]
    async fn it_is_the_part_that_was_asked_for() {
        let film: Vec<u8> = (0..1_500_000_u32).map(|at| u8::try_from(at % 251).unwrap()).collect();
        for (at, length) in [
            (0, 300_000),
            (1, 65_536),
            (70_000, 131_073),
            (1_499_999, 1),
            (1_500_000, 0),
            (3, 1_400_000),
            (0, 1_500_000),
        ] {
            let body = FileBody::new(file(&film), at as u64, length as u64);
            let chunks: Vec<Bytes> = body.try_collect().await.unwrap();
            assert!(chunks.concat() == film[at..at + length], "{at} {length}");
        }
    }

    #[tokio::test]
    async fn a_file_that_has_become_shorter_is_an_error_and_the_end() {
        let mut body = FileBody::new(file(b"short"), 0, 6);
        assert_eq!(body.try_next().await.unwrap().as_deref(), Some(&b"short"[..]));
        assert!(body.try_next().await.is_err());
        assert!(body.try_next().await.unwrap().is_none());
    }
}
