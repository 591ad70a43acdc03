//! What a visitor reads once, above the next page: the subscription service's sentence about a return from the network, and a link to the page
//! that was wanted before. A cookie keeps it until that page, which has it in its own markup: it needs no script, and no address has it.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use http::{HeaderMap, Method, StatusCode, header, header::HeaderValue};
use languages::FluentArgs;
use maud::{Markup, html};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    EmbeddedReplies, Pages,
    forms::{ServiceReply, home},
    frame::Frame,
};
use crate::{request::Head, response::value};

/// The cookie's name.
const COOKIE: &str = "news";

/// Its lifetime in seconds: the next page follows at once.
const LIFE: u32 = 300;

/// The page of join forms.
pub(super) const JOIN: &str = "join";

/// The names of an item's title in the services' replies.
const TITLES: [&str; 4] = ["video_name", "categoryName", "title", "name"];

/// What the cookie has.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    message: String,
    /// The page that the visitor wanted.
    page: Option<String>,
    /// Whether a session was opened, which the visitor's other tabs do not know.
    opened: bool,
}

/// The notice above a page.
pub(super) struct News {
    pub markup: Markup,
    /// Whether the cookie has done its work.
    pub ends_cookie: bool,
}

/// The cookie for what a check of an attempt has found; none while it waits, and where there is nothing to say.
pub(super) fn cookie_of(head: &Head, reply: &ServiceReply) -> Option<HeaderValue> {
    let message = reply.message.clone().filter(|_| reply.state.as_deref() != Some("waiting"))?;
    Some(cookie(head, message, reply))
}

/// The same for an attempt that still waits.
pub(super) fn cookie_of_waiting(head: &Head, reply: &ServiceReply) -> Option<HeaderValue> {
    Some(cookie(head, reply.message.clone()?, reply))
}

fn cookie(head: &Head, message: String, reply: &ServiceReply) -> HeaderValue {
    let kept = Kept { message, page: reply.page.clone(), opened: reply.result == 1 && reply.session };
    let text = URL_SAFE_NO_PAD.encode(serde_json::to_vec(&kept).unwrap_or_default());
    set(head, &text, LIFE)
}

/// Deletes the cookie.
pub(super) fn no_cookie(head: &Head) -> HeaderValue {
    set(head, "", 0)
}

fn set(head: &Head, text: &str, life: u32) -> HeaderValue {
    let secure = if head.client.https { "; Secure" } else { "" };
    value(&format!("{COOKIE}={text}; Path=/; Max-Age={life}; HttpOnly; SameSite=Lax{secure}"))
}

fn kept(head: &Head) -> Option<Kept> {
    let text = URL_SAFE_NO_PAD.decode(head.cookie(COOKIE)?).ok()?;
    serde_json::from_slice(&text).ok().filter(|kept: &Kept| !kept.message.is_empty())
}

/// Whether the browser loads the page before its visitor opens it.
fn is_ahead(head: &Head) -> bool {
    let purpose = head.headers.get("sec-purpose").and_then(|purpose| purpose.to_str().ok());
    purpose.is_some_and(|purpose| purpose.contains("prefetch"))
}

impl Pages {
    /// The notice above a page with this name.
    pub(super) async fn news(&self, head: &Head, (label, frame): (&str, &Frame), page: Option<&str>) -> Option<News> {
        if let Some(kept) = kept(head).filter(|_| !is_ahead(head)) {
            let link = match &kept.page {
                Some(page) => self.link_to(page, (label, frame)).await,
                None => None,
            };
            return Some(News { markup: notice(&kept.message, link.as_ref(), kept.opened), ends_cookie: true });
        }
        if page == Some(JOIN) && self.known(head, label).session {
            let markup = self.subscribed_already(head, (label, frame)).await?;
            return Some(News { markup, ends_cookie: false });
        }
        None
    }

    /// To a subscriber on the join form: there is nothing to join.
    async fn subscribed_already(&self, head: &Head, (label, frame): (&str, &Frame)) -> Option<Markup> {
        let answered = self.proxy.ask(head, label, Method::GET, "/api/subscribe/me", None).await.ok()?;
        let state = serde_json::from_slice::<Value>(&answered.body).ok()?;
        if answered.status != StatusCode::OK || state.get("state").and_then(Value::as_str) != Some("active") {
            return None;
        }
        let (language, named) = (frame.language.of_services(), FluentArgs::from_iter([("name", frame.name.clone())]));
        let link = (home(frame, ""), language.text("to-home", &named));
        Some(notice(&language.text("subscribed-already", &named), Some(&link), false))
    }

