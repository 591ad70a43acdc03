//! Stops: the other side ends a subscription, or its person does by SMS.

use actix_web::{HttpResponse, web::Json};
use brands::Confirmation;
use identity::Msisdn;
use operator::{SmsEvent, StopRequest};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    App,
    error::Error,
    notifications::{self, Event, Notice},
    subscriptions::Subscription,
};

/// An SMS from a number.
#[derive(Deserialize)]
pub(crate) struct SmsFromNumber {
    pub msisdn: String,
    pub text: String,
    #[serde(default)]
    pub svc_id: Option<i32>,
    /// The short code that it is sent to; absent means the network's.
    #[serde(default)]
    pub to: Option<String>,
}

/// What became of an SMS from a number.
#[derive(Serialize)]
#[serde(untagged)]
pub(crate) enum SmsResult {
    /// So many subscriptions have ended.
    Stopped { stopped: usize },
    /// A network passes it on.
    PassedOn { passed_on_by: String },
}

/// Ends one subscription; one that has ended, or never was, is no error.
pub(crate) async fn stop(app: App, request: Json<StopRequest>) -> Result<HttpResponse, Error> {
    end(&app, request.into_inner()).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Ends one subscription.
pub(crate) async fn end(app: &App, request: StopRequest) -> Result<(), Error> {
    let name = app.named(request.svc_id, &request.msisdn)?;
    app.begin_call(request.svc_id).await?;
    let (inner, id) = (app.clone(), request.network_subscription_id.parse::<i64>().ok());
    app.db
        .write(move |conn| {
            let running = Subscription::running(conn, &name, Some(request.svc_id))?;
            running.iter().filter(|one| Some(one.id) == id).try_for_each(|one| one.end(&inner, conn))
        })
        .await?;
    app.wake.notify_one();
    Ok(())
}

/// Takes an SMS from a number. The network acts on a STOP itself: it ends one service's subscription, or all. It passes on any other SMS,
/// and every SMS of a number whose network keeps no subscriptions.
pub(crate) async fn receive_sms(app: App, sms: Json<SmsFromNumber>) -> Result<HttpResponse, Error> {
    Ok(HttpResponse::Ok().json(receive(&app, sms.into_inner()).await?))
}

/// As `receive_sms`.
pub(crate) async fn receive(app: &App, sms: SmsFromNumber) -> Result<SmsResult, Error> {
    let msisdn = Msisdn::parse(&sms.msisdn)?;
    let is_stop = sms.text.trim().eq_ignore_ascii_case("stop");
    let (inner, network) = (app.clone(), network_of_number(app, &msisdn));
    let result = app
        .db
        .write(move |conn| {
            let mut running = Vec::new();
            for name in inner.names_of(&msisdn) {
                running.extend(Subscription::running(conn, &name, sms.svc_id)?);
            }
            let network = network.or_else(|| running.first().map(|one| one.network.clone()));
            let network = network.or_else(|| inner.brands.iter().next().map(|brand| brand.network.clone()));
            let network = network.ok_or(Error::UnknownNetwork)?;
            let entry = inner.brands.network(&network).ok_or(Error::UnknownNetwork)?;
            if is_stop && entry.opt_in == Confirmation::Page {
                running.iter().try_for_each(|one| one.end(&inner, conn))?;
                return Ok(SmsResult::Stopped { stopped: running.len() });
            }
            let name = inner.name_at(&network, &msisdn);
            let event = SmsEvent {
                event: "sms".to_owned(),
                id: Some(format!("sms-{}", Uuid::new_v4().simple())),
                user_msisdn: name.clone(),
                to: sms.to.or_else(|| entry.stop_number.clone()),
                text: sms.text,
                at: Some(inner.clock.now().and_utc()),
            };
            let body = Event::Sms(&event).written(entry.adapter())?;
            notifications::put(conn, &[Notice::text(&network, &name, body)])?;
            Ok::<_, Error>(SmsResult::PassedOn { passed_on_by: network })
        })
        .await?;
    app.wake.notify_one();
    Ok(result)
}

/// The network that a number belongs to, where that is certain: the one that was called, that it has moved to, or of its range.
fn network_of_number(app: &App, msisdn: &Msisdn) -> Option<String> {
    let called = app.called.as_deref().map(str::to_owned);
    called
        .or_else(|| app.moved_numbers.network_of(msisdn.as_str()))
        .or_else(|| app.brands.network_by_range(msisdn.as_str()))
}
