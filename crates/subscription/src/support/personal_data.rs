//! `/internal/persons/{msisdn}`: what the service knows of a number, and its erasure.
//!
//! The books have to stay answerable: a subscriber may ask for years why a charge was made, and an authority may, too. So subscriptions, charges
//! and consents stay, with the number, until their time is over (`upkeep::expired`, `ledger::partitions`); all else goes at once.

use actix_web::web::{Data, Json, Path};
use chrono::{NaiveDateTime, TimeDelta};
use diesel::prelude::*;
use identity::SubscriberId;
use serde::Serialize;
use service::{
    StaffText, SupportCaller,
    openapi::{Conflict, Refused},
};
use store::{
    DbConnection,
    personal_data::{self, Erased, Erasure, Keeping, Kept, PersonalData, PersonalTable},
};
use utoipa::ToSchema;

use crate::{
    App,
    error::Error,
    ledger::partitions::Retention,
    schema::ledger,
    subscribers::{attempts::NO_EVIDENCE, lifecycle::State, subscriptions::Subscription},
};

/// A session that has ended may write for a minute: the gateway reads its state that often.
const SESSION_GRACE: TimeDelta = TimeDelta::minutes(2);

const OF_SUBSCRIPTIONS: Option<&str> = Some("subscription_id IN (SELECT id FROM subscriptions WHERE msisdn = $1)");

/// Replaced by the values of these settings.
const LEDGER: &str = "LEDGER_MONTHS";
const EVENTS: &str = "EVENTS_MONTHS";

const BOOKS: StaffText = StaffText::new("why-books");
const EVIDENCE: StaffText = StaffText::new("why-evidence");

