//! The subscription service, as staff work on it: its client, and what it replies.

pub(crate) mod overview;
pub(crate) mod pauses;
pub(crate) mod publishers;

use std::{ops::AddAssign, time::Duration};

use actix_web::web::Bytes;
use chrono::{NaiveDate, NaiveDateTime};
use identity::SubscriberId;
use reqwest::Method;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use service::{Scope, SigningKey, StaffText, StartError};
use store::personal_data::{Erased, Kept, PersonalData};
use url::Url;
use utoipa::ToSchema;

use crate::{
    calls::ServiceClient,
    error::Error,
    members::Member,
    subscription::{
        overview::DayAtAGlance,
        pauses::{ChargePause, ChargePauses},
        publishers::PublisherPage,
    },
};

/// The name by which its tokens name it.
const SERVICE: &str = "subscription";
/// Longer than an end takes, which waits for charges in flight.
const TIMEOUT: Duration = Duration::from_secs(10);
/// Longer than it takes to count a month again, or to read a network's list.
const LONG_TIMEOUT: Duration = Duration::from_secs(180);

/// Everything about a number.
#[derive(Deserialize)]
pub(crate) struct Account {
    pub(crate) month_spend_cents: i64,
    pub(crate) subscriptions: Vec<Subscription>,
    pub(crate) surplus_charges: Vec<SurplusCharge>,
    pub(crate) blocked: Option<Block>,
    /// Newest first, as all lists but the events.
    pub(crate) messages: Vec<Message>,
    /// SMSes from the number; an earlier release of the service has none.
    #[serde(default)]
    pub(crate) received: Vec<ReceivedSms>,
}

#[derive(Deserialize)]
pub(crate) struct Subscription {
    pub(crate) id: i64,
    pub(crate) service: String,
    /// The network that confirmed it last; absent in replies of an earlier release.
    #[serde(default)]
    pub(crate) network: String,
    pub(crate) state: String,
    #[serde(with = "service::timestamp")]
    pub(crate) since: NaiveDateTime,
    pub(crate) price_cents: i64,
    pub(crate) period: String,
    /// Oldest first.
    pub(crate) events: Vec<Event>,
    pub(crate) charges: Vec<Charge>,
    pub(crate) consents: Vec<Consent>,
    /// An earlier release of the service has none.
    #[serde(default)]
    pub(crate) complaints: Vec<ChargeComplaint>,
}

/// A complaint of a subscriber about a charge.
#[derive(Deserialize)]
pub(crate) struct ChargeComplaint {
    pub(crate) id: i64,
    pub(crate) day: String,
    pub(crate) cents: i64,
    pub(crate) channel: String,
    pub(crate) outcome: String,
    pub(crate) why: String,
    #[serde(with = "service::timestamp")]
    pub(crate) at: NaiveDateTime,
    pub(crate) closed_by: String,
}

/// A complaint that support decides.
#[derive(Deserialize)]
pub(crate) struct SubscriberCase {
    pub(crate) msisdn: String,
    pub(crate) service: String,
    pub(crate) complaint: ChargeComplaint,
}

#[derive(Deserialize)]
pub(crate) struct Event {
    #[serde(with = "service::timestamp")]
    pub(crate) at: NaiveDateTime,
    pub(crate) from: Option<String>,
    pub(crate) to: String,
    pub(crate) cause: String,
    pub(crate) made_by: Option<String>,
    pub(crate) reason: Option<String>,
}

/// A row of the ledger: a charge or a refund.
#[derive(Deserialize)]
pub(crate) struct Charge {
    pub(crate) id: i64,
    pub(crate) day: String,
    pub(crate) kind: String,
    pub(crate) cents: i64,
    pub(crate) status: String,
    pub(crate) key: String,
    pub(crate) network_ref: Option<String>,
    /// The consent that allows it; absent in replies of an earlier release.
    #[serde(default)]
    pub(crate) consent: Option<String>,
    /// The charge that a refund gives back.
    pub(crate) refund_of: Option<i64>,
    pub(crate) reason: String,
    pub(crate) made_by: String,
    #[serde(with = "service::timestamp")]
    pub(crate) at: NaiveDateTime,
}

/// A charge that a network made in addition to the day's one.
#[derive(Deserialize)]
pub(crate) struct SurplusCharge {
    pub(crate) network: String,
    pub(crate) day: String,
    pub(crate) cents: i64,
    pub(crate) key: String,
    #[serde(with = "service::timestamp")]
    pub(crate) at: NaiveDateTime,
}

