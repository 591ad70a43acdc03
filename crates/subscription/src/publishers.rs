//! Publishers, the campaigns that bring visitors: `counts` of what became of their joins, the `list` that staff search, and the `evidence` about
//! one. `announce` makes a state change known: to the subscriber by SMS, to the counters, and to the publisher's counts.

pub(crate) mod announce;
pub(crate) mod counts;
pub(crate) mod evidence;
pub(crate) mod list;
