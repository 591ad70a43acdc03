//! How editors' work comes into a catalogue: a manifest is staged in batches, compared, and applied in one transaction.
//!
//! A catalogue says in a list of [`Table`](crate::manifest::Table)s what it publishes. From that alone `compare` finds what a staged
//! manifest would change and what is wrong with it, and `apply` changes it, by a handful of statements however many records there are.
//! `sessions` is how both are asked for over HTTP.

pub(crate) mod apply;
mod compare;
mod sessions;
mod staged;

pub use compare::{Change, Comparison, Fault};
pub(crate) use sessions::{
    __path_apply_import, __path_check_import, __path_drop_import, __path_open_import, apply_import, check_import,
    drop_import, open_import,
};
pub use sessions::{ImportCount, ImportOrder, OpenedImport};
pub(crate) use staged::stage;
pub use staged::{Accepted, MAX_BATCH_BYTES};
