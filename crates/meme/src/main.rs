//! The meme service as a process of its own.

fn main() -> std::process::ExitCode {
    store::run::<meme::Config, _, _>(meme::PUBLICATION.name, meme::PUBLICATION.migrations, meme::start)
}
