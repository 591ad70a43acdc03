//! `content publish` at the command line.

use std::path::{Path, PathBuf};

use clap::Args;
use content::{
    publish::{self, PublishError, Published, Target},
    transcode::Rendition,
};
use indicatif::{ProgressBar, ProgressStyle};

#[derive(Args)]
pub struct Publish {
    /// The folder of renditions. Its files keep their relative paths at the target.
    folder: PathBuf,
    /// The target: file:///folder, s3://bucket/prefix, gs://bucket/prefix or az://container/prefix. Credentials are read from
    /// the variables that the stores' own tools use (AWS_…, GOOGLE_…, AZURE_…).
    #[arg(long)]
    to: String,
}

pub async fn run(options: Publish) -> Result<(), String> {
    let Publish { folder, to } = options;
    let target = Target::open(&to).map_err(|cause| format!("--to {cause}"))?;
    let found = publish::renditions(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    if found.is_empty() {
        return Err(format!("{}: there are no renditions; `content transcode` makes them", folder.display()));
    }
    let bar = ProgressBar::new(found.iter().map(|rendition| size(rendition)).sum());
    let style = ProgressStyle::with_template("{bar:30} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} left");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let mut failed = 0;
    for rendition in &found {
        match publish::publish(&folder, rendition, &target, &|bytes| bar.inc(bytes)).await {
            Ok(published) => bar.suspend(|| println!("{}", sentence(&published))),
            Err(error @ PublishError::Rendition { .. }) => {
                failed += 1;
                bar.suspend(|| eprintln!("{error}"));
            }
            Err(error) => {
                bar.abandon();
                return Err(format!("{error}; the same command once more goes on from here"));
            }
        }
    }
    bar.finish_and_clear();
    if failed == 0 { Ok(()) } else { Err(format!("{failed} of {} renditions were not published", found.len())) }
}

fn size(rendition: &Path) -> u64 {
    Rendition::read(rendition).map_or(0, |rendition| rendition.files.iter().map(|(_, bytes)| bytes).sum())
}

fn sentence(published: &Published) -> String {
    let Published { name, put, bytes, unchanged, removed } = published;
    let name = if name.is_empty() { "." } else { name };
    match (put, removed) {
        (0, _) => format!("{name}: unchanged, {unchanged} files"),
        (_, 0) => format!("{name}: {put} files put, {} KB; {unchanged} were there already", bytes / 1000),
        _ => format!(
            "{name}: {put} files put, {} KB; {unchanged} were there already; {removed} of earlier renditions removed",
            bytes / 1000
        ),
    }
}
