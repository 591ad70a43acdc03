//! Forms where no script runs: each does what the page's script would do, and responds with the next page. And the calls of a return from
//! the network, and of a way to it, which are answered by pages, too.

use std::{sync::Arc, time::Duration};

use brands::Brands;
use bytes::Bytes;
use http::{
    HeaderMap, Method, StatusCode,
    header::{self, HeaderValue},
};
use identity::cookie_name;
use languages::FluentArgs;
use serde::Deserialize;
use serde_json::{json, value::RawValue};
use url::form_urlencoded;

use super::{FormOutcome, Pages, REFERRER_POLICY, frame::Frame, invalid, marks::back, news};
use crate::{
    brand,
    error::Error,
    language,
    proxy::{BufferedResponse, Proxy},
    request::Head,
    response::{Body, Cause, Response, response, value},
    services::Service,
};

/// A cookie with the last form that was sent without scripts. With it, pages embed the visitor's own data, and the page after the network's
/// redirect knows what was requested. A script that runs deletes it.
pub(super) const LAST_FORM: &str = "last_form";

/// Its lifetime in seconds: a month.
const LAST_FORM_LIFE: u32 = 30 * 24 * 60 * 60;

/// The lifetime of the language's cookie in seconds: a year.
const LANGUAGE_LIFE: u32 = 365 * 24 * 60 * 60;

/// How long the page waits until SMSes are in the chosen language.
const SMS_LANGUAGE_TIMEOUT: Duration = Duration::from_secs(3);

/// How often the network's confirmation is checked before the visitor is told that there is none.
const MAX_CHECKS: u8 = 4;

/// As `MAX_CHECKS`, while the visitor replies to an SMS: about ten minutes.
const MAX_CHECKS_OF_REPLY: u8 = 120;

/// The forms by path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Joins with a number.
    Join,
    /// Checks the network's confirmation and opens the session: the page that networks redirect to leads here.
    Check,
    /// Has the network confirm the visitor's number.
    Verify,
    /// Ends the subscription.
    Leave,
    /// Likes or adds to the watchlist, and undoes it.
    Mark,
    /// Chooses the language.
    Language,
    /// The subscription service's call that checks an attempt, for scripts.
    CheckCall,
    /// The link to the network's page, which asks for the number.
    OptIn,
}

impl Form {
    /// Every form.
    pub(crate) const ALL: [Self; 8] =
        [Self::Join, Self::Check, Self::Verify, Self::Leave, Self::Mark, Self::Language, Self::CheckCall, Self::OptIn];

    /// Its path.
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::Join => "/join",
            Self::Check => "/forms/check",
            Self::Verify => "/forms/verify",
            Self::Leave => "/forms/leave",
            Self::Mark => "/forms/mark",
            Self::Language => "/forms/language",
            Self::CheckCall => CHECK_CALL,
            Self::OptIn => OPT_IN_LINK,
        }
    }

    /// The form at a path.
    pub(crate) fn at(path: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.path() == path)
    }

    /// Whether it is a GET: an address, and no form.
    pub(crate) fn is_link(self) -> bool {
        matches!(self, Self::Check | Self::CheckCall | Self::OptIn)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Join | Self::OptIn => "join",
            Self::Check | Self::CheckCall => "check",
            Self::Verify => "verify",
            Self::Leave => "leave",
            Self::Mark => "mark",
            Self::Language => "language",
        }
    }
}

/// The subscription service's reply or problem.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct ServiceReply {
    pub(super) result: i64,
    #[serde(rename = "redirectUrl")]
    pub(super) redirect_url: Option<String>,
    pub(super) state: Option<String>,
    pub(super) session: bool,
    pub(super) message: Option<String>,
    pub(super) page: Option<String>,
    pub(super) networks: Option<Box<RawValue>>,
    pub(super) challenge: Option<String>,
    pub(super) code: Option<String>,
    pub(super) error_message: Option<String>,
}

impl ServiceReply {
    pub(super) fn of(answered: &BufferedResponse) -> Self {
        serde_json::from_slice(&answered.body).unwrap_or_default()
    }
}

/// Why a form failed.
pub(super) struct FormError {
    status: StatusCode,
    /// The text on the page.
    words: String,
    /// When a retry may succeed.
    retry_after: Option<HeaderValue>,
    /// The cause, for the access log.
    cause: Option<Cause>,
}

