//! Opt-in attempts (table `tries`): each redirect to a network's page, with what the subscriber saw and answered.

use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use identity::SubscriberId;
use operator::{OptInKind, OptInStatus};
use serde_json::{Value, json};
use store::DbConnection;

use crate::{
    error::Error,
    schema::{subscriptions, tries},
    subscribers::{
        ids::{is_id, random_token},
        policy::{ChargeSecret, Policy},
        subscriptions::{Price, Subscription},
        text::hash_of,
    },
};

/// How long a join waits for the subscriber's answer at the network.
pub(crate) const JOIN_EXPIRY: TimeDelta = TimeDelta::days(5);

/// SQL: an attempt that is no evidence of a consent. One without an answer is, where its subscription was confirmed after it.
pub(crate) const NO_EVIDENCE: &str = "tries.status = 'declined' OR (tries.status <> 'confirmed' AND NOT EXISTS (\
    SELECT 1 FROM events WHERE events.subscription_id = tries.subscription_id AND events.at >= tries.created_at \
    AND events.cause IN ('confirmed', 'confirmed_unpaid')))";

/// One redirect to the network's page.
#[derive(Clone, Default, Insertable, Queryable, Selectable)]
#[diesel(table_name = tries)]
pub(crate) struct OptInAttempt {
    /// Random; the API's `subscriptionId`.
    pub id: String,
    pub subscription_id: i64,
    /// As in the wire contract: `opt_in`, `verify` or `leave`; or `sms_join` or `at_network`.
    pub kind: String,
    /// `pending`, `confirmed` or `declined`.
    pub status: String,
    pub network: String,
    /// The network's own reference.
    pub reference: String,
    /// The host label it was started on; it opens a session on no other.
    pub label: String,
    /// SHA-256 of the cookie of the browser that started it.
    pub browser_hash: String,
    pub ext_ref: String,
    pub page: String,
    pub terms_version: String,
    pub address: String,
    pub agent: String,
    pub created_at: NaiveDateTime,
    pub decided_at: Option<NaiveDateTime>,
    /// When it opened its one session.
    pub opened_at: Option<NaiveDateTime>,
    /// The price on the page: South African cents with VAT, for each period.
    pub price_cents: i64,
    /// `day`, `week` or `month`.
    pub period: String,
    /// The consent text of the page; empty for a page without one.
    pub wording: String,
    /// Hexadecimal SHA-256 of that text.
    pub wording_hash: String,
    /// The network's own id of the subscription that the confirmation started.
    pub network_ref: Option<String>,
    /// The language of the page (ISO 639-1).
    pub language: String,
    /// The free days that its confirmation starts.
    pub free_days: i32,
    /// The amounts of part charges on the page.
    pub parts: String,
    /// Whether the number's SIM was swapped lately, as its network reported.
    pub sim_swapped: bool,
    /// What the consent text is: `original`, or a translation, `checked` or `unchecked` by a speaker at that time; empty without a text.
    pub translation: String,
    /// The page of the brand that the visitor wanted; empty: none.
    pub continue_to: String,
    /// Who showed the price to the subscriber: `BY_PAGE`, `BY_NETWORK`, `BY_SMS` or `NOT_RECORDED`.
    pub price_source: String,
}

/// Our page, which said so with the join.
pub(crate) const BY_PAGE: &str = "page";
/// The network's page, with the price of our request; or the network itself, where the opt-in began.
pub(crate) const BY_NETWORK: &str = "network";
/// Our SMS.
pub(crate) const BY_SMS: &str = "sms";
/// It is not recorded, as in attempts of the first release, or there was none to show.
pub(crate) const NOT_RECORDED: &str = "";

/// How long the browser that opened a session may open the same one again.
const SESSION_REPEAT: TimeDelta = TimeDelta::minutes(5);

/// The kind of an opt-in that began at the network, without a page of ours.
pub(crate) const AT_NETWORK: &str = "at_network";

/// The most characters of a network's words that are stored.
const MAX_WORDS: usize = 2000;

/// The kind of an attempt by SMS at a network with a page of its own: its YES is answered with the address of that page.
pub(crate) const SMS_JOIN: &str = "sms_join";

/// The name of a kind in the wire contract and in the table.
pub(crate) fn kind_name(kind: OptInKind) -> &'static str {
    match kind {
        OptInKind::OptIn => "opt_in",
        OptInKind::Verify => "verify",
        OptInKind::Leave => "leave",
    }
}

