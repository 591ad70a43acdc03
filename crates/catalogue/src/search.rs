//! Full-text search in titles, artists, descriptions and categories, ranked, tolerating one typo per word; without a query, the newest or the
//! most liked records.
//!
//! The databases index the words: SQLite in a full-text table (FTS5) beside each searched table, PostgreSQL in a `tsvector` column.
//! Triggers update both (`migrations`, `create_search` and `add_translations`): a record has the words of all its languages. The engine finds the matches; ranking is done here, so that both engines give
//! the same order.

use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashSet},
};

use actix_web::{HttpRequest, HttpResponse, web::Query};
use diesel::{
    prelude::*,
    sql_types::{BigInt, Nullable, Text, Timestamp},
};
use icu_normalizer::DecomposingNormalizerBorrowed;
use serde::{Deserialize, Serialize, Serializer};
use service::{Message, Page, PageQuery, Problem};
use store::{CacheKey, DbConnection};
use utoipa::ToSchema;

use crate::{App, Error, Translated, manifest::translations, translated};

/// The longest query, in characters.
const MAX_QUERY: usize = 100;
/// The most words of a query that are used.
const MAX_WORDS: usize = 8;
/// The most words of a query that may be one compound.
const LONGEST_COMPOUND: usize = 3;
/// The fewest letters of the two halves of one: "standup" finds "Stand up".
const SHORTEST_HALVES: (usize, usize) = (3, 2);
/// The same where nothing else is found: "etoll" finds "E toll".
const SHORTEST_OF_ALL: (usize, usize) = (1, 1);
/// The most matches of one table that are ranked: if more match, these are the first that the database finds. Also the most records of a list
/// without a query.
const MAX_MATCHES: usize = 1000;

/// `?q=` of a search, or the order of a list without one.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchQuery {
    /// The query: all words must match, in any order, letter case and accents; the last word may be a prefix.
    #[param(nullable = false, min_length = 1, max_length = 100, pattern = r"\S", example = "late taxi")]
    q: Option<String>,
    /// The order without a query; newest first if absent. Comedy and football have no likes, and so no most liked videos.
    #[param(inline, nullable = false)]
    order: Option<Order>,
}

/// An order of listed records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Order {
    /// The latest time of publication first.
    #[default]
    Newest,
    /// Those with likes, the most first, and of equal ones the one that was added last.
    MostLiked,
}

/// The records of a reply.
#[derive(Debug)]
enum Listing {
    Matching(Words),
    Ordered(Order),
}

/// The words of a query: lower case, without accents.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Words(Vec<String>);

impl TryFrom<SearchQuery> for Listing {
    type Error = Problem;

    fn try_from(SearchQuery { q, order }: SearchQuery) -> Result<Self, Problem> {
        let Some(q) = q else { return Ok(Self::Ordered(order.unwrap_or_default())) };
        if q.trim().is_empty() {
            return Err(Problem::bad_request(Message::new("search-empty")));
        }
        if q.chars().count() > MAX_QUERY {
            return Err(Problem::bad_request(Message::new("search-too-long")));
        }
        let mut words = words(&q);
        words.truncate(MAX_WORDS);
        Ok(Self::Matching(Words(words)))
    }
}

impl Listing {
    /// The canonical query string, so that equal searches share a cached reply.
    fn query(&self) -> String {
        match self {
            Self::Matching(words) => words.query(),
            Self::Ordered(Order::Newest) => "order=newest".to_owned(),
            Self::Ordered(Order::MostLiked) => "order=most_liked".to_owned(),
        }
    }
}

impl Words {
    fn query(&self) -> String {
        let words = self.0.join(" ");
        format!("q={}", url::form_urlencoded::byte_serialize(words.as_bytes()).collect::<String>())
    }
}

/// The words of a text: lower case, without accents. The migrations do the same in SQL, and add those of `plain`.
fn words(text: &str) -> Vec<String> {
    let text = DecomposingNormalizerBorrowed::new_nfd().normalize(text);
    let unaccented: String = text.chars().filter(|c| !('\u{300}'..='\u{36f}').contains(c)).collect();
    let words = unaccented.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// A searchable table.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Its name. There is also `NAME_vocabulary`, with every word in `term`, and on SQLite the full-text table `NAME_words`.
    pub name: &'static str,
    /// Its title column, which has the highest weight.
    pub title: &'static str,
    /// The table of its rows' parents, and the column with the parent's id.
    pub parent: Option<(&'static str, &'static str)>,
    /// The orders of its rows, each with the column that an index `(service, state, COLUMN, id)` has. One table of a search has some.
    pub orders: &'static [(Order, &'static str)],
}

