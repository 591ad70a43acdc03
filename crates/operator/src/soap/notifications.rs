//! What a network reports by itself.

use serde::{Deserialize, Serialize};

use super::{
    Malformed,
    envelope::{read, write},
    fields::{readable, readable_time, required, service, time},
};
use crate::{ChargeEvent, Notification, OptInEvent, OptInKind, OptInStatus, ReceiptEvent, SmsEvent, StopEvent};

/// What a network reports by itself.
#[derive(Serialize, Deserialize)]
pub enum Notice {
    /// An opt-in page was answered.
    #[serde(rename(serialize = "w:OptInAnswered", deserialize = "OptInAnswered"))]
    OptInAnswered(OptInAnswered),
    /// A subscription was ended at the network.
    #[serde(rename(serialize = "w:SubscriptionStopped", deserialize = "SubscriptionStopped"))]
    SubscriptionStopped(SubscriptionStopped),
    /// The result of an accepted charge is there.
    #[serde(rename(serialize = "w:ChargeCompleted", deserialize = "ChargeCompleted"))]
    ChargeCompleted(ChargeCompleted),
    /// A person sent an SMS to our short code.
    #[serde(rename(serialize = "w:SmsReceived", deserialize = "SmsReceived"))]
    SmsReceived(SmsReceived),
    /// What became of an SMS of ours.
    #[serde(rename(serialize = "w:SmsReceipt", deserialize = "SmsReceipt"))]
    SmsReceipt(SmsReceipt),
}

impl Notice {
    /// The envelope.
    pub fn to_xml(&self) -> Result<String, Malformed> {
        write(self, None)
    }

    /// Parses an envelope, as the contract's notification.
    pub fn parse(xml: &[u8]) -> Result<Notification, Malformed> {
        Ok(match read(xml)? {
            Self::OptInAnswered(event) => Notification::OptIn(event.try_into()?),
            Self::SubscriptionStopped(event) => Notification::Stop(event.try_into()?),
            Self::ChargeCompleted(event) => Notification::Charge(event.try_into()?),
            Self::SmsReceived(event) => Notification::Sms(event.try_into()?),
            Self::SmsReceipt(event) => Notification::Receipt(event.try_into()?),
        })
    }
}

/// See `OptInEvent`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct OptInAnswered {
    #[serde(default)]
    reference: String,
    kind: OptInKind,
    status: OptInStatus,
    msisdn: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    service_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    partner_reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    external_reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    decided_at: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    subscription_id: Option<String>,
}

impl From<&OptInEvent> for OptInAnswered {
    fn from(event: &OptInEvent) -> Self {
        Self {
            reference: event.reference.clone(),
            kind: event.kind,
            status: event.status,
            msisdn: event.user_msisdn.clone(),
            service_id: event.svc_id.text(),
            partner_reference: event.subscription_id.clone(),
            external_reference: event.ext_ref.clone(),
            decided_at: event.decided_at.map(time),
            subscription_id: event.network_subscription_id.clone(),
        }
    }
}

impl TryFrom<OptInAnswered> for OptInEvent {
    type Error = Malformed;

    fn try_from(event: OptInAnswered) -> Result<Self, Malformed> {
        Ok(Self {
            event: "opt_in".to_owned(),
            kind: event.kind,
            reference: readable(Some(event.reference)).unwrap_or_default(),
            subscription_id: readable(event.partner_reference),
            user_msisdn: required(event.msisdn)?,
            svc_id: service(event.service_id),
            ext_ref: readable(event.external_reference),
            status: event.status,
            decided_at: readable_time(event.decided_at),
            network_subscription_id: readable(event.subscription_id),
        })
    }
}

/// See `StopEvent`. What cannot be read counts as absent, so that no STOP is lost.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct SubscriptionStopped {
    #[serde(default)]
    msisdn: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    service_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    subscription_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timestamp: Option<String>,
}

impl From<&StopEvent> for SubscriptionStopped {
    fn from(event: &StopEvent) -> Self {
        Self {
            msisdn: event.user_msisdn.clone(),
            service_id: event.svc_id.text(),
            subscription_id: event.network_subscription_id.clone(),
            timestamp: event.at.map(time),
        }
    }
}

impl TryFrom<SubscriptionStopped> for StopEvent {
    type Error = Malformed;

    fn try_from(event: SubscriptionStopped) -> Result<Self, Malformed> {
        let (number, id) = (readable(Some(event.msisdn)), readable(event.subscription_id));
        if number.is_none() && id.is_none() {
            return Err(Malformed);
        }
        Ok(Self {
            event: "stop".to_owned(),
            user_msisdn: number.unwrap_or_default(),
            svc_id: service(event.service_id),
            network_subscription_id: id,
            at: readable_time(event.timestamp),
        })
    }
}

/// See `ChargeEvent`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct ChargeCompleted {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    transaction_id: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    operator_reference: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timestamp: Option<String>,
}

impl From<&ChargeEvent> for ChargeCompleted {
    fn from(event: &ChargeEvent) -> Self {
        Self {
            transaction_id: event.key.clone(),
            operator_reference: event.network_ref.clone(),
            timestamp: event.at.map(time),
        }
    }
}

impl TryFrom<ChargeCompleted> for ChargeEvent {
    type Error = Malformed;

    fn try_from(event: ChargeCompleted) -> Result<Self, Malformed> {
        Ok(Self {
            event: "charge".to_owned(),
            key: readable(event.transaction_id),
            network_ref: readable(event.operator_reference),
            at: readable_time(event.timestamp),
        })
    }
}

