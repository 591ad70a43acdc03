//! The video-on-demand service as a process of its own.

fn main() -> std::process::ExitCode {
    web::run::<tt::Config, _, _>(tt::start)
}
