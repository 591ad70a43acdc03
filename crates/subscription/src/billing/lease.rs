//! The lease on a charge: one process may send it, within a short time, while its subscription is active.
//!
//! A claim is committed before anything is sent, and only for as many charges as can be sent concurrently. A process starts to send a
//! charge within `BEGIN_WINDOW` of its claim or not at all, and has sent it within `SEND_WINDOW`. So a leave may be acknowledged once it
//! finds no claim, or has waited for `SEND_WINDOW`: nothing is sent after it. A claim that is older than any request can be in flight
//! expires, on any process.

use std::time::Duration;

use brands::Period;
use chrono::{NaiveDateTime, TimeDelta};
use diesel::{
    prelude::*,
    sql_types::{BigInt, Bool, Integer, Nullable, Text},
};
use store::{Db, DbConnection, on_each_backend};
use tokio::time::Instant;

use crate::{
    error::Error,
    ledger::{
        bounds::{Bounds, within_bounds},
        month_limit::{LIMITED, MonthLimits, within_limit},
        pauses::Paused,
        periods::EarlierCharges,
        restores,
        rows::{
            CHARGE, Charge, FAILED, IMMEDIATE_PASS, PART_MARK, PASSES_THAT_SUSPEND, PENDING, RowIds, UNKNOWN,
            key_of_day, open_since, paid_until, rows,
        },
    },
    networks::alarms,
    schema::{ledger, subscriptions},
    subscribers::{lifecycle::State, metrics, policy::Policy},
};

/// A claimed charge is started within this time or not at all.
pub(crate) const BEGIN_WINDOW: Duration = Duration::from_millis(1500);

/// A claimed charge has been sent within this time: started, and its connection made.
pub(crate) const SEND_WINDOW: Duration = Duration::from_millis(2600);

/// The largest assumed difference between the clocks of two replicas.
const CLOCK_MARGIN: TimeDelta = TimeDelta::seconds(10);

/// Claims expired in one transaction.
const EXPIRED_BATCH_SIZE: i64 = 500;

/// The reason of a charge whose process died: it may not have been sent.
pub(crate) const INTERRUPTED: &str = "the process that sent it died";

/// The interval between two checks for claims by a leave.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Which charges to claim.
pub(crate) struct ClaimQuery<'a> {
    pub network: &'a str,
    pub day: &'a str,
    /// Those that were not in this pass yet; `None`: those with an immediate charge.
    pub pass: Option<i64>,
    /// Only ids above this.
    pub after: i64,
    pub limit: i64,
}

/// The claimed charges.
pub(crate) struct Claim {
    pub charges: Vec<Charge>,
    /// The last id read; `None` where nothing was left.
    pub last: Option<i64>,
}

/// Claims a batch for the process with this `token`. A charge whose subscription has ended is not claimed; charges beyond a bound are
/// parked. Nothing is claimed while a restored database has not caught up, and no charge that staff have paused.
pub(crate) fn claim(
    conn: &mut DbConnection,
    (policy, bounds): (&Policy, Bounds),
    token: &str,
    query: &ClaimQuery<'_>,
    now: NaiveDateTime,
    system_now: NaiveDateTime,
) -> Result<Claim, Error> {
    let paused = Paused::at(conn, query.network)?;
    if restores::pending(conn)?.is_some() || paused.whole {
        return Ok(Claim { charges: Vec::new(), last: None });
    }
    let mut candidates = candidates(conn, query, &paused)?;
    for candidate in candidates.iter_mut().filter(|candidate| candidate.is_of_another_offer()) {
        charge_whole_price(conn, candidate)?;
    }
    let last = candidates.last().map(|candidate| candidate.charge.id);
    let (candidates, moved): (Vec<_>, Vec<_>) =
        candidates.into_iter().partition(|candidate| candidate.is_billed_by(query.network));
    hand_over(conn, &moved, query)?;
    let with_periods: Vec<i64> = candidates
        .iter()
        .filter(|candidate| candidate.had_long_period)
        .map(|candidate| candidate.charge.subscription_id)
        .collect();
    let candidates = candidates.into_iter().map(|candidate| candidate.charge);
    let (owed, ended): (Vec<_>, Vec<_>) = candidates.partition(|charge| {
        matches!(State::parse(&charge.state), Some(State::Active | State::Suspended)) && !policy.is_test(&charge.msisdn)
    });
    skip(conn, &ended, query, (FAILED, "left before it was charged"))?;
    let owed = without_paid(conn, owed, &with_periods, query)?;
    let owed = without_limited(conn, owed, policy, query)?;
    let (charges, beyond) = within_bounds(conn, owed, policy, bounds, (query.network, query.day), now)?;
    if !beyond.is_empty() {
        tracing::error!(
            alarm = alarms::daily("charges_parked", query.network, now),
            charges.parked = beyond.len(),
            network.name = query.network,
            "{} charges are beyond a bound and were parked",
            beyond.len()
        );
        metrics::parked(policy, beyond.iter().map(|charge| charge.svc_id));
        skip(conn, &beyond, query, (PENDING, PARKED))?;
    }
    let ids: Vec<i64> = charges.iter().map(|charge| charge.id).collect();
    let rows = ledger::table.filter(ledger::id.eq_any(&ids).and(ledger::day.eq(query.day)));
    let claimed = (
        ledger::claim.eq(token),
        ledger::sent_at.eq(system_now),
        ledger::status.eq(PENDING),
        ledger::attempts.eq(ledger::attempts + 1),
        ledger::reason.eq(""),
    );
    diesel::update(rows).set((claimed, ledger::pass.eq(query.pass.unwrap_or(0)))).execute(conn)?;
    Ok(Claim { charges, last })
}

