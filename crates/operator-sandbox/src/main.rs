//! The operator sandbox as a process of its own.

fn main() -> std::process::ExitCode {
    web::run::<operator_sandbox::Config, _, _>(operator_sandbox::start)
}
