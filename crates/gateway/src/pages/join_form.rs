//! `POST /join`: the join form of a page whose scripts have not run, or never will. It says to the subscription service what the
//! page's script would have said, and answers as a page would have: by going on, or by the form again with what was wrong.

use actix_web::{
    HttpMessage, HttpRequest, HttpResponse,
    http::{
        Method, StatusCode,
        header::{self, HeaderValue},
        uri::PathAndQuery,
    },
    web::{Data, Payload},
};
use identity::Msisdn;
use serde::Deserialize;
use serde_json::json;
use url::form_urlencoded;
use web::Relayed;

use super::{
    frame::{Content, Frame},
    screens::Scene,
};
use crate::{
    app::App,
    error::Error,
    guard,
    peer::Client,
    proxy, site,
    upstreams::{Call, Service},
};

/// The longest answer that is read.
const MAX_ANSWER_BYTES: usize = 64 * 1024;

/// What the page says where nobody said it better.
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

/// Why nobody joined.
struct Refusal {
    status: StatusCode,
    /// What the page says.
    words: String,
    /// When another try is worth its while.
    retry_after: Option<HeaderValue>,
}

impl Refusal {
    /// Of us ourselves.
    fn own(error: &Error) -> Self {
        let problem = error.problem();
        let retry_after = problem.retry_after_seconds().map(HeaderValue::from);
        Self { status: problem.status(), words: problem.detail().to_owned(), retry_after }
    }
}

/// Joins with what the form holds.
pub(crate) async fn join(req: HttpRequest, payload: Payload, app: Data<App>) -> Result<HttpResponse, Error> {
    if req.method() != Method::POST {
        return super::serve(req, app).await;
    }
    let label = site::label(&app.brands, &req).ok_or(Error::NotFound)?;
    let faces = app.frontend.faces.load_full();
    let frame = faces.frames.get(&label).ok_or(Error::NotFound)?;
    let is_form = req.headers().get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).is_some_and(|kind| {
        kind.split(';').next().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/x-www-form-urlencoded"))
    });
    if !is_form {
        return Err(Error::NotAForm);
    }
    let form = JoinForm::read(&guard::body(&req, &mut payload.into_inner()).await?);
    // In every spelling, as the page's own script knows it.
    if app.frontend.test_msisdn.is_some() && Msisdn::parse(&form.msisdn).ok() == app.frontend.test_msisdn {
        return Ok(go_on(&home(frame, &form)));
    }
    let mut headers = proxy::request_headers(
        &req,
        &app,
        Service::Subscription,
        Client::of(&req, &app.proxies),
        &label,
        &[header::CONTENT_TYPE, header::ACCEPT_ENCODING],
    );
    headers.add_text(&header::CONTENT_TYPE, "application/json");
    headers.add_text(&header::ACCEPT_ENCODING, "identity");
    let body =
        json!({"msisdn": form.msisdn, "ext_ref": form.ext_ref, "channel": "WAP", "svc_id": frame.svc_id}).to_string();
    let call = Call::new(Method::POST, PathAndQuery::from_static("/api/subscribe"), &headers, body.as_bytes());
    let answered = async {
        let reply = app.upstreams.of(Service::Subscription).send(&call).await?;
        let value = |bytes: &[u8]| HeaderValue::from_bytes(bytes).ok();
        let cookies: Vec<HeaderValue> = reply.lines().all("set-cookie").filter_map(value).collect();
        let retry_after = reply.lines().get("retry-after").and_then(value);
        let (status, body) = proxy::read_small(reply, Service::Subscription, MAX_ANSWER_BYTES).await?;
        Ok::<_, Error>((cookies, retry_after, status, body))
    };
    let (cookies, retry_after, status, body) = match answered.await {
        Ok(answered) => answered,
        Err(error) => {
            // What is answered with a page is written down by nobody else.
            tracing::error!(error = %error, "a join form could not be passed on");
            return again(&req, &app, frame, form, Refusal::own(&error)).await;
        }
    };
    let answer: Answer = serde_json::from_slice(&body).unwrap_or_default();
    let mut onward = match answer {
        Answer { result: 1, redirect_url: Some(page), .. } if status.is_success() => go_on(&page),
        Answer { result: 2, .. } if status.is_success() => go_on(&home(frame, &form)),
        Answer { error_message, .. } => {
            let status = if status.is_success() { StatusCode::UNPROCESSABLE_ENTITY } else { status };
            let words = error_message.unwrap_or_else(|| FAILED.to_owned());
            return again(&req, &app, frame, form, Refusal { status, words, retry_after }).await;
        }
    };
    for cookie in cookies {
        onward.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(onward)
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

fn go_on(address: &str) -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, address))
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .insert_header((header::REFERRER_POLICY, super::REFERRER_POLICY))
        .finish()
}

/// The form again, with what was typed and what was wrong.
async fn again(
    req: &HttpRequest,
    app: &App,
    frame: &Frame,
    form: JoinForm,
    refusal: Refusal,
) -> Result<HttpResponse, Error> {
    let asked = app.frontend.views.of("/join", frame.kind, &frame.service, &frame.home);
    let page = asked.as_ref().map(|asked| asked.page);
    let mut scene = Scene::of(frame.boot(page, false), "/join", &[]);
    scene.problem = Some(refusal.words);
    scene.msisdn = Some(form.msisdn);
    let markup = app.frontend.screens.draw(&scene).await.unwrap_or_default();
    let whole = frame.write(&Content { page, markup: &markup, ..Content::default() })?;
    // It is no problem of ours that is to be told as one.
    req.extensions_mut().insert(Relayed);
    let mut reply = app.frontend.headers(frame, asked.as_ref(), refusal.status);
    if let Some(value) = refusal.retry_after {
        reply.insert_header((header::RETRY_AFTER, value));
    }
    Ok(reply.body(whole))
}
