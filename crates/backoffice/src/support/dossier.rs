//! The dossier of a number, for a complaint: every consent as it was shown, every charge, every message, and the notes; as JSON and as a
//! PDF to print. It has the whole number, so each is an entry of the audit log.

use actix_web::{
    HttpResponse,
    http::header,
    web::{Data, Path},
};
use chrono::{NaiveDateTime, Utc};
use serde::Deserialize;
use serde_json::{Value, json};
use service::openapi::NotFound;

use super::{Record, notes, notes::Note, record_act, timeline::rand};
use crate::{
    app::App,
    document::Document,
    error::Error,
    guard::Support,
    subscription::{Account, Consent, Subscription},
};

/// What a dossier contains.
struct Dossier {
    record: Record,
    /// As the subscription service has it.
    account: Value,
    notes: Vec<Note>,
    written_at: String,
    written_by: String,
}

impl Dossier {
    async fn collect(app: &App, Support(member): &Support, token: &str, format: &str) -> Result<Self, Error> {
        let record = Record::open(app, member, token).await?;
        record_act(app, member, &record, "dossier.made", json!({ "format": format })).await?;
        let account = app.subscription.account(member, &record.msisdn, true).await?;
        let number_id = record.number_id;
        let notes = app.db.run(move |conn| notes::of_number(conn, number_id)).await?;
        let (written_at, written_by) = (time(Utc::now().naive_utc()), member.email.clone());
        Ok(Self { record, account, notes, written_at, written_by })
    }
}

fn attachment(content_type: &str, name: &str) -> actix_web::HttpResponseBuilder {
    let mut reply = HttpResponse::Ok();
    reply
        .content_type(content_type)
        .insert_header((header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")));
    reply
}

/// The dossier as JSON.
#[utoipa::path(
    get,
    path = "",
    params(("record" = String, Path, description = "`ref` of the record.")),
    responses((status = 200, description = "The account as the subscription service has it, and the notes.", body = Value), NotFound)
)]
pub(crate) async fn get_json(support: Support, app: Data<App>, record: Path<String>) -> Result<HttpResponse, Error> {
    let dossier = Dossier::collect(&app, &support, &record, "json").await?;
    Ok(attachment("application/json", "dossier.json").json(json!({
        "number": dossier.record.msisdn.as_str(),
        "written_at": dossier.written_at,
        "written_by": dossier.written_by,
        "account": dossier.account,
        "notes": dossier.notes,
    })))
}

/// The dossier as a PDF.
#[utoipa::path(
    get,
    path = "",
    params(("record" = String, Path, description = "`ref` of the record.")),
    responses((status = 200, description = "The document.", body = Vec<u8>, content_type = "application/pdf"), NotFound)
)]
pub(crate) async fn get_pdf(support: Support, app: Data<App>, record: Path<String>) -> Result<HttpResponse, Error> {
    let dossier = Dossier::collect(&app, &support, &record, "pdf").await?;
    let account = Account::deserialize(&dossier.account)
        .map_err(|error| Error::ServiceUnavailable("subscription", format!("an unexpected reply: {error}")))?;
    Ok(attachment("application/pdf", "dossier.pdf").body(pdf(&dossier, &account)))
}