/// A search result.
#[derive(Clone, Copy, Debug)]
pub struct Hit {
    /// The table's name.
    pub table: &'static str,
    /// The row's id.
    pub id: i64,
}

/// The ids of the hits in one table, in order.
pub fn ids(hits: &[Hit], table: &str) -> Vec<i64> {
    hits.iter().filter(|hit| hit.table == table).map(|hit| hit.id).collect()
}

/// One item of a reply. `rank` counts from 1 and is the paging cursor.
struct RankedItem<T> {
    rank: i64,
    item: T,
}

impl<T: Serialize> Serialize for RankedItem<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.item.serialize(serializer)
    }
}

/// Responds with the search results of `tables` in the service with this name, or their records in an order. `load` reads the items of the hits, in order, and skips
/// those that no longer exist.
pub async fn respond<T, L>(
    app: &App,
    req: &HttpRequest,
    service: &str,
    (query, page): (Query<SearchQuery>, Query<PageQuery>),
    tables: &'static [Table],
    load: L,
) -> Result<HttpResponse, Error>
where
    T: Serialize + Translated + 'static,
    L: Fn(&mut DbConnection, &[Hit]) -> Result<Vec<T>, Error> + Send + 'static,
{
    let page = Page::try_from(page.into_inner())?;
    let listing = Listing::try_from(query.into_inner())?;
    let service = app.service_named(service)?;
    let address = listing.query();
    let language = service::language(req);
    let find = move |conn: &mut DbConnection| {
        let first = usize::try_from(page.after).unwrap_or(usize::MAX);
        let last = first.saturating_add(usize::try_from(page.fetch()).unwrap_or(usize::MAX));
        let hits = match &listing {
            Listing::Matching(words) => find(conn, tables, &service, words)?,
            Listing::Ordered(order) => ordered(conn, tables, &service, *order, last.min(MAX_MATCHES))?,
        };
        let items = load(conn, hits.get(first.min(hits.len())..last.min(hits.len())).unwrap_or_default())?;
        let items = translated(conn, language, items)?;
        Ok(items
            .into_iter()
            .zip(page.after.saturating_add(1)..)
            .map(|(item, rank)| RankedItem { rank, item })
            .collect())
    };
    app.replies
        .page(req, CacheKey { query: &address, ..CacheKey::default() }, page, |found: &RankedItem<T>| found.rank, find)
        .await
}

/// A text in plain letters with each compound as one word: without hyphens and apostrophes.
fn plain(text: &str) -> String {
    languages::compared(text).replace(['-', '\'', '\u{2019}'], "")
}

/// A word in full width, as phones of East Asia write it: SQLite cannot make it plain.
fn wide(word: &str) -> String {
    const OFFSET: u32 = 0xfee0;
    let of = |c: char| if c.is_ascii() { char::from_u32(u32::from(c) + OFFSET).unwrap_or(c) } else { c };
    word.chars().map(of).collect()
}

/// A word of the query, and what it matches: itself, as a prefix, in its plain form, in full width, written together with its neighbours, as two words, or
/// words with an edit distance of one.
#[derive(Debug)]
struct Word {
    text: String,
    begins: bool,
    /// Its plain letters, these in full width, and the compounds of it and its neighbours; whether each may be a prefix.
    together: Vec<(String, bool)>,
    /// Two words of the vocabulary that are written together in it.
    apart: Vec<(String, String)>,
    similar: Vec<String>,
}

/// A hit with its ranking.
#[derive(Debug)]
struct Ranked {
    hit: Hit,
    score: usize,
    title_words: usize,
}

/// The words of a query, of which the last may be a prefix.
fn query_of(words: &[String]) -> Vec<Word> {
    let last = words.len().saturating_sub(1);
    let begins = |number: usize, text: &str| number == last && text.chars().nth(1).is_some();
    (0..)
        .zip(words)
        .map(|(number, text)| Word {
            text: text.clone(),
            begins: begins(number, text),
            together: together(words, number),
            apart: Vec::new(),
            similar: Vec::new(),
        })
        .collect()
}

