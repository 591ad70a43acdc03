//! Refunds by support: charges that were chosen together go back by one request. It waits for a second person where it and the refunds that
//! were made for the number in the 24 hours before exceed R50 together; so many small ones need a second person as well as a large one.
//!
//! A request that needs no second person, or has its approval, is open until the subscription service confirms it. Where that does not
//! answer, or this process ends, a background task calls again: each charge is given back once.

use std::collections::{BTreeMap, BTreeSet};

use actix_web::web::{Data, Json, Path};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use service::{
    StaffText,
    openapi::{Conflict, NotFound, Refused},
};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    app::App,
    audit,
    error::Error,
    guard::Support,
    members::Member,
    schema::{numbers, refunds, staff},
    subscription::{Account, Charge, RefusedCharge, Subscription},
    support::{Record, checked_reason, record_failure},
    texts::written,
};

/// The most that one person gives back to a number in `WINDOW`, and to all numbers together.
pub(crate) const LIMIT_CENTS: i64 = 5000;
const PERSON_LIMIT_CENTS: i64 = 50_000;
const WINDOW: TimeDelta = TimeDelta::hours(24);

/// The most charges of one request, as in the subscription service.
const MOST_CHARGES: usize = 500;

/// Decided; while `is_open`, the subscription service has not confirmed it yet.
pub(crate) const MADE: &str = "made";
/// For a second person.
pub(crate) const WAITING: &str = "waiting";
/// The second person refused.
pub(crate) const REFUSED: &str = "refused";
/// The subscription service refused.
const FAILED: &str = "failed";
/// Made before the network refused it or gave back a part, which are its cents now; a later row has the rest.
const REPEATED: &str = "repeated";

/// The action's name in the audit log.
pub(crate) const ACTION: &str = "refund.made";

/// Which charges, and why.
#[derive(Deserialize, ToSchema)]
pub(crate) struct RefundOrder {
    /// `ledger_id` of entries of the timeline.
    #[schema(min_items = 1, max_items = 500)]
    ledger_ids: BTreeSet<i64>,
    #[schema(min_length = 3, max_length = 256)]
    reason: String,
}

/// What became of a request.
#[derive(Clone, Copy, Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum RefundOutcome {
    /// The network was asked.
    Made,
    /// The subscription service does not answer: the network is asked when it does.
    Open,
    /// A second person decides.
    Waits,
    /// The second person refused.
    Refused,
}

/// What became of a request to give charges back.
#[derive(Serialize, ToSchema)]
pub(crate) struct RefundReply {
    state: RefundOutcome,
    /// How many charges, and their sum; without `refused`.
    charges: usize,
    cents: i64,
    /// Those that cannot be given back.
    refused: Vec<RefusedCharge>,
}

/// How far a charge is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum GivenBack {
    /// The network gave it back.
    Whole,
    /// The network gave a part back.
    Part,
    /// It is decided, and the network has not answered yet.
    OnItsWay,
    /// A second person decides.
    Waits,
}

impl GivenBack {
    /// Of a charge without a request that is open or waits.
    pub(crate) fn of(subscription: &Subscription, charge: &Charge) -> Option<Self> {
        let mut refunds = subscription.refunds_of(charge).peekable();
        refunds.peek()?;
        let is_pending = refunds.any(|refund| refund.status != "settled");
        let has_rest = subscription.open_cents(charge) > 0;
        Some(if is_pending {
            Self::OnItsWay
        } else if has_rest {
            Self::Part
        } else {
            Self::Whole
        })
    }

    /// Of the charges of a number with a request that is open or waits, by `ledger_id`.
    pub(crate) fn requested(conn: &mut DbConnection, number_id: i64) -> Result<BTreeMap<i64, Self>, Error> {
        let rows: Vec<(i64, String)> = refunds::table
            .filter(refunds::number_id.eq(number_id).and(refunds::state.eq(WAITING).or(refunds::is_open)))
            .select((refunds::ledger_id, refunds::state))
            .load(conn)?;
        let state = |state: String| if state == WAITING { Self::Waits } else { Self::OnItsWay };
        Ok(rows.into_iter().map(|(ledger_id, of)| (ledger_id, state(of))).collect())
    }
}