/// Those charges whose day no earlier charge pays for, nor may pay for: its outcome may have become known after they were entered.
fn without_paid(
    conn: &mut DbConnection,
    owed: Vec<Charge>,
    with_periods: &[i64],
    query: &ClaimQuery<'_>,
) -> Result<Vec<Charge>, Error> {
    let Ok(day) = query.day.parse() else { return Ok(owed) };
    let earlier = EarlierCharges::before(conn, with_periods, day)?;
    let (paid, owed): (Vec<_>, Vec<_>) =
        owed.into_iter().partition(|charge| earlier.paid.contains(&charge.subscription_id));
    skip(conn, &paid, query, (FAILED, "an earlier charge pays for this day"))?;
    let (waiting, owed): (Vec<_>, Vec<_>) =
        owed.into_iter().partition(|charge| earlier.open.contains(&charge.subscription_id));
    skip(conn, &waiting, query, (PENDING, "the result of an earlier charge is not known yet"))?;
    Ok(owed)
}

/// Those charges that do not exceed their number's monthly limit.
fn without_limited(
    conn: &mut DbConnection,
    owed: Vec<Charge>,
    policy: &Policy,
    query: &ClaimQuery<'_>,
) -> Result<Vec<Charge>, Error> {
    let Ok(day) = query.day.parse() else { return Ok(owed) };
    let limits = MonthLimits::at(&policy.brands, query.network);
    let (owed, limited) = within_limit(conn, owed, (query.network, limits), day)?;
    metrics::limited(policy, limited.iter().map(|charge| charge.svc_id));
    skip(conn, &limited, query, (PENDING, LIMITED))?;
    Ok(owed)
}

/// The reason of a charge that is beyond a bound.
pub(crate) const PARKED: &str = "parked: beyond a bound";

/// A charge that may be claimed, and the network of its subscription.
#[derive(QueryableByName)]
struct Candidate {
    #[diesel(embed)]
    charge: Charge,
    #[diesel(sql_type = Text)]
    billed_by: String,
    #[diesel(sql_type = Bool)]
    had_long_period: bool,
    #[diesel(sql_type = Text)]
    paid_until: String,
    #[diesel(sql_type = BigInt)]
    price_cents: i64,
    #[diesel(sql_type = Text)]
    period: String,
    #[diesel(sql_type = Integer)]
    began_on: i32,
    /// The consent that it was entered with.
    #[diesel(sql_type = Nullable<BigInt>)]
    entered_with: Option<i64>,
    /// The subscriber's last consent.
    #[diesel(sql_type = Nullable<BigInt>)]
    consent_id: Option<i64>,
}

impl Candidate {
    /// Whether this network may charge: a subscription that an earlier release wrote has none yet.
    fn is_billed_by(&self, network: &str) -> bool {
        self.billed_by.is_empty() || self.billed_by == network
    }

    /// Whether it is for an amount, a period or a consent that is not its subscriber's last: the number has joined again since, while this
    /// charge was on its way.
    fn is_of_another_offer(&self) -> bool {
        let Charge { charge_key, cents, .. } = &self.charge;
        let is_other = if charge_key.contains(PART_MARK) {
            !self.charge.parts().amounts().any(|amount| amount == *cents)
        } else {
            let pays_for_a_day = self.period == Period::Day.as_str();
            *cents != self.price_cents || self.paid_until.is_empty() != pays_for_a_day
        };
        !self.charge.unanswered && (is_other || self.entered_with != self.consent_id)
    }
}

