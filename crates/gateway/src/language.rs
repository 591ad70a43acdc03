//! The language of a request: of errors, here and in the services. Pages choose by the same rule among the languages of the front end's build.

use brands::Brand;
use http::header;
use languages::Language;

use crate::request::Head;

/// The cookie with the visitor's choice. Scripts set it, too.
pub(crate) const COOKIE: &str = "language";

/// The visitor's choice, else the first language that the browser accepts, else the brand's, else English.
pub(crate) fn of(head: &Head, brand: Option<&Brand>) -> Language {
    let chosen = head.cookie(COOKIE).and_then(Language::parse);
    chosen
        .or_else(|| Language::preferred(&accepted(head)))
        .or_else(|| Language::parse(brand?.language.as_deref()?))
        .unwrap_or(Language::ENGLISH)
}

/// What the browser accepts, as one `Accept-Language`.
pub(crate) fn accepted(head: &Head) -> String {
    let sent = head.headers.get_all(header::ACCEPT_LANGUAGE).iter().filter_map(|value| value.to_str().ok());
    sent.collect::<Vec<_>>().join(",")
}
