//! The books of months. An open month is what the ledger says now; a closed one is what a person saw when closing it, and stays so. Where the
//! ledger of a closed month changes afterwards, the closed book shows the difference, and the oldest open month has it as a correction: so
//! that all closed months together are the ledger.

use std::collections::BTreeMap;

use actix_web::{
    HttpResponse,
    web::{Data, Json, Path, Query},
};
use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    StaffText,
    openapi::{Conflict, NotFound},
};
use sha2::{Digest, Sha256};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    app::App,
    audit,
    error::Error,
    finance::{
        book::{Counted, Figures, Line, LineKey, by_month},
        month::Month,
        terms::Terms,
    },
    guard::Finance,
    members::Member,
    schema::closed_months,
    subscription::{Books, Brand},
};

/// For how many months after its own a closed month is compared with the ledger.
const LOOK_BACK: u32 = 12;

/// Which brand and network; without both, all.
#[derive(Clone, Default, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct BookQuery {
    /// Only this service.
    svc_id: Option<i32>,
    /// Only this network.
    network: Option<String>,
    /// Counts every row of the month in the ledger again first.
    #[serde(default)]
    recount: bool,
}

impl BookQuery {
    fn takes(&self, line: &Line) -> bool {
        self.is_of(line.svc_id, &line.network)
    }

    pub(super) fn is_of(&self, svc_id: i32, network: &str) -> bool {
        self.svc_id.is_none_or(|id| id == svc_id) && self.network.as_ref().is_none_or(|name| name == network)
    }

    /// The only network of this book; `None`: all networks.
    pub(super) fn network(&self) -> Option<&str> {
        self.network.as_deref()
    }
}

/// Who closed a month, and when.
#[derive(Clone, Serialize, ToSchema)]
pub(crate) struct Closing {
    pub(super) by: String,
    #[schema(value_type = String, format = "date-time")]
    pub(super) at: DateTime<Utc>,
    /// The SHA-256 of the closed lines, which the audit log has as well.
    pub(super) hash: String,
    /// Whether the lines still have that hash.
    pub(super) intact: bool,
}

/// How far a month is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MonthStage {
    /// It is not over.
    Running,
    /// It waits to be closed.
    Over,
    /// Its lines stay as they are.
    Closed,
}

/// A month, and what became of it.
#[derive(Serialize, ToSchema)]
pub(crate) struct MonthState {
    /// YYYY-MM.
    month: String,
    state: MonthStage,
    #[schema(required = true)]
    closed: Option<Closing>,
}

/// All months since the ledger begins.
#[derive(Serialize, ToSchema)]
pub(crate) struct MonthList {
    /// Newest first.
    months: Vec<MonthState>,
    brands: Vec<Brand>,
}

/// A line of a closed month whose ledger has changed since.
#[derive(Serialize, ToSchema)]
pub(crate) struct Drift {
    day: String,
    svc_id: i32,
    service: String,
    network: String,
    price_cents: i64,
    closed: Counted,
    now: Counted,
    /// The later closed month that has the difference as a correction; null while the oldest open month shows it.
    #[schema(required = true)]
    entered_in: Option<String>,
}

/// The book of a month.
#[derive(Serialize, ToSchema)]
pub(crate) struct Book {
    /// YYYY-MM.
    pub(super) month: String,
    pub(super) state: MonthStage,
    #[schema(required = true)]
    pub(super) closed: Option<Closing>,
    /// Why it cannot be closed now.
    obstacles: Vec<String>,
    /// The income of the whole month, which closing it has to name.
    income_cents: i64,
    /// By day, brand, network and price.
    pub(super) days: Vec<Line>,
    /// The same, added up by brand, network and price.
    pub(super) lines: Vec<Line>,
    pub(super) total: Figures,
    /// Where the ledger has changed since the month was closed.
    drifts: Vec<Drift>,
}

/// The income that the person who closes the month has seen.
#[derive(Deserialize, ToSchema)]
pub(crate) struct CloseOrder {
    income_cents: i64,
}

/// A month as it was closed.
struct Closed {
    month: Month,
    lines: Vec<Line>,
    closing: Closing,
}

#[derive(Queryable)]
struct ClosedRow {
    month: String,
    lines: String,
    hash: String,
    staff: String,
    at: NaiveDateTime,
}

