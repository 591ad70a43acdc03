//! The comedy service as a process of its own.

fn main() -> std::process::ExitCode {
    web::run::<comedy::Config, _, _>(comedy::start)
}
