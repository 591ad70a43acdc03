//! A process's `/metrics`, by name and labels.

use std::{
    collections::{BTreeMap, BTreeSet},
    net::SocketAddr,
};

use crate::Client;

/// Everything that was exposed at one moment.
#[derive(Debug, Default)]
pub struct Scrape(Vec<(String, BTreeMap<String, String>, f64)>);

impl Scrape {
    /// GET of the metrics of the process at `addr`.
    pub async fn of(addr: SocketAddr) -> Self {
        let reply = Client::new(addr, "localhost").get("/metrics").await;
        assert_eq!(reply.status, 200, "no metrics at {addr}");
        Self::parse(&String::from_utf8_lossy(&reply.bytes))
    }

    /// Reads Prometheus' text format.
    pub fn parse(text: &str) -> Self {
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        Self(lines.map(|line| sample(line).unwrap_or_else(|| panic!("no sample: {line}"))).collect())
    }

    /// The samples of both.
    pub fn and(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    /// The sum of a metric's samples that have these labels, whatever others they have.
    pub fn sum(&self, name: &str, labels: &[(&str, &str)]) -> f64 {
        self.0
            .iter()
            .filter(|(known, has, _)| {
                known == name && labels.iter().all(|(label, value)| has.get(*label).is_some_and(|has| has == value))
            })
            .map(|(.., value)| value)
            .sum()
    }

    /// Every metric's name, with all labels that any of its samples has.
    pub fn names(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        let mut names: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        for (name, labels, _) in &self.0 {
            names.entry(name).or_default().extend(labels.keys().map(String::as_str));
        }
        names
    }
}

/// `name{label="value",…} figure`
fn sample(line: &str) -> Option<(String, BTreeMap<String, String>, f64)> {
    let name = line.split(['{', ' ']).next()?;
    let mut rest = line.get(name.len()..)?;
    let mut labels = BTreeMap::new();
    if let Some(inner) = rest.strip_prefix('{') {
        rest = inner;
        while let Some((label, after)) = rest.split_once("=\"") {
            let (value, after) = quoted(after)?;
            labels.insert(label.to_owned(), value);
            rest = after.strip_prefix(',').unwrap_or(after);
            if rest.starts_with('}') {
                break;
            }
        }
        rest = rest.strip_prefix('}')?;
    }
    Some((name.to_owned(), labels, rest.trim().parse().ok()?))
}

/// A value up to its closing quote, and what follows.
fn quoted(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut chars = text.char_indices();
    while let Some((at, char)) = chars.next() {
        match char {
            '"' => return Some((value, text.get(at + 1..)?)),
            '\\' => match chars.next()?.1 {
                'n' => value.push('\n'),
                other => value.push(other),
            },
            other => value.push(other),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sum_selects_samples_by_name_and_labels() {
        let text =
            "# TYPE a counter\na{x=\"1\",y=\"q\\\"}, z\"} 2\na{x=\"2\"} 3.5\n\nb 1e3\nc_bucket{le=\"+Inf\"} 4\nd NaN\n";
        let scrape = Scrape::parse(text);
        assert_eq!(scrape.sum("a", &[]), 5.5);
        assert_eq!(scrape.sum("a", &[("y", "q\"}, z")]), 2.0);
        assert_eq!(scrape.sum("a", &[("x", "3")]), 0.0);
        assert_eq!(scrape.sum("b", &[]), 1000.0);
        assert_eq!(scrape.names().get("c_bucket"), Some(&BTreeSet::from(["le"])));
    }
}