#[derive(Deserialize)]
pub(crate) struct Block {
    pub(crate) reason: String,
    pub(crate) made_by: String,
    #[serde(with = "service::timestamp")]
    pub(crate) at: NaiveDateTime,
}

/// What a subscriber saw on a page, and answered at the network.
#[derive(Deserialize)]
pub(crate) struct Consent {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) status: String,
    pub(crate) label: String,
    pub(crate) page: String,
    pub(crate) wording: String,
    pub(crate) wording_hash: String,
    /// The code of the words' language; absent in replies of an earlier release, as is the next.
    #[serde(default)]
    pub(crate) language: String,
    /// "original", or "checked" or "unchecked" by a speaker: of a translation, when it was shown.
    #[serde(default)]
    pub(crate) translation: String,
    pub(crate) price_cents: i64,
    pub(crate) period: String,
    /// Who showed the price; absent in replies of an earlier release.
    #[serde(default)]
    pub(crate) price_source: String,
    pub(crate) terms_version: String,
    pub(crate) address: String,
    pub(crate) agent: String,
    pub(crate) ext_ref: String,
    pub(crate) network: String,
    pub(crate) reference: String,
    /// Absent in replies of an earlier release.
    #[serde(default)]
    pub(crate) sim_swapped: bool,
    #[serde(with = "service::timestamp")]
    pub(crate) at: NaiveDateTime,
    pub(crate) decided_at: Option<String>,
    pub(crate) opened_at: Option<String>,
}

impl Consent {
    /// When the subscriber answered.
    pub(crate) fn decided_at(&self) -> Option<NaiveDateTime> {
        NaiveDateTime::parse_from_str(self.decided_at.as_deref()?, service::timestamp::FORMAT).ok()
    }

    /// When the browser got its session.
    pub(crate) fn opened_at(&self) -> Option<NaiveDateTime> {
        NaiveDateTime::parse_from_str(self.opened_at.as_deref()?, service::timestamp::FORMAT).ok()
    }

    /// The language of the words, and whether a speaker had checked them.
    pub(crate) fn language(&self) -> String {
        let code = self.language.as_str();
        let text = match self.translation.as_str() {
            "checked" => StaffText::new("translation-checked").with("code", code),
            "unchecked" => StaffText::new("translation-unchecked").with("code", code),
            _ => return self.language.clone(),
        };
        text.text(service::staff_language())
    }
}

#[derive(Deserialize)]
pub(crate) struct Message {
    pub(crate) id: i64,
    #[serde(with = "service::timestamp")]
    pub(crate) at: NaiveDateTime,
    pub(crate) kind: String,
    pub(crate) text: Option<String>,
    pub(crate) state: String,
    pub(crate) last_error: String,
    /// What the network told of an SMS afterwards.
    #[serde(default)]
    pub(crate) delivery: Option<String>,
    #[serde(default)]
    pub(crate) delivery_reason: String,
}

impl Message {
    /// Where it is: as the network told last, else as far as it was sent.
    pub(crate) fn progress(&self) -> String {
        match (self.delivery.as_deref(), self.state.as_str()) {
            (Some("delivered"), _) => StaffText::new("delivered"),
            (Some(other), _) if self.delivery_reason.is_empty() => {
                StaffText::new("not-delivered-as").with("state", other)
            }
            (Some(other), _) => StaffText::new("not-delivered-because")
                .with("state", other)
                .with("reason", self.delivery_reason.as_str()),
            (None, "dead") => StaffText::new("not-delivered"),
            (None, state) => return state.to_owned(),
        }
        .text(service::staff_language())
    }
}

/// What an erasure would leave, and what has to be done before it.
#[derive(Deserialize)]
pub(crate) struct ErasurePreview {
    pub(crate) obstacles: Vec<String>,
    pub(crate) kept: Vec<Kept>,
}

/// An SMS from the number.
#[derive(Deserialize)]
pub(crate) struct ReceivedSms {
    #[serde(with = "service::timestamp")]
    pub(crate) at: NaiveDateTime,
    pub(crate) to: String,
    pub(crate) text: String,
    pub(crate) keyword: String,
}

