//! The languages of the sites, and the texts of services in each.
#![doc = include_str!("../README.md")]

mod compare;

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet},
    fmt,
    sync::LazyLock,
};

use fluent_bundle::{FluentResource, FluentValue, concurrent::FluentBundle};
use include_dir::{Dir, include_dir};
use serde::{Deserialize, Serialize};
use unic_langid::LanguageIdentifier;

pub use compare::{compared, is_visible};
pub use fluent_bundle::FluentArgs;

static FILES: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/../../frontend/languages");

/// The ids of the messages that a speaker has checked, by the code of the language.
static CHECKED: LazyLock<BTreeMap<&'static str, BTreeSet<String>>> = LazyLock::new(|| {
    files().filter_map(|(code, text)| Some((code, File::parse(text)?.services.checked.into_keys().collect()))).collect()
});

type Bundle = FluentBundle<FluentResource>;

type Bundles = BTreeMap<&'static str, Bundle>;

/// The texts for visitors in each language by its code. A file that cannot be read has no entry; a test reads all of them.
static BUNDLES: LazyLock<Bundles> = LazyLock::new(|| bundles(files()));

/// The texts for staff: English, and each language that the back office has a file of.
static STAFF_BUNDLES: LazyLock<Bundles> = LazyLock::new(|| bundles(staff_files()));

/// A language's file, of which the front end's build reads the rest.
#[derive(Deserialize)]
struct File {
    services: Messages,
}

/// The messages of services by id, in Fluent.
#[derive(Deserialize)]
struct Messages {
    checked: BTreeMap<String, String>,
    /// Those that no speaker has checked.
    unchecked: BTreeMap<String, String>,
}

impl File {
    fn parse(text: &str) -> Option<Self> {
        toml::from_str(text).ok()
    }

    /// The messages as a file of Fluent, where the lines of one message are indented.
    fn fluent(&self) -> String {
        let messages = self.services.checked.iter().chain(&self.services.unchecked);
        messages.map(|(id, text)| format!("{id} = {}\n", text.replace('\n', "\n    "))).collect()
    }
}

/// A language that has a file of messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Language(&'static str);

impl Language {
    /// The language of the specification.
    pub const ENGLISH: Self = Self("en");

    /// Every language, English among them.
    pub fn all() -> impl Iterator<Item = Self> {
        BUNDLES.keys().map(|code| Self(code))
    }

    /// The language with this ISO 639-1 code.
    ///
    /// ```
    /// use languages::Language;
    /// assert_eq!(Language::parse("zu").map(Language::code), Some("zu"));
    /// assert_eq!(Language::parse("de"), None);
    /// ```
    pub fn parse(code: &str) -> Option<Self> {
        BUNDLES.get_key_value(code).map(|(code, _)| Self(code))
    }

    /// The language that an `Accept-Language` header prefers (RFC 9110 section 12.5.4), regions aside.
    ///
    /// ```
    /// use languages::Language;
    /// assert_eq!(Language::preferred("de, xh-ZA;q=0.8, en;q=0.9"), Some(Language::ENGLISH));
    /// assert_eq!(Language::preferred("de"), None);
    /// ```
    pub fn preferred(accept_language: &str) -> Option<Self> {
        accepted(accept_language).iter().find_map(|code| Self::parse(code))
    }

    /// Its ISO 639-1 code.
    pub const fn code(self) -> &'static str {
        self.0
    }

    /// Whether a speaker has checked all of these messages.
    pub fn has_checked(self, ids: &[&str]) -> bool {
        CHECKED.get(self.0).is_some_and(|checked| ids.iter().all(|id| checked.contains(*id)))
    }

    /// The language of texts for staff whose language is this one: English, where the back office has no file of it.
    pub fn of_staff(self) -> Self {
        if STAFF_BUNDLES.contains_key(self.0) { self } else { Self::ENGLISH }
    }

    /// A message with its placeholders filled; in English, where this language lacks it.
    pub fn text(self, id: &str, args: &FluentArgs<'_>) -> String {
        self.text_of(&BUNDLES, id, args)
    }

    fn text_of(self, bundles: &Bundles, id: &str, args: &FluentArgs<'_>) -> String {
        let texts = [self, Self::ENGLISH].into_iter().filter_map(|language| bundles.get(language.0));
        let found = texts.filter_map(|bundle| {
            let pattern = bundle.get_message(id)?.value()?;
            let mut errors = Vec::new();
            let text = bundle.format_pattern(pattern, Some(args), &mut errors).into_owned();
            errors.is_empty().then_some(text)
        });
        found.into_iter().next().unwrap_or_default()
    }
}

