//! The subscription service, as staff work on it: its client, and what it replies.

mod account;
mod books;
pub(crate) mod overview;
pub(crate) mod pauses;
pub(crate) mod publishers;

use std::time::Duration;

use actix_web::web::Bytes;
use chrono::NaiveDate;
use identity::SubscriberId;
use reqwest::Method;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Value, json};
use service::{Scope, SigningKey, StartError};
use store::personal_data::{Erased, Kept, PersonalData};
use url::Url;
use utoipa::ToSchema;

pub(crate) use account::{
    Account, Charge, ChargeComplaint, Consent, Event, Message, ReceivedSms, SubscriberCase, Subscription, SurplusCharge,
};
pub(crate) use books::{Books, Brand, ComparedDays, ComparedNetwork, DaySum, Reconciled, SubscriberDays, Sum};

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

/// What an erasure would leave, and what has to be done before it.
#[derive(Deserialize)]
pub(crate) struct ErasurePreview {
    pub(crate) obstacles: Vec<String>,
    pub(crate) kept: Vec<Kept>,
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
