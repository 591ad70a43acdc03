//! The diski service as a process of its own.

fn main() -> std::process::ExitCode {
    store::run::<diski::Config, _, _>(diski::PUBLICATION.name, diski::PUBLICATION.migrations, diski::start)
}
