//! One set of features of third-party crates, for the tests of all crates: see `Cargo.toml`.
