//! The envelope of a message, and its header with the caller's token.

use quick_xml::{de, se};
use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{Malformed, NAMESPACE};
use crate::{UsernameToken, encoding};

const ENVELOPE: &str = "http://schemas.xmlsoap.org/soap/envelope/";
const SECURITY: &str = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
const UTILITY: &str = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";

#[derive(Serialize, Deserialize)]
#[serde(rename = "soapenv:Envelope")]
struct Envelope<B> {
    #[serde(rename = "@xmlns:soapenv", skip_deserializing)]
    envelope: &'static str,
    #[serde(rename = "@xmlns:w", skip_deserializing)]
    messages: &'static str,
    #[serde(
        rename(serialize = "soapenv:Header", deserialize = "Header"),
        default,
        skip_serializing_if = "Option::is_none"
    )]
    header: Option<Header>,
    #[serde(rename(serialize = "soapenv:Body", deserialize = "Body"))]
    body: Body<B>,
}

#[derive(Serialize, Deserialize)]
struct Header {
    #[serde(
        rename(serialize = "wsse:Security", deserialize = "Security"),
        default,
        skip_serializing_if = "Option::is_none"
    )]
    security: Option<Security>,
}

#[derive(Serialize, Deserialize)]
struct Security {
    #[serde(rename = "@soapenv:mustUnderstand", skip_deserializing)]
    must_understand: u8,
    #[serde(rename = "@xmlns:wsse", skip_deserializing)]
    security: &'static str,
    #[serde(rename = "@xmlns:wsu", skip_deserializing)]
    utility: &'static str,
    #[serde(rename(serialize = "wsse:UsernameToken", deserialize = "UsernameToken"))]
    token: UsernameToken,
}

#[derive(Serialize, Deserialize)]
struct Body<B> {
    #[serde(rename = "$value")]
    content: B,
}

pub(super) fn write<B: Serialize>(content: &B, token: Option<UsernameToken>) -> Result<String, Malformed> {
    let security = |token| Security { must_understand: 1, security: SECURITY, utility: UTILITY, token };
    let envelope = Envelope {
        envelope: ENVELOPE,
        messages: NAMESPACE,
        header: token.map(|token| Header { security: Some(security(token)) }),
        body: Body { content },
    };
    let xml = se::to_string(&envelope).map_err(|_| Malformed)?;
    Ok(format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>{xml}"))
}

/// The content of a request, and its caller's token, where it has one.
pub(super) fn read_request<B: DeserializeOwned>(xml: &[u8]) -> Result<(B, Option<UsernameToken>), Malformed> {
    let envelope: Envelope<B> = de::from_str(&encoding::xml_text(xml)).map_err(|_| Malformed)?;
    Ok((envelope.body.content, envelope.header.and_then(|header| header.security).map(|security| security.token)))
}

/// The content of a reply or a notice, whatever its headers: a network may prove itself by other ones than ours.
pub(super) fn read<B: DeserializeOwned>(xml: &[u8]) -> Result<B, Malformed> {
    #[derive(Deserialize)]
    struct Content<B> {
        #[serde(rename = "Body")]
        body: Body<B>,
    }
    let envelope: Content<B> = de::from_str(&encoding::xml_text(xml)).map_err(|_| Malformed)?;
    Ok(envelope.body.content)
}

#[cfg(test)]
/// An envelope with this body.
pub(super) fn envelope(body: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<s:Envelope xmlns:s=\"{ENVELOPE}\" xmlns:b=\"{NAMESPACE}\">\n  <s:Body>{body}</s:Body>\n</s:Envelope>"
    )
}
