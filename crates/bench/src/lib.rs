//! Benchmarks that compare two servers in alternating rounds and report ratios, since absolute numbers depend on the machine's load.
//!
//! Read `rows` (what is measured), then `rounds` (how contenders alternate), `load` (the load generator) and `stage` (the servers).
//! `fixture` makes test data of any size.

pub mod fixture;
pub mod load;
pub mod process;
pub mod report;
pub mod rounds;
pub mod rows;
pub mod stage;