/// A text of the catalogue without placeholders, by its id: it is written once the reader's language is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Message(&'static str);

impl Message {
    /// The message with this id; a test finds ids that no file has.
    pub const fn new(id: &'static str) -> Self {
        Self(id)
    }

    /// Its text.
    pub fn text(self, language: Language) -> String {
        language.text(self.0, &FluentArgs::new())
    }
}

/// A text for staff and for the machines of a network, by its id in the back office's files: it is written once the reader's language is known.
///
/// ```
/// use languages::{Language, StaffText};
/// let fault = StaffText::new("longer-than").with("count", 5000_usize);
/// let text = StaffText::new("fault-of-field").with("field", "name").with("fault", fault);
/// assert_eq!(text.text(Language::ENGLISH), "name is longer than 5000 characters.");
/// ```
///
/// Where a text is stored before its reader is known, it is stored by its id, as JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaffText {
    id: Cow<'static, str>,
    placeholders: Vec<(Cow<'static, str>, Placeholder)>,
}

/// What fills a placeholder of a [`StaffText`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Placeholder {
    /// A name, a time, or what a person wrote.
    Text(String),
    /// A number, by which a language can choose a plural.
    Number(i64),
    /// A text in the same language.
    Staff(StaffText),
}

impl StaffText {
    /// The text with this id; a test finds ids and placeholders that the file of English does not have.
    pub const fn new(id: &'static str) -> Self {
        Self { id: Cow::Borrowed(id), placeholders: Vec::new() }
    }

    /// With this placeholder filled.
    pub fn with(mut self, name: &'static str, value: impl Into<Placeholder>) -> Self {
        self.placeholders.push((Cow::Borrowed(name), value.into()));
        self
    }

    /// The text; in English, where the language has no texts for staff.
    pub fn text(&self, language: Language) -> String {
        let filled = self.placeholders.iter().map(|(name, value)| {
            let value = match value {
                Placeholder::Text(text) => FluentValue::from(text.as_str()),
                Placeholder::Number(number) => FluentValue::from(*number),
                Placeholder::Staff(text) => FluentValue::from(text.text(language)),
            };
            (name.as_ref(), value)
        });
        language.text_of(&STAFF_BUNDLES, &self.id, &filled.collect())
    }
}

/// In English, for logs.
impl fmt::Display for StaffText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(Language::ENGLISH))
    }
}

