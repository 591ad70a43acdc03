//! The tables with rows about persons.

use service::StaffText;
use store::personal_data::{Erasure, PersonalTable};

/// All of them.
pub(crate) const TABLES: &[PersonalTable] = &[
    PersonalTable {
        name: "likes",
        about: StaffText::new("data-video-likes"),
        of_number: Some("msisdn = $1"),
        exported: &["video_id", "service", "created", "msisdn", "person"],
        internal: &[],
        erasure: Erasure::Deleted(None),
        kept: None,
    },
    PersonalTable {
        name: "watchlist",
        about: StaffText::new("data-watchlist"),
        of_number: Some("msisdn = $1"),
        exported: &["video_id", "service", "created", "msisdn", "person"],
        internal: &[],
        erasure: Erasure::Deleted(None),
        kept: None,
    },
];
