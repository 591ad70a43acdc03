//! The SMSes to people: the one place where a message to a person is written.
//!
//! Each names the service and the helpline; the welcome and the reminder also the words "subscription service", the provider, the price
//! with VAT and how to stop. They keep to the GSM alphabet and, with the usual names, to the 160 characters of one SMS.

use brands::Brand;
use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use serde_json::Value;
use store::DbConnection;

use crate::{
    billing::calendar,
    error::Error,
    life::{Cause, State},
    outbox::{self, Priority, Sms},
    schema::events,
    subscriptions::Subscription,
    terms::Terms,
};

/// For how long an SMS answers what the person did.
const JUST_DONE: TimeDelta = TimeDelta::hours(1);

/// A move of a subscription.
pub(crate) struct Move<'a> {
    pub from: State,
    pub to: State,
    pub cause: Cause,
    /// When the cause came about.
    pub happened_at: NaiveDateTime,
    /// What is kept with the move; of an unpaid day its `day`.
    pub evidence: &'a Value,
}

/// What a subscription costs.
struct Price<'a> {
    cents: i64,
    period: &'a str,
}

impl std::fmt::Display for Price<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{} incl. VAT", rand(self.cents), self.period)
    }
}

/// A subscription that is to be reminded of.
#[derive(Queryable)]
pub(crate) struct Reminded {
    pub subscription_id: i64,
    pub msisdn: String,
    pub svc_id: i32,
    pub price_cents: i64,
    pub period: String,
}

/// Puts in the SMS that a move is followed by, if there is one. What waits and tells the state before is dropped.
pub(crate) fn after_move(
    conn: &mut DbConnection,
    terms: &Terms,
    subscription: &Subscription,
    made: &Move<'_>,
    now: NaiveDateTime,
) -> Result<(), Error> {
    outbox::drop_outdated(conn, subscription)?;
    let Some(brand) = terms.brand(subscription.svc_id) else { return Ok(()) };
    let name = &brand.name;
    let price = Price { cents: subscription.price_cents, period: &subscription.period };
    let help = format!("Help: {}", brand.helpline);
    let welcome = || {
        let (stop, provider) = (how_to_stop(terms, &brand), terms.brands.provider());
        format!("Welcome to {name}, a subscription service of {provider}: {price}. {stop} {help}")
    };
    let no_more = format!("You will not be charged again. {help}");
    let text = match (made.from, made.to, made.cause) {
        (State::Suspended, State::Active, Cause::Paid) if waited_for_first_payment(conn, subscription)? => welcome(),
        (_, State::Active, Cause::Confirmed) => welcome(),
        (_, State::Suspended, Cause::Unpaid) => {
            let (stop, cents, day) = (how_to_stop(terms, &brand), rand(price.cents), day_of(made).format("%-d %B"));
            format!(
                "{name} is paused: we could not charge {cents} on {day}. It goes on once a day is paid. {stop} {help}"
            )
        }
        (_, State::Suspended, _) => {
            let stop = how_to_stop(terms, &brand);
            format!("You joined {name}: {price}. The day is being charged; access opens once it is paid. {stop} {help}")
        }
        (State::Active | State::Suspended, State::Cancelled, Cause::Lapsed) => {
            format!("Your subscription to {name} has ended: nothing was charged for 30 days. {no_more}")
        }
        (State::Active | State::Suspended, State::Cancelled, Cause::Churned | Cause::UnknownToNetwork) => {
            format!("Your network has ended your subscription to {name}. {no_more}")
        }
        (State::Active | State::Suspended, State::Cancelled, _) => format!("You have left {name}. {no_more}"),
        _ => return Ok(()),
    };
    let did_something = matches!(made.cause, Cause::Confirmed | Cause::ConfirmedUnpaid | Cause::Left | Cause::Stopped);
    // An answer in the night is for a person who is awake, and not for one whose network tells us hours later.
    let is_answer = did_something && now - made.happened_at <= JUST_DONE;
    let sms = Sms {
        network: brand.network.clone(),
        msisdn: subscription.msisdn.as_str().to_owned(),
        svc_id: subscription.svc_id,
        text,
        priority: if is_answer { Priority::Urgent } else { Priority::Normal },
        // Welcome and goodbye stay true of what happened; that access is shut does not stay true.
        state_of: (made.to == State::Suspended).then_some(subscription.id),
    };
    outbox::put_sms(conn, vec![sms], now)
}

