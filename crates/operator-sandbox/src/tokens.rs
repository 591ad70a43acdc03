//! Networks that do not reveal their subscribers' numbers (`subscribers = "token"`): the tokens by which they name them.
//!
//! Such a network keeps the token in place of the number in every table, so that no list, reply or notification can have the number. Only
//! persons know numbers: on an opt-in page, in an inbox, and where an SMS is written.

use actix_web::{
    HttpResponse,
    web::{Data, Json},
};
use identity::{Msisdn, SubscriberId};
use serde::Deserialize;
use serde_json::json;
use service::Admin;
use sha2::{Digest, Sha256};

use crate::{App, error::Error};

/// The token of a number at a network: another one at each, and the same for ever. It ends in the number's last four digits, which select its
/// behaviour.
pub fn token_of(network: &str, msisdn: &str) -> String {
    let digest = Sha256::digest(format!("{network}/{msisdn}"));
    let digest: String = digest.iter().take(10).map(|byte| format!("{byte:02x}")).collect();
    let (_, last) = msisdn.split_at_checked(msisdn.len().saturating_sub(4)).unwrap_or_default();
    format!("{digest}-{last}")
}

/// A number, and the network whose token is requested.
#[derive(Deserialize)]
pub(crate) struct TokenQuery {
    msisdn: String,
    network: String,
}

/// The token that a network adds to the requests of a number's phone.
pub(crate) async fn get_token(_: Admin, app: Data<App>, query: Json<TokenQuery>) -> Result<HttpResponse, Error> {
    let msisdn = Msisdn::parse(&query.msisdn)?;
    if !app.brands.has_tokens(&query.network) {
        return Err(Error::UnknownNetwork);
    }
    Ok(HttpResponse::Ok().json(json!({ "token": token_of(&query.network, msisdn.as_str()) })))
}

impl App {
    /// What a network calls the owner of a number.
    pub(crate) fn name_at(&self, network: &str, msisdn: &Msisdn) -> String {
        if self.brands.has_tokens(network) { token_of(network, msisdn.as_str()) } else { msisdn.as_str().to_owned() }
    }

    /// What all networks call the owner of a number.
    pub(crate) fn names_of(&self, msisdn: &Msisdn) -> Vec<String> {
        let networks = self.brands.networks().map(|(network, _)| network);
        let tokens = networks.filter(|network| self.brands.has_tokens(network));
        let tokens = tokens.map(|network| token_of(&network, msisdn.as_str()));
        std::iter::once(msisdn.as_str().to_owned()).chain(tokens).collect()
    }

    /// A subscriber as a call about a service names it: by the number, or the token where the network has tokens.
    pub(crate) fn named(&self, svc_id: i32, text: &str) -> Result<String, Error> {
        let network = self.network_of(svc_id).unwrap_or_default();
        let named = SubscriberId::at_network(&self.brands, &network, text)?;
        // The caller writes the token as this network does, without a name before it.
        if named.number().is_none() && text.contains(':') {
            return Err(Error::InvalidMsisdn);
        }
        Ok(if named.number().is_none() { text.to_owned() } else { named.as_str().to_owned() })
    }

    /// The subscriber of an opt-in page. It may be requested for a number that a visitor has typed.
    pub(crate) fn named_on_page(&self, svc_id: i32, text: &str) -> Result<String, Error> {
        let network = self.network_of(svc_id).unwrap_or_default();
        match Msisdn::parse(text) {
            Ok(number) => Ok(self.name_at(&network, &number)),
            Err(_) => self.named(svc_id, text),
        }
    }
}

/// A subscriber on a page: the end of it.
pub(crate) fn masked(name: &str) -> String {
    match Msisdn::parse(name) {
        Ok(number) => number.masked(),
        Err(_) => format!("••••••{}", name.get(name.len().saturating_sub(3)..).unwrap_or_default()),
    }
}

#[cfg(test)]
mod tests {
    use super::token_of;

    #[test]
    fn token_of_is_of_one_network_and_reveals_the_last_digits_only() {
        let token = token_of("one", "27812345678");
        assert_eq!(token, token_of("one", "27812345678"));
        assert_ne!(token, token_of("other", "27812345678"));
        assert!(token.ends_with("-5678") && token.len() == 25 && !token.contains("8123"), "{token}");
    }
}
