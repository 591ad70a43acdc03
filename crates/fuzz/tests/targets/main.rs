//! Every parser that meets the outside, as a target of fuzzing: each says what holds whatever it is given.
//!
//! A plain `cargo test` runs a target's corpus (`__fuzz__/NAME/corpus`, one input a file), random bytes, and edits of the corpus's
//! inputs, all in a few seconds. `make fuzz` builds the same tests with coverage for libFuzzer.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test that cannot go on must say so and fail"
)]

/// A test of the name `fuzz` in the module of the target's own name: `target!("numbers", 5000, holds)`. The number is how many random
/// and how many edited inputs a plain test tries.
macro_rules! target {
    ($name:literal, $tries:literal, $holds:path) => {
        #[test]
        fn fuzz() {
            // Built for libFuzzer, this line never ends.
            bolero::check!(name = $name).with_iterations($tries).for_each(|input: &[u8]| $holds(input));
            let corpus = $crate::corpora::inputs($name);
            bolero::check!(name = concat!($name, "-edited"))
                .with_generator($crate::edits::any_of(corpus.len()))
                .with_iterations($tries)
                .for_each(|(chosen, edits)| $holds(&$crate::edits::edited(&corpus, *chosen, edits)));
        }
    };
}

mod brands_file;
mod camara;
mod corpora;
mod edits;
mod forms;
mod hosts;
mod image_addresses;
mod image_bytes;
mod keywords;
mod manifests;
mod notifications;
mod numbers;
mod paths;
mod proxies;
mod queries;
mod ranges;
mod requests;
mod sessions;
mod soap;
