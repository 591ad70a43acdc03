//! `make run`: the whole family in one process, each service on its own port, started as its own `main.rs` starts it.
//! `--openapi` prints the merged OpenAPI document instead, `--openapi backoffice` the back office's, and `--settings` the environment variables of every process,
//! and `--wire rest`, `--wire notifications` and `--wire parlay-x` what a network's engineers need.
//! `conformance NETWORK` tries a network's test bed.

mod config;
mod conformance;
mod demo_networks;
mod keys;
mod openapi;
mod settings;
mod welcome;
mod wire;

use std::{
    fs::{File, TryLockError},
    io::{self, Write},
    path::Path,
    process::ExitCode,
    sync::OnceLock,
};

use brands::Brands;
use content::{Manifest, Options, Services};
use service::{Running, StartError};

use crate::config::Config;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["--openapi"] => return print(Ok(openapi::document())),
        ["--openapi", backoffice::NAME] => return print(Ok(openapi::backoffice_document())),
        ["--settings"] => return print(Ok(settings::document())),
        ["--wire", document] => return print(wire::document(document)),
        ["conformance", ..] => return conformance::try_network(&words),
        _ => {}
    }
    service::run_all::<Config, _, _>(start)
}

/// Prints a document for a file. Its reader may stop before the end, which is no panic.
fn print(document: Result<String, String>) -> ExitCode {
    match document.and_then(|text| writeln!(io::stdout(), "{text}").map_err(|error| error.to_string())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(cause) => {
            eprintln!("{cause}");
            ExitCode::FAILURE
        }
    }
}

/// Starts every service, loads the demo pack where it was never loaded, and tells a person where to look.
async fn start(mut config: Config) -> Result<Vec<Running>, StartError> {
    config.refuse_production()?;
    let brands = Brands::load(&config.brands_file).map_err(|error| StartError::Setting(error.to_string()))?;
    let ports = config.ports()?;
    lock(&config.store.data_dir)?;
    let keys = keys::load_or_make(&config.store.data_dir)?;
    for kind in ["media", "images"] {
        std::fs::create_dir_all(config.published_dir(kind))
            .map_err(|error| StartError::Setting(format!("DATA_DIR: {error}")))?;
    }
    if !config.demo_networks.as_os_str().is_empty() {
        config.brands_file =
            demo_networks::combine(&config.brands_file, &config.demo_networks, &config.store.data_dir)?;
    }

    let demo = read_demo(&config, &brands)?;
    let gateway = gateway::Bound::new(config.gateway(&ports, &keys)?)?;

    // Side by side: each brings its own tables up to date, and a taken port or a bad setting of any ends the start of all.
    let services = tokio::try_join!(
        operator_sandbox::start(config.operator_sandbox(&ports)),
        subscription::start(config.subscription(&ports, &keys)),
        comedy::start(config.comedy(&ports, &keys)),
        diski::start(config.diski(&ports, &keys)),
        meme::start(config.meme(&ports, &keys)),
        tt::start(config.tt(&ports, &keys)),
        backoffice::start(config.backoffice(&ports, &keys)),
    )?;
    if let Some(demo) = demo {
        load_demo(&demo, &config, &ports).await?;
    }
    // The gateway answers last, so that its first visitor finds every service.
    let gateway = gateway.serve()?;
    let (sandbox, subscription, comedy, diski, meme, tt, (backoffice, first_link)) = services;
    // It stops first, so that no request comes in while services stop.
    let running = vec![gateway, backoffice, comedy, diski, meme, tt, subscription, sandbox];

    welcome::print(&config, &brands, &ports, first_link.as_deref());
    Ok(running)
}

/// Keeps a second family off the folder for as long as this process lives: both would bill the subscribers in it.
fn lock(data_dir: &Path) -> Result<(), StartError> {
    static LOCK: OnceLock<File> = OnceLock::new();
    let fault = |cause: String| StartError::Setting(format!("DATA_DIR: {}: {cause}", data_dir.display()));
    std::fs::create_dir_all(data_dir).map_err(|error| fault(error.to_string()))?;
    let file = File::create(data_dir.join("lock")).map_err(|error| fault(error.to_string()))?;
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => fault("another family runs on this folder".to_owned()),
        TryLockError::Error(error) => fault(error.to_string()),
    })?;
    LOCK.get_or_init(|| file);
    Ok(())
}

fn read_demo(config: &Config, brands: &Brands) -> Result<Option<Manifest>, StartError> {
    config.demo_manifest().map(|path| Manifest::read(path, brands)).transpose().map_err(unusable)
}

/// In one line, as every reason that keeps a family from starting.
fn unusable(error: impl std::fmt::Display) -> StartError {
    StartError::Setting(format!("DEMO_MANIFEST: {}", error.to_string().lines().collect::<Vec<_>>().join("; ")))
}

/// The same path editors use; a service that has had an import is left alone, so that edits stay.
async fn load_demo(demo: &Manifest, config: &Config, ports: &config::Ports) -> Result<(), StartError> {
    let services = Services {
        comedy: ports.url(ports.comedy),
        diski: ports.url(ports.diski),
        meme: ports.url(ports.meme),
        tt: ports.url(ports.tt),
        admin_token: config.admin_token.clone(),
    };
    let summaries = content::import(demo, &services, Options { once: true, ..Options::default() }, |_| {})
        .await
        .map_err(unusable)?;
    for summary in summaries.iter().filter(|summary| summary.is_any()) {
        let service = &summary.service;
        let added: i64 = summary.changes.iter().map(|change| change.added).sum();
        let changed: i64 = summary.changes.iter().map(|change| change.changed).sum();
        tracing::info!(
            content.service = service,
            content.added = added,
            content.changed = changed,
            "the demo pack of {service} is loaded"
        );
    }
    Ok(())
}
