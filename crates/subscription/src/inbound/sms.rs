//! SMSes that persons send to our short codes, as a network passes them on: stored, read by `keywords`, acted on and answered.
//!
//! A STOP ends subscriptions whatever else is limited. Replies are limited per number, so that an auto-responder and we do not answer each
//! other for ever; a sender that is no mobile number gets none.

mod charges;
pub(crate) mod received;
mod replies;

use std::collections::BTreeSet;

use brands::Brand;
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use identity::SubscriberId;
use languages::Language;
use operator::{OptInKind, OptInStatus, SmsEvent};
use serde_json::{Value, json};
use store::DbConnection;

use received::{MAX_NAME, MAX_TEXT, cut};
use replies::{MAX_REPLIES, MAX_UNREQUESTED_REPLIES};

use crate::{
    error::Error,
    inbound::keywords::{self, Command, Keyword},
    joins::{
        network_events::{CLOCK_DOUBT, NetworkEvent},
        opt_in::{PageRequest, confirms_by_sms},
        wording,
    },
    messages::{outbox, texts::SmsReply},
    publishers::announce,
    schema::inbound_sms,
    subscribers::{
        agreement::{TERMS_VERSION, Terms},
        attempts::{BY_SMS, OptInAttempt, SMS_JOIN, kind_name},
        blocks::Block,
        calendar,
        ids::random_token,
        lifecycle::{Cause, State},
        metrics,
        network_subscriptions::NetworkSubscription,
        policy::Policy,
        subscriptions::Subscription,
        text::hash_of,
    },
};

/// How long a join waits for its YES.
const REPLY_TIME: TimeDelta = TimeDelta::hours(24);

/// How far a network's clock may be behind ours, beyond what is measured.
const CLOCK_DIFFERENCE: TimeDelta = TimeDelta::minutes(2);

/// What became of an SMS.
pub(crate) enum SmsOutcome {
    /// It was acted on or answered.
    Applied {
        /// The subscriptions that it may have ended.
        ended: Vec<i64>,
        /// A join that the person confirms on a page of the network, which has to be requested.
        page_for: Option<Box<PageRequest>>,
    },
    /// The network passed it on before.
    Duplicate,
    /// Its sender is no person who could subscribe.
    Ignored,
}

/// An SMS that a network passes on.
pub(crate) struct InboundSms<'a> {
    pub policy: &'a Policy,
    pub network: &'a str,
    pub event: &'a SmsEvent,
    /// What has to be added to the network's times.
    pub clock_offset: TimeDelta,
    /// Our clock.
    pub now: NaiveDateTime,
}

/// An SMS from a subscriber, or from a person who could be one, while it is acted on.
struct Request<'a> {
    sms: &'a InboundSms<'a>,
    msisdn: &'a SubscriberId,
    command: &'a Command,
    language: Language,
    /// When it was sent, by our clock; a time in the future counts as now.
    at: NaiveDateTime,
    /// Its row.
    id: i64,
}

impl InboundSms<'_> {
    /// Stores it, does what it asks for and enqueues the reply.
    pub fn apply(&self, conn: &mut DbConnection) -> Result<SmsOutcome, Error> {
        let sender = SubscriberId::at_network(&self.policy.brands, self.network, &self.event.user_msisdn);
        let Ok(msisdn) = sender else { return Ok(SmsOutcome::Ignored) };
        if self.policy.is_test(msisdn.as_str()) {
            return Ok(SmsOutcome::Ignored);
        }
        let command = keywords::parse(&self.event.text);
        let language = self.language(conn, &msisdn, &command)?;
        let at = self.event.at.map_or(self.now, |at| (at.naive_utc() + self.clock_offset).min(self.now));
        let Some(id) = self.insert(conn, &msisdn, &command, language, at)? else { return Ok(SmsOutcome::Duplicate) };
        metrics::sms_received(self.network, command.keyword.as_str());
        let request = Request { sms: self, msisdn: &msisdn, command: &command, language, at, id };
        let (mut ended, mut page_for) = (Vec::new(), None);
        match command.keyword {
            Keyword::Stop | Keyword::StopAll => ended = request.stop(conn)?,
            Keyword::Language(language) => request.choose_language(conn, language)?,
            Keyword::Help => request.help(conn, MAX_REPLIES)?,
            Keyword::Why => request.explain_charges(conn)?,
            Keyword::Refund => request.complain(conn)?,
            Keyword::Join => request.join(conn)?,
            Keyword::Yes => page_for = request.confirm(conn)?,
            Keyword::No => request.decline(conn)?,
            Keyword::Other => request.help(conn, MAX_UNREQUESTED_REPLIES)?,
        }
        Ok(SmsOutcome::Applied { ended, page_for })
    }

    /// The language of the reply: the one that the SMS names, that of a running subscription, the last one that the number chose by SMS, the
    /// keyword's own, that of an earlier subscription, and English.
    fn language(&self, conn: &mut DbConnection, msisdn: &SubscriberId, command: &Command) -> Result<Language, Error> {
        if let Keyword::Language(language) = command.keyword {
            return Ok(language);
        }
        let subscriptions = Subscription::all_of_number(conn, msisdn)?;
        if let Some(running) = subscriptions.iter().find(|one| is_running(one)) {
            return Ok(running.language);
        }
        let chosen: Option<String> = inbound_sms::table
            .filter(inbound_sms::msisdn.eq(msisdn.as_str()))
            .filter(inbound_sms::keyword.eq("language"))
            .order(inbound_sms::id.desc())
            .select(inbound_sms::language)
            .first(conn)
            .optional()?;
        let chosen = chosen.as_deref().and_then(Language::parse).or(command.language);
        let ended = subscriptions.iter().filter(|one| one.state == State::Cancelled);
        let earlier = || ended.max_by_key(|one| one.since).map(|one| one.language);
        Ok(chosen.or_else(earlier).unwrap_or(Language::ENGLISH))
    }
}

