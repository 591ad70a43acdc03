//! `/networks/{network}/…`: the address of one of the networks that the sandbox stands in for. Each has the same calls, and knows nothing of
//! the others' subscriptions and charges.

use std::future::{Ready, ready};

use actix_web::{
    Error as HttpError, FromRequest, HttpMessage, HttpRequest,
    body::MessageBody,
    dev::{Payload, ServiceRequest, ServiceResponse},
    http::Uri,
    middleware::Next,
    web::Data,
};

use crate::{App, error::Error};

/// What the addresses of single networks begin with.
const PREFIX: &str = "/networks/";

/// The network that a request named.
#[derive(Clone)]
struct CalledNetwork(String);

/// Takes the network out of a request's address, so that the routes are those of the sandbox.
pub(crate) async fn route<B: MessageBody>(
    mut req: ServiceRequest,
    next: Next<B>,
) -> Result<ServiceResponse<B>, HttpError> {
    let split = req.path().strip_prefix(PREFIX).and_then(|rest| {
        let (network, _) = rest.split_once('/')?;
        let path = req.uri().path_and_query()?.as_str().get(PREFIX.len() + network.len()..)?;
        Some((network.to_owned(), path.parse::<Uri>().ok()?))
    });
    if let Some((network, uri)) = split {
        req.match_info_mut().get_mut().update(&uri);
        req.head_mut().uri = uri;
        req.extensions_mut().insert(CalledNetwork(network));
    }
    next.call(req).await
}

/// The sandbox, as the network that was called.
impl FromRequest for App {
    type Error = Error;
    type Future = Ready<Result<Self, Error>>;

    fn from_request(req: &HttpRequest, _: &mut Payload) -> Self::Future {
        let called = req.extensions().get::<CalledNetwork>().map(|CalledNetwork(network)| network.clone());
        ready(match (req.app_data::<Data<Self>>(), called) {
            (Some(app), Some(network)) => app.at(&network),
            (Some(app), None) => Ok(app.get_ref().clone()),
            (None, _) => Err(Error::Stopping),
        })
    }
}

impl App {
    /// The same sandbox as one of its networks.
    pub(crate) fn at(&self, network: &str) -> Result<Self, Error> {
        self.brands.network(network).ok_or(Error::UnknownNetwork)?;
        Ok(Self { called: Some(network.into()), ..self.clone() })
    }

    /// What the address of the network that was called begins with.
    pub(crate) fn prefix(&self) -> String {
        self.called.as_ref().map(|network| format!("{PREFIX}{network}")).unwrap_or_default()
    }
}
