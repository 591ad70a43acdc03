//! The exports of a book: its lines of days as CSV, and the statement of a month as PDF.

use std::{collections::BTreeSet, fmt::Write as _};

use actix_web::{
    HttpResponse,
    http::header,
    web::{Bytes, Data, Path, Query},
};
use serde_json::json;
use service::openapi::NotFound;

use super::{
    book::{Figures, Line},
    months::{Book, BookQuery},
    record_act,
};
use crate::{
    app::App,
    document::Document,
    error::Error,
    guard::{Finance, Member},
};

const ROUNDING: &str = "Each day's line is rounded by itself, and months and totals are sums of lines. VAT is contained in the income and rounded to \
     the nearest cent, half a cent away from zero; net is the rest. Shares are parts of net, by largest remainder: with our own part they are \
     net to the cent. A refund counts on the day on which it was entered.";

/// The lines of a month's days as CSV, with a column for each party.
#[utoipa::path(
    get,
    path = "",
    params(("month" = String, Path, description = "YYYY-MM."), BookQuery),
    responses((status = 200, description = "A line per day, brand, network and price.", body = String, content_type = "text/csv"), NotFound)
)]
pub(crate) async fn get_csv(
    finance: Finance,
    app: Data<App>,
    month: Path<String>,
    query: Query<BookQuery>,
) -> Result<HttpResponse, Error> {
    let book = exported(&app, &finance.0, &month, &query, "csv").await?;
    Ok(attachment("text/csv; charset=utf-8", &format!("book-{}.csv", book.month), csv(&book).into_bytes()))
}

/// The statement of a month as PDF.
#[utoipa::path(
    get,
    path = "",
    params(("month" = String, Path, description = "YYYY-MM."), BookQuery),
    responses((status = 200, description = "The document.", body = Vec<u8>, content_type = "application/pdf"), NotFound)
)]
pub(crate) async fn get_pdf(
    finance: Finance,
    app: Data<App>,
    month: Path<String>,
    query: Query<BookQuery>,
) -> Result<HttpResponse, Error> {
    let book = exported(&app, &finance.0, &month, &query, "pdf").await?;
    let file = pdf(&book, query.network());
    Ok(attachment("application/pdf", &format!("statement-{}.pdf", book.month), file))
}

async fn exported(
    app: &App,
    member: &Member,
    month: &str,
    query: &BookQuery,
    format: &'static str,
) -> Result<Book, Error> {
    let book = Book::load(app, member, month, query).await?;
    let details = json!({ "format": format, "network": query.network() });
    record_act(app, member, "book.exported", book.month.clone(), details).await?;
    Ok(book)
}

/// A file that the browser saves.
pub(crate) fn attachment(content_type: &str, name: &str, file: impl Into<Bytes>) -> HttpResponse {
    HttpResponse::Ok()
        .content_type(content_type)
        .insert_header((header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")))
        .body(file.into())
}

fn parties(lines: &[Line]) -> BTreeSet<&str> {
    lines.iter().flat_map(|line| &line.figures.shares).map(|share| share.party.as_str()).collect()
}

fn csv(book: &Book) -> String {
    let parties = parties(&book.days);
    let mut text = String::from(
        "day,service,svc_id,network,price_cents,charged,charged_cents,failed,failed_cents,given_back,given_back_cents,open,\
         income_cents,vat_cents,net_cents,own_cents,correction_of",
    );
    for party in &parties {
        let _ = write!(text, ",{}", field(&format!("share of {party}")));
    }
    text.push('\n');
    for line in &book.days {
        let Line { day, svc_id, service, network, price_cents, correction_of, figures } = line;
        let Figures { charged, failed, given_back, open, income_cents, vat_cents, net_cents, own_cents, .. } = figures;
        let (service, network) = (field(service), field(network));
        let correction_of = correction_of.as_deref().unwrap_or_default();
        // Writing to a String does not fail.
        let _ = write!(
            text,
            "{day},{service},{svc_id},{network},{price_cents},{},{},{},{},{},{},{},{income_cents},{vat_cents},{net_cents},{own_cents},\
             {correction_of}",
            charged.entries,
            charged.cents,
            failed.entries,
            failed.cents,
            given_back.entries,
            given_back.cents,
            open.entries
        );
        for party in &parties {
            let share = figures.shares.iter().find(|share| share.party == *party);
            let _ = write!(text, ",{}", share.map(|share| share.cents).unwrap_or_default());
        }
        text.push('\n');
    }
    text
}

/// Quotes a field where necessary (RFC 4180).
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// Cents as rands with two decimals: `-R1 234.50`.
fn rands(cents: i64) -> String {
    let (whole, rest) = ((cents.unsigned_abs() / 100).to_string(), cents.unsigned_abs() % 100);
    let mut grouped = String::new();
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at).is_multiple_of(3) {
            grouped.push(' ');
        }
        grouped.push(digit);
    }
    format!("{}R{grouped}.{rest:02}", if cents < 0 { "-" } else { "" })
}

