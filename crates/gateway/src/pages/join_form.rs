//! `POST /join`: the join form of a page whose scripts have not run.

use http::{Method, StatusCode};
use identity::Msisdn;
use serde_json::{json, value::RawValue};

use super::{
    FormOutcome,
    forms::{Form, FormError, Forms, ServiceReply, SubmittedForm, field, home},
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
}

impl Forms {
    /// Redirects to the network's page, or home for an active number, or shows the form again with the error.
    pub(super) async fn join(&self, sent: SubmittedForm<'_>, body: &[u8]) -> Result<Response, Error> {
        let JoinForm { msisdn, ext_ref, network } = JoinForm::read(body);
        // In any spelling, as the page's script recognises it.
        let test_msisdn = &self.pages.test_msisdn;
        if test_msisdn.is_some() && Msisdn::parse(&msisdn).ok() == *test_msisdn {
            return self.test_session(sent, &msisdn).await;
        }
        let mut request =
            json!({ "msisdn": msisdn, "ext_ref": ext_ref, "channel": "WAP", "svc_id": sent.frame.svc_id });
        if let (false, Some(fields)) = (network.is_empty(), request.as_object_mut()) {
            fields.insert("network".to_owned(), network.into());
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
                ServiceReply { result: 3, networks: Some(networks), .. } if answered.status.is_success() => {
                    return self.choose_network(sent, msisdn, networks).await;
                }
                _ => FormError::by(&answered, sent.frame.language.text("join-failed")),
            },
            Err(error) => FormError::of(&error, sent.frame),
        };
        self.page_again(sent, Form::Join.path(), msisdn, error).await
    }

    /// The form again, with a button for each network.
    async fn choose_network(
        &self,
        sent: SubmittedForm<'_>,
        msisdn: String,
        networks: Box<RawValue>,
    ) -> Result<Response, Error> {
        let outcome = FormOutcome { typed: Some(msisdn), networks: Some(networks), ..FormOutcome::new(StatusCode::OK) };
        self.pages.after_form(sent.head, (sent.label, sent.frame), Form::Join.path(), outcome).await
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
        Self { msisdn: field(body, "msisdn"), ext_ref: field(body, "ext_ref"), network: field(body, "network") }
    }
}
