//! The pages a person sees: confirm or decline; and, for visitors whose number the network could not tell, naming it.

use actix_web::{
    http::StatusCode,
    web::{Form, Path, Query},
};
use brands::{Brand, PRICE_CENTS};
use identity::Msisdn;
use maud::{Markup, html};
use operator::{OptInKind, OptInStatus};
use serde::Deserialize;

use crate::{
    App,
    error::Error,
    opt_ins::OptIn,
    page::{NETWORK_NAME, PageResponse, message, page, rand},
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
        }
    };
    page("Services", body)
}

/// Asks a visitor for the number that a real network would know from the connection.
pub(crate) async fn show_number_form(app: App, query: Query<ServiceQuery>) -> PageResponse {
    match app.brand(query.svc_id) {
        Ok((brand, _)) => number_page(StatusCode::OK, &brand, None),
        Err(_) => unknown_service(),
    }
}

/// Makes an opt-in for the number a visitor named, and shows its page.
pub(crate) async fn begin_here(app: App, form: Form<NumberForm>) -> Result<PageResponse, Error> {
    let Ok((brand, _)) = app.brand(form.svc_id) else { return Ok(unknown_service()) };
    let Ok(msisdn) = Msisdn::parse(&form.msisdn) else {
        return Ok(number_page(
            StatusCode::UNPROCESSABLE_ENTITY,
            &brand,
            Some("Please enter a South African mobile number, like 0812345678."),
        ));
    };
    let opt_in = OptIn::begun_here(&app, &msisdn, form.svc_id)?;
    let address = opt_in.page_url(&app);
    app.db.write(move |conn| opt_in.insert(conn)).await?;
    Ok(PageResponse::Redirect(address))
}

/// The page with the two buttons.
pub(crate) async fn show(app: App, reference: Path<String>) -> Result<PageResponse, Error> {
    let reference = reference.into_inner();
    let opt_in = match app.db.run(move |conn| OptIn::find(conn, &reference)).await {
        Ok(opt_in) => opt_in,
        Err(Error::UnknownOptIn) => return Ok(unknown_opt_in()),
        Err(error) => return Err(error),
    };
    if opt_in.has_expired(app.clock.now()) {
        return Ok(expired());
    }
    if opt_in.answer()? != OptInStatus::Pending {
        let body = html! {
            section class="card" {
                h1 { "You have answered this already" }
                p class="lead" { "Nothing more is needed here." }
                a class="button yes" href=(opt_in.return_address()?) { "Back to " (opt_in.service) }
            }
        };
        return Ok(page("Answered", body));
    }
    Ok(page("Confirm", question(&opt_in, opt_in.kind()?)))
}

/// Takes the answer, tells the other side and sends the person back to the site.
pub(crate) async fn answer(app: App, reference: Path<String>, form: Form<AnswerForm>) -> Result<PageResponse, Error> {
    let tapped = match form.answer {
        Decision::Confirm => OptInStatus::Confirmed,
        Decision::Decline => OptInStatus::Declined,
    };
    let (inner, reference) = (app.clone(), reference.into_inner());
    let decided = match app.db.write(move |conn| OptIn::decide(&inner, conn, &reference, tapped)).await {
        Ok(decided) => decided,
        Err(Error::UnknownOptIn) => return Ok(unknown_opt_in()),
        Err(error) => return Err(error),
    };
    if decided.answer()? == OptInStatus::Pending {
        return Ok(expired());
    }
    app.wake.notify_one();
    Ok(PageResponse::Redirect(decided.return_address()?))
}

fn number_page(status: StatusCode, brand: &Brand, fault: Option<&str>) -> PageResponse {
    let body = html! {
        section class="card" {
            h1 { "Join " (brand.name) }
            p class="lead" { "We could not read your number from this connection. Please enter it to go on." }
            @if let Some(fault) = fault { p class="fault" role="alert" { (fault) } }
            (price(PRICE_CENTS))
            form method="post" action="/opt-in" {
                input type="hidden" name="svc_id" value=(brand.svc_id);
                label for="msisdn" { "Your mobile number" }
                input id="msisdn" name="msisdn" inputmode="tel" autocomplete="tel" placeholder="eg 0812345678" required;
                button class="yes" type="submit" { "Continue" }
            }
            p class="small" { "You confirm on the next page. Nothing is charged before that. For users of 18 and over in South Africa." }
        }
    };
    PageResponse::Page { status, title: "Your number".to_owned(), body }
}

fn question(opt_in: &OptIn, kind: OptInKind) -> Markup {
    let masked = Msisdn::parse(&opt_in.msisdn).map(|msisdn| msisdn.masked()).unwrap_or_default();
    let (title, lead) = match kind {
        OptInKind::OptIn => (
            format!("Subscribe to {}?", opt_in.service),
            "The charge is taken from your airtime every day until you stop.",
        ),
        OptInKind::Verify => {
            ("Is this you?".to_owned(), "Confirm that this is your number. It costs nothing and changes nothing.")
        }
        OptInKind::Leave => (
            format!("End your subscription to {}?", opt_in.service),
            "It ends at once, and you are not charged again. This costs nothing.",
        ),
    };
    html! {
        section class="card" {
            h1 { (title) }
            p class="lead" { (lead) }
            @if kind == OptInKind::OptIn { (price(opt_in.price_cents)) }
            dl {
                div { dt { "Service" } dd { (opt_in.service) } }
                div { dt { "Number" } dd { (masked) } }
                @if kind == OptInKind::OptIn { div { dt { "To stop" } dd { "SMS STOP, any time" } } }
                @else { div { dt { "Cost" } dd { "R0.00" } } }
            }
            form method="post" action={ "/opt-in/" (opt_in.reference) } {
                button class="yes" type="submit" name="answer" value="confirm" { "Confirm" }
                button class="no" type="submit" name="answer" value="decline" { "Decline" }
            }
            @if kind == OptInKind::OptIn {
                p class="small" { "By confirming you say that you are 18 or over and pay for this number, or have leave of the person who does." }
            }
        }
    }
}

fn price(cents: i64) -> Markup {
    html! { p class="price" { b { (rand(cents)) } span { "per day" } } }
}

fn unknown_service() -> PageResponse {
    message(StatusCode::NOT_FOUND, "No such service", "This network bills no service of that id.")
}

fn unknown_opt_in() -> PageResponse {
    message(
        StatusCode::NOT_FOUND,
        "No such page",
        "This address asks for nothing. Please start again on the site you came from.",
    )
}

fn expired() -> PageResponse {
    message(
        StatusCode::GONE,
        "This page has expired",
        "It waited five days for an answer. Please start again on the site you came from.",
    )
}