impl FormError {
    /// The error of a service, with `words` if it gives none.
    pub(super) fn by(answered: &BufferedResponse, words: &str) -> Self {
        let status = if answered.status.is_success() { StatusCode::UNPROCESSABLE_ENTITY } else { answered.status };
        Self {
            status,
            words: ServiceReply::of(answered).error_message.unwrap_or_else(|| words.to_owned()),
            retry_after: answered.headers.get(header::RETRY_AFTER).cloned(),
            cause: None,
        }
    }

    /// An error of the gateway, in the language of a page.
    pub(super) fn of(error: &Error, frame: &Frame) -> Self {
        let problem = error.problem();
        let retry_after = problem.header().filter(|(name, _)| *name == header::RETRY_AFTER);
        Self {
            status: StatusCode::from_u16(problem.status_code()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
            words: problem.text(frame.language.of_services()).into_owned(),
            retry_after: retry_after.map(|(_, seconds)| value(&seconds)),
            cause: Some(Cause(error.to_string())),
        }
    }
}

/// A form's request with its brand.
#[derive(Clone, Copy)]
pub(super) struct SubmittedForm<'a> {
    pub(super) head: &'a Head,
    pub(super) label: &'a str,
    pub(super) frame: &'a Frame,
    form: Form,
}

/// The handler of forms.
pub(crate) struct Forms {
    pub(super) pages: Arc<Pages>,
    brands: Brands,
    pub(super) proxy: Arc<Proxy>,
}

impl Forms {
    /// Handles the forms of these pages.
    pub(crate) fn new(pages: Arc<Pages>, brands: Brands, proxy: Arc<Proxy>) -> Self {
        Self { pages, brands, proxy }
    }

    /// Responds to a form: GET for links, POST for the others.
    pub(crate) async fn handle(&self, form: Form, head: &Head, body: Bytes) -> Result<Response, Error> {
        // Only people read pages: to other callers, and on a host without a brand, the service answers itself.
        let is_call = form == Form::OptIn && !accepts_pages(head);
        let label = brand::label(&self.brands, head);
        let Some(label) = label.filter(|_| !is_call) else {
            return match form {
                Form::OptIn | Form::CheckCall => self.proxy.handle(head, Service::Subscription, body).await,
                _ => Err(Error::NotFound),
            };
        };
        let pages = self.pages.brand_pages.load_full();
        let frame = pages.frame(&self.pages.languages, &label, head).ok_or(Error::NotFound)?;
        let sent = SubmittedForm { head, label: &label, frame, form };
        match form {
            Form::Check => return self.check(sent).await,
            Form::CheckCall => return self.check_call(sent).await,
            Form::OptIn => return self.follow_opt_in(sent).await,
            _ => {}
        }
        if !head.has_content_type("application/x-www-form-urlencoded") {
            return Err(Error::NotAForm);
        }
        match form {
            Form::Join | Form::Check | Form::CheckCall | Form::OptIn => self.join(sent, &body).await,
            Form::Verify => self.verify(sent, &body).await,
            Form::Leave => self.leave(sent, &body).await,
            Form::Mark => self.mark(sent, &body).await,
            Form::Language => self.choose_language(sent, &body).await,
        }
    }

    /// Sets the cookie with the chosen language, and redirects back to the form's page. SMSes follow where there is a session; the pages do
    /// without the subscription service, too.
    async fn choose_language(&self, sent: SubmittedForm<'_>, body: &[u8]) -> Result<Response, Error> {
        let chosen = self.pages.languages.choosable(&field(body, "language")).ok_or(Error::NotFound)?;
        let mut response = see_other(&back(sent.frame, &field(body, "back")))?;
        if sent.head.cookie(&cookie_name(sent.label)).is_some() {
            let request = json!({ "language": chosen.code });
            let call = self.proxy.ask(sent.head, sent.label, Method::POST, "/api/subscribe/language", Some(request));
            let _ = tokio::time::timeout(SMS_LANGUAGE_TIMEOUT, call).await;
        }
        let secure = if sent.head.client.https { "; Secure" } else { "" };
        let (name, code) = (language::COOKIE, &chosen.code);
        let cookie = format!("{name}={code}; Path=/; Max-Age={LANGUAGE_LIFE}; SameSite=Lax{secure}");
        response.headers_mut().append(header::SET_COOKIE, value(&cookie));
        Ok(response)
    }

