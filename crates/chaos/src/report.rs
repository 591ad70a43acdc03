//! The report: what was checked and how it went, the load, its errors and the faults over time, and each fault with its recovery.

mod plot;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::tally::{Record, Second, Violation};

/// Every check there is, so that the report also names those that held.
const CHECKS: [&str; 16] = [
    "every acknowledged write is there",
    "the ledger equals the network's list",
    "nobody is charged after leaving",
    "whoever is in pays for today, once the network is well",
    "service and network agree on who is in",
    "no session is gained",
    "no session is lost",
    "no 5xx but 503 with Retry-After and problem+json",
    "all works within 5 s of a fault's end",
    "replies break off only where a process dies",
    "every call is answered",
    "no process ends by itself",
    "nobody is refused without a reason",
    "what is on the site is shown",
    "films are what they are",
    "each meme's likes are counted right",
];

/// How many examples of a check that did not hold are shown.
const EXAMPLES: usize = 5;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:1200px;margin:2rem auto;padding:0 1rem;color:#222}\
    table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.2rem .6rem;border-bottom:1px solid #ddd;vertical-align:top}\
    .bad{color:#b00020;font-weight:600}.good{color:#18794e}svg{width:100%;height:auto}";

/// Everything that a run brought to light.
pub(crate) struct Outcome {
    /// What the dice were thrown by.
    pub seed: u64,
    /// How many visitors there were at once.
    pub visitors: usize,
    /// For how long they came.
    pub lasted: Duration,
    /// How many people were looked at in the end.
    pub people: usize,
    /// How many charges the books have.
    pub charges: usize,
    /// Which faults could not be brought on, and why.
    pub skipped: Option<String>,
    /// The load.
    pub seconds: Vec<Second>,
    /// The faults.
    pub records: Vec<Record>,
    /// What did not hold.
    pub violations: Vec<Violation>,
}

impl Outcome {
    /// The one line that matters.
    pub fn summary(&self) -> String {
        let [answered, later, broken] = self.totals();
        let (faults, violations) = (self.records.len(), self.violations.len());
        format!(
            "{} of {} checks held ({violations} violations): {faults} faults in {:.0} s, {answered} answers, {later} of 503, {broken} \
             broken off, {} people, {} charges, slowest recovery {:.2} s",
            CHECKS.len() - self.broken().len(),
            CHECKS.len(),
            self.lasted.as_secs_f64(),
            self.people,
            self.charges,
            self.slowest().as_secs_f64()
        )
    }

    /// Writes `report.html` and `plot.svg`; where the report lies.
    pub fn publish(&self, folder: &Path) -> anyhow::Result<PathBuf> {
        let svg = plot::draw(&self.seconds, &self.records)?;
        std::fs::write(folder.join("plot.svg"), &svg)?;
        let path = folder.join("report.html");
        std::fs::write(&path, self.page(&svg).into_string())?;
        Ok(path)
    }

    fn totals(&self) -> [u32; 3] {
        let sum = |count: fn(&Second) -> u32| self.seconds.iter().map(count).sum();
        [sum(|second| second.answered), sum(|second| second.later), sum(|second| second.broken)]
    }

    fn slowest(&self) -> Duration {
        self.records.iter().filter_map(|record| record.recovered).max().unwrap_or_default()
    }

    /// The checks that did not hold, each with where.
    fn broken(&self) -> BTreeMap<&str, Vec<&Violation>> {
        let mut broken: BTreeMap<&str, Vec<&Violation>> = BTreeMap::new();
        for violation in &self.violations {
            broken.entry(violation.check).or_default().push(violation);
        }
        broken
    }

    fn page(&self, svg: &str) -> Markup {
        let broken = self.broken();
        html! {
            (DOCTYPE)
            html lang="en" {
                head { meta charset="utf-8"; title { "Chaos, seed " (self.seed) } style { (PreEscaped(STYLE)) } }
                body {
                    h1 { "Chaos, seed " (self.seed) }
                    p class=(if broken.is_empty() { "good" } else { "bad" }) { (self.summary()) }
                    p { (self.visitors) " visitors at once. Again: " code { "make chaos CHAOS_SEED=" (self.seed) } }
                    @if let Some(why) = &self.skipped { p class="bad" { "No disk was filled: " (why) } }
                    (PreEscaped(svg))
                    h2 { "Checks" }
                    table {
                        @for check in CHECKS { tr { (check_row(check, broken.get(check).map(Vec::as_slice))) } }
                    }
                    h2 { "Faults" }
                    table {
                        tr { th { "at" } th { "what" } th { "lasted" } th { "all worked after" } }
                        @for record in &self.records { (fault_row(record)) }
                    }
                }
            }
        }
    }
}

fn check_row(check: &str, broken: Option<&[&Violation]>) -> Markup {
    html! {
        td { (check) }
        td {
            @match broken {
                None => span class="good" { "held" },
                Some(violations) => {
                    span class="bad" { "violated " (violations.len()) " times" }
                    ul {
                        @for violation in violations.iter().take(EXAMPLES) {
                            li { (seconds(violation.at)) ": " (violation.example) }
                        }
                    }
                }
            }
        }
    }
}

fn fault_row(record: &Record) -> Markup {
    let lasted = record.ended.map(|ended| seconds(ended.saturating_sub(record.began)));
    html! {
        tr {
            td { (seconds(record.began)) }
            td { (record.fault) }
            td { (lasted.unwrap_or_default()) }
            td {
                @match record.recovered {
                    Some(after) => (seconds(after)),
                    None => span class="bad" { "not in time" },
                }
            }
        }
    }
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_names_each_check_and_what_broke_it() {
        let violation = Violation {
            check: "no session is lost",
            at: Duration::from_secs(7),
            example: "<27830001000> should be active".to_owned(),
        };
        let mut outcome = Outcome {
            seed: 42,
            visitors: 3,
            lasted: Duration::from_secs(60),
            people: 3,
            charges: 2,
            skipped: None,
            seconds: vec![Second { answered: 5, later: 1, broken: 0, slowest: 0.2 }; 60],
            records: Vec::new(),
            violations: vec![violation],
        };
        let svg = plot::draw(&outcome.seconds, &outcome.records).unwrap();
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{svg}");
        let page = outcome.page(&svg).into_string();
        assert!(CHECKS.iter().all(|check| page.contains(&maud::html! { (check) }.into_string())));
        assert!(page.contains("&lt;27830001000&gt; should be active") && page.contains("violated 1 times"));
        assert!(outcome.summary().starts_with("15 of 16 checks held"));
        outcome.violations.clear();
        assert!(!outcome.page(&svg).into_string().contains("violated"));
    }
}
