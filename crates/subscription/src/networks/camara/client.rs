//! How we prove who we are at a network's token endpoint.

use base64::{Engine, engine::general_purpose::URL_SAFE_NO_PAD};
use brands::ClientProof;
use operator::{
    Credentials,
    camara::{ASSERTION_TYPE, ClientKey, InvalidClientKey},
};
use reqwest::{RequestBuilder, header};
use service::{Clock, machine};
use url::form_urlencoded::{Serializer, byte_serialize};

use crate::{error::Error, networks::Clients};

/// A client of a token endpoint.
pub(super) struct Client {
    /// The network's.
    pub clients: Clients,
    token_url: String,
    credentials: Credentials,
    /// The key, where it stands in the place of the secret.
    key: Option<ClientKey>,
}

impl Client {
    /// With the credentials that the network has given us.
    pub fn new(
        clients: Clients,
        token_url: String,
        proof: ClientProof,
        credentials: Credentials,
    ) -> Result<Self, InvalidClientKey> {
        let key = match proof {
            ClientProof::ClientSecretBasic => None,
            ClientProof::PrivateKeyJwt => Some(ClientKey::parse(&credentials)?),
        };
        Ok(Self { clients, token_url, credentials, key })
    }

    /// The client id.
    pub fn id(&self) -> &str {
        &self.credentials.user
    }

    /// A request with these fields, and the proof.
    pub fn request(&self, fields: &[(&str, &str)]) -> Result<RequestBuilder, Error> {
        let mut body = Serializer::new(String::new());
        body.extend_pairs(fields);
        let mut request = self.clients.http.post(&self.token_url);
        if let Some(key) = &self.key {
            let now = Clock::system_now().and_utc().timestamp();
            let unsigned = |_| Error::NetworkUnavailable("the client assertion could not be signed".to_owned());
            let assertion = key
                .assertion(&self.token_url, &URL_SAFE_NO_PAD.encode(machine::random::<[u8; 24]>()), now)
                .map_err(unsigned)?;
            body.append_pair("client_id", self.id());
            body.append_pair("client_assertion_type", ASSERTION_TYPE);
            body.append_pair("client_assertion", &assertion);
        } else {
            // Both are form-encoded first (RFC 6749, section 2.3.1).
            let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
            request = request.basic_auth(encoded(self.id()), Some(encoded(&self.credentials.password)));
        }
        Ok(request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded").body(body.finish()))
    }
}