    /// Redirects to the brand's home with a session if the network has confirmed, or if there is one already; to the front page if it has not;
    /// while it is not known yet, the page checks again, a few times.
    async fn check(&self, sent: SubmittedForm<'_>) -> Result<Response, Error> {
        let SubmittedForm { head, frame, .. } = sent;
        let [msisdn, subscription_id, ext_ref] =
            ["msisdn", "subscription_id", "ext_ref"].map(|name| query_parameter(head, name));
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("msisdn", &msisdn)
            .append_pair("subscription_id", &subscription_id)
            .finish();
        let answered = self.proxy.ask(head, sent.label, Method::GET, &format!("{CHECK_CALL}?{query}"), None).await;
        let Ok(answered) = answered else { return see_other(&self.on_host(head, "/")) };
        let reply = ServiceReply::of(&answered);
        if reply.result == 1 || reply.session {
            // The number of an attempt that opened nothing may be another one than the session's.
            let number = if reply.result == 1 { msisdn.as_str() } else { "" };
            let mut response = sent.redirect(&self.on_host(head, &home(frame, number)), &answered.headers)?;
            news::add(response.headers_mut(), news::cookie_of(head, &reply));
            // A join by the SIM's number or by a link sends no form.
            if head.cookie(LAST_FORM).is_none() {
                response.headers_mut().append(header::SET_COOKIE, last_form(head, Form::Join));
            }
            return Ok(response);
        }
        let expected = expected_reply(head);
        let checks = checks(head) + 1;
        let is_over = checks >= if expected == "yes" { MAX_CHECKS_OF_REPLY } else { MAX_CHECKS };
        if reply.state.as_deref() != Some("waiting") || is_over {
            let mut response = see_other(&self.on_host(head, "/"))?;
            news::add(
                response.headers_mut(),
                news::cookie_of(head, &reply).or_else(|| news::cookie_of_waiting(head, &reply)),
            );
            return Ok(response);
        }
        let mut again = form_urlencoded::Serializer::new(query);
        again.append_pair("ext_ref", &ext_ref);
        // The page shows the code, and where to send it.
        for name in ["code", "to"] {
            let text = query_parameter(head, name);
            if !text.is_empty() {
                again.append_pair(name, &text);
            }
        }
        if !expected.is_empty() {
            again.append_pair(REPLY_PARAMETER, &expected);
        }
        let again = again.finish();
        see_other(&self.on_host(head, &format!("/DoiRedirect?{again}&{CHECKS_PARAMETER}={checks}")))
    }

    /// The service's reply to a page's script, which goes on to the next page: that page has the reply's sentence.
    async fn check_call(&self, sent: SubmittedForm<'_>) -> Result<Response, Error> {
        let address = sent.head.address.as_str();
        let answered = self.proxy.ask(sent.head, sent.label, Method::GET, address, None).await?;
        let cookie = news::cookie_of(sent.head, &ServiceReply::of(&answered));
        let mut response = answered.into_response();
        news::add(response.headers_mut(), cookie);
        Ok(response)
    }

    /// Redirects to the network's page, with the cookie by which the return opens the session. Without cookies it could not, so nothing begins.
    async fn follow_opt_in(&self, sent: SubmittedForm<'_>) -> Result<Response, Error> {
        let head = sent.head;
        if !keeps_cookies(head) {
            if query_parameter(head, PROBE).is_empty() {
                let address = head.address.as_str();
                let mut response = see_other(&format!("{address}&{PROBE}=1"))?;
                probe_cookies(head, &mut response);
                return Ok(response);
            }
            return self.refuse_without_cookies(sent, String::new()).await;
        }
        let [svc_id, page, shown] = ["svc_id", "page", "shown"].map(|name| query_parameter(head, name));
        let page = self.pages.known_page(&page, sent.frame).unwrap_or_default();
        let shown = Some(("shown", shown.as_str())).filter(|(_, prices)| !prices.is_empty());
        let query = form_urlencoded::Serializer::new(String::new())
            .extend_pairs([("svc_id", svc_id.as_str()), ("page", page)].into_iter().chain(shown))
            .finish();
        let reply = self.proxy.ask(head, sent.label, Method::GET, &format!("{OPT_IN_LINK}?{query}"), None).await;
        let error = match reply {
            Ok(answered) => match answered.headers.get(header::LOCATION).and_then(|address| address.to_str().ok()) {
                Some(address) => return sent.redirect(address, &answered.headers),
                None => FormError::by(&answered, sent.frame.language.text("join-failed")),
            },
            Err(error) => FormError::of(&error, sent.frame),
        };
        self.page_again(sent, Form::Join.path(), String::new(), error).await
    }

    /// The join form with the sentence that nothing can be opened without cookies, and is therefore not begun.
    pub(super) async fn refuse_without_cookies(
        &self,
        sent: SubmittedForm<'_>,
        typed: String,
    ) -> Result<Response, Error> {
        let named = FluentArgs::from_iter([("name", sent.frame.name.clone())]);
        let words = sent.frame.language.of_services().text("no-cookies", &named);
        let error = FormError { status: StatusCode::UNPROCESSABLE_ENTITY, words, retry_after: None, cause: None };
        let mut response = self.page_again(sent, Form::Join.path(), typed, error).await?;
        probe_cookies(sent.head, &mut response);
        Ok(response)
    }

