//! The merged OpenAPI 3.1 document of all services, as JSON and as a page.
//!
//! The page is our own (`page`): the usual viewers are more than a megabyte of script, load it from other hosts or at build time, and need a
//! weaker Content-Security-Policy than our pages have. A list of endpoints needs no script.

mod merge;
mod page;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use bytes::Bytes;
use futures_util::future::try_join_all;
use http::{
    StatusCode,
    header::{self, HeaderValue},
    uri::PathAndQuery,
};
use moka::future::Cache;
use serde_json::Value;
use service::openapi::Cached;

use crate::{
    NAME,
    assets::Asset,
    error::Error,
    forward::own_headers,
    proxy::read_small,
    request::Head,
    response::{Response, value},
    routes,
    services::Service,
    upstream::{Call, Upstreams},
};

pub use merge::merge;

/// How long the merged document is served before the services are queried again.
const CACHE_SECONDS: u64 = 60;

/// The clients' cache duration.
const CACHE_CONTROL: &str = "public, max-age=60";

/// The timeout for a service's document.
const TIMEOUT_SECONDS: u64 = 5;

/// The largest document of a service.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Both forms of the merged document.
struct Published {
    document: Asset,
    page: Asset,
    policy: HeaderValue,
}

/// The services' documents.
pub(crate) struct Documents {
    upstreams: Arc<Upstreams>,
    published: Cache<(), Arc<Published>>,
    last_known: Mutex<HashMap<&'static str, Value>>,
}

impl Documents {
    /// Starts without documents: the first request fetches them.
    pub(crate) fn new(upstreams: Arc<Upstreams>) -> Self {
        Self {
            upstreams,
            published: Cache::builder().max_capacity(1).time_to_live(Duration::from_secs(CACHE_SECONDS)).build(),
            last_known: Mutex::default(),
        }
    }

    /// Responds with the merged document.
    pub(crate) async fn json(&self, head: &Head) -> Result<Response, Error> {
        get_document(self, head).await
    }

    /// Responds with its page.
    pub(crate) async fn page(&self, head: &Head) -> Result<Response, Error> {
        get_page(self, head).await
    }

    /// The merged document; concurrent requests cause one fetch.
    async fn published(&self) -> Result<Arc<Published>, Error> {
        self.published.try_get_with((), self.publish()).await.map_err(|error| Error::clone(&error))
    }

    async fn publish(&self) -> Result<Arc<Published>, Error> {
        let documents = try_join_all(Service::ALL.map(|service| self.of(service))).await?;
        let mut documents: Vec<_> = Service::ALL.map(Service::name).into_iter().zip(documents).collect();
        documents.push((NAME, routes::document()));
        let merged = merge(documents);
        let (page, policy) = page::write(&merged);
        let asset = |kind: &str, text: String| Asset::compressed(kind, Bytes::from(text), CACHE_CONTROL);
        Ok(Arc::new(Published {
            document: asset("application/json", merged.to_string()),
            page: asset("text/html; charset=utf-8", page),
            policy: value(&policy),
        }))
    }

    /// A service's document; the last one fetched while the service is unavailable.
    async fn of(&self, service: Service) -> Result<Value, Error> {
        let fetched = self.fetch(service).await;
        let mut last_known = self.last_known.lock().unwrap_or_else(PoisonError::into_inner);
        match fetched {
            Ok(document) => {
                last_known.insert(service.name(), document.clone());
                Ok(document)
            }
            Err(error) => last_known.get(service.name()).cloned().ok_or(error),
        }
    }

    async fn fetch(&self, service: Service) -> Result<Value, Error> {
        let away = |cause: String| Error::Away { service: service.name(), cause };
        let call = Call::get(PathAndQuery::from_static("/openapi.json"), own_headers("localhost"));
        let answer = async { read_small(self.upstreams.of(service).send(&call).await?, service, MAX_BYTES).await };
        let (status, body) = tokio::time::timeout(Duration::from_secs(TIMEOUT_SECONDS), answer)
            .await
            .map_err(|_| away(format!("no document within {TIMEOUT_SECONDS} s")))??;
        match (status, serde_json::from_slice::<Value>(&body)) {
            (StatusCode::OK, Ok(document)) if document.get("openapi").is_some() => Ok(document),
            (status, _) => Err(away(format!("its document is none, with status {status}"))),
        }
    }
}

/// The OpenAPI 3.1 document of all services.
#[utoipa::path(get, path = "", responses((status = 200, description = "The document.", body = Object), Cached))]
pub(crate) async fn get_document(documents: &Documents, head: &Head) -> Result<Response, Error> {
    Ok(documents.published().await?.document.respond(head))
}

/// The same as a page.
#[utoipa::path(
    get,
    path = "",
    responses((status = 200, description = "The page.", body = String, content_type = "text/html; charset=utf-8"), Cached)
)]
pub(crate) async fn get_page(documents: &Documents, head: &Head) -> Result<Response, Error> {
    let published = documents.published().await?;
    let mut response = published.page.respond(head);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, published.policy.clone());
    response.headers_mut().insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    Ok(response)
}

#[cfg(test)]
mod tests {
    use std::{
        io::{BufRead, BufReader, Write},
        net::TcpListener,
        thread,
    };

    use clap::Parser;

    use super::*;
    use crate::Config;

    #[tokio::test]
    async fn of_an_unavailable_service_returns_its_last_document() {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let address = listener.local_addr().unwrap();
        // A service that answers one request.
        let service = thread::spawn(move || {
            let mut stream = BufReader::new(listener.accept().unwrap().0);
            let mut line = String::new();
            while line != "\r\n" {
                line.clear();
                stream.read_line(&mut line).unwrap();
            }
            let body = r#"{"openapi":"3.1.0"}"#;
            let head = format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
            stream.get_mut().write_all(format!("{head}{body}").as_bytes()).unwrap();
        });

        let mut config = Config::parse_from(["gateway", "--session-public-keys", "none"]);
        config.meme_url = format!("http://{address}").parse().unwrap();
        config.tt_url = "http://127.0.0.1:1".parse().unwrap();
        let documents = Documents::new(Arc::new(Upstreams::new(&config)));
        let first = documents.of(Service::Meme).await.unwrap();
        service.join().unwrap();
        assert_eq!(documents.of(Service::Meme).await.unwrap(), first);
        assert!(documents.of(Service::Tt).await.is_err());
    }
}