impl From<&str> for Placeholder {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Placeholder {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Placeholder {
    fn from(number: i64) -> Self {
        Self::Number(number)
    }
}

impl From<usize> for Placeholder {
    fn from(number: usize) -> Self {
        Self::Number(i64::try_from(number).unwrap_or(i64::MAX))
    }
}

impl From<StaffText> for Placeholder {
    fn from(text: StaffText) -> Self {
        Self::Staff(text)
    }
}

/// The codes in an `Accept-Language` header (RFC 9110 section 12.5.4), the preferred one first: in lower case, without regions, and without
/// those that it refuses (`q=0`). The gateway picks a page's language by it, and a consent is kept in the same language.
pub fn accepted(accept_language: &str) -> Vec<String> {
    let weighted = |range: &str| {
        let (tag, weight) = range.split_once(';').unwrap_or((range, "q=1"));
        let weight: f32 = weight.trim().strip_prefix("q=")?.parse().ok()?;
        let code = tag.trim().split('-').next()?.to_ascii_lowercase();
        (weight > 0.0).then_some((weight, code))
    };
    let mut codes: Vec<(f32, String)> = accept_language.split(',').filter_map(weighted).collect();
    // Stable: of equal weights, the first language is preferred.
    codes.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    codes.into_iter().map(|(_, code)| code).collect()
}

/// The code and text of each file of the sites.
fn files() -> impl Iterator<Item = (&'static str, &'static str)> {
    read(&FILES)
}

/// The code and text of each file of the back office.
fn staff_files() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.get_dir("backoffice").into_iter().flat_map(read)
}

fn read(folder: &'static Dir<'static>) -> impl Iterator<Item = (&'static str, &'static str)> {
    folder.files().filter_map(|file| Some((file.path().file_stem()?.to_str()?, file.contents_utf8()?)))
}

fn bundles(files: impl Iterator<Item = (&'static str, &'static str)>) -> Bundles {
    files.filter_map(|(code, text)| Some((code, bundle(code, &File::parse(text)?)?))).collect()
}

fn bundle(code: &str, file: &File) -> Option<Bundle> {
    let language: LanguageIdentifier = code.parse().ok()?;
    let resource = FluentResource::try_new(file.fluent()).ok()?;
    let mut bundle = Bundle::new_concurrent(vec![language]);
    // No invisible marks around placeholders: an SMS with one would need another alphabet, and more parts.
    bundle.set_use_isolating(false);
    bundle.add_resource(resource).ok()?;
    Some(bundle)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use fluent_syntax::{
        ast::{Entry, Expression, InlineExpression, Pattern, PatternElement},
        parser,
    };

    use super::*;

    /// The placeholders and messages that a pattern refers to.
    fn references(pattern: &Pattern<&str>, found: &mut BTreeSet<String>) {
        let inline = |expression: &InlineExpression<&str>, found: &mut BTreeSet<String>| match expression {
            InlineExpression::VariableReference { id } => drop(found.insert(format!("${}", id.name))),
            InlineExpression::MessageReference { id, .. } => drop(found.insert(id.name.to_owned())),
            InlineExpression::Placeable { .. } | InlineExpression::FunctionReference { .. } => {
                panic!("this test does not read them")
            }
            _ => {}
        };
        for element in &pattern.elements {
            let PatternElement::Placeable { expression } = element else { continue };
            match expression {
                Expression::Inline(expression) => inline(expression, found),
                Expression::Select { selector, variants } => {
                    inline(selector, found);
                    variants.iter().for_each(|variant| references(&variant.value, found));
                }
            }
        }
    }

    /// The messages of a file, each with what it refers to.
    fn messages(text: &str) -> BTreeMap<String, BTreeSet<String>> {
        let file: File = toml::from_str(text).unwrap();
        let fluent = file.fluent();
        let resource = parser::parse(fluent.as_str()).unwrap_or_else(|(_, errors)| panic!("{errors:?}"));
        let entries = resource.body.iter().filter_map(|entry| match entry {
            Entry::Message(message) => Some(message),
            _ => None,
        });
        entries
            .map(|message| {
                let mut found = BTreeSet::new();
                references(message.value.as_ref().unwrap(), &mut found);
                (message.id.name.to_owned(), found)
            })
            .collect()
    }

    fn english() -> BTreeMap<String, BTreeSet<String>> {
        messages(files().find(|(code, _)| *code == "en").unwrap().1)
    }

    #[test]
    fn every_language_has_the_messages_and_placeholders_of_english() {
        assert!(english().len() > 10);
        for (code, text) in files() {
            assert_eq!(messages(text), english(), "{code}");
            assert!(BUNDLES.contains_key(code), "{code}");
        }
    }

    fn staff_english() -> BTreeMap<String, BTreeSet<String>> {
        messages(staff_files().find(|(code, _)| *code == "en").unwrap().1)
    }

    #[test]
    fn every_language_of_staff_has_the_texts_and_placeholders_of_english() {
        assert!(staff_english().len() > 100);
        for (code, text) in staff_files() {
            assert_eq!(messages(text), staff_english(), "{code}");
            assert!(STAFF_BUNDLES.contains_key(code), "{code}");
        }
    }

    /// The ids of every [`StaffText`] in these sources, each with the placeholders that are filled in where it is made. The id is empty where it is no
    /// literal.
    fn staff_texts(sources: &str) -> Vec<(String, BTreeSet<String>)> {
        let quoted = |text: &str| {
            let (name, rest) = text.trim_start().strip_prefix('"')?.split_once('"')?;
            Some((name.to_owned(), rest.len()))
        };
        let made = sources.match_indices("StaffText::new(").map(|(at, new)| &sources[at + new.len()..]);
        made.map(|text| {
            let Some((id, left)) = quoted(text) else { return (String::new(), BTreeSet::new()) };
            let mut rest = text[text.len() - left..].strip_prefix(')').unwrap_or_default();
            let mut placeholders = BTreeSet::new();
            while let Some(filled) = rest.trim_start().strip_prefix(".with(") {
                let (name, _) = quoted(filled).unwrap_or_default();
                placeholders.insert(format!("${name}"));
                let mut depth = 1;
                let end = filled.find(|letter: char| {
                    depth += i32::from(letter == '(') - i32::from(letter == ')');
                    depth == 0
                });
                rest = &filled[end.map_or(filled.len(), |end| end + 1)..];
            }
            (id, placeholders)
        })
        .collect()
    }

    #[test]
    fn staff_texts_finds_ids_and_placeholders() {
        let sources = "StaffText::new(\"a\"); StaffText::new(id); StaffText::new(\"b\")\n  .with(\"x\", f(1))\n  \
                       .with(\n\"y\", StaffText::new(\"c\").with(\"z\", 1)) StaffText::new(\"d\").text(a)";
        let found: Vec<_> = staff_texts(sources)
            .into_iter()
            .map(|(id, names)| format!("{id}:{}", names.into_iter().collect::<String>()))
            .collect();
        assert_eq!(found, ["a:", ":", "b:$x$y", "c:$z", "d:"]);
    }

    #[test]
    fn every_text_for_staff_is_used_and_every_used_one_exists() {
        let (english, used) = (staff_english(), staff_texts(&sources()));
        let wrong: Vec<_> = used.iter().filter(|(id, placeholders)| english.get(id) != Some(placeholders)).collect();
        assert!(wrong.is_empty(), "no text of frontend/languages/backoffice/en.toml has these placeholders: {wrong:?}");
        let unused: Vec<_> = english.keys().filter(|id| used.iter().all(|(known, _)| known != *id)).collect();
        assert!(unused.is_empty(), "no source has {unused:?}");
    }

    #[test]
    fn a_text_for_staff_is_in_the_language_of_the_others() {
        let text = StaffText::new("without-outcome");
        assert_eq!(text.clone().with("count", 1_i64).to_string(), "One charge or refund has no outcome yet.");
        assert_eq!(text.with("count", 2_i64).to_string(), "2 charges and refunds have no outcome yet.");
        let afrikaans = Language::parse("af").unwrap();
        // The back office is in English alone so far.
        assert_eq!(afrikaans.of_staff(), Language::ENGLISH);
        assert_eq!(StaffText::new("signed-out").text(afrikaans), "Please sign in.");
        // A number of a thousand and more is written as it is.
        assert_eq!(
            StaffText::new("longer-than").with("count", 5000_usize).to_string(),
            "is longer than 5000 characters"
        );
    }

    #[test]
    fn a_language_of_staff_is_one_file_and_lacks_fall_back_to_english() {
        let file = "[services.checked]\n[services.unchecked]\nsigned-out = \"Meld asseblief aan.\"";
        let bundles = bundles([("af", file)].into_iter().chain(staff_files()));
        let afrikaans = Language::parse("af").unwrap();
        let text = |id| afrikaans.text_of(&bundles, id, &FluentArgs::new());
        assert_eq!(text("signed-out"), "Meld asseblief aan.");
        assert_eq!(text("no-role"), "Your roles do not allow this.");
    }

    /// The sources of a crate without its unit tests.
    fn source(folder: &Path) -> String {
        let mut text = String::new();
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                text += &source(&path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                text += std::fs::read_to_string(path).unwrap().split("mod tests").next().unwrap_or_default();
            }
        }
        text
    }