/// The sums of the ledger's days.
#[derive(Deserialize)]
pub(crate) struct Books {
    /// Johannesburg's calendar day now.
    pub(crate) today: NaiveDate,
    /// The ledger's first day.
    pub(crate) first: Option<NaiveDate>,
    pub(crate) brands: Vec<Brand>,
    pub(crate) lines: Vec<DaySum>,
}

/// A brand's service, and the network that charges for it.
#[derive(Clone, Deserialize, Serialize, ToSchema)]
pub(crate) struct Brand {
    pub(crate) svc_id: i32,
    pub(crate) service: String,
    pub(crate) network: String,
}

/// How many rows of the ledger, and their cents with VAT.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Sum {
    pub(crate) entries: i64,
    pub(crate) cents: i64,
}

impl AddAssign for Sum {
    fn add_assign(&mut self, other: Self) {
        self.entries += other.entries;
        self.cents += other.cents;
    }
}

/// One day of one brand at one network, of the rows with one amount.
#[derive(Clone, Deserialize)]
pub(crate) struct DaySum {
    pub(crate) day: NaiveDate,
    pub(crate) svc_id: i32,
    pub(crate) service: String,
    pub(crate) network: String,
    pub(crate) price_cents: i64,
    pub(crate) charged: Sum,
    pub(crate) failed: Sum,
    pub(crate) given_back: Sum,
    pub(crate) open: Sum,
}

/// The subscribers of one brand at one network and price, on a day.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct SubscriberDay {
    day: String,
    pub(crate) svc_id: i32,
    service: String,
    pub(crate) network: String,
    price_cents: i64,
    /// Subscriptions that the network confirmed.
    joins: i64,
    /// Subscriptions that ended.
    leaves: i64,
    /// Active and suspended subscriptions when they were counted last on that day; null on a day on which they were not.
    #[schema(required = true)]
    running: Option<i64>,
}

/// Subscribers by day.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct SubscriberDays {
    /// By day, brand, network and price.
    pub(crate) days: Vec<SubscriberDay>,
}

/// What became of a day's comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ComparisonState {
    /// It runs, or did not end.
    Running,
    /// What differed was repaired.
    Repaired,
    /// It waits to be accepted.
    Held,
    /// The list could not be read.
    Failed,
}

/// A day's newest comparison with a network's list.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct ComparedDay {
    day: String,
    network: String,
    state: ComparisonState,
    listed: i64,
    agreed: i64,
    settled: i64,
    differences: i64,
    cause: String,
}

/// Days that were compared.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct ComparedDays {
    /// Newest first.
    days: Vec<ComparedDay>,
}

/// How a day's ledger and the networks' lists differ.
#[derive(Deserialize)]
pub(crate) struct Reconciled {
    pub(crate) listed: i64,
    pub(crate) agreed: i64,
    pub(crate) differences: Vec<Difference>,
    pub(crate) more: i64,
    pub(crate) networks: Vec<ComparedNetwork>,
}

/// One difference.
#[derive(Deserialize)]
pub(crate) struct Difference {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    pub(crate) repair: String,
    pub(crate) ledger_id: Option<i64>,
    pub(crate) msisdn: String,
    pub(crate) svc_id: i32,
    pub(crate) cents: i64,
    pub(crate) network: String,
}

/// A day's comparison with one network.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct ComparedNetwork {
    network: String,
    #[schema(value_type = ComparisonState)]
    state: String,
    listed: i64,
    agreed: i64,
    settled: i64,
    /// Settled charges that the list lacks, or has with other data.
    contradictions: i64,
    #[schema(required = true)]
    cause: Option<String>,
}

/// The outcome of an order of refunds.
#[derive(Deserialize)]
pub(crate) struct Refunds {
    pub(crate) refused: Vec<RefusedCharge>,
}

/// A charge that cannot be given back.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub(crate) struct RefusedCharge {
    pub(crate) ledger_id: i64,
    /// In the language of the call.
    pub(crate) why: String,
}

impl Subscription {
    /// The refunds of a charge that were made, or are on their way: a network may refuse one, or refund a part.
    pub(crate) fn refunds_of(&self, charge: &Charge) -> impl Iterator<Item = &Charge> {
        self.charges.iter().filter(|refund| refund.refund_of == Some(charge.id) && refund.status != "failed")
    }

