//! The video-on-demand service as a process of its own.

fn main() -> std::process::ExitCode {
    store::run::<tt::Config, _, _>(tt::PUBLICATION.name, tt::PUBLICATION.migrations, tt::start)
}
