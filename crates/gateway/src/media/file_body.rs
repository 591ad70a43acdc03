//! A part of a file as a reply's body. What the system has in memory is read at once; only what lies on the disk costs a trip to another
//! thread, so that a part that many people watch costs little more than its bytes.

use std::{
    fs::File,
    io,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll},
};

use actix_web::{
    body::{BodySize, MessageBody},
    rt::task::{JoinHandle, spawn_blocking},
};
use bytes::{Bytes, BytesMut};

/// Bytes read at a time: enough to make calls cheap, and what one visitor who takes them slowly may hold.
const CHUNK: usize = 64 * 1024;

type Read = io::Result<(BytesMut, usize)>;

/// `left` bytes of a file from `at` on.
pub(super) struct FileBody {
    file: Arc<File>,
    at: u64,
    left: u64,
    /// The chunk before; its memory is used again once it has been written.
    last: Bytes,
    waiting: Option<JoinHandle<Read>>,
}

impl FileBody {
    pub(super) fn new(file: File, at: u64, left: u64) -> Self {
        Self { file: Arc::new(file), at, left, last: Bytes::new(), waiting: None }
    }

    /// The next chunk, of which a read has filled `read` bytes.
    fn taken(&mut self, mut buffer: BytesMut, read: usize) -> io::Result<Bytes> {
        if read == 0 {
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

impl MessageBody for FileBody {
    type Error = io::Error;

    fn size(&self) -> BodySize {
        BodySize::Sized(self.left)
    }

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        if self.left == 0 {
            return Poll::Ready(None);
        }
        if self.waiting.is_none() {
            let wanted = usize::try_from(self.left).unwrap_or(CHUNK).min(CHUNK);
            let mut buffer = std::mem::take(&mut self.last).try_into_mut().unwrap_or_default();
            buffer.resize(wanted, 0);
            match system::read_at_once(&self.file, &mut buffer, self.at) {
                Ok(read) if read > 0 => return Poll::Ready(Some(self.taken(buffer, read))),
                // Not in memory, or not to be had this way.
                _ => {
                    let (file, at) = (self.file.clone(), self.at);
                    self.waiting = Some(spawn_blocking(move || {
                        let read = system::read_at(&file, &mut buffer, at)?;
                        Ok((buffer, read))
                    }));
                }
            }
        }
        let Some(waiting) = &mut self.waiting else { return Poll::Ready(None) };
        let Poll::Ready(ended) = Pin::new(waiting).poll(cx) else { return Poll::Pending };
        self.waiting = None;
        let read = ended.map_err(io::Error::other).and_then(|read| read);
        Poll::Ready(Some(read.and_then(|(buffer, read)| self.taken(buffer, read))))
    }
}

pub(super) mod system {
    //! Reading and sending at a place.

    use std::{fs::File, io, os::unix::fs::FileExt};

    use actix_web::rt::net::TcpStream;

    /// Reads what is in memory; an error where the disk would have to be waited for (preadv2(2), `RWF_NOWAIT`).
    #[cfg(target_os = "linux")]
    pub(crate) fn read_at_once(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        use rustix::io::{ReadWriteFlags, preadv2};
        Ok(preadv2(file, &mut [io::IoSliceMut::new(buffer)], at, ReadWriteFlags::NOWAIT)?)
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn read_at_once(_: &File, _: &mut [u8], _: u64) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Hands bytes from `at` on to a connection, and moves `at` by those that it took.
    #[cfg(target_os = "linux")]
    pub(crate) fn send(stream: &TcpStream, file: &File, at: &mut u64, wanted: usize) -> io::Result<usize> {
        Ok(rustix::fs::sendfile(stream, file, Some(at), wanted)?)
    }

    #[cfg(not(target_os = "linux"))]
    pub(crate) fn send(_: &TcpStream, _: &File, _: &mut u64, _: usize) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(crate) fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
        loop {
            match file.read_at(buffer, at) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use actix_web::body::to_bytes;

    use super::*;

    fn file(bytes: &[u8]) -> File {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(bytes).unwrap();
        file.reopen().unwrap()
    }

    #[actix_web::test]
    async fn it_is_the_part_that_was_asked_for() {
        let film: Vec<u8> = (0..300_000_u32).map(|at| u8::try_from(at % 251).unwrap()).collect();
        for (at, length) in [(0, 300_000), (1, 65_536), (70_000, 131_073), (299_999, 1), (300_000, 0)] {
            let body = FileBody::new(file(&film), at as u64, length as u64);
            assert_eq!(to_bytes(body).await.unwrap(), film[at..at + length], "{at} {length}");
        }
    }

    #[actix_web::test]
    async fn a_file_that_has_become_shorter_breaks_the_reply_off() {
        assert!(to_bytes(FileBody::new(file(b"short"), 0, 6)).await.is_err());
    }
}