/// All tables with rows about persons. Each is below the tables that its rows are found by.
pub const TABLES: &[PersonalTable] = &[
    PersonalTable {
        name: "subscriptions",
        about: StaffText::new("data-subscriptions"),
        of_number: Some("msisdn = $1"),
        exported: &[
            "id",
            "msisdn",
            "svc_id",
            "state",
            "since",
            "left_at",
            "leave_said_at",
            "price_cents",
            "period",
            "generation",
            "reminder_day",
            "language",
            "network",
            "had_long_period:bool",
            "highest_price_cents",
            "free_until",
            "parts",
            "consent_id",
            "person",
            "person_since",
            "former_cents",
            "watched_day",
        ],
        internal: &[],
        erasure: Erasure::Changed("language = 'en', watched_day = ''"),
        kept: Some(Keeping { until: StaffText::new("until-ended"), why: StaffText::new("why-subscription") }),
    },
    PersonalTable {
        name: "tries",
        about: StaffText::new("data-tries"),
        of_number: OF_SUBSCRIPTIONS,
        exported: &[
            "id",
            "subscription_id",
            "kind",
            "status",
            "network",
            "reference",
            "label",
            "ext_ref",
            "page",
            "terms_version",
            "address",
            "agent",
            "created_at",
            "decided_at",
            "opened_at",
            "price_cents",
            "period",
            "wording",
            "wording_hash",
            "network_ref",
            "language",
            "free_days",
            "parts",
            "sim_swapped:bool",
            "translation",
            "continue_to",
            "price_source",
        ],
        // By it a browser opens its session.
        internal: &["browser_hash"],
        erasure: Erasure::DeletedWhereAndChanged(NO_EVIDENCE, "browser_hash = ''"),
        kept: Some(Keeping { until: StaffText::new("until-evidence"), why: EVIDENCE }),
    },
    PersonalTable {
        name: "consents",
        about: StaffText::new("data-consents"),
        of_number: OF_SUBSCRIPTIONS,
        exported: &["id", "subscription_id", "attempt", "at", "price_cents", "period", "parts"],
        internal: &[],
        erasure: Erasure::Untouched,
        kept: Some(Keeping { until: StaffText::new("until-subscription"), why: EVIDENCE }),
    },
    PersonalTable {
        name: "complaints",
        about: StaffText::new("data-complaints"),
        of_number: OF_SUBSCRIPTIONS,
        exported: &[
            "id",
            "subscription_id",
            "person",
            "charge_id",
            "charge_day",
            "cents",
            "channel",
            "outcome",
            "why",
            "at",
            "closed_at",
            "closed_by",
        ],
        internal: &[],
        erasure: Erasure::Untouched,
        kept: Some(Keeping { until: StaffText::new("until-subscription"), why: BOOKS }),
    },
    PersonalTable {
        name: "events",
        about: StaffText::new("data-events"),
        of_number: OF_SUBSCRIPTIONS,
        exported: &["id", "subscription_id", "at", "from_state", "to_state", "cause", "evidence"],
        internal: &[],
        erasure: Erasure::Untouched,
        kept: Some(Keeping { until: StaffText::new("until-evidence"), why: EVIDENCE }),
    },
    PersonalTable {
        name: "holds",
        about: StaffText::new("data-network-ids"),
        of_number: OF_SUBSCRIPTIONS,
        exported: &["id", "network", "network_ref", "subscription_id", "started_at", "ended_at", "ended_by"],
        internal: &[],
        erasure: Erasure::Untouched,
        kept: Some(Keeping { until: StaffText::new("until-subscription"), why: StaffText::new("why-network-id") }),
    },
    PersonalTable {
        name: "reminders",
        about: StaffText::new("data-reminders"),
        of_number: OF_SUBSCRIPTIONS,
        exported: &["id", "subscription_id", "at", "month"],
        internal: &[],
        erasure: Erasure::Untouched,
        kept: Some(Keeping { until: StaffText::new("until-evidence"), why: EVIDENCE }),
    },
    PersonalTable {
        name: "ledger",
        about: StaffText::new("data-ledger"),
        of_number: OF_SUBSCRIPTIONS,
        exported: &[
            "id",
            "subscription_id",
            "network",
            "day",
            "kind",
            "cents",
            "status",
            "charge_key",
            "network_ref",
            "attempts",
            "failures",
            "sent_at",
            "reason",
            "at",
            "refund_of",
            "made_by",
            "paid_until",
            "consent_id",
            "owed_cents",
        ],
        internal: &["pass", "claim", "asked", "ask_at", "unanswered"],
        erasure: Erasure::Untouched,
        kept: Some(Keeping { until: StaffText::new("until-month"), why: BOOKS }),
    },
    PersonalTable {
        name: "billing_events",
        about: StaffText::new("data-billing-events"),
        of_number: OF_SUBSCRIPTIONS,
        exported: &["id", "network", "billing_ref", "subscription_id", "cents", "result", "billed_at"],
        internal: &["notification_id"],
        erasure: Erasure::Untouched,
        kept: Some(Keeping { until: StaffText::new("until-books"), why: BOOKS }),
    },
    PersonalTable {
        name: "paid_before",
        about: StaffText::new("data-paid-before"),
        of_number: OF_SUBSCRIPTIONS,
        exported: &["subscription_id", "cents"],
        internal: &[],
        erasure: Erasure::Untouched,
        kept: Some(Keeping { until: StaffText::new("until-subscription"), why: BOOKS }),
    },
    PersonalTable {
        name: "surplus_charges",
        about: StaffText::new("data-surplus-charges"),
        of_number: Some("msisdn = $1"),
        exported: &["id", "network", "charge_key", "msisdn", "svc_id", "day", "cents", "found_at"],
        internal: &[],
        erasure: Erasure::Untouched,
        kept: Some(Keeping { until: StaffText::new("until-books"), why: BOOKS }),
    },
    PersonalTable {
        name: "outbox",
        about: StaffText::new("data-outbox"),
        of_number: Some("msisdn = $1"),
        exported: &[
            "id",
            "network",
            "kind",
            "body",
            "attempts",
            "next_at",
            "done_at",
            "msisdn",
            "created_at",
            "dead_at",
            "last_error",
            "message_key",
            "delivery",
            "delivery_reason",
            "delivery_at",
        ],
        internal: &["priority", "state_of"],
        erasure: Erasure::DeletedWhere("kind = 'sms' OR done_at IS NOT NULL"),
        kept: Some(Keeping { until: StaffText::new("until-accepted"), why: StaffText::new("why-outbox") }),
    },
    PersonalTable {
        name: "inbound_sms",
        about: StaffText::new("data-received"),
        of_number: Some("msisdn = $1"),
        exported: &[
            "id",
            "network",
            "network_ref",
            "msisdn",
            "sent_to",
            "text",
            "keyword",
            "language",
            "replied:bool",
            "sent_at",
            "received_at",
            "kept_until",
        ],
        internal: &[],
        erasure: Erasure::DeletedWhere("keyword NOT IN ('stop', 'stop_all', 'join', 'yes')"),
        kept: Some(Keeping { until: StaffText::new("until-three-years"), why: StaffText::new("why-received") }),
    },
    PersonalTable {
        name: "blocked_numbers",
        about: StaffText::new("data-blocked"),
        of_number: Some("msisdn = $1"),
        exported: &["msisdn", "reason", "made_by", "at"],
        internal: &[],
        erasure: Erasure::Untouched,
        kept: Some(Keeping { until: StaffText::new("until-unblocked"), why: StaffText::new("why-blocked") }),
    },
    PersonalTable {
        name: "notifications",
        about: StaffText::new("data-notifications"),
        of_number: None,
        exported: &[],
        internal: &[
            "id",
            "network",
            "webhook_id",
            "webhook_timestamp",
            "webhook_signature",
            "body",
            "received_at",
            "outcome",
            "accepted_key",
        ],
        erasure: Erasure::Untouched,
        kept: Some(Keeping { until: StaffText::new("until-handled"), why: StaffText::new("why-notifications") }),
    },
    PersonalTable {
        name: "listed_charges",
        about: StaffText::new("data-listed-charges"),
        of_number: None,
        exported: &[],
        internal: &[
            "network",
            "day",
            "charge_key",
            "msisdn",
            "svc_id",
            "cents",
            "at",
            "status",
            "network_ref",
            "of_key",
        ],
        erasure: Erasure::Untouched,
        kept: Some(Keeping { until: StaffText::new("until-30-days"), why: StaffText::new("why-listed-charges") }),
    },
];

