//! The page on hosts that select no brand: links to all brands.

use std::collections::BTreeMap;

use brands::{Brand, Brands, Kind, NetworkOffer};
use bytes::Bytes;
use http::{
    StatusCode,
    header::{self, HeaderValue},
};
use maud::{DOCTYPE, PreEscaped, html};

use super::{
    languages::{Language, Languages},
    template::price,
};
use crate::{
    request::Head,
    response::{NO_SNIFF, Response, response, style_policy, value},
};

/// The page with links to all brands, rendered once in each language.
pub(super) struct Directory {
    /// By the language's code.
    pages: BTreeMap<String, Bytes>,
    policy: HeaderValue,
}

const STYLES: &str = "\
*{box-sizing:border-box}body{margin:0;min-height:100vh;padding:6vh 1.25rem 3rem;background:#14121c;color:#f6f3ff;font:1.0625rem/1.5 system-ui,sans-serif}\
main{max-width:44rem;margin:auto}h1{margin:0 0 .25rem;font-size:clamp(2rem,8vw,3.25rem);line-height:1.05;letter-spacing:-.03em}\
p{margin:0 0 2rem;color:#b9b2cf}ul{margin:0;padding:0;list-style:none;display:grid;gap:.875rem;grid-template-columns:repeat(auto-fill,minmax(13rem,1fr))}\
a{display:flex;flex-direction:column;justify-content:flex-end;min-height:6rem;padding:1rem 1.125rem;border-radius:1rem;border:1px solid #ffffff24;text-decoration:none;background:#221f2e;color:#fff}\
a:hover{filter:brightness(1.12)}a:focus-visible{outline:3px solid #fff;outline-offset:3px}strong{font-size:1.25rem;line-height:1.2}span{font-size:.875rem;opacity:.85}";

impl Directory {
    /// Renders the pages; `public_port` is used in public addresses with a port.
    pub(super) fn new(brands: &Brands, languages: &Languages, public_port: u16) -> Self {
        let mut styles = STYLES.to_owned();
        for (index, brand) in brands.iter().enumerate() {
            let colour = |name: &str| brand.theme.get(name).filter(|value| is_colour(value));
            if let (Some(background), Some(text), Some(accent)) = (colour("surface"), colour("text"), colour("accent"))
            {
                styles.push_str(&format!(
                    "#b{index}{{background:{background};color:{text};border-bottom:.375rem solid {accent}}}"
                ));
            }
        }
        let page = |language: &Language| {
            html! {
                (DOCTYPE)
                html lang=(language.code) {
                    head {
                        meta charset="utf-8";
                        title { "Spaza" }
                        meta name="viewport" content="width=device-width, initial-scale=1";
                        meta name="theme-color" content="#14121c";
                        style { (PreEscaped(&styles)) }
                    }
                    body {
                        main {
                            h1 { (language.text("directory-heading")) }
                            p { (language.text("directory-lead")) }
                            ul {
                                @for (index, brand) in brands.iter().enumerate() {
                                    li {
                                        a id={ "b" (index) } href={ (brands.public_url(&brand, brand.label(), public_port)) "/" } {
                                            strong { (brand.name) }
                                            span { (about(&brand, language)) }
                                            span { (prices(&brand, language)) }
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        };
        let pages = languages.iter().map(|language| (language.code.clone(), page(language).into_string().into()));
        Self { pages: pages.collect(), policy: value(&style_policy(&styles)) }
    }

    /// Responds with the page in the visitor's language: 200 at its own path, 404 elsewhere.
    pub(super) fn page(&self, status: StatusCode, languages: &Languages, head: &Head) -> Response {
        let language = languages.of(head, None);
        let headers = [
            (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
            (header::CONTENT_LANGUAGE, value(language)),
            (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
            (header::CONTENT_SECURITY_POLICY, self.policy.clone()),
            NO_SNIFF,
            (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
            (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
        ];
        response(status, headers, self.pages.get(language).cloned().unwrap_or_default())
    }
}

/// Whether it is `#rgb` or `#rrggbb`; nothing else is put into a stylesheet.
fn is_colour(value: &str) -> bool {
    value.strip_prefix('#').is_some_and(|hex| matches!(hex.len(), 3 | 6) && hex.bytes().all(|b| b.is_ascii_hexdigit()))
}

/// A line about a brand: its own, or that of its kind.
fn about<'a>(brand: &'a Brand, language: &'a Language) -> &'a str {
    let own = brand.copy_in(&language.code);
    own.get("about").or_else(|| own.get("tagline")).copied().unwrap_or_else(|| {
        language.text(match brand.kind {
            Kind::Comedy => "about-comedy",
            Kind::Diski => "about-diski",
            Kind::Meme => "about-meme",
            Kind::Tt => "about-tt",
        })
    })
}

/// What a brand costs, on whichever of its networks: `R3 per day`, or `R3 per day · R15.50 per week`.
fn prices(brand: &Brand, language: &Language) -> String {
    let mut prices: Vec<String> = Vec::new();
    for offer in std::iter::once(brand.offer).chain(brand.offers.iter().map(NetworkOffer::offer)) {
        let price = price(offer, language);
        if !prices.contains(&price) {
            prices.push(price);
        }
    }
    prices.join(" · ")
}

#[cfg(test)]
mod tests {
    use brands::{Offer, Period};
    use serde_json::json;

    use super::*;

    #[test]
    fn about_is_the_brands_own_line_or_that_of_its_kind() {
        let texts = json!({ "about-meme": "Ama-meme" });
        let language =
            serde_json::from_value(json!({ "code": "zu", "listed": true, "file": "", "texts": texts })).unwrap();
        let mut brand = (*testkit::brands().by_svc_id(150).unwrap()).clone();
        assert_eq!(about(&brand, &language), "Ama-meme");
        brand.copy.insert("tagline".to_owned(), "Laugh".to_owned());
        assert_eq!(about(&brand, &language), "Laugh");
        for (key, text) in [("about", "Memes"), ("about.zu", "Ama-meme amasha")] {
            brand.copy.insert(key.to_owned(), text.to_owned());
        }
        assert_eq!(about(&brand, &language), "Ama-meme amasha");
    }

    #[test]
    fn prices_are_those_of_every_network() {
        let texts = json!({ "decimal": ",", "price-per-day": "{price} ngosuku", "price-per-week": "{price} ngesonto" });
        let language =
            serde_json::from_value(json!({ "code": "zu", "listed": true, "file": "", "texts": texts })).unwrap();
        let mut brand = (*testkit::brands().by_svc_id(150).unwrap()).clone();
        assert_eq!(prices(&brand, &language), "R3 ngosuku");
        let weekly = Offer { price_cents: 1550, period: Period::Week, ..Offer::default() };
        brand.offers.push(NetworkOffer::new("other".to_owned(), weekly));
        brand.offers.push(NetworkOffer::new("third".to_owned(), Offer::default()));
        assert_eq!(prices(&brand, &language), "R3 ngosuku · R15,50 ngesonto");
    }
}
