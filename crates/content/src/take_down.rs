//! Taking a record off the lists at once, or putting it back, and the log of it.

use brands::Brands;
use serde::Deserialize;
use serde_json::json;

use crate::{
    CallError, Services,
    services::{ServiceClient, unknown},
};

/// A take-down, or its reversal.
#[derive(Clone, Debug, Deserialize)]
pub struct TakeDown {
    /// When, UTC.
    pub at: String,
    /// Who requested it.
    pub who: String,
    /// The kind of record.
    pub kind: String,
    /// The record's id.
    pub record_id: i64,
    /// The record's slug.
    pub slug: String,
    /// Its state before.
    pub from_state: String,
    /// Its state since.
    pub to_state: String,
    /// Why.
    pub reason: String,
}

/// The record to take down or put back, and the reason.
#[derive(Clone, Copy, Debug)]
pub struct Order<'a> {
    /// The kind of record.
    pub kind: &'a str,
    /// Its id or slug.
    pub record: &'a str,
    /// `unlisted`, `deleted` or `listed`.
    pub state: &'a str,
    /// Who requests it.
    pub who: &'a str,
    /// Why.
    pub reason: &'a str,
}

/// Takes a record of a service off the lists, or puts it back.
pub async fn take_down(
    brands: &Brands,
    services: &Services,
    service: &str,
    order: Order<'_>,
) -> Result<TakeDown, CallError> {
    let Order { kind, record, state, who, reason } = order;
    let body =
        json!({"service": service, "kind": kind, "record": record, "state": state, "who": who, "reason": reason});
    service_client(brands, services, service)?.post("/take-downs", &body).await
}

/// A service's take-downs and reversals: the newest first, at most 200.
pub async fn take_downs(brands: &Brands, services: &Services, service: &str) -> Result<Vec<TakeDown>, CallError> {
    let name: String = percent_encoding::utf8_percent_encode(service, percent_encoding::NON_ALPHANUMERIC).collect();
    service_client(brands, services, service)?.get(&format!("/take-downs?service={name}")).await
}

fn service_client(brands: &Brands, services: &Services, service: &str) -> Result<ServiceClient, CallError> {
    let brand = brands.iter().find(|brand| brand.has_name(service));
    let brand = brand.ok_or_else(|| unknown(brands, service))?;
    ServiceClient::new(services, brand.kind, &brand.service)
}
