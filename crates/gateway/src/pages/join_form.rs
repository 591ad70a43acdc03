//! `POST /join`: the join form of a page whose scripts have not run, or never will. It asks the subscription service as the page's
//! script would, and answers with the next page, or with the form again and what was wrong.

use std::sync::Arc;

use brands::Brands;
use bytes::Bytes;
use http::{
    HeaderMap, Method, StatusCode,
    header::{self, HeaderValue},
    uri::PathAndQuery,
};
use identity::{Enrichment, Msisdn};
use serde::Deserialize;
use serde_json::json;
use url::form_urlencoded;

use super::{
    Pages, REFERRER_POLICY, builder,
    frame::{Content, Frame},
    invalid,
    ssr::Screen,
};
use crate::{
    brand,
    error::Error,
    forward,
    proxy::read_small,
    request::Head,
    response::{Body, Cause, Response, response, value},
    services::Service,
    upstream::{Call, Upstreams},
};

/// The longest answer that is read.
const MAX_ANSWER_BYTES: usize = 64 * 1024;

/// What the page says where the service gives no reason.
const FAILED: &str = "We could not sign you up. Please try again.";

/// The form's fields that are passed on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JoinForm {
    /// What was typed as the number, as it was typed.
    pub msisdn: String,
    /// Where the visitor came from.
    pub ext_ref: String,
}

/// The service's answer, or its problem.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Answer {
    result: i64,
    #[serde(rename = "redirectUrl")]
    redirect_url: Option<String>,
    error_message: Option<String>,
}

/// Why the visitor is not joined.
struct Refusal {
    status: StatusCode,
    /// What the page says.
    words: String,
    /// When another try may succeed.
    retry_after: Option<HeaderValue>,
    /// What failed, for the access log.
    cause: Option<Cause>,
}

impl From<&Error> for Refusal {
    fn from(error: &Error) -> Self {
        let problem = error.problem();
        let retry_after = problem.header().filter(|(name, _)| *name == header::RETRY_AFTER);
        Self {
            status: StatusCode::from_u16(problem.status_code()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            words: problem.detail().to_owned(),
            retry_after: retry_after.map(|(_, seconds)| value(&seconds)),
            cause: Some(Cause(error.to_string())),
        }
    }
}

/// What the subscription service answered a form with.
struct Answered {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

/// Answers join forms.
pub(crate) struct JoinForms {
    pages: Arc<Pages>,
    brands: Brands,
    upstreams: Arc<Upstreams>,
    /// The header in which a network names its subscriber's number.
    enrichment: Enrichment,
}

impl JoinForms {
    /// Answers the join forms of these pages.
    pub(crate) fn new(pages: Arc<Pages>, brands: Brands, upstreams: Arc<Upstreams>, enrichment: Enrichment) -> Self {
        Self { pages, brands, upstreams, enrichment }
    }

    /// Joins with the fields of a form's body.
    pub(crate) async fn join(&self, head: &Head, body: Bytes) -> Result<Response, Error> {
        let label = brand::label(&self.brands, head).ok_or(Error::NotFound)?;
        let pages = self.pages.brand_pages.load_full();
        let frame = pages.frames.get(&label).ok_or(Error::NotFound)?;
        if !head.has_content_type("application/x-www-form-urlencoded") {
            return Err(Error::NotAForm);
        }
        let form = JoinForm::read(&body);
        // In every spelling, as the page's own script knows it.
        let test_msisdn = &self.pages.test_msisdn;
        if test_msisdn.is_some() && Msisdn::parse(&form.msisdn).ok() == *test_msisdn {
            return see_other(&home(frame, &form));
        }
        let Answered { status, headers, body } = match self.subscribe(head, &label, frame, &form).await {
            Ok(answered) => answered,
            Err(error) => return self.form_again(frame, form, Refusal::from(&error)).await,
        };
        let answer: Answer = serde_json::from_slice(&body).unwrap_or_default();
        let mut response = match answer {
            Answer { result: 1, redirect_url: Some(page), .. } if status.is_success() => see_other(&page)?,
            Answer { result: 2, .. } if status.is_success() => see_other(&home(frame, &form))?,
            Answer { error_message, .. } => {
                let status = if status.is_success() { StatusCode::UNPROCESSABLE_ENTITY } else { status };
                let words = error_message.unwrap_or_else(|| FAILED.to_owned());
                let retry_after = headers.get(header::RETRY_AFTER).cloned();
                return self.form_again(frame, form, Refusal { status, words, retry_after, cause: None }).await;
            }
        };
        for cookie in headers.get_all(header::SET_COOKIE) {
            response.headers_mut().append(header::SET_COOKIE, cookie.clone());
        }
        Ok(response)
    }

