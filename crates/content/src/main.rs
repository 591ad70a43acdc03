//! `content`: the editors' tool as a program.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool speaks to a person")]

mod doctor_command;
mod memes_command;
mod publish_command;
mod transcode_command;

use std::{path::PathBuf, process::ExitCode};

use brands::Brands;
use catalogue::{import::Change, records::RecordQuery};
use clap::{Args, Parser, Subcommand};
use content::{Manifest, Options, Order, Services, Summary};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::json;
use service::Production;

/// The editors' tool.
#[derive(Parser)]
#[command(name = "content", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Imports artists, videos, memes, categories and banners into the running services: all of the manifest, or nothing.
    Import(Import),
    /// Prints the records of a service, in every state.
    List(List),
    /// Writes the records of a service as a CSV manifest: importing it unchanged changes nothing.
    Export(List),
    /// Removes a record from every list; its own address still works.
    Unlist(Unlist),
    /// Returns a record to the lists.
    Relist(Relist),
    /// Prints which records of a service were unlisted or relisted, by whom, when and why.
    Log(Log),
    /// Transcodes source videos for phones: an adaptive stream, a file and pictures. Needs ffmpeg.
    Transcode(transcode_command::Transcode),
    /// Uploads renditions to a folder or a bucket. A repeated run uploads only missing files.
    Publish(publish_command::Publish),
    /// Prepares pictures for memes: checks them, removes metadata, converts them to WebP, and refuses duplicates.
    Memes(memes_command::Memes),
    /// Checks that everything on the services' lists can be served: media, their sizes and lengths, and pictures. Needs ffprobe.
    Doctor(doctor_command::Examine),
    /// Prints the JSON Schema of a manifest.
    Schema,
}

#[derive(Args)]
struct Import {
    /// The manifest: CSV, JSON Lines, or JSON.
    manifest: PathBuf,
    /// Only prints what would change.
    #[arg(long)]
    dry_run: bool,
    /// Deletes records that the manifest does not have, in the services that it names.
    #[arg(long)]
    prune: bool,
    /// Imports nothing into services that have had an import, so that what editors changed stays.
    #[arg(long)]
    once: bool,
    #[command(flatten)]
    locations: doctor_command::Locations,
    /// Imports also what names films and pictures that this machine does not see: they are not checked.
    #[arg(long)]
    without_media_check: bool,
    #[command(flatten)]
    family: Family,
}

/// The family to use.
#[derive(Args)]
struct Family {
    /// The file with the brands and networks.
    #[arg(long, env = "BRANDS_FILE", default_value = "deploy/brands.toml")]
    brands_file: PathBuf,
    #[command(flatten)]
    services: Services,
    /// Whether the family serves real customers.
    #[command(flatten)]
    production: Production,
}

#[derive(Args)]
struct List {
    /// The kind of record: artist, video, category, meme or banner.
    kind: String,
    /// Its service.
    #[arg(long)]
    service: String,
    /// Only records that visitors see (listed), or do not see for this reason: scheduled, expired, unlisted, deleted.
    #[arg(long)]
    state: Option<String>,
    /// Only those of the parent with this slug.
    #[arg(long)]
    parent: Option<String>,
    /// Only those with these words, or with this slug.
    #[arg(long)]
    q: Option<String>,
    /// Only those that lack a translation into the language with this code.
    #[arg(long)]
    missing: Option<String>,
    /// The order: newest, oldest, slug, reverse (by slug, backwards), title or position (as on the site).
    #[arg(long)]
    sort: Option<String>,
    #[command(flatten)]
    family: Family,
}

#[derive(Args)]
struct Unlist {
    #[command(flatten)]
    record: Record,
    /// Deletes it: its own address returns 404, too.
    #[arg(long)]
    entirely: bool,
}

#[derive(Args)]
struct Relist {
    #[command(flatten)]
    record: Record,
}

#[derive(Args)]
struct Record {
    /// The kind of record: artist, video, category, meme or banner.
    kind: String,
    /// Its id, as in the site's addresses, or its slug.
    id: String,
    /// Its service.
    #[arg(long)]
    service: String,
    /// The reason, for the log.
    #[arg(long)]
    reason: String,
    /// Who requests it, for the log.
    #[arg(long, env = "USER")]
    by: String,
    #[command(flatten)]
    family: Family,
}

#[derive(Args)]
struct Log {
    /// The service.
    #[arg(long)]
    service: String,
    #[command(flatten)]
    family: Family,
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Import(options) => import(options),
        Command::List(options) => print_list(options),
        Command::Export(options) => export(options),
        Command::Unlist(Unlist { record, entirely }) => {
            move_record(record, if entirely { "deleted" } else { "unlisted" })
        }
        Command::Relist(Relist { record }) => move_record(record, "listed"),
        Command::Log(log) => print_log(log),
        Command::Transcode(options) => transcode_command::run(options),
        Command::Publish(options) => block_on(publish_command::run(options)).flatten(),
        Command::Memes(options) => block_on(memes_command::run(options)).flatten(),
        Command::Doctor(options) => {
            brands(&options.family).and_then(|brands| block_on(doctor_command::run(options, brands)).flatten())
        }
        Command::Schema => {
            println!("{:#}", content::schema());
            Ok(())
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("content: {message}");
            ExitCode::FAILURE
        }
    }
}