    /// The sources of the workspace without unit tests.
    fn sources() -> String {
        let crates = std::fs::read_dir(format!("{}/..", env!("CARGO_MANIFEST_DIR"))).unwrap();
        let folders = crates.map(|entry| entry.unwrap().path().join("src")).filter(|folder| folder.is_dir());
        folders.map(|folder| source(&folder)).collect()
    }

    /// The ids of every [`Message`] in the sources of the workspace.
    fn ids_of_messages() -> BTreeSet<String> {
        let sources = sources();
        let uses = sources.split("Message::new(\"").skip(1);
        uses.filter_map(|rest| Some(rest.split_once('"')?.0.to_owned())).collect()
    }

    #[test]
    fn every_message_is_used_and_every_used_one_exists() {
        let english = english();
        let of_problems = ids_of_messages();
        let sources = sources();
        for id in english.keys() {
            let is_part = english.values().any(|references| references.contains(id));
            assert!(is_part || sources.contains(&format!("\"{id}\"")), "no text has {id}");
        }
        let missing: Vec<_> = of_problems.iter().filter(|id| !english.contains_key(*id)).collect();
        assert!(missing.is_empty(), "no file has {missing:?}");
    }

    #[test]
    fn error_messages_in_every_language() {
        for language in Language::all() {
            let texts: BTreeMap<_, _> =
                ids_of_messages().into_iter().map(|id| (id.clone(), language.text(&id, &FluentArgs::new()))).collect();
            insta::assert_json_snapshot!(format!("error_messages_{}", language.code()), texts);
        }
    }

    #[test]
    fn readme_says_that_no_speaker_has_checked_the_translations() {
        let unchecked: Vec<_> = files()
            .filter(|(_, text)| !File::parse(text).unwrap().services.unchecked.is_empty())
            .map(|(code, _)| code)
            .collect();
        assert!(!unchecked.contains(&"en"));
        let readme = include_str!("../README.md");
        assert_eq!(unchecked.is_empty(), !readme.contains("without a native speaker's check"));
    }

