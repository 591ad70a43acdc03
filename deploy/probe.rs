//! A health check for images without a shell and curl: `probe [PATH]` requests PATH (`/readyz`) from the port of `BIND` in its container, and exits
//! with 0 if the response is 200.

use std::{
    io::{Read, Write},
    net::{Ipv4Addr, SocketAddr, TcpStream},
    process::ExitCode,
    time::Duration,
};

const PATIENCE: Duration = Duration::from_secs(3);

fn main() -> ExitCode {
    let path = std::env::args().nth(1).unwrap_or_else(|| "/readyz".to_owned());
    match status(&path) {
        Ok(200) => ExitCode::SUCCESS,
        Ok(other) => fail(&format!("{path} answered {other}")),
        Err(cause) => fail(&cause),
    }
}

fn fail(cause: &str) -> ExitCode {
    eprintln!("probe: {cause}");
    ExitCode::FAILURE
}

fn status(path: &str) -> Result<u16, String> {
    let bind = std::env::var("BIND").map_err(|_| "BIND is not set".to_owned())?;
    let bind: SocketAddr = bind.parse().map_err(|_| format!("BIND is no address: {bind}"))?;
    let addr = SocketAddr::from((Ipv4Addr::LOCALHOST, bind.port()));
    let told = |error: std::io::Error| error.to_string();
    let mut stream = TcpStream::connect_timeout(&addr, PATIENCE).map_err(told)?;
    stream.set_read_timeout(Some(PATIENCE)).map_err(told)?;
    stream.set_write_timeout(Some(PATIENCE)).map_err(told)?;
    write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").map_err(told)?;
    // "HTTP/1.1 200"
    let mut head = [0; 12];
    stream.read_exact(&mut head).map_err(told)?;
    std::str::from_utf8(&head)
        .ok()
        .and_then(|head| head.strip_prefix("HTTP/1.1 "))
        .and_then(|code| code.parse().ok())
        .ok_or_else(|| "that is no HTTP".to_owned())
}
