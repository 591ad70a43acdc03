//! Films on a connection: their bytes come whole and in their order between other responses, or the connection ends.

use std::time::Duration;

use testkit::session_cookie;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::helpers::Gateway;

const HOST: &str = "mcfunny.localhost";

/// More than any socket takes at once.
const LENGTH: usize = 24 * 1024 * 1024;

/// Bytes that differ wherever two places could be taken for each other.
fn long_film() -> Vec<u8> {
    (0..LENGTH).map(|at| (at.wrapping_mul(2_654_435_761) >> 13).to_le_bytes()[0]).collect()
}

async fn gateway(film: &[u8]) -> Gateway {
    let gateway = Gateway::start().await;
    std::fs::write(gateway.folder.path().join("media/mcfunny/long.mp4"), film).unwrap();
    gateway
}

fn ask(method: &str, path: &str, more: &str) -> String {
    let cookie = session_cookie("mcfunny", 148, "27812345678");
    format!("{method} {path} HTTP/1.1\r\nHost: {HOST}\r\nCookie: {cookie}\r\n{more}\r\n")
}

/// Status, announced length and body of the next response in `bytes`; a body that breaks off is as long as it is.
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
async fn pipelined_films_keep_their_order_and_their_bytes() {
    let film = long_film();
    let gateway = gateway(&film).await;
    let asked = [
        ask("GET", "/media/mcfunny/long.mp4", ""),
        ask("GET", "/media/mcfunny/missing.mp4", ""),
        ask("HEAD", "/media/mcfunny/long.mp4", ""),
        ask("GET", "/media/mcfunny/long.mp4", "Range: bytes=1000001-9000000\r\n"),
        ask("GET", "/media/mcfunny/long.mp4", "Range: bytes=0-0\r\n"),
        ask("GET", "/media/mcfunny/clip.mp4", "Connection: close\r\n"),
    ];
    let mut visitor = TcpStream::connect(gateway.addr).await.unwrap();
    visitor.write_all(asked.concat().as_bytes()).await.unwrap();
    // Until everything between us is full, so that heads have to wait as well.
    tokio::time::sleep(Duration::from_millis(500)).await;
    check(&film, &read(visitor).await);

    // The same, where each comes while the one before it is on its way.
    let mut visitor = TcpStream::connect(gateway.addr).await.unwrap();
    for request in &asked {
        visitor.write_all(request.as_bytes()).await.unwrap();
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    check(&film, &read(visitor).await);
}

/// All that comes until the connection ends.
async fn read(mut visitor: TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    // Ended or reset: either way it is over.
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
async fn a_film_that_is_cut_while_it_is_sent_ends_the_connection() {
    let film = long_film();
    let gateway = gateway(&film).await;
    let long = ask("GET", "/media/mcfunny/long.mp4", "");
    for asked in [format!("{long}{}", ask("GET", "/media/mcfunny/clip.mp4", "")), long] {
        let mut visitor = TcpStream::connect(gateway.addr).await.unwrap();
        visitor.write_all(asked.as_bytes()).await.unwrap();
        // Its length has been told, and most of it cannot have left.
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
async fn a_client_that_leaves_in_the_middle_disturbs_no_other() {
    let film = long_film();
    let gateway = gateway(&film).await;
    for _ in 0..20 {
        let mut visitor = TcpStream::connect(gateway.addr).await.unwrap();
        visitor.write_all(ask("GET", "/media/mcfunny/long.mp4", "").as_bytes()).await.unwrap();
        let mut some = vec![0; 100_000];
        visitor.read_exact(&mut some).await.unwrap();
    }
    let mut visitor = TcpStream::connect(gateway.addr).await.unwrap();
    let last = ask("GET", "/media/mcfunny/long.mp4", "Connection: close\r\n");
    visitor.write_all(last.as_bytes()).await.unwrap();
    let bytes = read(visitor).await;
    let mut rest = bytes.as_slice();
    assert!(next(&mut rest, true).2 == film);
}
