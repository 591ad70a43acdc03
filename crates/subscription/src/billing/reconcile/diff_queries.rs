//! The differences between `listed_charges` and the ledger for a day, by SQL and in pages. Read-only; `repair` acts on the findings.

use chrono::{NaiveDateTime, TimeDelta};
use diesel::{
    prelude::*,
    sql_types::{BigInt, Bool, Integer, Nullable, Text, Timestamp},
};
use identity::SubscriberId;
use store::{DbConnection, on_each_backend};

use crate::{
    billing::reconcile::{difference::Kind, runs::Run},
    error::Error,
    ledger::rows::{CHARGE, SETTLED},
    schema::events,
    subscribers::{calendar, lifecycle::State, policy::Policy},
};

/// The reason of a refund that was entered because the network never made the charge.
pub(super) const NEVER_CHARGED: &str = "never charged by the network";

/// Rows of one page.
const PAGE: i64 = 500;

/// A charge on which list and ledger differ.
pub(super) struct Finding {
    pub kind: Kind,
    pub key: String,
    pub msisdn: String,
    pub svc_id: i32,
    pub cents: i64,
    /// The network's own reference: in our row, of a charge that its list lacks; else in the list.
    pub network_ref: Option<String>,
    /// The network's key of a second debit, which has another key in our tables.
    pub of_key: Option<String>,
    /// Our row, with its network and subscription.
    pub row: Option<Row>,
}

/// A charge in the ledger.
pub(super) struct Row {
    pub id: i64,
    pub day: String,
    pub subscription_id: i64,
    pub network: String,
}

/// The findings in a page of the list.
pub(super) struct Page<C> {
    pub findings: Vec<Finding>,
    /// Charges that agree although they are listed under another key than ours.
    pub agreed: i64,
    /// The last row read; `None` at the end of the list.
    pub last: Option<C>,
}

/// A listed charge joined with our row of it, if there is one.
#[derive(QueryableByName)]
struct Match {
    #[diesel(sql_type = Text)]
    charge_key: String,
    #[diesel(sql_type = Text)]
    msisdn: String,
    #[diesel(sql_type = Integer)]
    svc_id: i32,
    #[diesel(sql_type = BigInt)]
    cents: i64,
    #[diesel(sql_type = Nullable<Timestamp>)]
    charged_at: Option<NaiveDateTime>,
    #[diesel(sql_type = Text)]
    listed_ref: String,
    #[diesel(sql_type = Text)]
    of_key: String,
    #[diesel(sql_type = Nullable<BigInt>)]
    subscription_id: Option<i64>,
    #[diesel(sql_type = Nullable<Text>)]
    state: Option<String>,
    #[diesel(sql_type = Nullable<Timestamp>)]
    since: Option<NaiveDateTime>,
    /// Whether its day was free.
    #[diesel(sql_type = Bool)]
    is_free: bool,
    #[diesel(sql_type = Nullable<BigInt>)]
    ledger_id: Option<i64>,
    #[diesel(sql_type = Nullable<Text>)]
    ledger_day: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    ledger_network: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    kind: Option<String>,
    #[diesel(sql_type = Nullable<Text>)]
    ledger_status: Option<String>,
    #[diesel(sql_type = Nullable<BigInt>)]
    ledger_cents: Option<i64>,
    #[diesel(sql_type = Nullable<Integer>)]
    attempts: Option<i32>,
    #[diesel(sql_type = Nullable<Text>)]
    paid_until: Option<String>,
    /// Whether number and service are our row's.
    #[diesel(sql_type = Bool)]
    is_same: bool,
    /// Whether our row was countered as never charged.
    #[diesel(sql_type = Bool)]
    is_countered: bool,
    /// Whether our row's own key is listed, too.
    #[diesel(sql_type = Bool)]
    is_key_listed: bool,
    /// Whether it is the first listed charge of its number and service that has no row of its key and was not refunded.
    #[diesel(sql_type = Bool)]
    is_first: bool,
}

const COLUMNS: &str = "l.charge_key, l.msisdn, l.svc_id, l.cents, l.at AS charged_at, l.network_ref AS listed_ref, l.of_key, s.id AS subscription_id, s.state, s.since, COALESCE(s.free_until > l.day, FALSE) AS is_free, \
     g.id AS ledger_id, g.day AS ledger_day, g.network AS ledger_network, g.kind, g.status AS ledger_status, g.cents AS ledger_cents, g.attempts, g.paid_until";