/// See `SmsEvent`. All but the number may be absent, so that no STOP is lost.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct SmsReceived {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    message_id: Option<String>,
    msisdn: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    short_code: Option<String>,
    #[serde(default)]
    text: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timestamp: Option<String>,
}

impl From<&SmsEvent> for SmsReceived {
    fn from(event: &SmsEvent) -> Self {
        Self {
            message_id: event.id.clone(),
            msisdn: event.user_msisdn.clone(),
            short_code: event.to.clone(),
            text: event.text.clone(),
            timestamp: event.at.map(time),
        }
    }
}

impl TryFrom<SmsReceived> for SmsEvent {
    type Error = Malformed;

    fn try_from(event: SmsReceived) -> Result<Self, Malformed> {
        Ok(Self {
            event: "sms".to_owned(),
            id: readable(event.message_id),
            user_msisdn: required(event.msisdn)?,
            to: readable(event.short_code),
            text: event.text,
            at: readable_time(event.timestamp),
        })
    }
}

/// See `ReceiptEvent`.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct SmsReceipt {
    message_key: String,
    status: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    timestamp: Option<String>,
}

impl From<&ReceiptEvent> for SmsReceipt {
    fn from(event: &ReceiptEvent) -> Self {
        Self {
            message_key: event.key.clone(),
            status: event.status.clone(),
            reason: event.reason.clone(),
            timestamp: event.at.map(time),
        }
    }
}

impl TryFrom<SmsReceipt> for ReceiptEvent {
    type Error = Malformed;

    fn try_from(event: SmsReceipt) -> Result<Self, Malformed> {
        Ok(Self {
            event: "sms_receipt".to_owned(),
            key: required(event.message_key)?,
            status: required(event.status)?,
            reason: readable(event.reason),
            at: readable_time(event.timestamp),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{NamedService, soap::envelope::envelope};

    #[test]
    fn stop_is_read_where_only_its_number_can_be() {
        for (rest, service, id, has_time) in [
            (
                "<ServiceId>150</ServiceId><SubscriptionId>7</SubscriptionId><Timestamp>2026-11-21T04:00:05Z</Timestamp>",
                NamedService::Id(150),
                Some("7"),
                true,
            ),
            (
                "<ServiceId>memeworld</ServiceId><Timestamp>soon</Timestamp>",
                NamedService::Name("memeworld".to_owned()),
                None,
                false,
            ),
            ("<ServiceId/><SubscriptionId>&#1;</SubscriptionId>", NamedService::Unnamed, None, false),
            ("", NamedService::Unnamed, None, false),
        ] {
            let body = format!("<b:SubscriptionStopped><Msisdn>27812345678</Msisdn>{rest}</b:SubscriptionStopped>");
            let Ok(Notification::Stop(event)) = Notice::parse(envelope(&body).as_bytes()) else { panic!("{rest}") };
            assert_eq!((event.svc_id, event.network_subscription_id.as_deref()), (service, id), "{rest}");
            assert_eq!((event.user_msisdn.as_str(), event.at.is_some()), ("27812345678", has_time), "{rest}");
        }
    }

    #[test]
    fn sms_and_receipt_are_written_and_read_again() {
        let body = "<b:SmsReceived><Msisdn>27812345678</Msisdn><Text>stop &amp; go</Text><Timestamp>soon</Timestamp></b:SmsReceived>";
        let Ok(Notification::Sms(event)) = Notice::parse(envelope(body).as_bytes()) else { panic!("an SMS") };
        assert_eq!((event.text.as_str(), event.id.is_none(), event.at), ("stop & go", true, None));
        let xml = Notice::SmsReceived((&event).into()).to_xml().unwrap();
        assert!(matches!(Notice::parse(xml.as_bytes()), Ok(Notification::Sms(again)) if again.text == event.text));
        let body = "<b:SmsReceipt><MessageKey>k</MessageKey><Status>UNDELIV</Status></b:SmsReceipt>";
        let Ok(Notification::Receipt(event)) = Notice::parse(envelope(body).as_bytes()) else { panic!("a receipt") };
        assert_eq!((event.key.as_str(), event.delivery()), ("k", Some(crate::Delivery::Failed)));
    }

    #[test]
    fn parse_rejects_what_is_no_message_without_quoting_it() {
        for body in [
            "",
            "27812345678",
            "<SubscriptionStopped/>",
            "<SubscriptionStopped><Msisdn> </Msisdn></SubscriptionStopped>",
            "<Party><Msisdn>27812345678</Msisdn></Party>",
            "<OptInAnswered><Msisdn>27812345678</Msisdn></OptInAnswered>",
            "<SubscriptionStopped><Msisdn>&number;</Msisdn></SubscriptionStopped>",
        ] {
            let error = Notice::parse(envelope(body).as_bytes()).err().unwrap_or_else(|| panic!("{body}"));
            assert!(!error.to_string().contains("812345678"));
        }
        // Entities are not expanded.
        let bomb = format!(
            "<!DOCTYPE x [<!ENTITY number \"27812345678\">]>{}",
            "<s:Envelope xmlns:s=\"x\"><s:Body><SubscriptionStopped><Msisdn>&number;</Msisdn></SubscriptionStopped></s:Body></s:Envelope>"
        );
        assert!(Notice::parse(bomb.as_bytes()).is_err());
        assert!(Notice::parse(&[0, 159, 146, 150]).is_err());
    }
}
