//! The networks: the few things we ask of one, over HTTP, with short patience.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use brands::Brands;
use operator::{OptIn, OptInReply, OptInRequest, SmsRequest, StopRequest};
use reqwest::{Client, Method, RequestBuilder, Response};
use serde::Serialize;
use web::StartError;

use crate::{NAME, error::Error};

/// How long a network may take to accept a connection.
const CONNECT_PATIENCE: Duration = Duration::from_secs(2);

/// How long a network may take to answer: a person waits for the page behind it.
const PATIENCE: Duration = Duration::from_secs(5);

/// Every network of `brands.toml`, by name.
#[derive(Clone)]
pub(crate) struct Networks {
    http: Client,
    urls: Arc<BTreeMap<String, String>>,
}

impl Networks {
    /// Networks without an address of their own are at `default_url`, the operator sandbox.
    pub fn new(brands: &Brands, default_url: &str) -> Result<Self, StartError> {
        url::Url::parse(default_url).map_err(|error| StartError::Setting(format!("OPERATOR_URL: {error}")))?;
        let http = Client::builder()
            .connect_timeout(CONNECT_PATIENCE)
            .timeout(PATIENCE)
            .no_proxy()
            .redirect(reqwest::redirect::Policy::none())
            .build()
            .map_err(|error| StartError::other(NAME, error))?;
        let urls = brands
            .iter()
            .filter_map(|brand| {
                let network = brands.network_of(brand)?;
                let url = network.url.as_deref().unwrap_or(default_url).trim_end_matches('/').to_owned();
                Some((brand.network.clone(), url))
            })
            .collect();
        Ok(Self { http, urls: Arc::new(urls) })
    }

    /// Asks for a page that the person confirms on.
    pub async fn opt_in(&self, network: &str, request: &OptInRequest) -> Result<OptInReply, Error> {
        self.send_json(network, "/opt-ins", request).await?.json().await.map_err(away)
    }

    /// Asks what became of an opt-in.
    pub async fn answer_to(&self, network: &str, reference: &str) -> Result<OptIn, Error> {
        let path =
            format!("/opt-ins/{}", url::form_urlencoded::byte_serialize(reference.as_bytes()).collect::<String>());
        answered(self.request(network, Method::GET, &path)?).await?.json().await.map_err(away)
    }

    /// Ends one of the network's own subscriptions.
    pub async fn stop(&self, network: &str, request: &StopRequest) -> Result<(), Error> {
        self.send_json(network, "/stops", request).await.map(|_| ())
    }

    /// Sends an SMS.
    pub async fn send_sms(&self, network: &str, request: &SmsRequest) -> Result<(), Error> {
        self.send_json(network, "/messages", request).await.map(|_| ())
    }

    async fn send_json<T: Serialize>(&self, network: &str, path: &str, body: &T) -> Result<Response, Error> {
        answered(self.request(network, Method::POST, path)?.json(body)).await
    }

    fn request(&self, network: &str, method: Method, path: &str) -> Result<RequestBuilder, Error> {
        let base = self.urls.get(network).ok_or(Error::UnknownNetwork)?;
        Ok(self.http.request(method, format!("{base}{path}")))
    }
}

async fn answered(request: RequestBuilder) -> Result<Response, Error> {
    request.send().await.and_then(Response::error_for_status).map_err(away)
}

/// The cause for the log; without the address, which may name a person's opt-in.
fn away(error: reqwest::Error) -> Error {
    use std::error::Error as _;
    let error = error.without_url();
    let source = error.source().map(|source| format!(": {source}")).unwrap_or_default();
    Error::NetworkAway(format!("{error}{source}"))
}
