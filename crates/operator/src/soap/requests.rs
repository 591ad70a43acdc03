//! What we ask a network for.

use identity::Msisdn;

use super::{
    AMOUNT_CHARGING, Interface, Malformed, SEND_SMS, SUBSCRIBE_MANAGE,
    element::Element,
    envelope::{Envelope, message, security, write},
};
use crate::{ChargeRequest, RefundRequest, SmsRequest, StopRequest, UsernameToken, amount::cents_of_rand, lenient};

/// A request to a network.
pub enum Request {
    /// `chargeAmount`.
    Charge(ChargeRequest),
    /// `refundAmount`.
    Refund(RefundRequest),
    /// `unSubscribeProduct`.
    Stop(StopRequest),
    /// `sendSms`.
    Sms(SmsRequest),
}

impl Request {
    /// The interface that it belongs to.
    pub const fn interface(&self) -> &'static Interface {
        match self {
            Self::Charge(_) | Self::Refund(_) => &AMOUNT_CHARGING,
            Self::Stop(_) => &SUBSCRIBE_MANAGE,
            Self::Sms(_) => &SEND_SMS,
        }
    }

    /// The name of the operation.
    pub const fn operation(&self) -> &'static str {
        match self {
            Self::Charge(_) => "chargeAmount",
            Self::Refund(_) => "refundAmount",
            Self::Stop(_) => "unSubscribeProduct",
            Self::Sms(_) => "sendSms",
        }
    }

    /// The envelope, with its caller's token.
    pub fn to_xml(&self, token: Option<UsernameToken>) -> String {
        write(self.interface(), token.map(security), self.content())
    }

    /// The element in the body.
    pub fn content(&self) -> Element {
        match self {
            Self::Charge(ChargeRequest { key, msisdn, svc_id, cents, day, .. }) => {
                amount_charging(self.operation(), (key, msisdn), (day, *cents, *svc_id))
            }
            // Parlay X refers to no charge, so the description names it.
            Self::Refund(RefundRequest { key, charge_key, msisdn, svc_id, cents, .. }) => {
                amount_charging(self.operation(), (key, msisdn), (charge_key, *cents, *svc_id))
            }
            Self::Stop(request) => {
                let order = named_parameter("namedParameters", "orderKey", &request.network_subscription_id);
                let product = [
                    Element::text("productID", request.svc_id.to_string()),
                    Element::text("channelID", "1"),
                    Element::new("extensionInfo", [order]),
                ];
                let fields = [user_id(&request.msisdn), Element::new("subInfo", product)];
                message("unSubscribeProductRequest", [Element::new("unSubscribeProductReq", fields)])
            }
            Self::Sms(request) => {
                let receipt = [
                    Element::text("endpoint", ""),
                    Element::text("interfaceName", "SmsNotification"),
                    Element::text("correlator", &request.key),
                ];
                message(
                    "sendSms",
                    [
                        Element::text("addresses", tel(&request.msisdn)),
                        Element::new("charging", charging("", 0, request.svc_id)),
                        Element::text("message", &request.text),
                        Element::new("receiptRequest", receipt),
                    ],
                )
            }
        }
    }

    /// Parses an envelope; its caller's token, where it has one.
    pub fn parse(xml: &[u8]) -> Result<(Self, Option<UsernameToken>), Malformed> {
        let envelope = Envelope::parse(xml)?;
        let (content, token) = (&envelope.content, envelope.token());
        let text = |path: &[&str]| content.readable(path).ok_or(Malformed);
        let svc_id = |path: &[&str]| lenient::integer_of(&text(path)?).ok_or(Malformed);
        let cents = || cents_of_rand(&text(&["charge", "amount"])?).ok_or(Malformed);
        let request = match content.name.as_str() {
            "chargeAmount" => Self::Charge(ChargeRequest {
                key: text(&["referenceCode"])?,
                msisdn: number(text(&["endUserIdentifier"])?),
                svc_id: svc_id(&["charge", "code"])?,
                cents: cents()?,
                day: text(&["charge", "description"])?,
                network_subscription_id: None,
                network_ref: None,
                sent_at: None,
            }),
            "refundAmount" => Self::Refund(RefundRequest {
                key: text(&["referenceCode"])?,
                charge_key: text(&["charge", "description"])?,
                msisdn: number(text(&["endUserIdentifier"])?),
                svc_id: svc_id(&["charge", "code"])?,
                cents: cents()?,
                reason: String::new(),
                network_ref: None,
                day: None,
                in_part: false,
            }),
            "unSubscribeProductRequest" => Self::Stop(StopRequest {
                msisdn: number(text(&["userID", "ID"])?),
                svc_id: svc_id(&["subInfo", "productID"])?,
                network_subscription_id: text(&["extensionInfo", "value"])?,
            }),
            "sendSms" => Self::Sms(SmsRequest {
                key: text(&["receiptRequest", "correlator"])?,
                msisdn: number(text(&["addresses"])?),
                svc_id: svc_id(&["charging", "code"])?,
                text: content.written(&["message"]),
                valid_seconds: None,
            }),
            _ => return Err(Malformed),
        };
        Ok((request, token))
    }
}

/// The element in an envelope's body.
pub fn content_of(xml: &str) -> Result<Element, Malformed> {
    Ok(Envelope::parse(xml.as_bytes())?.content)
}

/// The token of an envelope's caller, where it has one.
pub fn token_of(xml: &[u8]) -> Option<UsernameToken> {
    Envelope::parse(xml).ok()?.token()
}

/// `chargeAmount` or `refundAmount`.
fn amount_charging(
    operation: &str,
    (key, msisdn): (&str, &str),
    (description, cents, svc_id): (&str, i64, i32),
) -> Element {
    message(
        operation,
        [
            Element::text("endUserIdentifier", tel(msisdn)),
            Element::new("charge", charging(description, cents, svc_id)),
            Element::text("referenceCode", key),
        ],
    )
}

/// `ChargingInformation`.
fn charging(description: &str, cents: i64, svc_id: i32) -> [Element; 4] {
    [
        Element::text("description", description),
        Element::text("currency", "ZAR"),
        Element::text("amount", format!("{}.{:02}", cents / 100, cents % 100)),
        Element::text("code", svc_id.to_string()),
    ]
}

/// `UserID`; the type 0 is a mobile number.
pub(super) fn user_id(msisdn: &str) -> Element {
    Element::new("userID", [Element::text("ID", msisdn), Element::text("type", "0")])
}

/// `NamedParameter`.
pub(super) fn named_parameter(name: &str, key: &str, value: &str) -> Element {
    Element::new(name, [Element::text("key", key), Element::text("value", value)])
}

/// The URI of a number (RFC 3966).
pub(super) fn tel(msisdn: &str) -> String {
    format!("tel:+{msisdn}")
}

/// The number of a URI; the text behind its scheme where that is none.
fn number(text: String) -> String {
    match Msisdn::parse(&text) {
        Ok(msisdn) => msisdn.as_str().to_owned(),
        Err(_) => {
            let bare = text.strip_prefix("tel:").unwrap_or(&text);
            bare.strip_prefix('+').unwrap_or(bare).to_owned()
        }
    }
}
