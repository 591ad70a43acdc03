//! What a subscriber agrees to beside price and period: the day of the first charge, and smaller amounts when airtime is low. The join page, the
//! network's page, the consent and the SMSes say it after the price.

use brands::{NetworkOffer, Offer, Parts};
use chrono::{Datelike, NaiveDate};
use identity::SubscriberId;
use languages::{FluentArgs, Language};
use store::DbConnection;

use crate::{
    error::Error,
    subscribers::{
        subscriptions::{Subscription, first_after},
        text::format_rand,
    },
};

/// The version of the terms that the join pages show.
pub(crate) const TERMS_VERSION: &str = "2026-11-29";

/// The terms of an offer, as one number gets them.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Terms {
    /// The day of the first charge, where the days before it are free.
    pub first_charge: Option<NaiveDate>,
    /// The amounts that may be charged for a day.
    pub parts: Parts,
}

impl Terms {
    /// As the join page shows them to everyone: a free day is there for numbers that never had the service.
    pub fn on_page(offer: Offer, today: NaiveDate) -> Self {
        Self { first_charge: first_after(today, offer.free_days), parts: offer.parts }
    }

    /// As a number gets them that joins on the day `today`.
    pub fn of_number(
        conn: &mut DbConnection,
        (msisdn, svc_id): (&SubscriberId, i32),
        offer: &NetworkOffer,
        today: NaiveDate,
    ) -> Result<Self, Error> {
        let terms = Self::on_page(offer.offer(), today);
        if terms.first_charge.is_none() {
            return Ok(terms);
        }
        Ok(match Subscription::of_number(conn, msisdn, svc_id)? {
            Some(subscription) => {
                Self { first_charge: subscription.first_charge(conn, offer.free_days, today)?, ..terms }
            }
            None => terms,
        })
    }

    /// Of a subscription on the day `today`.
    pub fn of_subscription(subscription: &Subscription, today: NaiveDate) -> Self {
        Self { first_charge: subscription.free_until.filter(|until| today < *until), parts: subscription.parts }
    }

    /// The free days that a confirmation starts: none where the number is in its free days already.
    pub fn started_days(self, free_days: i32, today: NaiveDate) -> i32 {
        if self.first_charge == first_after(today, free_days) { free_days } else { 0 }
    }

    /// The sentences after a price; empty where there is nothing to add.
    pub fn text(self, language: Language, price_cents: i64) -> String {
        let mut placeholders = FluentArgs::from_iter([("amount", format_rand(price_cents))]);
        let mut sentences = Vec::new();
        if let Some(first) = self.first_charge {
            placeholders.set("day", first.day());
            placeholders.set("month", first.month());
            sentences.push(language.text("first-charge", &placeholders));
        }
        let mut smaller = self.parts.amounts().skip(1).map(format_rand);
        if let Some(second) = smaller.next() {
            placeholders.set("second", second);
            placeholders.set("third", smaller.next().unwrap_or_else(|| "none".to_owned()));
            sentences.push(language.text("parts", &placeholders));
        }
        sentences.join(" ")
    }

    /// A text that has a price, and these terms after it.
    pub fn after(self, text: String, language: Language, price_cents: i64) -> String {
        match self.text(language, price_cents) {
            terms if terms.is_empty() => text,
            terms => format!("{text} {terms}"),
        }
    }
}
