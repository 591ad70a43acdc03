//! `POST /join`: the join form of a page whose scripts have not run, or never will.

use http::Method;
use identity::Msisdn;
use serde_json::json;

use super::forms::{Answer, Form, Forms, Refusal, Sent, field, home};
use crate::{error::Error, response::Response};

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

impl Forms {
    /// On to the network's page, home for an active number, or the form again with what was wrong.
    pub(super) async fn join(&self, sent: Sent<'_>, body: &[u8]) -> Result<Response, Error> {
        let JoinForm { msisdn, ext_ref } = JoinForm::read(body);
        // In every spelling, as the page's own script knows it.
        let test_msisdn = &self.pages.test_msisdn;
        if test_msisdn.is_some() && Msisdn::parse(&msisdn).ok() == *test_msisdn {
            return self.test_session(sent, &msisdn).await;
        }
        let request = json!({ "msisdn": msisdn, "ext_ref": ext_ref, "channel": "WAP", "svc_id": sent.frame.svc_id });
        let asked = self.proxy.ask(sent.head, sent.label, Method::POST, "/api/subscribe", Some(request)).await;
        let refusal = match asked {
            Ok(answered) => match Answer::of(&answered) {
                Answer { result: 1, redirect_url: Some(page), .. } if answered.status.is_success() => {
                    return sent.onward(&page, &answered.headers);
                }
                Answer { result: 2, .. } if answered.status.is_success() => {
                    return sent.onward(&home(sent.frame, &msisdn), &answered.headers);
                }
                _ => Refusal::by(&answered, FAILED),
            },
            Err(error) => Refusal::from(&error),
        };
        self.page_again(sent, Form::Join.path(), msisdn, refusal).await
    }

    /// Home, with the session that the home page's own script would ask for.
    async fn test_session(&self, sent: Sent<'_>, msisdn: &str) -> Result<Response, Error> {
        let request = json!({ "msisdn": msisdn, "svc_id": sent.frame.svc_id });
        let asked = self.proxy.ask(sent.head, sent.label, Method::POST, "/api/session/test", Some(request)).await;
        let headers = asked.map(|answered| answered.headers).unwrap_or_default();
        sent.onward(&home(sent.frame, msisdn), &headers)
    }
}

impl JoinForm {
    /// The fields of a body as browsers write it.
    pub fn read(body: &[u8]) -> Self {
        Self { msisdn: field(body, "msisdn"), ext_ref: field(body, "ext_ref") }
    }
}