impl Request<'_> {
    /// Ends what the person asks to end; returns the subscriptions. One that runs ends in any case. Of several those that the text or the
    /// short code names, and without a name all of them.
    fn stop(&self, conn: &mut DbConnection) -> Result<Vec<i64>, Error> {
        let mut subscriptions = Subscription::all_of_number(conn, self.msisdn)?;
        let running = subscriptions.iter().filter(|one| is_running(one)).count();
        if running > 1 && self.command.keyword == Keyword::Stop {
            let named: Vec<i64> = subscriptions
                .iter()
                .filter(|one| {
                    is_running(one) && self.policy().brand(one.svc_id).is_some_and(|brand| self.names(&brand))
                })
                .map(|one| one.id)
                .collect();
            if !named.is_empty() {
                subscriptions.retain(|one| named.contains(&one.id));
            }
        }
        let ids: Vec<i64> = subscriptions.iter().map(|one| one.id).collect();
        let started_by = self.at + CLOCK_DOUBT;
        let mut is_dated = false;
        for id in &ids {
            is_dated |= NetworkSubscription::running(conn, *id)?.iter().any(|one| one.started_at <= started_by);
        }
        for id in &ids {
            // "All" is decided service by service.
            self.end(conn, *id, is_dated && self.command.keyword == Keyword::Stop)?;
        }
        if running == 0 {
            self.reply_without_subscription(conn, MAX_UNREQUESTED_REPLIES)?;
        }
        Ok(ids)
    }

    /// Ends a subscription and tells its network, which has only passed the SMS on. What has started after the SMS goes on, where its time
    /// `is_dated`: where nothing had started by then, the network's clock is behind, or its time lacks the zone.
    fn end(&self, conn: &mut DbConnection, id: i64, is_dated: bool) -> Result<(), Error> {
        let Some(mut subscription) = Subscription::lock_by_id(conn, id)? else { return Ok(()) };
        let started_by = self.at + CLOCK_DOUBT;
        let running = NetworkSubscription::running(conn, id)?;
        let is_dated = is_dated || running.iter().any(|one| one.started_at <= started_by);
        let at = if is_dated { self.at } else { self.sms.now };
        for one in running.iter().filter(|one| !is_dated || one.started_at <= started_by) {
            outbox::end_and_notify_network(conn, one, &subscription, self.sms.now)?;
        }
        for (attempt, _) in self.waiting(conn)? {
            if attempt.subscription_id == id {
                attempt.decide(conn, OptInStatus::Declined, self.at)?;
            }
        }
        subscription.record_leave_request(conn, at)?;
        if NetworkSubscription::running(conn, id)?.is_empty() {
            let evidence = json!({ "network": self.sms.network, "said": self.evidence() });
            announce::advance(conn, self.policy(), &mut subscription, Cause::Stopped, at, &evidence, self.sms.now)?;
        }
        Ok(())
    }

    /// The SMS as evidence.
    fn evidence(&self) -> Value {
        let event = self.sms.event;
        let (id, to) = (event.id.as_deref(), event.to.as_deref());
        evidence_of((id, self.id, to), &cut(&event.text, MAX_TEXT), &event.text, self.at)
    }

    /// Begins a join, which only a YES confirms: sends price and terms of the service that the SMS names.
    fn join(&self, conn: &mut DbConnection) -> Result<(), Error> {
        let offered: Vec<_> =
            self.policy().brands.iter().filter(|brand| brand.offer_on(self.sms.network).is_some()).collect();
        let named: Vec<_> = self.policy().brands.iter().filter(|brand| self.names(brand)).collect();
        let [brand] = named.as_slice() else {
            return self.reply_with_names(conn, &offered, "sms-which");
        };
        let found = Subscription::of_number(conn, self.msisdn, brand.svc_id)?;
        let here = found.filter(|one| is_running(one) && !one.runs_elsewhere(self.sms.network));
        if let Some(subscription) = here {
            let price = (subscription.price_cents, subscription.period.as_str());
            return self.reply_priced(conn, brand, price, "sms-already", MAX_REPLIES);
        }
        if Block::of_number(conn, self.msisdn)?.is_some() {
            return self.reply(conn, brand, "sms-blocked", MAX_REPLIES);
        }
        let Some(offer) = brand.offer_on(self.sms.network) else {
            return self.reply(conn, brand, "sms-not-here", MAX_REPLIES);
        };
        if !self.may_reply(conn, MAX_REPLIES)? {
            return Ok(());
        }
        let today = calendar::day_of(self.sms.now);
        let terms = Terms::of_number(conn, (self.msisdn, brand.svc_id), offer, today)?;
        let message = self.message(brand, (offer.price_cents, offer.period.as_str()), "sms-join");
        let question = SmsReply { terms, ..message };
        let reply = question.sms(self.policy());
        let mut subscription = Subscription::lock(conn, self.msisdn, brand.svc_id, self.sms.now)?;
        let attempt = OptInAttempt {
            kind: if self.confirms_by_sms() { kind_name(OptInKind::OptIn) } else { SMS_JOIN }.to_owned(),
            reference: cut(self.sms.event.id.as_deref().unwrap_or_default(), MAX_NAME),
            page: format!("SMS to {}", self.short_code()),
            free_days: terms.started_days(offer.free_days, today),
            ..attempt_by_sms(&question, &reply.text, subscription.id, self.sms.now)
        };
        let evidence = json!({ "network": self.sms.network, "said": self.evidence(), "try": attempt.evidence() });
        let (policy, now) = (self.policy(), self.sms.now);
        announce::advance(conn, policy, &mut subscription, Cause::Joined, now, &evidence, now)?;
        attempt.insert(conn)?;
        outbox::enqueue_sms(conn, vec![reply], self.sms.now)
    }

    /// Confirms the one join, or the one question whose number it is, that waits for a YES. At a network with a page of its own, that page is
    /// requested next: what is returned.
    fn confirm(&self, conn: &mut DbConnection) -> Result<Option<Box<PageRequest>>, Error> {
        let by_sms = self.confirms_by_sms();
        let mut waiting = self.questions(conn)?;
        // A leave since then has ended the question, too.
        for subscription in Subscription::all_of_number(conn, self.msisdn)? {
            let left_at = subscription.ended_or_left_at();
            waiting.retain(|(attempt, _)| {
                attempt.subscription_id != subscription.id || left_at.is_none_or(|left_at| left_at < attempt.created_at)
            });
        }
        // The code names one question, whatever else waits.
        let secret = &self.policy().secret;
        let named = waiting.iter().position(|(attempt, _)| self.command.has_code(&attempt.code(secret)));
        let by_code = named.map(|at| waiting.remove(at));
        let is_coded = by_code.is_some();
        if let Some(named) = by_code {
            waiting.retain(|(_, svc_id)| *svc_id == named.1);
            waiting.insert(0, named);
        }
        let mut brands = Vec::new();
        for (_, svc_id) in &waiting {
            let is_known = brands.iter().any(|brand: &std::sync::Arc<Brand>| brand.svc_id == *svc_id);
            brands.extend(self.policy().brand(*svc_id).filter(|_| !is_known));
        }
        if brands.len() > 1 {
            let named: Vec<_> = brands.iter().filter(|brand| self.names(brand)).cloned().collect();
            if named.len() != 1 {
                return self.reply_with_names(conn, &brands, "sms-which-yes").map(|()| None);
            }
            brands = named;
        }
        let Some(brand) = brands.pop() else {
            return self.help(conn, MAX_UNREQUESTED_REPLIES).map(|()| None);
        };
        let mut attempts =
            waiting.into_iter().filter(|(_, svc_id)| *svc_id == brand.svc_id).map(|(attempt, _)| attempt);
        // The newest is what the person has read last.
        let Some(attempt) = attempts.next() else { return Ok(None) };
        // A browser is opened for the person who reads its page: a stranger may have typed the number.
        let is_read = is_coded || attempt.browser_hash.is_empty();
        if by_sms && !is_read && attempt.kind == kind_name(OptInKind::Verify) {
            return self.reply(conn, &brand, "sms-code-missing", MAX_REPLIES).map(|()| None);
        }
        let others: Vec<_> = attempts.collect();
        for other in others {
            other.decide(conn, OptInStatus::Declined, self.at)?;
        }
        if Block::of_number(conn, self.msisdn)?.is_some() {
            attempt.decide(conn, OptInStatus::Declined, self.at)?;
            return self.reply(conn, &brand, "sms-blocked", MAX_REPLIES).map(|()| None);
        }
        if !by_sms {
            let language = Language::parse(&attempt.language).unwrap_or(self.language);
            let msisdn = self.msisdn.clone();
            return Ok(Some(Box::new(PageRequest { msisdn, svc_id: brand.svc_id, attempt, language })));
        }
        if !is_read {
            attempt.refuse_session(conn, self.sms.now)?;
        }
        let kind = if attempt.kind == kind_name(OptInKind::Verify) { OptInKind::Verify } else { OptInKind::OptIn };
        let event = NetworkEvent {
            policy: self.policy(),
            network: self.sms.network,
            msisdn: self.msisdn,
            svc_id: brand.svc_id,
            attempt: Some(&attempt),
            // The network keeps no subscriptions: ours is known by the attempt.
            network_ref: Some(&attempt.id),
            // Never before the question, although the network's clock may be behind.
            happened_at: self.at.max(attempt.created_at),
            updated_at: None,
            evidence: json!({ "yes": self.evidence(), "join": self.first_sms(conn, &attempt)? }),
            sends_sms: true,
            now: self.sms.now,
        };
        event.apply_answer(conn, kind, OptInStatus::Confirmed, &attempt.id)?;
        Ok(None)
    }

    /// Declines what waits for a YES: of several questions the ones that the SMS names, else all of them.
    fn decline(&self, conn: &mut DbConnection) -> Result<(), Error> {
        let mut waiting = self.questions(conn)?;
        let is_named = |svc_id: i32| self.policy().brand(svc_id).is_some_and(|brand| self.names(&brand));
        if waiting.iter().any(|(_, svc_id)| is_named(*svc_id)) {
            waiting.retain(|(_, svc_id)| is_named(*svc_id));
        }
        let mut declined = BTreeSet::new();
        for (attempt, svc_id) in waiting {
            if attempt.decide(conn, OptInStatus::Declined, self.at)? && attempt.kind != kind_name(OptInKind::Verify) {
                metrics::declined(self.policy(), svc_id);
            }
            declined.insert(svc_id);
        }
        let brands: Vec<_> = declined.into_iter().filter_map(|svc_id| self.policy().brand(svc_id)).collect();
        if brands.is_empty() {
            return self.help(conn, MAX_UNREQUESTED_REPLIES);
        }
        if !self.may_reply(conn, MAX_REPLIES)? {
            return Ok(());
        }
        let replies = brands.iter().map(|brand| {
            let price = (brand.offer.price_cents, brand.offer.period.as_str());
            self.message(brand, price, "sms-declined").sms(self.policy())
        });
        outbox::enqueue_sms(conn, replies.collect(), self.sms.now)
    }

    /// The attempts that wait for a YES at this network, with their services; newest first.
    fn waiting(&self, conn: &mut DbConnection) -> Result<Vec<(OptInAttempt, i32)>, Error> {
        let kinds: &[&str] = if self.confirms_by_sms() {
            &[kind_name(OptInKind::OptIn), kind_name(OptInKind::Verify)]
        } else {
            &[SMS_JOIN]
        };
        OptInAttempt::waiting(conn, self.msisdn, self.sms.network, kinds, self.at - REPLY_TIME)
    }

    /// Those of the attempts in `waiting` that the SMS can answer: one from before a question is the answer to something else.
    fn questions(&self, conn: &mut DbConnection) -> Result<Vec<(OptInAttempt, i32)>, Error> {
        let mut waiting = self.waiting(conn)?;
        waiting.retain(|(attempt, _)| attempt.created_at <= self.at + CLOCK_DIFFERENCE);
        Ok(waiting)
    }

    /// The SMS by which an attempt began, as evidence; null for one that began on a page.
    fn first_sms(&self, conn: &mut DbConnection, attempt: &OptInAttempt) -> Result<Value, Error> {
        if attempt.reference.is_empty() {
            return Ok(Value::Null);
        }
        #[derive(Queryable, Selectable)]
        #[diesel(table_name = inbound_sms)]
        struct Row {
            id: i64,
            text: String,
            sent_to: String,
            sent_at: NaiveDateTime,
        }
        let found = inbound_sms::table
            .filter(inbound_sms::msisdn.eq(self.msisdn.as_str()).and(inbound_sms::network.eq(self.sms.network)))
            .filter(inbound_sms::network_ref.eq(&attempt.reference))
            .select(Row::as_select())
            .first(conn)
            .optional()?;
        let id = Some(attempt.reference.as_str());
        let evidence = |row: Row| evidence_of((id, row.id, Some(&row.sent_to)), &row.text, &row.text, row.sent_at);
        Ok(found.map_or(Value::Null, evidence))
    }

    /// Whether this network's subscribers confirm by SMS.
    fn confirms_by_sms(&self) -> bool {
        confirms_by_sms(&self.policy().brands, self.sms.network)
    }

    /// The short code that the SMS was sent to, as far as it is known.
    fn short_code(&self) -> String {
        let of_network = || self.policy().brands.network(self.sms.network)?.stop_number.clone();
        cut(&self.sms.event.to.clone().or_else(of_network).unwrap_or_default(), MAX_NAME)
    }

    /// Sends later SMSes of what runs in another language.
    fn choose_language(&self, conn: &mut DbConnection, language: Language) -> Result<(), Error> {
        for subscription in Subscription::all_of_number(conn, self.msisdn)? {
            if let Some(mut subscription) = Subscription::lock_by_id(conn, subscription.id)?
                && is_running(&subscription)
            {
                subscription.record_language(conn, language)?;
            }
        }
        let Some(brand) = self.any_brand() else { return Ok(()) };
        self.reply(conn, &brand, "sms-language", MAX_REPLIES)
    }

    /// Whether the SMS is about this brand: by its text, or by a short code of its own.
    fn names(&self, brand: &Brand) -> bool {
        let has_code = |to: &String| brand.short_codes.contains(to);
        self.command.names(brand) || self.sms.event.to.as_ref().is_some_and(has_code)
    }

    /// A brand of this network, for a reply about none.
    fn any_brand(&self) -> Option<std::sync::Arc<Brand>> {
        let here = self.policy().brands.iter().find(|brand| brand.offer_on(self.sms.network).is_some());
        here.or_else(|| self.policy().brands.iter().next())
    }

    fn policy(&self) -> &Policy {
        self.sms.policy
    }
}

