//! `POST /join`: the join form of a page whose scripts have not run.

use http::{HeaderMap, Method, StatusCode, header};
use identity::Msisdn;
use serde_json::json;

use super::{
    FormOutcome, HeldJoin,
    forms::{Form, FormError, Forms, ServiceReply, SubmittedForm, field, home, keeps_cookies},
};
use crate::{error::Error, response::Response};

/// The form's fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JoinForm {
    /// The number as entered.
    pub msisdn: String,
    /// The reference of the campaign that the visitor came from.
    pub ext_ref: String,
    /// The network that the visitor chose; empty: none.
    pub network: String,
    /// The challenge of an earlier answer, and the code that the visitor typed for it.
    pub challenge: String,
    /// See `challenge`.
    pub code: String,
    /// A field that no person sees.
    pub homepage: String,
    /// The page that the visitor wanted.
    pub page: String,
    /// The prices that the page shows.
    pub shown: String,
}

impl Forms {
    /// Redirects to the network's page, or home for an active number, or shows the form again with the error.
    pub(super) async fn join(&self, sent: SubmittedForm<'_>, body: &[u8]) -> Result<Response, Error> {
        let JoinForm { msisdn, ext_ref, network, challenge, code, homepage, page, shown } = JoinForm::read(body);
        if !keeps_cookies(sent.head) {
            return self.refuse_without_cookies(sent, msisdn).await;
        }
        // In any spelling, as the page's script recognises it.
        let test_msisdn = &self.pages.test_msisdn;
        if test_msisdn.is_some() && Msisdn::parse(&msisdn).ok() == *test_msisdn {
            return self.test_session(sent, &msisdn).await;
        }
        let mut request =
            json!({ "msisdn": msisdn, "ext_ref": ext_ref, "channel": "WAP", "svc_id": sent.frame.svc_id });
        let page = self.pages.known_page(&page, sent.frame).unwrap_or_default().to_owned();
        let given = [
            ("network", network),
            ("page", page),
            ("shown", shown),
            ("challenge", challenge),
            ("code", code),
            ("homepage", homepage),
        ];
        let given = given.into_iter().filter(|(_, text)| !text.is_empty());
        if let Some(fields) = request.as_object_mut() {
            fields.extend(given.map(|(name, text)| (name.to_owned(), text.into())));
        }
        let reply = self.proxy.ask(sent.head, sent.label, Method::POST, "/api/subscribe", Some(request)).await;
        let error = match reply {
            Ok(answered) => match ServiceReply::of(&answered) {
                ServiceReply { result: 1, redirect_url: Some(page), .. } if answered.status.is_success() => {
                    return sent.redirect(&page, &answered.headers);
                }
                ServiceReply { result: 2, .. } if answered.status.is_success() => {
                    return sent.redirect(&home(sent.frame, &msisdn), &answered.headers);
                }
                reply @ ServiceReply { result: 3, networks: Some(_), .. }
                | reply @ ServiceReply { result: 4, challenge: Some(_), code: Some(_), .. }
                    if answered.status.is_success() =>
                {
                    return self.press_again(sent, msisdn, reply, &answered.headers).await;
                }
                _ => FormError::by(&answered, sent.frame.language.text("join-failed")),
            },
            Err(error) => FormError::of(&error, sent.frame),
        };
        self.page_again(sent, Form::Join.path(), msisdn, error).await
    }

    /// The form again, with a button for each network, and with a code to type where the join was held.
    async fn press_again(
        &self,
        sent: SubmittedForm<'_>,
        msisdn: String,
        reply: ServiceReply,
        headers: &HeaderMap,
    ) -> Result<Response, Error> {
        let ServiceReply { networks, challenge, code, error_message: problem, .. } = reply;
        let held = challenge.map(|challenge| HeldJoin { challenge, code: code.unwrap_or_default() });
        let outcome = FormOutcome { typed: Some(msisdn), problem, networks, held, ..FormOutcome::new(StatusCode::OK) };
        let mut response =
            self.pages.after_form(sent.head, (sent.label, sent.frame), Form::Join.path(), outcome).await?;
        // The challenge counts in this browser.
        for cookie in headers.get_all(header::SET_COOKIE) {
            response.headers_mut().append(header::SET_COOKIE, cookie.clone());
        }
        Ok(response)
    }

    /// Redirects home with the test session, which the home page's script would request.
    async fn test_session(&self, sent: SubmittedForm<'_>, msisdn: &str) -> Result<Response, Error> {
        let request = json!({ "msisdn": msisdn, "svc_id": sent.frame.svc_id });
        let reply = self.proxy.ask(sent.head, sent.label, Method::POST, "/api/session/test", Some(request)).await;
        let headers = reply.map(|answered| answered.headers).unwrap_or_default();
        sent.redirect(&home(sent.frame, msisdn), &headers)
    }
}

impl JoinForm {
    /// The fields of a body as browsers write it.
    pub fn read(body: &[u8]) -> Self {
        let of = |name| field(body, name);
        Self {
            msisdn: of("msisdn"),
            ext_ref: of("ext_ref"),
            network: of("network"),
            challenge: of("challenge"),
            code: of("code"),
            homepage: of("homepage"),
            page: of("page"),
            shown: of("shown"),
        }
    }
}