/// The plain form of a word, and what it becomes when it is written together with the words beside it: "load shedding" finds "Loadshedding".
fn together(words: &[String], number: usize) -> Vec<(String, bool)> {
    let plain = |text: &str| -> String { plain(text).chars().filter(|c| c.is_alphanumeric()).collect() };
    let runs = (number.saturating_sub(LONGEST_COMPOUND - 1)..=number).flat_map(|first| {
        (number + 1..=words.len()).filter(move |end| end - first <= LONGEST_COMPOUND).map(move |end| first..end)
    });
    let mut found: Vec<(String, bool)> = runs
        .filter_map(|run| {
            let is_last = run.end == words.len();
            Some((plain(&words.get(run)?.concat()), is_last))
        })
        .filter(|(text, _)| !text.is_empty() && words.get(number) != Some(text))
        .collect();
    let of_word = words.get(number).map(|word| plain(word)).filter(|word| word.is_ascii());
    found.extend(of_word.map(|word| (wide(&word), number + 1 == words.len())));
    found.dedup();
    found
}

/// The ways to take a word for two.
fn halves(word: &str, (first, second): (usize, usize)) -> Vec<(String, String)> {
    let letters: Vec<char> = word.chars().collect();
    let ends = letters.len().saturating_sub(second);
    let of = |letters: &[char]| letters.iter().collect::<String>();
    (first..=ends).map(|at| letters.split_at(at)).map(|(first, second)| (of(first), of(second))).collect()
}

/// The engine's query for rows that have all words of a text; `None` for no words.
pub(crate) fn matching_text(conn: &DbConnection, text: &str) -> Option<String> {
    let mut words = words(text);
    words.truncate(MAX_WORDS);
    matching(conn, &query_of(&words))
}

/// The matches of all `tables`, best first.
fn find(conn: &mut DbConnection, tables: &[Table], service: &str, words: &Words) -> Result<Vec<Hit>, Error> {
    let mut query = query_of(&words.0);
    let mut found = Vec::new();
    for table in tables {
        table.add_halves(conn, &mut query, SHORTEST_HALVES)?;
        found.extend(table.matches(conn, service, &query)?);
    }
    if found.is_empty() {
        for table in tables {
            table.add_halves(conn, &mut query, SHORTEST_OF_ALL)?;
            table.add_similar(conn, &mut query)?;
            found.extend(table.matches(conn, service, &query)?);
        }
    }
    // The sort is stable: equal matches keep the order of the tables.
    found.sort_by_key(|ranked| (Reverse(ranked.score), ranked.title_words, ranked.hit.id));
    Ok(found.into_iter().map(|ranked| ranked.hit).collect())
}

/// The condition that a row of `table` is listed at the time `$2`.
fn listed_now(table: &str) -> String {
    format!("{table}.state = 'listed' AND {table}.publish_at <= $2 AND {table}.expires_at > $2")
}

/// The first `count` records of the table that has this order.
fn ordered(
    conn: &mut DbConnection,
    tables: &[Table],
    service: &str,
    order: Order,
    count: usize,
) -> Result<Vec<Hit>, Error> {
    let column_of = |table: &Table| table.orders.iter().find(|(each, _)| *each == order).map(|(_, column)| *column);
    let Some((table, column)) = tables.iter().find_map(|table| Some((table, column_of(table)?))) else {
        return Ok(Vec::new());
    };
    let Table { name, parent, .. } = table;
    // A scalar subquery is not turned into a join, for which all parents would be read: the index of the order is walked.
    let of_parent = parent.map_or_else(String::new, |(parent, column)| {
        format!(" AND (SELECT {} FROM {parent} p WHERE p.id = t.{column})", listed_now("p"))
    });
    let liked = if order == Order::MostLiked { format!(" AND t.{column} > 0") } else { String::new() };
    let rows: Vec<Row> = diesel::sql_query(format!(
        "SELECT t.id FROM {name} t WHERE t.service = $1 AND {}{of_parent}{liked} \
         ORDER BY t.{column} DESC, t.id DESC LIMIT {count}",
        listed_now("t")
    ))
    .bind::<Text, _>(service)
    .bind::<Timestamp, _>(service::timestamp::now())
    .load(conn)?;
    Ok(rows.into_iter().map(|Row { id }| Hit { table: name, id }).collect())
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = BigInt)]
    id: i64,
}

#[derive(QueryableByName)]
struct Match {
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = Text)]
    title: String,
    #[diesel(sql_type = Nullable<Text>)]
    translations: Option<String>,
}

