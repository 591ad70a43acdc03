//! Claims: a batch of charges becomes one process's to send, durably, before any of it is sent.

use chrono::NaiveDateTime;
use diesel::{
    prelude::*,
    sql_types::{BigInt, Integer, Nullable, Text},
};
use store::{DbConnection, on_each_backend};

use super::{
    bounds::{Bounds, within_bounds},
    ledger::{AT_ONCE, CHARGE, FAILED, PENDING},
    passes::lock_day,
    runners::{Runner, beat},
};
use crate::{
    error::Error,
    life::State,
    schema::{ledger, subscriptions},
    terms::Terms,
};

/// How many failed passes suspend; a charge that failed so often is not tried again that day.
pub(crate) const PASSES_THAT_SUSPEND: i32 = 3;

/// A charge that is ours to send.
#[derive(Clone, QueryableByName)]
pub(crate) struct Claimed {
    #[diesel(sql_type = BigInt)]
    pub id: i64,
    #[diesel(sql_type = BigInt)]
    pub subscription_id: i64,
    #[diesel(sql_type = Text)]
    pub charge_key: String,
    #[diesel(sql_type = BigInt)]
    pub cents: i64,
    #[diesel(sql_type = Text)]
    pub day: String,
    #[diesel(sql_type = Integer)]
    pub failures: i32,
    /// How often it was claimed, this time included: an older claim of the same process is another claim.
    #[diesel(sql_type = Integer)]
    pub attempts: i32,
    #[diesel(sql_type = Text)]
    pub network: String,
    #[diesel(sql_type = Text)]
    pub msisdn: String,
    #[diesel(sql_type = Integer)]
    pub svc_id: i32,
    #[diesel(sql_type = Text)]
    pub state: String,
    /// The network's own id of the subscription, where it gave one.
    #[diesel(sql_type = Nullable<Text>)]
    pub hold: Option<String>,
}

impl Claimed {
    /// Whether its subscription was suspended when it was claimed.
    pub fn is_suspended(&self) -> bool {
        self.state == State::Suspended.as_str()
    }
}

/// Which charges to take.
pub(crate) struct Wanted<'a> {
    pub network: &'a str,
    pub day: &'a str,
    /// Those that this pass has not had yet; `None`: those that are to be charged at once.
    pub pass: Option<i64>,
    /// With ids above this.
    pub after: i64,
    pub limit: i64,
}

/// What was taken.
pub(crate) struct Taken {
    pub charges: Vec<Claimed>,
    /// The last id looked at; `None` where nothing was left.
    pub last: Option<i64>,
}

/// Takes a batch for a runner. Who has left in the meantime is not charged, and what is beyond a bound is parked.
pub(crate) fn take(
    conn: &mut DbConnection,
    (terms, bounds): (&Terms, Bounds),
    runner: Runner<'_>,
    wanted: &Wanted<'_>,
    now: NaiveDateTime,
) -> Result<Taken, Error> {
    lock_day(conn, wanted.day)?;
    beat(conn, runner)?;
    let candidates = candidates(conn, wanted)?;
    let last = candidates.last().map(|charge| charge.id);
    let (owed, gone): (Vec<_>, Vec<_>) = candidates.into_iter().partition(|charge| {
        matches!(State::parse(&charge.state), Some(State::Active | State::Suspended)) && !terms.is_test(&charge.msisdn)
    });
    pass_over(conn, &gone, wanted.pass, (FAILED, "left before it was charged"))?;
    let (charges, beyond) = within_bounds(conn, owed, terms, bounds, wanted, now)?;
    if !beyond.is_empty() {
        tracing::error!(
            alarm = "charges_parked",
            charges.parked = beyond.len(),
            network.name = wanted.network,
            "{} charges are beyond a bound and were parked",
            beyond.len()
        );
        pass_over(conn, &beyond, wanted.pass, (PENDING, "parked: beyond a bound"))?;
    }
    let ids: Vec<i64> = charges.iter().map(|charge| charge.id).collect();
    let taken = ledger::table.filter(ledger::id.eq_any(&ids));
    let claimed = (
        ledger::claim.eq(runner.token),
        ledger::sent_at.eq(runner.system_now),
        ledger::status.eq(PENDING),
        ledger::attempts.eq(ledger::attempts + 1),
        ledger::reason.eq(""),
    );
    diesel::update(taken).set((claimed, ledger::pass.eq(wanted.pass.unwrap_or(0)))).execute(conn)?;
    Ok(Taken { charges, last })
}

fn candidates(conn: &mut DbConnection, wanted: &Wanted<'_>) -> Result<Vec<Claimed>, Error> {
    // A charge that is being settled, or whose subscription moves in this instant, is left for the next look.
    let lock = match conn {
        DbConnection::Postgres(_) => "FOR NO KEY UPDATE OF l, s SKIP LOCKED",
        DbConnection::Sqlite(_) => "",
    };
    let query = format!(
        "SELECT l.id, l.subscription_id, l.charge_key, l.cents, l.day, l.failures, l.attempts + 1 AS attempts, l.network, s.msisdn, s.svc_id, s.state, \
         (SELECT h.network_ref FROM holds h WHERE h.subscription_id = s.id AND h.ended_at IS NULL ORDER BY h.id DESC LIMIT 1) AS hold \
         FROM ledger l JOIN subscriptions s ON s.id = l.subscription_id \
         WHERE l.day = $1 AND l.network = $2 AND l.id > $3 AND l.pass < $4 \
         AND l.kind = 'charge' AND l.status IN ('pending', 'failed') AND l.claim IS NULL \
         AND (l.status = 'pending' OR (s.state = 'active' AND l.failures < $5) OR (s.state = 'suspended' AND l.failures < 1)) \
         ORDER BY l.id LIMIT $6 {lock}"
    );
    Ok(on_each_backend!(conn, conn => diesel::sql_query(query)
        .bind::<Text, _>(wanted.day)
        .bind::<Text, _>(wanted.network)
        .bind::<BigInt, _>(wanted.after)
        .bind::<BigInt, _>(wanted.pass.unwrap_or(AT_ONCE + 1))
        .bind::<Integer, _>(PASSES_THAT_SUSPEND)
        .bind::<BigInt, _>(wanted.limit)
        .load::<Claimed>(conn))?)
}

/// How many charges a pass could still take.
pub(super) fn left_to_take(conn: &mut DbConnection, network: &str, day: &str, pass: i64) -> Result<i64, Error> {
    Ok(ledger::table
        .inner_join(subscriptions::table)
        .filter(ledger::day.eq(day).and(ledger::network.eq(network)).and(ledger::pass.lt(pass)))
        .filter(ledger::kind.eq(CHARGE).and(ledger::claim.is_null()))
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

/// Not sent in this pass.
fn pass_over(
    conn: &mut DbConnection,
    charges: &[Claimed],
    pass: Option<i64>,
    (status, reason): (&str, &str),
) -> Result<(), Error> {
    if charges.is_empty() {
        return Ok(());
    }
    let ids: Vec<i64> = charges.iter().map(|charge| charge.id).collect();
    let rows = ledger::table.filter(ledger::id.eq_any(&ids));
    let set = (ledger::status.eq(status), ledger::reason.eq(reason), ledger::sent_at.eq(None::<NaiveDateTime>));
    diesel::update(rows).set((set, ledger::pass.eq(pass.unwrap_or(0)))).execute(conn)?;
    Ok(())
}
