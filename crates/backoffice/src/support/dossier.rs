//! The dossier of a number, for a complaint: every consent as it was shown, every charge, every message, and the notes; as JSON and as a
//! page to print. It has the whole number, so each has a reason, and is an entry of the audit log.

use actix_web::{
    HttpResponse,
    web::{Data, Json, Path},
};
use chrono::{NaiveDateTime, Utc};
use serde::Deserialize;
use serde_json::{Value, json};
use service::{
    StaffText,
    openapi::{NotFound, Refused},
};

use super::{
    Record, checked_reason,
    exports::{ExportOrder, Format},
    notes,
    notes::Note,
    record_act,
    timeline::{self, fact, local, price_shown, rand},
};
use crate::{
    app::App,
    document::{Document, attachment},
    error::Error,
    guard::Support,
    subscription::{Account, Consent, Subscription},
    texts::written,
};

/// What a dossier contains.
struct Dossier {
    record: Record,
    /// As the subscription service has it.
    account: Value,
    notes: Vec<Note>,
    written_at: NaiveDateTime,
    written_by: String,
}

impl Dossier {
    async fn collect(app: &App, Support(member): &Support, token: &str, order: &ExportOrder) -> Result<Self, Error> {
        let record = Record::open(app, member, token).await?;
        let details = json!({ "format": order.format, "reason": checked_reason(&order.reason)? });
        record_act(app, member, &record, "dossier.made", details).await?;
        let account = app.subscription.account(member, &record.msisdn, true).await?;
        let number_id = record.number_id;
        let notes = app.db.run(move |conn| notes::of_number(conn, number_id)).await?;
        let (written_at, written_by) = (Utc::now().naive_utc(), member.email.clone());
        Ok(Self { record, account, notes, written_at, written_by })
    }
}

/// The dossier, as a file.
#[utoipa::path(
    post,
    path = "",
    params(("record" = String, Path, description = "`ref` of the record.")),
    request_body = ExportOrder,
    responses((status = 200, description = "The account as the subscription service has it, and the notes.", body = Value), NotFound, Refused)
)]
pub(crate) async fn make(
    support: Support,
    app: Data<App>,
    record: Path<String>,
    order: Json<ExportOrder>,
) -> Result<HttpResponse, Error> {
    let dossier = Dossier::collect(&app, &support, &record, &order).await?;
    if matches!(order.format, Format::Json) {
        return Ok(attachment("application/json", "dossier.json").json(json!({
            "number": dossier.record.msisdn.as_str(),
            "written_at": dossier.written_at.format(service::timestamp::FORMAT).to_string(),
            "written_by": dossier.written_by,
            "account": dossier.account,
            "notes": dossier.notes,
        })));
    }
    let account = Account::deserialize(&dossier.account)
        .map_err(|error| Error::ServiceUnavailable("subscription", format!("an unexpected reply: {error}")))?;
    Ok(page(&dossier, &account))
}

fn page(dossier: &Dossier, account: &Account) -> HttpResponse {
    let mut document = Document::new(&StaffText::new("dossier-title").with("number", dossier.record.msisdn.as_str()));
    let about = StaffText::new("dossier-written")
        .with("at", time(dossier.written_at))
        .with("name", dossier.written_by.as_str())
        .with("paid", rand(account.month_spend_cents));
    document.paragraph(&written(&about));
    if let Some(block) = &account.blocked {
        let text = StaffText::new("dossier-blocked")
            .with("at", time(block.at))
            .with("name", block.made_by.as_str())
            .with("reason", block.reason.as_str());
        document.paragraph(&written(&text));
    }
    if account.subscriptions.is_empty() {
        document.paragraph(&written(&StaffText::new("never-asked")));
    }
    for subscription in &account.subscriptions {
        add_subscription(&mut document, subscription);
    }
    if !account.surplus_charges.is_empty() {
        document.chapter(&written(&StaffText::new("dossier-twice")));
        let rows = account.surplus_charges.iter().map(|charge| {
            [time(charge.at), charge.day.clone(), rand(charge.cents), charge.network.clone(), charge.key.clone()]
        });
        document.table(
            [
                StaffText::new("fact-found"),
                StaffText::new("fact-day"),
                StaffText::new("fact-amount"),
                StaffText::new("fact-network"),
                StaffText::new("fact-key"),
            ],
            rows,
        );
    }
    document.chapter(&written(&StaffText::new("document-messages")));
    let rows = account.messages.iter().map(|message| {
        let text = message.text.clone().unwrap_or_default();
        [time(message.at), message.kind.clone(), message.progress(), text]
    });
    document.table(
        [
            StaffText::new("fact-at"),
            StaffText::new("fact-kind"),
            StaffText::new("fact-state"),
            StaffText::new("fact-text"),
        ],
        rows,
    );
    if !account.received.is_empty() {
        document.chapter(&written(&StaffText::new("dossier-received")));
        let rows =
            account.received.iter().map(|sms| [time(sms.at), sms.to.clone(), sms.keyword.clone(), sms.text.clone()]);
        document.table(
            [
                StaffText::new("fact-at"),
                StaffText::new("fact-to"),
                StaffText::new("fact-keyword"),
                StaffText::new("fact-text"),
            ],
            rows,
        );
    }
    document.chapter(&written(&StaffText::new("dossier-notes")));
    let rows = dossier
        .notes
        .iter()
        .map(|note| [time(note.at.naive_utc()), note.kind.as_str().to_owned(), note.by.clone(), note.text.clone()]);
    document.table(
        [
            StaffText::new("fact-at"),
            StaffText::new("fact-kind"),
            StaffText::new("fact-by"),
            StaffText::new("fact-text"),
        ],
        rows,
    );
    document.finish("dossier.html")
}

