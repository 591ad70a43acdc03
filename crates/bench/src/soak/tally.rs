//! Counts what the visitors observed.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "progress is printed")]

use std::{collections::BTreeMap, path::Path, time::Duration};

use serde::Serialize;

use super::{Options, editor::Age, memory::Growth};
use crate::load::Sample;

/// The number of faults that are reported in full; the rest are only counted.
const MAX_REPORTED: usize = 20;

/// Counters during the soak test.
#[derive(Default)]
pub(super) struct Tally {
    latencies_us: BTreeMap<&'static str, Vec<u32>>,
    replies: u64,
    server_errors: u64,
    other_faults: u64,
    lost_changes: u64,
    dated: u64,
    stale: u64,
    oldest: Duration,
    faults: Vec<String>,
    minutes_printed: u64,
}

impl Tally {
    /// Counts a reply as expected.
    pub fn record_success(&mut self, action: &'static str, elapsed: Duration) {
        self.replies += 1;
        let elapsed = u32::try_from(elapsed.as_micros()).unwrap_or(u32::MAX);
        self.latencies_us.entry(action).or_default().push(elapsed);
    }

    /// Counts a reply with an unexpected status, or none (status 0).
    pub fn record_error(&mut self, status: u16, what: &anyhow::Error) {
        if status >= 500 {
            self.server_errors += 1;
        } else {
            self.other_faults += 1;
        }
        self.report(format!("{what:#}"));
    }

    /// Counts a lost change of a visitor.
    pub fn record_lost_change(&mut self, what: String) {
        self.lost_changes += 1;
        self.report(what);
    }

    /// Counts a list of known age.
    pub fn list(&mut self, age: Age, path: &str) {
        self.dated += 1;
        let behind = match age {
            Age::Fresh(behind) => behind,
            Age::Stale(behind) => {
                self.stale += 1;
                self.report(format!("{path} was {} ms behind", behind.as_millis()));
                behind
            }
        };
        self.oldest = self.oldest.max(behind);
    }

    fn report(&mut self, what: String) {
        if self.faults.len() < MAX_REPORTED {
            eprintln!("soak: {what}");
            self.faults.push(what);
        }
    }

    /// Prints a line per minute.
    pub fn print_progress(&mut self, passed: Duration) {
        let minutes = passed.as_secs() / 60;
        if minutes > self.minutes_printed {
            self.minutes_printed = minutes;
            let faults = self.server_errors + self.other_faults + self.lost_changes + self.stale;
            eprintln!("soak: {minutes} min, {} replies, {faults} faults", self.replies);
        }
    }

    /// The result.
    pub fn outcome(mut self, elapsed: Duration, options: &Options, imports: usize, memory: Vec<Growth>) -> Outcome {
        let actions: BTreeMap<_, _> = std::mem::take(&mut self.latencies_us)
            .into_iter()
            .map(|(action, latencies)| (action, Sample::of(latencies, elapsed, Duration::ZERO)))
            .collect();
        let faults = self.server_errors + self.other_faults + self.lost_changes + self.stale;
        // Without requests or lists of known age, the soak test has shown nothing.
        let pass = faults == 0 && self.replies > 0 && self.dated > 0 && memory.iter().all(|growth| growth.pass);
        Outcome {
            engine: format!("{:?}", options.engine).to_lowercase(),
            minutes: elapsed.as_secs_f64() / 60.0,
            visitors: options.visitors,
            replies: self.replies,
            server_errors: self.server_errors,
            other_faults: self.other_faults,
            lost_changes: self.lost_changes,
            imports,
            dated_lists: self.dated,
            stale_lists: self.stale,
            oldest_ms: u64::try_from(self.oldest.as_millis()).unwrap_or(u64::MAX),
            faults: self.faults,
            actions,
            memory,
            pass,
        }
    }
}

/// The result, as it is written.
#[derive(Serialize)]
pub(super) struct Outcome {
    engine: String,
    minutes: f64,
    visitors: usize,
    replies: u64,
    server_errors: u64,
    other_faults: u64,
    lost_changes: u64,
    imports: usize,
    dated_lists: u64,
    stale_lists: u64,
    oldest_ms: u64,
    faults: Vec<String>,
    actions: BTreeMap<&'static str, Sample>,
    memory: Vec<Growth>,
    pub pass: bool,
}

impl Outcome {
    /// Prints the summary and writes `folder/soak-ENGINE.json`.
    pub fn publish(&self, folder: &Path) -> anyhow::Result<()> {
        println!(
            "\nsoak, {}: {:.1} min, {} visitors, {} replies",
            self.engine, self.minutes, self.visitors, self.replies
        );
        println!(
            "  5xx {}, other faults {}, lost changes {}",
            self.server_errors, self.other_faults, self.lost_changes
        );
        println!(
            "  {} imports; of {} lists {} were too old, the oldest {} ms behind",
            self.imports, self.dated_lists, self.stale_lists, self.oldest_ms
        );
        for (action, sample) in &self.actions {
            let Sample { per_second, p50_ms, p99_ms, .. } = sample;
            println!("  {action:<12} {per_second:>8.0}/s   p50 {p50_ms:>7.2} ms   p99 {p99_ms:>7.2} ms");
        }
        for Growth { process, warm_mb, end_mb, peak_mb, growth, pass, .. } in &self.memory {
            let verdict = if *pass { "ok" } else { "FAIL" };
            println!(
                "  {process:<12} {warm_mb:>7.1} MB warm, {end_mb:>7.1} at the end, {peak_mb:>7.1} at most: {growth:.2} {verdict}"
            );
        }
        println!("  {}", if self.pass { "pass" } else { "FAIL" });
        std::fs::create_dir_all(folder)?;
        std::fs::write(folder.join(format!("soak-{}.json", self.engine)), serde_json::to_vec_pretty(self)?)?;
        Ok(())
    }
}
