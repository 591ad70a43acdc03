//! `content import MANIFEST`: loads a manifest into the running services.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command-line tool speaks to a person")]

use std::{path::PathBuf, process::ExitCode};

use brands::Brands;
use clap::{Args, Parser, Subcommand};
use content::{Manifest, Services, import};

/// The editors' tool.
#[derive(Parser)]
#[command(name = "content", version, about)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Loads artists, videos, memes, categories and banners into the running services.
    Import(Import),
}

#[derive(Args)]
struct Import {
    /// The manifest, JSON.
    manifest: PathBuf,
    /// The brands of the family.
    #[arg(long, env = "BRANDS_FILE", default_value = "deploy/brands.toml")]
    brands_file: PathBuf,
    /// Base URL of the comedy service.
    #[arg(long, env = "COMEDY_URL", default_value = "http://127.0.0.1:8081")]
    comedy_url: String,
    /// Base URL of the diski service.
    #[arg(long, env = "DISKI_URL", default_value = "http://127.0.0.1:8082")]
    diski_url: String,
    /// Base URL of the meme service.
    #[arg(long, env = "MEME_URL", default_value = "http://127.0.0.1:8083")]
    meme_url: String,
    /// Base URL of the tt service.
    #[arg(long, env = "TT_URL", default_value = "http://127.0.0.1:8084")]
    tt_url: String,
    /// The services' admin token.
    #[arg(long, env = "ADMIN_TOKEN", hide_env_values = true)]
    admin_token: String,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let outcome = match cli.command {
        Command::Import(options) => load(options),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("content: {message}");
            ExitCode::FAILURE
        }
    }
}

fn load(options: Import) -> Result<(), String> {
    let brands = Brands::load(&options.brands_file).map_err(|error| error.to_string())?;
    let manifest = Manifest::read(&options.manifest).map_err(|error| error.to_string())?;
    let services = Services {
        comedy: options.comedy_url,
        diski: options.diski_url,
        meme: options.meme_url,
        tt: options.tt_url,
        admin_token: options.admin_token,
    };
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(|error| error.to_string())?;
    let summaries =
        runtime.block_on(import(&manifest, &brands, &services, false)).map_err(|error| error.to_string())?;
    for summary in summaries {
        println!(
            "{}: {} added, {} changed, {} unchanged",
            summary.service, summary.added, summary.changed, summary.unchanged
        );
    }
    Ok(())
}
