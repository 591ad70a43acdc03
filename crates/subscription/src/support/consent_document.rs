//! `GET /internal/consent/{msisdn}`: everything about a number as one printable document, the evidence of its consents first.

use actix_web::{
    HttpResponse,
    http::header,
    web::{Data, Path},
};
use brands::Parts;
use chrono::NaiveDateTime;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use service::{StaffText, SupportCaller, openapi::Refused};

use crate::{
    App,
    error::Error,
    inbound::sms::received::ReceivedSms,
    messages::outbox::MessageView,
    subscribers::{attempts::AT_NETWORK, text::format_rand},
    support::account::{Account, AccountSubscription, Charge, Consent, HistoryLimits, Transition},
};

const STYLE: &str = "body{font:14px/1.4 sans-serif;margin:2em}table{border-collapse:collapse;margin:0 0 1.5em}\
    th,td{border:1px solid #999;padding:.2em .5em;text-align:left;vertical-align:top;overflow-wrap:anywhere}\
    th{background:#eee}dt{font-weight:bold}dd{margin:0 0 .3em 1.5em;overflow-wrap:anywhere}section.consent{break-inside:avoid}\
    @media print{body{margin:0;font-size:10px}}";

/// Everything about a number as one document to print: consents, state changes, charges, messages.
#[utoipa::path(
    get,
    path = "",
    params(("msisdn" = service::schema::Name, Path, description = "The number, in any spelling.", example = "0812345678")),
    responses((status = 200, description = "The document.", body = String, content_type = "text/html"), Refused)
)]
pub(crate) async fn get_document(
    _: SupportCaller,
    app: Data<App>,
    msisdn: Path<String>,
) -> Result<HttpResponse, Error> {
    let account = Account::load(&app, &msisdn, HistoryLimits::WHOLE).await?;
    let page = document(&account, app.clock.now());
    Ok(HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'"))
        .insert_header((header::REFERRER_POLICY, "no-referrer"))
        .body(page.into_string()))
}

/// A text in the language of the call.
fn written(text: &StaffText) -> String {
    text.text(service::staff_language())
}

