//! Consent evidence: the wording that a subscriber agreed to, and everything about a number as one printable document.

use actix_web::{
    HttpResponse,
    http::header,
    web::{Data, Path},
};
use brands::{Brand, Offer, Parts};
use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use diesel::{
    dsl::{exists, not, sql},
    prelude::*,
    sql_types::Bool,
};
use languages::{FluentArgs, Language};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use service::{StaffText, SupportCaller, openapi::Refused};
use sha2::{Digest, Sha256};
use store::DbConnection;

use crate::{
    App,
    error::Error,
    inbound_sms::ReceivedSms,
    internal::{Account, AccountSubscription, Charge, Consent, HistoryLimits, Transition},
    lifecycle::Cause,
    messages::format_rand,
    opt_in_attempts::AT_NETWORK,
    outbox::MessageView,
    schema::{events, tries},
    terms::Terms,
};

/// How long an attempt without a confirmation is kept.
const UNCONFIRMED_RETENTION: TimeDelta = TimeDelta::days(90);

/// Attempts deleted in one transaction.
const DELETE_BATCH_SIZE: i64 = 1000;

const STYLE: &str = "body{font:14px/1.4 sans-serif;margin:2em}table{border-collapse:collapse;margin:0 0 1.5em}\
    th,td{border:1px solid #999;padding:.2em .5em;text-align:left;vertical-align:top;overflow-wrap:anywhere}\
    th{background:#eee}dt{font-weight:bold}dd{margin:0 0 .3em 1.5em;overflow-wrap:anywhere}section.consent{break-inside:avoid}\
    @media print{body{margin:0;font-size:10px}}";

/// The consent text of a brand's join page with an offer, in a language: the text around its button (`PriceLine.tsx` and `JoinPage.tsx` of the front
/// end) on a day. The version of the terms is stored beside it.
pub(crate) fn wording(brand: &Brand, offer: Offer, language: Language, today: NaiveDate) -> String {
    words("consent", brand, offer, language, today)
}

fn words(id: &str, brand: &Brand, offer: Offer, language: Language, today: NaiveDate) -> String {
    let placeholders = FluentArgs::from_iter([
        ("name", brand.name.clone()),
        ("amount", format_rand(offer.price_cents)),
        ("period", offer.period.as_str().to_owned()),
    ]);
    let text = language.text(id, &placeholders);
    Terms::on_page(offer, today).after(text, language, offer.price_cents)
}

/// As `wording`, where an action of a page led to the network's page: the price line of that page.
pub(crate) fn wording_of_link(brand: &Brand, offer: Offer, language: Language, today: NaiveDate) -> String {
    words("price-line", brand, offer, language, today)
}

/// As `wording`, where the button that has the network tell the SIM's number was tapped.
pub(crate) fn wording_by_sim(brand: &Brand, offer: Offer, language: Language, today: NaiveDate) -> String {
    format!("{} {}", wording(brand, offer, language, today), language.text("use-sim-number", &FluentArgs::new()))
}

/// The messages that a consent can consist of: of the join page, of the SMS that requests a YES, and of what follows the price.
const MESSAGES: [&str; 10] =
    ["consent", "price-line", "use-sim-number", "sms-join", "price", "stop", "help", "first-charge", "date", "parts"];

/// What the words of a consent are: `original`, or a translation, `checked` or `unchecked`. It is checked once a speaker has checked all that a consent
/// can consist of. Empty without words.
pub(crate) fn translation_of(wording: &str, language: Language) -> &'static str {
    match language {
        _ if wording.is_empty() => "",
        Language::ENGLISH => "original",
        _ if language.has_checked(&MESSAGES) => "checked",
        _ => "unchecked",
    }
}

/// The hexadecimal SHA-256 of a consent text; empty for an empty text.
pub(crate) fn hash_of(wording: &str) -> String {
    if wording.is_empty() { String::new() } else { hex::encode(Sha256::digest(wording)) }
}

/// Deletes a batch of old unconfirmed attempts; returns how many. Call it until it returns 0, each time in a transaction of its own.
/// Confirmed attempts stay, and so does an attempt without an answer whose subscription was confirmed after it: it may be the only
/// evidence of the consent.
pub(crate) fn delete_expired(conn: &mut DbConnection, now: NaiveDateTime) -> Result<usize, Error> {
    let confirmed_since = events::table
        .filter(events::subscription_id.eq(tries::subscription_id).and(events::at.ge(tries::created_at)))
        .filter(events::cause.eq_any([Cause::Confirmed.as_str(), Cause::ConfirmedUnpaid.as_str()]));
    let expired: Vec<String> = tries::table
        // Literal SQL, so that the partial index applies.
        .filter(sql::<Bool>("tries.status <> 'confirmed'"))
        .filter(tries::created_at.lt(now - UNCONFIRMED_RETENTION))
        .filter(tries::status.eq("declined").or(not(exists(confirmed_since))))
        .order(tries::created_at)
        .limit(DELETE_BATCH_SIZE)
        .select(tries::id)
        .load(conn)?;
    Ok(diesel::delete(tries::table.filter(tries::id.eq_any(expired))).execute(conn)?)
}

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
    let price = StaffText::new("price-shown")
        .with("price", format_rand(consent.price_cents))
        .with("period", consent.period.as_str());
    let (price, at) = (written(&price), time(consent.at));
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
                StaffText::new("fact-reason"),
                StaffText::new("fact-made-by"),
                StaffText::new("fact-at"),
            ]))
            tbody {
                @for charge in charges {
                    tr {
                        td { (charge.id) } td { (charge.day) } td { (charge.kind) } td { (format_rand(charge.cents)) } td { (charge.status) }
                        td { (charge.key) } td { (charge.network_ref.as_deref().unwrap_or_default()) } td { (charge.reason) }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wording_matches_the_join_page() {
        let brand = testkit::brands().by_svc_id(150).unwrap();
        let today = "2026-11-26".parse().unwrap();
        let text = wording(&brand, brand.offer, Language::ENGLISH, today);
        assert_eq!(text, "MEMEWORLD. R3/day · 18+ · how to stop. I agreed to the Terms and Conditions. JOIN");
        let parts = Parts::try_from(vec![300, 200, 100]).unwrap();
        let offer = Offer { free_days: 1, parts, ..brand.offer };
        assert_eq!(
            wording(&brand, offer, Language::ENGLISH, today),
            format!(
                "{text} First day free, once per number; the first R3 is charged on 27 November. \
                 R3, or R2 or R1 when airtime is low."
            )
        );
        let pages = [
            include_str!("../../../frontend/src/brand.ts"),
            include_str!("../../../frontend/src/ui/PriceLine.tsx"),
            include_str!("../../../frontend/src/features/join/JoinPage.tsx"),
        ]
        .concat();
        // The messages of which `crates/languages` compares the texts.
        for part in
            ["'price-a-day'", "{priceFor(", "'first-charge'", "'parts-", "18+", "'how-to-stop'", "'agreed'", "'JOIN'"]
        {
            assert!(pages.contains(part), "the page no longer shows {part}");
        }
        assert_eq!(hash_of(&text).len(), 64);
        assert_eq!(hash_of(""), "");
    }
}
