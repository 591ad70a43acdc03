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
use service::{SupportCaller, openapi::Refused};
use sha2::{Digest, Sha256};
use store::DbConnection;

use crate::{
    App,
    error::Error,
    inbound_sms::ReceivedSms,
    internal::{Account, AccountSubscription, Charge, Consent, HistoryLimits, Transition},
    lifecycle::Cause,
    messages::format_rand,
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
    let placeholders = FluentArgs::from_iter([
        ("name", brand.name.clone()),
        ("amount", format_rand(offer.price_cents)),
        ("period", offer.period.as_str().to_owned()),
    ]);
    let text = language.text("consent", &placeholders);
    Terms::on_page(offer, today).after(text, language, offer.price_cents)
}

/// As `wording`, where the button that has the network tell the SIM's number was tapped.
pub(crate) fn wording_by_sim(brand: &Brand, offer: Offer, language: Language, today: NaiveDate) -> String {
    format!("{} {}", wording(brand, offer, language, today), language.text("use-sim-number", &FluentArgs::new()))
}

/// The messages that a consent can consist of: of the join page, of the SMS that requests a YES, and of what is said after the price.
const MESSAGES: [&str; 9] =
    ["consent", "use-sim-number", "sms-join", "price", "stop", "help", "first-charge", "date", "parts"];

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

fn document(account: &Account, now: NaiveDateTime) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en-ZA" {
            head {
                meta charset="utf-8";
                meta name="robots" content="noindex";
                title { "Consent and charges of " (account.msisdn) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                h1 { "Consent and charges of " (account.msisdn) }
                p {
                    "Written at " (time(now)) ". All times are UTC. Paid in this month, less what was given back: "
                    (format_rand(account.month_spend_cents)) "."
                }
                @if account.subscriptions.is_empty() { p { "This number never asked for a service." } }
                @for subscription in &account.subscriptions { (subscription_section(subscription)) }
                h2 { "Messages" }
                (messages(&account.messages))
                h2 { "SMSes from this number" }
                (received(&account.received))
            }
        }
    }
}

fn subscription_section(subscription: &AccountSubscription) -> Markup {
    html! {
        h2 { (subscription.service) " (service " (subscription.svc_id) ", subscription " (subscription.id) ")" }
        p {
            "State: " strong { (subscription.state) } ", since " (time(subscription.since)) ". Price: " (format_rand(subscription.price_cents)) "/" (subscription.period)
            " incl. VAT."
        }
        h3 { "Consents" }
        @if subscription.consents.is_empty() { p { "None is kept." } }
        @for consent in &subscription.consents { (evidence(consent)) }
        h3 { "States" }
        (events_table(&subscription.events))
        h3 { "Charges and refunds" }
        (charges_table(&subscription.charges))
    }
}

fn evidence(consent: &Consent) -> Markup {
    let price = format!("{}/{} incl. VAT", format_rand(consent.price_cents), consent.period);
    let free = if consent.free_days > 0 { "the day of the confirmation" } else { "" };
    let parts: Vec<String> = Parts::parse(&consent.parts).amounts().map(format_rand).collect();
    let parts = parts.join(", ");
    let decided_at = consent.decided_at.map(time).unwrap_or_default();
    let network_ref = consent.network_ref.as_deref().unwrap_or_default();
    let sim = if consent.sim_swapped { "changed shortly before, as the network told" } else { "" };
    let language = match consent.translation.as_str() {
        "checked" => format!("{}, a translation that a speaker had checked", consent.language),
        "unchecked" => format!("{}, a translation that no speaker had checked", consent.language),
        _ => consent.language.clone(),
    };
    let facts: [(&str, &str); 19] = [
        ("Kind", &consent.kind),
        ("Answer at the network", &consent.status),
        ("Sent to the network's page at", &time(consent.at)),
        ("Answered at", &decided_at),
        ("Price shown", &price),
        ("Free", free),
        ("Amounts when airtime is low", &parts),
        ("Words shown", &consent.wording),
        ("Language", &language),
        ("SHA-256 of those words", &consent.wording_hash),
        ("Version of the terms", &consent.terms_version),
        ("Page", &consent.page),
        ("Address", &consent.address),
        ("Browser", &consent.agent),
        ("Advertisement (ext_ref)", &consent.ext_ref),
        ("Network", &consent.network),
        ("SIM", sim),
        ("The network's reference of the opt-in", &consent.reference),
        ("The network's id of the subscription", network_ref),
    ];
    html! {
        section class="consent" {
            h4 { (consent.label) ", " (consent.id) }
            dl {
                @for (name, value) in facts { @if !value.is_empty() { dt { (name) } dd { (value) } } }
            }
        }
    }
}

fn events_table(events: &[Transition]) -> Markup {
    html! {
        table {
            thead { tr { th { "At" } th { "From" } th { "To" } th { "Cause" } } }
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
            thead {
                tr {
                    th { "Id" } th { "Day" } th { "Kind" } th { "Amount" } th { "Status" } th { "Key" } th { "Network's reference" }
                    th { "Reason" } th { "Made by" } th { "At" }
                }
            }
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
            thead { tr { th { "At" } th { "Kind" } th { "Network" } th { "State" } th { "Attempts" } th { "Text" } th { "Last error" } th { "Delivery" } } }
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
            thead { tr { th { "At" } th { "Network" } th { "To" } th { "Understood as" } th { "Text" } } }
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
