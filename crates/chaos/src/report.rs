//! The report: the checks and their violations, a plot of the load, its errors and the faults, and each fault with its recovery.

mod plot;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    time::Duration,
};

use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::results::{FaultRecord, Second, Violation};

/// All checks, so that the report also names those that held.
const CHECKS: [&str; 18] = [
    "every acknowledged write is kept",
    "the ledger equals the network's list of charges",
    "no subscriber is charged after leaving",
    "every active subscriber is charged for today once the network works",
    "service and network agree on active subscriptions",
    "no access without a subscription",
    "no session is lost",
    "no 5xx but 503 with Retry-After and problem+json",
    "everything works soon after a fault's end",
    "replies break off only where a process dies",
    "every call is answered",
    "no process ends by itself",
    "no valid request is refused",
    "published pages and images are served",
    "videos are served byte for byte",
    "each meme's likes are counted right",
    "without faults, nothing is refused",
    "without faults, no process grows by more than a tenth",
];

/// How many violations of a check are shown.
const EXAMPLES: usize = 5;

const STYLE: &str = "body{font:15px/1.5 system-ui,sans-serif;max-width:1200px;margin:2rem auto;padding:0 1rem;color:#222}\
    table{border-collapse:collapse;width:100%}td,th{text-align:left;padding:.2rem .6rem;border-bottom:1px solid #ddd;vertical-align:top}\
    .bad{color:#b00020;font-weight:600}.good{color:#18794e}svg{width:100%;height:auto}";

/// The results of a run.
pub(crate) struct Report {
    /// The seed of plan and visitors.
    pub seed: u64,
    /// How many visitors ran at the same time.
    pub visitors: usize,
    /// For how long they ran.
    pub duration: Duration,
    /// How many subscribers there were.
    pub subscribers: usize,
    /// How many charges the network made.
    pub charges: usize,
    /// Why no disk was filled.
    pub skipped: Option<String>,
    /// The load.
    pub seconds: Vec<Second>,
    /// The faults.
    pub faults: Vec<FaultRecord>,
    /// Violations of checks.
    pub violations: Vec<Violation>,
}

impl Report {
    /// One line with the totals.
    pub fn summary(&self) -> String {
        let [answered, unavailable, failed] = self.totals();
        let (faults, violations) = (self.faults.len(), self.violations.len());
        format!(
            "{} of {} checks held ({violations} violations): {faults} faults in {:.0} s, {answered} answers, {unavailable} of 503, {failed} \
             broken off, {} subscribers, {} charges, slowest recovery {:.2} s",
            CHECKS.len() - self.violations_by_check().len(),
            CHECKS.len(),
            self.duration.as_secs_f64(),
            self.subscribers,
            self.charges,
            self.slowest_recovery().as_secs_f64()
        )
    }

    /// Writes `report.html` and `plot.svg`; returns the path of the report.
    pub fn publish(&self, folder: &Path) -> anyhow::Result<PathBuf> {
        let svg = plot::draw(&self.seconds, &self.faults)?;
        std::fs::write(folder.join("plot.svg"), &svg)?;
        let path = folder.join("report.html");
        std::fs::write(&path, self.page(&svg).into_string())?;
        Ok(path)
    }

    fn totals(&self) -> [u32; 3] {
        let sum = |count: fn(&Second) -> u32| self.seconds.iter().map(count).sum();
        [sum(|second| second.answered), sum(|second| second.unavailable), sum(|second| second.failed)]
    }

    fn slowest_recovery(&self) -> Duration {
        self.faults.iter().filter_map(|record| record.recovered).max().unwrap_or_default()
    }

    /// The violated checks.
    fn violations_by_check(&self) -> BTreeMap<&str, Vec<&Violation>> {
        let mut by_check: BTreeMap<&str, Vec<&Violation>> = BTreeMap::new();
        for violation in &self.violations {
            by_check.entry(violation.check).or_default().push(violation);
        }
        by_check
    }

    fn page(&self, svg: &str) -> Markup {
        let violations = self.violations_by_check();
        html! {
            (DOCTYPE)
            html lang="en" {
                head { meta charset="utf-8"; title { "Chaos, seed " (self.seed) } style { (PreEscaped(STYLE)) } }
                body {
                    h1 { "Chaos, seed " (self.seed) }
                    p class=(if violations.is_empty() { "good" } else { "bad" }) { (self.summary()) }
                    p { (self.visitors) " visitors at once. To repeat: " code { "make chaos CHAOS_SEED=" (self.seed) } }
                    @if let Some(cause) = &self.skipped { p class="bad" { "No disk was filled: " (cause) } }
                    (PreEscaped(svg))
                    h2 { "Checks" }
                    table {
                        @for check in CHECKS { tr { (check_row(check, violations.get(check).map(Vec::as_slice))) } }
                    }
                    h2 { "Faults" }
                    table {
                        tr { th { "at" } th { "fault" } th { "duration" } th { "recovered after" } }
                        @for record in &self.faults { (fault_row(record)) }
                    }
                }
            }
        }
    }
}

fn check_row(check: &str, violations: Option<&[&Violation]>) -> Markup {
    html! {
        td { (check) }
        td {
            @match violations {
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

fn fault_row(record: &FaultRecord) -> Markup {
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
    fn report_names_each_check_and_its_violations() {
        let violation = Violation {
            check: "no session is lost",
            at: Duration::from_secs(7),
            example: "<27830001000> should be active".to_owned(),
        };
        let mut report = Report {
            seed: 42,
            visitors: 3,
            duration: Duration::from_secs(60),
            subscribers: 3,
            charges: 2,
            skipped: None,
            seconds: vec![Second { answered: 5, unavailable: 1, failed: 0, slowest: 0.2 }; 60],
            faults: Vec::new(),
            violations: vec![violation],
        };
        let svg = plot::draw(&report.seconds, &report.faults).unwrap();
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{svg}");
        let page = report.page(&svg).into_string();
        assert!(CHECKS.iter().all(|check| page.contains(&maud::html! { (check) }.into_string())));
        assert!(page.contains("&lt;27830001000&gt; should be active") && page.contains("violated 1 times"));
        assert!(report.summary().starts_with("17 of 18 checks held"));
        report.violations.clear();
        assert!(!report.page(&svg).into_string().contains("violated"));
    }
}
