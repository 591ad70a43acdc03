//! The SMS inbox of every number.

use std::time::Duration;

use actix_web::{
    Either, HttpRequest, HttpResponse,
    http::header,
    web::{Form, Json, Path, Query},
};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use identity::Msisdn;
use languages::Language;
use maud::html;
use operator::{Delivery, ReceiptEvent, SmsRequest};
use serde::{Deserialize, Serialize};
use store::{DbConnection, on_each_backend};

use crate::{
    App,
    behaviour::Behaviour,
    error::Error,
    misbehaviour::SmsFault,
    notifications::{self, Event, Notice},
    page::{PageResponse, page},
    schema::messages,
    stops::{self, SmsFromNumber},
};

/// The newest this many are shown.
const SHOWN: i64 = 200;

/// The validity of an SMS that names none, in seconds.
const A_DAY: i64 = 24 * 3600;

/// How long a slow network takes for an SMS.
const SLOW: Duration = Duration::from_millis(300);

/// Whose inbox.
#[derive(Deserialize)]
pub(crate) struct InboxQuery {
    msisdn: String,
}

/// An SMS that arrived.
#[derive(Queryable, Serialize)]
pub(crate) struct Sms {
    svc_id: i32,
    text: String,
    #[serde(with = "service::timestamp")]
    at: NaiveDateTime,
    valid_seconds: i64,
}

/// Delivers an SMS to a number; the same key twice is one SMS.
pub(crate) async fn deliver(app: App, sms: Json<SmsRequest>) -> Result<HttpResponse, Error> {
    send(&app, sms.into_inner()).await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Delivers an SMS, unless the network or the number refuses.
pub(crate) async fn send(app: &App, sms: SmsRequest) -> Result<(), Error> {
    let name = app.named(sms.svc_id, &sms.msisdn)?;
    let misbehaviour = app.begin_call(sms.svc_id).await?;
    match misbehaviour.sms {
        Some(SmsFault::Refuse) => return Err(Error::SmsRefused),
        _ if Behaviour::of(&name) == Behaviour::SmsRefused => return Err(Error::SmsRefused),
        Some(SmsFault::Slow) => app.keep_waiting(SLOW).await,
        None => {}
    }
    let now = app.clock.now();
    let entry = app.network_of(sms.svc_id).and_then(|name| Some((app.brands.network(&name)?, name)));
    let with_receipt = entry.filter(|(network, _)| network.receipts);
    app.db
        .write(move |conn| {
            if Sms::keep(conn, &name, &sms, now)?
                && let Some((network, network_name)) = with_receipt
            {
                let is_lost = Behaviour::of(&name) == Behaviour::SmsLost;
                let event = ReceiptEvent {
                    event: "sms_receipt".to_owned(),
                    key: sms.key,
                    status: if is_lost { Delivery::Failed } else { Delivery::Delivered }.as_str().to_owned(),
                    reason: is_lost.then(|| "absent subscriber".to_owned()),
                    at: Some(now.and_utc()),
                };
                let body = Event::Receipt(&event, &name).written(network.adapter())?;
                notifications::put(conn, &[Notice::text(&network_name, &name, body)])?;
            }
            Ok::<_, Error>(())
        })
        .await?;
    app.wake.notify_one();
    Ok(())
}

/// What a person writes on the page of an inbox.
#[derive(Deserialize)]
pub(crate) struct SmsForm {
    text: String,
    /// The short code.
    #[serde(default)]
    to: String,
}

/// Sends an SMS from a number, and shows its inbox again.
pub(crate) async fn write(app: App, msisdn: Path<String>, form: Form<SmsForm>) -> Result<PageResponse, Error> {
    let msisdn = Msisdn::parse(&msisdn)?;
    let SmsForm { text, to } = form.into_inner();
    let to = Some(to.trim().to_owned()).filter(|to| !to.is_empty());
    let sms = SmsFromNumber { msisdn: msisdn.as_str().to_owned(), text, svc_id: None, to };
    stops::receive(&app, sms).await?;
    Ok(PageResponse::Redirect(format!("{}/inbox/{}", app.prefix(), msisdn.as_str())))
}

/// From a number in a form to its inbox.
pub(crate) async fn find(query: Query<InboxQuery>) -> Result<PageResponse, Error> {
    let msisdn = Msisdn::parse(&query.msisdn)?;
    Ok(PageResponse::Redirect(format!("/inbox/{}", msisdn.as_str())))
}

/// A number's SMSes, newest first: a page, or JSON where `Accept` names it.
pub(crate) async fn show(
    app: App,
    msisdn: Path<String>,
    req: HttpRequest,
) -> Result<Either<PageResponse, Json<Vec<Sms>>>, Error> {
    let msisdn = Msisdn::parse(&msisdn)?;
    let names = app.names_of(&msisdn);
    let messages = app.db.run(move |conn| Sms::to_names(conn, &names)).await?;
    let accept = req.headers().get(header::ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    if accept.contains("json") {
        return Ok(Either::Right(Json(messages)));
    }
    let body = html! {
        section class="card" {
            h1 { "Messages" }
            p class="lead" { "To " (msisdn) }
            @if messages.is_empty() { p { "No messages yet." } }
            ul class="sms" {
                @for sms in &messages {
                    li { (sms.text) time { (sms.at.format(service::timestamp::FORMAT)) " UTC" } }
                }
            }
        }
        section class="card" {
            form method="post" {
                label for="text" { "Send an SMS from this number" }
                input id="text" name="text" placeholder="eg HELP" required;
                label for="to" { "To (empty: the network's short code)" }
                input id="to" name="to" inputmode="tel";
                button class="no" type="submit" { "Send" }
            }
        }
    };
    Ok(Either::Left(page(Language::ENGLISH, "Messages", body)))
}

impl Sms {
    /// Whether it is a new one.
    fn keep(conn: &mut DbConnection, name: &str, sms: &SmsRequest, now: NaiveDateTime) -> Result<bool, Error> {
        let new = (
            messages::message_key.eq(&sms.key),
            messages::msisdn.eq(name),
            messages::svc_id.eq(sms.svc_id),
            messages::text.eq(&sms.text),
            messages::at.eq(now),
            messages::valid_seconds.eq(sms.valid_seconds.map_or(A_DAY, i64::from)),
        );
        let inserted = on_each_backend!(conn, conn => diesel::insert_into(messages::table)
            .values(new)
            .on_conflict_do_nothing()
            .execute(conn))?;
        Ok(inserted > 0)
    }

    fn to_names(conn: &mut DbConnection, names: &[String]) -> Result<Vec<Self>, Error> {
        Ok(messages::table
            .filter(messages::msisdn.eq_any(names))
            .order(messages::id.desc())
            .limit(SHOWN)
            .select((messages::svc_id, messages::text, messages::at, messages::valid_seconds))
            .load(conn)?)
    }
}