/// What an erasure would leave, and what has to be done before it.
#[derive(Serialize, ToSchema)]
pub(crate) struct ErasurePreview {
    /// What has to be done first, in words; empty where the number can be erased.
    pub obstacles: Vec<String>,
    pub kept: Vec<Kept>,
}

/// Names the months of these settings.
fn with_months(kept: Vec<Kept>, retention: Retention) -> Vec<Kept> {
    let named = |text: String| {
        text.replace(LEDGER, &retention.ledger.to_string()).replace(EVENTS, &retention.events.to_string())
    };
    kept.into_iter().map(|kept| Kept { until: named(kept.until), ..kept }).collect()
}

/// What keeps a number from being erased now.
fn obstacles(
    conn: &mut DbConnection,
    app: &App,
    subscriptions: &[Subscription],
    now: NaiveDateTime,
) -> Result<Vec<StaffText>, Error> {
    let mut found = Vec::new();
    for subscription in subscriptions {
        let service = app.brands.by_svc_id(subscription.svc_id).map(|brand| brand.service.clone()).unwrap_or_default();
        match subscription.state {
            State::Active | State::Suspended => {
                found.push(StaffText::new("subscription-runs").with("service", service.as_str()));
            }
            State::Pending => found.push(StaffText::new("join-waits").with("service", service.as_str())),
            State::New | State::Cancelled => {}
        }
        if subscription.state == State::Cancelled
            && subscription.left_at.is_some_and(|left_at| left_at > now - SESSION_GRACE)
        {
            found.push(StaffText::new("just-ended").with("service", service));
        }
    }
    let ids: Vec<i64> = subscriptions.iter().map(|subscription| subscription.id).collect();
    let open: Vec<(String, String)> = ledger::table
        .filter(ledger::subscription_id.eq_any(ids))
        .filter(ledger::status.eq_any(["pending", "unknown"]).or(ledger::claim.is_not_null()))
        .order(ledger::id)
        .select((ledger::kind, ledger::day))
        .load(conn)?;
    found.extend(
        open.into_iter().map(|(kind, day)| StaffText::new("row-without-outcome").with("kind", kind).with("day", day)),
    );
    Ok(found)
}