/// An attempt to join, with our SMS as what its subscriber has read.
pub(crate) fn attempt_by_sms(
    question: &SmsReply<'_>,
    text: &str,
    subscription_id: i64,
    now: NaiveDateTime,
) -> OptInAttempt {
    OptInAttempt {
        id: random_token(),
        subscription_id,
        kind: kind_name(OptInKind::OptIn).to_owned(),
        status: "pending".to_owned(),
        network: question.network.to_owned(),
        label: question.brand.label().to_owned(),
        terms_version: TERMS_VERSION.to_owned(),
        agent: "SMS".to_owned(),
        created_at: now,
        price_cents: question.price.0,
        period: question.price.1.to_owned(),
        wording: text.to_owned(),
        wording_hash: hash_of(text),
        language: question.language.code().to_owned(),
        parts: question.terms.parts.to_string(),
        translation: wording::translation_of(text, question.language).to_owned(),
        price_source: BY_SMS.to_owned(),
        ..OptInAttempt::default()
    }
}

fn is_running(subscription: &Subscription) -> bool {
    matches!(subscription.state, State::Active | State::Suspended)
}

/// An SMS as evidence: the network's id of it, our row and the short code; what is stored of its text, and the whole text by its hash.
fn evidence_of(
    (id, row, to): (Option<&str>, i64, Option<&str>),
    text: &str,
    whole_text: &str,
    at: NaiveDateTime,
) -> Value {
    let (sha256, at) = (hash_of(whole_text), at.format(service::timestamp::FORMAT).to_string());
    json!({ "sms": id, "row": row, "to": to, "text": text, "sha256": sha256, "at": at })
}