fn name_of(line: &Line) -> String {
    match &line.correction_of {
        Some(month) => format!("{} (correction of {month})", line.service),
        None => line.service.clone(),
    }
}

fn pdf(book: &Book, network: Option<&str>) -> Vec<u8> {
    let of = network.map(|network| format!(" of {network}")).unwrap_or_default();
    let title = format!("Statement{of}, {}", book.month);
    let mut document = Document::new(&title);
    document.heading(&title, 18.0);
    document.paragraph(&match &book.closed {
        Some(closing) => format!(
            "Closed at {} UTC by {}. SHA-256 of the closed book: {}.",
            closing.at.format(service::timestamp::FORMAT),
            closing.by,
            closing.hash
        ),
        None => "This month is not closed: its figures may change.".to_owned(),
    });
    let total = &book.total;
    document.facts(
        "In all",
        &[
            ("Charged, with VAT", &format!("{} ({})", rands(total.charged.cents), total.charged.entries)),
            ("Failed", &format!("{} ({})", rands(total.failed.cents), total.failed.entries)),
            ("Given back, with VAT", &format!("{} ({})", rands(total.given_back.cents), total.given_back.entries)),
            ("Income, with VAT", &rands(total.income_cents)),
            ("VAT", &rands(total.vat_cents)),
            ("Net", &rands(total.net_cents)),
        ],
    );
    document.heading("Brands", 14.0);
    let rows = book.lines.iter().map(|line| {
        let figures = &line.figures;
        let money = [figures.charged.cents, figures.given_back.cents, figures.income_cents, figures.vat_cents];
        let [charged, given_back, income, vat] = money.map(rands);
        [
            name_of(line),
            line.network.clone(),
            rands(line.price_cents),
            charged,
            given_back,
            income,
            vat,
            rands(figures.net_cents),
        ]
    });
    let columns = [
        ("Brand", 0.0),
        ("Network", 75.0),
        ("Price", 42.0),
        ("Charged", 65.0),
        ("Given back", 58.0),
        ("Income", 65.0),
        ("VAT", 60.0),
        ("Net", 65.0),
    ];
    document.table_of_amounts(&columns, 2, rows);
    document.heading("Shares of net, by contract", 14.0);
    let shares = book.lines.iter().flat_map(|line| {
        let own = ("Spaza".to_owned(), line.figures.own_cents);
        let shares = line.figures.shares.iter().map(|share| (share.party.clone(), share.cents)).chain([own]);
        shares.map(|(party, cents)| [name_of(line), line.network.clone(), party, rands(line.price_cents), rands(cents)])
    });
    let columns = [("Brand", 0.0), ("Network", 110.0), ("Party", 130.0), ("Price", 50.0), ("Share", 80.0)];
    document.table_of_amounts(&columns, 3, shares.collect::<Vec<_>>().into_iter());
    let totals = total.shares.iter().map(|share| (share.party.clone(), share.cents));
    let totals: Vec<(String, String)> =
        totals.chain([("Spaza".to_owned(), total.own_cents)]).map(|(party, cents)| (party, rands(cents))).collect();
    let totals: Vec<(&str, &str)> = totals.iter().map(|(party, share)| (party.as_str(), share.as_str())).collect();
    document.facts("Shares in all", &totals);
    document.heading("Days", 14.0);
    let rows = book.days.iter().map(|line| {
        let Figures { charged, failed, given_back, income_cents, .. } = &line.figures;
        [
            line.day.clone(),
            name_of(line),
            rands(line.price_cents),
            charged.entries.to_string(),
            failed.entries.to_string(),
            given_back.entries.to_string(),
            rands(*income_cents),
        ]
    });
    let columns = [
        ("Day", 62.0),
        ("Brand", 0.0),
        ("Price", 50.0),
        ("Charged", 55.0),
        ("Failed", 55.0),
        ("Given back", 60.0),
        ("Income", 80.0),
    ];
    document.table_of_amounts(&columns, 2, rows);
    document.heading("How it is rounded", 11.0);
    document.paragraph(ROUNDING);
    document.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rands_groups_thousands_and_keeps_the_sign() {
        for (cents, text) in
            [(0, "R0.00"), (5, "R0.05"), (-300, "-R3.00"), (123_450, "R1 234.50"), (-100_000_001, "-R1 000 000.01")]
        {
            assert_eq!(rands(cents), text);
        }
    }

    #[test]
    fn field_quotes_commas_and_quotes() {
        assert_eq!(field("plain"), "plain");
        assert_eq!(field("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
