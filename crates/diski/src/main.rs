//! The diski service as a process of its own.

fn main() -> std::process::ExitCode {
    web::run::<diski::Config, _, _>(diski::start)
}
