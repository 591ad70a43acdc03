//! The gateway as a process of its own.

fn main() -> std::process::ExitCode {
    web::run::<gateway::Config, _, _>(gateway::start)
}