/// The cents that a person can still give back to a number without a second person.
pub(crate) fn left(conn: &mut DbConnection, number_id: i64, staff_id: i64, now: NaiveDateTime) -> Result<i64, Error> {
    let recent: Vec<(i64, i64, i64)> = refunds::table
        .filter(refunds::number_id.eq(number_id).or(refunds::staff_id.eq(staff_id)))
        .filter(refunds::state.eq_any([MADE, REPEATED]).and(refunds::at.gt(now - WINDOW)))
        .select((refunds::number_id, refunds::staff_id, refunds::cents))
        .load(conn)?;
    let (mut to_number, mut by_person) = (LIMIT_CENTS, PERSON_LIMIT_CENTS);
    for (to, by, cents) in recent {
        to_number -= if to == number_id { cents } else { 0 };
        by_person -= if by == staff_id { cents } else { 0 };
    }
    Ok(to_number.min(by_person).max(0))
}

/// Gives charges of the number back, or asks for a second person.
#[utoipa::path(
    post,
    path = "",
    params(("record" = String, Path, description = "`ref` of the record.")),
    request_body = RefundOrder,
    responses((status = 200, description = "What became of them.", body = RefundReply), NotFound, Conflict, Refused)
)]
pub(crate) async fn refund(
    support: Support,
    app: Data<App>,
    record: Path<String>,
    order: Json<RefundOrder>,
) -> Result<Json<RefundReply>, Error> {
    let Support(member) = support;
    let record = Record::open(&app, &member, &record).await?;
    let RefundOrder { ledger_ids, reason } = order.into_inner();
    let reason = checked_reason(&reason)?;
    if ledger_ids.is_empty() || ledger_ids.len() > MOST_CHARGES {
        return Err(Error::Field("ledger_ids", StaffText::new("count-of-charges").with("most", MOST_CHARGES)));
    }
    let account = record.account(&app, &member).await?;
    let request = Request::new(&account, ledger_ids, reason);
    let (actor, now) = (member.clone(), app.clock.now());
    let (choice, refused) = app.audited(move |conn| request.enter(conn, &actor, &record, now)).await?;
    let refused = refused.into_iter().map(|(ledger_id, why)| RefusedCharge { ledger_id, why: written(&why) }).collect();
    if choice.first.state == WAITING {
        return Ok(Json(choice.reply(RefundOutcome::Waits, refused)));
    }
    make(&app, &member, &choice, refused).await.map(Json)
}

/// A charge that can be given back.
struct Chosen {
    ledger_id: i64,
    /// What was not given back.
    cents: i64,
    day: String,
    service: String,
}

/// A charge that cannot be given back, and the cause.
type Refusal = (i64, StaffText);

struct Request {
    charges: Vec<Chosen>,
    refused: Vec<Refusal>,
    reason: String,
}

impl Request {
    fn new(account: &Account, ledger_ids: BTreeSet<i64>, reason: String) -> Self {
        let rows: BTreeMap<i64, (&Subscription, &Charge)> = account
            .subscriptions
            .iter()
            .flat_map(|of| of.charges.iter().map(move |charge| (charge.id, (of, charge))))
            .collect();
        let (mut charges, mut refused) = (Vec::new(), Vec::new());
        for ledger_id in ledger_ids {
            let row = rows.get(&ledger_id);
            match row.map(|(of, charge)| (of, charge, of.open_cents(charge))) {
                Some((of, charge, cents)) if cents > 0 => {
                    let (day, service) = (charge.day.clone(), of.service.clone());
                    charges.push(Chosen { ledger_id, cents, day, service });
                }
                Some((of, charge, _)) if GivenBack::of(of, charge).is_some() => {
                    refused.push((ledger_id, StaffText::new("charge-given-back")));
                }
                _ => refused.push((ledger_id, StaffText::new("charge-not-refundable"))),
            }
        }
        Self { charges, refused, reason }
    }

