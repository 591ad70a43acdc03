//! The video-on-demand service's process.

fn main() -> std::process::ExitCode {
    store::run::<tt::Config, _, _>(tt::PUBLICATION.name, tt::PUBLICATION.migrations, tt::start)
}
