//! The pages a person sees: confirm or decline; and, for visitors whose number the network could not tell, naming it.

use actix_web::{
    http::StatusCode,
    web::{Form, Path, Query},
};
use brands::{Brand, Parts};
use chrono::{Datelike, NaiveDate};
use identity::Msisdn;
use languages::{FluentArgs, Language};
use maud::{Markup, html};
use operator::{OptInKind, OptInStatus};
use serde::Deserialize;

use crate::{
    App,
    error::Error,
    opt_ins::OptIn,
    page::{NETWORK_NAME, PageLanguage, PageResponse, message, page, rand},
    tokens::masked,
};

/// Which service a visitor wants to join here.
#[derive(Deserialize)]
pub(crate) struct ServiceQuery {
    svc_id: i32,
}

/// Which number wants to join which service.
#[derive(Deserialize)]
pub(crate) struct NumberForm {
    svc_id: i32,
    msisdn: String,
}

/// Whose opt-in it is.
#[derive(Deserialize)]
pub(crate) struct OwnerForm {
    msisdn: String,
}

/// Which button was tapped.
#[derive(Deserialize)]
pub(crate) struct AnswerForm {
    answer: Decision,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Decision {
    Confirm,
    Decline,
}

/// What the sandbox offers.
pub(crate) async fn index(app: App) -> PageResponse {
    let body = html! {
        section class="card" {
            h1 { "Your content services" }
            p class="lead" { "Join a service billed by " (NETWORK_NAME) ". This is a stand-in for a real network: nothing here costs money." }
            ul class="links" {
                @for brand in app.brands.iter() {
                    li { a class="button no" href={ "/opt-in?svc_id=" (brand.svc_id) } { (brand.name) } }
                }
            }
        }
        section class="card" {
            form method="get" action="/inbox" {
                label for="msisdn" { "Read a number's SMSes" }
                input id="msisdn" name="msisdn" inputmode="tel" autocomplete="tel" placeholder="eg 0812345678" required;
                button class="no" type="submit" { "Open inbox" }
            }
            a href="/sim" { "Choose the SIM of this browser" }
        }
    };
    page(Language::ENGLISH, "Services", body)
}

/// Asks a visitor for the number that a real network would know from the connection.
pub(crate) async fn show_number_form(app: App, query: Query<ServiceQuery>, language: PageLanguage) -> PageResponse {
    match app.brand(query.svc_id) {
        Ok((brand, _)) => number_page(StatusCode::OK, language, &NumberPage::of_brand(&brand), false),
        Err(_) => unknown_service(language),
    }
}

/// Makes an opt-in for the number a visitor named, and shows its page.
pub(crate) async fn begin_here(
    app: App,
    form: Form<NumberForm>,
    language: PageLanguage,
) -> Result<PageResponse, Error> {
    let Ok((brand, _)) = app.brand(form.svc_id) else { return Ok(unknown_service(language)) };
    let Ok(msisdn) = Msisdn::parse(&form.msisdn) else {
        let page = NumberPage::of_brand(&brand);
        return Ok(number_page(StatusCode::UNPROCESSABLE_ENTITY, language, &page, true));
    };
    let opt_in = OptIn::begun_here(&app, &msisdn, form.svc_id)?;
    let address = language.address(&opt_in.page_url(&app));
    app.db.write(move |conn| opt_in.insert(conn)).await?;
    Ok(PageResponse::Redirect(address))
}

/// Takes the number of an opt-in that was requested without one, and shows its page.
pub(crate) async fn take_number(
    app: App,
    reference: Path<String>,
    form: Form<OwnerForm>,
    language: PageLanguage,
) -> Result<PageResponse, Error> {
    let (inner, reference, typed) = (app.clone(), reference.into_inner(), Msisdn::parse(&form.msisdn));
    let named = app
        .db
        .write(move |conn| match &typed {
            Ok(msisdn) => OptIn::name(&inner, conn, &reference, msisdn),
            Err(_) => OptIn::find(conn, &reference),
        })
        .await;
    match named {
        Ok(opt_in) if opt_in.msisdn.is_empty() => {
            Ok(number_page(StatusCode::UNPROCESSABLE_ENTITY, language, &NumberPage::of_opt_in(&opt_in), true))
        }
        Ok(opt_in) => Ok(PageResponse::Redirect(language.address(&opt_in.page_url(&app)))),
        Err(Error::UnknownOptIn) => Ok(unknown_opt_in(language)),
        Err(error) => Err(error),
    }
}

/// The page with the two buttons.
pub(crate) async fn show(app: App, reference: Path<String>, language: PageLanguage) -> Result<PageResponse, Error> {
    let reference = reference.into_inner();
    let opt_in = match app.db.run(move |conn| OptIn::find(conn, &reference)).await {
        Ok(opt_in) => opt_in,
        Err(Error::UnknownOptIn) => return Ok(unknown_opt_in(language)),
        Err(error) => return Err(error),
    };
    if opt_in.has_expired(app.clock.now()) {
        return Ok(expired(language));
    }
    if opt_in.msisdn.is_empty() {
        return Ok(number_page(StatusCode::OK, language, &NumberPage::of_opt_in(&opt_in), false));
    }
    if opt_in.answer()? != OptInStatus::Pending {
        let body = html! {
            section class="card" {
                h1 { (language.text("network-answered")) }
                p class="lead" { (language.text("network-answered-lead")) }
                a class="button yes" href=(opt_in.return_address()?) { (language.text_about("network-back", &opt_in.service)) }
            }
        };
        return Ok(page(language.0, &language.text("network-answered"), body));
    }
    Ok(page(language.0, &language.text("network-confirm"), question(language, &opt_in, opt_in.kind()?)))
}

/// Takes the answer, tells the other side and sends the person back to the site.
pub(crate) async fn answer(
    app: App,
    reference: Path<String>,
    form: Form<AnswerForm>,
    language: PageLanguage,
) -> Result<PageResponse, Error> {
    let tapped = match form.answer {
        Decision::Confirm => OptInStatus::Confirmed,
        Decision::Decline => OptInStatus::Declined,
    };
    let (inner, reference) = (app.clone(), reference.into_inner());
    let decided = match app.db.write(move |conn| OptIn::decide(&inner, conn, &reference, tapped)).await {
        Ok(decided) => decided,
        Err(Error::UnknownOptIn) => return Ok(unknown_opt_in(language)),
        Err(error) => return Err(error),
    };
    if decided.answer()? == OptInStatus::Pending {
        return Ok(expired(language));
    }
    app.wake.notify_one();
    Ok(PageResponse::Redirect(decided.return_address()?))
}

/// What the page that asks for the number is about.
struct NumberPage {
    service: String,
    price_cents: i64,
    period: String,
    /// Where the number is sent.
    action: String,
    /// The service, where there is no opt-in yet.
    svc_id: Option<i32>,
}

impl NumberPage {
    fn of_brand(brand: &Brand) -> Self {
        Self {
            service: brand.name.clone(),
            price_cents: brand.offer.price_cents,
            period: brand.offer.period.as_str().to_owned(),
            action: "/opt-in".to_owned(),
            svc_id: Some(brand.svc_id),
        }
    }