impl Match {
    /// The words of its title and of its plain form, in each of its languages, and how many the title has.
    fn titles(&self, field: &str) -> Vec<(Vec<String>, usize)> {
        let texts = self.translations.as_deref().map(translations::unpacked).unwrap_or_default();
        let is_title = |name: &str| name.split_once('.').is_some_and(|(of, _)| of == field);
        let translated = texts.iter().filter(|(name, _)| is_title(name)).map(|(_, text)| text);
        let of = |text: &String| {
            let own = words(text);
            let count = own.len();
            ([own, words(&plain(text))].concat(), count)
        };
        [&self.title].into_iter().chain(translated).map(of).collect()
    }
}

#[derive(QueryableByName)]
struct Term {
    #[diesel(sql_type = Text)]
    term: String,
}

impl Table {
    /// The join with the parents of rows `t`, and the condition for the listed rows of the service `$1` at the time `$2`.
    fn listed(&self) -> (String, String) {
        let own = format!("t.service = $1 AND {}", listed_now("t"));
        match self.parent {
            None => (String::new(), own),
            Some((parent, column)) => {
                (format!(" JOIN {parent} p ON p.id = t.{column}"), format!("{own} AND {}", listed_now("p")))
            }
        }
    }

    /// The rows of a service that have all words, up to `MAX_MATCHES`.
    fn matches(&self, conn: &mut DbConnection, service: &str, query: &[Word]) -> Result<Vec<Ranked>, Error> {
        let Some(matching) = matching(conn, query) else { return Ok(Vec::new()) };
        let Self { name, title, .. } = self;
        let (join, listed) = self.listed();
        // SQLite must read the full-text table first.
        let (rows, matches) = match conn {
            DbConnection::Sqlite(_) => {
                let rows = format!("{name}_words w CROSS JOIN {name} t ON t.id = w.rowid{join}");
                (rows, format!("w.{name}_words MATCH $3"))
            }
            DbConnection::Postgres(_) => (format!("{name} t{join}"), "t.words @@ $3::tsquery".to_owned()),
        };
        let matches: Vec<Match> = diesel::sql_query(format!(
            "SELECT t.id, t.{title} AS title, t.translations FROM {rows} WHERE {listed} AND {matches} LIMIT {MAX_MATCHES}"
        ))
        .bind::<Text, _>(service)
        .bind::<Timestamp, _>(service::timestamp::now())
        .bind::<Text, _>(matching)
        .load(conn)?;
        let ranked = matches.into_iter().flat_map(|found| {
            let of_title = |(title, count): (Vec<String>, usize)| {
                let score: usize = query.iter().map(|word| word.score(&title)).sum();
                (score, count)
            };
            let best =
                found.titles(title).into_iter().map(of_title).min_by_key(|(score, length)| (Reverse(*score), *length));
            best.map(|(score, title_words)| Ranked { hit: Hit { table: name, id: found.id }, score, title_words })
        });
        Ok(ranked.collect())
    }

    /// Adds to the query's words the two words of the vocabulary that each may consist of: "loadshedding" finds "Load-shedding".
    fn add_halves(&self, conn: &mut DbConnection, query: &mut [Word], shortest: (usize, usize)) -> Result<(), Error> {
        let all =
            query.iter().flat_map(|word| halves(&word.text, shortest)).flat_map(|(first, second)| [first, second]);
        let all: BTreeSet<String> = all.collect();
        if all.is_empty() {
            return Ok(());
        }
        let known = self.known(conn, &all)?;
        for word in query {
            let both = |(first, second): &(String, String)| known.contains(first) && known.contains(second);
            word.apart.extend(halves(&word.text, shortest).into_iter().filter(both));
        }
        Ok(())
    }

    /// Adds to the query's words similar words of the vocabulary: for the words that the vocabulary lacks, or for all words if it lacks
    /// none.
    fn add_similar(&self, conn: &mut DbConnection, query: &mut [Word]) -> Result<(), Error> {
        let known = self.known(conn, &query.iter().map(|word| word.text.clone()).collect())?;
        let all_known = query.iter().all(|word| known.contains(&word.text));
        let similar: Vec<HashSet<String>> =
            query
                .iter()
                .map(|word| {
                    if known.contains(&word.text) && !all_known { HashSet::new() } else { one_letter_away(&word.text) }
                })
                .collect();
        let known = self.known(conn, &similar.iter().flatten().cloned().collect())?;
        for (word, similar) in query.iter_mut().zip(similar) {
            word.similar = known.iter().filter(|term| similar.contains(*term)).cloned().collect();
        }
        Ok(())
    }