/// How far a charge's day in the list may be from its day in the ledger: each has its own midnight and its own delays.
pub(super) const DAYS_APART: TimeDelta = TimeDelta::days(31);

/// SQL: our row is of a day on which this list may name it.
pub(super) fn near(row: &str, run: &Run) -> String {
    format!("{row}.day BETWEEN '{}' AND '{}'", run.day - DAYS_APART, run.day + DAYS_APART)
}

/// SQL: a refund of a row that this list may name. Literals, so that the statement reads only the months since then.
fn refund_since(run: &Run) -> String {
    format!("r.refund_of = g.id AND r.day >= '{}'", run.day - DAYS_APART)
}

/// SQL: our row was countered as never charged.
pub(super) fn countered(run: &Run) -> String {
    format!(
        "EXISTS (SELECT 1 FROM ledger r WHERE {} AND r.status = 'settled' AND r.reason = '{NEVER_CHARGED}')",
        refund_since(run)
    )
}

/// SQL: a listed charge without a row of its key that was not refunded as surplus.
fn without_row(listed: &str, run: &Run) -> String {
    let near = near("k", run);
    format!(
        "{listed}.status = 'own' \
         AND NOT EXISTS (SELECT 1 FROM ledger k WHERE k.network = {listed}.network AND k.charge_key = {listed}.charge_key AND {near}) \
         AND NOT EXISTS (SELECT 1 FROM surplus_charges u WHERE u.network = {listed}.network AND u.charge_key = {listed}.charge_key)"
    )
}

/// SQL: our settled charges of the day from before the run's start that were not refunded.
pub(super) fn settled_charges(run: &Run) -> String {
    format!(
        "FROM ledger g JOIN subscriptions s ON s.id = g.subscription_id \
         WHERE g.network = $1 AND g.day = $2 AND g.at < $3 AND g.kind = 'charge' AND g.status = 'settled' \
         AND NOT EXISTS (SELECT 1 FROM ledger r WHERE {} AND r.status <> 'failed')",
        refund_since(run)
    )
}

/// SQL: the list has neither our row's key, nor another charge of its number and service that could be it.
pub(super) fn not_listed(run: &Run) -> String {
    format!(
        "NOT EXISTS (SELECT 1 FROM listed_charges l WHERE l.network = g.network AND l.day = g.day AND l.charge_key = g.charge_key) \
         AND NOT EXISTS (SELECT 1 FROM listed_charges o WHERE o.network = g.network AND o.day = g.day AND o.msisdn = s.msisdn \
         AND o.svc_id = s.svc_id AND {})",
        without_row("o", run)
    )
}

/// Listed charges whose key is in the ledger with different data.
pub(super) fn by_key(conn: &mut DbConnection, run: &Run, after: &str) -> Result<Page<String>, Error> {
    let (countered, near) = (countered(run), near("g", run));
    let text = format!(
        "SELECT {COLUMNS}, (s.msisdn = l.msisdn AND s.svc_id = l.svc_id) AS is_same, {countered} AS is_countered, \
         TRUE AS is_key_listed, TRUE AS is_first \
         FROM listed_charges l JOIN ledger g ON g.network = l.network AND g.charge_key = l.charge_key AND {near} \
         JOIN subscriptions s ON s.id = g.subscription_id \
         WHERE l.network = $1 AND l.day = $2 AND l.charge_key > $3 AND l.status = 'own' \
         AND (g.kind <> 'charge' OR g.status <> 'settled' OR g.cents <> l.cents OR s.msisdn <> l.msisdn OR s.svc_id <> l.svc_id \
         OR {countered}) ORDER BY l.charge_key LIMIT $4"
    );
    let matches = load(conn, &text, run, after)?;
    let last = last_of(&matches);
    let findings = matches
        .into_iter()
        .map(|found| {
            let is_charge = found.kind.as_deref() == Some(CHARGE) && found.is_same;
            let kind = match found.ledger_status.as_deref() {
                _ if !is_charge => Kind::AmountDiffers,
                Some(SETTLED) if found.is_countered && found.ledger_cents == Some(found.cents) => Kind::RepairUndone,
                Some(SETTLED) => Kind::AmountDiffers,
                _ => unsettled(conn, run, &found)?,
            };
            Ok(found.finding(kind))
        })
        .collect::<Result<_, Error>>()?;
    Ok(Page { findings, agreed: 0, last })
}

