//! `POST /forms/mark`: likes and the watchlist for pages without scripts. Redirects back to the form's page.

use brands::Kind;
use http::{HeaderMap, Method, StatusCode};
use serde_json::{Value, json};
use url::form_urlencoded;

use super::{
    forms::{Forms, SubmittedForm, field, see_other},
    frame::Frame,
};
use crate::{error::Error, response::Response};

/// The action of a button in the form; its value is the item's id.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mark {
    Like,
    Unlike,
    Watch,
    Unwatch,
}

impl Mark {
    fn named(name: &str) -> Option<Self> {
        match name {
            "like" => Some(Self::Like),
            "unlike" => Some(Self::Unlike),
            "watch" => Some(Self::Watch),
            "unwatch" => Some(Self::Unwatch),
            _ => None,
        }
    }

    /// The service's call for a brand of this kind.
    fn call(self, kind: Kind, id: i64) -> Option<(Method, &'static str, Value)> {
        let call = match (kind, self) {
            (Kind::Meme, Self::Like) => (Method::POST, "/api/meme/postlike", json!({ "like": "1", "id": id })),
            (Kind::Meme, Self::Unlike) => (Method::DELETE, "/api/meme/unlike", json!({ "meme_id": id })),
            (Kind::Tt, Self::Like) => (Method::POST, "/api/tt/likevideo", json!({ "videoid": id, "status": "1" })),
            (Kind::Tt, Self::Unlike) => (Method::DELETE, "/api/tt/unlikevideo", json!({ "videoid": id })),
            (Kind::Tt, Self::Watch) => (Method::POST, "/api/tt/ttaddwatchlist", json!({ "videoid": id })),
            (Kind::Tt, Self::Unwatch) => (Method::DELETE, "/api/tt/ttremove", json!({ "videoid": id })),
            _ => return None,
        };
        Some(call)
    }
}

impl Forms {
    /// Likes or saves an item for the session's number; without a session redirects to the join form.
    pub(super) async fn mark(&self, sent: SubmittedForm<'_>, body: &[u8]) -> Result<Response, Error> {
        let kind = sent.frame.kind;
        let named = form_urlencoded::parse(body).find_map(|(name, id)| Some((Mark::named(&name)?, id.parse().ok()?)));
        let (mark, id): (Mark, i64) = named.ok_or(Error::NotFound)?;
        let (method, address, request) = mark.call(kind, id).ok_or(Error::NotFound)?;
        let back = back(sent.frame, &field(body, "back"));
        let reply = self.proxy.ask(sent.head, sent.label, method, address, Some(request)).await;
        match reply.map(|answered| answered.status) {
            Ok(status) if status.is_success() => sent.redirect(&back, &HeaderMap::new()),
            Ok(StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) | Err(Error::NoSession) => {
                see_other(&join(sent.frame, &back))
            }
            // By the specification, only failed removals of videos show an error; other failures are logged.
            _ if kind == Kind::Tt && matches!(mark, Mark::Unlike | Mark::Unwatch) => {
                sent.redirect(&failed(&back), &HeaderMap::new())
            }
            _ => sent.redirect(&back, &HeaderMap::new()),
        }
    }
}

/// The join form, from which the visitor comes back to the page of this path.
fn join(frame: &Frame, back: &str) -> String {
    match back.split('#').next() {
        Some(page) if page != "/" && page != frame.home => {
            let page: String = form_urlencoded::byte_serialize(page.as_bytes()).collect();
            format!("{}?page={page}", frame.join)
        }
        _ => frame.join.clone(),
    }
}

/// The path that the form names, if it is one of this site; else the brand's home.
pub(super) fn back(frame: &Frame, named: &str) -> String {
    let is_ours = named.starts_with('/') && !named.starts_with("//") && named.bytes().all(|b| b.is_ascii_graphic());
    if is_ours && !named.contains('\\') { named.to_owned() } else { frame.home.clone() }
}

/// The same page with `failed=1`, which makes it show an error.
fn failed(back: &str) -> String {
    let (address, place) = back.split_once('#').unwrap_or((back, ""));
    let separator = if address.contains('?') { '&' } else { '?' };
    format!("{address}{separator}failed=1#{place}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_adds_a_query_parameter_before_the_fragment() {
        assert_eq!(failed("/ttsingle/1/raceday"), "/ttsingle/1/raceday?failed=1#");
        assert_eq!(
            failed("/memeCategory/1/2/memeworld?after=7#meme-9"),
            "/memeCategory/1/2/memeworld?after=7&failed=1#meme-9"
        );
    }

    #[test]
    fn call_depends_on_the_kind_of_brand() {
        for (kind, mark, expected) in [
            (Kind::Meme, "unlike", Some("/api/meme/unlike")),
            (Kind::Meme, "watch", None),
            (Kind::Tt, "unwatch", Some("/api/tt/ttremove")),
            (Kind::Comedy, "like", None),
        ] {
            let call = Mark::named(mark).unwrap().call(kind, 7);
            assert_eq!(call.map(|(_, address, _)| address), expected, "{mark}");
        }
        assert_eq!(Mark::named("love"), None);
    }
}
