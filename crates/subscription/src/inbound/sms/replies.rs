//! Our replies to SMSes: which there are, and how many a number gets.

use brands::Brand;
use chrono::TimeDelta;
use diesel::prelude::*;
use store::DbConnection;

use crate::{
    error::Error,
    inbound::sms::{Request, is_running},
    messages::{outbox, texts::SmsReply},
    schema::inbound_sms,
    subscribers::{agreement::Terms, subscriptions::Subscription},
};

/// Replies to keywords for one number in 24 hours.
pub(crate) const MAX_REPLIES: i64 = 20;

/// Replies in 24 hours to what is no keyword, and to a STOP with nothing to end.
pub(crate) const MAX_UNREQUESTED_REPLIES: i64 = 1;

/// How long a network may take to pass an SMS on, so that our reply still counts as one to an action of the person.
const RECENT: TimeDelta = TimeDelta::hours(1);

impl Request<'_> {
    /// Tells price, helpline and how to stop: of the service that the SMS names, else of each that runs.
    pub(crate) fn help(&self, conn: &mut DbConnection, allowed: i64) -> Result<(), Error> {
        let subscriptions = Subscription::all_of_number(conn, self.msisdn)?;
        let running = subscriptions.iter().filter(|one| is_running(one));
        let mut about: Vec<_> = running
            .filter_map(|one| Some((self.policy().brand(one.svc_id)?, Some((one.price_cents, one.period.clone())))))
            .collect();
        let named: Vec<_> = self.policy().brands.iter().filter(|brand| self.names(brand)).collect();
        if !named.is_empty() {
            about.retain(|(brand, _)| named.iter().any(|named| named.svc_id == brand.svc_id));
            if about.is_empty() {
                about.extend(named.into_iter().map(|brand| (brand, None)));
            }
        }
        if about.is_empty() {
            return self.reply_without_subscription(conn, allowed);
        }
        if !self.may_reply(conn, allowed)? {
            return Ok(());
        }
        let replies = about.iter().map(|(brand, price)| {
            let offer = brand.offer_on(self.sms.network).map_or(brand.offer, |offer| offer.offer());
            let (cents, period) = match price {
                Some((cents, period)) => (*cents, period.as_str()),
                None => (offer.price_cents, offer.period.as_str()),
            };
            self.message(brand, (cents, period), "sms-help").sms(self.policy())
        });
        outbox::enqueue_sms(conn, replies.collect(), self.sms.now)
    }

    pub(crate) fn reply_without_subscription(&self, conn: &mut DbConnection, allowed: i64) -> Result<(), Error> {
        let Some(brand) = self.any_brand() else { return Ok(()) };
        self.reply(conn, &brand, "sms-none", allowed)
    }

    /// Enqueues a reply that names several brands.
    pub(crate) fn reply_with_names(
        &self,
        conn: &mut DbConnection,
        brands: &[std::sync::Arc<Brand>],
        id: &'static str,
    ) -> Result<(), Error> {
        let Some(brand) = brands.first().cloned().or_else(|| self.any_brand()) else { return Ok(()) };
        if !self.may_reply(conn, MAX_REPLIES)? {
            return Ok(());
        }
        let names: Vec<_> = brands.iter().map(|brand| brand.name.as_str()).collect();
        let message = self.message(&brand, (brand.offer.price_cents, brand.offer.period.as_str()), id);
        let sms = message.sms_with(self.policy(), &[("names", names.join(", "))]);
        outbox::enqueue_sms(conn, vec![sms], self.sms.now)
    }

    /// Enqueues a reply about a brand, unless the number has had as many as it may today.
    pub(crate) fn reply(
        &self,
        conn: &mut DbConnection,
        brand: &Brand,
        id: &'static str,
        allowed: i64,
    ) -> Result<(), Error> {
        self.reply_priced(conn, brand, (brand.offer.price_cents, brand.offer.period.as_str()), id, allowed)
    }

    /// As `reply`, at another price.
    pub(crate) fn reply_priced(
        &self,
        conn: &mut DbConnection,
        brand: &Brand,
        price: (i64, &str),
        id: &'static str,
        allowed: i64,
    ) -> Result<(), Error> {
        if !self.may_reply(conn, allowed)? {
            return Ok(());
        }
        outbox::enqueue_sms(conn, vec![self.message(brand, price, id).sms(self.policy())], self.sms.now)
    }

    pub(crate) fn message<'a>(&'a self, brand: &'a Brand, price: (i64, &'a str), id: &'static str) -> SmsReply<'a> {
        SmsReply {
            network: self.sms.network,
            msisdn: self.msisdn,
            brand,
            price,
            terms: Terms::default(),
            language: self.language,
            id,
            is_recent: self.sms.now - self.at <= RECENT,
        }
    }

    /// Whether the number may get another reply; counts it.
    pub(crate) fn may_reply(&self, conn: &mut DbConnection, allowed: i64) -> Result<bool, Error> {
        let since = self.sms.now - TimeDelta::hours(24);
        let answered = inbound_sms::table
            .filter(inbound_sms::msisdn.eq(self.msisdn.as_str()).and(inbound_sms::replied.eq(true)))
            .filter(inbound_sms::received_at.gt(since));
        let of_all: i64 = answered.count().get_result(conn)?;
        let unrequested: i64 = match allowed {
            MAX_UNREQUESTED_REPLIES => {
                let keywords = ["stop", "stop_all", "yes", "no", "other"];
                answered.filter(inbound_sms::keyword.eq_any(keywords)).count().get_result(conn)?
            }
            _ => 0,
        };
        if of_all >= MAX_REPLIES || (allowed == MAX_UNREQUESTED_REPLIES && unrequested >= allowed) {
            tracing::info!(msisdn = %self.msisdn, sms.keyword = self.command.keyword.as_str(), "an SMS gets no reply: the number has had as many as it may today");
            return Ok(false);
        }
        diesel::update(inbound_sms::table.find(self.id)).set(inbound_sms::replied.eq(true)).execute(conn)?;
        Ok(true)
    }
}
