//! Nothing but tests: `tests/targets` fuzzes every parser that meets the outside.
