//! `content transcode` at the command line.

use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use brands::Brands;
use clap::Args;
use content::transcode::{self, Programs, Transcoded};
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

#[derive(Args)]
pub struct Transcode {
    /// Source videos, in any format that ffmpeg reads.
    #[arg(required = true)]
    sources: Vec<PathBuf>,
    /// The folder in which each source gets a folder of its own: the service's folder below the media folder.
    #[arg(long)]
    out: PathBuf,
    /// Their service. Also writes `fragment.csv` to `--out`, for `content import` after the titles are edited.
    #[arg(long, requires = "parent", requires = "images")]
    service: Option<String>,
    /// The slug of their artist or category.
    #[arg(long)]
    parent: Option<String>,
    /// The public https address of the folders' pictures.
    #[arg(long)]
    images: Option<String>,
    /// The file with the brands and networks.
    #[arg(long, env = "BRANDS_FILE", default_value = "deploy/brands.toml")]
    brands_file: PathBuf,
}

pub fn run(options: Transcode) -> Result<(), String> {
    let fragment = match (&options.service, &options.parent, &options.images) {
        (Some(service), Some(parent), Some(images)) => {
            let brands = Brands::load(&options.brands_file).map_err(|error| error.to_string())?;
            let brand = brands.iter().find(|brand| brand.has_name(service));
            let brand = brand.ok_or_else(|| format!("{service:?} is no service"))?;
            Some((brand.service.clone(), brand.media_folder(), parent, images.trim_end_matches('/')))
        }
        _ => None,
    };
    std::fs::create_dir_all(&options.out).map_err(|error| format!("{}: {error}", options.out.display()))?;
    let outcomes = with_bars(&options.sources, &options.out);
    let mut failed = 0;
    let mut done = Vec::new();
    for outcome in outcomes {
        match outcome {
            Ok(transcoded) => {
                println!("{}", sentence(&transcoded));
                done.push(transcoded);
            }
            Err(error) => {
                failed += 1;
                eprintln!("{error}");
            }
        }
    }
    if let Some((service, folder, parent, images)) = fragment {
        let path = options.out.join("fragment.csv");
        let rows = rows(&done, &service, &folder, parent, images);
        std::fs::write(&path, rows).map_err(|error| format!("{}: {error}", path.display()))?;
        println!("{} has a row for each", path.display());
    }
    if failed == 0 { Ok(()) } else { Err(format!("{failed} of {} sources could not be used", options.sources.len())) }
}

fn with_bars(sources: &[PathBuf], out: &Path) -> Vec<Result<Transcoded, transcode::TranscodeError>> {
    let bars = MultiProgress::new();
    let by_slug: Mutex<HashMap<String, ProgressBar>> = Mutex::default();
    let style = ProgressStyle::with_template("{msg}: {pos} s done, {elapsed}");
    let style = style.unwrap_or_else(|_| ProgressStyle::default_spinner());
    // Ctrl-C ends the programs as well, since the terminal sends it to all.
    transcode::transcode(sources, out, &Programs::default(), &|slug, seconds| {
        let mut by_slug = by_slug.lock().unwrap_or_else(PoisonError::into_inner);
        let bar = by_slug.entry(slug.to_owned()).or_insert_with(|| {
            bars.add(ProgressBar::no_length().with_style(style.clone()).with_message(slug.to_owned()))
        });
        // Seconds of a video, far below what a u64 holds.
        bar.set_position(seconds.max(0.0) as u64);
    })
}

fn sentence(Transcoded { slug, rendition, skipped, .. }: &Transcoded) -> String {
    let variants = rendition.variants.iter().chain(&rendition.av1);
    let mut parts: Vec<_> = variants.map(|variant| format!("{} {} KB", variant.name, variant.bytes / 1000)).collect();
    parts.extend(rendition.no_av1.as_ref().map(|cause| format!("no AV1: {cause}")));
    let word = if *skipped { "unchanged" } else { "done" };
    format!("{slug}: {word}, {:.1} s, {}", rendition.duration_s, parts.join(", "))
}

fn rows(done: &[Transcoded], service: &str, folder: &str, parent: &str, images: &str) -> Vec<u8> {
    let header = [
        "service",
        "kind",
        "slug",
        "parent",
        "video_name",
        "name",
        "artist",
        "status",
        "media",
        "image",
        "datetime",
        "duration_s",
        "bytes",
        "captions",
    ];
    let now = service::timestamp::now().format("%Y-%m-%d %H:%M:%SZ").to_string();
    let rows = done.iter().map(|Transcoded { slug, title, rendition, .. }| {
        [
            service,
            "video",
            slug,
            parent,
            title,
            "",
            "",
            "",
            &format!("{folder}/{slug}/master.m3u8"),
            &format!("{images}/{slug}/card.clip.webp"),
            &now,
            &format!("{:.0}", rendition.duration_s.max(1.0)),
            &rendition.fallback_bytes.to_string(),
            &rendition.captions_file().map(|file| format!("{folder}/{slug}/{file}")).unwrap_or_default(),
        ]
        .map(str::to_owned)
    });
    service::csv_rows(&header, rows)
}