/// Puts in that a charge which was on its way when the person left is given back.
pub(crate) fn given_back(
    conn: &mut DbConnection,
    terms: &Terms,
    subscription: &Subscription,
    cents: i64,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let Some(brand) = terms.brand(subscription.svc_id) else { return Ok(()) };
    let Brand { name, helpline, network, .. } = &*brand;
    let cents = rand(cents);
    let text = format!(
        "A charge of {cents} for {name} was on its way when you left. It is given back: you pay nothing for it. \
         Help: {helpline}"
    );
    let sms = Sms {
        network: network.clone(),
        msisdn: subscription.msisdn.as_str().to_owned(),
        svc_id: subscription.svc_id,
        text,
        priority: Priority::Normal,
        state_of: None,
    };
    outbox::put_sms(conn, vec![sms], now)
}

/// Puts in the reminder of a month for each of these subscriptions of a network.
pub(crate) fn remind(
    conn: &mut DbConnection,
    terms: &Terms,
    network: &str,
    reminded: Vec<Reminded>,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let messages =
        reminded.into_iter().filter_map(|Reminded { subscription_id, msisdn, svc_id, price_cents, period }| {
            let brand = terms.brand(svc_id)?;
            let price = Price { cents: price_cents, period: &period };
            let text = reminder(terms, &brand, &price);
            let (network, state_of) = (network.to_owned(), Some(subscription_id));
            Some(Sms { network, msisdn, svc_id, text, priority: Priority::Bulk, state_of })
        });
    outbox::put_sms(conn, messages.collect(), now)
}

fn reminder(terms: &Terms, brand: &Brand, price: &Price<'_>) -> String {
    let Brand { name, helpline, .. } = brand;
    let (stop, provider) = (how_to_stop(terms, brand), terms.brands.provider());
    format!("You are subscribed to {name}, a subscription service of {provider}: {price}. {stop} Help: {helpline}")
}

fn how_to_stop(terms: &Terms, brand: &Brand) -> String {
    match terms.brands.network_of(brand).and_then(|network| network.stop_number.clone()) {
        Some(number) => format!("To stop, SMS STOP to {number}."),
        None => "To stop, reply STOP.".to_owned(),
    }
}

/// Whether a suspended subscription was one from its join on: who joined has no welcome yet.
fn waited_for_first_payment(conn: &mut DbConnection, subscription: &Subscription) -> Result<bool, Error> {
    let cause: Option<String> = events::table
        .filter(events::subscription_id.eq(subscription.id).and(events::to_state.eq(State::Suspended.as_str())))
        .order(events::id.desc())
        .select(events::cause)
        .first(conn)
        .optional()?;
    Ok(cause.is_some_and(|cause| cause != Cause::Unpaid.as_str()))
}

/// The day that was not paid, which is over where the network tells us late.
fn day_of(made: &Move<'_>) -> NaiveDate {
    let day = made.evidence.get("day").and_then(Value::as_str).and_then(|day| day.parse().ok());
    day.unwrap_or_else(|| calendar::day_of(made.happened_at))
}

/// `R3`, or `R3.50` where cents remain.
pub(crate) fn rand(cents: i64) -> String {
    match cents % 100 {
        0 => format!("R{}", cents / 100),
        rest => format!("R{}.{rest:02}", cents / 100),
    }
}

#[cfg(test)]
mod tests {
    use diesel::{Connection, SqliteConnection};
    use identity::Msisdn;
    use operator::SmsRequest;
    use serde_json::json;

    use super::*;
    use crate::{
        schema::{outbox as table, subscriptions},
        terms::ChargeSecret,
    };

    struct Place {
        conn: DbConnection,
        terms: Terms,
        subscription: Subscription,
    }

    fn at(text: &str) -> NaiveDateTime {
        NaiveDateTime::parse_from_str(text, service::timestamp::FORMAT).unwrap()
    }

    fn place() -> Place {
        let mut conn = DbConnection::Sqlite(SqliteConnection::establish(":memory:").unwrap());
        store::migrate(&mut conn, crate::NAME, crate::MIGRATIONS).unwrap();
        let secret = ChargeSecret::new(b"dev-notify").unwrap();
        let terms = Terms { brands: testkit::brands(), secret, test_msisdn: None };
        let msisdn = Msisdn::parse("27821234567").unwrap();
        let subscription = Subscription::lock(&mut conn, &msisdn, 150, at("2026-11-01 08:00:00")).unwrap();
        Place { conn, terms, subscription }
    }

    impl Place {
        /// The text and priority of the SMS that follows a move.
        fn after(&mut self, from: State, to: State, cause: Cause, evidence: &Value) -> Option<(String, i32)> {
            let now = at("2026-11-30 02:00:00");
            diesel::delete(table::table).execute(&mut self.conn).unwrap();
            let made = Move { from, to, cause, happened_at: now, evidence };
            after_move(&mut self.conn, &self.terms, &self.subscription, &made, now).unwrap();
            let (body, priority): (String, i32) =
                table::table.select((table::body, table::priority)).first(&mut self.conn).optional().unwrap()?;
            let text = serde_json::from_str::<SmsRequest>(&body).unwrap().text;
            assert!(text.is_ascii() && text.len() <= 160, "{} characters: {text}", text.len());
            Some((text, priority))
        }
    }