/// Gives a charge the price, its key, the period and the consent of what its subscriber has agreed to last.
fn charge_whole_price(conn: &mut DbConnection, candidate: &mut Candidate) -> Result<(), Error> {
    let Candidate { charge, price_cents, period, began_on, consent_id, .. } = candidate;
    charge.charge_key = key_of_day(&charge.charge_key).to_owned();
    charge.cents = *price_cents;
    charge.network_ref = None;
    let period = Period::parse(period).zip(charge.day.parse().ok());
    let paid_until = period.map(|(period, day)| paid_until(period, day, *began_on)).unwrap_or_default();
    let row = ledger::table.filter(ledger::id.eq(charge.id).and(ledger::day.eq(&charge.day)));
    diesel::update(row)
        .set((
            ledger::charge_key.eq(&charge.charge_key),
            ledger::cents.eq(charge.cents),
            ledger::paid_until.eq(paid_until),
            ledger::network_ref.eq(None::<String>),
            ledger::consent_id.eq(*consent_id),
        ))
        .execute(conn)?;
    Ok(())
}

/// Charges whose subscription has moved since they were entered: none was made, and the other network makes them.
fn hand_over(conn: &mut DbConnection, moved: &[Candidate], query: &ClaimQuery<'_>) -> Result<(), Error> {
    for Candidate { charge, billed_by, .. } in moved {
        let row = ledger::table.filter(ledger::id.eq(charge.id).and(ledger::day.eq(query.day)));
        diesel::update(row)
            .set((ledger::network.eq(billed_by), ledger::network_ref.eq(None::<String>)))
            .execute(conn)?;
    }
    Ok(())
}

fn candidates(conn: &mut DbConnection, query: &ClaimQuery<'_>, paused: &Paused) -> Result<Vec<Candidate>, Error> {
    // Rows that are locked (being settled, or their subscription changed) are skipped until the next claim. The lock on the subscription
    // makes a leave wait until the claim is committed and visible.
    let lock = match conn {
        DbConnection::Postgres(_) => "FOR NO KEY UPDATE OF l, s SKIP LOCKED",
        DbConnection::Sqlite(_) => "",
    };
    // Literals in the SQL: only then does the database use a partial index.
    let not_in_pass =
        query.pass.map_or_else(|| format!("l.pass = {IMMEDIATE_PASS}"), |pass| format!("l.pass < {pass}"));
    let services: Vec<String> = paused.services.iter().map(i32::to_string).collect();
    let not_paused = match services.as_slice() {
        [] => String::new(),
        services => format!("AND s.svc_id NOT IN ({})", services.join(", ")),
    };
    let text = format!(
        "SELECT l.id, l.subscription_id, l.charge_key, l.cents, l.day, l.failures, l.attempts + 1 AS attempts, l.network_ref, l.unanswered, l.paid_until, s.parts, s.price_cents, s.period, s.reminder_day AS began_on, s.msisdn, s.svc_id, s.state, s.network AS billed_by, s.had_long_period, l.consent_id AS entered_with, s.consent_id, \
         (SELECT h.network_ref FROM holds h WHERE h.subscription_id = s.id AND h.network = l.network AND h.ended_at IS NULL ORDER BY h.id DESC LIMIT 1) AS network_subscription_id \
         FROM ledger l JOIN subscriptions s ON s.id = l.subscription_id \
         WHERE l.day = $1 AND l.network = $2 AND l.id > $3 AND {not_in_pass} {not_paused} \
         AND l.kind = 'charge' AND l.status IN ('pending', 'failed') AND l.claim IS NULL \
         AND (l.status = 'pending' OR (s.state = 'active' AND l.failures < $4) OR (s.state = 'suspended' AND l.failures < 1)) \
         ORDER BY l.id LIMIT $5 {lock}"
    );
    Ok(on_each_backend!(conn, conn => diesel::sql_query(text)
        .bind::<Text, _>(query.day)
        .bind::<Text, _>(query.network)
        .bind::<BigInt, _>(query.after)
        .bind::<Integer, _>(PASSES_THAT_SUSPEND)
        .bind::<BigInt, _>(query.limit)
        .load::<Candidate>(conn))?)
}

