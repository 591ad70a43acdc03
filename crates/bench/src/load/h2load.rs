//! One GET over HTTP/1.1, TLS or HTTP/2, sent by h2load (nghttp2), whose log has every response's status and latency.

use std::{fmt, net::SocketAddr, path::Path, time::Duration};

use anyhow::Context;
use tokio::process::Command;

use super::Sample;
use crate::process::cpu_time;

/// A protocol between client and server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Protocol {
    /// HTTP/1.1 over TCP.
    ClearText,
    /// HTTP/1.1 over TLS 1.3.
    Tls,
    /// HTTP/2 over TLS 1.3.
    Http2,
}

impl Protocol {
    /// Lines that h2load's output must have if the protocol was negotiated.
    const fn agreed(self) -> &'static [&'static str] {
        match self {
            Self::ClearText => &["Application protocol: http/1.1"],
            Self::Tls => &["TLS Protocol: TLSv1.3", "Application protocol: http/1.1"],
            Self::Http2 => &["TLS Protocol: TLSv1.3", "Application protocol: h2"],
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::ClearText => "clear text",
            Self::Tls => "TLS 1.3",
            Self::Http2 => "HTTP/2 over TLS",
        })
    }
}

/// A load of one GET, with one request in flight per connection.
#[derive(Clone)]
pub struct H2load {
    /// The protocol.
    pub protocol: Protocol,
    /// The server's address.
    pub addr: SocketAddr,
    /// Its process, for CPU time.
    pub pid: u32,
    /// The number of connections.
    pub connections: u32,
    /// Requests per second in total; `None` for as many as the server handles.
    pub rate: Option<f64>,
    /// The host in the request.
    pub host: &'static str,
    /// The path in the request.
    pub path: &'static str,
    /// More headers, as lines without line ends.
    pub headers: Vec<String>,
    /// The expected status of every response.
    pub expect: i32,
}

impl H2load {
    /// The same load at a fixed rate of requests per second.
    pub fn at_rate(&self, rate: f64) -> Self {
        Self { rate: Some(rate), ..self.clone() }
    }

    /// Sends requests for `duration`; another status or a missing response is an error.
    pub async fn run(&self, duration: Duration) -> anyhow::Result<Sample> {
        let folder = tempfile::tempdir()?;
        let log = folder.path().join("log");
        let before = cpu_time(self.pid);
        let output = self.command(duration, &log).output().await.context("h2load")?;
        let cpu = before.zip(cpu_time(self.pid)).map_or(Duration::ZERO, |(before, after)| after.saturating_sub(before));
        let (latencies, elapsed) = self.responses(&std::fs::read_to_string(&log).unwrap_or_default())?;
        let text = String::from_utf8_lossy(&output.stdout);
        let agreed = self.protocol.agreed().iter().all(|line| text.lines().any(|found| found == *line));
        if latencies.is_empty() || !agreed || !text.contains(", 0 failed, 0 errored, 0 timeout") {
            let errors = String::from_utf8_lossy(&output.stderr);
            anyhow::bail!("h2load could not load {} in {}: {text}{errors}", self.path, self.protocol);
        }
        Ok(Sample::of(latencies, elapsed, cpu))
    }

    fn command(&self, duration: Duration, log: &Path) -> Command {
        let mut command = Command::new("h2load");
        command
            .args(["-c", &self.connections.to_string(), "-m", "1", "-D", &format!("{}ms", duration.as_millis())])
            .args(["--connect-to", &self.addr.to_string()])
            .arg("--log-file")
            .arg(log);
        if let Some(rate) = self.rate {
            command.args(["--rps", &(rate / f64::from(self.connections)).to_string()]);
        }
        if self.protocol != Protocol::Http2 {
            command.arg("--h1");
        }
        for header in &self.headers {
            command.args(["-H", header]);
        }
        let scheme = if self.protocol == Protocol::ClearText { "http" } else { "https" };
        command.arg(format!("{scheme}://{}{}", self.host, self.path)).kill_on_drop(true);
        command
    }

    /// Parses h2load's log, with start time in µs, status (-1 for none) and latency in µs per response. Returns the latencies, and the time
    /// from the first start to the last end.
    fn responses(&self, log: &str) -> anyhow::Result<(Vec<u32>, Duration)> {
        let (mut latencies, mut first, mut last) = (Vec::new(), u64::MAX, 0);
        for line in log.lines() {
            let (start, status, latency) = response(line).with_context(|| format!("h2load logged {line:?}"))?;
            if status != self.expect {
                anyhow::bail!("{} was answered {status} in {}", self.path, self.protocol);
            }
            latencies.push(latency);
            first = first.min(start);
            last = last.max(start + u64::from(latency));
        }
        Ok((latencies, Duration::from_micros(last.saturating_sub(first))))
    }
}

fn response(line: &str) -> Option<(u64, i32, u32)> {
    let mut columns = line.split('\t');
    Some((columns.next()?.parse().ok()?, columns.next()?.parse().ok()?, columns.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn load(protocol: Protocol) -> H2load {
        let addr = SocketAddr::from(([127, 0, 0, 1], 8080));
        let headers = vec!["Accept-Encoding: br".to_owned()];
        H2load { protocol, addr, pid: 0, connections: 4, rate: None, host: "x", path: "/a", headers, expect: 200 }
    }

    #[test]
    fn responses_parses_latencies_and_elapsed_time() {
        let load = load(Protocol::Http2);
        let log = "1795556916463515\t200\t1362\n1795556916463415\t200\t100\n";
        assert_eq!(load.responses(log).unwrap(), (vec![1362, 100], Duration::from_micros(1462)));
        assert!(load.responses("1795556916463515\t404\t1362\n").is_err(), "another status");
        assert!(load.responses("1795556916463515\t-1\t1362\n").is_err(), "no response");
        assert!(load.responses("nonsense\n").is_err());
    }

    #[test]
    fn command_has_protocol_rate_and_headers() {
        let args = |load: &H2load| {
            let command = load.command(Duration::from_millis(500), Path::new("log"));
            let args: Vec<_> = command.as_std().get_args().map(|arg| arg.to_string_lossy().into_owned()).collect();
            args.join(" ")
        };
        let common = "-c 4 -m 1 -D 500ms --connect-to 127.0.0.1:8080 --log-file log";
        assert_eq!(args(&load(Protocol::Http2)), format!("{common} -H Accept-Encoding: br https://x/a"));
        let clear = load(Protocol::ClearText).at_rate(10.0);
        assert_eq!(args(&clear), format!("{common} --rps 2.5 --h1 -H Accept-Encoding: br http://x/a"));
    }
}