    #[test]
    fn a_text_is_in_its_language() {
        let args = FluentArgs::from_iter([("amount", "R3"), ("period", "week")]);
        assert_eq!(Language::ENGLISH.text("price", &args), "R3/week incl. VAT");
        assert_eq!(Language::parse("af").unwrap().text("price", &args), "R3/week insl. BTW");
        let args = FluentArgs::from_iter([("day", 29), ("month", 11)]);
        assert_eq!(Language::parse("st").unwrap().text("date", &args), "29 Pudungwana");
        assert_eq!(Language::ENGLISH.text("no-such-message", &args), "");
    }

    #[test]
    fn preferred_goes_by_quality_and_ignores_regions() {
        let preferred = |header: &str| Language::preferred(header).map(Language::code);
        assert_eq!(preferred("zu-ZA,en;q=0.5"), Some("zu"));
        assert_eq!(preferred("en-ZA;q=0.4, TN;q=0.6,af;q=0"), Some("tn"));
        for header in ["", "*", "de-DE", ";q=,,", "zu;q=nan", "zu;q=0", "\u{e9}\u{20ac}"] {
            assert_eq!(preferred(header), None, "{header}");
        }
    }

    /// The messages of the front end in a language.
    fn front_end(code: &str) -> BTreeMap<String, String> {
        let (_, text) = files().find(|(name, _)| *name == code).unwrap();
        let tables: toml::Table = toml::from_str(text).unwrap();
        let of = |name: &str| tables.get(name).and_then(|table| table.as_table().cloned()).unwrap_or_default();
        let messages = of("checked").into_iter().chain(of("unchecked"));
        messages.map(|(id, text)| (id, text.as_str().unwrap_or_default().to_owned())).collect()
    }

    #[test]
    fn terms_have_the_words_of_the_join_page() {
        for language in Language::all() {
            let texts = front_end(language.code());
            let placeholders = |third: &'static str| {
                let texts = [("amount", "R3"), ("second", "R2"), ("third", third)];
                let mut placeholders = FluentArgs::from_iter(texts);
                placeholders.set("day", 27);
                placeholders.set("month", 11);
                placeholders
            };
            let shown = |id: &str| {
                let date = language.text("date", &placeholders("none"));
                [("{price}", "R3"), ("{second}", "R2"), ("{third}", "R1"), ("{date}", date.as_str())]
                    .iter()
                    .fold(texts[id].clone(), |text, (name, value)| text.replace(name, value))
            };
            assert_eq!(language.text("first-charge", &placeholders("none")), shown("first-charge"));
            assert_eq!(language.text("parts", &placeholders("none")), shown("parts-two"));
            assert_eq!(language.text("parts", &placeholders("R1")), shown("parts-three"));
        }
    }

    #[test]
    fn consent_is_checked_where_its_words_on_the_join_page_are() {
        let of_page = ["price-a-day", "price-a-week", "price-a-month", "how-to-stop", "agreed", "JOIN"];
        for (code, text) in files() {
            let tables: toml::Table = toml::from_str(text).unwrap();
            let checked = |id: &&str| tables["checked"].get(*id).is_some();
            let is_checked = Language::parse(code).unwrap().has_checked(&["consent"]);
            assert!(!is_checked || of_page.iter().all(checked), "{code}: {of_page:?} come before consent");
        }
        let (english, zulu) = (Language::ENGLISH, Language::parse("zu").unwrap());
        assert!(english.has_checked(&["consent", "date"]) && !english.has_checked(&["consent", "no-such-message"]));
        assert!(!zulu.has_checked(&["consent"]));
    }

    #[test]
    fn consent_has_the_words_of_the_join_page() {
        for language in Language::all() {
            let texts = front_end(language.code());
            let text = |id: &str| texts[id].as_str();
            for period in ["day", "week", "month"] {
                let price = text(&format!("price-a-{period}")).replace("{price}", "R3");
                let shown = format!("A. {price} · 18+ · {}. {}. {}", text("how-to-stop"), text("agreed"), text("JOIN"));
                let placeholders = FluentArgs::from_iter([("name", "A"), ("amount", "R3"), ("period", period)]);
                assert_eq!(language.text("consent", &placeholders), shown, "{}", language.code());
            }
            assert_eq!(
                language.text("use-sim-number", &FluentArgs::new()),
                text("use-sim-number"),
                "{}",
                language.code()
            );
        }
    }
}
