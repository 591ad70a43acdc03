//! What a browser without scripts sends and asks for: each does what the page's own script would, and answers with the next page.

use std::sync::Arc;

use brands::Brands;
use bytes::Bytes;
use http::{
    HeaderMap, Method, StatusCode,
    header::{self, HeaderValue},
};
use serde::Deserialize;
use serde_json::json;
use url::form_urlencoded;

use super::{FormOutcome, Pages, REFERRER_POLICY, frame::Frame, invalid};
use crate::{
    brand,
    error::Error,
    proxy::{Answered, Proxy},
    request::Head,
    response::{Body, Cause, Response, response, value},
};

/// Names the last form that was sent without scripts. It tells that pages are to hold what is the visitor's own, and what the network
/// was asked for when it sends the visitor back. A script that runs takes it away.
pub(super) const LAST_FORM: &str = "last_form";

/// Seconds that it is kept: a month.
const LAST_FORM_LIFE: u32 = 30 * 24 * 60 * 60;

/// How often the network's word is asked for before the visitor reads that there is none.
const MAX_TRIES: u8 = 4;

/// The forms, by their paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Joins with a number.
    Join,
    /// Asks whether the network has confirmed, and opens the session: where the page leads that networks send people back to.
    Check,
    /// Asks the network to confirm whose number it is.
    Verify,
    /// Ends the subscription.
    Leave,
    /// Likes, keeps for later, and takes back.
    Mark,
}

impl Form {
    /// Every form.
    pub(crate) const ALL: [Self; 5] = [Self::Join, Self::Check, Self::Verify, Self::Leave, Self::Mark];

    /// Its address.
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::Join => "/join",
            Self::Check => "/forms/check",
            Self::Verify => "/forms/verify",
            Self::Leave => "/forms/leave",
            Self::Mark => "/forms/mark",
        }
    }

    /// The form at an address.
    pub(crate) fn at(path: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|form| form.path() == path)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Join => "join",
            Self::Check => "check",
            Self::Verify => "verify",
            Self::Leave => "leave",
            Self::Mark => "mark",
        }
    }
}

/// The subscription service's answer, or its problem.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct Answer {
    pub(super) result: i64,
    #[serde(rename = "redirectUrl")]
    pub(super) redirect_url: Option<String>,
    state: Option<String>,
    pub(super) error_message: Option<String>,
}

impl Answer {
    pub(super) fn of(answered: &Answered) -> Self {
        serde_json::from_slice(&answered.body).unwrap_or_default()
    }
}

/// Why a form did not do what it says.
pub(super) struct Refusal {
    status: StatusCode,
    /// What the page says.
    words: String,
    /// When another try may succeed.
    retry_after: Option<HeaderValue>,
    /// What failed, for the access log.
    cause: Option<Cause>,
}

impl Refusal {
    /// What a service refused; with these words where it gives none.
    pub(super) fn by(answered: &Answered, words: &str) -> Self {
        let status = if answered.status.is_success() { StatusCode::UNPROCESSABLE_ENTITY } else { answered.status };
        Self {
            status,
            words: Answer::of(answered).error_message.unwrap_or_else(|| words.to_owned()),
            retry_after: answered.headers.get(header::RETRY_AFTER).cloned(),
            cause: None,
        }
    }
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

/// A form's request, and the brand that it was sent to.
#[derive(Clone, Copy)]
pub(super) struct Sent<'a> {
    pub(super) head: &'a Head,
    pub(super) label: &'a str,
    pub(super) frame: &'a Frame,
    form: Form,
}

/// Answers forms.
pub(crate) struct Forms {
    pub(super) pages: Arc<Pages>,
    brands: Brands,
    pub(super) proxy: Arc<Proxy>,
}

impl Forms {
    /// Answers the forms of these pages.
    pub(crate) fn new(pages: Arc<Pages>, brands: Brands, proxy: Arc<Proxy>) -> Self {
        Self { pages, brands, proxy }
    }

    /// Answers a form: a GET for `Check`, a POST for all others.
    pub(crate) async fn answer(&self, form: Form, head: &Head, body: Bytes) -> Result<Response, Error> {
        let label = brand::label(&self.brands, head).ok_or(Error::NotFound)?;
        let pages = self.pages.brand_pages.load_full();
        let frame = pages.frames.get(&label).ok_or(Error::NotFound)?;
        let sent = Sent { head, label: &label, frame, form };
        if form == Form::Check {
            return self.check(sent).await;
        }
        if !head.has_content_type("application/x-www-form-urlencoded") {
            return Err(Error::NotAForm);
        }
        match form {
            Form::Join | Form::Check => self.join(sent, &body).await,
            Form::Verify => self.verify(sent, &body).await,
            Form::Leave => self.leave(sent, &body).await,
            Form::Mark => self.mark(sent, &body).await,
        }
    }

    /// To the brand's home with a session where the network has confirmed the try; else the page asks again, some times.
    async fn check(&self, sent: Sent<'_>) -> Result<Response, Error> {
        let Sent { head, frame, .. } = sent;
        let [msisdn, subscription_id, ext_ref] = ["msisdn", "subscription_id", "ext_ref"].map(|name| asked(head, name));
        let query = form_urlencoded::Serializer::new(String::new())
            .append_pair("msisdn", &msisdn)
            .append_pair("subscription_id", &subscription_id)
            .finish();
        let address = format!("/api/subscribe/check-sub?{query}");
        let answered = match self.proxy.ask(head, sent.label, Method::GET, &address, None).await {
            Ok(answered) if answered.status.is_success() => answered,
            _ => return see_other("/"),
        };
        if Answer::of(&answered).result == 1 {
            return sent.onward(&home(frame, &msisdn), &answered.headers);
        }
        let tries = tries(head) + 1;
        if tries >= MAX_TRIES {
            let asked_for = head.cookie(LAST_FORM).filter(|form| matches!(*form, "verify" | "leave"));
            return see_other(&format!("/?unconfirmed={}", asked_for.unwrap_or(Form::Join.name())));
        }
        let again = form_urlencoded::Serializer::new(query).append_pair("ext_ref", &ext_ref).finish();
        see_other(&format!("/DoiRedirect?{again}&{TRIES}={tries}"))
    }

