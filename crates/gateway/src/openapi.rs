//! The documents of all services as one: OpenAPI 3.1 for programs, a page of it for people.
//!
//! The page is our own (`page`): the vendored interfaces there are weigh over a megabyte of script, fetch it from elsewhere or
//! while building, and want a looser Content-Security-Policy than any page of ours has. A list of calls needs no script.

mod merge;
mod page;

use std::{collections::HashMap, sync::Arc, sync::Mutex, time::Duration};

use actix_web::{
    HttpRequest, HttpResponse,
    http::{
        StatusCode,
        header::{self, HeaderValue},
        uri::PathAndQuery,
    },
    web::Data,
};
use bytes::Bytes;
use futures_util::future::try_join_all;
use moka::future::Cache;
use serde_json::Value;
use web::openapi::Cached;

use crate::{
    NAME,
    app::App,
    assets::Asset,
    error::Error,
    proxy::{own_headers, read_small},
    routes,
    upstreams::{Call, Service, Upstreams},
};

pub use merge::merge;

/// How long the merged document is served before the services are asked again.
const KEPT_SECONDS: u64 = 60;

/// What a client may keep it for.
const CACHE_CONTROL: &str = "public, max-age=60";

/// How long a service may take to say what it offers.
const ANSWER_SECONDS: u64 = 5;

/// The largest document a service may have.
const MAX_BYTES: usize = 4 * 1024 * 1024;

/// Both forms of one merged document.
struct Published {
    document: Asset,
    page: Asset,
    policy: String,
}

/// What the services have said of themselves.
pub(crate) struct Documents {
    published: Cache<(), Arc<Published>>,
    last_known: Mutex<HashMap<&'static str, Value>>,
}

impl Documents {
    pub(crate) fn new() -> Self {
        Self {
            published: Cache::builder().max_capacity(1).time_to_live(Duration::from_secs(KEPT_SECONDS)).build(),
            last_known: Mutex::default(),
        }
    }

    /// The merged document; one request at a time asks the services for it.
    async fn published(&self, upstreams: &Upstreams) -> Result<Arc<Published>, Error> {
        self.published.try_get_with((), self.publish(upstreams)).await.map_err(|error| Error::clone(&error))
    }

    async fn publish(&self, upstreams: &Upstreams) -> Result<Arc<Published>, Error> {
        let asked = Service::ALL
            .map(|service| async move { self.of(upstreams, service).await.map(|document| (service.name(), document)) });
        let mut documents = try_join_all(asked).await?;
        documents.push((NAME, routes::document()));
        let merged = merge(documents);
        let (page, policy) = page::write(&merged);
        let asset = |kind: &str, text: String| Asset::packed(kind, Bytes::from(text), CACHE_CONTROL);
        Ok(Arc::new(Published {
            document: asset("application/json", merged.to_string()),
            page: asset("text/html; charset=utf-8", page),
            policy,
        }))
    }

    /// A service's document; what it last said while it is away.
    async fn of(&self, upstreams: &Upstreams, service: Service) -> Result<Value, Error> {
        let known = |known: Option<&Value>| {
            let mut last = self.last_known.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
            match known {
                Some(document) => last.insert(service.name(), document.clone()),
                None => last.get(service.name()).cloned(),
            }
        };
        match ask(upstreams, service).await {
            Ok(document) => {
                known(Some(&document));
                Ok(document)
            }
            Err(error) => known(None).ok_or(error),
        }
    }
}

async fn ask(upstreams: &Upstreams, service: Service) -> Result<Value, Error> {
    let away = |cause: String| Error::Away { service: service.name(), cause };
    let call = Call::get(PathAndQuery::from_static("/openapi.json"), &own_headers("localhost"));
    let answer = async { read_small(upstreams.of(service).send(&call).await?, service, MAX_BYTES).await };
    let (status, body) = tokio::time::timeout(Duration::from_secs(ANSWER_SECONDS), answer)
        .await
        .map_err(|_| away(format!("no document within {ANSWER_SECONDS} s")))??;
    match (status, serde_json::from_slice::<Value>(&body)) {
        (StatusCode::OK, Ok(document)) if document.get("openapi").is_some() => Ok(document),
        (status, _) => Err(away(format!("its document is none, with status {status}"))),
    }
}

/// The OpenAPI 3.1 document of all services.
#[utoipa::path(get, path = "", responses((status = 200, description = "The document.", body = Object), Cached))]
pub(crate) async fn get_document(req: HttpRequest, app: Data<App>) -> Result<HttpResponse, Error> {
    Ok(app.documents.published(&app.upstreams).await?.document.reply(&req))
}

/// The same as a page.
#[utoipa::path(
    get,
    path = "",
    responses((status = 200, description = "The page.", body = String, content_type = "text/html; charset=utf-8"), Cached)
)]
pub(crate) async fn get_page(req: HttpRequest, app: Data<App>) -> Result<HttpResponse, Error> {
    let published = app.documents.published(&app.upstreams).await?;
    let mut reply = published.page.reply(&req);
    if let Ok(policy) = HeaderValue::from_str(&published.policy) {
        reply.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
        reply.headers_mut().insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    }
    Ok(reply)
}

#[cfg(test)]
mod tests {
    use actix_web::{App, HttpServer, web::get};
    use clap::Parser;
    use serde_json::json;

    use super::*;
    use crate::Config;

    #[actix_web::test]
    async fn a_service_that_goes_away_is_known_by_what_it_said_last() {
        let answer = || async { HttpResponse::Ok().json(json!({ "openapi": "3.1.0" })) };
        let server = HttpServer::new(move || App::new().route("/openapi.json", get().to(answer)));
        let server = server.workers(1).disable_signals().bind(("127.0.0.1", 0)).unwrap();
        let address = server.addrs()[0];
        let server = server.run();
        let handle = server.handle();
        actix_web::rt::spawn(server);

        let mut config = Config::parse_from(["gateway", "--session-public-keys", "none"]);
        config.meme_url = format!("http://{address}").parse().unwrap();
        config.tt_url = "http://127.0.0.1:1".parse().unwrap();
        let (upstreams, documents) = (Upstreams::new(&config), Documents::new());
        let said = documents.of(&upstreams, Service::Meme).await.unwrap();
        handle.stop(false).await;
        assert_eq!(documents.of(&upstreams, Service::Meme).await.unwrap(), said);
        assert!(documents.of(&upstreams, Service::Tt).await.is_err());
    }
}