    /// The cents of a settled charge that were not given back; 0 for any other row.
    pub(crate) fn open_cents(&self, charge: &Charge) -> i64 {
        let given_back: i64 = self.refunds_of(charge).map(|refund| refund.cents).sum();
        let is_settled = charge.kind == "charge" && charge.status == "settled";
        if is_settled { (charge.cents - given_back).max(0) } else { 0 }
    }

    /// Whether there is something to end.
    pub(crate) fn can_end(&self) -> bool {
        matches!(self.state.as_str(), "pending" | "active" | "suspended")
    }
}

impl Message {
    /// A dead message, or an SMS that was sent.
    pub(crate) fn can_be_sent_again(&self) -> bool {
        self.state == "dead" || (self.kind == "sms" && self.state == "sent")
    }
}

/// A number or token in a path.
fn segment(msisdn: &SubscriberId) -> String {
    url::form_urlencoded::byte_serialize(msisdn.as_str().as_bytes()).collect()
}

/// Calls the subscription service.
#[derive(Clone)]
pub(crate) struct SubscriptionClient(ServiceClient);

impl SubscriptionClient {
    pub(crate) fn new(url: &Url, key: &SigningKey) -> Result<Self, StartError> {
        ServiceClient::new(SERVICE, url, key).map(Self)
    }

    /// The account of a number; with its whole history, or the newest part of it.
    pub(crate) async fn account<T: DeserializeOwned>(
        &self,
        member: &Member,
        msisdn: &SubscriberId,
        whole: bool,
    ) -> Result<T, Error> {
        let path = format!("/internal/subscriptions/{}?whole={whole}", segment(msisdn));
        self.call(member, Method::GET, &path, None).await
    }

    pub(crate) async fn end(&self, member: &Member, subscription_id: i64, reason: &str) -> Result<(), Error> {
        let path = format!("/internal/subscriptions/{subscription_id}/end");
        self.call::<Value>(member, Method::POST, &path, Some(json!({ "reason": reason }))).await.map(drop)
    }

    /// Refunds charges in one transaction, each once.
    pub(crate) async fn refund(&self, member: &Member, ledger_ids: &[i64], reason: &str) -> Result<Refunds, Error> {
        let order = json!({ "ledger_ids": ledger_ids, "reason": reason });
        self.call(member, Method::POST, "/internal/refunds", Some(order)).await
    }

    /// The open cases, the oldest first.
    pub(crate) async fn cases(&self, member: &Member) -> Result<Vec<SubscriberCase>, Error> {
        self.call(member, Method::GET, "/internal/cases", None).await
    }

    /// A case by its number.
    pub(crate) async fn case(&self, member: &Member, id: i64) -> Result<SubscriberCase, Error> {
        self.call(member, Method::GET, &format!("/internal/cases/{id}"), None).await
    }

    pub(crate) async fn close_case(&self, member: &Member, id: i64) -> Result<SubscriberCase, Error> {
        self.call(member, Method::POST, &format!("/internal/cases/{id}/close"), None).await
    }

    pub(crate) async fn change_block(
        &self,
        member: &Member,
        msisdn: &SubscriberId,
        blocked: bool,
        reason: &str,
    ) -> Result<(), Error> {
        let path = format!("/internal/blocks/{}", segment(msisdn));
        let (method, body) = match blocked {
            true => (Method::PUT, Some(json!({ "reason": reason }))),
            false => (Method::DELETE, None),
        };
        self.call::<Value>(member, method, &path, body).await.map(drop)
    }

    /// Sends a dead message, or a copy of a sent one.
    pub(crate) async fn send_again(&self, member: &Member, message: &Message) -> Result<(), Error> {
        let call = if message.state == "dead" { "retry" } else { "resend" };
        let path = format!("/internal/messages/{}/{call}", message.id);
        self.call::<Value>(member, Method::POST, &path, None).await.map(drop)
    }

    /// All that it knows of a number.
    pub(crate) async fn personal_data(&self, member: &Member, msisdn: &SubscriberId) -> Result<PersonalData, Error> {
        self.call(member, Method::GET, &format!("/internal/persons/{}", segment(msisdn)), None).await
    }

    /// What an erasure of a number would leave.
    pub(crate) async fn preview_erasure(
        &self,
        member: &Member,
        msisdn: &SubscriberId,
    ) -> Result<ErasurePreview, Error> {
        self.call(member, Method::GET, &format!("/internal/persons/{}/erasure", segment(msisdn)), None).await
    }

