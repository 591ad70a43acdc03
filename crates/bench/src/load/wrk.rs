//! Requests over HTTP/1.1 in clear text, sent by wrk; a script gives it each request's text, since sessions and bodies differ.

use std::{
    cell::Cell,
    collections::BTreeMap,
    io::{BufWriter, Write},
    net::SocketAddr,
    path::Path,
    rc::Rc,
    time::Duration,
};

use anyhow::Context;
use serde::Deserialize;
use tempfile::{NamedTempFile, TempPath};
use tokio::process::Command;

use super::{Request, Sample};
use crate::process::cpu_time;

/// The script: where requests come from, and what is printed at the end.
const SCRIPT: &str = include_str!("wrk.lua");

/// The timeout of a response.
const TIMEOUT: &str = "30s";

/// Requests in a file, in the order in which they are sent; after the last comes the first again.
pub struct Requests {
    first: Request,
    file: TempPath,
}

impl Requests {
    /// Writes the file.
    pub fn write(requests: impl IntoIterator<Item = Request>) -> anyhow::Result<Rc<Self>> {
        let mut requests = requests.into_iter().peekable();
        let first = requests.peek().context("no request")?.clone();
        let mut file = BufWriter::new(NamedTempFile::new()?);
        for request in requests {
            let text = request.text();
            write!(file, "{}\n{text}", text.len())?;
        }
        let file = file.into_inner()?.into_temp_path();
        Ok(Rc::new(Self { first, file }))
    }
}

/// A load of requests, with one in flight per connection.
#[derive(Clone)]
pub struct Wrk {
    /// The server's address.
    pub addr: SocketAddr,
    /// Its process, for CPU time.
    pub pid: u32,
    /// The number of connections.
    pub connections: usize,
    /// The requests.
    pub requests: Rc<Requests>,
    /// The expected status of every response.
    pub expect: u16,
    /// The client that checks the status of one response before each run.
    pub client: reqwest::Client,
    /// The number of the request that the next run begins with, so that a request does not repeat before all others are sent.
    pub position: Cell<u64>,
}

/// What the script prints.
#[derive(Debug, Deserialize)]
struct Summary {
    requests: u64,
    duration_us: u64,
    p50_us: u32,
    p99_us: u32,
    position: u64,
    errors: BTreeMap<String, u64>,
}

impl Wrk {
    /// Sends requests for whole seconds. An error is a first response with another status, and then any status above 399, which wrk
    /// counts, or a missing response.
    pub async fn run(&self, duration: Duration) -> anyhow::Result<Sample> {
        self.requests.first.expect(self.expect, &self.client, self.addr).await?;
        let folder = tempfile::tempdir()?;
        let script = folder.path().join("wrk.lua");
        std::fs::write(&script, SCRIPT)?;
        let before = cpu_time(self.pid);
        let output = self.command(duration, &script).output().await.context("wrk")?;
        let cpu = before.zip(cpu_time(self.pid)).map_or(Duration::ZERO, |(before, after)| after.saturating_sub(before));
        let text = String::from_utf8_lossy(&output.stdout);
        let summary = text.lines().last().and_then(|line| serde_json::from_str::<Summary>(line).ok());
        match summary {
            Some(summary) if summary.requests > 0 && summary.errors.values().all(|count| *count == 0) => {
                self.position.set(summary.position);
                Ok(Sample {
                    p50_ms: f64::from(summary.p50_us) / 1000.0,
                    p99_ms: f64::from(summary.p99_us) / 1000.0,
                    ..Sample::of_batch(summary.requests, Duration::from_micros(summary.duration_us), cpu)
                })
            }
            _ => {
                let (first, errors) = (&self.requests.first, String::from_utf8_lossy(&output.stderr));
                anyhow::bail!("wrk could not load {} with {first} and others: {text}{errors}", self.addr)
            }
        }
    }

