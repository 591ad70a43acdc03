//! Replies as they come over the wire (RFC 9112): a head, and a body that ends as its head says.
//!
//! The grammar is httparse's. What follows from a head is written here: actix's own client builds a map of every header, of which half
//! do not travel on, and that took a tenth of what a relayed call costs.

use std::{io, mem::MaybeUninit};

use actix_web::http::StatusCode;
use bytes::{Buf, Bytes, BytesMut};
use web::{Line, Lines};

/// Headers that a reply may have.
const MAX_HEADERS: usize = 96;

/// The largest head of a reply, and the largest line between two chunks.
const MAX_HEAD_BYTES: usize = 64 * 1024;

/// Hop-by-hop (RFC 9110 section 7.6.1): about one connection, not about the message.
pub(crate) fn is_hop_by_hop(name: &[u8]) -> bool {
    matches!(
        name,
        b"connection"
            | b"keep-alive"
            | b"proxy-authenticate"
            | b"proxy-authorization"
            | b"proxy-connection"
            | b"te"
            | b"trailer"
            | b"transfer-encoding"
            | b"upgrade"
    )
}

/// What a reply says of itself to us alone; the rest we say too.
fn stays(name: &[u8]) -> bool {
    matches!(name, b"date" | b"server" | b"x-request-id") || is_hop_by_hop(name)
}

/// Headers that a `Connection` declares hop-by-hop.
pub(crate) fn connection_options(value: &[u8]) -> impl Iterator<Item = String> {
    std::str::from_utf8(value).unwrap_or_default().split(',').map(|option| option.trim().to_ascii_lowercase())
}

/// A reply's head.
pub(super) struct Head {
    pub status: StatusCode,
    /// Of its headers those that travel on.
    pub lines: Lines,
    /// The length it announces.
    pub length: Option<u64>,
    /// How its body ends.
    pub framing: Framing,
    /// Whether another call may follow on the connection.
    pub keeps: bool,
}

/// How a body ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Framing {
    /// After so many bytes.
    Length(u64),
    /// As its chunks say.
    Chunked(Chunk),
    /// With its connection.
    UntilClosed,
}

/// Where in a chunked body we are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chunk {
    /// Before a chunk's size.
    Size,
    /// So many bytes before a chunk's end.
    Data(u64),
    /// Before the line end behind a chunk's data.
    End,
    /// Behind the last chunk.
    Trailers,
    /// At the end.
    Over,
}

