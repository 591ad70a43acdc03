//! The diski service as a process of its own.

fn main() -> std::process::ExitCode {
    artists::run::<diski::Config, _, _>(diski::PUBLICATION, diski::start)
}
