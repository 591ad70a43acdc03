//! Floods: many connections with allowed but expensive behaviour, to exhaust the server's memory.

use std::{
    io::{Read, Write},
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};

use crate::{HOST, SECONDS, servers::Server};

/// The text of its row in the table, and the fault, if any.
type FloodResult = (String, Option<String>);

/// The function of a flood.
type Flood = fn(&Server) -> FloodResult;

/// The name and function of each flood.
pub const ALL: [(&str, Flood); 3] = [
    ("500 connections pipeline 100 lists, read none", pipelines),
    ("400 heads a byte at a time after a POST", slow_heads),
    ("500 connections that ask for nothing", silent),
];

const MEGABYTE: u64 = 1024 * 1024;

/// The most memory of 500 connections: 128 KiB of buffers each, and as much again for everything else.
const MOST_MEMORY: u64 = 500 * 2 * 128 * 1024;

/// The fastest of five responses to another client; `None` if there was none.
fn other_client(server: &Server) -> Option<Duration> {
    let answer = || {
        let started = Instant::now();
        server.answers().then(|| started.elapsed())
    };
    (0..5).filter_map(|_| answer()).min()
}

/// The result with another client's latency and its fault, if any.
fn result(server: &Server, text: String, fault: Option<String>) -> FloodResult {
    match other_client(server) {
        None => (format!("{text}, no answer"), Some(format!("{} answers no other client", server.name()))),
        Some(wait) => {
            let slow = (wait > Duration::from_secs(1)).then(|| format!("another client waited for {wait:?}"));
            (format!("{text}, {} ms", wait.as_millis()), fault.or(slow))
        }
    }
}

fn pipelines(server: &Server) -> FloodResult {
    let before = server.memory();
    let request = |n: usize| format!("GET /api/meme/random?{n}&{} HTTP/1.1\r\nHost: {HOST}\r\n\r\n", server.mark());
    let pipeline: String = (0..100).map(request).collect();
    let held: Vec<TcpStream> = (0..500)
        .map(|_| {
            let mut stream = TcpStream::connect(server.addr).unwrap();
            // A server that stops reading leaves the rest in the socket.
            stream.set_write_timeout(Some(Duration::from_secs(1))).unwrap();
            let _ = stream.write_all(pipeline.as_bytes());
            stream
        })
        .collect();
    let mut most = 0;
    for _ in 0..20 {
        thread::sleep(Duration::from_millis(100));
        most = server.memory().saturating_sub(before).max(most);
    }
    let fault = (most > MOST_MEMORY).then(|| format!("it took {} MB", most / MEGABYTE));
    let result = result(server, format!("+{} MB", most / MEGABYTE), fault);
    drop(held);
    result
}

fn slow_heads(server: &Server) -> FloodResult {
    let post =
        format!("POST /api/meme/postlike?{} HTTP/1.1\r\nHost: {HOST}\r\nContent-Length: 2\r\n\r\n{{}}", server.mark());
    let mut open: Vec<TcpStream> = (0..400)
        .map(|_| {
            let mut stream = TcpStream::connect(server.addr).unwrap();
            stream.write_all(post.as_bytes()).unwrap();
            stream.set_nonblocking(true).unwrap();
            stream
        })
        .collect();
    let head = format!("GET / HTTP/1.1\r\nHost: {HOST}\r\nX-Slow: ");
    let started = Instant::now();
    let mut bytes = head.bytes().chain(std::iter::repeat(b'a'));
    let (wait, wait_fault) = thread::scope(|scope| {
        let other = scope.spawn(|| result(server, String::new(), None));
        while !open.is_empty() && started.elapsed() < Duration::from_secs(10 * SECONDS) {
            let byte = bytes.next().unwrap_or(b'a');
            open.retain_mut(|stream| is_open_after(stream, byte));
            thread::sleep(Duration::from_millis(200));
        }
        other.join().unwrap()
    });
    let fault = (!open.is_empty()).then(|| format!("{} are open after {:?}", open.len(), started.elapsed()));
    (format!("{} open after {} s{wait}", open.len(), started.elapsed().as_secs()), fault.or(wait_fault))
}

/// Sends one more byte and returns whether the connection is still open.
fn is_open_after(stream: &mut TcpStream, byte: u8) -> bool {
    let is_sent = stream.write_all(&[byte]).is_ok();
    let mut part = [0; 32 * 1024];
    loop {
        match stream.read(&mut part) {
            Ok(0) => return false,
            Ok(_) => {}
            Err(error) => return is_sent && error.kind() == std::io::ErrorKind::WouldBlock,
        }
    }
}

fn silent(server: &Server) -> FloodResult {
    let held: Vec<TcpStream> = (0..500).map(|_| TcpStream::connect(server.addr).unwrap()).collect();
    let result = result(server, "500 open".to_owned(), None);
    drop(held);
    result
}
