//! The meme service as a process of its own.

fn main() -> std::process::ExitCode {
    web::run::<meme::Config, _, _>(meme::start)
}
