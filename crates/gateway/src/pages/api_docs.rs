//! The API's document and its page, which the front end's build writes.

use http::header::{self, HeaderValue};
use service::openapi::Cached;

use super::Pages;
use crate::{error::Error, request::Head, response::Response};

/// Where the build puts them.
const DOCUMENT: &str = "/api/openapi.json";
const PAGE: &str = "/api/docs.html";

/// The page is text and one stylesheet of the site.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

/// The OpenAPI 3.1 document of all services.
#[utoipa::path(get, path = "", responses((status = 200, description = "The document.", body = Object), Cached))]
pub(crate) fn get_document(pages: &Pages, head: &Head) -> Result<Response, Error> {
    pages.assets.get(DOCUMENT).map(|document| document.respond(head)).ok_or(Error::NotFound)
}

/// The same as a page.
#[utoipa::path(
    get,
    path = "",
    responses((status = 200, description = "The page.", body = String, content_type = "text/html; charset=utf-8"), Cached)
)]
pub(crate) fn get_page(pages: &Pages, head: &Head) -> Result<Response, Error> {
    let mut response = pages.assets.get(PAGE).ok_or(Error::NotFound)?.respond(head);
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, POLICY);
    response.headers_mut().insert(header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    Ok(response)
}
