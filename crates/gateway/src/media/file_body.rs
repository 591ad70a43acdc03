//! Streams a part of a file in chunks, read on blocking threads.

use std::{fs::File, io, os::unix::fs::FileExt, sync::Arc};

use bytes::{Bytes, BytesMut};
use futures_util::{Stream, stream};
use tokio::task::spawn_blocking;

/// The chunk size: large enough that switching threads costs little, and the most that a slow client keeps in memory.
const CHUNK: u64 = 256 * 1024;

/// `left` bytes of a file starting at `at`.
pub(super) fn file_body(file: File, at: u64, left: u64) -> impl Stream<Item = io::Result<Bytes>> + Send {
    stream::try_unfold((Arc::new(file), at, left, Bytes::new()), |(file, at, left, last)| async move {
        if left == 0 {
            return Ok(None);
        }
        // Reuses the buffer of the previous chunk after that was written.
        let mut buffer = last.try_into_mut().unwrap_or_default();
        let source = file.clone();
        let read = move || {
            let read = read_at(&source, &mut buffer, at, left.min(CHUNK))?;
            buffer.truncate(read);
            io::Result::Ok(buffer.freeze())
        };
        let chunk = spawn_blocking(read).await.map_err(io::Error::other)??;
        let read = chunk.len() as u64;
        Ok(Some((chunk.clone(), (file, at + read, left - read, chunk))))
    })
}

/// Reads up to `most` bytes; end of file is an error, since the file has been truncated.
fn read_at(file: &File, buffer: &mut BytesMut, at: u64, most: u64) -> io::Result<usize> {
    buffer.resize(usize::try_from(most).unwrap_or_default(), 0);
    loop {
        match file.read_at(buffer, at) {
            Ok(0) => return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file has become shorter")),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{io::Write, pin::pin};

    use futures_util::TryStreamExt;

    use super::*;

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        file.reopen().unwrap()
    }

    #[tokio::test]
    async fn file_body_is_the_requested_part() {
        let film: Vec<u8> = (0..1_500_000_u32).map(|at| u8::try_from(at % 251).unwrap()).collect();
        for (at, length) in [(0, 300_000), (1, 65_536), (1_499_999, 1), (1_500_000, 0), (3, 1_400_000), (0, 1_500_000)]
        {
            let body = file_body(file(&film), at as u64, length as u64);
            let chunks: Vec<Bytes> = body.try_collect().await.unwrap();
            assert!(chunks.concat() == film[at..at + length], "{at} {length}");
        }
    }

    #[tokio::test]
    async fn file_body_of_a_truncated_file_ends_with_an_error() {
        let mut body = pin!(file_body(file(b"short"), 0, 6));
        assert_eq!(body.try_next().await.unwrap().as_deref(), Some(&b"short"[..]));
        assert!(body.try_next().await.is_err());
        assert!(body.try_next().await.unwrap().is_none());
    }
}
