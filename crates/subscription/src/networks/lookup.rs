//! Which network a number belongs to: by the ranges in `brands.toml`, or by a lookup service that knows the numbers that have moved.

use std::{sync::Arc, time::Duration};

use async_trait::async_trait;
use brands::Brands;
use identity::Msisdn;
use reqwest::{Client, StatusCode};
use serde::Deserialize;
use service::StartError;

use crate::error::Error;

/// How long the lookup service may take: a visitor waits for the reply.
const TIMEOUT: Duration = Duration::from_secs(2);

/// The header with the number, which is in no address and so in no log of addresses.
const NUMBER_HEADER: &str = "x-msisdn";

/// The network of a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NumberNetwork {
    pub network: String,
    /// Whether it is the network of today. A range names the network that the number was issued by, which it may have left.
    pub is_current: bool,
}

/// A source of numbers' networks. `None` where it does not know the number.
#[async_trait]
pub(crate) trait NumberLookup: Send + Sync {
    /// The network of a number.
    async fn network_of(&self, msisdn: &Msisdn) -> Result<Option<NumberNetwork>, Error>;
}

/// The source for these settings: the ranges of `brands.toml`, or the service at `url` before them.
pub(crate) fn source(brands: &Brands, url: Option<&str>) -> Result<Arc<dyn NumberLookup>, StartError> {
    let ranges = Ranges(brands.clone());
    let Some(url) = url else { return Ok(Arc::new(ranges)) };
    let client = service::client_for(url)
        .timeout(TIMEOUT)
        // Shorter than a server's idle timeout: a call must not be written into a connection that is closing.
        .pool_idle_timeout(Duration::from_secs(2))
        .build()
        .map_err(|error| StartError::other(crate::NAME, error))?;
    Ok(Arc::new(MovedNumbers { client, url: url.to_owned(), brands: brands.clone(), ranges }))
}

/// The ranges of the networks in `brands.toml`.
struct Ranges(Brands);

#[async_trait]
impl NumberLookup for Ranges {
    async fn network_of(&self, msisdn: &Msisdn) -> Result<Option<NumberNetwork>, Error> {
        let network = self.0.network_by_range(msisdn.as_str());
        Ok(network.map(|network| NumberNetwork { network, is_current: false }))
    }
}

/// A service that knows which numbers have moved; the ranges where it fails or does not know.
struct MovedNumbers {
    client: Client,
    url: String,
    brands: Brands,
    ranges: Ranges,
}

/// The service's reply.
#[derive(Deserialize)]
struct LookupReply {
    /// The key of a network in `brands.toml`.
    network: String,
}

impl MovedNumbers {
    async fn request(&self, msisdn: &Msisdn) -> Result<Option<String>, reqwest::Error> {
        let reply = self.client.get(&self.url).header(NUMBER_HEADER, msisdn.as_str()).send().await?;
        if reply.status() == StatusCode::NOT_FOUND {
            return Ok(None);
        }
        let LookupReply { network } = reply.error_for_status()?.json().await?;
        Ok(Some(network))
    }
}

#[async_trait]
impl NumberLookup for MovedNumbers {
    async fn network_of(&self, msisdn: &Msisdn) -> Result<Option<NumberNetwork>, Error> {
        match self.request(msisdn).await {
            Ok(Some(network)) if self.brands.network(&network).is_some() => {
                return Ok(Some(NumberNetwork { network, is_current: true }));
            }
            Ok(Some(network)) => {
                tracing::error!(network.name = network, "the number lookup names a network that is not in brands.toml");
            }
            Ok(None) => {}
            // Without its address, which may have a key.
            Err(error) => {
                tracing::warn!(error = %error.without_url(), "the number lookup failed; the ranges decide");
            }
        }
        self.ranges.network_of(msisdn).await
    }
}
