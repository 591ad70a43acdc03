//! The services' replies that a page has embedded: those that its path needs, and those about the visitor's session.

use std::time::Duration;

use ::languages::Language;
use bytes::Bytes;
use futures_util::future::join_all;
use http::{Method, StatusCode};

use super::{
    Pages,
    frame::EmbeddedReply,
    query::{LIST_LIMIT, next_after, own_list},
};
use crate::{cache::PublicReply, page_views::PageView, previews::Shown, request::Head, services};

/// How long a page waits for the replies it embeds. Without them the front end requests them itself, which needs scripts.
const REPLY_TIMEOUT: Duration = Duration::from_secs(2);

/// How long a page waits for the data of the visitor's session.
const SESSION_DATA_TIMEOUT: Duration = Duration::from_secs(3);

/// Replies about the visitor's own session.
#[derive(Default)]
pub(super) struct OwnReplies {
    pub replies: Vec<EmbeddedReply>,
    /// Where the page's list continues: its next `?after=`.
    pub next: Option<String>,
}

/// The embedded replies of a page, and the resulting status.
pub(super) struct EmbeddedReplies {
    pub replies: Vec<EmbeddedReply>,
    pub status: StatusCode,
}

impl Pages {
    /// The services' replies about the request's own session; null if there is none. Where the page's list is one of these, the first, it begins
    /// after the request's `?after=`.
    pub(super) async fn own(&self, head: &Head, label: &str, view: Option<&PageView<'_>>) -> OwnReplies {
        let is_list = view.is_some_and(|view| view.list && view.replies.is_empty());
        let own = view.iter().flat_map(|view| &view.own).enumerate().map(async |(place, address)| {
            let sent = match is_list && place == 0 {
                true => own_list(address, head),
                false => address.clone(),
            };
            let call = self.proxy.ask(head, label, Method::GET, &sent, None);
            let answered = tokio::time::timeout(SESSION_DATA_TIMEOUT, call).await.ok()?.ok()?;
            let body = match answered.status {
                StatusCode::OK => answered.body,
                StatusCode::UNAUTHORIZED => Bytes::from_static(b"null"),
                _ => return None,
            };
            let next = next_after(&answered.headers);
            Some((EmbeddedReply { address: address.clone(), body, tag: None }, next))
        });
        let (replies, next): (_, Vec<_>) = join_all(own).await.into_iter().flatten().unzip();
        OwnReplies { replies, next: next.into_iter().flatten().next().filter(|_| is_list) }
    }

    /// The first replies of a path, as far as they are available. A path that is not the front end's, or that names an item its service does
    /// not have, is 404.
    ///
    /// With `after`, the list starts after that id.
    pub(super) async fn embedded_replies(
        &self,
        host: (&str, Language),
        view: Option<&PageView<'_>>,
        after: Option<i64>,
        preview: Option<&Shown>,
    ) -> EmbeddedReplies {
        let Some(view) = view else { return EmbeddedReplies { replies: Vec::new(), status: StatusCode::NOT_FOUND } };
        let shown = view.replies.iter().enumerate().map(async |(place, address)| {
            let address = match after.filter(|_| place == 0) {
                Some(id) => {
                    let address = address.split_once("&limit=").map_or(address.as_str(), |(before, _)| before);
                    let joint = if address.contains('?') { '&' } else { '?' };
                    format!("{address}{joint}limit={LIST_LIMIT}&after={id}")
                }
                None => address.clone(),
            };
            self.shown(host, &address, preview).await
        });
        let shown = join_all(shown).await;
        let is_missing = view.is_not_found() || view.names_item && matches!(shown.first(), Some(PublicReply::Missing));
        let replies = view.replies.iter().zip(shown).filter_map(|(address, shown)| match shown {
            PublicReply::Reply { body, tag } => Some(EmbeddedReply { address: address.clone(), body, tag }),
            PublicReply::Missing | PublicReply::Unknown => None,
        });
        EmbeddedReplies {
            replies: replies.collect(),
            status: if is_missing { StatusCode::NOT_FOUND } else { StatusCode::OK },
        }
    }

    async fn shown(&self, host: (&str, Language), address: &str, preview: Option<&Shown>) -> PublicReply {
        let path = address.split('?').next().unwrap_or_default();
        let Some(service) = services::service_of(path) else { return PublicReply::Unknown };
        let shown = self.proxy.replies.shown(service, host, address, preview);
        tokio::time::timeout(REPLY_TIMEOUT, shown).await.unwrap_or(PublicReply::Unknown)
    }
}
