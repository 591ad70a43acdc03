//! What a network knows a subscriber by: the mobile number, or a token in its place.

use std::fmt;

use brands::Brands;

use crate::{InvalidMsisdn, Msisdn};

/// The shortest and longest token, in characters: a shorter one could be guessed, and its masked form would reveal most of it.
const TOKEN_LENGTH: std::ops::RangeInclusive<usize> = 8..=128;

/// A subscriber's number; or the opaque token by which one network names a subscriber whose number it does not reveal. Prints masked.
///
/// Columns, sessions and messages that are called `msisdn` have either. A token is valid at its own network only: it has no number to look
/// up, it is never typed, and the same person's number is another subscriber.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SubscriberId {
    /// `27812345678`.
    Number(Msisdn),
    /// `vodacom:9f2c41d07ab3`.
    Token(Token),
}

/// A network's name and its token.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Token {
    text: String,
    network_length: usize,
}

impl SubscriberId {
    /// Reads a number in any spelling, or `network:token`.
    pub fn parse(text: &str) -> Result<Self, InvalidMsisdn> {
        // First, because a number may begin with `tel:`.
        if let Ok(number) = Msisdn::parse(text) {
            return Ok(Self::Number(number));
        }
        let (network, token) = text.split_once(':').ok_or(InvalidMsisdn)?;
        Self::token(network, token)
    }

    /// The subscriber whom a network names by this token. Capitals count: tokens are compared byte by byte.
    pub fn token(network: &str, token: &str) -> Result<Self, InvalidMsisdn> {
        let is_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_');
        let is_token = |b: u8| is_name(b) || matches!(b, b'.' | b'~' | b'+' | b'/' | b'=');
        // `tel:` begins a number.
        if network.is_empty() || network.eq_ignore_ascii_case("tel") || !network.bytes().all(is_name) {
            return Err(InvalidMsisdn);
        }
        if !TOKEN_LENGTH.contains(&token.len()) || !token.bytes().all(is_token) {
            return Err(InvalidMsisdn);
        }
        Ok(Self::Token(Token { text: format!("{network}:{token}"), network_length: network.len() }))
    }

    /// The subscriber whom a network names by this text, in a notification, a list or a header: a number, or a token of its own, as
    /// `brands.toml` has it. No network can name another's token.
    pub fn at_network(brands: &Brands, network: &str, text: &str) -> Result<Self, InvalidMsisdn> {
        if !brands.has_tokens(network) {
            return Msisdn::parse(text).map(Self::Number);
        }
        let own = text.strip_prefix(network).and_then(|rest| rest.strip_prefix(':'));
        Self::token(network, own.unwrap_or(text))
    }

    /// The whole number or `network:token`: only for the database, sessions and requests to the network.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Number(number) => number.as_str(),
            Self::Token(token) => &token.text,
        }
    }

    /// The number, where it is known.
    pub fn number(&self) -> Option<&Msisdn> {
        match self {
            Self::Number(number) => Some(number),
            Self::Token(_) => None,
        }
    }

    /// The only network at which it is known, where it is a token.
    pub fn token_network(&self) -> Option<&str> {
        match self {
            Self::Number(_) => None,
            Self::Token(token) => token.text.get(..token.network_length),
        }
    }

    /// `27••••••678`, or `vodacom:••••••ab3`: its owner recognises it, other readers cannot complete it.
    pub fn masked(&self) -> String {
        match self {
            Self::Number(number) => number.masked(),
            Self::Token(Token { text, network_length }) => {
                let (network, last) = (text.get(..*network_length), text.get(text.len().saturating_sub(3)..));
                format!("{}:••••••{}", network.unwrap_or_default(), last.unwrap_or_default())
            }
        }
    }
}

impl From<Msisdn> for SubscriberId {
    fn from(number: Msisdn) -> Self {
        Self::Number(number)
    }
}

impl PartialEq<Msisdn> for SubscriberId {
    fn eq(&self, number: &Msisdn) -> bool {
        self.number() == Some(number)
    }
}

impl fmt::Debug for SubscriberId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.masked())
    }
}

impl fmt::Display for SubscriberId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.masked())
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&SubscriberId::Token(self.clone()).masked())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_reads_numbers_and_tokens() {
        let number = SubscriberId::parse("081 234 5678").unwrap();
        assert_eq!((number.as_str(), number.token_network()), ("27812345678", None));
        assert_eq!(number, Msisdn::parse("27812345678").unwrap());
        for token in ["9f2c41d07ab3", "27812345678", "aB3/+_-~.x==", "12345678"] {
            let text = format!("vodacom:{token}");
            let read = SubscriberId::parse(&text).unwrap();
            assert_eq!((read.as_str(), read.number(), read.token_network()), (text.as_str(), None, Some("vodacom")));
            assert_eq!(SubscriberId::token("vodacom", token).unwrap(), read);
        }
        assert_ne!(SubscriberId::parse("vodacom:abcdefgh").unwrap(), SubscriberId::parse("vodacom:ABCDEFGH").unwrap());
    }

    #[test]
    fn parse_rejects_what_is_neither() {
        let long = format!("vodacom:{}", "a".repeat(129));
        for text in [
            "",
            ":",
            "vodacom:",
            "vodacom:short",
            ":9f2c41d07ab3",
            "voda com:9f2c41d07ab3",
            "vodacom:9f2c 41d07ab3",
            "vodacom:9f2c:41d07ab3",
            "vodacom:9f2c41d07ab3%",
            "vodacom:9f2c41d07abé",
            "vodacom:9f2c41d07ab\0",
            "9f2c41d07ab3",
            "tel:9f2c41d07ab3",
            &long,
        ] {
            assert!(SubscriberId::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn no_network_names_a_token_of_another_or_a_number_where_it_has_tokens() {
        let file = include_str!("../../../deploy/brands.toml");
        let file = file.replacen("adapter = \"rest\"", "adapter = \"rest\"\nsubscribers = \"token\"", 1);
        let brands = Brands::parse(&file, "brands.toml").unwrap();
        let at = |network: &str, text: &str| {
            SubscriberId::at_network(&brands, network, text).ok().map(|id| id.as_str().to_owned())
        };
        let token = Some("sandbox-pull:9f2c41d07ab3".to_owned());
        assert_eq!(at("sandbox-pull", "9f2c41d07ab3"), token);
        assert_eq!(at("sandbox-pull", "sandbox-pull:9f2c41d07ab3"), token);
        assert_eq!(at("sandbox-pull", "sandbox-push:9f2c41d07ab3"), None);
        assert_eq!(at("sandbox-pull", "27812345678").as_deref(), Some("sandbox-pull:27812345678"));
        assert_eq!(at("sandbox-push", "27812345678").as_deref(), Some("27812345678"));
        for text in ["9f2c41d07ab3", "sandbox-pull:9f2c41d07ab3", "sandbox-push:9f2c41d07ab3"] {
            assert_eq!(at("sandbox-push", text), None, "{text}");
        }
    }

    #[test]
    fn display_and_debug_mask_number_and_token() {
        let number = SubscriberId::parse("0812345678").unwrap();
        let token = SubscriberId::parse("vodacom:9f2c41d07ab3").unwrap();
        assert_eq!(format!("{number} {number:?}"), "27••••••678 27••••••678");
        assert_eq!(format!("{token} {token:?}"), "vodacom:••••••ab3 vodacom:••••••ab3");
    }
}
