//! The cases: bytes that one connection sends, and the statuses that the gateway may respond with.

use std::{
    io::{ErrorKind, Read, Write},
    net::{Shutdown, SocketAddr, TcpStream},
    time::{Duration, Instant},
};

use crate::{HOST, SECONDS};

/// How long a connection may stay open: several times the longest time limit.
const TIMEOUT: Duration = Duration::from_secs(10 * SECONDS);

/// How a case sends its bytes.
enum Pace {
    /// Immediately.
    Whole,
    /// Everything before the mark `|` immediately, and the rest one byte per 100 milliseconds, repeated.
    Slow,
}

/// A violation of HTTP or of a limit.
pub struct Case {
    pub name: &'static str,
    /// With `\n` for CRLF and `\u{1}` for a lone LF; `HOST` and `PORT` are filled in.
    request: String,
    pace: Pace,
    /// The allowed sequences of statuses; empty if the gateway only closes the connection.
    pub expected: &'static [&'static [u16]],
}

/// The result of one connection.
pub struct Outcome {
    pub statuses: Vec<u16>,
    pub is_closed: bool,
    after: Duration,
}

impl Outcome {
    /// The text in the table: `400 closed`.
    pub fn text(&self) -> String {
        let statuses: Vec<_> = self.statuses.iter().map(u16::to_string).collect();
        let end = if self.is_closed { "closed" } else { "OPEN" };
        format!(
            "{} {end} {:.1} s",
            if statuses.is_empty() { "-".to_owned() } else { statuses.join(" ") },
            self.after.as_secs_f32()
        )
    }
}

impl Case {
    /// Sends the bytes to a server and reads until it closes or the timeout.
    pub fn send(&self, addr: SocketAddr) -> Outcome {
        let text = self.request.replace("HOST", HOST).replace("PORT", &addr.port().to_string());
        let text = text.replace('\n', "\r\n").replace('\u{1}', "\n");
        let mut stream = TcpStream::connect(addr).unwrap();
        stream.set_write_timeout(Some(Duration::from_secs(5))).unwrap();
        stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
        let started = Instant::now();
        let (at_once, slowly) = match self.pace {
            Pace::Whole => (text.as_str(), None),
            Pace::Slow => text.split_once('|').map(|(before, after)| (before, Some(after))).unwrap(),
        };
        // A server may close before it has read everything.
        let _ = stream.write_all(at_once.as_bytes());
        let mut bytes = slowly.map(|text| text.bytes().chain(std::iter::repeat(b'a')));
        let mut received = Vec::new();
        let mut is_closed = false;
        while !is_closed && started.elapsed() < TIMEOUT {
            let is_sent = match bytes.as_mut().and_then(Iterator::next) {
                Some(byte) => stream.write_all(&[byte]).is_ok(),
                None => true,
            };
            let mut part = [0; 64 * 1024];
            is_closed = match stream.read(&mut part) {
                Ok(0) => true,
                Ok(read) => {
                    received.extend_from_slice(&part[..read]);
                    false
                }
                Err(error) => !is_sent || !matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut),
            };
        }
        let _ = stream.shutdown(Shutdown::Both);
        Outcome { statuses: statuses(&received), is_closed, after: started.elapsed() }
    }
}

/// The status of each response; neither the list nor a problem contains the text of a status line.
fn statuses(received: &[u8]) -> Vec<u16> {
    let text = String::from_utf8_lossy(received);
    text.split("HTTP/1.").skip(1).filter_map(|response| response.get(2..5)?.parse().ok()).collect()
}

/// Two requests: the second one bears the mark of what must not be answered.
const SECOND: &str = "GET /api/meme/smuggled?port=PORT HTTP/1.1\nHost: HOST\n\n";

const TIMED_OUT: &[&[u16]] = &[&[], &[408]];
const OK: &[&[u16]] = &[&[200]];
const BAD: &[&[u16]] = &[&[400]];
const OK_OR_BAD: &[&[u16]] = &[&[200], &[400]];
/// A server that closes on unread input may reset the connection before its answer is read.
const TOO_LARGE: &[&[u16]] = &[&[431], &[414], &[]];
const BODY_TOO_LARGE: &[&[u16]] = &[&[413], &[]];

