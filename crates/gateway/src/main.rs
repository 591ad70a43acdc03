//! The gateway as a process of its own.

fn main() -> std::process::ExitCode {
    service::run::<gateway::Config, _, _>(gateway::start)
}