fn add_subscription(document: &mut Document, subscription: &Subscription) {
    let Subscription { id, service, state, price_cents, period, .. } = subscription;
    let heading = StaffText::new("dossier-subscription").with("service", service.as_str()).with("id", id.to_string());
    document.chapter(&written(&heading));
    let text = StaffText::new("dossier-state")
        .with("state", state.as_str())
        .with("since", time(subscription.since))
        .with("price", rand(*price_cents))
        .with("period", period.as_str());
    document.paragraph(&written(&text));
    document.heading(&written(&StaffText::new("document-consents")));
    if subscription.consents.is_empty() {
        document.paragraph(&written(&StaffText::new("document-no-consent")));
    }
    for consent in &subscription.consents {
        add_consent(document, consent);
    }
    document.heading(&written(&StaffText::new("document-states")));
    let rows = subscription.events.iter().map(|event| {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let by = [text(&event.made_by), text(&event.reason)].join(" ").trim().to_owned();
        [time(event.at), text(&event.from), event.to.clone(), event.cause.clone(), by]
    });
    document.table(
        [
            StaffText::new("fact-at"),
            StaffText::new("fact-from"),
            StaffText::new("fact-to-state"),
            StaffText::new("fact-cause"),
            StaffText::new("fact-by-and-why"),
        ],
        rows,
    );
    if !subscription.complaints.is_empty() {
        document.heading(&written(&StaffText::new("document-complaints")));
        let rows = subscription.complaints.iter().map(|complaint| {
            let case = if complaint.outcome == "case" { complaint.id.to_string() } else { String::new() };
            [time(complaint.at), case, timeline::complaint_text(complaint), complaint.closed_by.clone()]
        });
        document.table(
            [
                StaffText::new("fact-at"),
                StaffText::new("fact-case"),
                StaffText::new("fact-text"),
                StaffText::new("fact-closed-by"),
            ],
            rows,
        );
    }
    document.heading(&written(&StaffText::new("document-charges")));
    let rows = subscription.charges.iter().map(|charge| {
        let reference = charge.network_ref.clone().unwrap_or_default();
        let consent = charge.consent.as_ref().map(|id| fact(StaffText::new("fact-consent"), id)).unwrap_or_default();
        let refunded =
            charge.refund_of.map(|id| fact(StaffText::new("fact-gives-back"), &id.to_string())).unwrap_or_default();
        let why = [charge.made_by.as_str(), charge.reason.as_str(), &consent, &refunded].join(" ").trim().to_owned();
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
        StaffText::new("fact-number-of-row"),
        StaffText::new("fact-day"),
        StaffText::new("fact-kind"),
        StaffText::new("fact-amount"),
        StaffText::new("fact-status"),
        StaffText::new("fact-at"),
        StaffText::new("fact-reference-of-network"),
        StaffText::new("fact-by-and-why"),
    ];
    document.table(columns, rows);
}

fn add_consent(document: &mut Document, consent: &Consent) {
    let (price, at, language) = (price_shown(consent), time(consent.at), consent.language());
    let decided_at = consent.decided_at().map(time).unwrap_or_default();
    let opened_at = consent.opened_at().map(time).unwrap_or_default();
    let facts: [(StaffText, &str); 15] = [
        (StaffText::new("fact-sent-at"), &at),
        (StaffText::new("fact-answered-at"), &decided_at),
        (StaffText::new("fact-opened-at"), &opened_at),
        (StaffText::new("fact-price"), &price),
        (StaffText::new("fact-words"), &consent.wording),
        (StaffText::new("fact-language"), &language),
        (StaffText::new("fact-hash-of-words"), &consent.wording_hash),
        (StaffText::new("fact-version-of-terms"), &consent.terms_version),
        (StaffText::new("fact-page"), &consent.page),
        (StaffText::new("fact-address"), &consent.address),
        (StaffText::new("fact-browser"), &consent.agent),
        (StaffText::new("fact-ext-ref"), &consent.ext_ref),
        (StaffText::new("fact-network"), &consent.network),
        (StaffText::new("fact-network-reference"), &consent.reference),
        (StaffText::new("fact-our-id"), &consent.id),
    ];
    let heading = format!("{}, {}: {}", consent.label, consent.kind, consent.status);
    document.facts(&heading, &facts.map(|(name, value)| (written(&name), value)));
}

/// In Johannesburg.
fn time(at: NaiveDateTime) -> String {
    local(at).format(service::timestamp::FORMAT).to_string()
}
