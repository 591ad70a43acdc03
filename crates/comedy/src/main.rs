//! The comedy service's process.

fn main() -> std::process::ExitCode {
    store::run::<comedy::Config, _, _>(comedy::PUBLICATION.name, comedy::PUBLICATION.migrations, comedy::start)
}
