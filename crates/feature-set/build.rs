//! Nothing is built here: cargo reads `[build-dependencies]` only where a script stands.
fn main() {}