    /// On to the network's page, where the number's holder confirms.
    async fn verify(&self, sent: Sent<'_>, body: &[u8]) -> Result<Response, Error> {
        let msisdn = field(body, "msisdn");
        let request = json!({ "msisdn": msisdn, "svc_id": sent.frame.svc_id });
        let asked = self.proxy.ask(sent.head, sent.label, Method::POST, "/api/subscribe/verify", Some(request)).await;
        let refusal = match asked {
            Ok(answered) => match Answer::of(&answered).redirect_url.filter(|_| answered.status.is_success()) {
                Some(page) => return sent.onward(&page, &answered.headers),
                None => Refusal::by(&answered, "This number is not active yet. Please join first."),
            },
            Err(error) => Refusal::from(&error),
        };
        self.page_again(sent, Form::Join.path(), msisdn, refusal).await
    }

    /// Ends the subscription of a session at once, that of a typed number through the network's page.
    async fn leave(&self, sent: Sent<'_>, body: &[u8]) -> Result<Response, Error> {
        let msisdn = field(body, "msisdn");
        let svc_id = sent.frame.svc_id;
        let request =
            if msisdn.is_empty() { json!({ "svc_id": svc_id }) } else { json!({ "svc_id": svc_id, "msisdn": msisdn }) };
        let asked =
            self.proxy.ask(sent.head, sent.label, Method::POST, "/api/subscribe/unsubscribe", Some(request)).await;
        let refusal = match asked {
            Ok(answered) => {
                let answer = Answer::of(&answered);
                match (answered.status.is_success(), answer.redirect_url) {
                    (true, Some(page)) => return sent.onward(&page, &answered.headers),
                    (true, None) if answer.state.as_deref() == Some("cancelled") => {
                        let left = FormOutcome { status: StatusCode::OK, problem: None, typed: None, left: true };
                        let mut page =
                            self.pages.after_form(sent.head, (sent.label, sent.frame), SUBSCRIPTION, left).await?;
                        sent.add_cookies(&mut page, &answered.headers);
                        return Ok(page);
                    }
                    _ => Refusal::by(&answered, "We could not find that subscription. Please check the number."),
                }
            }
            Err(error) => Refusal::from(&error),
        };
        self.page_again(sent, SUBSCRIPTION, msisdn, refusal).await
    }

    /// A page with its form again: what was typed, and what was wrong.
    pub(super) async fn page_again(
        &self,
        sent: Sent<'_>,
        path: &str,
        typed: String,
        refusal: Refusal,
    ) -> Result<Response, Error> {
        let Refusal { status, words, retry_after, cause } = refusal;
        let outcome = FormOutcome { status, problem: Some(words), typed: Some(typed), left: false };
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

/// The page that tells what a subscription costs, and ends it.
const SUBSCRIPTION: &str = "/subscription";

/// Counts in the address of the page that networks send people back to how often it has asked.
const TRIES: &str = "tries";

/// How often a page has asked for the network's word.
pub(super) fn tries(head: &Head) -> u8 {
    asked(head, TRIES).parse().unwrap_or(0).min(MAX_TRIES)
}

/// What an address asks for by this name.
fn asked(head: &Head, name: &str) -> String {
    field(head.query().unwrap_or_default().as_bytes(), name)
}

/// A field of a body as browsers write it (`application/x-www-form-urlencoded`); of two of a name the last counts.
pub(super) fn field(body: &[u8], name: &str) -> String {
    let found = form_urlencoded::parse(body).filter(|(named, _)| named == name).last();
    found.map(|(_, value)| value.into_owned()).unwrap_or_default()
}

impl Sent<'_> {
    /// Sends the browser on, with the cookies of the service's answer.
    pub(super) fn onward(&self, address: &str, answered: &HeaderMap) -> Result<Response, Error> {
        let mut response = see_other(address)?;
        self.add_cookies(&mut response, answered);
        Ok(response)
    }

    fn add_cookies(&self, response: &mut Response, answered: &HeaderMap) {
        let headers = response.headers_mut();
        for cookie in answered.get_all(header::SET_COOKIE) {
            headers.append(header::SET_COOKIE, cookie.clone());
        }
        if self.form != Form::Check {
            let secure = if self.head.client.https { "; Secure" } else { "" };
            let (name, life) = (self.form.name(), LAST_FORM_LIFE);
            let cookie = format!("{LAST_FORM}={name}; Path=/; Max-Age={life}; SameSite=Lax{secure}");
            headers.append(header::SET_COOKIE, value(&cookie));
        }
    }
}

/// The brand's home for an active subscriber, as the page's own script names it.
pub(super) fn home(frame: &Frame, msisdn: &str) -> String {
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("service", &frame.service)
        .append_pair("msisdn", msisdn.trim())
        .append_pair("result", "active")
        .finish();
    format!("{}?{query}", frame.home)
}

/// Sends the browser on to an address, by GET.
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
    fn a_form_has_one_address() {
        for form in Form::ALL {
            assert_eq!(Form::at(form.path()), Some(form));
        }
        assert_eq!(Form::at("/forms"), None);
    }

    #[test]
    fn the_last_field_of_a_name_counts() {
        assert_eq!(field(b"a=1&b=2&a=x+%26y", "a"), "x &y");
        assert_eq!(field(b"b=2", "a"), "");
    }
}
