//! The bodies of replies: compressed or not, in any encoding.

use std::io::Read;

use chrono_tz::Tz;
use flate2::read::MultiGzDecoder;
use operator::{in_zone, json_text};
use reqwest::Response;
use serde::de::DeserializeOwned;

use super::UNREADABLE;
use crate::error::Error;

/// The longest body, decompressed.
const MAX_BODY: u64 = 256 << 20;

/// The body was cut, or cannot be read. Without the parser's message, which may quote a number.
pub(super) struct Unreadable;

impl From<Unreadable> for Error {
    fn from(_: Unreadable) -> Self {
        Self::NetworkUnavailable(UNREADABLE.to_owned())
    }
}

/// The bytes of a body. We ask for no compression, and some networks compress nevertheless.
pub(super) async fn body(reply: Response) -> Result<Vec<u8>, Unreadable> {
    let body = reply.bytes().await.map_err(|_| Unreadable)?;
    if !body.starts_with(&[0x1f, 0x8b]) {
        return Ok(body.into());
    }
    let mut plain = Vec::new();
    MultiGzDecoder::new(&*body).take(MAX_BODY).read_to_end(&mut plain).map_err(|_| Unreadable)?;
    Ok(plain)
}

/// A JSON body, with times without a zone as those of `zone`.
pub(super) async fn json<T: DeserializeOwned>(reply: Response, zone: Tz) -> Result<T, Unreadable> {
    let body = body(reply).await?;
    in_zone(zone, || serde_json::from_str(&json_text(&body))).map_err(|_| Unreadable)
}
