//! One keep-alive HTTP/1.1 connection with little overhead beyond its system calls.

use std::{io, net::SocketAddr, time::Duration};

use bytes::Bytes;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

/// The timeout of one reply.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Large enough for a whole catalogue list, so that most replies need one read.
const BUFFER: usize = 256 * 1024;

/// A connection and what has been read from it.
pub struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// A reply in the connection's buffer.
#[derive(Debug)]
pub struct Reply<'a> {
    /// The status code.
    pub status: u16,
    /// Status line and headers.
    pub head: &'a [u8],
    /// The body as received; chunked bodies include their chunk sizes.
    pub body: &'a [u8],
}

impl Reply<'_> {
    /// A header's value by its case-insensitive name.
    pub fn header(&self, name: &str) -> Option<String> {
        let head = String::from_utf8_lossy(self.head);
        head.lines()
            .filter_map(|line| line.split_once(':'))
            .find(|(known, _)| known.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.trim().to_owned())
    }
}

/// How the end of a body is determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Body {
    Of(usize),
    Chunked,
}

struct Head {
    status: u16,
    length: usize,
    body: Body,
}

impl Connection {
    /// Connects to `addr`.
    pub async fn open(addr: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(addr).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: vec![0; BUFFER] })
    }

    /// Sends a request and reads the whole reply.
    pub async fn send(&mut self, request: &[u8]) -> io::Result<Reply<'_>> {
        self.send_within(TIMEOUT, request).await
    }

    /// As `send`, with another timeout.
    pub async fn send_within(&mut self, timeout: Duration, request: &[u8]) -> io::Result<Reply<'_>> {
        tokio::time::timeout(timeout, self.exchange(request))
            .await
            .map_err(|_| io::Error::new(io::ErrorKind::TimedOut, format!("no reply within {} s", timeout.as_secs())))?
    }

    async fn exchange(&mut self, request: &[u8]) -> io::Result<Reply<'_>> {
        self.stream.write_all(request).await?;
        let mut filled = 0;
        let mut head: Option<Head> = None;
        loop {
            if filled == self.buffer.len() {
                self.buffer.resize(filled * 2, 0);
            }
            let read = self.stream.read(self.buffer.get_mut(filled..).unwrap_or_default()).await?;
            if read == 0 {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the server closed in the middle of a reply"));
            }
            filled += read;
            let whole = self.buffer.get(..filled).unwrap_or_default();
            if head.is_none() {
                head = parse(whole)?;
            }
            let Some(head) = &head else { continue };
            let (start, body) = whole.split_at(head.length);
            let ended = match head.body {
                Body::Of(length) => body.len() >= length,
                Body::Chunked => body.ends_with(b"0\r\n\r\n"),
            };
            if ended {
                let (status, at) = (head.status, start.len());
                let whole = self.buffer.get(..filled).unwrap_or_default();
                let (head, body) = whole.split_at(at);
                return Ok(Reply { status, head, body });
            }
        }
    }
}

/// Parses the head of a reply, if it is complete.
fn parse(bytes: &[u8]) -> io::Result<Option<Head>> {
    let mut headers = [httparse::EMPTY_HEADER; 48];
    let mut reply = httparse::Response::new(&mut headers);
    let parsed = reply.parse(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error.to_string()))?;
    let httparse::Status::Complete(length) = parsed else { return Ok(None) };
    let status = reply.code.unwrap_or_default();
    let mut body = Body::Of(0);
    for header in reply.headers.iter() {
        if header.name.eq_ignore_ascii_case("content-length") {
            let digits = std::str::from_utf8(header.value).ok().and_then(|text| text.trim().parse().ok());
            body = Body::Of(digits.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "a bad length"))?);
        } else if header.name.eq_ignore_ascii_case("transfer-encoding") {
            body = Body::Chunked;
        }
    }
    if matches!(status, 204 | 304) {
        body = Body::Of(0);
    }
    Ok(Some(Head { status, length, body }))
}

/// A request's bytes; `headers` are lines without line ends.
pub fn request(method: &str, host: &str, path: &str, headers: &[&str], body: Option<&str>) -> Bytes {
    let mut text = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\n");
    for header in headers {
        text.push_str(header);
        text.push_str("\r\n");
    }
    if let Some(body) = body {
        text.push_str(&format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len()));
    }
    text.push_str("\r\n");
    text.push_str(body.unwrap_or_default());
    text.into()
}

/// A GET request's bytes.
pub fn get(host: &str, path: &str, headers: &[&str]) -> Bytes {
    request("GET", host, path, headers, None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_reads_status_and_body_length() {
        let of = |text: &str| parse(text.as_bytes()).unwrap().map(|head| (head.status, head.length, head.body));
        assert_eq!(of("HTTP/1.1 200 OK\r\nContent-Le"), None);
        assert_eq!(of("HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\nx"), Some((200, 39, Body::Of(12))));
        assert_eq!(of("HTTP/1.1 304 Not Modified\r\nContent-Length: 12\r\n\r\n"), Some((304, 49, Body::Of(0))));
        let chunked = of("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
        assert_eq!(chunked.map(|(_, _, body)| body), Some(Body::Chunked));
        assert!(parse(b"nonsense\r\n\r\n").is_err());
    }

    #[test]
    fn request_has_the_bodys_type_and_length() {
        let bytes = request("POST", "memeworld", "/a", &["Cookie: a=b"], Some("{}"));
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let head = "POST /a HTTP/1.1\r\nHost: memeworld\r\nCookie: a=b\r\nContent-Type: application/json\r\n";
        assert_eq!(text, format!("{head}Content-Length: 2\r\n\r\n{{}}"));
    }
}