    /// Erases what it knows of a number, as far as the books allow.
    pub(crate) async fn erase(&self, member: &Member, msisdn: &SubscriberId) -> Result<Erased, Error> {
        self.call(member, Method::DELETE, &format!("/internal/persons/{}", segment(msisdn)), None).await
    }

    /// The day at a glance.
    pub(crate) async fn overview(&self, member: &Member) -> Result<DayAtAGlance, Error> {
        self.call_as(Scope::Overview, member, Method::GET, "/internal/overview", None).await
    }

    /// The sums of days; counted again before, or as they are.
    pub(crate) async fn books(
        &self,
        member: &Member,
        from: NaiveDate,
        to: NaiveDate,
        recount: bool,
    ) -> Result<Books, Error> {
        let path = format!("/internal/books?from={from}&to={to}&recount={recount}");
        self.call_as(Scope::Finance, member, Method::GET, &path, None).await
    }

    /// Joins, leaves and running subscriptions by day.
    pub(crate) async fn subscribers(
        &self,
        member: &Member,
        from: NaiveDate,
        to: NaiveDate,
    ) -> Result<SubscriberDays, Error> {
        let path = format!("/internal/subscribers?from={from}&to={to}");
        self.call_as(Scope::Finance, member, Method::GET, &path, None).await
    }

    /// A page of the publishers of a month.
    pub(crate) async fn publishers(&self, member: &Member, query: &str) -> Result<PublisherPage, Error> {
        self.call_as(Scope::Finance, member, Method::GET, &format!("/internal/publishers?{query}"), None).await
    }

    /// The evidence against a publisher.
    pub(crate) async fn evidence(&self, member: &Member, query: &str) -> Result<Bytes, Error> {
        self.0.file(Scope::Finance, member, LONG_TIMEOUT, &format!("/internal/publishers/evidence?{query}")).await
    }

    /// Holds or releases a publisher: `call` is "hold" or "release".
    pub(crate) async fn decide_about_publisher(
        &self,
        member: &Member,
        call: &str,
        ext_ref: &str,
        reason: &str,
    ) -> Result<(), Error> {
        let order = json!({ "ext_ref": ext_ref, "reason": reason });
        self.call::<Value>(member, Method::POST, &format!("/internal/publishers/{call}"), Some(order)).await.map(drop)
    }

    /// Which charges are paused.
    pub(crate) async fn pauses(&self, member: &Member) -> Result<ChargePauses, Error> {
        self.0.call(Scope::Finance, member, TIMEOUT, Method::GET, "/internal/charges/pauses", None).await
    }

    /// Pauses or resumes the charges of a network, of a service, or all: `call` is "pause" or "resume".
    pub(crate) async fn change_charges(
        &self,
        member: &Member,
        call: &str,
        (network, svc_id): (&str, i32),
        reason: &str,
    ) -> Result<ChargePause, Error> {
        let order = json!({ "network": network, "svc_id": svc_id, "reason": reason });
        self.0
            .call(Scope::Finance, member, TIMEOUT, Method::POST, &format!("/internal/charges/{call}"), Some(order))
            .await
    }

    /// Which days were compared with the networks' lists.
    pub(crate) async fn compared_days(
        &self,
        member: &Member,
        from: NaiveDate,
        to: NaiveDate,
    ) -> Result<ComparedDays, Error> {
        let path = format!("/internal/reconciliations?from={from}&to={to}");
        self.call_as(Scope::Finance, member, Method::GET, &path, None).await
    }

    /// Compares a day with the networks' lists, and repairs what differs.
    pub(crate) async fn reconcile(&self, member: &Member, day: NaiveDate, accept: bool) -> Result<Reconciled, Error> {
        let order = json!({ "day": day.to_string(), "accept": accept });
        self.call_as(Scope::Finance, member, Method::POST, "/internal/reconcile", Some(order)).await
    }

    async fn call<T: DeserializeOwned>(
        &self,
        member: &Member,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<T, Error> {
        self.call_as(Scope::Support, member, method, path, body).await
    }

    async fn call_as<T: DeserializeOwned>(
        &self,
        scope: Scope,
        member: &Member,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<T, Error> {
        let timeout = if scope == Scope::Finance { LONG_TIMEOUT } else { TIMEOUT };
        self.0.call(scope, member, timeout, method, path, body).await
    }
}