impl OptInAttempt {
    /// Stores what a network reported of an opt-in that began there, as its subscription's consent to a price: the network's own reference and
    /// words. Its id; a report that is repeated is stored once.
    pub fn record_at_network(
        conn: &mut DbConnection,
        policy: &Policy,
        subscription: &Subscription,
        price: Price<'_>,
        (network, network_ref, words): (&str, &str, &str),
        (happened_at, now): (NaiveDateTime, NaiveDateTime),
    ) -> Result<String, Error> {
        let known = tries::table
            .filter(tries::subscription_id.eq(subscription.id).and(tries::kind.eq(AT_NETWORK)))
            .filter(tries::network_ref.eq(network_ref).and(tries::created_at.eq(happened_at)));
        if let Some(id) = known.select(tries::id).first(conn).optional()? {
            return Ok(id);
        }
        let label = policy.brand(subscription.svc_id).map(|brand| brand.label().to_owned()).unwrap_or_default();
        // The subscription has the number; the words need not repeat it.
        let words = words.replace(subscription.msisdn.as_str(), &subscription.msisdn.masked());
        let wording: String = words.chars().take(MAX_WORDS).collect();
        let new = Self {
            id: random_token(),
            subscription_id: subscription.id,
            kind: AT_NETWORK.to_owned(),
            status: "confirmed".to_owned(),
            network: network.to_owned(),
            reference: network_ref.to_owned(),
            label,
            created_at: happened_at,
            decided_at: Some(now),
            price_cents: price.cents,
            period: price.period.to_owned(),
            wording_hash: hash_of(&wording),
            wording,
            network_ref: Some(network_ref.to_owned()),
            language: subscription.language.code().to_owned(),
            price_source: BY_NETWORK.to_owned(),
            ..Self::default()
        };
        new.insert(conn)?;
        Ok(new.id)
    }

    /// Inserts a new attempt.
    pub fn insert(&self, conn: &mut DbConnection) -> Result<(), Error> {
        diesel::insert_into(tries::table).values(self).execute(conn)?;
        Ok(())
    }

    /// The attempt with this id, if it is of this number; with its service.
    pub fn of_number(conn: &mut DbConnection, id: &str, msisdn: &SubscriberId) -> Result<Option<(Self, i32)>, Error> {
        if !is_id(id) {
            return Ok(None);
        }
        Ok(tries::table
            .inner_join(subscriptions::table)
            .filter(tries::id.eq(id).and(subscriptions::msisdn.eq(msisdn.as_str())))
            .select((Self::as_select(), subscriptions::svc_id))
            .first(conn)
            .optional()?)
    }

    /// The attempt with this id, with its service and its subscriber; none where its network has yet to name one.
    pub fn find(conn: &mut DbConnection, id: &str) -> Result<Option<(Self, i32, Option<SubscriberId>)>, Error> {
        if !is_id(id) {
            return Ok(None);
        }
        let found: Option<(Self, i32, String)> = tries::table
            .inner_join(subscriptions::table)
            .filter(tries::id.eq(id))
            .select((Self::as_select(), subscriptions::svc_id, subscriptions::msisdn))
            .first(conn)
            .optional()?;
        Ok(found.map(|(attempt, svc_id, text)| (attempt, svc_id, SubscriberId::parse(&text).ok())))
    }

    /// Binds an attempt whose subscriber was not known to the number or token by which its network names the subscriber now. `None`
    /// where no such attempt waits at that network: an attempt is bound once.
    pub fn bind(
        conn: &mut DbConnection,
        (network, id, svc_id): (&str, &str, i32),
        subscriber: &SubscriberId,
        now: NaiveDateTime,
    ) -> Result<Option<Self>, Error> {
        let Some((attempt, of_service, None)) = Self::find(conn, id)? else { return Ok(None) };
        if attempt.network != network || of_service != svc_id {
            return Ok(None);
        }
        let subscription = Subscription::lock(conn, subscriber, svc_id, now)?;
        let unbound = tries::table.filter(tries::id.eq(id).and(tries::subscription_id.eq(attempt.subscription_id)));
        let bound = diesel::update(unbound).set(tries::subscription_id.eq(subscription.id)).execute(conn)?;
        if bound == 0 {
            // Bound meanwhile, by our own request for its status or by the notification: to this subscriber, or to another one.
            let found = Self::of_number(conn, id, subscriber)?;
            return Ok(found.map(|(attempt, _)| attempt));
        }
        Ok(Some(Self { subscription_id: subscription.id, ..attempt }))
    }

    /// A subscription's newest confirmed attempt of a kind.
    pub fn last_confirmed(conn: &mut DbConnection, subscription_id: i64, kind: &str) -> Result<Option<Self>, Error> {
        Ok(tries::table
            .filter(tries::subscription_id.eq(subscription_id))
            .filter(tries::kind.eq(kind).and(tries::status.eq("confirmed")))
            .order(tries::created_at.desc())
            .select(Self::as_select())
            .first(conn)
            .optional()?)
    }

    /// A subscription's newest attempt of a kind that was not declined.
    pub fn last(conn: &mut DbConnection, subscription_id: i64, kind: &str) -> Result<Option<Self>, Error> {
        Ok(tries::table
            .filter(tries::subscription_id.eq(subscription_id))
            .filter(tries::kind.eq(kind).and(tries::status.ne("declined")))
            // A confirmed one before one that is still open.
            .order((tries::status, tries::created_at.desc()))
            .select(Self::as_select())
            .first(conn)
            .optional()?)
    }

    /// Whether it is to join, at a page of the network.
    pub fn is_join(&self) -> bool {
        self.kind == kind_name(OptInKind::OptIn)
    }