    fn assert_names_everything(text: &str) {
        for part in
            ["subscription service", "Spaza", "R3/day incl. VAT", "MEMEWORLD", "SMS STOP to 31222", "080 000 0150"]
        {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn a_welcome_and_a_reminder_name_price_provider_service_stop_and_help() {
        let mut place = place();
        let (text, priority) = place.after(State::Pending, State::Active, Cause::Confirmed, &Value::Null).unwrap();
        assert_names_everything(&text);
        assert_eq!(priority, 0);
        let price = Price { cents: 300, period: "day" };
        for brand in place.terms.brands.iter() {
            let text = reminder(&place.terms, &brand, &price);
            assert!(text.len() <= 160, "{text}");
        }
        let brand = place.terms.brand(150).unwrap();
        assert_names_everything(&reminder(&place.terms, &brand, &price));
    }

    #[test]
    fn an_unpaid_day_is_named_and_is_not_urgent() {
        let evidence = json!({"ledger": 1, "day": "2026-11-29"});
        let (text, priority) = place().after(State::Active, State::Suspended, Cause::Unpaid, &evidence).unwrap();
        assert!(text.contains("on 29 November") && !text.contains("today"), "{text}");
        assert_eq!(priority, 1);
    }

    #[test]
    fn a_join_that_waits_for_money_is_welcomed_when_it_is_paid() {
        let mut place = place();
        let entered = |place: &mut Place, cause: Cause| {
            diesel::insert_into(events::table)
                .values((
                    events::subscription_id.eq(place.subscription.id),
                    events::at.eq(at("2026-11-30 01:00:00")),
                    events::to_state.eq("suspended"),
                    events::cause.eq(cause.as_str()),
                    events::evidence.eq("null"),
                ))
                .execute(&mut place.conn)
                .unwrap();
        };
        let (text, priority) =
            place.after(State::Cancelled, State::Suspended, Cause::ConfirmedUnpaid, &Value::Null).unwrap();
        assert!(text.contains("once it is paid") && text.contains("R3/day incl. VAT"), "{text}");
        assert_eq!(priority, 0);
        entered(&mut place, Cause::ConfirmedUnpaid);
        let (text, priority) = place.after(State::Suspended, State::Active, Cause::Paid, &Value::Null).unwrap();
        assert_names_everything(&text);
        assert_eq!(priority, 1, "the payment is nothing that the person just did");
        entered(&mut place, Cause::Unpaid);
        assert_eq!(place.after(State::Suspended, State::Active, Cause::Paid, &Value::Null), None);
    }

    #[test]
    fn an_end_says_whose_doing_it_was() {
        let mut place = place();
        for (cause, part, expected) in [
            (Cause::Left, "You have left MEMEWORLD", 0),
            (Cause::Stopped, "You have left MEMEWORLD", 0),
            (Cause::Churned, "Your network has ended", 1),
            (Cause::Lapsed, "30 days", 1),
        ] {
            let (text, priority) = place.after(State::Suspended, State::Cancelled, cause, &Value::Null).unwrap();
            assert!(text.contains(part) && text.contains("not be charged again"), "{text}");
            assert_eq!(priority, expected, "{cause:?}");
        }
        assert_eq!(place.after(State::Pending, State::Cancelled, Cause::Expired, &Value::Null), None);
    }

    #[test]
    fn a_notice_that_was_never_sent_is_dropped_when_the_state_changes() {
        let mut place = place();
        let now = at("2026-11-30 22:30:00");
        let paused = Move {
            from: State::Active,
            to: State::Suspended,
            cause: Cause::Unpaid,
            happened_at: now,
            evidence: &Value::Null,
        };
        after_move(&mut place.conn, &place.terms, &place.subscription, &paused, now).unwrap();
        given_back(&mut place.conn, &place.terms, &place.subscription, 300, now).unwrap();
        let paid = Move { from: State::Suspended, to: State::Active, cause: Cause::Paid, ..paused };
        after_move(&mut place.conn, &place.terms, &place.subscription, &paid, now).unwrap();
        let bodies: Vec<String> = table::table.select(table::body).load(&mut place.conn).unwrap();
        assert_eq!(bodies.len(), 1);
        assert!(bodies[0].contains("given back"), "{bodies:?}");
        assert_eq!(subscriptions::table.count().get_result::<i64>(&mut place.conn).unwrap(), 1);
    }

    #[test]
    fn cents_are_written_where_there_are_any() {
        assert_eq!((rand(300).as_str(), rand(350).as_str(), rand(305).as_str()), ("R3", "R3.50", "R3.05"));
    }
}
