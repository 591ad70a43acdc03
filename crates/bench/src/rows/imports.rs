//! Imports: a large manifest, first and again, and its memory compared with a tenth of it.

use std::{
    path::PathBuf,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use testkit::{ADMIN_TOKEN, Engine};

use crate::{
    load::Sample,
    process::{Process, peak_kb},
    report::{Limit, Row},
    stage::{Stage, root},
};

/// Videos and memes of a small manifest.
const FEW: (u32, u32) = (10_000, 100_000);

/// The counts of a large manifest.
const MANY: (u32, u32) = (100_000, 1_000_000);

/// The time of a second import relative to the first, and the memory of a ten times larger manifest, in the tool and in the services.
pub async fn rows(stage: &Stage) -> anyhow::Result<Vec<Row>> {
    let (mut few, mut many) = (Vec::new(), Vec::new());
    for _ in 0..stage.pace.rounds {
        few.push(Outcome::of(stage, FEW).await?);
        many.push(Outcome::of(stage, MANY).await?);
    }
    let of = |outcomes: &[Outcome], sample: fn(&Outcome) -> &Sample| {
        outcomes.iter().map(sample).cloned().collect::<Vec<_>>()
    };
    let (first, second) = (of(&many, |outcome| &outcome.first), of(&many, |outcome| &outcome.second));
    let mut rows = vec![Row::time(
        "1,100,000 records, the second import / the first, time",
        &second,
        &first,
        Some(Limit::AtMost(0.1)),
    )];
    for (what, peak) in
        [("the tool's", (|it| it.tool_kb) as fn(&Outcome) -> f64), ("the services'", |it| it.services_kb)]
    {
        let largest = |outcomes: &[Outcome]| outcomes.iter().map(peak).fold(0.0, f64::max);
        let name = format!("1,100,000 / 110,000 records, {what} peak memory ({:.0} MB)", largest(&many) / 1024.0);
        let ratio = largest(&many) / largest(&few);
        rows.push(Row::once(name, ratio, (&first, &of(&few, |outcome| &outcome.first)), Some(Limit::AtMost(1.2))));
    }
    Ok(rows)
}

/// The results of importing a manifest twice.
struct Outcome {
    first: Sample,
    second: Sample,
    /// The tool's peak memory in kilobytes.
    tool_kb: f64,
    /// The services' peak memory in kilobytes, added up.
    services_kb: f64,
}

impl Outcome {
    /// Imports a manifest with this many videos and memes twice into empty services.
    async fn of(stage: &Stage, (videos, memes): (u32, u32)) -> anyhow::Result<Self> {
        let store = testkit::store(Engine::Postgres).await;
        let which = memes.to_string();
        let services =
            [stage.start_with("meme", &store, &[], &which).await?, stage.start_with("tt", &store, &[], &which).await?];
        let manifest = stage.out.join("manifest.jsonl");
        testkit::write_manifest(&manifest, usize::try_from(videos)?, usize::try_from(memes)?)?;
        let tool = Tool { program: stage.programs.join("content"), manifest, services };
        let records = u64::from(videos + memes);
        let (first, tool_kb) = tool.run(records, &format!("meme: {memes} added, 0 changed, 0 unchanged")).await?;
        let (second, _) = tool.run(records, "memeworld: nothing changed").await?;
        std::fs::remove_file(&tool.manifest)?;
        let services_kb = tool.services.iter().filter_map(|service| peak_kb(service.id())).map(f64::from).sum();
        Ok(Self { first, second, tool_kb: tool_kb.into(), services_kb })
    }
}

/// The editors' tool, a manifest, and the services it is imported to.
struct Tool {
    program: PathBuf,
    manifest: PathBuf,
    services: [Process; 2],
}

impl Tool {
    /// Runs an import; returns its duration and the tool's peak kilobytes. The output must contain `expected`.
    async fn run(&self, records: u64, expected: &str) -> anyhow::Result<(Sample, u32)> {
        let [meme, tt] = self.services.each_ref().map(|service| format!("http://{}", service.addr));
        let mut command = Command::new(&self.program);
        command
            .arg("import")
            .arg(&self.manifest)
            .env("ADMIN_TOKEN", ADMIN_TOKEN)
            .env("MEME_URL", meme)
            .env("TT_URL", tt);
        command.env("BRANDS_FILE", root().join("deploy/brands.toml"));
        let began = Instant::now();
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let mut peak = 0;
        while child.try_wait()?.is_none() {
            peak = peak_kb(child.id()).unwrap_or_default().max(peak);
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let elapsed = began.elapsed();
        let output = child.wait_with_output()?;
        let output_text = String::from_utf8_lossy(&output.stdout);
        if !output.status.success() || !output_text.contains(expected) {
            anyhow::bail!("the import said: {output_text}{}", String::from_utf8_lossy(&output.stderr));
        }
        Ok((Sample::of_batch(records, elapsed, Duration::ZERO), peak))
    }
}