fn import(options: Import) -> Result<(), String> {
    let brands = brands(&options.family)?;
    let manifest = Manifest::read(&options.manifest, &brands).map_err(|problems| format!("\n{problems}"))?;
    let bar = ProgressBar::new(manifest.records());
    let style = ProgressStyle::with_template("{bar:30} {pos}/{len} records, {per_sec}, {eta} left {msg}");
    bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    let doctor = (!options.without_media_check).then(|| options.locations.doctor(false)).transpose()?;
    let how = Options { once: options.once, prune: options.prune, dry_run: options.dry_run, doctor: doctor.as_ref() };
    let work = content::import(&manifest, &options.family.services, how, |records| {
        bar.inc(records);
        if bar.position() == manifest.records() {
            bar.set_message("compared and taken over …");
        }
    });
    let outcome = block_on(work)?;
    bar.finish_and_clear();
    let summaries = outcome.map_err(|error| match error {
        content::Error::Problems(problems) => format!("\n{problems}"),
        content::Error::NoCheck(_) => {
            format!("{error}. --without-media-check imports without a look at films and pictures")
        }
        other => other.to_string(),
    })?;
    print_summaries(&summaries, options.dry_run);
    Ok(())
}

impl List {
    fn query(&self) -> Result<RecordQuery, String> {
        let query = json!({
            "service": self.service, "state": self.state, "parent": self.parent, "q": self.q, "sort": self.sort,
            "missing": self.missing
        });
        serde_json::from_value(query).map_err(|error| error.to_string())
    }
}

fn print_list(options: List) -> Result<(), String> {
    let (brands, query) = (brands(&options.family)?, options.query()?);
    let work = content::list(&brands, &options.family.services, &options.kind, query, |record| {
        let visibility = serde_json::to_value(record.visibility).unwrap_or_default();
        let held = if record.held { ", held" } else { "" };
        println!("{} {} {}{held}: {}", record.id, record.slug, visibility.as_str().unwrap_or_default(), record.title);
    });
    block_on(work)?.map_err(|error| error.to_string())
}

fn export(options: List) -> Result<(), String> {
    let (brands, query) = (brands(&options.family)?, options.query()?);
    let mut output = std::io::stdout().lock();
    let work = content::export(&brands, &options.family.services, &options.kind, query, &mut output);
    block_on(work)?.map_err(|error| error.to_string())
}

fn print_summaries(summaries: &[Summary], dry_run: bool) {
    for summary in summaries {
        if !summary.is_any() {
            println!("{}: nothing changed, {} records are there already", summary.service, summary.records);
        }
        for change in summary.changes.iter().filter(|_| summary.is_any()) {
            println!("{}: {}", summary.service, sentence(change));
            if dry_run {
                for (word, names) in
                    [("new", &change.added_names), ("changed", &change.changed_names), ("gone", &change.removed_names)]
                {
                    if !names.is_empty() {
                        println!("  {word}: {}", names.join(", "));
                    }
                }
            }
        }
    }
    if dry_run {
        println!("This was a dry run: nothing was changed.");
    }
}

fn sentence(change: &Change) -> String {
    let Change { kind, added, changed, unchanged, removed, .. } = change;
    let removed = if *removed > 0 { format!(", {removed} removed") } else { String::new() };
    format!("{kind}: {added} added, {changed} changed, {unchanged} unchanged{removed}")
}

fn move_record(record: Record, state: &str) -> Result<(), String> {
    let brands = brands(&record.family)?;
    let order = Order { kind: &record.kind, record: &record.id, state, who: &record.by, reason: &record.reason };
    let work = content::take_down(&brands, &record.family.services, &record.service, order);
    let done = block_on(work)?.map_err(|error| error.to_string())?;
    println!("{} {} ({}) was {} and is {} now", done.kind, done.record_id, done.slug, done.from_state, done.to_state);
    Ok(())
}

fn print_log(log: Log) -> Result<(), String> {
    let brands = brands(&log.family)?;
    let work = content::take_downs(&brands, &log.family.services, &log.service);
    for line in block_on(work)?.map_err(|error| error.to_string())? {
        println!(
            "{} {} {} {} ({}): {} -> {}: {}",
            line.at, line.who, line.kind, line.record_id, line.slug, line.from_state, line.to_state, line.reason
        );
    }
    Ok(())
}

fn brands(family: &Family) -> Result<Brands, String> {
    let brands = Brands::load(&family.brands_file).map_err(|error| error.to_string())?;
    if family.production.on {
        brands.check_production().map_err(|error| error.to_string())?;
        service::refuse_weak_admin_token(Some(&family.services.admin_token)).map_err(|error| error.to_string())?;
    }
    Ok(brands)
}

fn block_on<T>(work: impl Future<Output = T>) -> Result<T, String> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    Ok(runtime.map_err(|error| error.to_string())?.block_on(work))
}
