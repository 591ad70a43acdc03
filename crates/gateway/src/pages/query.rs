//! What the query of a page's address asks for.

use http::{HeaderMap, header};
use percent_encoding::utf8_percent_encode;
use url::form_urlencoded;

use super::{forms, frame::Forward};
use crate::{page_views::PART, request::Head};

/// The items of a list for browsers without scripts, which page with `?after=`, plus one that shows whether more follow.
pub(super) const LIST_LIMIT: usize = 25;

/// The items of a visitor's own list, whose reply says where it continues.
const OWN_LIST_LIMIT: usize = LIST_LIMIT - 1;

/// The longest search, in UTF-16 code units, as the search field counts them.
const MAX_QUERY: usize = 100;

/// Seconds before a browser checks again whether its network has confirmed.
const RETRY_SECONDS: u8 = 2;

/// Seconds between two checks while the visitor replies to an SMS.
const REPLY_SECONDS: u8 = 5;

/// Seconds after which the page goes on although scripts are on: they have not run. While the visitor replies to an SMS they check themselves.
const PATIENCE_SECONDS: u8 = 5;
const REPLY_PATIENCE_SECONDS: u8 = 15;

/// The query parameters that the first screen depends on.
const QUERY: [&str; 10] =
    ["service", "msisdn", "result", "q", "ext_ref", "after", "page", "failed", "sim", forms::REPLY_PARAMETER];

/// A parameter of the query of an address.
pub(super) fn parameter(query: Option<&str>, name: &str) -> Option<String> {
    form_urlencoded::parse(query?.as_bytes()).find(|(known, _)| known == name).map(|(_, value)| value.into_owned())
}

/// The address of a page after a form: the campaign that the visitor came from stays in it, and the page that was wanted.
pub(super) fn after_form(path: &str, head: &Head) -> String {
    let mut kept = form_urlencoded::Serializer::new(String::new());
    for name in ["ext_ref", "page"] {
        if let Some(value) = parameter(head.query(), name).filter(|value| !value.is_empty()) {
            kept.append_pair(name, &value);
        }
    }
    match kept.finish() {
        query if query.is_empty() => path.to_owned(),
        query => format!("{path}?{query}"),
    }
}

/// The id after which the list starts.
pub(super) fn after(head: &Head) -> Option<i64> {
    parameter(head.query(), "after")?.parse().ok().filter(|id| *id >= 0)
}

/// The page of a visitor's own list that the request's `?after=` names: a position that the service wrote.
pub(super) fn own_list(address: &str, head: &Head) -> String {
    let is_position = |after: &String| after.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let after = parameter(head.query(), "after").filter(is_position);
    let after = after.map(|after| format!("&after={after}")).unwrap_or_default();
    format!("{address}?limit={OWN_LIST_LIMIT}{after}")
}

/// Where a reply's list continues, from its `Link` header.
pub(super) fn next_after(headers: &HeaderMap) -> Option<String> {
    let (address, _) = headers.get(header::LINK)?.to_str().ok()?.strip_prefix('<')?.split_once('>')?;
    parameter(Some(address.split_once('?')?.1), "after")
}

/// What the visitor searches for, as the front end sends it: trimmed, and no longer than the services allow.
pub(super) fn search_query(head: &Head) -> Option<String> {
    let query = parameter(head.query(), "q")?;
    let mut units = 0;
    let short = query.chars().take_while(|letter| {
        units += letter.len_utf16();
        units <= MAX_QUERY
    });
    let short = short.collect::<String>();
    Some(short.trim().to_owned()).filter(|query| !query.is_empty())
}

/// Seconds in which a script goes from another kind's home to the brand's own.
const OTHER_HOME_SECONDS: u8 = 4;

/// Where a page goes on by itself.
pub(super) fn forward(head: &Head, to: &str) -> Option<Forward> {
    // The target comes from the front end's build; it must be a path of this site.
    let address = to.replace("{query}", head.query().unwrap_or_default());
    let (seconds, patience) = match (forms::expected_reply(head).as_str(), forms::checks(head)) {
        // A STOP ends the subscription, and leads to no page.
        ("stop", _) => return None,
        ("yes", _) => (REPLY_SECONDS, REPLY_PATIENCE_SECONDS),
        // The home of another kind of brand, whose script goes to this brand's.
        _ if !to.contains("{query}") => (0, OTHER_HOME_SECONDS),
        (_, 0) => (0, PATIENCE_SECONDS),
        _ => (RETRY_SECONDS, PATIENCE_SECONDS),
    };
    address.starts_with('/').then_some(Forward { address, seconds, patience })
}