/// Listed charges whose key is not in the ledger: a push network's own, a second one of a day, or one that was not due.
pub(super) fn by_number(
    conn: &mut DbConnection,
    policy: &Policy,
    run: &Run,
    after: &str,
) -> Result<Page<String>, Error> {
    let text = format!(
        "SELECT {COLUMNS}, TRUE AS is_same, {} AS is_countered, \
         EXISTS (SELECT 1 FROM listed_charges k WHERE k.network = g.network AND k.day = l.day AND k.charge_key = g.charge_key) AS is_key_listed, \
         ({} AND NOT EXISTS (SELECT 1 FROM listed_charges o WHERE o.network = l.network AND o.day = l.day AND o.msisdn = l.msisdn \
         AND o.svc_id = l.svc_id AND o.charge_key < l.charge_key AND {})) AS is_first \
         FROM (SELECT * FROM listed_charges c WHERE c.network = $1 AND c.day = $2 AND c.charge_key > $3 AND c.status = 'own' \
         AND NOT EXISTS (SELECT 1 FROM ledger k WHERE k.network = c.network AND k.charge_key = c.charge_key AND {}) \
         ORDER BY c.charge_key LIMIT $4) l \
         LEFT JOIN subscriptions s ON s.msisdn = l.msisdn AND s.svc_id = l.svc_id \
         LEFT JOIN ledger g ON g.subscription_id = s.id AND g.day = $2 AND g.kind = 'charge' \
         ORDER BY l.charge_key",
        countered(run),
        without_row("l", run),
        without_row("o", run),
        near("k", run),
    );
    let matches = load(conn, &text, run, after)?;
    let mut page = Page { findings: Vec::new(), agreed: 0, last: last_of(&matches) };
    for found in matches {
        match without_key(conn, policy, run, &found)? {
            Some(kind) => page.findings.push(found.finding(kind)),
            None => page.agreed += 1,
        }
    }
    Ok(page)
}

/// The kind of a listed charge whose key is not in the ledger; `None` where it is our row under another key.
fn without_key(conn: &mut DbConnection, policy: &Policy, run: &Run, found: &Match) -> Result<Option<Kind>, Error> {
    if policy.brand(found.svc_id).is_none() {
        return Ok(Some(Kind::UnknownService));
    }
    if SubscriberId::at_network(&policy.brands, &run.network, &found.msisdn).is_err() {
        return Ok(Some(Kind::UnreadableRow));
    }
    if !found.is_first {
        return Ok(Some(Kind::ChargedTwice));
    }
    let is_ours = found.ledger_network.as_ref() == Some(&run.network);
    Ok(Some(match found.ledger_status.as_deref() {
        None => match was_subscribed(conn, found.subscription_id, found.charged_at)? && !found.is_free {
            true => Kind::ChargedNotRecorded,
            false => Kind::ChargedAfterLeaving,
        },
        Some(_) if found.is_key_listed => Kind::ChargedTwice,
        Some(SETTLED) if !is_ours => Kind::ChargedTwice,
        Some(SETTLED) if found.ledger_cents != Some(found.cents) => Kind::AmountDiffers,
        Some(SETTLED) if found.is_countered => Kind::RepairUndone,
        Some(SETTLED) => return Ok(None),
        Some(_) => unsettled(conn, run, found)?,
    }))
}

/// Whether a charge with an unsettled row was due. A charge that settles after its subscription's end is refunded.
fn unsettled(conn: &mut DbConnection, run: &Run, found: &Match) -> Result<Kind, Error> {
    let runs = matches!(found.state.as_deref().and_then(State::parse), Some(State::Active | State::Suspended));
    let of_this_term = found.since.is_some_and(|since| {
        let began = calendar::day_of(since);
        // A subscriber who joins again within a week or a month that was charged has paid for it.
        began <= run.day || found.paid_until.as_ref().is_some_and(|until| began.to_string() < *until)
    });
    let was_sent = found.attempts.is_some_and(|attempts| attempts > 0);
    let owed = runs && of_this_term && (was_sent || was_subscribed(conn, found.subscription_id, found.charged_at)?);
    Ok(if owed { Kind::ChargedNotSettled } else { Kind::ChargedAfterLeaving })
}