    /// Enters the charges as one choice, and its entry of the audit log. A charge keeps a request that is open or waits.
    fn enter(
        self,
        conn: &mut DbConnection,
        member: &Member,
        record: &Record,
        now: NaiveDateTime,
    ) -> Result<(Choice, Vec<Refusal>), Error> {
        let Self { mut charges, mut refused, reason } = self;
        let earlier = GivenBack::requested(conn, record.number_id)?;
        charges.retain(|charge| {
            let why = match earlier.get(&charge.ledger_id) {
                None => return true,
                Some(GivenBack::Waits) => StaffText::new("charge-waits"),
                Some(_) => StaffText::new("charge-given-back"),
            };
            refused.push((charge.ledger_id, why));
            false
        });
        if charges.is_empty() {
            let why = refused.pop().map_or_else(|| StaffText::new("charge-not-refundable"), |(_, why)| why);
            return Err(Error::NotPossible(why));
        }
        for Chosen { ledger_id, cents, .. } in &charges {
            diesel::update(refunds::table.filter(refunds::ledger_id.eq(ledger_id).and(refunds::state.eq(MADE))))
                .set((refunds::state.eq(REPEATED), refunds::cents.eq(refunds::cents - cents)))
                .execute(conn)?;
        }
        let cents: i64 = charges.iter().map(|charge| charge.cents).sum();
        let waits = cents > left(conn, record.number_id, member.id, now)?;
        let state = if waits { WAITING } else { MADE };
        let mut choice: Option<i64> = None;
        for Chosen { ledger_id, cents, day, service } in charges {
            let row = (
                (refunds::number_id.eq(record.number_id), refunds::ledger_id.eq(ledger_id), refunds::cents.eq(cents)),
                (refunds::reason.eq(&reason), refunds::state.eq(state), refunds::is_open.eq(!waits)),
                (refunds::staff_id.eq(member.id), refunds::staff.eq(&member.email), refunds::at.eq(now)),
                (refunds::choice.eq(choice), refunds::day.eq(day), refunds::service.eq(service)),
            );
            diesel::insert_into(refunds::table).values(row).execute(conn)?;
            if choice.is_none() {
                let first = refunds::table.filter(refunds::ledger_id.eq(ledger_id).and(refunds::state.eq(state)));
                choice = Some(first.select(refunds::id).first(conn)?);
            }
        }
        let choice = Choice::of_state(conn, state, choice)?.pop().ok_or(Error::NotFound)?;
        let action = if waits { "refund.requested" } else { ACTION };
        audit::append_of(conn, member, action, &record.subject(), &choice.details(), now)?;
        Ok((choice, refused))
    }
}

/// A refund that was requested.
#[derive(Clone, Queryable, Selectable)]
#[diesel(table_name = refunds)]
pub(crate) struct Row {
    id: i64,
    number_id: i64,
    pub(crate) ledger_id: i64,
    pub(crate) cents: i64,
    pub(crate) reason: String,
    state: String,
    pub(crate) staff_id: i64,
    pub(crate) staff: String,
    pub(crate) at: NaiveDateTime,
    decided_by: Option<String>,
    choice: Option<i64>,
    pub(crate) day: String,
    pub(crate) service: String,
}

/// Rows of a request: the first one, whose id is the request's, and the others.
#[diesel::dsl::auto_type]
pub(crate) fn of_choice(id: i64) -> _ {
    refunds::choice.eq(id).or(refunds::choice.is_null().and(refunds::id.eq(id)))
}

/// Refunds of one request.
pub(crate) struct Choice {
    pub(crate) id: i64,
    pub(crate) record: Record,
    pub(crate) first: Row,
    /// With the first.
    pub(crate) rows: Vec<Row>,
}

impl Choice {
    /// Those that wait or are open, oldest first; or the one of this id.
    pub(crate) fn of_state(conn: &mut DbConnection, state: &str, id: Option<i64>) -> Result<Vec<Self>, Error> {
        let mut rows = refunds::table
            .inner_join(numbers::table)
            .filter(refunds::state.eq(state).and(refunds::state.eq(WAITING).or(refunds::is_open)))
            .order(refunds::id)
            .select((Row::as_select(), numbers::msisdn))
            .into_boxed();
        if let Some(id) = id {
            rows = rows.filter(of_choice(id));
        }
        let mut choices: BTreeMap<i64, Self> = BTreeMap::new();
        for (row, msisdn) in rows.load::<(Row, String)>(conn)? {
            let id = row.choice.unwrap_or(row.id);
            match choices.get_mut(&id) {
                Some(choice) => choice.rows.push(row),
                None => {
                    let record = Record::new(row.number_id, &msisdn)?;
                    choices.insert(id, Self { id, record, first: row.clone(), rows: vec![row] });
                }
            }
        }
        Ok(choices.into_values().collect())
    }

    fn ledger_ids(&self) -> Vec<i64> {
        self.rows.iter().map(|row| row.ledger_id).collect()
    }

    pub(crate) fn cents(&self) -> i64 {
        self.rows.iter().map(|row| row.cents).sum()
    }

