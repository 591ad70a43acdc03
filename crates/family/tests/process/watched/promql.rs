//! Which metrics and labels an expression of Prometheus names.

use std::collections::{BTreeMap, BTreeSet};

/// Words that are no metric where they stand.
const WORDS: [&str; 8] = ["and", "or", "unless", "offset", "bool", "start", "end", "atan2"];

/// Words before the labels that an expression groups or joins by.
const GROUPING: [&str; 6] = ["by", "without", "on", "ignoring", "group_left", "group_right"];

/// What an expression names.
#[derive(Debug, Default)]
pub(crate) struct Named {
    /// Metrics, and the labels that each is picked by.
    pub metrics: BTreeMap<String, BTreeSet<String>>,
    /// Labels that it groups or joins by.
    pub groups: BTreeSet<String>,
}

impl Named {
    /// Reads an expression; what `promtool` would refuse names nothing, or too much.
    pub fn by(text: &str) -> Self {
        let mut named = Self::default();
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let is_part = |char: char| char.is_ascii_alphanumeric() || matches!(char, '_' | ':' | '.');
            let word = rest.split(|char| !is_part(char)).next().unwrap_or_default();
            if word.is_empty() {
                rest = match first {
                    '[' => after(rest, ']'),
                    '"' => after(&rest[1..], '"'),
                    _ => &rest[first.len_utf8()..],
                };
                continue;
            }
            rest = rest[word.len()..].trim_start();
            let aggregates = (["by", "without"].iter())
                .any(|word| rest.strip_prefix(word).is_some_and(|rest| rest.trim_start().starts_with('(')));
            let inside = |open: char, close: char| rest.strip_prefix(open).and_then(|inner| inner.split(close).next());
            if GROUPING.contains(&word) {
                let labels = inside('(', ')').unwrap_or_default();
                named.groups.extend(labels.split(',').map(str::trim).filter(|l| !l.is_empty()).map(str::to_owned));
                rest = if rest.starts_with('(') { after(rest, ')') } else { rest };
            } else if !first.is_ascii_digit() && !WORDS.contains(&word) && !rest.starts_with('(') && !aggregates {
                let matchers = inside('{', '}').unwrap_or_default();
                named.metrics.entry(word.to_owned()).or_default().extend(labels_of(matchers));
                rest = if rest.starts_with('{') { after(rest, '}') } else { rest };
            }
        }
        named
    }
}

fn after(text: &str, end: char) -> &str {
    text.split_once(end).map_or("", |(_, rest)| rest)
}

/// The names before `=`, `!=`, `=~` and `!~`: what stands outside of quotes.
fn labels_of(matchers: &str) -> impl Iterator<Item = String> {
    let outside = matchers.split('"').step_by(2);
    outside.map(|text| text.trim_matches([',', ' ', '=', '!', '~']).to_owned()).filter(|label| !label.is_empty())
}