impl Closed {
    /// Those of these months.
    fn load(conn: &mut DbConnection, from: Month, to: Month) -> Result<Vec<Self>, Error> {
        let rows: Vec<ClosedRow> = closed_months::table
            .filter(closed_months::month.between(from.to_string(), to.to_string()))
            .order(closed_months::month)
            .load(conn)?;
        rows.into_iter().map(Self::read).collect()
    }

    fn read(row: ClosedRow) -> Result<Self, Error> {
        let lines = serde_json::from_str(&row.lines).map_err(|error| Error::Internal(error.to_string()))?;
        let intact = hash_of(&row.lines) == row.hash;
        let closing = Closing { by: row.staff, at: row.at.and_utc(), hash: row.hash, intact };
        Ok(Self { month: Month::parse(&row.month)?, lines, closing })
    }
}

fn hash_of(text: &str) -> String {
    hex::encode(Sha256::digest(text))
}

/// The newest closed month, YYYY-MM.
pub(super) fn last_closed(conn: &mut DbConnection) -> Result<Option<String>, Error> {
    Ok(closed_months::table.select(diesel::dsl::max(closed_months::month)).first(conn)?)
}

/// A month's ledger and what was closed around it.
struct Records {
    month: Month,
    books: Books,
    closed: Vec<Closed>,
    terms: Terms,
    last_closed: Option<Month>,
}

impl Records {
    async fn load(app: &App, member: &Member, month: Month, recount: bool) -> Result<Self, Error> {
        if recount {
            app.subscription.books(member, month.first_day(), month.last_day(), true).await?;
        }
        let books =
            app.subscription.books(member, month.before(LOOK_BACK).first_day(), month.last_day(), false).await?;
        app.db.run(move |conn| Self::with(conn, month, books)).await
    }

    fn with(conn: &mut DbConnection, month: Month, books: Books) -> Result<Self, Error> {
        let after = month.after(LOOK_BACK);
        let last_closed = last_closed(conn)?.map(|text| Month::parse(&text)).transpose()?;
        let (closed, terms) = (Closed::load(conn, month.before(LOOK_BACK), after)?, Terms::load(conn)?);
        let records = Self { month, books, closed, terms, last_closed };
        if month < records.first() || month > Month::of(records.books.today) {
            return Err(Error::NotFound);
        }
        Ok(records)
    }

    /// The first month that has a book.
    fn first(&self) -> Month {
        first_of(&self.books)
    }

    fn own(&self) -> Option<&Closed> {
        self.closed.iter().find(|closed| closed.month == self.month)
    }

    /// Months are closed in order, so that this is the first one that is not.
    fn oldest_open(&self) -> Month {
        self.last_closed.map_or(self.first(), Month::next)
    }

    fn state(&self) -> MonthStage {
        state_of(self.month, self.own().is_some(), self.books.today)
    }

    /// The lines of the month.
    fn lines(&self) -> Vec<Line> {
        if let Some(closed) = self.own() {
            return closed.lines.clone();
        }
        let of_month = self.books.lines.iter().filter(|sum| self.month.has(sum.day));
        let mut lines: Vec<Line> = of_month.map(|sum| Line::of(sum, &self.terms)).collect();
        if self.month == self.oldest_open() {
            lines.extend(self.corrections());
        }
        lines
    }

    /// What the ledger has for these months now, and the names of the services.
    fn now(&self, of: impl Fn(Month) -> bool) -> BTreeMap<LineKey, (Counted, &str)> {
        let sums = self.books.lines.iter().filter(|sum| of(Month::of(sum.day)));
        sums.map(|sum| (sum.key(), (sum.counted(), sum.service.as_str()))).collect()
    }

    /// What is missing in the closed months, each line for its own day.
    fn corrections(&self) -> Vec<Line> {
        let is_closed = |month| self.closed.iter().any(|closed| closed.month == month);
        let mut missing = self.now(is_closed);
        for line in self.closed.iter().flat_map(|closed| &closed.lines) {
            // A correction of a month before those that are compared is settled.
            if line.day.parse().is_ok_and(|day| is_closed(Month::of(day))) {
                let entry = missing.entry(line.key()).or_insert((Counted::default(), &line.service));
                entry.0 = entry.0.less(line.counted());
            }
        }
        let missing = missing.into_iter().filter(|(_, (counted, _))| *counted != Counted::default());
        missing
            .map(|(key, (counted, service))| {
                let month = key.day.get(..7).unwrap_or_default().to_owned();
                Line::correction(key, service, counted, &month, &self.terms)
            })
            .collect()
    }

