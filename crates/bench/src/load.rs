//! A closed-loop load generator over keep-alive connections that checks the status of every reply.
//!
//! Own code and not `wrk`, because likes need a different session and body per request, and the soak test reads bodies. The gateway's
//! rows send one request over three protocols, with `h2load`.

mod h2load;
mod sample;
mod wire;

use std::{cell::RefCell, net::SocketAddr, rc::Rc, time::Duration};

use bytes::Bytes;
use tokio::{task::JoinSet, time::Instant};

pub use h2load::{H2load, Protocol};
pub use sample::{Sample, median, percentile};
pub use wire::{Connection, Reply, get, request};

use crate::process;

type Make = dyn Fn(usize, u64) -> Bytes;

/// The requests of a load. The step counter continues between runs, so that a request need not repeat.
#[derive(Clone)]
pub struct Plan {
    make: Rc<Make>,
    steps: Rc<RefCell<Vec<u64>>>,
}

impl Plan {
    /// The same request every time.
    pub fn same(request: Bytes) -> Self {
        Self::each(move |_, _| request.clone())
    }

    /// A different request for each step of each connection.
    pub fn each(make: impl Fn(usize, u64) -> Bytes + 'static) -> Self {
        Self { make: Rc::new(make), steps: Rc::default() }
    }

    fn next(&self, connection: usize) -> Bytes {
        let mut steps = self.steps.borrow_mut();
        if steps.len() <= connection {
            steps.resize(connection + 1, 0);
        }
        let step = steps.get_mut(connection).map_or(0, |step| {
            *step += 1;
            *step - 1
        });
        drop(steps);
        (self.make)(connection, step)
    }
}

/// A load against one server.
#[derive(Clone)]
pub struct Load {
    /// The server's address.
    pub addr: SocketAddr,
    /// Its process, for CPU time.
    pub pid: Option<u32>,
    /// Connections; each sends its next request when it has a reply.
    pub connections: usize,
    /// The requests.
    pub plan: Plan,
    /// The expected status of every reply.
    pub expect: u16,
}

impl Load {
    /// Sends requests for as long as `duration`; fails at the first reply with another status.
    pub async fn run(&self, duration: Duration) -> anyhow::Result<Sample> {
        let mut open = Vec::with_capacity(self.connections);
        for _ in 0..self.connections {
            open.push(Connection::open(self.addr).await?);
        }
        let before = self.pid.and_then(process::cpu_time);
        let started = Instant::now();
        let end = started + duration;
        let mut tasks = JoinSet::new();
        for (number, connection) in open.into_iter().enumerate() {
            tasks.spawn_local(send_until(end, connection, number, self.plan.clone(), self.expect));
        }
        let mut latencies = Vec::new();
        while let Some(ended) = tasks.join_next().await {
            latencies.append(&mut ended??);
        }
        let elapsed = started.elapsed();
        let after = self.pid.and_then(process::cpu_time);
        let cpu = before.zip(after).map_or(Duration::ZERO, |(before, after)| after.saturating_sub(before));
        Ok(Sample::of(latencies, elapsed, cpu))
    }
}

async fn send_until(
    end: Instant,
    mut connection: Connection,
    number: usize,
    plan: Plan,
    expect: u16,
) -> anyhow::Result<Vec<u32>> {
    let mut latencies = Vec::new();
    let mut sent = Instant::now();
    while sent < end {
        let request = plan.next(number);
        let reply = connection.send(&request).await?;
        if reply.status != expect {
            return Err(unexpected(&request, &reply));
        }
        let now = Instant::now();
        latencies.push(u32::try_from((now - sent).as_micros()).unwrap_or(u32::MAX));
        sent = now;
    }
    Ok(latencies)
}

/// An error that describes an unexpected reply.
pub fn unexpected(request: &[u8], reply: &Reply<'_>) -> anyhow::Error {
    let line = request.split(|byte| *byte == b'\r').next().unwrap_or_default();
    let body = reply.body.get(..reply.body.len().min(300)).unwrap_or_default();
    let (line, body) = (String::from_utf8_lossy(line), String::from_utf8_lossy(body));
    anyhow::anyhow!("{line} was answered {}: {body}", reply.status)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server that replies 204 to everything.
    async fn server() -> std::io::Result<SocketAddr> {
        use tokio::io::{AsyncReadExt, AsyncWriteExt};
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        let addr = listener.local_addr()?;
        tokio::task::spawn_local(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                tokio::task::spawn_local(async move {
                    let mut request = [0; 1024];
                    while stream.read(&mut request).await.is_ok_and(|read| read > 0) {
                        if stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n").await.is_err() {
                            return;
                        }
                    }
                });
            }
        });
        Ok(addr)
    }

    #[tokio::test]
    async fn run_fails_at_an_unexpected_status() {
        let local = tokio::task::LocalSet::new();
        local
            .run_until(async {
                let plan = Plan::same(get("x", "/", &[]));
                let load = Load { addr: server().await.unwrap(), pid: None, connections: 4, plan, expect: 204 };
                let sample = load.run(Duration::from_millis(50)).await.unwrap();
                assert!(sample.replies >= 4, "{}", sample.replies);
                let wrong = Load { expect: 200, ..load };
                assert!(wrong.run(Duration::from_millis(10)).await.is_err());
            })
            .await;
    }
}
