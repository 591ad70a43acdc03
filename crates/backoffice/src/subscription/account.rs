//! The facts that the subscription service has about a number, for support.

use chrono::NaiveDateTime;
use serde::Deserialize;
use service::StaffText;

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

/// An SMS from the number.
#[derive(Deserialize)]
pub(crate) struct ReceivedSms {
    #[serde(with = "service::timestamp")]
    pub(crate) at: NaiveDateTime,
    pub(crate) to: String,
    pub(crate) text: String,
    pub(crate) keyword: String,
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
