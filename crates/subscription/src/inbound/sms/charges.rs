//! WHY and REFUND: why the last charge was made, and a complaint about it.

use std::sync::Arc;

use brands::Brand;
use chrono::{Datelike, NaiveDate, NaiveDateTime};
use diesel::prelude::*;
use languages::FluentArgs;
use store::DbConnection;

use crate::{
    billing::complaints::{self, LastCharge},
    error::Error,
    inbound::sms::{Request, is_running, replies::MAX_REPLIES},
    messages::outbox,
    schema::{consents, tries},
    subscribers::{calendar, subscriptions::Subscription, text::format_rand},
};

/// A subscription that was charged, its service, and its last charge.
type Charged = (Subscription, Arc<Brand>, LastCharge);

impl Request<'_> {
    /// Tells of each service, or of the one that the SMS names, what was charged last and by which consent.
    pub(crate) fn explain_charges(&self, conn: &mut DbConnection) -> Result<(), Error> {
        let charged = self.charged(conn)?;
        if charged.is_empty() {
            return self.reply_about_no_charge(conn);
        }
        if !self.may_reply(conn, MAX_REPLIES)? {
            return Ok(());
        }
        let mut replies = Vec::new();
        for (subscription, brand, charge) in &charged {
            let price = (subscription.price_cents, subscription.period.as_str());
            let (agreed, by) = agreement(conn, charge.consent_id)?;
            let mut own = self.amount_and_date(charge.cents, &charge.day);
            own.extend([("agreed", agreed), ("by", by)]);
            replies.push(self.message(brand, price, "sms-why").sms_with(self.policy(), &own));
        }
        outbox::enqueue_sms(conn, replies, self.sms.now)
    }

    /// Complains about the last charge, of the one service that was charged or that the SMS names.
    pub(crate) fn complain(&self, conn: &mut DbConnection) -> Result<(), Error> {
        let mut charged = self.charged(conn)?;
        if charged.len() > 1 {
            let brands: Vec<_> = charged.into_iter().map(|(_, brand, _)| brand).collect();
            return self.reply_with_names(conn, &brands, "sms-which-refund");
        }
        let Some((subscription, brand, _)) = charged.pop() else { return self.reply_about_no_charge(conn) };
        let Some(subscription) = Subscription::lock_by_id(conn, subscription.id)? else { return Ok(()) };
        let outcome = complaints::complain(conn, &subscription, None, "sms", self.sms.now)?;
        if !self.may_reply(conn, MAX_REPLIES)? {
            return Ok(());
        }
        let mut own = self.amount_and_date(outcome.cents, outcome.day.as_deref().unwrap_or_default());
        let id = match outcome.case_id {
            Some(case_id) => {
                own.push(("case", case_id.to_string()));
                "sms-case"
            }
            None => "sms-refunded",
        };
        let price = (subscription.price_cents, subscription.period.as_str());
        let reply = self.message(&brand, price, id).sms_with(self.policy(), &own);
        outbox::enqueue_sms(conn, vec![reply], self.sms.now)
    }

    /// The last charges: of the service that the SMS names, else of those that run, else of those that have ended.
    fn charged(&self, conn: &mut DbConnection) -> Result<Vec<Charged>, Error> {
        let mut charged = Vec::new();
        for subscription in Subscription::all_of_number(conn, self.msisdn)? {
            let Some(brand) = self.policy().brand(subscription.svc_id) else { continue };
            if let Some(charge) = LastCharge::of(conn, &subscription, self.sms.now)? {
                charged.push((subscription, brand, charge));
            }
        }
        if charged.iter().any(|(_, brand, _)| self.names(brand)) {
            charged.retain(|(_, brand, _)| self.names(brand));
        } else if charged.iter().any(|(subscription, ..)| is_running(subscription)) {
            charged.retain(|(subscription, ..)| is_running(subscription));
        }
        Ok(charged)
    }

    fn reply_about_no_charge(&self, conn: &mut DbConnection) -> Result<(), Error> {
        let running = Subscription::all_of_number(conn, self.msisdn)?.into_iter().find(is_running);
        match running.and_then(|one| Some((self.policy().brand(one.svc_id)?, one))) {
            Some((brand, one)) => {
                let price = (one.price_cents, one.period.as_str());
                self.reply_priced(conn, &brand, price, "sms-no-charge", MAX_REPLIES)
            }
            None => self.reply_without_subscription(conn, MAX_REPLIES),
        }
    }

    /// The placeholders of a charge.
    fn amount_and_date(&self, cents: i64, day: &str) -> Vec<(&'static str, String)> {
        let day: NaiveDate = day.parse().unwrap_or_default();
        let date = FluentArgs::from_iter([("day", day.day()), ("month", day.month())]);
        vec![("amount", format_rand(cents)), ("date", self.language.text("date", &date))]
    }
}

/// When a consent was given, and where: "page", "network" or "sms"; "none" where no consent is kept.
fn agreement(conn: &mut DbConnection, consent_id: Option<i64>) -> Result<(String, String), Error> {
    let found: Option<(NaiveDateTime, Option<String>)> = consents::table
        .left_join(tries::table.on(tries::id.eq(consents::attempt)))
        .filter(consents::id.nullable().eq(consent_id))
        .select((consents::at, tries::price_source.nullable()))
        .first(conn)
        .optional()?;
    let Some((at, by)) = found else { return Ok((String::new(), "none".to_owned())) };
    let by = by.filter(|by| !by.is_empty()).unwrap_or_else(|| "none".to_owned());
    Ok((calendar::day_of(at).format("%d/%m/%Y").to_string(), by))
}
