//! Results: ratios, printed as a table and written as JSON.

#![expect(clippy::print_stdout, reason = "the table is the output")]

use std::path::Path;

use serde::Serialize;

use crate::load::{Sample, median};

/// The limit of a ratio.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// The minimum.
    AtLeast(f64),
    /// The maximum.
    AtMost(f64),
}

impl Limit {
    fn is_met(self, ratio: f64) -> bool {
        match self {
            Self::AtLeast(least) => ratio >= least,
            Self::AtMost(most) => ratio <= most,
        }
    }

    fn text(self) -> String {
        match self {
            Self::AtLeast(least) => format!(">= {least:.2}"),
            Self::AtMost(most) => format!("<= {most:.2}"),
        }
    }
}

/// One comparison.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    /// What is compared.
    pub name: String,
    /// The medians of the server under test.
    pub ours: Sample,
    /// The medians of the server it is compared with.
    pub theirs: Sample,
    /// Ours divided by theirs, by round.
    pub ratios: Vec<f64>,
    /// Their median.
    pub ratio: f64,
    /// The ratio's limit; `None` if it is only reported.
    pub limit: Option<Limit>,
    /// Whether it is within the limit.
    pub pass: Option<bool>,
}

impl Row {
    /// Replies per second, ours divided by theirs.
    pub fn throughput(name: impl Into<String>, ours: &[Sample], theirs: &[Sample], limit: Option<Limit>) -> Self {
        Self::of(name.into(), ours, theirs, |ours, theirs| ours.per_second / theirs.per_second, limit)
    }

    /// The time per reply, ours divided by theirs.
    pub fn cost(name: impl Into<String>, ours: &[Sample], theirs: &[Sample], limit: Option<Limit>) -> Self {
        Self::of(name.into(), ours, theirs, |ours, theirs| theirs.per_second / ours.per_second, limit)
    }

    /// The 99th percentile latency, ours divided by theirs.
    pub fn p99(name: impl Into<String>, ours: &[Sample], theirs: &[Sample], limit: Option<Limit>) -> Self {
        Self::of(name.into(), ours, theirs, |ours, theirs| ours.p99_ms / theirs.p99_ms, limit)
    }

    /// The elapsed time, ours divided by theirs.
    pub fn time(name: impl Into<String>, ours: &[Sample], theirs: &[Sample], limit: Option<Limit>) -> Self {
        Self::of(name.into(), ours, theirs, |ours, theirs| ours.seconds() / theirs.seconds(), limit)
    }

    /// A ratio that was measured once, with its samples.
    pub fn once(
        name: impl Into<String>,
        ratio: f64,
        (ours, theirs): (&[Sample], &[Sample]),
        limit: Option<Limit>,
    ) -> Self {
        let pass = limit.map(|limit| limit.is_met(ratio));
        let (ours, theirs) = (Sample::median(ours), Sample::median(theirs));
        Self { name: name.into(), ours, theirs, ratios: vec![ratio], ratio, limit, pass }
    }

    fn of(
        name: String,
        ours: &[Sample],
        theirs: &[Sample],
        ratio: fn(&Sample, &Sample) -> f64,
        limit: Option<Limit>,
    ) -> Self {
        let ratios: Vec<f64> = ours.iter().zip(theirs).map(|(ours, theirs)| ratio(ours, theirs)).collect();
        let ratio = median(&ratios);
        let pass = limit.map(|limit| limit.is_met(ratio));
        Self { name, ours: Sample::median(ours), theirs: Sample::median(theirs), ratios, ratio, limit, pass }
    }
}

/// Rows that were measured together.
#[derive(Clone, Debug, Serialize)]
pub struct Group {
    /// Its name, which is also its file's.
    pub name: &'static str,
    /// The number of turns of each contender.
    pub rounds: usize,
    /// The duration of a turn in seconds.
    pub seconds: u64,
    /// The number of connections.
    pub connections: usize,
    /// The comparisons.
    pub rows: Vec<Row>,
}

impl Group {
    /// Whether all limits are met.
    pub fn passes(&self) -> bool {
        self.rows.iter().all(|row| row.pass != Some(false))
    }

    /// Prints the rows and writes them to `folder/NAME.json`.
    pub fn publish(&self, folder: &Path) -> anyhow::Result<()> {
        print!("{}", self.table());
        std::fs::create_dir_all(folder)?;
        std::fs::write(folder.join(format!("{}.json", self.name)), serde_json::to_vec_pretty(self)?)?;
        Ok(())
    }

    fn table(&self) -> String {
        let width = self.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or_default().max(40);
        let mut text = format!(
            "\n{:<width$} {:>7} {:>8} {:>5}  {:>10} {:>10} {:>8} {:>8} {:>6}\n",
            self.name, "ratio", "limit", "", "ours/s", "theirs/s", "p50 ms", "p99 ms", "busy"
        );
        for row in &self.rows {
            let verdict = row.pass.map_or("", |pass| if pass { "ok" } else { "FAIL" });
            let limit = row.limit.map(Limit::text).unwrap_or_default();
            text += &format!(
                "{:<width$} {:>7.2} {limit:>8} {verdict:>5}  {:>10.0} {:>10.0} {:>8.2} {:>8.2} {:>6.2}\n",
                row.name,
                row.ratio,
                row.ours.per_second,
                row.theirs.per_second,
                row.ours.p50_ms,
                row.ours.p99_ms,
                row.ours.busy
            );
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples(rates: &[f64]) -> Vec<Sample> {
        rates.iter().map(|rate| Sample { per_second: *rate, ..Sample::default() }).collect()
    }

    #[test]
    fn ratio_is_the_median_of_the_rounds_ratios() {
        // In the second round the machine is half as fast for both, which does not change the ratio.
        let row = Row::throughput("x", &samples(&[110.0, 55.0, 90.0]), &samples(&[100.0, 50.0, 100.0]), None);
        assert!((row.ratio - 1.1).abs() < 1e-9 && row.pass.is_none());
        let cost = Row::cost("x", &samples(&[50.0]), &samples(&[100.0]), Some(Limit::AtMost(1.5)));
        assert!((cost.ratio - 2.0).abs() < 1e-9 && cost.pass == Some(false));
    }

    #[test]
    fn passes_if_all_limits_are_met() {
        let row = |limit| Row::throughput("x", &samples(&[100.0]), &samples(&[100.0]), limit);
        let group = |rows| Group { name: "g", rounds: 1, seconds: 1, connections: 64, rows };
        assert!(group(vec![row(None), row(Some(Limit::AtLeast(1.0)))]).passes());
        let failing = group(vec![row(Some(Limit::AtLeast(1.3)))]);
        assert!(!failing.passes() && failing.table().contains("FAIL"));
    }

    #[test]
    fn json_has_ratios_limit_and_result() {
        let row = Row::throughput("list", &samples(&[130.0]), &samples(&[100.0]), Some(Limit::AtLeast(1.0)));
        let json = serde_json::to_value(row).unwrap();
        assert_eq!((&json["name"], &json["pass"]), (&"list".into(), &true.into()));
        assert_eq!(json["limit"], serde_json::json!({"at_least": 1.0}));
        assert_eq!(json["ratios"], serde_json::json!([1.3]));
    }
}
