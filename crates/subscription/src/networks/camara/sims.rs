//! Number Verification, SIM Swap and Number Recycling of a CAMARA network.

use std::sync::Arc;

use brands::{Camara as Settings, NumberVerification};
use chrono::NaiveDate;
use operator::camara::{
    AccessToken, CHECK_NUMBER_RECYCLING, CHECK_SIM_SWAP, CheckRecycling, CheckSimSwap, DevicePhoneNumber, Expected,
    IdToken, NUMBER_RECYCLING, NUMBER_VERIFICATION, SHARE_NUMBER, SIM_SWAP, challenge_of,
};
use reqwest::RequestBuilder;
use serde::de::DeserializeOwned;
use service::Clock;
use url::form_urlencoded::Serializer;

use super::{access::Access, client::Client};
use crate::{
    error::Error,
    networks::{Failure, NumberRequest, UNREADABLE, reply},
};

/// Each request has one purpose (CAMARA Security and Interoperability Profile).
const NUMBER_PURPOSE: &str = "dpv:ServiceRegistration";
const FRAUD_PURPOSE: &str = "dpv:FraudPreventionAndDetection";

/// The addresses, and how we are known there.
pub(super) struct Sims {
    authorize_url: String,
    issuer: String,
    scope: String,
    number_url: String,
    swap_url: String,
    recycling_url: String,
    client: Arc<Client>,
    /// Tokens for each of the two: they have a purpose of their own.
    pub swap_access: Access,
    pub recycling_access: Access,
    max_age_hours: u32,
}

impl Sims {
    /// Of a network with these settings.
    pub fn new(root: &str, settings: &Settings, client: &Arc<Client>) -> Self {
        let NumberVerification { authorize_url, issuer, scope } =
            settings.number_verification.clone().unwrap_or_default();
        let sim_swap = settings.sim_swap.clone().unwrap_or_default();
        let swap_scope = sim_swap.scope.unwrap_or_else(|| format!("{FRAUD_PURPOSE} {CHECK_SIM_SWAP}"));
        let recycling_scope = settings.number_recycling.clone().unwrap_or_default().scope;
        let recycling_scope = recycling_scope.unwrap_or_else(|| format!("{FRAUD_PURPOSE} {CHECK_NUMBER_RECYCLING}"));
        Self {
            authorize_url: authorize_url.unwrap_or_else(|| format!("{root}/oauth2/authorize")),
            issuer: issuer.unwrap_or_else(|| root.to_owned()),
            scope: scope.unwrap_or_else(|| format!("openid {NUMBER_PURPOSE} {SHARE_NUMBER}")),
            number_url: format!("{root}/{NUMBER_VERIFICATION}/device-phone-number"),
            swap_url: format!("{root}/{SIM_SWAP}/check"),
            recycling_url: format!("{root}/{NUMBER_RECYCLING}/check"),
            recycling_access: Access::new(client.clone(), recycling_scope),
            swap_access: Access::new(client.clone(), swap_scope),
            max_age_hours: sim_swap.max_age_hours,
            client: client.clone(),
        }
    }

    /// The address of the network at which a browser's SIM is recognised (OpenID Connect Core, section 3.1.2.1).
    pub fn number_page(&self, request: &NumberRequest) -> String {
        let query = Serializer::new(String::new())
            .append_pair("response_type", "code")
            .append_pair("client_id", self.client.id())
            .append_pair("redirect_uri", &request.return_url)
            .append_pair("scope", &self.scope)
            .append_pair("state", &request.state)
            .append_pair("nonce", &request.nonce)
            .append_pair("code_challenge", &challenge_of(&request.verifier))
            .append_pair("code_challenge_method", "S256")
            .append_pair("prompt", "none")
            .finish();
        let joint = if self.authorize_url.contains('?') { '&' } else { '?' };
        format!("{}{joint}{query}", self.authorize_url)
    }

    /// The number of the SIM that the network has recognised for a code.
    pub async fn number_of(&self, code: &str, request: &NumberRequest) -> Result<String, Error> {
        let token = self.exchange(code, request).await?;
        let number: DevicePhoneNumber =
            self.answer(self.client.clients.http.get(&self.number_url).bearer_auth(token)).await?;
        Ok(number.msisdn())
    }

    /// The access token for a code, if the ID token beside it answers this request.
    async fn exchange(&self, code: &str, request: &NumberRequest) -> Result<String, Error> {
        let fields = [
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", request.return_url.as_str()),
            ("code_verifier", request.verifier.as_str()),
        ];
        let AccessToken { access_token, id_token, .. } = self.answer(self.client.request(&fields)?).await?;
        let id_token = id_token.and_then(|text| IdToken::of_endpoint(&text).ok());
        let expected = Expected { issuer: &self.issuer, client: self.client.id(), nonce: &request.nonce };
        let now = Clock::system_now().and_utc().timestamp();
        if !id_token.ok_or(Failure::Unknown(UNREADABLE))?.is_for(&expected, now) {
            return Err(Error::NetworkRejected("the ID token is for another client or request".to_owned()));
        }
        Ok(access_token)
    }

    /// The request that finds out whether a number's SIM was swapped lately.
    pub fn swap_request(&self, msisdn: &str) -> RequestBuilder {
        self.client.clients.http.post(&self.swap_url).json(&CheckSimSwap::new(msisdn, self.max_age_hours))
    }

    /// The request that finds out whether a number was given to another person after a day.
    pub fn recycling_request(&self, msisdn: &str, since: NaiveDate) -> RequestBuilder {
        self.client.clients.http.post(&self.recycling_url).json(&CheckRecycling::new(msisdn, since))
    }

    /// The JSON of a reply of success. The errors quote nothing: replies and addresses may have a number or a code.
    async fn answer<T: DeserializeOwned>(&self, request: RequestBuilder) -> Result<T, Error> {
        let reply = reply::send(&self.client.clients, request).await?;
        match reply.status {
            status if status.is_success() => Ok(reply::json(reply, chrono_tz::UTC)?),
            status if status.is_client_error() => Err(Error::NetworkRejected(status.to_string())),
            status => Err(Error::NetworkUnavailable(status.to_string())),
        }
    }
}
