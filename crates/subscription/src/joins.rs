//! What a visitor does on the sites: `join`, `verify`, `check_sub`, `leave`, `me`, `receipt`, `language`, `saving_key`.
//!
//! `human_check` holds joins that do not look like a person's, `number_verification` has the network tell the SIM's number, `sim_swap`
//! whether the SIM is new, and `recycling` whether the number is another person's by now; `opt_in` redirects browsers to the network's page, and `wording` is what they agree to. `network_events` applies what a
//! network reports of joins and stops, `ending` ends subscriptions. `opt_in_link` does so without a form, `return_message` says after
//! the return what came of it, and `continue_to` is the page that the visitor wanted. `visitor` is who calls, `test_session` the session of the test number.

pub(crate) mod check_sub;
pub(crate) mod continue_to;
pub(crate) mod ending;
pub(crate) mod human_check;
pub(crate) mod join;
pub(crate) mod language;
pub(crate) mod leave;
pub(crate) mod me;
pub(crate) mod network_events;
pub(crate) mod number_verification;
pub(crate) mod opt_in;
pub(crate) mod opt_in_link;
pub(crate) mod receipt;
pub(crate) mod recycling;
pub(crate) mod return_message;
pub(crate) mod saving_key;
pub(crate) mod sim_swap;
pub(crate) mod test_session;
pub(crate) mod verify;
pub(crate) mod visitor;
pub(crate) mod wording;
