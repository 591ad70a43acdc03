//! The meme service's process.

fn main() -> std::process::ExitCode {
    store::run::<meme::Config, _, _>(meme::PUBLICATION.name, meme::PUBLICATION.migrations, meme::start)
}