    fn of_opt_in(opt_in: &OptIn) -> Self {
        Self {
            service: opt_in.service.clone(),
            price_cents: opt_in.price_cents,
            period: opt_in.period.clone(),
            action: format!("/opt-in/{}/number", opt_in.reference),
            svc_id: None,
        }
    }
}

fn number_page(status: StatusCode, language: PageLanguage, asked: &NumberPage, is_invalid: bool) -> PageResponse {
    let text = |id: &str| language.text(id);
    let body = html! {
        section class="card" {
            h1 { (language.text_about("network-join", &asked.service)) }
            p class="lead" { (text("network-join-lead")) }
            @if is_invalid { p class="fault" role="alert" { (text("network-not-a-number")) } }
            (price(language, asked.price_cents, &asked.period))
            form method="post" action=(language.address(&asked.action)) {
                @if let Some(svc_id) = asked.svc_id { input type="hidden" name="svc_id" value=(svc_id); }
                label for="msisdn" { (text("network-your-number")) }
                input id="msisdn" name="msisdn" inputmode="tel" autocomplete="tel" placeholder=(text("network-example")) required;
                button class="yes" type="submit" { (text("network-continue")) }
            }
            p class="small" { (text("network-join-small")) }
        }
    };
    PageResponse::Page { status, language: language.0, title: text("network-your-number"), body }
}

fn question(language: PageLanguage, opt_in: &OptIn, kind: OptInKind) -> Markup {
    let period = opt_in.period.as_str();
    let masked = masked(&opt_in.msisdn);
    let text = |id: &str| language.text(id);
    let (title, lead) = match kind {
        OptInKind::OptIn => {
            (language.text_about("network-subscribe", &opt_in.service), of_period(language, "network-charge", period))
        }
        OptInKind::Verify => (text("network-verify"), text("network-verify-lead")),
        OptInKind::Leave => (language.text_about("network-leave", &opt_in.service), text("network-leave-lead")),
    };
    html! {
        section class="card" {
            h1 { (title) }
            p class="lead" { (lead) }
            @if kind == OptInKind::OptIn {
                (price(language, opt_in.price_cents, period))
                @for sentence in terms(language, opt_in) { p { (sentence) } }
            }
            dl {
                div { dt { (text("network-service")) } dd { (opt_in.service) } }
                div { dt { (text("network-number")) } dd { (masked) } }
                @if kind == OptInKind::OptIn { div { dt { (text("network-stop")) } dd { (text("network-stop-how")) } } }
                @else { div { dt { (text("network-cost")) } dd { "R0.00" } } }
            }
            form method="post" action=(language.address(&format!("/opt-in/{}", opt_in.reference))) {
                button class="yes" type="submit" name="answer" value="confirm" { (text("network-confirm")) }
                button class="no" type="submit" name="answer" value="decline" { (text("network-decline")) }
            }
            @if kind == OptInKind::OptIn { p class="small" { (text("network-adult")) } }
        }
    }
}

fn price(language: PageLanguage, cents: i64, period: &str) -> Markup {
    html! { p class="price" { b { (rand(cents)) } span { (of_period(language, "network-per", period)) } } }
}

/// What is to be confirmed beside the price: when the first charge is made, and which smaller amounts may be charged.
fn terms(language: PageLanguage, opt_in: &OptIn) -> Vec<String> {
    let mut placeholders = FluentArgs::from_iter([("amount", rand(opt_in.price_cents))]);
    let mut sentences = Vec::new();
    if let Ok(first) = opt_in.first_charge.parse::<NaiveDate>() {
        placeholders.set("day", first.day());
        placeholders.set("month", first.month());
        sentences.push(language.0.text("first-charge", &placeholders));
    }
    let mut smaller = Parts::parse(&opt_in.parts).amounts().skip(1).map(rand);
    if let Some(second) = smaller.next() {
        placeholders.set("second", second);
        placeholders.set("third", smaller.next().unwrap_or_else(|| "none".to_owned()));
        sentences.push(language.0.text("parts", &placeholders));
    }
    sentences
}

/// A text about how often the price is charged.
fn of_period(language: PageLanguage, id: &str, period: &str) -> String {
    language.0.text(id, &FluentArgs::from_iter([("period", period)]))
}

fn unknown_service(language: PageLanguage) -> PageResponse {
    message(StatusCode::NOT_FOUND, language, ["network-no-service", "network-no-service-lead"])
}

fn unknown_opt_in(language: PageLanguage) -> PageResponse {
    message(StatusCode::NOT_FOUND, language, ["network-no-page", "network-no-page-lead"])
}

fn expired(language: PageLanguage) -> PageResponse {
    message(StatusCode::GONE, language, ["network-expired", "network-expired-lead"])
}