/// Every case.
pub fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    let mut add = |name: &'static str, request: String, expected: &'static [&'static [u16]]| {
        cases.push(Case { name, request, pace: Pace::Whole, expected });
    };

    // The line and the headers.
    let get = |host: &str, more: &str| format!("GET /api/meme/random?port=PORT HTTP/1.1\n{host}{more}\n{SECOND}");
    let host = "Host: HOST\n";
    add("garbage", format!("garbage\n\n{SECOND}"), BAD);
    add("TLS to clear text", format!("\u{16}\u{3}\u{1}\u{2}\0\u{1}\0\n\n{SECOND}"), BAD);
    add("HTTP/9.9", format!("GET / HTTP/9.9\n{host}\n{SECOND}"), BAD);
    add("HTTP/2 preface in clear text", "PRI * HTTP/2.0\n\nSM\n\n".to_owned(), &[&[], &[400]]);
    add(
        "CONNECT",
        format!("CONNECT evil.example:443 HTTP/1.1\nHost: evil.example:443\nConnection: close\n\n{SECOND}"),
        &[&[400], &[405]],
    );
    add("TRACE", format!("TRACE / HTTP/1.1\n{host}Connection: close\n\n{SECOND}"), &[&[405]]);
    let closing = "Connection: close\n";
    add("no Host", get("", closing), BAD);
    add("two Hosts", get("Host: HOST\nHost: evil.example\n", closing), BAD);
    add("an empty Host", get("Host:\n", closing), BAD);
    add("Host with @", get("Host: evil.example@HOST\n", closing), BAD);
    add("Host with a blank", get("Host: HOST evil.example\n", closing), BAD);
    add("Host with a path", get("Host: HOST/x\n", closing), BAD);
    add("Host with quotes", get("Host: \"HOST\"\n", closing), BAD);
    add("a blank before the colon", get("Host : HOST\n", ""), BAD);
    add("a folded header", get(host, "X-Folded: a\n b\n"), BAD);
    add("NUL in a header", get(host, "X-Nul: a\0b\n"), BAD);
    add("a lone CR in a header", get(host, "X-Return: a\rX-More: b\n"), BAD);
    let lone_feeds = "GET /api/meme/random?port=PORT HTTP/1.1\u{1}Host: HOST\u{1}Connection: close\u{1}\u{1}";
    add("lone LFs end the lines", format!("{lone_feeds}{SECOND}"), OK_OR_BAD);
    add(
        "an absolute address of an inner path",
        format!("GET http://HOST/internal/imports HTTP/1.1\n{host}{closing}\n{SECOND}"),
        &[&[404]],
    );
    add("a path with dots", format!("GET /api/meme/../../internal/x HTTP/1.1\n{host}{closing}\n{SECOND}"), BAD);

    // The end of a connection.
    add("close in a pipeline", get(host, closing), OK);
    add("HTTP/1.0 in a pipeline", format!("GET /api/meme/random?port=PORT HTTP/1.0\n{host}\n{SECOND}"), OK);

    // The length of a body.
    let post = |headers: &str, body: &str| {
        format!("POST /api/meme/postlike?port=PORT HTTP/1.1\n{host}{headers}\n{body}{SECOND}")
    };
    add("two lengths that differ", post("Content-Length: 0\nContent-Length: 60\n", ""), BAD);
    add(
        "two lengths that are the same",
        post("Content-Length: 2\nContent-Length: 2\nConnection: close\n", "{}"),
        OK_OR_BAD,
    );
    add("a list of lengths", post("Content-Length: 2, 2\n", "{}"), BAD);
    add("a length with a sign", post("Content-Length: +2\n", "{}"), BAD);
    add("a length beyond 64 bits", post("Content-Length: 99999999999999999999999\n", ""), &[&[400], &[413]]);
    add("CL.TE", post("Content-Length: 60\nTransfer-Encoding: chunked\n", "0\n\n"), OK_OR_BAD);
    add("TE.CL", post("Transfer-Encoding: chunked\nContent-Length: 3\n", "2\n{}\n0\n\n"), OK_OR_BAD);
    add("TE.TE, the last one unknown", post("Transfer-Encoding: chunked\nTransfer-Encoding: x\n", "0\n\n"), BAD);
    add("an unknown transfer encoding", post("Transfer-Encoding: xchunked\nContent-Length: 0\n", ""), BAD);
    add("a transfer encoding with a control", post("Transfer-Encoding: \u{b}chunked\n", "0\n\n"), BAD);
    add(
        "chunks in HTTP/1.0",
        format!("POST /api/meme/x HTTP/1.0\n{host}Transfer-Encoding: chunked\n\n0\n\n{SECOND}"),
        BAD,
    );
    let chunked = "Transfer-Encoding: chunked\n";
    let chunked_once = "Transfer-Encoding: chunked\nConnection: close\n";
    add("a chunk of no number", post(chunked, "zz\n"), BAD);
    add("a chunk beyond 64 bits", post(chunked, "10000000000000000\n"), BAD);
    add("chunk extensions", post(chunked_once, "2;a=b;c=\"d\"\n{}\n0\n\n"), OK_OR_BAD);
    add(
        "chunk extensions without end",
        post(chunked, &format!("2;{}\n{{}}\n0\n\n", "a".repeat(100_000))),
        &[&[400], &[]],
    );
    add("a chunk longer than it says", post(chunked, "1\n{}\n0\n\n"), BAD);
    add(
        "trailers that replace headers",
        post(chunked_once, "2\n{}\n0\nHost: evil.example\nContent-Length: 9\n\n"),
        OK_OR_BAD,
    );
    add(
        "Expect, and a body that is too large",
        post("Expect: 100-continue\nContent-Length: 70000\n", ""),
        &[&[413], &[100, 413]],
    );

    // What is too much.
    add("a header of 20 KiB", get(host, &format!("X-Large: {}\nConnection: close\n", "a".repeat(20 << 10))), &[&[431]]);
    add("a header of 300 KiB", get(host, &format!("X-Large: {}\n", "a".repeat(300 << 10))), TOO_LARGE);
    add("a thousand headers", get(host, &"X-Many: 1\n".repeat(1_000)), TOO_LARGE);
    add("an address of 100 KiB", format!("GET /{} HTTP/1.1\n{host}\n", "a".repeat(100 << 10)), TOO_LARGE);
    add(
        "a method of 100 KiB",
        format!("{} / HTTP/1.1\n{host}\n", "G".repeat(100 << 10)),
        &[&[431], &[400], &[414], &[]],
    );
    add("a body of 1 MiB", post("Content-Length: 1048576\nConnection: close\n", &"a".repeat(1 << 20)), BODY_TOO_LARGE);
    let chunks = format!("8000\n{}\n", "a".repeat(0x8000)).repeat(3);
    add("chunks of more than 64 KiB", post(chunked_once, &format!("{chunks}0\n\n")), BODY_TOO_LARGE);

    // What is too slow.
    let mut add_slow = |name: &'static str, request: String, expected: &'static [&'static [u16]]| {
        cases.push(Case { name, request, pace: Pace::Slow, expected });
    };
    let slow_head = "|GET / HTTP/1.1\nHost: HOST\nX-Slow: ";
    add_slow("a slow head", slow_head.to_owned(), TIMED_OUT);
    add_slow(
        "a slow head after a GET",
        format!("GET /api/meme/x HTTP/1.1\n{host}\n{slow_head}"),
        &[&[200], &[200, 408]],
    );
    add_slow(
        "a slow head after a GET with a length of 0",
        format!("GET /api/meme/x HTTP/1.1\n{host}Content-Length: 0\n\n{slow_head}"),
        &[&[200], &[200, 408]],
    );
    add_slow(
        "a slow head after a POST",
        format!("POST /api/meme/x HTTP/1.1\n{host}Content-Length: 2\n\n{{}}{slow_head}"),
        &[&[200], &[200, 408]],
    );
    add_slow("blank lines without end", "\n\n|\n".to_owned(), &[&[], &[408], &[400]]);
    add_slow("a slow body", format!("POST /api/meme/x HTTP/1.1\n{host}Content-Length: 60000\n\n|"), &[&[408]]);
    add_slow("a slow chunk", format!("POST /api/meme/x HTTP/1.1\n{host}{chunked}\nfff\n|"), &[&[408]]);
    add_slow("a slow chunk's length", format!("POST /api/meme/x HTTP/1.1\n{host}{chunked}\n|000"), &[&[408], &[400]]);
    cases.push(Case { name: "nothing", request: String::new(), pace: Pace::Whole, expected: TIMED_OUT });
    cases
}
