//! The languages of the front end's build, and the one of a request.

use std::{collections::BTreeMap, io, path::Path};

use serde::Deserialize;

use crate::{
    language::{COOKIE, accepted},
    request::Head,
};

/// A language, as the build lists it.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Language {
    /// Its code, as in `lang` attributes.
    pub code: String,
    /// Whether visitors can choose it. The others are for tests: only the cookie selects them.
    pub listed: bool,
    /// The address of its messages.
    pub file: String,
    /// The messages that the gateway writes, by id.
    texts: BTreeMap<String, String>,
}

impl Language {
    /// The language of messages of services, of which the front end's build may have more.
    pub fn of_services(&self) -> languages::Language {
        languages::Language::parse(&self.code).unwrap_or(languages::Language::ENGLISH)
    }

    /// A message, in which `{name}` stands for the brand's name.
    pub fn text<'a>(&'a self, id: &'a str) -> &'a str {
        self.texts.get(id).map_or(id, String::as_str)
    }
}

/// The list; English is first.
pub(super) struct Languages(Vec<Language>);

impl Languages {
    /// Its file name in the front end's folder.
    pub const FILE: &str = "languages.json";

    /// Reads the list.
    pub fn load(path: &Path) -> io::Result<Self> {
        let languages: Vec<Language> = serde_json::from_slice(&std::fs::read(path)?)?;
        if languages.is_empty() {
            return Err(io::Error::other("it lists no language"));
        }
        Ok(Self(languages))
    }

    pub fn iter(&self) -> impl Iterator<Item = &Language> {
        self.0.iter()
    }

    /// The code of a request's language: the visitor's choice, else the first that the browser accepts, else the brand's, else English.
    pub fn of<'a>(&'a self, head: &Head, brand: Option<&str>) -> &'a str {
        let chosen = head.cookie(COOKIE).and_then(|code| self.iter().find(|language| language.code == code));
        let language = chosen
            .or_else(|| languages::accepted(&accepted(head)).iter().find_map(|code| self.choosable(code)))
            .or_else(|| self.choosable(brand?))
            .or_else(|| self.iter().next());
        language.map_or("", |language| language.code.as_str())
    }

    /// The language with a code, if visitors can choose it.
    pub fn choosable(&self, code: &str) -> Option<&Language> {
        self.iter().find(|language| language.listed && language.code == code)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use http::Request;

    use super::*;
    use crate::request::tests::head;

    /// A language without texts.
    pub(in crate::pages) fn language(code: &str, listed: bool) -> Language {
        Language { code: code.to_owned(), listed, file: format!("/assets/{code}.js"), texts: BTreeMap::new() }
    }

    fn languages() -> Languages {
        Languages(vec![language("en", true), language("st", true), language("zu", true), language("en-XA", false)])
    }

    #[test]
    fn of_prefers_the_cookie_then_the_browser_then_the_brand() {
        let languages = languages();
        for (cookie, accepts, brand, expected) in [
            ("", "", None, "en"),
            ("", "", Some("zu"), "zu"),
            ("", "", Some("fr"), "en"),
            ("", "zu-ZA,zu;q=0.9,en;q=0.8", None, "zu"),
            ("", "en-ZA,zu;q=0.9", Some("st"), "en"),
            ("", "fr, st;q=0.4, ZU ;q=0.7", None, "zu"),
            ("", "zu;q=0, *;q=0.5", Some("st"), "st"),
            ("", "en-XA", Some("st"), "en"),
            ("", "zu;q=x,\u{e9}", None, "en"),
            ("language=st", "zu", None, "st"),
            ("a=1; language=en-XA", "zu", None, "en-XA"),
            ("language=fr", "zu", None, "zu"),
            ("language=", "", Some("st"), "st"),
        ] {
            let request = Request::get("/").header("cookie", cookie).header("accept-language", accepts);
            assert_eq!(languages.of(&head(request), brand), expected, "{cookie} {accepts} {brand:?}");
        }
    }
}