    /// Where the ledger has changed since this month was closed.
    fn drifts(&self) -> Vec<Drift> {
        let Some(own) = self.own() else { return Vec::new() };
        let mut compared = BTreeMap::new();
        for line in own.lines.iter().filter(|line| line.correction_of.is_none()) {
            compared.insert(line.key(), (line.service.as_str(), line.counted(), Counted::default()));
        }
        for (key, (counted, service)) in self.now(|month| month == self.month) {
            compared.entry(key).or_insert((service, Counted::default(), Counted::default())).2 = counted;
        }
        let changed = compared.into_iter().filter(|(_, (_, closed, now))| closed != now);
        changed
            .map(|(key, (service, closed, now))| {
                let entered_in = self.entered(&key, closed, now);
                let LineKey { day, svc_id, network, price_cents } = key;
                Drift { day, svc_id, service: service.to_owned(), network, price_cents, closed, now, entered_in }
            })
            .collect()
    }

    /// The month whose corrections complete the difference of a line.
    fn entered(&self, key: &LineKey, closed: Counted, now: Counted) -> Option<String> {
        let (mut total, mut month) = (closed, None);
        for later in self.closed.iter().filter(|later| later.month > self.month) {
            for line in later.lines.iter().filter(|line| line.correction_of.is_some() && line.key() == *key) {
                total += line.counted();
                month = Some(later.month.to_string());
            }
        }
        month.filter(|_| total == now)
    }

    /// Why it cannot be closed.
    fn obstacles(&self, lines: &[Line]) -> Vec<StaffText> {
        let mut obstacles = Vec::new();
        if self.own().is_some() {
            obstacles.push(StaffText::new("month-closed"));
            return obstacles;
        }
        if self.month.has(self.books.today) {
            obstacles.push(StaffText::new("month-not-over"));
        }
        if self.month > self.oldest_open() {
            obstacles.push(StaffText::new("close-before").with("month", self.oldest_open().to_string()));
        }
        match lines.iter().map(|line| line.figures.open.entries).sum::<i64>() {
            0 => {}
            open => obstacles.push(StaffText::new("without-outcome").with("count", open)),
        }
        obstacles
    }
}

fn first_of(books: &Books) -> Month {
    Month::of(books.first.unwrap_or(books.today))
}

fn state_of(month: Month, is_closed: bool, today: NaiveDate) -> MonthStage {
    match (is_closed, month.has(today)) {
        (true, _) => MonthStage::Closed,
        (false, true) => MonthStage::Running,
        (false, false) => MonthStage::Over,
    }
}

impl Book {
    pub(super) async fn load(app: &App, member: &Member, month: &str, query: &BookQuery) -> Result<Self, Error> {
        let records = Records::load(app, member, Month::parse(month)?, query.recount).await?;
        let all = records.lines();
        let language = service::staff_language();
        let obstacles = records.obstacles(&all).iter().map(|text| text.text(language)).collect();
        let income_cents = all.iter().map(|line| line.figures.income_cents).sum();
        let days: Vec<Line> = all.into_iter().filter(|line| query.takes(line)).collect();
        let lines = by_month(&days);
        Ok(Self {
            month: records.month.to_string(),
            state: records.state(),
            closed: records.own().map(|closed| closed.closing.clone()),
            obstacles,
            income_cents,
            total: Figures::total(days.iter().map(|line| &line.figures)),
            lines,
            days,
            drifts: records.drifts(),
        })
    }
}

