//! Builds the crate again when a language is added.

fn main() {
    println!("cargo::rerun-if-changed=../../frontend/languages");
}
