//! The tables with rows about persons.

use service::StaffText;
use store::personal_data::{Erasure, PersonalTable};

/// An erased like no longer counts.
const UNCOUNT: &str = "UPDATE memes SET likes = likes - 1 WHERE id IN (SELECT meme_id FROM likes WHERE msisdn = $1)";

/// All of them.
pub(crate) const TABLES: &[PersonalTable] = &[PersonalTable {
    name: "likes",
    about: StaffText::new("data-meme-likes"),
    of_number: Some("msisdn = $1"),
    exported: &["meme_id", "created", "msisdn", "person"],
    internal: &[],
    erasure: Erasure::Deleted(Some(UNCOUNT)),
    kept: None,
}];
