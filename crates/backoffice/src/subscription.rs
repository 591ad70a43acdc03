//! The subscription service, as support works on it: each call under a token that names the member of staff, for a minute.

use std::{sync::Arc, time::Duration};

use chrono::NaiveDateTime;
use identity::Msisdn;
use reqwest::{Method, StatusCode};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, json};
use service::{Scope, SigningKey, StartError};
use url::Url;

use crate::{NAME, error::Error, guard::Member};

/// The name by which its tokens name it.
const SERVICE: &str = "subscription";
/// Longer than an end takes, which waits for charges in flight.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Everything about a number.
#[derive(Deserialize)]
pub(crate) struct Account {
    pub(crate) month_spend_cents: i64,
    pub(crate) subscriptions: Vec<Subscription>,
    pub(crate) surplus_charges: Vec<SurplusCharge>,
    pub(crate) blocked: Option<Block>,
    /// Newest first, as all lists but the events.
    pub(crate) messages: Vec<Message>,
}

#[derive(Deserialize)]
pub(crate) struct Subscription {
    pub(crate) id: i64,
    pub(crate) service: String,
    pub(crate) state: String,
    #[serde(with = "service::timestamp")]
    pub(crate) since: NaiveDateTime,
    pub(crate) price_cents: i64,
    pub(crate) period: String,
    /// Oldest first.
    pub(crate) events: Vec<Event>,
    pub(crate) charges: Vec<Charge>,
    pub(crate) consents: Vec<Consent>,
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
    pub(crate) price_cents: i64,
    pub(crate) period: String,
    pub(crate) terms_version: String,
    pub(crate) address: String,
    pub(crate) agent: String,
    pub(crate) ext_ref: String,
    pub(crate) network: String,
    pub(crate) reference: String,
    #[serde(with = "service::timestamp")]
    pub(crate) at: NaiveDateTime,
    pub(crate) decided_at: Option<String>,
    pub(crate) opened_at: Option<String>,
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
}

impl Account {
    /// A settled charge that was not given back, or whose refund failed.
    pub(crate) fn refundable(&self, ledger_id: i64) -> Option<&Charge> {
        let of = self.subscriptions.iter().find(|each| each.charges.iter().any(|charge| charge.id == ledger_id))?;
        of.charges.iter().find(|charge| charge.id == ledger_id && of.is_refundable(charge))
    }
}

impl Subscription {
    pub(crate) fn is_refundable(&self, charge: &Charge) -> bool {
        let is_of = |refund: &Charge| refund.refund_of == Some(charge.id) && refund.status != "failed";
        charge.kind == "charge" && charge.status == "settled" && !self.charges.iter().any(is_of)
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

/// Calls the subscription service.
#[derive(Clone)]
pub(crate) struct SubscriptionClient {
    http: reqwest::Client,
    /// Without a slash at the end.
    base: Arc<str>,
    key: SigningKey,
}

impl SubscriptionClient {
    pub(crate) fn new(url: &Url, key: SigningKey) -> Result<Self, StartError> {
        let http = reqwest::Client::builder().timeout(TIMEOUT).build();
        let http = http.map_err(|error| StartError::other(NAME, error))?;
        Ok(Self { http, base: url.as_str().trim_end_matches('/').into(), key })
    }

    /// The account of a number; with its whole history, or the newest part of it.
    pub(crate) async fn account<T: DeserializeOwned>(
        &self,
        member: &Member,
        msisdn: &Msisdn,
        whole: bool,
    ) -> Result<T, Error> {
        let path = format!("/internal/subscriptions/{}?whole={whole}", msisdn.as_str());
        self.call(member, Method::GET, &path, None).await
    }

    pub(crate) async fn end(&self, member: &Member, subscription_id: i64, reason: &str) -> Result<(), Error> {
        let path = format!("/internal/subscriptions/{subscription_id}/end");
        self.call::<Value>(member, Method::POST, &path, Some(json!({ "reason": reason }))).await.map(drop)
    }

    pub(crate) async fn refund(&self, member: &Member, ledger_id: i64, reason: &str) -> Result<(), Error> {
        let order = json!({ "ledger_id": ledger_id, "reason": reason });
        self.call::<Value>(member, Method::POST, "/internal/refund", Some(order)).await.map(drop)
    }

    pub(crate) async fn change_block(
        &self,
        member: &Member,
        msisdn: &Msisdn,
        blocked: bool,
        reason: &str,
    ) -> Result<(), Error> {
        let path = format!("/internal/blocks/{}", msisdn.as_str());
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

    async fn call<T: DeserializeOwned>(
        &self,
        member: &Member,
        method: Method,
        path: &str,
        body: Option<Value>,
    ) -> Result<T, Error> {
        let token = service::staff_token(&self.key, SERVICE, &member.email, Scope::Support)
            .ok_or_else(|| Error::Internal("a token could not be signed".to_owned()))?;
        let mut request = self.http.request(method, format!("{}{path}", self.base)).bearer_auth(token);
        request = request.header(service::REQUEST_ID_HEADER.as_str(), service::current_request_id());
        if let Some(body) = body {
            request = request.json(&body);
        }
        // The error would name the address, which may contain a number.
        let unavailable = |error: reqwest::Error| Error::ServiceUnavailable(error.without_url().to_string());
        let reply = request.send().await.map_err(unavailable)?;
        let status = reply.status();
        let bytes = reply.bytes().await.map_err(unavailable)?;
        match status {
            StatusCode::NO_CONTENT => serde_json::from_value(Value::Null),
            status if status.is_success() => serde_json::from_slice(&bytes),
            StatusCode::NOT_FOUND | StatusCode::CONFLICT | StatusCode::UNPROCESSABLE_ENTITY => {
                let problem: Value = serde_json::from_slice(&bytes).unwrap_or_default();
                let text = problem.get("detail").and_then(Value::as_str).unwrap_or("It is not possible.");
                return Err(Error::RefusedByService(text.to_owned()));
            }
            status => return Err(Error::ServiceUnavailable(format!("it answered {status}"))),
        }
        .map_err(|error| Error::ServiceUnavailable(format!("an unexpected reply: {error}")))
    }
}
