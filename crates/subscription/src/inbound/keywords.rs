//! What an SMS from a person means: the keyword in it, read forgivingly in every language.
//!
//! Case, blanks, punctuation and quotes do not count. A STOP counts wherever it stands in the text, so that none is lost; a JOIN, a YES, a NO and
//! words like END and WHY, which people also write by chance, only at its beginning. The words are data: the messages `keyword-…` of each language's file, separated by commas.

use std::{collections::BTreeMap, sync::LazyLock};

use brands::Brand;
use languages::{FluentArgs, Language};

/// The digits of the code that a page shows for the reply.
const CODE: usize = 4;

/// The most words of an SMS in which a service's name is looked for.
const MAX_WORDS: usize = 200;

/// What an SMS is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keyword {
    /// To end one subscription, or all.
    Stop,
    /// To end all subscriptions.
    StopAll,
    /// To join a service, which a YES has to confirm.
    Join,
    /// To confirm.
    Yes,
    /// Not to confirm.
    No,
    /// To know what a service costs and how it ends.
    Help,
    /// To know why the last charge was made.
    Why,
    /// To get the last charge back.
    Refund,
    /// To get later SMSes in another language.
    Language(Language),
    /// Anything else.
    Other,
}

impl Keyword {
    /// The name in the database and in metrics.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Stop => "stop",
            Self::StopAll => "stop_all",
            Self::Join => "join",
            Self::Yes => "yes",
            Self::No => "no",
            Self::Help => "help",
            Self::Why => "why",
            Self::Refund => "refund",
            Self::Language(_) => "language",
            Self::Other => "other",
        }
    }
}

/// A parsed SMS.
#[derive(Debug)]
pub struct Command {
    /// What it is for.
    pub keyword: Keyword,
    /// The language of the keyword, where only one language has it, and English has not.
    pub language: Option<Language>,
    /// The words in capitals, a keyword that is written together with the next word apart from it.
    words: Vec<String>,
}

/// The phrases of one meaning, each as its words, with the language if it is of one language only.
type Phrases = Vec<(Vec<String>, Option<Language>)>;

struct Vocabulary {
    stop: Phrases,
    end: Phrases,
    all: Phrases,
    join: Phrases,
    yes: Phrases,
    no: Phrases,
    help: Phrases,
    why: Phrases,
    refund: Phrases,
    languages: Phrases,
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary {
    stop: phrases("keyword-stop"),
    end: phrases("keyword-end"),
    all: phrases("keyword-all"),
    join: phrases("keyword-join"),
    yes: phrases("keyword-yes"),
    no: phrases("keyword-no"),
    help: phrases("keyword-help"),
    why: phrases("keyword-why"),
    refund: phrases("keyword-refund"),
    languages: phrases("keyword-language"),
});

/// The phrases that the languages' files have under this id.
fn phrases(id: &str) -> Phrases {
    let mut found: BTreeMap<Vec<String>, Vec<Language>> = BTreeMap::new();
    for language in Language::all() {
        for phrase in language.text(id, &FluentArgs::new()).split(',') {
            let languages = found.entry(words_of(phrase)).or_default();
            if !languages.contains(&language) {
                languages.push(language);
            }
        }
    }
    found.retain(|words, _| !words.is_empty());
    let of_one = |languages: Vec<Language>| match languages.as_slice() {
        [language] if *language != Language::ENGLISH => Some(*language),
        _ => None,
    };
    found.into_iter().map(|(words, languages)| (words, of_one(languages))).collect()
}

/// The words of a text in capitals: what letters and digits there are between other characters, in the form in which texts are compared.
/// Apostrophes stand within words.
fn words_of(text: &str) -> Vec<String> {
    let upper = languages::compared(text).replace(['\'', '\u{2019}'], "").to_uppercase();
    upper.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// Whether the words begin with the phrase, each word apart or all of them written together.
fn begin_with(words: &[String], phrase: &[String]) -> bool {
    words.starts_with(phrase) || words.first().is_some_and(|first| phrase.len() > 1 && *first == phrase.concat())
}

/// The phrase at the beginning of the words, and its language.
fn first_of<'a>(words: &[String], phrases: &'a Phrases) -> Option<&'a (Vec<String>, Option<Language>)> {
    phrases.iter().find(|(phrase, _)| begin_with(words, phrase))
}

