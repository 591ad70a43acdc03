//! The tables with rows about subscribers. Those about staff are no subject of an export or an erasure of a number.

use service::StaffText;
use store::personal_data::{Erasure, Keeping, PersonalTable};

const OF_NUMBER: Option<&str> = Some("number_id IN (SELECT id FROM numbers WHERE msisdn = $1)");

/// All of them, each below the tables that its rows are found by.
pub const TABLES: &[PersonalTable] = &[
    PersonalTable {
        name: "numbers",
        about: StaffText::new("data-number-searched"),
        of_number: Some("msisdn = $1"),
        exported: &["id", "msisdn", "searched_at"],
        internal: &[],
        erasure: Erasure::Deleted(None),
        kept: None,
    },
    PersonalTable {
        name: "lookups",
        about: StaffText::new("data-lookups"),
        of_number: OF_NUMBER,
        exported: &["number_id", "at"],
        // By the token the number is reached.
        internal: &["token_hash", "session_id"],
        erasure: Erasure::Deleted(None),
        kept: None,
    },
    PersonalTable {
        name: "notes",
        about: StaffText::new("data-notes"),
        of_number: OF_NUMBER,
        exported: &["id", "number_id", "staff", "kind", "text", "at"],
        internal: &["staff_id"],
        erasure: Erasure::Deleted(None),
        kept: None,
    },
    PersonalTable {
        name: "private_drafts",
        about: StaffText::new("data-private-drafts"),
        of_number: OF_NUMBER,
        exported: &["number_id", "at"],
        // Its text is nothing that its author has stated yet.
        internal: &["staff_id", "form", "text", "version", "holds"],
        erasure: Erasure::Deleted(None),
        kept: None,
    },
    PersonalTable {
        name: "refunds",
        about: StaffText::new("data-refunds"),
        of_number: OF_NUMBER,
        exported: &[
            "id",
            "number_id",
            "ledger_id",
            "cents",
            "reason",
            "state",
            "staff",
            "at",
            "decided_by",
            "decided_at",
            "day",
            "service",
        ],
        internal: &["staff_id", "choice", "is_open"],
        erasure: Erasure::Untouched,
        kept: Some(Keeping { until: StaffText::new("until-refund"), why: StaffText::new("why-refund") }),
    },
    PersonalTable {
        name: "erasures",
        about: StaffText::new("data-erasures"),
        of_number: OF_NUMBER,
        exported: &[
            "id",
            "number_id",
            "masked",
            "reason",
            "state",
            "staff",
            "at",
            "decided_by",
            "decided_at",
            "cause",
            "kept",
            "finished_at",
        ],
        internal: &["staff_id", "decided_by_id"],
        erasure: Erasure::Untouched,
        kept: Some(Keeping { until: StaffText::new("until-erasure"), why: StaffText::new("why-erasure") }),
    },
    PersonalTable {
        name: "audit",
        about: StaffText::new("data-audit"),
        of_number: None,
        exported: &[],
        internal: &["id", "at", "staff_id", "staff", "action", "subject", "details", "hash"],
        erasure: Erasure::Untouched,
        kept: Some(Keeping { until: StaffText::new("until-audit"), why: StaffText::new("why-audit") }),
    },
];
