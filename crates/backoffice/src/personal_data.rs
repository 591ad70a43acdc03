//! The tables with rows about subscribers. Those about staff are no subject of an export or an erasure of a number.

use store::personal_data::{Erasure, Keeping, PersonalTable};

const OF_NUMBER: Option<&str> = Some("number_id IN (SELECT id FROM numbers WHERE msisdn = $1)");

/// All of them, each below the tables that its rows are found by.
pub const TABLES: &[PersonalTable] = &[
    PersonalTable {
        name: "numbers",
        about: "That support has searched the number",
        of_number: Some("msisdn = $1"),
        exported: &["id", "msisdn", "searched_at"],
        internal: &[],
        erasure: Erasure::Deleted(None),
        kept: None,
    },
    PersonalTable {
        name: "lookups",
        about: "That a member of support has the number open",
        of_number: OF_NUMBER,
        exported: &["number_id", "at"],
        // By the token the number is reached.
        internal: &["token_hash", "session_id"],
        erasure: Erasure::Deleted(None),
        kept: None,
    },
    PersonalTable {
        name: "notes",
        about: "A note or a complaint that support wrote down",
        of_number: OF_NUMBER,
        exported: &["id", "number_id", "staff", "kind", "text", "at"],
        internal: &["staff_id"],
        erasure: Erasure::Deleted(None),
        kept: None,
    },
    PersonalTable {
        name: "refunds",
        about: "A refund that support requested",
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
        ],
        internal: &["staff_id"],
        erasure: Erasure::Untouched,
        kept: Some(Keeping {
            until: "for 84 months, without the number",
            why: "It shows who gave money back, and who approved it.",
        }),
    },
    PersonalTable {
        name: "erasures",
        about: "A request to erase the number's data",
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
        kept: Some(Keeping {
            until: "for 36 months, with the masked number",
            why: "It shows that the erasure was done.",
        }),
    },
    PersonalTable {
        name: "audit",
        about: "An entry of the log of what staff did about the number",
        of_number: None,
        exported: &[],
        internal: &["id", "at", "staff_id", "staff", "action", "subject", "details", "hash"],
        erasure: Erasure::Untouched,
        kept: Some(Keeping {
            until: "without end, with the masked number",
            why: "It shows who of our staff looked at a number. Each entry seals those before it, so none can be removed.",
        }),
    },
];
