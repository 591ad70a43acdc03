//! Measurements: side by side, in rounds, as ratios, because what a machine does in a second is no news but what it does
//! beside nginx in the same second is.
//!
//! Read `rows` (what is measured), then `rounds` (how turns are taken), `load` (the load generator) and `stage` (the servers
//! under it). `fixture` makes libraries of any size; `soak` loads the services for a long while and looks for faults.

pub mod fixture;
pub mod load;
pub mod process;
pub mod report;
pub mod rounds;
pub mod rows;
pub mod soak;
pub mod stage;
