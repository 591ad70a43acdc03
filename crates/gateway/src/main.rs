//! The gateway's process.

fn main() -> std::process::ExitCode {
    service::run::<gateway::Config, _, _>(gateway::start)
}
