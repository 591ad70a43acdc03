//! The networks: the few things we ask of one, over HTTP, with short patience.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use brands::Brands;
use operator::{
    Charge, ChargeListed, ChargeRequest, OptIn, OptInReply, OptInRequest, Refund, RefundRequest, SmsRequest,
    StopRequest,
};
use reqwest::{Client, Method, RequestBuilder, Response, StatusCode, header};
use serde::Serialize;
use web::StartError;

use crate::{NAME, error::Error};

/// How long a network may take to accept a connection.
const CONNECT_PATIENCE: Duration = Duration::from_secs(2);

/// How long a network may take to answer: a person waits for the page behind it.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long a network may take to list a page of charges.
const LIST_PATIENCE: Duration = Duration::from_secs(60);

/// Charges on one page of a network's list.
const LISTED_AT_ONCE: usize = 1000;

/// What a network said to a charge.
pub(crate) enum Said {
    /// What became of it.
    Answer(Charge),
    /// It was not charged; later, perhaps.
    NotNow(&'static str),
    /// It will not charge this.
    Refused(&'static str),
    /// It may have been charged.
    Unclear(&'static str),
}

/// Every network of `brands.toml`, by name.
#[derive(Clone)]
pub(crate) struct Networks {
    http: Client,
    /// For charges alone: its connections stay open between them.
    charging: Client,
    urls: Arc<BTreeMap<String, String>>,
}

impl Networks {
    /// Networks without an address of their own are at `default_url`, the operator sandbox.
    pub fn new(brands: &Brands, default_url: &str, charge_patience: Duration) -> Result<Self, StartError> {
        url::Url::parse(default_url).map_err(|error| StartError::Setting(format!("OPERATOR_URL: {error}")))?;
        let client = |patience: Duration| {
            Client::builder()
                .connect_timeout(CONNECT_PATIENCE.min(patience))
                .timeout(patience)
                // Well before a server lets an idle connection go: a charge written into that moment would be lost.
                .pool_idle_timeout(Duration::from_secs(2))
                .no_proxy()
                .redirect(reqwest::redirect::Policy::none())
                .build()
                .map_err(|error| StartError::other(NAME, error))
        };
        let urls = brands
            .iter()
            .filter_map(|brand| {
                let network = brands.network_of(brand)?;
                let url = network.url.as_deref().unwrap_or(default_url).trim_end_matches('/').to_owned();
                Some((brand.network.clone(), url))
            })
            .collect();
        Ok(Self { http: client(PATIENCE)?, charging: client(charge_patience)?, urls: Arc::new(urls) })
    }

    /// Asks for a page that the person confirms on.
    pub async fn opt_in(&self, network: &str, request: &OptInRequest) -> Result<OptInReply, Error> {
        self.send_json(network, "/opt-ins", request).await?.json().await.map_err(away)
    }

    /// Asks what became of an opt-in.
    pub async fn answer_to(&self, network: &str, reference: &str) -> Result<OptIn, Error> {
        let path = format!("/opt-ins/{}", encoded(reference));
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

    /// Asks for a charge.
    pub async fn charge(&self, network: &str, request: &ChargeRequest) -> Said {
        let Ok(base) = self.base(network) else { return Said::NotNow("no such network") };
        let reply = match self.charging.post(format!("{base}/charges")).json(request).send().await {
            Ok(reply) => reply,
            // Nobody was there to hear it.
            Err(error) if error.is_connect() => return Said::NotNow("the network is away"),
            Err(error) if error.is_timeout() => return Said::Unclear("no answer in time"),
            Err(_) => return Said::Unclear("the connection was cut"),
        };
        match reply.status() {
            StatusCode::OK => reply.json().await.map_or(Said::Unclear("the answer was cut or garbled"), Said::Answer),
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS => Said::NotNow("the network said later"),
            // Conflicts mean that the key is being worked on.
            status if status.is_client_error() && status != StatusCode::CONFLICT => {
                Said::Refused("the network refused it")
            }
            _ => Said::Unclear("the network failed"),
        }
    }

    /// Asks what became of a charge; `None` where the network knows none of that key.
    pub async fn charge_of(&self, network: &str, key: &str) -> Result<Option<Charge>, Error> {
        let request = self.charging.get(format!("{}/charges/{}", self.base(network)?, encoded(key)));
        let reply = request.send().await.map_err(away)?;
        if reply.status() == StatusCode::NOT_FOUND {
            return Ok(None);
        }
        reply.error_for_status().map_err(away)?.json().await.map(Some).map_err(away)
    }

    /// Gives a charge back.
    pub async fn refund(&self, network: &str, request: &RefundRequest) -> Result<Refund, Error> {
        self.send_json(network, "/refunds", request).await?.json().await.map_err(away)
    }

    /// A page of what a network charged on a day, and the address of the page after it.
    pub async fn charges_of_day(
        &self,
        network: &str,
        day: &str,
        next: Option<&str>,
    ) -> Result<(Vec<ChargeListed>, Option<String>), Error> {
        let first = format!("/charges?day={day}&limit={LISTED_AT_ONCE}");
        let reply =
            answered(self.request(network, Method::GET, next.unwrap_or(&first))?.timeout(LIST_PATIENCE)).await?;
        let link = reply.headers().get(header::LINK).and_then(|link| link.to_str().ok()).and_then(next_page);
        Ok((reply.json().await.map_err(away)?, link))
    }

    /// Where a network's API is; several names may share one.
    pub fn base(&self, network: &str) -> Result<&str, Error> {
        self.urls.get(network).map(String::as_str).ok_or(Error::UnknownNetwork)
    }

    async fn send_json<T: Serialize>(&self, network: &str, path: &str, body: &T) -> Result<Response, Error> {
        answered(self.request(network, Method::POST, path)?.json(body)).await
    }

    fn request(&self, network: &str, method: Method, path: &str) -> Result<RequestBuilder, Error> {
        let base = self.base(network)?;
        Ok(self.http.request(method, format!("{base}{path}")))
    }
}

fn encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// The path and query of a `Link` header's `rel="next"`; its host is not followed.
fn next_page(link: &str) -> Option<String> {
    let next = link.split(',').find(|part| part.contains("rel=\"next\""))?;
    let address = next.split_once('<')?.1.split_once('>')?.0;
    let from = match address.split_once("://") {
        Some((_, rest)) => rest.get(rest.find('/')?..)?,
        None => address,
    };
    from.get(from.find("/charges")?..).map(str::to_owned)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_page_is_asked_at_the_same_network() {
        let next = Some("/charges?day=2026-12-01&after=7".to_owned());
        for link in [
            "</charges?day=2026-12-01&after=7>; rel=\"next\"",
            "</x>; rel=\"prev\", <https://elsewhere.example/v1/charges?day=2026-12-01&after=7>; rel=\"next\"",
        ] {
            assert_eq!(next_page(link), next, "{link}");
        }
        for link in ["", "</charges>; rel=\"prev\"", "<>; rel=\"next\""] {
            assert_eq!(next_page(link), None, "{link}");
        }
    }
}