    /// Records the answer; whether it was the first one. Use `announce::decide` for a confirmation.
    pub fn decide(&self, conn: &mut DbConnection, answer: OptInStatus, at: NaiveDateTime) -> Result<bool, Error> {
        let status = match answer {
            OptInStatus::Pending => return Ok(false),
            OptInStatus::Confirmed => "confirmed",
            OptInStatus::Declined => "declined",
        };
        let decided = diesel::update(tries::table.filter(tries::id.eq(&self.id).and(tries::status.eq("pending"))))
            .set((tries::status.eq(status), tries::decided_at.eq(at)))
            .execute(conn)?;
        Ok(decided > 0)
    }

    /// Stores the network's own id of the subscription that the confirmation started; only the first one counts.
    pub fn record_network_ref(&self, conn: &mut DbConnection, network_ref: &str) -> Result<(), Error> {
        diesel::update(tries::table.filter(tries::id.eq(&self.id).and(tries::network_ref.is_null())))
            .set(tries::network_ref.eq(network_ref))
            .execute(conn)?;
        Ok(())
    }

    /// Opens the one session of this attempt, if this is the browser that started it; returns when it was opened. For a few minutes the same
    /// browser gets the same session again: its page and its script may both ask, and one of the replies may be lost.
    pub fn open_session(
        &self,
        conn: &mut DbConnection,
        browser_hash: &str,
        now: NaiveDateTime,
    ) -> Result<Option<NaiveDateTime>, Error> {
        let own = || {
            tries::table
                .filter(tries::id.eq(&self.id).and(tries::status.eq("confirmed")))
                .filter(tries::browser_hash.eq(browser_hash))
        };
        diesel::update(own().filter(tries::opened_at.is_null())).set(tries::opened_at.eq(now)).execute(conn)?;
        let opened_at: Option<Option<NaiveDateTime>> = own().select(tries::opened_at).first(conn).optional()?;
        Ok(opened_at.flatten().filter(|at| now - *at <= SESSION_REPEAT))
    }

    /// Whether the network has still to report the answer.
    pub fn is_open(&self, now: NaiveDateTime) -> bool {
        self.status == "pending" && now <= self.created_at + JOIN_EXPIRY
    }

    /// Whether its confirmation proves ownership of the number: a leave does not.
    pub fn proves_identity(&self) -> bool {
        let kinds = [kind_name(OptInKind::OptIn), kind_name(OptInKind::Verify)];
        self.status == "confirmed" && kinds.contains(&self.kind.as_str())
    }

    /// Whether an end or a leave at `over` is younger: the attempt had begun by then, and was answered by then or not yet. The network's clock may
    /// lag ours: an attempt that began after the leave is newer whatever the answer's time.
    pub fn is_overtaken_by(&self, over: NaiveDateTime, answered_at: Option<NaiveDateTime>) -> bool {
        self.created_at <= over && answered_at.is_none_or(|at| at <= over)
    }

    /// The attempts of a number at a network that wait for an answer since `since`, with their services; newest first.
    pub fn waiting(
        conn: &mut DbConnection,
        msisdn: &SubscriberId,
        network: &str,
        kinds: &[&str],
        since: NaiveDateTime,
    ) -> Result<Vec<(Self, i32)>, Error> {
        Ok(tries::table
            .inner_join(subscriptions::table)
            .filter(subscriptions::msisdn.eq(msisdn.as_str()))
            .filter(tries::network.eq(network).and(tries::kind.eq_any(kinds)))
            .filter(tries::status.eq("pending").and(tries::created_at.ge(since)))
            .order((tries::created_at.desc(), tries::id))
            .select((Self::as_select(), subscriptions::svc_id))
            .load(conn)?)
    }

    /// Lets it open no session: another browser waits for the same answer.
    pub fn refuse_session(&self, conn: &mut DbConnection, now: NaiveDateTime) -> Result<(), Error> {
        let without_browser = (tries::opened_at.eq(now), tries::browser_hash.eq(""));
        diesel::update(tries::table.find(&self.id)).set(without_browser).execute(conn)?;
        Ok(())
    }

    /// The four digits that the page of this attempt shows, and that the reply by SMS repeats: its person reads the page and has the phone.
    pub fn code(&self, secret: &ChargeSecret) -> String {
        let [first, second, ..] = secret.digest(&format!("sms-code/{}", self.id));
        (1000 + u16::from_be_bytes([first, second]) % 9000).to_string()
    }

    /// What the subscriber saw and agreed to, for the event that follows from it.
    pub fn evidence(&self) -> Value {
        json!({
            "id": self.id,
            "label": self.label,
            "page": self.page,
            "terms_version": self.terms_version,
            "address": self.address,
            "agent": self.agent,
            "ext_ref": self.ext_ref,
            "price_cents": self.price_cents,
            "price_source": self.price_source,
            "period": self.period,
            "free_days": self.free_days,
            "parts": self.parts,
            "wording_hash": self.wording_hash,
            "language": self.language,
            "translation": self.translation,
            "sim_swapped": self.sim_swapped,
            "at": self.created_at.format(service::timestamp::FORMAT).to_string(),
        })
    }
}