/// All months since the ledger begins, and the brands.
#[utoipa::path(get, path = "", responses((status = 200, description = "Which months are closed.", body = MonthList)))]
pub(crate) async fn list_months(finance: Finance, app: Data<App>) -> Result<Json<MonthList>, Error> {
    let Finance(member) = finance;
    let day = app.clock.now().date();
    let books = app.subscription.books(&member, day, day, false).await?;
    #[derive(Queryable, Selectable)]
    #[diesel(table_name = closed_months)]
    struct Row {
        month: String,
        staff: String,
        hash: String,
        at: NaiveDateTime,
    }
    let rows = |conn: &mut DbConnection| Ok::<_, Error>(closed_months::table.select(Row::as_select()).load(conn)?);
    let closed = app.db.run(rows).await?;
    let mut month = first_of(&books);
    let mut months = Vec::new();
    while month <= Month::of(books.today) {
        let name = month.to_string();
        let row = closed.iter().find(|row| row.month == name);
        // Whether it is intact is found out where its lines are read.
        let closing = row.map(|row| Closing {
            by: row.staff.clone(),
            at: row.at.and_utc(),
            hash: row.hash.clone(),
            intact: true,
        });
        months.push(MonthState {
            state: state_of(month, closing.is_some(), books.today),
            month: name,
            closed: closing,
        });
        month = month.next();
    }
    months.reverse();
    Ok(Json(MonthList { months, brands: books.brands }))
}

/// The book of a month.
#[utoipa::path(
    get,
    path = "",
    params(("month" = String, Path, description = "YYYY-MM."), BookQuery),
    responses((status = 200, description = "Its lines by day and added up.", body = Book), NotFound)
)]
pub(crate) async fn get_book(
    finance: Finance,
    app: Data<App>,
    month: Path<String>,
    query: Query<BookQuery>,
) -> Result<Json<Book>, Error> {
    Book::load(&app, &finance.0, &month, &query).await.map(Json)
}