    fn command(&self, duration: Duration, script: &Path) -> Command {
        let mut command = Command::new("wrk");
        command
            .args(["-t", "1", "-c", &self.connections.to_string(), "-d", &format!("{}s", duration.as_secs())])
            .args(["--timeout", TIMEOUT, "-s"])
            .arg(script)
            .args([&format!("http://{}", self.addr), "--"])
            .arg(&*self.requests.file)
            .arg(self.position.get().to_string())
            .kill_on_drop(true);
        command
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use tokio::{
        io::{AsyncReadExt, AsyncWriteExt},
        net::{TcpListener, TcpStream},
        task::{LocalSet, spawn_local},
    };

    use super::*;

    /// The paths of the requests that a server received, by connection.
    type Paths = Rc<RefCell<Vec<Vec<String>>>>;

    /// A server that replies 204 to everything, and 404 to `/missing`.
    async fn server() -> (SocketAddr, Paths) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let (addr, paths) = (listener.local_addr().unwrap(), Paths::default());
        let received = paths.clone();
        spawn_local(async move {
            while let Ok((stream, _)) = listener.accept().await {
                spawn_local(respond(stream, received.clone()));
            }
        });
        (addr, paths)
    }

    const SECOND: Duration = Duration::from_secs(1);

    async fn respond(mut stream: TcpStream, paths: Paths) {
        let mut buffer = [0; 1024];
        let connection = paths.borrow().len();
        paths.borrow_mut().push(Vec::new());
        while let Ok(read @ 1..) = stream.read(&mut buffer).await {
            let text = String::from_utf8_lossy(&buffer[..read]);
            let path = text.split(' ').nth(1).unwrap_or_default().to_owned();
            let status = if path == "/missing" { "404 Not Found\r\nContent-Length: 0" } else { "204 No Content" };
            paths.borrow_mut()[connection].push(path);
            if stream.write_all(format!("HTTP/1.1 {status}\r\n\r\n").as_bytes()).await.is_err() {
                return;
            }
        }
    }

    fn load(addr: SocketAddr, paths: &[&str]) -> Wrk {
        let requests = Requests::write(paths.iter().map(|path| Request::get("x", path))).unwrap();
        let client = crate::load::client().unwrap();
        Wrk { addr, pid: std::process::id(), connections: 1, requests, expect: 204, client, position: Cell::new(0) }
    }

    #[tokio::test]
    async fn run_sends_the_requests_in_order_and_goes_on_in_the_next_run() {
        let test = async {
            let (addr, paths) = server().await;
            let load = load(addr, &["/0", "/1", "/2"]);
            let replies = [load.run(SECOND).await.unwrap(), load.run(SECOND).await.unwrap()].map(|sample| {
                assert!(sample.replies > 3 && sample.p99_ms > 0.0, "{sample:?}");
                sample.replies
            });
            // wrk connects once more, to see whether it can.
            let paths: Vec<_> = paths.borrow().iter().filter(|sent| !sent.is_empty()).cloned().collect();
            let [check, runs @ ..] = paths.as_slice() else { panic!("{paths:?}") };
            // The first of each run was sent to check the status.
            assert_eq!(*check, ["/0", "/0"]);
            let mut next = 0;
            for (sent, replies) in runs.iter().zip(replies) {
                // At the end of a run a response can be missing.
                assert!((replies..=replies + 1).contains(&(sent.len() as u64)), "{replies} {}", sent.len());
                for path in sent {
                    assert_eq!(*path, format!("/{next}"));
                    next = (next + 1) % 3;
                }
            }
            assert_eq!(runs.len(), 2);
        };
        LocalSet::new().run_until(test).await;
    }

    #[tokio::test]
    async fn run_fails_at_an_unexpected_status() {
        let test = async {
            let (addr, _) = server().await;
            let error = load(addr, &["/0", "/missing"]).run(Duration::from_secs(1)).await.unwrap_err().to_string();
            assert!(error.contains("\"status\": "), "{error}");
            let other = Wrk { expect: 200, ..load(addr, &["/0"]) };
            let error = other.run(Duration::from_secs(1)).await.unwrap_err().to_string();
            assert_eq!(error, "GET /0 was answered 204: ");
        };
        LocalSet::new().run_until(test).await;
    }
}
