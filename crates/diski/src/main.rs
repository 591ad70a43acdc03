//! The diski service's process.

fn main() -> std::process::ExitCode {
    store::run::<diski::Config, _, _>(diski::PUBLICATION.name, diski::PUBLICATION.migrations, diski::start)
}
