//! Import of manifests into a catalogue: a manifest is staged in batches, compared, and applied in one transaction.
//!
//! A catalogue lists what it publishes as [`Table`](crate::manifest::Table)s. From these, `compare` finds the changes and faults of a
//! staged manifest, and `apply` makes the changes with a few statements for any number of records. `sessions` has the HTTP handlers.

use chrono::NaiveDateTime;
use store::DbConnection;

use self::staged::OpenImport;
use crate::{Error, manifest::Table};

pub(crate) mod apply;
mod compare;
mod sessions;
mod staged;

pub(crate) use compare::compare;
pub use compare::{Change, Comparison, Fault};
pub(crate) use sessions::{
    __path_apply_import, __path_check_import, __path_drop_import, __path_open_import, apply_import, check_import,
    drop_import, open_import,
};
pub use sessions::{ImportCount, ImportOrder, OpenedImport};
pub(crate) use staged::stage;
pub use staged::{Accepted, MAX_BATCH_BYTES};

/// Opens an import that removes nothing.
pub(crate) fn open(
    conn: &mut DbConnection,
    tables: &[Table],
    service: &str,
    digest: &str,
    now: NaiveDateTime,
) -> Result<OpenImport, Error> {
    staged::open(conn, tables, service, digest, false, now)
}
