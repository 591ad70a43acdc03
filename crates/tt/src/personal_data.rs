//! The tables with rows about persons.

use store::personal_data::{Erasure, PersonalTable};

/// All of them.
pub(crate) const TABLES: &[PersonalTable] = &[
    PersonalTable {
        name: "likes",
        about: "A video that you liked",
        of_number: Some("msisdn = $1"),
        exported: &["video_id", "service", "created", "msisdn"],
        internal: &[],
        erasure: Erasure::Deleted(None),
        kept: None,
    },
    PersonalTable {
        name: "watchlist",
        about: "A video on your watchlist",
        of_number: Some("msisdn = $1"),
        exported: &["video_id", "service", "created", "msisdn"],
        internal: &[],
        erasure: Erasure::Deleted(None),
        kept: None,
    },
];