/// The first phrase anywhere in the words.
fn anywhere<'a>(words: &[String], phrases: &'a Phrases) -> Option<&'a (Vec<String>, Option<Language>)> {
    (0..words.len()).find_map(|at| first_of(words.get(at..).unwrap_or_default(), phrases))
}

/// Reads an SMS.
pub fn parse(text: &str) -> Command {
    let vocabulary = &*VOCABULARY;
    let mut words = words_of(text);
    // `S T O P`, `S.T.O.P.`
    if words.len() > 1 && words.iter().all(|word| word.chars().count() == 1) {
        words = vec![words.concat()];
    }
    // `STOPALL`, `STOPMEMEWORLD`, `YES4821`
    let words: Vec<String> = words
        .into_iter()
        .flat_map(|word| match word.strip_prefix("STOP") {
            Some(rest) if !rest.is_empty() => vec!["STOP".to_owned(), rest.to_owned()],
            _ => match word.find(|c: char| c.is_ascii_digit()).map(|at| word.split_at(at)) {
                Some((name, code)) if !name.is_empty() && is_code(code) => vec![name.to_owned(), code.to_owned()],
                _ => vec![word],
            },
        })
        .collect();
    let is_bare_code = words.len() == 1 && words.iter().all(|word| is_code(word));
    let stop = anywhere(&words, &vocabulary.stop).or_else(|| first_of(&words, &vocabulary.end));
    let (keyword, language) = if let Some((_, language)) = stop {
        let is_all = anywhere(&words, &vocabulary.all).is_some();
        (if is_all { Keyword::StopAll } else { Keyword::Stop }, *language)
    } else if let Some((_, language)) = first_of(&words, &vocabulary.join) {
        (Keyword::Join, *language)
    } else if let Some((_, language)) = first_of(&words, &vocabulary.yes) {
        (Keyword::Yes, *language)
    } else if is_bare_code {
        (Keyword::Yes, None)
    } else if let Some((_, language)) = first_of(&words, &vocabulary.no) {
        (Keyword::No, *language)
    } else if let Some((_, language)) = anywhere(&words, &vocabulary.refund) {
        (Keyword::Refund, *language)
    } else if let Some((_, language)) = first_of(&words, &vocabulary.why) {
        (Keyword::Why, *language)
    } else if let Some((_, language)) = anywhere(&words, &vocabulary.help) {
        (Keyword::Help, *language)
    } else if let Some((name, language)) = anywhere(&words, &vocabulary.languages) {
        let named = language.or_else(|| names_english(name).then_some(Language::ENGLISH));
        (named.map_or(Keyword::Other, Keyword::Language), named)
    } else {
        (Keyword::Other, None)
    };
    Command { keyword, language, words }
}

