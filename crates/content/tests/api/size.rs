//! Large manifests: in memory that does not grow with them, and next to nothing the second time.
//!
//! `CONTENT_VIDEOS` and `CONTENT_MEMES` make them as large as one likes; `--nocapture` tells what it took.

use std::{
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use content::Services;
use testkit::{ADMIN_TOKEN, MANIFEST_GROUPS as GROUPS};

use crate::spawn_family;

fn size(variable: &str, usual: usize) -> usize {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A process's largest size so far, in KiB.
fn peak(process: &str) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok())
}

/// Runs the tool; what it said, how long it took, and its peak in KiB.
fn run(services: &Services, manifest: &Path) -> (String, Duration, u64) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_content"));
    command
        .args(["import", "--without-media-check"])
        .arg(manifest)
        .env("ADMIN_TOKEN", ADMIN_TOKEN)
        .env("BRANDS_FILE", crate::brands_file());
    command.env("COMEDY_URL", &services.comedy).env("DISKI_URL", &services.diski);
    command.env("MEME_URL", &services.meme).env("TT_URL", &services.tt);
    let started = Instant::now();
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut largest = 0;
    while child.try_wait().unwrap().is_none() {
        largest = largest.max(peak(&child.id().to_string()).unwrap_or(0));
        std::thread::sleep(Duration::from_millis(20));
    }
    let took = started.elapsed();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    (String::from_utf8(output.stdout).unwrap(), took, largest)
}

testkit::on_each_engine! {
    async fn import_of_a_large_manifest_is_idempotent(engine) {
        let family = spawn_family(engine).await;
        let (videos, memes) = (size("CONTENT_VIDEOS", 2_000), size("CONTENT_MEMES", 20_000));
        let path = family.folder.path().join("large.jsonl");
        testkit::write_manifest(&path, videos, memes).unwrap();
        let services_before = peak("self");
        let services = family.services.clone();
        let runs = tokio::task::spawn_blocking(move || (run(&services, &path), run(&services, &path)));
        let (first, second) = runs.await.unwrap();
        println!(
            "{engine:?}, {videos} videos and {memes} memes: {:.1} s with {} KiB, the second time {:.1} s with {} KiB; the services' peak went from {services_before:?} to {:?} KiB",
            first.1.as_secs_f64(), first.2, second.1.as_secs_f64(), second.2, peak("self"),
        );
        assert!(first.0.contains(&format!("memeworld: meme: {memes} added, 0 changed, 0 unchanged")), "{}", first.0);
        assert!(first.0.contains(&format!("ttmbhatv: video: {videos} added, 0 changed, 0 unchanged")), "{}", first.0);
        let nothing = format!(
            "memeworld: nothing changed, {} records are there already\nttmbhatv: nothing changed, {} records are there already\n",
            memes + GROUPS, videos + GROUPS,
        );
        assert_eq!(second.0, nothing);
        let categories = family.meme.get_ok("/api/meme/getMemeCategories").await;
        assert_eq!(categories.as_array().unwrap().len(), GROUPS);
    }
}
