//! `content memes` at the command line.

use std::path::PathBuf;

use clap::Args;
use content::memes::{AcceptedPicture, Pictures};

#[derive(Args)]
pub struct Memes {
    /// Pictures: files, or https addresses.
    #[arg(required = true)]
    sources: Vec<String>,
    /// The folder to write to.
    #[arg(long)]
    out: PathBuf,
    /// The meme service.
    #[arg(long)]
    service: String,
    /// The slug of their category.
    #[arg(long)]
    category: String,
    /// The public https address of the folder.
    #[arg(long)]
    images: String,
    /// Accepts pictures that look like an existing one.
    #[arg(long)]
    allow_duplicates: bool,
}

pub async fn run(options: Memes) -> Result<(), String> {
    let mut pictures = Pictures::open(&options.out, options.allow_duplicates)
        .map_err(|error| format!("{}: {error}", options.out.display()))?;
    let (mut accepted, mut refused) = (Vec::new(), 0);
    for source in &options.sources {
        match pictures.take(source).await {
            Ok(one) => {
                println!("{}: {} by {} pixels, {} bytes", one.slug, one.width, one.height, one.bytes);
                accepted.push(one);
            }
            Err(error) => {
                refused += 1;
                eprintln!("{error}");
            }
        }
    }
    let path = options.out.join("fragment.csv");
    let rows = rows(&accepted, &options);
    std::fs::write(&path, rows).map_err(|error| format!("{}: {error}", path.display()))?;
    println!("{} has a row for each", path.display());
    if refused == 0 { Ok(()) } else { Err(format!("{refused} of {} pictures were not taken", options.sources.len())) }
}

fn rows(accepted: &[AcceptedPicture], options: &Memes) -> Vec<u8> {
    let now = service::timestamp::now().format("%Y-%m-%d %H:%M:%SZ").to_string();
    let images = options.images.trim_end_matches('/');
    let rows = accepted.iter().map(|AcceptedPicture { slug, .. }| {
        let (title, image) = (slug.replace('-', " "), format!("{images}/{slug}.webp"));
        [options.service.as_str(), "meme", slug, &options.category, &title, &image, &now].map(str::to_owned)
    });
    service::csv_rows(&["service", "kind", "slug", "parent", "title", "image", "created_at"], rows)
}