/// Whether it can be the code of a page.
fn is_code(word: &str) -> bool {
    word.len() == CODE && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn names_english(name: &[String]) -> bool {
    let english = Language::ENGLISH.text("keyword-language", &FluentArgs::new());
    english.split(',').any(|phrase| words_of(phrase) == name)
}

impl Command {
    /// Whether the SMS has this code.
    pub fn has_code(&self, code: &str) -> bool {
        self.words.iter().any(|word| word == code)
    }

    /// Whether the SMS names this brand: by its service, a label, its name or an alias, in any spelling.
    pub fn names(&self, brand: &Brand) -> bool {
        let words = self.words.get(..MAX_WORDS).unwrap_or(&self.words);
        let names = brand.labels.iter().chain(&brand.aliases).chain([&brand.service, &brand.name]);
        names.map(|name| words_of(name)).any(|name| {
            let joined = name.concat();
            // `MC FUNNY`, `MCFUNNY` and `M C FUNNY` are one name.
            (0..words.len()).any(|from| {
                let mut written = String::new();
                words.iter().skip(from).any(|word| {
                    written.push_str(word);
                    written == joined
                })
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::StdRng, seq::IndexedRandom};

    use super::*;

    fn language(code: &str) -> Language {
        Language::parse(code).unwrap()
    }

    #[test]
    fn texts_of_the_corpus_have_their_keyword() {
        for (text, right) in testkit::corpus("keywords") {
            let keyword = match parse(&text).keyword {
                Keyword::Language(language) => format!("language {}", language.code()),
                other => other.as_str().to_owned(),
            };
            assert_eq!(keyword, right, "{text:?}");
        }
    }

    #[test]
    fn keyword_of_one_language_names_it() {
        assert_eq!(parse("hou op").language, Some(language("af")));
        assert_eq!(parse("usizo").language, Some(language("zu")));
        for shared in ["STOP", "HELP", "thuso", "hello"] {
            assert_eq!(parse(shared).language, None, "{shared}");
        }
    }

    #[test]
    fn names_knows_a_brand_in_any_spelling() {
        let brands = testkit::brands();
        let named = |text: &str| -> Vec<i32> {
            let command = parse(text);
            brands.iter().filter(|brand| command.names(brand)).map(|brand| brand.svc_id).collect()
        };
        for (text, expected) in [
            ("STOP mc funny", vec![148]),
            ("Stop MCFUNNY!", vec![148]),
            ("stopmadfunny", vec![148]),
            ("join Meme World", vec![150]),
            ("STOPMEMEWORLD please", vec![150]),
            ("stop TTMbha TV and diski99", vec![151, 152]),
            ("STOP", vec![]),
            ("stop funny", vec![]),
        ] {
            let mut found = named(text);
            found.sort_unstable();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn no_word_has_two_meanings() {
        let vocabulary = &*VOCABULARY;
        let all = [
            &vocabulary.stop,
            &vocabulary.end,
            &vocabulary.all,
            &vocabulary.join,
            &vocabulary.yes,
            &vocabulary.no,
            &vocabulary.help,
            &vocabulary.why,
            &vocabulary.refund,
            &vocabulary.languages,
        ];
        let mut seen = BTreeMap::new();
        assert!(vocabulary.end.iter().all(|(words, _)| anywhere(words, &vocabulary.stop).is_none()));
        for (meaning, phrases) in all.into_iter().enumerate() {
            assert!(phrases.len() >= 6, "meaning {meaning} has {} phrases", phrases.len());
            for (words, _) in phrases {
                assert_eq!(*seen.entry(words.concat()).or_insert(meaning), meaning, "{words:?}");
            }
        }
    }

    /// Random texts of words, marks, letters of other alphabets and pieces of keywords: a STOP among them is found, whatever is around it,
    /// and nothing but a STOP ends a subscription.
    #[test]
    fn stop_is_found_in_any_text_and_nowhere_else() {
        let mut random = StdRng::seed_from_u64(30);
        let stops: Vec<String> = VOCABULARY.stop.iter().map(|(words, _)| words.join(" ")).collect();
        let others = [
            "hello",
            "JOIN",
            "yes",
            "HELP",
            "memeworld",
            "31222",
            "zulu",
            "\u{e9}\u{20ac}",
            "\u{0}",
            "\u{fffd}",
            "R3",
            "nonstop",
            "\u{4f60}",
            "a",
        ];
        let marks = [" ", "  ", "\n", ". ", "!", "\" ", " '", ",", " - ", "\u{a0}", "\u{2026}", "\t?"];
        for _ in 0..20_000 {
            let mut text = String::new();
            let count = random.random_range(0..6);
            let at = random.random_range(0..=count);
            let has_stop = random.random_bool(0.5);
            for index in 0..=count {
                if has_stop && index == at {
                    let stop = stops.choose(&mut random).unwrap();
                    let spelled =
                        stop.chars().map(|c| if random.random_bool(0.5) { c.to_ascii_lowercase() } else { c });
                    text.extend(spelled);
                } else {
                    text.push_str(others.choose(&mut random).unwrap());
                }
                text.push_str(marks.choose(&mut random).unwrap());
            }
            let is_stop = matches!(parse(&text).keyword, Keyword::Stop | Keyword::StopAll);
            assert_eq!(is_stop, has_stop, "{text:?}");
        }
        // And texts of any characters at all.
        let brands = testkit::brands();
        for _ in 0..20_000 {
            let length = random.random_range(0..40);
            let text: String = (0..length).filter_map(|_| char::from_u32(random.random_range(0..0x3000))).collect();
            let command = parse(&text);
            assert!(command.words.iter().all(|word| word.chars().all(char::is_alphanumeric)), "{text:?}");
            assert!(brands.iter().all(|brand| !command.names(&brand)), "{text:?}");
        }
    }
}
