//! The operator sandbox as a process of its own.

fn main() -> std::process::ExitCode {
    store::run::<operator_sandbox::Config, _, _>(
        operator_sandbox::OWNER,
        operator_sandbox::MIGRATIONS,
        operator_sandbox::start,
    )
}
