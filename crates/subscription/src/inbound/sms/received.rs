//! The SMSes that persons have sent (table `inbound_sms`), as they are kept.

use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use identity::SubscriberId;
use languages::Language;
use serde::Serialize;
use store::{DbConnection, on_each_backend};
use utoipa::ToSchema;

use crate::{
    error::Error,
    inbound::{
        keywords::{Command, Keyword},
        sms::InboundSms,
    },
    schema::inbound_sms,
};

/// The longest stored text, in characters.
pub(super) const MAX_TEXT: usize = 1000;

/// The longest stored id and short code, in characters.
pub(super) const MAX_NAME: usize = 100;

/// How long an SMS is kept; one that joins, confirms, declines, ends or asks for a refund is evidence and is kept as long as events.
const RETENTION: TimeDelta = TimeDelta::days(180);
const EVIDENCE_RETENTION: TimeDelta = TimeDelta::days(3 * 366);

/// An SMS from a number, for customer support.
#[derive(Queryable, Selectable, Serialize, ToSchema)]
#[diesel(table_name = inbound_sms)]
pub(crate) struct ReceivedSms {
    pub id: i64,
    /// When it was sent.
    #[diesel(column_name = sent_at)]
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    pub at: NaiveDateTime,
    pub network: String,
    /// The short code that it was sent to; empty where the network does not name it.
    #[diesel(column_name = sent_to)]
    pub to: String,
    pub text: String,
    /// What it was understood as: "stop", "stop_all", "join", "yes", "no", "help", "why", "refund", "language" or "other".
    pub keyword: String,
}

impl ReceivedSms {
    /// The newest of a number, newest first.
    pub fn of_number(conn: &mut DbConnection, msisdn: &SubscriberId, limit: i64) -> Result<Vec<Self>, Error> {
        Ok(inbound_sms::table
            .filter(inbound_sms::msisdn.eq(msisdn.as_str()))
            .order(inbound_sms::id.desc())
            .limit(limit)
            .select(Self::as_select())
            .load(conn)?)
    }
}

impl InboundSms<'_> {
    /// Stores it; its row's id, or `None` where the network has passed it on before.
    pub(super) fn insert(
        &self,
        conn: &mut DbConnection,
        msisdn: &SubscriberId,
        command: &Command,
        language: Language,
        at: NaiveDateTime,
    ) -> Result<Option<i64>, Error> {
        let network_ref = cut(self.event.id.as_deref().unwrap_or_default(), MAX_NAME);
        let retention = match command.keyword {
            Keyword::Stop | Keyword::StopAll | Keyword::Join | Keyword::Yes | Keyword::No | Keyword::Refund => {
                EVIDENCE_RETENTION
            }
            Keyword::Help | Keyword::Why | Keyword::Language(_) | Keyword::Other => RETENTION,
        };
        let new = (
            inbound_sms::network.eq(self.network),
            inbound_sms::network_ref.eq(&network_ref),
            inbound_sms::msisdn.eq(msisdn.as_str()),
            inbound_sms::sent_to.eq(cut(self.event.to.as_deref().unwrap_or_default(), MAX_NAME)),
            inbound_sms::text.eq(cut(&self.event.text, MAX_TEXT)),
            inbound_sms::keyword.eq(command.keyword.as_str()),
            inbound_sms::language.eq(language.code()),
            inbound_sms::replied.eq(false),
            inbound_sms::sent_at.eq(at),
            inbound_sms::received_at.eq(self.now),
            inbound_sms::kept_until.eq(self.now + retention),
        );
        let inserted = on_each_backend!(conn, conn => diesel::insert_into(inbound_sms::table)
            .values(new)
            .on_conflict_do_nothing()
            .returning(inbound_sms::id)
            .get_result(conn)
            .optional())?;
        Ok(inserted)
    }
}

/// The beginning of a text, without the control characters that a database cannot store.
pub(super) fn cut(text: &str, length: usize) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(length).collect()
}
