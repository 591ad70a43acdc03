//! The words of the ledger: kinds and statuses of its rows.

/// The kind of a charge.
pub(crate) const CHARGE: &str = "charge";
/// The kind of a refund.
pub(crate) const REFUND: &str = "refund";

/// To be sent, or in flight while it is claimed.
pub(crate) const PENDING: &str = "pending";
/// The network has made it.
pub(crate) const SETTLED: &str = "settled";
/// The network has not made it; a charge may be tried again the same day.
pub(crate) const FAILED: &str = "failed";
/// Sent with an unknown outcome.
pub(crate) const UNKNOWN: &str = "unknown";
