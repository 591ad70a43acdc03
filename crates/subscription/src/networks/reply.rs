//! Replies: whether there is one, and its body, compressed or not, in any encoding.

use std::{io::Read, time::Duration};

use chrono::DateTime;
use chrono_tz::Tz;
use flate2::read::MultiGzDecoder;
use operator::{in_zone, json_text};
use reqwest::{RequestBuilder, StatusCode};
use serde::de::DeserializeOwned;
use service::Clock;

use super::{AWAY, Clients, Failure, LATER, NoReply, Reply, UNREADABLE};

/// The longest body, decompressed.
const MAX_BODY: u64 = 256 << 20;

/// Sends a request; its reply, unless there is none or it asks for less.
pub(super) async fn send(clients: &Clients, request: RequestBuilder) -> Result<Reply, Failure> {
    let reply = clients.send(request).await.map_err(|error| match error {
        NoReply::NotSent(_) => Failure::RetryLater(AWAY),
        NoReply::TimedOut(_) => Failure::Unknown("no answer in time"),
        NoReply::Cut(_) => Failure::Unknown("the connection was cut"),
    })?;
    let after = reply.header("retry-after").and_then(retry_after);
    match reply.status {
        StatusCode::TOO_MANY_REQUESTS => Err(Failure::Busy(after)),
        StatusCode::SERVICE_UNAVAILABLE if after.is_some() => Err(Failure::Busy(after)),
        StatusCode::SERVICE_UNAVAILABLE => Err(Failure::RetryLater(LATER)),
        _ => Ok(reply),
    }
}

/// Seconds, or a date.
fn retry_after(text: &str) -> Option<Duration> {
    if let Ok(seconds) = text.trim().parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = DateTime::parse_from_rfc2822(text.trim()).ok()?;
    Some((date.to_utc() - Clock::system_now().and_utc()).to_std().unwrap_or_default())
}

/// The bytes of a body. We ask for no compression, and some networks compress nevertheless. The error is without its cause, which may quote a
/// number.
pub(super) fn body(reply: Reply) -> Result<Vec<u8>, Failure> {
    let body = reply.body.map_err(|_| Failure::Unknown(UNREADABLE))?;
    if !body.starts_with(&[0x1f, 0x8b]) {
        return Ok(body.into());
    }
    let mut plain = Vec::new();
    let unpacked = MultiGzDecoder::new(&*body).take(MAX_BODY).read_to_end(&mut plain);
    unpacked.map(|_| plain).map_err(|_| Failure::Unknown(UNREADABLE))
}

/// A JSON body, with times without a zone as those of `zone`.
pub(super) fn json<T: DeserializeOwned>(reply: Reply, zone: Tz) -> Result<T, Failure> {
    let body = body(reply)?;
    in_zone(zone, || serde_json::from_str(&json_text(&body))).map_err(|_| Failure::Unknown(UNREADABLE))
}
