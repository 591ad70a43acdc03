//! Import of manifests into a catalogue: a manifest is staged in batches, compared, and applied in one transaction.
//!
//! A catalogue lists what it publishes as [`Table`](crate::manifest::Table)s. From these, `compare` finds the changes and faults of a
//! staged manifest, and `apply` makes the changes with a few statements for any number of records. `sessions` has the HTTP handlers of the
//! editors' tool. `uploads` stages a whole file, whose `difference` a person sees record by record before exactly that is applied.

use chrono::NaiveDateTime;
use store::DbConnection;

use self::staged::OpenImport;
use crate::{Error, manifest::Table};

pub(crate) mod apply;
mod compare;
mod difference;
mod media;
mod sessions;
pub(crate) mod staged;
mod uploads;

pub(crate) use compare::compare;
pub use compare::{Change, Comparison, Fault};
pub use difference::{Action, Difference, DifferenceQuery, Differences, FieldChange};
pub(crate) use media::{__path_list_media, list_media};
pub use media::{NewMedia, NewMediaList, RecordMedia};
pub(crate) use sessions::{
    __path_apply_import, __path_check_import, __path_drop_import, __path_open_import, apply_import, check_import,
    drop_import, open_import,
};
pub use sessions::{ApplyOrder, ImportCount, ImportOrder, OpenedImport};
pub(crate) use staged::stage;
pub use staged::{Accepted, MAX_BATCH_BYTES};
pub(crate) use uploads::{
    __path_get_import, __path_list_differences, __path_list_imports, __path_upload_file, get_import, list_differences,
    list_imports, upload_file,
};
pub use uploads::{FileImport, FileImports, MAX_FILE_BYTES, OpenFile, UploadQuery, Uploaded};

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