fn document(account: &Account, now: NaiveDateTime) -> Markup {
    let title = written(&StaffText::new("consents-title").with("number", account.msisdn.as_str()));
    let about =
        StaffText::new("consents-written").with("at", time(now)).with("paid", format_rand(account.month_spend_cents));
    html! {
        (DOCTYPE)
        html lang=(format!("{}-ZA", service::staff_language().code())) {
            head {
                meta charset="utf-8";
                meta name="robots" content="noindex";
                title { (title) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { (title) }
                p { (written(&about)) }
                @if account.subscriptions.is_empty() { p { (written(&StaffText::new("never-asked"))) } }
                @for subscription in &account.subscriptions { (subscription_section(subscription)) }
                h2 { (written(&StaffText::new("document-messages"))) }
                (messages(&account.messages))
                h2 { (written(&StaffText::new("consents-received"))) }
                (received(&account.received))
            }
        }
    }
}

fn subscription_section(subscription: &AccountSubscription) -> Markup {
    let heading = StaffText::new("consents-subscription")
        .with("service", subscription.service.as_str())
        .with("svc_id", subscription.svc_id.to_string())
        .with("id", subscription.id.to_string());
    let state = StaffText::new("consents-state")
        .with("state", subscription.state)
        .with("since", time(subscription.since))
        .with("price", format_rand(subscription.price_cents))
        .with("period", subscription.period.as_str());
    html! {
        h2 { (written(&heading)) }
        p { (written(&state)) }
        h3 { (written(&StaffText::new("document-consents"))) }
        @if subscription.consents.is_empty() { p { (written(&StaffText::new("document-no-consent"))) } }
        @for consent in &subscription.consents { (evidence(consent)) }
        h3 { (written(&StaffText::new("document-states"))) }
        (events_table(&subscription.events))
        h3 { (written(&StaffText::new("document-charges"))) }
        (charges_table(&subscription.charges))
    }
}

fn evidence(consent: &Consent) -> Markup {
    // A verification and a leave have no price.
    let has_price = !matches!(consent.kind.as_str(), "verify" | "leave");
    let price = StaffText::new("price-shown")
        .with("price", format_rand(consent.price_cents))
        .with("period", consent.period.as_str())
        .with("source", consent.price_source.as_str());
    let (price, at) = (if has_price { written(&price) } else { String::new() }, time(consent.at));
    let free = if consent.free_days > 0 { written(&StaffText::new("free-day")) } else { String::new() };
    let parts: Vec<String> = Parts::parse(&consent.parts).amounts().map(format_rand).collect();
    let parts = parts.join(", ");
    let decided_at = consent.decided_at.map(time).unwrap_or_default();
    let network_ref = consent.network_ref.as_deref().unwrap_or_default();
    let sim = if consent.sim_swapped { written(&StaffText::new("sim-swapped")) } else { String::new() };
    let code = consent.language.as_str();
    let language = match consent.translation.as_str() {
        "checked" => written(&StaffText::new("translation-checked").with("code", code)),
        "unchecked" => written(&StaffText::new("translation-unchecked").with("code", code)),
        _ => code.to_owned(),
    };
    let facts: [(StaffText, &str); 19] = [
        (StaffText::new("fact-kind"), &consent.kind),
        (StaffText::new("fact-answer"), &consent.status),
        (StaffText::new("fact-sent-at"), &at),
        (StaffText::new("fact-answered-at"), &decided_at),
        (StaffText::new("fact-price"), &price),
        (StaffText::new("fact-free"), &free),
        (StaffText::new("fact-parts"), &parts),
        (StaffText::new("fact-words"), &consent.wording),
        (StaffText::new("fact-language"), &language),
        (StaffText::new("fact-hash-of-words"), &consent.wording_hash),
        (StaffText::new("fact-version-of-terms"), &consent.terms_version),
        (StaffText::new("fact-page"), &consent.page),
        (StaffText::new("fact-address"), &consent.address),
        (StaffText::new("fact-browser"), &consent.agent),
        (StaffText::new("fact-ext-ref"), &consent.ext_ref),
        (StaffText::new("fact-network"), &consent.network),
        (StaffText::new("fact-sim"), &sim),
        (StaffText::new("fact-reference-of-opt-in"), &consent.reference),
        (StaffText::new("fact-id-of-subscription"), network_ref),
    ];
    html! {
        section class="consent" {
            h4 { (consent.label) ", " (consent.id) }
            @if consent.kind == AT_NETWORK { p { (written(&StaffText::new("consent-at-network"))) } }
            dl {
                @for (name, value) in facts { @if !value.is_empty() { dt { (written(&name)) } dd { (value) } } }
            }
        }
    }
}

/// The names above the columns of a table.
fn head<const N: usize>(names: [StaffText; N]) -> Markup {
    html! { thead { tr { @for name in names { th { (written(&name)) } } } } }
}

fn events_table(events: &[Transition]) -> Markup {
    html! {
        table {
            (head([
                StaffText::new("fact-at"),
                StaffText::new("fact-from"),
                StaffText::new("fact-to-state"),
                StaffText::new("fact-cause"),
            ]))
            tbody {
                @for event in events {
                    tr {
                        td { (time(event.at)) }
                        td { (event.from.as_deref().unwrap_or_default()) }
                        td { (event.to) }
                        td { (event.cause) }
                    }
                }
            }
        }
    }
}

fn charges_table(charges: &[Charge]) -> Markup {
    html! {
        table {
            (head([
                StaffText::new("fact-id"),
                StaffText::new("fact-day"),
                StaffText::new("fact-kind"),
                StaffText::new("fact-amount"),
                StaffText::new("fact-status"),
                StaffText::new("fact-key"),
                StaffText::new("fact-reference-of-network"),
                StaffText::new("fact-consent"),
                StaffText::new("fact-reason"),
                StaffText::new("fact-made-by"),
                StaffText::new("fact-at"),
            ]))
            tbody {
                @for charge in charges {
                    tr {
                        td { (charge.id) } td { (charge.day) } td { (charge.kind) } td { (format_rand(charge.cents)) } td { (charge.status) }
                        td { (charge.key) } td { (charge.network_ref.as_deref().unwrap_or_default()) }
                        td { (charge.consent.as_deref().unwrap_or_default()) } td { (charge.reason) }
                        td { (charge.made_by) } td { (time(charge.at)) }
                    }
                }
            }
        }
    }
}

fn messages(messages: &[MessageView]) -> Markup {
    html! {
        table {
            (head([
                StaffText::new("fact-at"),
                StaffText::new("fact-kind"),
                StaffText::new("fact-network"),
                StaffText::new("fact-state"),
                StaffText::new("fact-attempts"),
                StaffText::new("fact-text"),
                StaffText::new("fact-last-error"),
                StaffText::new("fact-delivery"),
            ]))
            tbody {
                @for message in messages {
                    tr {
                        td { (time(message.at)) } td { (message.kind) } td { (message.network) } td { (message.state) }
                        td { (message.attempts) } td { (message.text.as_deref().unwrap_or_default()) } td { (message.last_error) }
                        td { (message.delivery.as_deref().unwrap_or_default()) " " (message.delivery_reason) }
                    }
                }
            }
        }
    }
}

fn received(messages: &[ReceivedSms]) -> Markup {
    html! {
        table {
            (head([
                StaffText::new("fact-at"),
                StaffText::new("fact-network"),
                StaffText::new("fact-to"),
                StaffText::new("fact-keyword"),
                StaffText::new("fact-text"),
            ]))
            tbody {
                @for sms in messages {
                    tr { td { (time(sms.at)) } td { (sms.network) } td { (sms.to) } td { (sms.keyword) } td { (sms.text) } }
                }
            }
        }
    }
}

fn time(at: NaiveDateTime) -> String {
    at.format(service::timestamp::FORMAT).to_string()
}
