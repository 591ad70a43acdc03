//! `POST /api/subscribe/language`: the language of later SMSes.

use actix_web::web::{Data, Json};
use identity::Subscriber;
use languages::Language;
use serde::{Deserialize, Serialize};
use service::openapi::Refused;
use utoipa::ToSchema;

use crate::{
    App,
    error::Error,
    subscribers::{lifecycle::State, subscriptions::Subscription},
};

/// A language that the subscriber chose on the pages.
#[derive(Deserialize, ToSchema)]
pub(crate) struct LanguageRequest {
    /// Its code, as in the `lang` attribute of the pages.
    #[schema(min_length = 2, max_length = 3, example = "zu")]
    language: String,
}

/// The language of later SMSes.
#[derive(Serialize, ToSchema)]
pub(crate) struct LanguageReply {
    /// Its code.
    language: &'static str,
}

/// Sends later SMSes of the session's subscription in another language. What the subscriber agreed to stays in the language in which it was shown.
#[utoipa::path(
    post,
    path = "",
    request_body = LanguageRequest,
    responses((status = 200, description = "Later SMSes are in this language.", body = LanguageReply), Refused)
)]
pub(crate) async fn choose_language(
    app: Data<App>,
    subscriber: Subscriber,
    request: Json<LanguageRequest>,
) -> Result<Json<LanguageReply>, Error> {
    let language = Language::parse(&request.language).ok_or(Error::UnknownLanguage)?;
    let session = subscriber.session;
    let reply = Json(LanguageReply { language: language.code() });
    if session.test {
        return Ok(reply);
    }
    let now = app.clock.now();
    let is_valid = app
        .db
        .write(move |conn| {
            let mut subscription = Subscription::lock(conn, &session.msisdn, session.svc_id, now)?;
            if subscription.generation != session.generation
                || matches!(subscription.state, State::New | State::Cancelled)
            {
                return Ok(false);
            }
            subscription.record_language(conn, language)?;
            Ok::<_, Error>(true)
        })
        .await?;
    if is_valid { Ok(reply) } else { Err(Error::NoSession) }
}
