//! The exports of a book: its lines of days as CSV, and the statement of a month as a page to print.

use std::collections::BTreeSet;

use actix_web::{
    HttpResponse,
    web::{Data, Path, Query},
};
use serde_json::json;
use service::{StaffText, openapi::NotFound};

use crate::{
    app::App,
    document::{Document, attachment},
    error::Error,
    finance::{
        book::{Figures, Line},
        months::{Book, BookQuery},
        record_act,
    },
    guard::Finance,
    members::Member,
    texts::written,
};

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
    Ok(attachment("text/csv; charset=utf-8", &format!("book-{}.csv", book.month)).body(csv(&book)))
}

/// The statement of a month as a page to print.
#[utoipa::path(
    get,
    path = "",
    params(("month" = String, Path, description = "YYYY-MM."), BookQuery),
    responses((status = 200, description = "The document.", body = String, content_type = "text/html"), NotFound)
)]
pub(crate) async fn get_statement(
    finance: Finance,
    app: Data<App>,
    month: Path<String>,
    query: Query<BookQuery>,
) -> Result<HttpResponse, Error> {
    let book = exported(&app, &finance.0, &month, &query, "html").await?;
    Ok(statement(&book, query.network()))
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

fn parties(lines: &[Line]) -> BTreeSet<&str> {
    lines.iter().flat_map(|line| &line.figures.shares).map(|share| share.party.as_str()).collect()
}

fn csv(book: &Book) -> Vec<u8> {
    const COLUMNS: &str = "day,service,svc_id,network,price_cents,charged,charged_cents,failed,failed_cents,given_back,given_back_cents,open,\
         income_cents,vat_cents,net_cents,own_cents,correction_of";
    let parties = parties(&book.days);
    let header = COLUMNS.split(',').map(str::to_owned).chain(parties.iter().map(|party| format!("share of {party}")));
    let rows = book.days.iter().map(|line| {
        let Line { day, svc_id, service, network, price_cents, correction_of, figures } = line;
        let Figures { charged, failed, given_back, open, income_cents, vat_cents, net_cents, own_cents, shares } =
            figures;
        let texts = [day, service, &svc_id.to_string(), network].map(String::clone);
        let numbers = [
            *price_cents,
            charged.entries,
            charged.cents,
            failed.entries,
            failed.cents,
            given_back.entries,
            given_back.cents,
            open.entries,
            *income_cents,
            *vat_cents,
            *net_cents,
            *own_cents,
        ];
        let share = |party: &&str| shares.iter().find(|share| share.party == *party).map_or(0, |share| share.cents);
        let numbers = numbers.map(|number| number.to_string());
        let shares = parties.iter().map(|party| share(party).to_string());
        texts
            .into_iter()
            .chain(numbers)
            .chain([correction_of.clone().unwrap_or_default()])
            .chain(shares)
            .collect::<Vec<_>>()
    });
    service::csv_rows(&[], std::iter::once(header.collect()).chain(rows))
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
        Some(month) => written(
            &StaffText::new("statement-correction")
                .with("service", line.service.as_str())
                .with("month", month.as_str()),
        ),
        None => line.service.clone(),
    }
}

fn statement(book: &Book, network: Option<&str>) -> HttpResponse {
    let title = match network {
        Some(network) => {
            StaffText::new("statement-of-network").with("network", network).with("month", book.month.as_str())
        }
        None => StaffText::new("statement-of-month").with("month", book.month.as_str()),
    };
    let mut document = Document::new(&title);
    let state = match &book.closed {
        Some(closing) => StaffText::new("statement-closed")
            .with("at", closing.at.format(service::timestamp::FORMAT).to_string())
            .with("name", closing.by.as_str())
            .with("hash", closing.hash.as_str()),
        None => StaffText::new("statement-open"),
    };
    document.paragraph(&written(&state));
    let total = &book.total;
    let counted = |cents, entries| format!("{} ({entries})", rands(cents));
    let facts = [
        (StaffText::new("statement-charged"), counted(total.charged.cents, total.charged.entries)),
        (StaffText::new("fact-failed"), counted(total.failed.cents, total.failed.entries)),
        (StaffText::new("statement-given-back"), counted(total.given_back.cents, total.given_back.entries)),
        (StaffText::new("statement-income"), rands(total.income_cents)),
        (StaffText::new("fact-vat"), rands(total.vat_cents)),
        (StaffText::new("fact-net"), rands(total.net_cents)),
    ];
    let facts = facts.each_ref().map(|(name, value)| (written(name), value.as_str()));
    document.facts(&written(&StaffText::new("statement-total")), &facts);
    document.chapter(&written(&StaffText::new("statement-brands")));
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
        StaffText::new("fact-brand"),
        StaffText::new("fact-network"),
        StaffText::new("fact-price-of-day"),
        StaffText::new("fact-charged"),
        StaffText::new("fact-given-back"),
        StaffText::new("fact-income"),
        StaffText::new("fact-vat"),
        StaffText::new("fact-net"),
    ];
    document.table_of_amounts(columns, 2, rows);
    document.chapter(&written(&StaffText::new("statement-shares")));
    let shares = book.lines.iter().flat_map(|line| {
        let own = ("Spaza".to_owned(), line.figures.own_cents);
        let shares = line.figures.shares.iter().map(|share| (share.party.clone(), share.cents)).chain([own]);
        shares.map(|(party, cents)| [name_of(line), line.network.clone(), party, rands(line.price_cents), rands(cents)])
    });
    let columns = [
        StaffText::new("fact-brand"),
        StaffText::new("fact-network"),
        StaffText::new("fact-party"),
        StaffText::new("fact-price-of-day"),
        StaffText::new("fact-share"),
    ];
    document.table_of_amounts(columns, 3, shares);
    let totals = total.shares.iter().map(|share| (share.party.clone(), share.cents));
    let totals: Vec<(String, String)> =
        totals.chain([("Spaza".to_owned(), total.own_cents)]).map(|(party, cents)| (party, rands(cents))).collect();
    let totals: Vec<(String, &str)> = totals.iter().map(|(party, share)| (party.clone(), share.as_str())).collect();
    document.facts(&written(&StaffText::new("statement-all-shares")), &totals);
    document.chapter(&written(&StaffText::new("statement-days")));
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
        StaffText::new("fact-day"),
        StaffText::new("fact-brand"),
        StaffText::new("fact-price-of-day"),
        StaffText::new("fact-charged"),
        StaffText::new("fact-failed"),
        StaffText::new("fact-given-back"),
        StaffText::new("fact-income"),
    ];
    document.table_of_amounts(columns, 2, rows);
    document.heading(&written(&StaffText::new("statement-rounding")));
    document.paragraph(&written(&StaffText::new("statement-rounded")));
    document.finish(&format!("statement-{}.html", book.month))
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
}