    /// An address of this site on the host of the request: the host that shows every brand needs the brand in each.
    fn on_host(&self, head: &Head, address: &str) -> String {
        let domain = query_parameter(head, "domain");
        if domain.is_empty() || !brand::shows_every_brand(&self.brands, head) {
            return address.to_owned();
        }
        let separator = if address.contains('?') { '&' } else { '?' };
        let domain = form_urlencoded::Serializer::new(String::new()).append_pair("domain", &domain).finish();
        format!("{address}{separator}{domain}")
    }

    /// Redirects to the network's page, where the number's owner confirms.
    async fn verify(&self, sent: SubmittedForm<'_>, body: &[u8]) -> Result<Response, Error> {
        let (msisdn, page) = (field(body, "msisdn"), field(body, "page"));
        let page = self.pages.known_page(&page, sent.frame);
        let mut request = json!({ "msisdn": msisdn, "svc_id": sent.frame.svc_id });
        if let (Some(page), Some(fields)) = (page, request.as_object_mut()) {
            fields.insert("page".to_owned(), page.into());
        }
        let reply = self.proxy.ask(sent.head, sent.label, Method::POST, "/api/subscribe/verify", Some(request)).await;
        let error = match reply {
            Ok(answered) => match ServiceReply::of(&answered).redirect_url.filter(|_| answered.status.is_success()) {
                Some(page) => return sent.redirect(&page, &answered.headers),
                None => FormError::by(&answered, sent.frame.language.text("not-joined")),
            },
            Err(error) => FormError::of(&error, sent.frame),
        };
        self.page_again(sent, Form::Join.path(), msisdn, error).await
    }

    /// Ends the subscription of the session, or redirects to the network's page for an entered number.
    async fn leave(&self, sent: SubmittedForm<'_>, body: &[u8]) -> Result<Response, Error> {
        let msisdn = field(body, "msisdn");
        let svc_id = sent.frame.svc_id;
        // With a session, the form has no such field.
        let is_typed = form_urlencoded::parse(body).any(|(name, _)| name == "msisdn");
        let request =
            if is_typed { json!({ "svc_id": svc_id, "msisdn": msisdn }) } else { json!({ "svc_id": svc_id }) };
        let reply =
            self.proxy.ask(sent.head, sent.label, Method::POST, "/api/subscribe/unsubscribe", Some(request)).await;
        let error = match reply {
            Ok(answered) => {
                let answer = ServiceReply::of(&answered);
                match (answered.status.is_success(), answer.redirect_url) {
                    (true, Some(page)) => return sent.redirect(&page, &answered.headers),
                    (true, None) if answer.state.as_deref() == Some("cancelled") => {
                        let left = FormOutcome { left: true, ..FormOutcome::new(StatusCode::OK) };
                        let mut page =
                            self.pages.after_form(sent.head, (sent.label, sent.frame), SUBSCRIPTION, left).await?;
                        sent.add_cookies(&mut page, &answered.headers);
                        return Ok(page);
                    }
                    _ => FormError::by(&answered, sent.frame.language.text("leave-unknown")),
                }
            }
            Err(error) => FormError::of(&error, sent.frame),
        };
        // The page names the network's own ways to stop, which work now.
        let failed = error.status.is_server_error().then(|| sent.frame.language.text("leave-failed").to_owned());
        let error = FormError { words: failed.unwrap_or(error.words), ..error };
        self.page_again(sent, SUBSCRIPTION, msisdn, error).await
    }

    /// The page with its form again: what was entered, and what was wrong.
    pub(super) async fn page_again(
        &self,
        sent: SubmittedForm<'_>,
        path: &str,
        typed: String,
        error: FormError,
    ) -> Result<Response, Error> {
        let FormError { status, words, retry_after, cause } = error;
        let outcome = FormOutcome { problem: Some(words), typed: Some(typed), ..FormOutcome::new(status) };
        let mut response = self.pages.after_form(sent.head, (sent.label, sent.frame), path, outcome).await?;
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        if let Some(cause) = cause {
            response.extensions_mut().insert(cause);
        }
        Ok(response)
    }
}

/// The subscription service's call that checks an attempt.
const CHECK_CALL: &str = "/api/subscribe/check-sub";

/// Its link to the network's page.
const OPT_IN_LINK: &str = "/api/subscribe/opt-in";

