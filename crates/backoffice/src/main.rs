//! The back office as a process of its own.

fn main() -> std::process::ExitCode {
    store::run::<backoffice::Config, _, _>(backoffice::NAME, backoffice::MIGRATIONS, |config| async {
        let (running, link) = backoffice::start(config).await?;
        if let Some(link) = link {
            // Without an administrator this line is the only way in; the link works once, and a restart replaces it.
            tracing::warn!(link, "there is no administrator: the first one opens {link}");
        }
        Ok(running)
    })
}
