//! The envelope of a message, and its header.

use super::{Interface, Malformed, element::Element};
use crate::{UsernameToken, encoding};

const ENVELOPE: &str = "http://schemas.xmlsoap.org/soap/envelope/";
const SECURITY: &str = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd";
const UTILITY: &str = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-utility-1.0.xsd";

/// A message that was read.
pub(super) struct Envelope {
    header: Option<Element>,
    /// The element in the body.
    pub content: Element,
}

impl Envelope {
    /// Parses an envelope, whatever its headers: a network may prove itself by other ones than ours.
    pub fn parse(xml: &[u8]) -> Result<Self, Malformed> {
        let envelope = Element::parse(&encoding::xml_text(xml))?;
        let (mut header, mut body) = (None, None);
        for child in envelope.children {
            match child.name.as_str() {
                "Header" => header = Some(child),
                "Body" => body = Some(child),
                _ => {}
            }
        }
        let content = body.and_then(|body| body.children.into_iter().next()).ok_or(Malformed)?;
        Ok(Self { header, content })
    }

    /// The text of an element of the header.
    pub fn header(&self, name: &str) -> Option<String> {
        self.header.as_ref()?.readable(&[name])
    }

    /// The caller's token.
    pub fn token(&self) -> Option<UsernameToken> {
        let token = self.header.as_ref()?.find("UsernameToken")?;
        let text = |name| token.readable(&[name]).unwrap_or_default();
        Some(UsernameToken {
            username: text("Username"),
            kind: token.find("Password").map(|password| password.attribute("Type").to_owned()).unwrap_or_default(),
            password: text("Password"),
            nonce: text("Nonce"),
            created: text("Created"),
        })
    }
}

/// A message of an interface: the element in the body, whose own fields are in the interface's namespace, and theirs in none.
pub(super) fn message(name: &str, fields: impl IntoIterator<Item = Element>) -> Element {
    let fields = fields.into_iter().map(|field| {
        let name = format!("m:{}", field.name);
        field.named(name)
    });
    Element::new(&format!("m:{name}"), fields)
}

/// The document.
pub(super) fn write(interface: &Interface, header: impl IntoIterator<Item = Element>, content: Element) -> String {
    let header: Vec<Element> = header.into_iter().collect();
    let parts = (!header.is_empty()).then(|| Element::new("soapenv:Header", header));
    let envelope = Element::new("soapenv:Envelope", parts.into_iter().chain([Element::new("soapenv:Body", [content])]))
        .with("xmlns:soapenv", ENVELOPE)
        .with("xmlns:m", interface.namespace);
    let mut xml = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>".to_owned();
    envelope.write(&mut xml);
    xml
}

/// The header of a caller.
pub(super) fn security(token: UsernameToken) -> Element {
    let password = Element::text("wsse:Password", token.password).with("Type", &token.kind);
    let nonce = Element::text("wsse:Nonce", token.nonce).with("EncodingType", crate::username_token::BASE64_BINARY);
    let username = Element::text("wsse:Username", token.username);
    let fields = [username, password, nonce, Element::text("wsu:Created", token.created)];
    Element::new("wsse:Security", [Element::new("wsse:UsernameToken", fields)])
        .with("soapenv:mustUnderstand", "1")
        .with("xmlns:wsse", SECURITY)
        .with("xmlns:wsu", UTILITY)
}

#[cfg(test)]
/// An envelope with this body.
pub(super) fn envelope(body: &str) -> String {
    format!("<?xml version=\"1.0\"?>\n<s:Envelope xmlns:s=\"{ENVELOPE}\">\n  <s:Body>{body}</s:Body>\n</s:Envelope>")
}