/// Closes a month: its book does not change any more.
#[utoipa::path(
    post,
    path = "",
    params(("month" = String, Path, description = "YYYY-MM.")),
    request_body = CloseOrder,
    responses((status = 204, description = "It is closed."), NotFound, Conflict)
)]
pub(crate) async fn close(
    finance: Finance,
    app: Data<App>,
    month: Path<String>,
    order: Json<CloseOrder>,
) -> Result<HttpResponse, Error> {
    let (Finance(member), month) = (finance, Month::parse(&month)?);
    let (seen, now) = (order.income_cents, app.clock.now());
    let Records { books, .. } = Records::load(&app, &member, month, true).await?;
    app.audited(move |conn| {
        // With the terms and the closed months of this transaction.
        let records = Records::with(conn, month, books)?;
        let lines = records.lines();
        if let Some(obstacle) = records.obstacles(&lines).into_iter().next() {
            return Err(Error::NotClosable(obstacle));
        }
        let total = Figures::total(lines.iter().map(|line| &line.figures));
        if total.income_cents != seen {
            return Err(Error::NotClosable(StaffText::new("figures-changed")));
        }
        let text = serde_json::to_string(&lines).map_err(|error| Error::Internal(error.to_string()))?;
        let hash = hash_of(&text);
        diesel::insert_into(closed_months::table)
            .values((
                closed_months::month.eq(month.to_string()),
                closed_months::lines.eq(&text),
                closed_months::hash.eq(&hash),
                closed_months::staff.eq(&member.email),
                closed_months::at.eq(now),
            ))
            .execute(conn)?;
        let details = json!({
            "charged_cents": total.charged.cents,
            "given_back_cents": total.given_back.cents,
            "income_cents": total.income_cents,
            "vat_cents": total.vat_cents,
            "net_cents": total.net_cents,
            "hash": hash,
        });
        audit::append_of(conn, &member, "month.closed", &month.to_string(), &details, now)
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subscription::{DaySum, Sum};

    fn day_sum(day: &str, charged: i64, given_back: i64) -> DaySum {
        let sum = |entries: i64| Sum { entries, cents: entries * 300 };
        DaySum {
            day: day.parse().unwrap_or_default(),
            svc_id: 150,
            service: "memeworld".to_owned(),
            network: "pull".to_owned(),
            price_cents: 300,
            charged: sum(charged),
            failed: Sum::default(),
            given_back: sum(given_back),
            open: Sum::default(),
        }
    }

    fn records(month: &str, lines: Vec<DaySum>, closed: Vec<Closed>) -> Records {
        let day = |text: &str| text.parse::<NaiveDate>().unwrap_or_default();
        Records {
            month: Month::parse(month).unwrap_or(Month::of(NaiveDate::MIN)),
            books: Books { today: day("2026-12-15"), first: Some(day("2026-09-10")), brands: Vec::new(), lines },
            last_closed: closed.last().map(|closed| closed.month),
            closed,
            terms: Terms::none(),
        }
    }

    fn closed(records: &Records) -> Closed {
        let closing = Closing { by: String::new(), at: DateTime::default(), hash: String::new(), intact: true };
        Closed { month: records.month, lines: records.lines(), closing }
    }

    /// All closed months together are the ledger, also where it changed after they were closed.
    #[test]
    fn change_of_a_closed_month_is_shown_there_and_entered_once_in_the_open_one() {
        let first = vec![day_sum("2026-09-10", 5, 0), day_sum("2026-09-30", 4, 0)];
        let september = closed(&records("2026-09", first, vec![]));
        // A charge of the tenth is added, and one of a day without any.
        let ledger = || {
            vec![
                day_sum("2026-09-10", 6, 0),
                day_sum("2026-09-11", 1, 0),
                day_sum("2026-09-30", 4, 0),
                day_sum("2026-10-01", 3, 1),
            ]
        };
        let october = records("2026-10", ledger(), vec![september]);
        let lines = october.lines();
        let corrections: Vec<_> = lines.iter().filter(|line| line.correction_of.is_some()).collect();
        assert_eq!(corrections.len(), 2);
        assert!(
            corrections
                .iter()
                .all(|line| line.correction_of.as_deref() == Some("2026-09") && line.figures.income_cents == 300)
        );
        let total = |lines: &[Line]| lines.iter().map(|line| line.figures.income_cents).sum::<i64>();
        assert_eq!(total(&lines), 600 + 2 * 300);
        let october_closed = closed(&october);
        let Records { closed: mut months, .. } = october;
        let seen = records("2026-09", ledger(), vec![closed_again(&months)]);
        let drifts = seen.drifts();
        assert_eq!(drifts.iter().map(|drift| drift.day.as_str()).collect::<Vec<_>>(), ["2026-09-10", "2026-09-11"]);
        assert!(drifts.iter().all(|drift| drift.entered_in.is_none()));
        months.push(october_closed);
        // November has no more to correct; September names the month that has.
        let november = records("2026-11", ledger(), months);
        assert_eq!(november.lines(), []);
        let all: i64 = november.closed.iter().map(|closed| total(&closed.lines)).sum();
        assert_eq!(all, (6 + 1 + 4 + 3 - 1) * 300);
        let september =
            Records { month: november.closed.first().map_or(november.month, |closed| closed.month), ..november };
        assert!(september.drifts().iter().all(|drift| drift.entered_in.as_deref() == Some("2026-10")));
        assert_eq!(september.lines().len(), 2, "the closed month changed");
    }

    fn closed_again(months: &[Closed]) -> Closed {
        let closing = Closing { by: String::new(), at: DateTime::default(), hash: String::new(), intact: true };
        let (month, lines) =
            months.first().map_or((Month::of(NaiveDate::MIN), Vec::new()), |of| (of.month, of.lines.clone()));
        Closed { month, lines, closing }
    }

    #[test]
    fn months_are_closed_in_order_once_over_and_without_open_rows() {
        let ledger = || vec![day_sum("2026-09-10", 5, 0)];
        let obstacles =
            |records: &Records| records.obstacles(&records.lines()).iter().map(ToString::to_string).collect::<Vec<_>>();
        let september = records("2026-09", ledger(), vec![]);
        assert_eq!(obstacles(&september), Vec::<String>::new());
        assert_eq!(obstacles(&records("2026-10", ledger(), vec![])), ["2026-09 has to be closed before."]);
        assert_eq!(
            obstacles(&records("2026-12", ledger(), vec![]))[..1],
            [StaffText::new("month-not-over").to_string()]
        );
        let mut open = day_sum("2026-09-10", 5, 0);
        open.open = Sum { entries: 2, cents: 600 };
        assert_eq!(obstacles(&records("2026-09", vec![open], vec![])), ["2 charges and refunds have no outcome yet."]);
        assert_eq!(
            obstacles(&records("2026-09", ledger(), vec![closed(&september)])),
            [StaffText::new("month-closed").to_string()]
        );
        for text in ["2026-9", "2026-13", "unknown", "2026-09-01", "", "202é-0"] {
            assert!(Month::parse(text).is_err(), "{text}");
        }
        assert_eq!(Month::parse("2026-02").map(Month::last_day).ok(), "2026-02-28".parse().ok());
    }
}
