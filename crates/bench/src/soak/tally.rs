//! What the visitors saw, added up.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a person waits for this")]

use std::{collections::BTreeMap, path::Path, time::Duration};

use serde::Serialize;

use super::{Options, editor::Age, memory::Growth};
use crate::load::Sample;

/// The first faults are told in words; the rest are counted.
const TOLD: usize = 20;

/// Counts while the soak goes on.
#[derive(Default)]
pub(super) struct Tally {
    latencies_us: BTreeMap<&'static str, Vec<u32>>,
    replies: u64,
    server_errors: u64,
    other_faults: u64,
    forgotten: u64,
    dated: u64,
    stale: u64,
    oldest: Duration,
    told: Vec<String>,
    minutes_told: u64,
}

impl Tally {
    /// A reply as it should be.
    pub fn good(&mut self, action: &'static str, took: Duration) {
        self.replies += 1;
        let took = u32::try_from(took.as_micros()).unwrap_or(u32::MAX);
        self.latencies_us.entry(action).or_default().push(took);
    }

    /// A reply of a wrong status, or none (status 0).
    pub fn bad(&mut self, status: u16, what: &anyhow::Error) {
        if status >= 500 {
            self.server_errors += 1;
        } else {
            self.other_faults += 1;
        }
        self.tell(what.to_string());
    }

    /// Something that was answered and is not there, or was taken back and is.
    pub fn forgot(&mut self, what: String) {
        self.forgotten += 1;
        self.tell(what);
    }

    /// A list whose age is known.
    pub fn list(&mut self, age: Age, path: &str) {
        self.dated += 1;
        let behind = match age {
            Age::Fresh(behind) => behind,
            Age::Stale(behind) => {
                self.stale += 1;
                self.tell(format!("{path} was {} ms behind", behind.as_millis()));
                behind
            }
        };
        self.oldest = self.oldest.max(behind);
    }

    fn tell(&mut self, what: String) {
        if self.told.len() < TOLD {
            eprintln!("soak: {what}");
            self.told.push(what);
        }
    }

    /// A line a minute.
    pub fn tell_progress(&mut self, passed: Duration) {
        let minutes = passed.as_secs() / 60;
        if minutes > self.minutes_told {
            self.minutes_told = minutes;
            let faults = self.server_errors + self.other_faults + self.forgotten + self.stale;
            eprintln!("soak: {minutes} min, {} replies, {faults} faults", self.replies);
        }
    }

    /// The end of it.
    pub fn outcome(mut self, took: Duration, options: &Options, imports: usize, memory: Vec<Growth>) -> Outcome {
        let actions: BTreeMap<_, _> = std::mem::take(&mut self.latencies_us)
            .into_iter()
            .map(|(action, latencies)| (action, Sample::of(latencies, took, Duration::ZERO)))
            .collect();
        let faults = self.server_errors + self.other_faults + self.forgotten + self.stale;
        // A soak in which nothing was asked or nothing could be dated has shown nothing.
        let pass = faults == 0 && self.replies > 0 && self.dated > 0 && memory.iter().all(|growth| growth.pass);
        Outcome {
            engine: format!("{:?}", options.engine).to_lowercase(),
            minutes: took.as_secs_f64() / 60.0,
            visitors: options.visitors,
            replies: self.replies,
            server_errors: self.server_errors,
            other_faults: self.other_faults,
            forgotten: self.forgotten,
            imports,
            dated_lists: self.dated,
            stale_lists: self.stale,
            oldest_ms: u64::try_from(self.oldest.as_millis()).unwrap_or(u64::MAX),
            told: self.told,
            actions,
            memory,
            pass,
        }
    }
}

/// What came of it, as it is written.
#[derive(Serialize)]
pub(super) struct Outcome {
    engine: String,
    minutes: f64,
    visitors: usize,
    replies: u64,
    server_errors: u64,
    other_faults: u64,
    forgotten: u64,
    imports: usize,
    dated_lists: u64,
    stale_lists: u64,
    oldest_ms: u64,
    told: Vec<String>,
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
        println!("  5xx {}, other faults {}, forgotten {}", self.server_errors, self.other_faults, self.forgotten);
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