    /// The words that are in the vocabulary.
    fn known(&self, conn: &mut DbConnection, words: &BTreeSet<String>) -> Result<BTreeSet<String>, Error> {
        let name = self.name;
        let from = match conn {
            DbConnection::Sqlite(_) => format!("json_each($1) e CROSS JOIN {name}_vocabulary v ON v.term = e.value"),
            DbConnection::Postgres(_) => {
                format!("json_array_elements_text($1::json) e(value) JOIN {name}_vocabulary v ON v.term = e.value")
            }
        };
        let terms: Vec<Term> = diesel::sql_query(format!("SELECT v.term FROM {from}"))
            .bind::<Text, _>(serde_json::json!(words).to_string())
            .load(conn)?;
        Ok(terms.into_iter().map(|Term { term }| term).collect())
    }
}

impl Word {
    /// How well a title matches this word; at least 1, since the row matches somewhere.
    fn score(&self, title: &[String]) -> usize {
        let of_title_word = |word: &String| {
            if *word == self.text || self.together.iter().any(|(text, _)| text == word) {
                4
            } else if self.begins && word.starts_with(&self.text) {
                3
            } else if self.similar.contains(word) {
                2
            } else {
                1
            }
        };
        title.iter().map(of_title_word).max().unwrap_or(1)
    }
}

/// The engine's query for rows that have all words; `None` for no words.
fn matching(conn: &DbConnection, query: &[Word]) -> Option<String> {
    // Words have only letters and digits, so nothing needs escaping.
    let all: Vec<String> = query
        .iter()
        .map(|word| match conn {
            DbConnection::Sqlite(_) => {
                let same = |text: &str, begins: bool| format!("\"{text}\"{}", if begins { "*" } else { "" });
                let together = word.together.iter().map(|(text, begins)| same(text, *begins));
                let apart = word.apart.iter().map(|(first, second)| format!("(\"{first}\" AND \"{second}\")"));
                let similar = word.similar.iter().map(|similar| same(similar, false));
                let all: Vec<String> =
                    [same(&word.text, word.begins)].into_iter().chain(together).chain(apart).chain(similar).collect();
                format!("({})", all.join(" OR "))
            }
            DbConnection::Postgres(_) => {
                let same = |text: &str, begins: bool| format!("'{text}'{}", if begins { ":*" } else { "" });
                let together = word.together.iter().map(|(text, begins)| same(text, *begins));
                let apart = word.apart.iter().map(|(first, second)| format!("('{first}'&'{second}')"));
                let similar = word.similar.iter().map(|similar| same(similar, false));
                let all: Vec<String> =
                    [same(&word.text, word.begins)].into_iter().chain(together).chain(apart).chain(similar).collect();
                format!("({})", all.join("|"))
            }
        })
        .collect();
    let and = match conn {
        DbConnection::Sqlite(_) => " AND ",
        DbConnection::Postgres(_) => "&",
    };
    (!all.is_empty()).then(|| all.join(and))
}

/// All words with an edit distance of one, by insertion, deletion, substitution or transposition; none for the shortest words.
fn one_letter_away(word: &str) -> HashSet<String> {
    const SHORTEST: usize = 3;
    let letters: Vec<char> = word.chars().collect();
    let mut similar = HashSet::new();
    if letters.len() < SHORTEST {
        return similar;
    }
    for at in 0..=letters.len() {
        let (before, after) = letters.split_at(at);
        let mut add = |between: &[char], after: &[char]| {
            similar.insert([before, between, after].concat().into_iter().collect::<String>());
        };
        for letter in ('a'..='z').chain('0'..='9') {
            add(&[letter], after);
            if let [_, rest @ ..] = after {
                add(&[letter], rest);
            }
        }
        if let [_, rest @ ..] = after {
            add(&[], rest);
        }
        if let [first, second, rest @ ..] = after {
            add(&[*second, *first], rest);
        }
    }
    similar.remove(word);
    similar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_strips_case_accents_and_punctuation() {
        assert_eq!(words("Élan, l'Été -- 3rd (Ṱhohoyanḓou)!"), ["elan", "l", "ete", "3rd", "thohoyandou"]);
        assert_eq!(words("  ... "), Vec::<String>::new());
    }

    #[test]
    fn one_letter_away_inserts_deletes_substitutes_and_transposes() {
        let similar = one_letter_away("taxi");
        for word in ["taxis", "tax", "taki", "txai", "ataxi"] {
            assert!(similar.contains(word), "{word}");
        }
        for word in ["taxi", "ta", "tixa", "taxiss"] {
            assert!(!similar.contains(word), "{word}");
        }
        assert!(one_letter_away("dj").is_empty());
    }
}