/// How many charges a pass could still claim, without those that are paused.
pub(crate) fn left_to_claim(
    conn: &mut DbConnection,
    network: &str,
    day: &str,
    pass: i64,
    paused: &Paused,
) -> Result<i64, Error> {
    if paused.whole {
        return Ok(0);
    }
    Ok(ledger::table
        .inner_join(subscriptions::table)
        .filter(ledger::day.eq(day).and(ledger::network.eq(network)).and(ledger::pass.lt(pass)))
        .filter(ledger::kind.eq(CHARGE).and(ledger::claim.is_null()))
        .filter(subscriptions::svc_id.ne_all(&paused.services))
        .filter(
            ledger::status.eq(PENDING).or(ledger::status.eq(FAILED).and(
                subscriptions::state
                    .eq(State::Active.as_str())
                    .and(ledger::failures.lt(PASSES_THAT_SUSPEND))
                    .or(subscriptions::state.eq(State::Suspended.as_str()).and(ledger::failures.lt(1))),
            )),
        )
        .count()
        .get_result(conn)?)
}

/// Marks charges as not sent in this pass.
fn skip(
    conn: &mut DbConnection,
    charges: &[Charge],
    query: &ClaimQuery<'_>,
    (status, reason): (&str, &str),
) -> Result<(), Error> {
    if charges.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = charges.iter().map(|charge| charge.id).collect();
    let rows = ledger::table.filter(ledger::id.eq_any(&ids).and(ledger::day.eq(query.day)));
    let set = (ledger::status.eq(status), ledger::reason.eq(reason), ledger::sent_at.eq(None::<NaiveDateTime>));
    diesel::update(rows).set((set, ledger::pass.eq(query.pass.unwrap_or(0)))).execute(conn)?;
    Ok(())
}

/// Expires the claims that are older than any request can be in flight: whether they were sent is unknown. Returns how many.
///
/// `charge_timeout` is how long a network may take to answer a charge.
pub(crate) fn expire_claims(
    conn: &mut DbConnection,
    charge_timeout: Duration,
    system_now: NaiveDateTime,
) -> Result<usize, Error> {
    let longest = TimeDelta::from_std(SEND_WINDOW + charge_timeout).unwrap_or(CLOCK_MARGIN) + CLOCK_MARGIN;
    let expired = ledger::table
        .filter(ledger::claim.is_not_null().and(ledger::sent_at.lt(system_now - longest)))
        .filter(ledger::day.ge(open_since(conn)?))
        .order(ledger::sent_at)
        .limit(EXPIRED_BATCH_SIZE)
        .select((ledger::id, ledger::day));
    // Locked, because another process may expire them at the same time.
    let expired: Vec<(i64, String)> = match conn {
        DbConnection::Postgres(conn) => expired.for_update().skip_locked().load(conn)?,
        DbConnection::Sqlite(conn) => expired.load(conn)?,
    };
    let expired: RowIds = expired.iter().map(|(id, day)| (*id, day.as_str())).collect();
    Ok(diesel::update(rows(&expired).filter(ledger::status.eq(PENDING)))
        .set((
            ledger::status.eq(UNKNOWN),
            ledger::reason.eq(INTERRUPTED),
            ledger::claim.eq(None::<String>),
            (ledger::sent_at.eq(system_now), ledger::ask_at.eq(system_now), ledger::status_queries.eq(0)),
        ))
        .execute(conn)?)
}

/// Waits until no charge of these ended subscriptions can be sent any more.
///
/// Called after the end is committed: a later claim sees that the subscription has ended, and an earlier one has been sent, or may not be
/// sent any more, after `SEND_WINDOW`.
pub(crate) async fn wait_until_unclaimed(db: &Db, subscriptions: Vec<i64>) -> Result<(), Error> {
    if subscriptions.is_empty() {
        return Ok(());
    }
    let began = Instant::now();
    while began.elapsed() < SEND_WINDOW {
        let ids = subscriptions.clone();
        if !db.run(move |conn| has_claim(conn, &ids)).await? {
            break;
        }
        tokio::time::sleep(POLL_INTERVAL).await;
    }
    Ok(())
}

fn has_claim(conn: &mut DbConnection, subscriptions: &[i64]) -> Result<bool, Error> {
    let claimed = ledger::table
        .filter(ledger::subscription_id.eq_any(subscriptions).and(ledger::claim.is_not_null()))
        .filter(ledger::day.ge(open_since(conn)?));
    Ok(diesel::select(diesel::dsl::exists(claimed)).get_result(conn)?)
}