fn pdf(dossier: &Dossier, account: &Account) -> Vec<u8> {
    let title = format!("Dossier of {}", dossier.record.msisdn.as_str());
    let mut document = Document::new(&title);
    document.heading(&title, 18.0);
    document.paragraph(&format!(
        "Written at {} by {}. All times are UTC; a charge's day is Johannesburg's. Paid in this month, less what was given back: {}.",
        dossier.written_at,
        dossier.written_by,
        rand(account.month_spend_cents)
    ));
    if let Some(block) = &account.blocked {
        let text = format!("Blocked from joining since {} by {}: {}", time(block.at), block.made_by, block.reason);
        document.paragraph(&text);
    }
    if account.subscriptions.is_empty() {
        document.paragraph("This number never asked for a service.");
    }
    for subscription in &account.subscriptions {
        add_subscription(&mut document, subscription);
    }
    if !account.surplus_charges.is_empty() {
        document.heading("Charges that a network made twice, and that were given back", 14.0);
        let rows = account.surplus_charges.iter().map(|charge| {
            [time(charge.at), charge.day.clone(), rand(charge.cents), charge.network.clone(), charge.key.clone()]
        });
        document.table(&[("Found", 95.0), ("Day", 60.0), ("Amount", 50.0), ("Network", 90.0), ("Key", 0.0)], rows);
    }
    document.heading("Messages", 14.0);
    let rows = account.messages.iter().map(|message| {
        let text = message.text.clone().unwrap_or_default();
        [time(message.at), message.kind.clone(), message.progress(), text]
    });
    document.table(&[("At", 95.0), ("Kind", 45.0), ("State", 50.0), ("Text", 0.0)], rows);
    if !account.received.is_empty() {
        document.heading("SMSes from the number", 14.0);
        let rows =
            account.received.iter().map(|sms| [time(sms.at), sms.to.clone(), sms.keyword.clone(), sms.text.clone()]);
        document.table(&[("At", 95.0), ("To", 60.0), ("Understood as", 80.0), ("Text", 0.0)], rows);
    }
    document.heading("Notes and complaints", 14.0);
    let rows = dossier
        .notes
        .iter()
        .map(|note| [time(note.at.naive_utc()), note.kind.clone(), note.by.clone(), note.text.clone()]);
    document.table(&[("At", 95.0), ("Kind", 60.0), ("By", 120.0), ("Text", 0.0)], rows);
    document.finish()
}

fn add_subscription(document: &mut Document, subscription: &Subscription) {
    let Subscription { id, service, state, price_cents, period, .. } = subscription;
    document.heading(&format!("{service} (subscription {id})"), 14.0);
    let (since, price) = (time(subscription.since), rand(*price_cents));
    document.paragraph(&format!("State: {state}, since {since}. Price: {price} a {period}, incl. VAT."));
    document.heading("Consents", 11.0);
    if subscription.consents.is_empty() {
        document.paragraph("None is kept.");
    }
    for consent in &subscription.consents {
        add_consent(document, consent);
    }
    document.heading("States", 11.0);
    let rows = subscription.events.iter().map(|event| {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let by = [text(&event.made_by), text(&event.reason)].join(" ").trim().to_owned();
        [time(event.at), text(&event.from), event.to.clone(), event.cause.clone(), by]
    });
    document.table(&[("At", 95.0), ("From", 60.0), ("To", 60.0), ("Cause", 90.0), ("By, and why", 0.0)], rows);
    document.heading("Charges and refunds", 11.0);
    let rows = subscription.charges.iter().map(|charge| {
        let reference = charge.network_ref.clone().unwrap_or_default();
        let why = [charge.made_by.as_str(), charge.reason.as_str()].join(" ").trim().to_owned();
        [
            charge.id.to_string(),
            charge.day.clone(),
            charge.kind.clone(),
            rand(charge.cents),
            charge.status.clone(),
            time(charge.at),
            reference,
            why,
        ]
    });
    let columns = [
        ("Row", 35.0),
        ("Day", 55.0),
        ("Kind", 40.0),
        ("Amount", 42.0),
        ("Status", 42.0),
        ("At", 92.0),
        ("Network's reference", 100.0),
        ("By, and why", 0.0),
    ];
    document.table(&columns, rows);
}

fn add_consent(document: &mut Document, consent: &Consent) {
    let price = format!("{} a {}, incl. VAT", rand(consent.price_cents), consent.period);
    let heading = format!("{}, {}: {}", consent.label, consent.kind, consent.status);
    document.facts(
        &heading,
        &[
            ("Sent to the network's page at", &time(consent.at)),
            ("Answered at", consent.decided_at.as_deref().unwrap_or_default()),
            ("Session opened at", consent.opened_at.as_deref().unwrap_or_default()),
            ("Price shown", &price),
            ("Words shown", &consent.wording),
            ("Language", &consent.language()),
            ("SHA-256 of those words", &consent.wording_hash),
            ("Version of the terms", &consent.terms_version),
            ("Page", &consent.page),
            ("Address", &consent.address),
            ("Browser", &consent.agent),
            ("Advertisement (ext_ref)", &consent.ext_ref),
            ("Network", &consent.network),
            ("The network's reference", &consent.reference),
            ("Our id", &consent.id),
        ],
    );
}

fn time(at: NaiveDateTime) -> String {
    at.format(service::timestamp::FORMAT).to_string()
}
