//! The numbers that have moved to another network: `GET /numbers`, as the subscription service looks them up, and `POST /internal/numbers`.

use std::{
    collections::BTreeMap,
    sync::{Mutex, PoisonError},
};

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Json},
};
use identity::Msisdn;
use serde::Deserialize;
use serde_json::json;
use service::Admin;

use crate::{App, error::Error};

/// The networks of moved numbers; those of all others are not known here. In memory, like the sandbox's other faults.
#[derive(Default)]
pub(crate) struct MovedNumbers(Mutex<BTreeMap<String, String>>);

impl MovedNumbers {
    /// The network that a number has moved to.
    pub fn network_of(&self, msisdn: &str) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(msisdn).cloned()
    }
}

/// A number that moves.
#[derive(Deserialize)]
pub(crate) struct Move {
    msisdn: String,
    network: String,
}

/// Moves a number to a network.
pub(crate) async fn move_number(_: Admin, app: Data<App>, moved: Json<Move>) -> Result<HttpResponse, Error> {
    let Move { msisdn, network } = moved.into_inner();
    let msisdn = Msisdn::parse(&msisdn)?;
    app.brands.network(&network).ok_or(Error::UnknownNetwork)?;
    app.moved_numbers.0.lock().unwrap_or_else(PoisonError::into_inner).insert(msisdn.as_str().to_owned(), network);
    Ok(HttpResponse::NoContent().finish())
}

/// The network of the number in the header `X-MSISDN`; 404 for a number that has not moved.
pub(crate) async fn get_network(app: Data<App>, req: HttpRequest) -> Result<HttpResponse, Error> {
    let number = req.headers().get("x-msisdn").and_then(|value| value.to_str().ok()).unwrap_or_default();
    let msisdn = Msisdn::parse(number)?;
    Ok(match app.moved_numbers.network_of(msisdn.as_str()) {
        Some(network) => HttpResponse::Ok().json(json!({ "network": network })),
        None => HttpResponse::NotFound().finish(),
    })
}
