//! Who finds a record of a catalogue, now: its state, and whether its time has come and is not over.

/// Records that stand in lists: `listed`, published and not expired.
///
/// The table has the columns `state`, `publish_at` and `expires_at`.
#[macro_export]
macro_rules! listed {
    ($table:ident, $now:expr) => {
        $table::state.eq(service::manifest::LISTED).and($table::publish_at.le($now)).and($table::expires_at.gt($now))
    };
}

/// Records that answer by their own address: `listed` or `unlisted`, published and not expired.
#[macro_export]
macro_rules! found {
    ($table:ident, $now:expr) => {
        $table::state.ne(service::manifest::DELETED).and($table::publish_at.le($now)).and($table::expires_at.gt($now))
    };
}
