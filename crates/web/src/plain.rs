//! A request that is its head and nothing else, with nothing odd about it: what nearly all are.

use std::{any::Any, mem::MaybeUninit, net::SocketAddr, rc::Rc};

use actix_web::http::{Method, uri::PathAndQuery};
use bytes::{Bytes, BytesMut};

use crate::lines::{Line, Lines};

/// Headers that such a request may have.
const MAX_HEADERS: usize = 64;

/// A plain request, and who sent it.
pub struct Plain {
    lines: Lines,
    method: Method,
    address: PathAndQuery,
    /// Whose connection it came over.
    pub peer: Option<SocketAddr>,
    /// What the connection was greeted with.
    pub guest: Option<Rc<dyn Any>>,
}

impl Plain {
    /// Reads what came over a connection; it is given back where it is anything but one whole plain request.
    pub fn read(input: BytesMut, peer: Option<SocketAddr>, guest: Option<Rc<dyn Any>>) -> Result<Self, BytesMut> {
        match found(&input) {
            Some((method, address, lines)) => {
                Ok(Self { lines: Lines::new(input, lines, false), method, address, peer, guest })
            }
            None => Err(input),
        }
    }

    /// `GET` or `HEAD`.
    pub fn method(&self) -> &Method {
        &self.method
    }

    /// Path and query, as they were sent.
    pub fn address(&self) -> &PathAndQuery {
        &self.address
    }

    /// Its headers.
    pub fn headers(&self) -> &Lines {
        &self.lines
    }

    /// All of it, for another reader.
    pub(crate) fn into_bytes(self) -> Bytes {
        self.lines.head().clone()
    }
}

/// Method, target and headers of a whole plain request. Only what every reader understands alike is one: HTTP/1.1, one host, no body, no
/// change of protocol, an address that begins with a slash, and nothing behind it.
fn found(input: &[u8]) -> Option<(Method, PathAndQuery, Vec<Line>)> {
    let method = match input {
        [b'G', b'E', b'T', b' ', ..] => Method::GET,
        [b'H', b'E', b'A', b'D', b' ', ..] => Method::HEAD,
        _ => return None,
    };
    let mut room = [const { MaybeUninit::uninit() }; MAX_HEADERS];
    let mut request = httparse::Request::new(&mut []);
    let httparse::Status::Complete(length) = request.parse_with_uninit_headers(input, &mut room).ok()? else {
        return None;
    };
    let target = request.path.filter(|target| target.starts_with('/'))?;
    // What is no part of an address is dropped from it: then it is not what was sent.
    let address = PathAndQuery::try_from(target).ok().filter(|address| address.as_str() == target)?;
    if length != input.len() || request.version != Some(1) {
        return None;
    }
    let mut hosts = 0;
    let mut lines = Vec::with_capacity(request.headers.len());
    for header in &*request.headers {
        match Odd::of(header.name) {
            None => {}
            Some(Odd::Host) => hosts += 1,
            Some(Odd::Connection) if header.value.eq_ignore_ascii_case(b"keep-alive") => {}
            Some(Odd::Connection | Odd::Other) => return None,
        }
        lines.push(Line::within(input, header)?);
    }
    (hosts == 1).then_some((method, address, lines))
}

/// Headers that say how the message itself is to be read.
enum Odd {
    Host,
    Connection,
    Other,
}

impl Odd {
    fn of(name: &str) -> Option<Self> {
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        // By their lengths first: few headers have one of these.
        match name.len() {
            4 if is("host") => Some(Self::Host),
            6 if is("expect") => Some(Self::Other),
            7 if is("upgrade") || is("trailer") => Some(Self::Other),
            10 if is("connection") => Some(Self::Connection),
            14 if is("content-length") => Some(Self::Other),
            17 if is("transfer-encoding") => Some(Self::Other),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(request: &str) -> Result<Plain, BytesMut> {
        Plain::read(BytesMut::from(request), None, None)
    }

    #[test]
    fn a_plain_request_is_its_parts() {
        let sent =
            "HEAD /a%20b?c=d&e HTTP/1.1\r\nHOST: x\r\nX-Empty:\r\ncOOKIE:  a=B \r\nConnection: Keep-Alive\r\n\r\n";
        let plain = read(sent).ok().unwrap();
        assert_eq!((plain.method(), plain.address().as_str()), (&Method::HEAD, "/a%20b?c=d&e"));
        let headers: Vec<_> = plain.headers().iter().collect();
        assert_eq!(
            headers,
            [(&b"host"[..], &b"x"[..]), (b"x-empty", b""), (b"cookie", b"a=B"), (b"connection", b"Keep-Alive")]
        );
        assert_eq!((plain.headers().get("cookie"), plain.headers().get("Cookie")), (Some(&b"a=B"[..]), None));
        assert!(plain.into_bytes().eq_ignore_ascii_case(sent.as_bytes()));
    }

    #[test]
    fn whatever_may_be_read_in_two_ways_is_not_plain() {
        let plain = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";
        assert!(read(plain).is_ok());
        for cut in 0..plain.len() {
            assert!(read(&plain[..cut]).is_err(), "cut at {cut}");
        }
        for request in [
            "GET / HTTP/1.1\r\nhost: x\r\n\r\n ",
            "GET / HTTP/1.1\r\nhost: x\r\n\r\nGET / HTTP/1.1\r\nhost: x\r\n\r\n",
            "GET / HTTP/1.0\r\nhost: x\r\n\r\n",
            "GET / HTTP/1.1\r\n\r\n",
            "GET / HTTP/1.1\r\nhost: x\r\nHost: x\r\n\r\n",
            "GET / HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n",
            "GET / HTTP/1.1\r\nhost: x\r\nContent-Length: 5\r\n\r\n",
            "GET / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n",
            "GET / HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\n\r\n",
            "GET / HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\n\r\n",
            "GET / HTTP/1.1\r\nhost: x\r\ntrailer: a\r\n\r\n",
            "GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n",
            "GET / HTTP/1.1\r\nhost: x\r\nconnection: keep-alive, upgrade\r\n\r\n",
            "GET http://x/ HTTP/1.1\r\nhost: x\r\n\r\n",
            "GET x HTTP/1.1\r\nhost: x\r\n\r\n",
            "GET /#x HTTP/1.1\r\nhost: x\r\n\r\n",
            "GET /<x> HTTP/1.1\r\nhost: x\r\n\r\n",
            "GET / HTTP/1.1\r\nhost : x\r\n\r\n",
            "GET / HTTP/1.1\r\nhost: x\r\n folded\r\n\r\n",
            "GET /\0 HTTP/1.1\r\nhost: x\r\n\r\n",
            "get / HTTP/1.1\r\nhost: x\r\n\r\n",
            "POST / HTTP/1.1\r\nhost: x\r\n\r\n",
            "OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n",
            "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        ] {
            let given_back = read(request).err().unwrap_or_else(|| panic!("{request:?}"));
            assert_eq!(given_back, request.as_bytes());
        }
        let many = "a: b\r\n".repeat(MAX_HEADERS);
        assert!(read(&format!("GET / HTTP/1.1\r\nhost: x\r\n{many}\r\n")).is_err());
    }
}
