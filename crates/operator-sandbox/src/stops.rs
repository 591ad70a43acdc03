//! Stops: the other side ends a subscription, or its person does by SMS.

use actix_web::{HttpResponse, web::Json};
use identity::Msisdn;
use operator::StopRequest;
use serde::{Deserialize, Serialize};

use crate::{App, error::Error, subscriptions::Subscription};

/// An SMS from a number.
#[derive(Deserialize)]
pub(crate) struct SmsFromNumber {
    msisdn: String,
    text: String,
    #[serde(default)]
    svc_id: Option<i32>,
}

#[derive(Serialize)]
struct Stopped {
    stopped: usize,
}

/// Ends one subscription; one that has ended, or never was, is no error.
pub(crate) async fn stop(app: App, request: Json<StopRequest>) -> Result<HttpResponse, Error> {
    end(&app, request.into_inner()).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Ends one subscription.
pub(crate) async fn end(app: &App, request: StopRequest) -> Result<(), Error> {
    let msisdn = Msisdn::parse(&request.msisdn)?;
    app.begin_call(request.svc_id).await?;
    let (inner, id) = (app.clone(), request.network_subscription_id.parse::<i64>().ok());
    app.db
        .write(move |conn| {
            let running = Subscription::running(conn, msisdn.as_str(), Some(request.svc_id))?;
            running.iter().filter(|one| Some(one.id) == id).try_for_each(|one| one.end(&inner, conn))
        })
        .await?;
    app.wake.notify_one();
    Ok(())
}

/// Takes an SMS from a number: STOP ends one service's subscription, or all.
pub(crate) async fn receive_sms(app: App, sms: Json<SmsFromNumber>) -> Result<HttpResponse, Error> {
    let msisdn = Msisdn::parse(&sms.msisdn)?;
    if !sms.text.trim().eq_ignore_ascii_case("stop") {
        return Err(Error::UnknownCommand);
    }
    let inner = app.clone();
    let stopped = app
        .db
        .write(move |conn| {
            let running = Subscription::running(conn, msisdn.as_str(), sms.svc_id)?;
            running.iter().try_for_each(|one| one.end(&inner, conn))?;
            Ok::<_, Error>(running.len())
        })
        .await?;
    app.wake.notify_one();
    Ok(HttpResponse::Ok().json(Stopped { stopped }))
}