/// The cookie that shows that the browser keeps cookies, and the query parameter of an address that has set it.
const PROBE: &str = "cookies";

/// Its lifetime in seconds: an hour.
const PROBE_LIFE: u32 = 60 * 60;

/// The page about the subscription, where it can be ended.
const SUBSCRIPTION: &str = "/subscription";

/// The query parameter that counts the checks.
const CHECKS_PARAMETER: &str = "tries";

/// How often the page has checked.
pub(super) fn checks(head: &Head) -> u8 {
    query_parameter(head, CHECKS_PARAMETER).parse().unwrap_or(0).min(MAX_CHECKS_OF_REPLY)
}

/// The query parameter with the reply that the visitor sends by SMS: `yes` or `stop`.
pub(super) const REPLY_PARAMETER: &str = "reply";

/// The reply by SMS that confirms; empty where the network has a page.
pub(super) fn expected_reply(head: &Head) -> String {
    query_parameter(head, REPLY_PARAMETER)
}

/// Whether the browser has sent a cookie back.
pub(super) fn keeps_cookies(head: &Head) -> bool {
    head.headers.contains_key(header::COOKIE)
}

/// Sets a cookie in a browser that has none: the next request shows whether it keeps cookies.
pub(super) fn probe_cookies(head: &Head, response: &mut Response) {
    if !keeps_cookies(head) {
        let secure = if head.client.https { "; Secure" } else { "" };
        let cookie = format!("{PROBE}=1; Path=/; Max-Age={PROBE_LIFE}; HttpOnly; SameSite=Lax{secure}");
        response.headers_mut().append(header::SET_COOKIE, value(&cookie));
    }
}

/// Whether the client is a browser that goes to an address.
fn accepts_pages(head: &Head) -> bool {
    let accepted = head.headers.get(header::ACCEPT).and_then(|accepted| accepted.to_str().ok());
    accepted.is_some_and(|accepted| accepted.contains("text/html"))
}

/// A query parameter.
fn query_parameter(head: &Head, name: &str) -> String {
    field(head.query().unwrap_or_default().as_bytes(), name)
}

/// A field of a form body (`application/x-www-form-urlencoded`); the last value counts.
pub(super) fn field(body: &[u8], name: &str) -> String {
    let found = form_urlencoded::parse(body).filter(|(named, _)| named == name).last();
    found.map(|(_, value)| value.into_owned()).unwrap_or_default()
}

impl SubmittedForm<'_> {
    /// Redirects the browser, with the cookies of the service's reply.
    pub(super) fn redirect(&self, address: &str, answered: &HeaderMap) -> Result<Response, Error> {
        let mut response = see_other(address)?;
        self.add_cookies(&mut response, answered);
        Ok(response)
    }

    fn add_cookies(&self, response: &mut Response, answered: &HeaderMap) {
        let headers = response.headers_mut();
        for cookie in answered.get_all(header::SET_COOKIE) {
            headers.append(header::SET_COOKIE, cookie.clone());
        }
        if !self.form.is_link() {
            headers.append(header::SET_COOKIE, last_form(self.head, self.form));
        }
    }
}

/// The cookie with the last form.
fn last_form(head: &Head, form: Form) -> HeaderValue {
    let secure = if head.client.https { "; Secure" } else { "" };
    let (name, life) = (form.name(), LAST_FORM_LIFE);
    value(&format!("{LAST_FORM}={name}; Path=/; Max-Age={life}; SameSite=Lax{secure}"))
}

/// The home path of an active subscriber, as the page's script builds it.
pub(super) fn home(frame: &Frame, msisdn: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("service", &frame.service)
        .append_pair("msisdn", msisdn.trim())
        .append_pair("result", "active")
        .finish();
    format!("{}?{query}", frame.home)
}

/// Redirects the browser by GET (303).
pub(super) fn see_other(address: &str) -> Result<Response, Error> {
    let location = HeaderValue::from_str(address).map_err(|error| invalid(error.into()))?;
    let headers = [
        (header::LOCATION, location),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::REFERRER_POLICY, HeaderValue::from_static(REFERRER_POLICY)),
    ];
    Ok(response(StatusCode::SEE_OTHER, headers, Body::Empty))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_paths_are_unique() {
        for form in Form::ALL {
            assert_eq!(Form::at(form.path()), Some(form));
        }
        assert_eq!(Form::at("/forms"), None);
    }

    #[test]
    fn field_returns_the_last_value() {
        assert_eq!(field(b"a=1&b=2&a=x+%26y", "a"), "x &y");
        assert_eq!(field(b"b=2", "a"), "");
    }
}
