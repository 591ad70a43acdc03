//! The lists of editors, as the back office has them: on the terminal, and as a manifest.

use std::io::Write;

use brands::Brands;
use catalogue::records::{Record, RecordQuery, Records};
use futures_util::TryStreamExt as _;
use reqwest::Method;

use crate::{
    CallError, Services,
    services::{ServiceClient, query_of, unknown},
};

/// Calls `take` with every record of a list, page by page.
pub async fn list(
    brands: &Brands,
    services: &Services,
    kind: &str,
    query: RecordQuery,
    mut take: impl FnMut(Record),
) -> Result<(), CallError> {
    let (client, mut query) = client(brands, services, query)?;
    loop {
        let page: Records = client.get(&format!("/records/{}", path(kind, &query))).await?;
        page.records.into_iter().for_each(&mut take);
        match page.next {
            Some(next) => query.after = Some(next),
            None => return Ok(()),
        }
    }
}

/// Writes a list as a CSV manifest while it arrives: importing it unchanged changes nothing.
pub async fn export(
    brands: &Brands,
    services: &Services,
    kind: &str,
    query: RecordQuery,
    into: &mut impl Write,
) -> Result<(), CallError> {
    let (client, query) = client(brands, services, query)?;
    let path = format!("/exports/{}", path(kind, &query));
    let mut bytes = client.reply(Method::GET, &path).await?.bytes_stream();
    let broken = |cause: &dyn std::error::Error| CallError::Unreachable {
        service: query.service.clone(),
        url: path.clone(),
        cause: cause.to_string(),
    };
    while let Some(chunk) = bytes.try_next().await.map_err(|error| broken(&error))? {
        into.write_all(&chunk).map_err(|error| broken(&error))?;
    }
    into.flush().map_err(|error| broken(&error))
}

/// The client of the query's service, which gets its own name.
fn client(brands: &Brands, services: &Services, query: RecordQuery) -> Result<(ServiceClient, RecordQuery), CallError> {
    let brand = brands.iter().find(|brand| brand.has_name(&query.service));
    let brand = brand.ok_or_else(|| unknown(brands, &query.service))?;
    let client = ServiceClient::new(services, brand.kind, &brand.service)?;
    Ok((client, RecordQuery { service: brand.service.clone(), ..query }))
}

fn path(kind: &str, query: &RecordQuery) -> String {
    let kind: String = percent_encoding::utf8_percent_encode(kind, percent_encoding::NON_ALPHANUMERIC).collect();
    format!("{kind}?{}", query_of(query))
}