    /// As the audit log has it.
    pub(crate) fn details(&self) -> Value {
        json!({ "ledger": self.ledger_ids(), "cents": self.cents(), "reason": self.first.reason })
    }

    pub(crate) fn reply(&self, state: RefundOutcome, refused: Vec<RefusedCharge>) -> RefundReply {
        let made = self.rows.iter().filter(|row| refused.iter().all(|charge| charge.ledger_id != row.ledger_id));
        let (charges, cents) = made.fold((0, 0), |(charges, cents), row| (charges + 1, cents + row.cents));
        RefundReply { state, charges, cents, refused }
    }
}

/// Requests the refunds of an open choice; `refused` are the charges that have none.
pub(crate) async fn make(
    app: &App,
    member: &Member,
    choice: &Choice,
    mut refused: Vec<RefusedCharge>,
) -> Result<RefundReply, Error> {
    match request(app, member, choice).await {
        Ok(of_service) => {
            refused.extend(of_service);
            Ok(choice.reply(RefundOutcome::Made, refused))
        }
        Err(error @ Error::ServiceUnavailable(..)) => {
            // Its rows stay open.
            record_failure(app, member, &choice.record, ACTION, error).await;
            app.support_wake.notify_one();
            Ok(choice.reply(RefundOutcome::Open, refused))
        }
        Err(error) => Err(error),
    }
}

/// Calls the subscription service, and closes the choice; returns the charges that the service refuses.
async fn request(app: &App, member: &Member, choice: &Choice) -> Result<Vec<RefusedCharge>, Error> {
    let ids = choice.ledger_ids();
    let reply = app.subscription.refund(member, &ids, &choice.first.reason).await;
    let (refused, cause) = match &reply {
        Ok(reply) => (
            reply.refused.iter().map(|charge| charge.ledger_id).collect(),
            reply.refused.first().map(|of| of.why.clone()),
        ),
        Err(error @ Error::RefusedByService(_)) => (ids, Some(error.to_string())),
        Err(error) => return Err(error.clone()),
    };
    let all = refused.len() == choice.rows.len();
    let (id, subject, member, now) = (choice.id, choice.record.subject(), member.clone(), app.clock.now());
    let failure = json!({ "action": ACTION, "ledger": refused, "cause": cause });
    app.audited(move |conn| {
        let open = || refunds::table.filter(of_choice(id)).filter(refunds::is_open);
        diesel::update(open().filter(refunds::ledger_id.eq_any(&refused)))
            .set((refunds::state.eq(FAILED), refunds::is_open.eq(false)))
            .execute(conn)?;
        diesel::update(open()).set(refunds::is_open.eq(false)).execute(conn)?;
        if refused.is_empty() {
            return Ok(());
        }
        audit::append_of(conn, &member, "support.failed", &subject, &failure, now)
    })
    .await?;
    match reply?.refused {
        mut refused if all => Err(Error::RefusedByService(refused.pop().map(|charge| charge.why).unwrap_or_default())),
        refused => Ok(refused),
    }
}

/// Requests the open refunds again, each in the name of the person who decided about it; returns whether any is still open.
pub(crate) async fn continue_open(app: &App) -> Result<bool, Error> {
    let open = app
        .db
        .run(|conn| {
            let choices = Choice::of_state(conn, MADE, None)?;
            let with_member = choices.into_iter().map(|choice| Ok((decider(conn, &choice.first)?, choice)));
            with_member.collect::<Result<Vec<_>, Error>>()
        })
        .await?;
    let mut remaining = false;
    for (member, choice) in open {
        if let Err(error) = request(app, &member, &choice).await {
            tracing::warn!(error = %error, refund.id = choice.id, "open refunds were not made yet");
            remaining |= !matches!(error, Error::RefusedByService(_));
        }
    }
    Ok(remaining)
}

/// The second person, or the only one.
fn decider(conn: &mut DbConnection, row: &Row) -> Result<Member, Error> {
    let email = row.decided_by.clone().unwrap_or_else(|| row.staff.clone());
    let id = staff::table.filter(staff::email.eq(&email)).select(staff::id).first(conn).optional()?;
    let proved_at = NaiveDateTime::default();
    Ok(Member {
        id: id.unwrap_or(row.staff_id),
        email,
        name: String::new(),
        roles: Vec::new(),
        session_id: 0,
        proved_at,
    })
}
