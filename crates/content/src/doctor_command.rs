//! `content doctor` at the command line.

use brands::Brands;
use clap::Args;
use content::doctor::{self, Doctor, Finding, MediaStore, Pictures};
use indicatif::{ProgressBar, ProgressStyle};

use crate::Family;

/// The locations of what the sites play and show.
#[derive(Args)]
pub struct Locations {
    /// The location of the media: a folder, s3://bucket/prefix, gs://bucket/prefix, az://container/prefix, or https://…
    #[arg(long, env = "MEDIA_DIR", default_value = "deploy/demo/media")]
    media: String,
    /// Image origins that are folders here, as for the gateway; other images are fetched.
    #[arg(long, env = "IMAGE_ORIGINS", default_value = "https://images.spaza.example=deploy/demo/images")]
    images: String,
}

impl Locations {
    /// What checks the files there.
    pub fn doctor(&self, whole: bool) -> Result<Doctor, String> {
        let images = doctor::origins(&self.images).map_err(|cause| format!("--images: {cause}"))?;
        Ok(Doctor {
            media: vec![MediaStore::open(&self.media).map_err(|cause| format!("--media: {cause}"))?],
            pictures: Pictures::new(images, true)?,
            whole,
            concurrency: std::thread::available_parallelism().map_or(2, |cores| cores.get() * 2),
        })
    }
}

#[derive(Args)]
pub struct Examine {
    /// Only this service.
    #[arg(long)]
    service: Option<String>,
    #[command(flatten)]
    locations: Locations,
    /// Decodes every film completely, not only its beginning, middle and end. This is slow.
    #[arg(long)]
    whole: bool,
    #[command(flatten)]
    pub family: Family,
}

pub async fn run(options: Examine, brands: Brands) -> Result<(), String> {
    Doctor::is_ready()?;
    let doctor = options.locations.doctor(options.whole)?;
    let bar = ProgressBar::new_spinner();
    bar.set_style(
        ProgressStyle::with_template("{pos} records, {per_sec}").unwrap_or_else(|_| ProgressStyle::default_spinner()),
    );
    let mut findings = Vec::new();
    let looked = doctor.examine(&brands, &options.family.services, options.service.as_deref(), |found| {
        bar.inc(1);
        findings.extend(found);
    });
    looked.await.map_err(|error| error.to_string())?;
    let records = bar.position();
    bar.finish_and_clear();
    table(&findings);
    println!("{records} records were looked at");
    if findings.is_empty() { Ok(()) } else { Err(format!("{} things are wrong", findings.len())) }
}

/// Each column as wide as its widest cell; what is wrong stands last and may be as long as it is.
fn table(findings: &[Finding]) {
    let rows = findings.iter().map(|finding| {
        let Finding { service, kind, id, what } = finding;
        [service.clone(), (*kind).to_owned(), id.to_string(), what.clone()]
    });
    let head = ["service", "kind", "id", "what is wrong"].map(str::to_owned);
    let rows: Vec<[String; 4]> = std::iter::once(head).chain(rows).collect();
    let width =
        |column: fn(&[String; 4]) -> &String| rows.iter().map(|row| column(row).chars().count()).max().unwrap_or(0);
    let (service, kind, id) = (width(|[cell, ..]| cell), width(|[_, cell, ..]| cell), width(|[_, _, cell, _]| cell));
    for [first, second, third, what] in rows.iter().filter(|_| !findings.is_empty()) {
        println!("{first:service$}  {second:kind$}  {third:>id$}  {what}");
    }
}
