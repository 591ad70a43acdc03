//! How editors' work comes into a catalogue: a manifest is staged in batches, compared, and taken over in one transaction.
//!
//! A catalogue says in a list of [`Table`]s what it publishes. From that alone [`compare`] finds what a staged manifest would
//! change and what is wrong with it, and [`apply`] changes it, by a handful of statements however many records there are.
//! [`sessions`] is how it is asked for over HTTP, and [`take_downs`] what takes a single record off the lists.

mod apply;
mod compare;
mod desk;
mod error;
mod record;
mod sessions;
mod staged;
mod table;
mod take_downs;

pub use compare::{Change, Comparison, Fault};
pub use desk::Desk;
pub use error::Error;
pub use sessions::{
    __path_apply_import, __path_check_import, __path_drop_import, __path_open_import, ImportOrder, OpenedImport,
    apply_import, check_import, drop_import, open_import,
};
pub use staged::{Accepted, MAX_BATCH_BYTES, accept};
pub use table::{Link, Table};
pub use take_downs::{__path_list_take_downs, __path_take_down, TakeDown, TakeDownOrder, list_take_downs, take_down};

#[doc(hidden)]
pub use diesel;
#[doc(hidden)]
pub use store;
