//! Films on a connection: complete and in order between other responses, or the connection is closed.

use std::time::Duration;

use testkit::session_cookie;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::helpers::Gateway;

const HOST: &str = "mcfunny.localhost";

/// More than socket buffers hold.
const LENGTH: usize = 24 * 1024 * 1024;

/// Bytes without repetition at short distances.
fn long_film() -> Vec<u8> {
    (0..LENGTH).map(|at| (at.wrapping_mul(2_654_435_761) >> 13).to_le_bytes()[0]).collect()
}

async fn gateway(film: &[u8]) -> Gateway {
    let gateway = Gateway::start().await;
    std::fs::write(gateway.folder.path().join("media/mcfunny/long.mp4"), film).unwrap();
    gateway
}

fn request(method: &str, path: &str, more: &str) -> String {
    let cookie = session_cookie("mcfunny", 148, "27812345678");
    format!("{method} {path} HTTP/1.1\r\nHost: {HOST}\r\nCookie: {cookie}\r\n{more}\r\n")
}

/// Status, announced length and body of the next response in `bytes`; an incomplete body is shorter than announced.
fn next<'a>(bytes: &mut &'a [u8], has_body: bool) -> (u16, usize, &'a [u8]) {
    let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").expect("a head") + 4;
    assert!(bytes.starts_with(b"HTTP/1.1 "), "no head begins {} bytes before the end", bytes.len());
    let head = std::str::from_utf8(&bytes[..end]).unwrap();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).map_or(0, |n| n.parse().unwrap());
    let body = &bytes[end..(end + if has_body { length } else { 0 }).min(bytes.len())];
    *bytes = &bytes[end + body.len()..];
    (head[9..12].parse().unwrap(), length, body)
}

#[actix_web::test]
async fn pipelined_films_are_complete_and_in_order() {
    let film = long_film();
    let gateway = gateway(&film).await;
    let requests = [
        request("GET", "/media/mcfunny/long.mp4", ""),
        request("GET", "/media/mcfunny/missing.mp4", ""),
        request("HEAD", "/media/mcfunny/long.mp4", ""),
        request("GET", "/media/mcfunny/long.mp4", "Range: bytes=1000001-9000000\r\n"),
        request("GET", "/media/mcfunny/long.mp4", "Range: bytes=0-0\r\n"),
        request("GET", "/media/mcfunny/clip.mp4", "Connection: close\r\n"),
    ];
    let mut visitor = TcpStream::connect(gateway.addr).await.unwrap();
    visitor.write_all(requests.concat().as_bytes()).await.unwrap();
    // Until all buffers are full, so that heads have to wait too.
    tokio::time::sleep(Duration::from_millis(500)).await;
    check(&film, &read(visitor).await);

    // The same, with each request sent during the previous response.
    let mut visitor = TcpStream::connect(gateway.addr).await.unwrap();
    for request in &requests {
        visitor.write_all(request.as_bytes()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    check(&film, &read(visitor).await);
}

/// Reads until the connection is closed.
async fn read(mut visitor: TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Closed or reset.
    let _ = visitor.read_to_end(&mut bytes).await;
    bytes
}

fn check(film: &[u8], bytes: &[u8]) {
    let mut rest = bytes;
    let (status, length, body) = next(&mut rest, true);
    assert_eq!((status, length), (200, LENGTH));
    assert!(body == film, "the whole film");
    assert_eq!(next(&mut rest, true).0, 404);
    assert_eq!(next(&mut rest, false), (200, LENGTH, &[][..]));
    let (status, length, body) = next(&mut rest, true);
    assert_eq!((status, length), (206, 8_000_000));
    assert!(body == &film[1_000_001..=9_000_000], "a part of it");
    assert_eq!(next(&mut rest, true), (206, 1, &film[..1]));
    let (status, _, body) = next(&mut rest, true);
    assert_eq!((status, body), (200, crate::helpers::film().as_slice()));
    assert!(rest.is_empty());
}

#[actix_web::test]
async fn film_truncated_while_it_is_sent_closes_the_connection() {
    let film = long_film();
    let gateway = gateway(&film).await;
    let long = request("GET", "/media/mcfunny/long.mp4", "");
    for requests in [format!("{long}{}", request("GET", "/media/mcfunny/clip.mp4", "")), long] {
        let mut visitor = TcpStream::connect(gateway.addr).await.unwrap();
        visitor.write_all(requests.as_bytes()).await.unwrap();
        // Content-Length is sent, and most of the body cannot have been.
        visitor.peek(&mut [0]).await.unwrap();
        let path = gateway.folder.path().join("media/mcfunny/long.mp4");
        std::fs::File::options().write(true).open(&path).unwrap().set_len(0).unwrap();
        let bytes = read(visitor).await;
        let mut rest = bytes.as_slice();
        let (status, length, body) = next(&mut rest, true);
        assert_eq!((status, length), (200, LENGTH));
        assert!(body.len() < LENGTH, "there was no more of it");
        assert!(film.starts_with(body), "nothing stands in the place of what is missing");
        assert!(rest.is_empty(), "nor after it");
        std::fs::write(path, &film).unwrap();
    }
}

#[actix_web::test]
async fn client_that_disconnects_does_not_affect_others() {
    let film = long_film();
    let gateway = gateway(&film).await;
    for _ in 0..20 {
        let mut visitor = TcpStream::connect(gateway.addr).await.unwrap();
        visitor.write_all(request("GET", "/media/mcfunny/long.mp4", "").as_bytes()).await.unwrap();
        let mut some = vec![0; 100_000];
        visitor.read_exact(&mut some).await.unwrap();
    }
    let mut visitor = TcpStream::connect(gateway.addr).await.unwrap();
    let last = request("GET", "/media/mcfunny/long.mp4", "Connection: close\r\n");
    visitor.write_all(last.as_bytes()).await.unwrap();
    let bytes = read(visitor).await;
    let mut rest = bytes.as_slice();
    assert!(next(&mut rest, true).2 == film);
}