fn broken(why: &'static str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

/// Takes the final head of a reply; nothing where more must be read. What announces an interim one is passed over.
pub(super) fn head(input: &mut BytesMut, asked_for_head: bool) -> io::Result<Option<Head>> {
    loop {
        let Some(head) = any_head(input, asked_for_head)? else { return Ok(None) };
        match head.status {
            StatusCode::SWITCHING_PROTOCOLS => return Err(broken("it speaks another protocol")),
            status if status.is_informational() => {}
            _ => return Ok(Some(head)),
        }
    }
}

fn any_head(input: &mut BytesMut, asked_for_head: bool) -> io::Result<Option<Head>> {
    let mut room = [const { MaybeUninit::uninit() }; MAX_HEADERS];
    let mut parsed = httparse::Response::new(&mut []);
    let config = httparse::ParserConfig::default();
    let whole = config.parse_response_with_uninit_headers(&mut parsed, input, &mut room).map_err(io::Error::other)?;
    let httparse::Status::Complete(head_length) = whole else {
        return if input.len() > MAX_HEAD_BYTES { Err(broken("its head is too large")) } else { Ok(None) };
    };
    let status = parsed.code.and_then(|code| StatusCode::from_u16(code).ok()).ok_or_else(|| broken("no status"))?;
    let is_http_11 = parsed.version == Some(1);
    let Said { lines, are_lower, length, chunked, named } = said(input, parsed.headers, is_http_11)?;
    let bodiless = asked_for_head
        || status.is_informational()
        || matches!(status, StatusCode::NO_CONTENT | StatusCode::NOT_MODIFIED);
    let framing = match length {
        _ if bodiless => Framing::Length(0),
        _ if chunked => Framing::Chunked(Chunk::Size),
        Some(length) => Framing::Length(length),
        None => Framing::UntilClosed,
    };
    let keeps = is_http_11 && framing != Framing::UntilClosed && !named.iter().any(|option| option == "close");
    let mut lines = Lines::new(input.split_to(head_length), lines, are_lower);
    if !named.is_empty() {
        lines.leave_out(|name| named.iter().any(|option| option.as_bytes() == name));
    }
    Ok(Some(Head { status, lines, length, framing, keeps }))
}

/// What a reply's headers say.
struct Said {
    /// Those that may travel on.
    lines: Vec<Line>,
    /// Whether the names of all are written in lower case, as services do.
    are_lower: bool,
    length: Option<u64>,
    chunked: bool,
    /// What is declared hop-by-hop.
    named: Vec<String>,
}

fn said(head: &[u8], headers: &[httparse::Header<'_>], is_http_11: bool) -> io::Result<Said> {
    let mut said = Said {
        lines: Vec::with_capacity(headers.len()),
        are_lower: true,
        length: None,
        chunked: false,
        named: Vec::new(),
    };
    for header in headers {
        let lower;
        let name = if header.name.bytes().fold(false, |upper, b| upper | b.is_ascii_uppercase()) {
            said.are_lower = false;
            lower = header.name.to_ascii_lowercase();
            lower.as_bytes()
        } else {
            header.name.as_bytes()
        };
        match name {
            b"content-length" => {
                // Digits alone, and once: whatever else there is, somebody may read it in another way.
                let digits = header.value.iter().all(u8::is_ascii_digit).then_some(header.value);
                let length = digits.and_then(|digits| std::str::from_utf8(digits).ok()?.parse().ok());
                if length.is_none() || said.length.is_some() {
                    return Err(broken("its length means nothing"));
                }
                said.length = length;
            }
            b"transfer-encoding" => {
                if said.chunked || !is_http_11 || !header.value.eq_ignore_ascii_case(b"chunked") {
                    return Err(broken("its encoding is unknown"));
                }
                said.chunked = true;
            }
            b"connection" => said.named.extend(connection_options(header.value)),
            name if stays(name) => {}
            _ => said.lines.push(Line::within(head, header).ok_or_else(|| broken("no headers"))?),
        }
    }
    if said.chunked && said.length.is_some() {
        return Err(broken("it has two lengths"));
    }
    Ok(said)
}

impl Framing {
    /// Takes the next piece of a body; `Some(None)` at its end, nothing where more must be read.
    pub fn piece(&mut self, input: &mut BytesMut) -> io::Result<Option<Option<Bytes>>> {
        loop {
            match self {
                Self::Length(0) | Self::Chunked(Chunk::Over) => return Ok(Some(None)),
                Self::UntilClosed if input.is_empty() => return Ok(None),
                Self::UntilClosed => return Ok(Some(Some(input.split().freeze()))),
                Self::Length(left) => return Ok(take(left, input)),
                Self::Chunked(Chunk::Data(0)) => *self = Self::Chunked(Chunk::End),
                Self::Chunked(Chunk::Data(left)) => return Ok(take(left, input)),
                Self::Chunked(chunk) => match between(*chunk, input)? {
                    Some(next) => *chunk = next,
                    None if input.len() > MAX_HEAD_BYTES => return Err(broken("its chunks mean nothing")),
                    None => return Ok(None),
                },
            }
        }
    }
}

fn take(left: &mut u64, input: &mut BytesMut) -> Option<Option<Bytes>> {
    let most = usize::try_from(*left).unwrap_or(usize::MAX).min(input.len());
    *left -= most as u64;
    (most > 0).then(|| Some(input.split_to(most).freeze()))
}

/// Takes what stands between two chunks' data, or behind the last; nothing where more must be read.
fn between(chunk: Chunk, input: &mut BytesMut) -> io::Result<Option<Chunk>> {
    use httparse::Status::{Complete, Partial};
    let (length, next) = match chunk {
        Chunk::Size => match httparse::parse_chunk_size(input) {
            Ok(Complete((length, 0))) => (length, Chunk::Trailers),
            Ok(Complete((length, size))) => (length, Chunk::Data(size)),
            Ok(Partial) => return Ok(None),
            Err(_) => return Err(broken("a chunk has no size")),
        },
        Chunk::End => match input.get(..2) {
            Some(b"\r\n") => (2, Chunk::Size),
            Some(_) => return Err(broken("a chunk is longer than it said")),
            None => return Ok(None),
        },
        Chunk::Trailers => {
            match httparse::parse_headers(input, &mut [httparse::EMPTY_HEADER; 16]).map_err(io::Error::other)? {
                Complete((length, _)) => (length, Chunk::Over),
                Partial => return Ok(None),
            }
        }
        Chunk::Data(_) | Chunk::Over => (0, chunk),
    };
    input.advance(length);
    Ok(Some(next))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a reader makes of a reply that comes in two parts: its status, the headers that travel, its body, and whether another call
    /// may follow. An error where it makes nothing of it.
    fn read(reply: &[u8], cut: usize, asked_for_head: bool) -> io::Result<(u16, Vec<String>, Vec<u8>, bool)> {
        let mut input = BytesMut::from(&reply[..cut]);
        let mut rest = Some(&reply[cut..]);
        let mut more = |input: &mut BytesMut| {
            let rest = rest.take().ok_or(io::ErrorKind::UnexpectedEof)?;
            input.extend_from_slice(rest);
            io::Result::Ok(())
        };
        let mut head = loop {
            match head(&mut input, asked_for_head)? {
                Some(head) => break head,
                None => more(&mut input)?,
            }
        };
        let mut body = Vec::new();
        loop {
            match head.framing.piece(&mut input)? {
                Some(Some(piece)) => body.extend_from_slice(&piece),
                Some(None) => break,
                None => match more(&mut input) {
                    Err(_) if head.framing == Framing::UntilClosed => break,
                    read => read?,
                },
            }
        }
        assert!(input.is_empty(), "nothing is left of one reply");
        let headers = head.lines.iter();
        let headers = headers
            .map(|(name, value)| format!("{}: {}", str::from_utf8(name).unwrap(), str::from_utf8(value).unwrap()))
            .collect();
        Ok((head.status.as_u16(), headers, body, head.keeps))
    }

    #[test]
    fn a_reply_is_read_however_it_is_cut() {
        let chunks = "4;a=b\r\nfour\r\n0000a\r\nten bytes!\r\n0\r\nx: y\r\n\r\n";
        for (reply, status, headers, body, keeps) in [
            ("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nX: y\r\n\r\nabc", 200, &["x: y"][..], "abc", true),
            ("HTTP/1.1 200\r\ncontent-length: 0\r\nconnection: close, X\r\nx: y\r\n\r\n", 200, &[], "", false),
            ("HTTP/1.1 200 OK\r\nDate: x\r\nServer: y\r\nX-Request-Id: z\r\n\r\nabc", 200, &[], "abc", false),
            ("HTTP/1.0 200 OK\r\ncontent-length: 3\r\n\r\nabc", 200, &[], "abc", false),
            ("HTTP/1.1 304 Not Modified\r\netag: a\r\ncontent-length: 3\r\n\r\n", 304, &["etag: a"], "", true),
            ("HTTP/1.1 204 No Content\r\n\r\n", 204, &[], "", true),
            ("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\ncontent-length: 1\r\n\r\na", 201, &[], "a", true),
            (
                &format!("HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n{chunks}"),
                200,
                &[],
                "fourten bytes!",
                true,
            ),
        ] {
            let expected =
                (status, headers.iter().map(|&line| line.to_owned()).collect(), body.as_bytes().to_vec(), keeps);
            for cut in 0..=reply.len() {
                assert_eq!(read(reply.as_bytes(), cut, false).unwrap(), expected, "{reply:?} cut at {cut}");
            }
        }
        let (_, _, body, keeps) = read(b"HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\n", 9, true).unwrap();
        assert!(body.is_empty() && keeps, "what is asked for its head alone has no body");
    }

    #[test]
    fn what_can_be_read_in_two_ways_is_refused() {
        for reply in [
            "HTTP/1.1 200 OK\r\ncontent-length: 3\r\ncontent-length: 3\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\ncontent-length: +3\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\ncontent-length: 3, 3\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\ncontent-length: 99999999999999999999\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\ncontent-length:\r\n\r\nabc",
            "HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.0 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n-3\r\nabc\r\n0\r\n\r\n",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n11111111111111111\r\nabc\r\n0\r\n\r\n",
            "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\n\r\n",
            "HTTP/1.1 099 None\r\n\r\n",
            "HTTP/2 200 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nx : y\r\n\r\n",
            "HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nab",
        ] {
            for cut in 0..=reply.len() {
                assert!(read(reply.as_bytes(), cut, false).is_err(), "{reply:?} cut at {cut}");
            }
        }
        for endless in ["HTTP/1.1 200 OK\r\nx: ", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;"] {
            let reply = format!("{endless}{}", "a".repeat(2 * MAX_HEAD_BYTES));
            let error = read(reply.as_bytes(), reply.len(), false).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::InvalidData, "{error}");
        }
    }
}