    /// Asks the subscription service as the page's script would.
    async fn subscribe(&self, head: &Head, label: &str, frame: &Frame, form: &JoinForm) -> Result<Answered, Error> {
        let service = Service::Subscription;
        let without = [header::CONTENT_TYPE, header::ACCEPT_ENCODING];
        let mut headers = forward::headers(head, &self.enrichment, service, label, &without);
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static("identity"));
        let JoinForm { msisdn, ext_ref } = form;
        let body = json!({"msisdn": msisdn, "ext_ref": ext_ref, "channel": "WAP", "svc_id": frame.svc_id}).to_string();
        let call = Call::new(Method::POST, PathAndQuery::from_static("/api/subscribe"), headers, body.into());
        let response = self.upstreams.of(service).send(&call).await?;
        let headers = response.headers.clone();
        let (status, body) = read_small(response, service, MAX_ANSWER_BYTES).await?;
        Ok(Answered { status, headers, body })
    }

    /// The form again, with what was typed and what was wrong.
    async fn form_again(&self, frame: &Frame, form: JoinForm, refusal: Refusal) -> Result<Response, Error> {
        let view = self.pages.page_views.of("/join", frame.kind, &frame.service, &frame.home);
        let page = view.as_ref().map(|view| view.page);
        let mut screen = Screen::of(frame.boot(page, false), "/join", &[]);
        screen.problem = Some(refusal.words);
        screen.msisdn = Some(form.msisdn);
        let markup = self.pages.renderer.render(&screen).await.unwrap_or_default();
        let whole = frame.write(&Content { page, markup: &markup, ..Content::default() })?;
        let mut response = builder(frame, view.as_ref(), refusal.status).body(Body::from(whole)).map_err(invalid)?;
        if let Some(seconds) = refusal.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        if let Some(cause) = refusal.cause {
            response.extensions_mut().insert(cause);
        }
        Ok(response)
    }
}

impl JoinForm {
    /// The fields of a body as browsers write it (`application/x-www-form-urlencoded`); of two of a name the last counts.
    pub fn read(body: &[u8]) -> Self {
        let mut form = Self::default();
        for (name, value) in form_urlencoded::parse(body) {
            match &*name {
                "msisdn" => form.msisdn = value.into_owned(),
                "ext_ref" => form.ext_ref = value.into_owned(),
                _ => {}
            }
        }
        form
    }
}

/// The brand's home for an active subscriber, as the page's own script names it.
fn home(frame: &Frame, form: &JoinForm) -> String {
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("service", &frame.service)
        .append_pair("msisdn", form.msisdn.trim())
        .append_pair("result", "active")
        .finish();
    format!("{}?{query}", frame.home)
}

/// Sends the browser on to an address, by GET.
fn see_other(address: &str) -> Result<Response, Error> {
    let location = HeaderValue::from_str(address).map_err(|error| invalid(error.into()))?;
    let headers = [
        (header::LOCATION, location),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::REFERRER_POLICY, HeaderValue::from_static(REFERRER_POLICY)),
    ];
    Ok(response(StatusCode::SEE_OTHER, headers, Body::Empty))
}
