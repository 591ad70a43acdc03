//! What the SMSes say: price, service, how to stop, helpline.

use brands::{Brand, PRICE_CENTS};

use crate::life::{Cause, State};

/// The SMS that a move is followed by.
pub(crate) fn after_move(brand: &Brand, from: State, to: State, cause: Cause) -> Option<String> {
    let Brand { name, helpline, .. } = brand;
    match (from, to) {
        (State::New | State::Pending | State::Cancelled, State::Active) => Some(format!(
            "Welcome to {name}! You are subscribed at {} a day, until you stop. To stop, reply STOP. Help: {helpline}.",
            rand(PRICE_CENTS)
        )),
        (_, State::Suspended) => Some(format!(
            "We could not charge {} for {name} today, so it is paused. Top up and it goes on; we try once a day. \
             To stop, reply STOP. Help: {helpline}.",
            rand(PRICE_CENTS)
        )),
        (State::Suspended, State::Cancelled) if cause == Cause::Lapsed => Some(format!(
            "Your subscription to {name} has ended: there was no charge for 30 days. You will not be charged again. \
             Help: {helpline}."
        )),
        (State::Active | State::Suspended, State::Cancelled) => {
            Some(format!("You have left {name}. You will not be charged again. Help: {helpline}."))
        }
        _ => None,
    }
}

/// The SMS of every month.
pub(crate) fn reminder(brand: &Brand) -> String {
    let Brand { name, helpline, .. } = brand;
    format!(
        "You are subscribed to {name} at {} a day, until you stop. To stop, reply STOP. Help: {helpline}.",
        rand(PRICE_CENTS)
    )
}

/// `R3`, or `R3.50` where cents remain.
fn rand(cents: i64) -> String {
    match cents % 100 {
        0 => format!("R{}", cents / 100),
        rest => format!("R{}.{rest:02}", cents / 100),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cents_are_written_where_there_are_any() {
        assert_eq!((rand(300).as_str(), rand(350).as_str(), rand(305).as_str()), ("R3", "R3.50", "R3.05"));
    }
}
