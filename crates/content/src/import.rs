//! From a manifest to the services that hold its parts.

use brands::{Brands, Kind};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::Manifest;

/// Where each kind's service is reached by operators, and the token that opens its door.
#[derive(Clone)]
pub struct Services {
    /// Base URL of the comedy service.
    pub comedy: String,
    /// Base URL of the diski service.
    pub diski: String,
    /// Base URL of the meme service.
    pub meme: String,
    /// Base URL of the tt service.
    pub tt: String,
    /// `ADMIN_TOKEN` of all four.
    pub admin_token: String,
}

impl Services {
    fn url_of(&self, kind: Kind) -> &str {
        match kind {
            Kind::Comedy => &self.comedy,
            Kind::Diski => &self.diski,
            Kind::Meme => &self.meme,
            Kind::Tt => &self.tt,
        }
    }
}

/// What one service did with its part.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Summary {
    /// The service.
    #[serde(skip)]
    pub service: String,
    /// Records that are new.
    pub added: u64,
    /// Records that are different now.
    pub changed: u64,
    /// Records that were there already, word for word.
    pub unchanged: u64,
}

/// Why an import ended early; services named before took their part whole, the named one and those after took nothing.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The manifest names a service that no brand has.
    #[error("the manifest's service {0:?} belongs to no brand")]
    UnknownService(String),
    /// A service could not be reached.
    #[error("{service}: cannot reach {url}: {cause}")]
    Unreachable {
        /// The service.
        service: String,
        /// Its address.
        url: String,
        /// What went wrong on the way.
        cause: reqwest::Error,
    },
    /// A service refused its part, and took nothing of it.
    #[error("{service}: {message}")]
    Refused {
        /// The service.
        service: String,
        /// What it said.
        message: String,
    },
}

/// Sends each service its part. With `once`, a service that ever took in this very manifest leaves everything as it is.
pub async fn import(
    manifest: &Manifest,
    brands: &Brands,
    services: &Services,
    once: bool,
) -> Result<Vec<Summary>, Error> {
    let http = reqwest::Client::builder().no_proxy().build().map_err(|cause| Error::Unreachable {
        service: "content".to_owned(),
        url: "the network".to_owned(),
        cause,
    })?;
    // Every name is understood before anything is sent.
    let parts = manifest
        .services
        .iter()
        .map(|(name, part)| {
            let brand = brands.iter().find(|brand| brand.answers_to(name));
            brand.map(|brand| (brand, part)).ok_or_else(|| Error::UnknownService(name.clone()))
        })
        .collect::<Result<Vec<_>, _>>()?;
    let mut summaries = Vec::new();
    for (brand, part) in parts {
        let url = format!("{}/internal/import", services.url_of(brand.kind).trim_end_matches('/'));
        let body = with_header(part, &brand.service, &manifest.digest, once);
        let unreachable = |cause| Error::Unreachable { service: brand.service.clone(), url: url.clone(), cause };
        let reply = http.post(&url).bearer_auth(&services.admin_token).json(&body).send().await.map_err(unreachable)?;
        if !reply.status().is_success() {
            return Err(Error::Refused { service: brand.service.clone(), message: message_of(reply).await });
        }
        let summary: Summary = reply.json().await.map_err(unreachable)?;
        summaries.push(Summary { service: brand.service.clone(), ..summary });
    }
    Ok(summaries)
}

fn with_header(part: &Map<String, Value>, service: &str, digest: &str, once: bool) -> Map<String, Value> {
    let mut body = part.clone();
    body.insert("service".to_owned(), service.into());
    body.insert("digest".to_owned(), digest.into());
    body.insert("once".to_owned(), once.into());
    body
}

async fn message_of(reply: reqwest::Response) -> String {
    let status = reply.status();
    let problem: Option<Value> = reply.json().await.ok();
    match problem.as_ref().and_then(|problem| problem.get("error_message")).and_then(Value::as_str) {
        Some(message) => message.to_owned(),
        None => format!("answered {status}"),
    }
}