/// All that this service knows of a number.
#[utoipa::path(
    get,
    path = "",
    params(("msisdn" = service::schema::Name, Path, description = "The number, in any spelling.", example = "0812345678")),
    responses((status = 200, description = "The rows of every table with rows about persons.", body = PersonalData), Refused)
)]
pub(crate) async fn get_personal_data(
    _: SupportCaller,
    app: Data<App>,
    msisdn: Path<String>,
) -> Result<Json<PersonalData>, Error> {
    let msisdn = SubscriberId::parse(&msisdn)?;
    let language = service::staff_language();
    let data = app.db.run(move |conn| personal_data::export(conn, TABLES, msisdn.as_str(), language)).await?;
    data.map(Json).ok_or(Error::TooManyRows)
}

/// What an erasure of a number would leave, and what has to be done before it.
#[utoipa::path(
    get,
    path = "",
    params(("msisdn" = service::schema::Name, Path, description = "The number, in any spelling.", example = "0812345678")),
    responses((status = 200, description = "Nothing is changed.", body = ErasurePreview), Refused)
)]
pub(crate) async fn preview_erasure(
    _: SupportCaller,
    app: Data<App>,
    msisdn: Path<String>,
) -> Result<Json<ErasurePreview>, Error> {
    let (msisdn, app, now) = (SubscriberId::parse(&msisdn)?, app.get_ref().clone(), app.clock.now());
    let (db, retention, language) = (app.db.clone(), app.retention, service::staff_language());
    let preview = db
        .run(move |conn| {
            let subscriptions = Subscription::all_of_number(conn, &msisdn)?;
            Ok::<_, Error>(ErasurePreview {
                obstacles: obstacles(conn, &app, &subscriptions, now)?.iter().map(|text| text.text(language)).collect(),
                kept: with_months(personal_data::kept(conn, TABLES, msisdn.as_str(), language)?, retention),
            })
        })
        .await?;
    Ok(Json(preview))
}

/// Erases what this service knows of a number, except for what the books need. Repeating the call changes nothing.
#[utoipa::path(
    delete,
    path = "",
    params(("msisdn" = service::schema::Name, Path, description = "The number, in any spelling.", example = "0812345678")),
    responses((status = 200, description = "What was erased, and what stays.", body = Erased), Conflict, Refused)
)]
pub(crate) async fn erase(caller: SupportCaller, app: Data<App>, msisdn: Path<String>) -> Result<Json<Erased>, Error> {
    let (msisdn, app, now) = (SubscriberId::parse(&msisdn)?, app.get_ref().clone(), app.clock.now());
    let (db, retention, number) = (app.db.clone(), app.retention, msisdn.clone());
    let language = service::staff_language();
    let erased = db
        .write(move |conn| {
            let mut subscriptions = Vec::new();
            for subscription in Subscription::all_of_number(conn, &msisdn)? {
                // Waits for confirmations and charges that are being applied.
                subscriptions.extend(Subscription::lock_by_id(conn, subscription.id)?);
            }
            let obstacles = obstacles(conn, &app, &subscriptions, now)?;
            let both = |first: StaffText, second: StaffText| {
                StaffText::new("two-texts").with("first", first).with("second", second)
            };
            if let Some(text) = obstacles.into_iter().reduce(both) {
                return Err(Error::NotErasable(text));
            }
            Ok(personal_data::erase(conn, TABLES, msisdn.as_str(), language)?)
        })
        .await?;
    tracing::info!(msisdn = %number, staff.name = caller.name(), rows.deleted = erased.deleted, "a number's data is erased");
    Ok(Json(Erased { kept: with_months(erased.kept, retention), ..erased }))
}
