//! The comedy service as a process of its own.

fn main() -> std::process::ExitCode {
    artists::run::<comedy::Config, _, _>(comedy::PUBLICATION, comedy::start)
}