/// The address of a page that goes on by itself: its link has the whole query.
pub(super) fn whole_address(head: &Head) -> String {
    format!("{}?{}", head.path(), head.query().unwrap_or_default())
}

/// Stands for the campaign in a page for all campaigns, a sign that no text has: strangers would otherwise choose how many pages are rendered.
const CAMPAIGN: &str = "\u{e000}";
const ENCODED_CAMPAIGN: &str = "%EE%80%80";

/// Stands for the number, which no page contains: whether there is one is what pages depend on.
const NUMBER: &str = "0";

/// A path with the query parameters that the first screen depends on, the first of each name.
pub(super) fn address(head: &Head) -> String {
    let query = head.query().unwrap_or_default();
    let mut known = form_urlencoded::Serializer::new(String::new());
    for name in QUERY {
        let Some(value) = parameter(Some(query), name) else { continue };
        let drawn = match name {
            "msisdn" if !value.is_empty() => NUMBER,
            "ext_ref" if !value.is_empty() => CAMPAIGN,
            _ => &value,
        };
        known.append_pair(name, drawn);
    }
    format!("{}?{}", head.path(), known.finish())
}

/// A rendered page for this campaign, which the front end has in texts and encoded in addresses.
pub(super) fn filled(page: &str, campaign: &str) -> String {
    let encoded = utf8_percent_encode(campaign, PART).to_string();
    page.replace(ENCODED_CAMPAIGN, &escaped(&encoded)).replace(CAMPAIGN, &escaped(campaign))
}

/// As React escapes texts and attributes.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#x27;")
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;
    use crate::request::tests::head;

    #[test]
    fn own_list_continues_where_the_services_link_leads() {
        let of = |sent: &str| own_list("/api/tt/mine/x", &head(Request::get(sent)));
        assert_eq!(of("/watchlist"), "/api/tt/mine/x?limit=24");
        assert_eq!(of("/watchlist?after=1772735400-17"), "/api/tt/mine/x?limit=24&after=1772735400-17");
        assert_eq!(of("/watchlist?after=1%26limit%3D9"), "/api/tt/mine/x?limit=24");
        let next = |link: &'static str| next_after(&HeaderMap::from_iter([(header::LINK, link.parse().unwrap())]));
        assert_eq!(next("</x?limit=24&after=17-3>; rel=\"next\"").as_deref(), Some("17-3"));
        assert_eq!(next("</x>; rel=\"next\""), None);
        assert_eq!(next_after(&HeaderMap::new()), None);
    }

    #[test]
    fn address_keeps_only_known_query_parameters() {
        let of = |sent: &str| address(&head(Request::get(sent)));
        assert_eq!(of("/search?q=a%20b&utm_source=x&service=y&q=c"), "/search?service=y&q=a+b");
        assert_eq!(of("/join?ext_ref=ad&msisdn=27812345678"), of("/join?msisdn=1&ext_ref=other"));
        assert_ne!(of("/join?ext_ref=ad"), of("/join?ext_ref="));
        assert_eq!(of("/terms"), "/terms?");
    }

    #[test]
    fn filled_has_the_campaign_as_the_front_end_would_write_it() {
        let page = "<a href=\"/join?ext_ref=%EE%80%80\"><input value=\"\u{e000}\">";
        let expected = "<a href=\"/join?ext_ref=%22%3E%3Cb%20&#x27;%26\"><input value=\"&quot;&gt;&lt;b &#x27;&amp;\">";
        assert_eq!(filled(page, "\"><b '&"), expected);
    }

    #[test]
    fn forward_waits_for_a_reply_by_sms() {
        let of = |sent: &str| forward(&head(Request::get(sent)), "/forms/check?{query}");
        let of = |sent: &str| of(sent).map(|Forward { address, seconds, patience }| (address, seconds, patience));
        let to = |address: &str, seconds, patience| Some((address.to_owned(), seconds, patience));
        assert_eq!(of("/DoiRedirect?msisdn=1"), to("/forms/check?msisdn=1", 0, PATIENCE_SECONDS));
        assert_eq!(
            of("/DoiRedirect?msisdn=1&tries=1"),
            to("/forms/check?msisdn=1&tries=1", RETRY_SECONDS, PATIENCE_SECONDS)
        );
        assert_eq!(
            of("/DoiRedirect?msisdn=1&reply=yes"),
            to("/forms/check?msisdn=1&reply=yes", REPLY_SECONDS, REPLY_PATIENCE_SECONDS)
        );
        assert_eq!(of("/DoiRedirect?msisdn=1&reply=stop"), None);
    }
}