/// Whether the subscription was active when the network charged it, by its events.
fn was_subscribed(
    conn: &mut DbConnection,
    subscription_id: Option<i64>,
    charged_at: Option<NaiveDateTime>,
) -> Result<bool, Error> {
    let Some(subscription_id) = subscription_id else { return Ok(false) };
    let mut moves = events::table.filter(events::subscription_id.eq(subscription_id)).into_boxed();
    // Of any time: the state may have begun years before. Only for charges on which list and ledger differ.
    if let Some(at) = charged_at {
        // Lists have whole seconds: an event in the second of the charge counts as earlier.
        moves = moves.filter(events::at.lt(at + TimeDelta::seconds(1)));
    }
    let state: Option<String> = moves.order(events::id.desc()).select(events::to_state).first(conn).optional()?;
    Ok(matches!(state.as_deref().and_then(State::parse), Some(State::Active | State::Suspended)))
}

/// Our settled charges that the list lacks.
pub(super) fn missing(conn: &mut DbConnection, run: &Run, after: i64) -> Result<Page<i64>, Error> {
    #[derive(QueryableByName)]
    struct Missing {
        #[diesel(sql_type = BigInt)]
        id: i64,
        #[diesel(sql_type = BigInt)]
        subscription_id: i64,
        #[diesel(sql_type = Text)]
        charge_key: String,
        #[diesel(sql_type = BigInt)]
        cents: i64,
        #[diesel(sql_type = Text)]
        msisdn: String,
        #[diesel(sql_type = Integer)]
        svc_id: i32,
        #[diesel(sql_type = Nullable<Text>)]
        network_ref: Option<String>,
    }
    let text = format!(
        "SELECT g.id, g.subscription_id, g.charge_key, g.cents, g.network_ref, s.msisdn, s.svc_id {} AND g.id > $4 AND {} \
         ORDER BY g.id LIMIT $5",
        settled_charges(run),
        not_listed(run)
    );
    let query = diesel::sql_query(text)
        .bind::<Text, _>(&run.network)
        .bind::<Text, _>(run.day.to_string())
        .bind::<Timestamp, _>(run.began)
        .bind::<BigInt, _>(after)
        .bind::<BigInt, _>(PAGE);
    let rows: Vec<Missing> = on_each_backend!(conn, conn => query.load(conn))?;
    let last = rows.last().map(|row| row.id);
    let finding = |row: Missing| Finding {
        kind: Kind::NotListed,
        key: row.charge_key,
        msisdn: row.msisdn,
        svc_id: row.svc_id,
        cents: row.cents,
        network_ref: row.network_ref,
        of_key: None,
        row: Some(Row {
            id: row.id,
            day: run.day.to_string(),
            subscription_id: row.subscription_id,
            network: run.network.clone(),
        }),
    };
    Ok(Page { findings: rows.into_iter().map(finding).collect(), agreed: 0, last })
}

fn load(conn: &mut DbConnection, text: &str, run: &Run, after: &str) -> Result<Vec<Match>, Error> {
    let query = diesel::sql_query(text)
        .bind::<Text, _>(&run.network)
        .bind::<Text, _>(run.day.to_string())
        .bind::<Text, _>(after)
        .bind::<BigInt, _>(PAGE);
    Ok(on_each_backend!(conn, conn => query.load(conn))?)
}

fn last_of(matches: &[Match]) -> Option<String> {
    matches.last().map(|found| found.charge_key.clone())
}

impl Match {
    fn finding(self, kind: Kind) -> Finding {
        let row = self.ledger_id.zip(self.ledger_day).zip(self.subscription_id).zip(self.ledger_network);
        Finding {
            kind,
            key: self.charge_key,
            msisdn: self.msisdn,
            svc_id: self.svc_id,
            cents: self.cents,
            network_ref: Some(self.listed_ref).filter(|listed_ref| !listed_ref.is_empty()),
            of_key: Some(self.of_key).filter(|key| !key.is_empty()),
            row: row.map(|(((id, day), subscription_id), network)| Row { id, day, subscription_id, network }),
        }
    }
}