    /// The link to a page of the brand, with the title of its item; none where there is no such page.
    async fn link_to(&self, page: &str, (label, frame): (&str, &Frame)) -> Option<(String, String)> {
        let path = self.known_page(page, frame)?.split(['?', '#']).next()?;
        let view = self.page_views.of(path, frame.identity(), None)?;
        let language = frame.language.of_services();
        let EmbeddedReplies { replies, status } =
            self.embedded_replies((label, language), Some(&view), None, None).await;
        if status == StatusCode::NOT_FOUND {
            return None;
        }
        let title = replies.first().filter(|_| view.names_item).and_then(|reply| title_in(&reply.body));
        let text = match title {
            Some(title) => language.text("return-to", &FluentArgs::from_iter([("title", title)])),
            None => language.text("return-to-page", &FluentArgs::new()),
        };
        Some((page.to_owned(), text))
    }

    /// A page that a visitor's address names, if the brand has it; the home needs no link.
    pub(super) fn known_page<'a>(&self, page: &'a str, frame: &Frame) -> Option<&'a str> {
        let path = page.split(['?', '#']).next().filter(|path| *path != "/" && *path != frame.home)?;
        let is_path = path.starts_with('/') && !path.starts_with("//") && !page.contains('\\');
        let view = self.page_views.of(path, frame.identity(), None).filter(|_| is_path)?;
        (!view.is_not_found() && view.page != JOIN && view.forward.is_none()).then_some(page)
    }
}

/// The title of the item that a service's reply is about.
fn title_in(body: &[u8]) -> Option<String> {
    let reply: Value = serde_json::from_slice(body).ok()?;
    let item = reply.get(0).unwrap_or(&reply);
    TITLES.iter().find_map(|name| item.get(name)?.as_str()).map(str::to_owned)
}

fn notice(message: &str, link: Option<&(String, String)>, opened: bool) -> Markup {
    html! {
        aside.return-news data-opened[opened] {
            p role="status" { (message) }
            @if let Some((address, text)) = link { a.button href=(address) { (text) } }
        }
    }
}

/// Adds the cookie of a check to a response.
pub(super) fn add(headers: &mut HeaderMap, cookie: Option<HeaderValue>) {
    if let Some(cookie) = cookie {
        headers.append(header::SET_COOKIE, cookie);
    }
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;
    use crate::request::tests::head;

    #[test]
    fn kept_reads_what_the_cookie_has() {
        let sent = head(Request::get("/"));
        let reply = ServiceReply {
            result: 1,
            session: true,
            message: Some("Joined: R3 · “now”.".to_owned()),
            page: Some("/ttsingle/3/x".to_owned()),
            ..ServiceReply::default()
        };
        let cookie = cookie_of(&sent, &reply).unwrap();
        let pair = cookie.to_str().unwrap().split(';').next().unwrap().to_owned();
        let read = kept(&head(Request::get("/").header("cookie", pair))).unwrap();
        assert_eq!(
            (read.message.as_str(), read.page.as_deref(), read.opened),
            ("Joined: R3 · “now”.", Some("/ttsingle/3/x"), true)
        );
        for cookie in ["news=", "news=e30", "news=%00", "news=bm8", "other=1"] {
            assert!(kept(&head(Request::get("/").header("cookie", cookie))).is_none(), "{cookie}");
        }
        let waiting = ServiceReply { state: Some("waiting".to_owned()), ..reply };
        assert!(cookie_of(&sent, &waiting).is_none() && cookie_of_waiting(&sent, &waiting).is_some());
    }

    #[test]
    fn title_in_reads_an_item_or_the_first_of_a_list() {
        for (body, expected) in [
            (r#"[{"id":1,"video_name":"Kettle","name":"Thandi"}]"#, Some("Kettle")),
            (r#"{"categoryName":"Cats","memeData":[]}"#, Some("Cats")),
            (r#"{"name":"Rain","video_name":7}"#, Some("Rain")),
            ("[]", None),
            ("no json", None),
        ] {
            assert_eq!(title_in(body.as_bytes()).as_deref(), expected, "{body}");
        }
    }
}
