//! Web vitals: how fast pages are for visitors, measured by their browsers and counted per brand and page, without numbers, URLs or
//! queries.

use std::sync::Arc;

use brands::Brands;
use bytes::Bytes;
use http::StatusCode;
use serde::Deserialize;
use service::openapi::Refused;
use telemetry::names::{WEB_VITALS, WEB_VITALS_CLS, WEB_VITALS_INP, WEB_VITALS_LCP};
use utoipa::ToSchema;

use crate::{
    brand,
    error::Error,
    pages::Pages,
    plays::{self, PlayReport},
    request::Head,
    response::{Body, Response, response},
};

/// The largest accepted value: ten minutes in milliseconds. A larger one is an error and would distort the sums.
const MAX_VALUE: f64 = 600_000.0;

/// The metric.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[schema(as = VitalName)]
enum Name {
    /// Largest contentful paint, milliseconds.
    #[serde(rename = "LCP")]
    Lcp,
    /// Cumulative layout shift, no unit.
    #[serde(rename = "CLS")]
    Cls,
    /// Interaction to next paint, milliseconds.
    #[serde(rename = "INP")]
    Inp,
}

/// The rating of the value, by the thresholds of the web-vitals library.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
#[schema(as = VitalRating)]
enum Rating {
    Good,
    NeedsImprovement,
    Poor,
}

/// One web vital of one page view.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Vital {
    /// The page's name, from the page's boot data.
    #[schema(max_length = 24, example = "join")]
    page: String,
    name: Name,
    /// The measured value.
    #[schema(minimum = 0, maximum = 600000)]
    value: f64,
    rating: Rating,
}

impl Vital {
    /// Parses a body; `None` if it is invalid.
    pub fn read(body: &[u8]) -> Option<Self> {
        serde_json::from_slice(body).ok()
    }

    /// The value, if it is in range.
    pub fn figure(&self) -> Option<f64> {
        (0.0..=MAX_VALUE).contains(&self.value).then_some(self.value)
    }
}

/// A web vital, or how a film played.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "it is the schema of a body; each kind is read by itself")]
enum Measurement {
    Vital(Vital),
    Play(PlayReport),
}

/// The handler that counts web vitals.
pub(crate) struct Vitals {
    brands: Brands,
    pages: Arc<Pages>,
}

impl Vitals {
    /// Counts the web vitals of these brands' pages.
    pub(crate) fn new(brands: Brands, pages: Arc<Pages>) -> Self {
        Self { brands, pages }
    }

    /// Counts the measurement in a body.
    pub(crate) async fn count(&self, head: &Head, body: Bytes) -> Result<Response, Error> {
        count(self, head, &body)
    }
}

/// Counts one measurement.
#[utoipa::path(
    post,
    path = "",
    request_body = Measurement,
    responses((status = 204, description = "The measurement was counted."), Refused)
)]
pub(crate) fn count(vitals: &Vitals, head: &Head, body: &[u8]) -> Result<Response, Error> {
    if !head.has_content_type("application/json") {
        return Err(Error::NotJson);
    }
    let brand = brand::label(&vitals.brands, head).ok_or(Error::NotFound);
    if let Ok(report) = serde_json::from_slice::<PlayReport>(body) {
        plays::count(&report, brand?, head)?;
        return Ok(response(StatusCode::NO_CONTENT, [], Body::Empty));
    }
    let vital = Vital::read(body).ok_or(Error::BodyBroken)?;
    let brand = brand?;
    let figure = vital.figure().filter(|_| vitals.pages.has_page(&vital.page)).ok_or(Error::Vital)?;
    let (name, histogram) = match vital.name {
        Name::Lcp => ("LCP", WEB_VITALS_LCP),
        Name::Cls => ("CLS", WEB_VITALS_CLS),
        Name::Inp => ("INP", WEB_VITALS_INP),
    };
    let rating = match vital.rating {
        Rating::Good => "good",
        Rating::NeedsImprovement => "needs-improvement",
        Rating::Poor => "poor",
    };
    metrics::counter!(WEB_VITALS, "brand" => brand.clone(), "page" => vital.page.clone(), "name" => name, "rating" => rating)
        .increment(1);
    metrics::histogram!(histogram, "brand" => brand, "page" => vital.page).record(figure);
    Ok(response(StatusCode::NO_CONTENT, [], Body::Empty))
}
