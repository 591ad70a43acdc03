//! `POST /api/subscribe/notify/{network}`: a network tells us something. Kept as it came before anything else is done.

mod apply;

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Bytes, Data, Path},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use operator::{HEADER_ID, HEADER_SIGNATURE, HEADER_TIMESTAMP, InvalidNotification, Notification};
use service::{Clock, openapi::NotFound};
use sha2::{Digest, Sha256};
use store::DbConnection;

use crate::{
    App,
    billing::lease,
    crash,
    error::Error,
    figures,
    schema::{billing_events, notifications},
    terms::Terms,
};

/// Notifications deleted in one transaction.
const DELETED_AT_ONCE: i64 = 1000;

/// The most of a header that is kept.
const MAX_HEADER: usize = 512;

/// What became of a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Kept, and nothing done with it yet.
    Received,
    /// Not signed by its network, or outside the window.
    Rejected,
    /// A copy of one that was believed before.
    Duplicate,
    /// Its effect is in the tables.
    Applied,
    /// Believed, and of no effect here.
    Ignored,
    /// Believed, and not understood: somebody has to look.
    NotUnderstood,
}

impl Outcome {
    fn as_str(self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Rejected => "rejected",
            Self::Duplicate => "duplicate",
            Self::Applied => "applied",
            Self::Ignored => "ignored",
            Self::NotUnderstood => "not_understood",
        }
    }
}

/// Takes a notification. 200 means it need not be sent again.
#[utoipa::path(
    post,
    path = "",
    params(("network" = service::schema::Name, Path, description = "Which network speaks, as `brands.toml` names it.", example = "sandbox-pull")),
    request_body(content = Object, description = "An event as the network writes it; kept as it came before anything else is done."),
    responses((status = 200, description = "Taken, or known already; it need not be sent again."), NotFound)
)]
pub(crate) async fn take(
    app: Data<App>,
    network: Path<String>,
    req: HttpRequest,
    body: Bytes,
) -> Result<HttpResponse, Error> {
    let network = network.into_inner();
    let link = app.networks.link(&network)?;
    let header = |name: &str| {
        let text = req.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        text.chars().take(MAX_HEADER).collect::<String>()
    };
    let envelope = Envelope {
        network,
        webhook_id: header(HEADER_ID),
        timestamp: header(HEADER_TIMESTAMP),
        signature: header(HEADER_SIGNATURE),
        received_at: app.clock.now(),
    };
    // Looked at before anything is stored: what any stranger can send must not fill the tables.
    let now = Clock::system_now().and_utc().timestamp();
    let signed = link.keys.verify(&envelope.webhook_id, &envelope.timestamp, &envelope.signature, &body, now);
    if let Err(error) = signed {
        tracing::warn!(network.name = envelope.network, error = %error, "a notification is not signed by its network");
        figures::notified(&envelope.network, Outcome::Rejected.as_str(), None);
        return Err(error.into());
    }
    let told = link.operator.understand(&body);
    let ends = told.as_ref().is_ok_and(apply::may_end);
    // A burst waits its turn here, where waiting is free, and not for a connection, where it ends after seconds.
    let turn = app.notification_turns.acquire().await.map_err(|_| Error::Stopping)?;
    let (kept, text) = (envelope.clone(), printable(&body));
    let id = app.db.write(move |conn| kept.keep(conn, &text)).await?;
    crash::point("notification.kept");
    let (terms, network) = (app.terms.clone(), envelope.network.clone());
    let lag = told.as_ref().ok().and_then(Notification::happened_at).map(|at| envelope.received_at - at.naive_utc());
    let outcome = app.db.write(move |conn| envelope.believe(conn, id, &terms, told)).await;
    crash::point("notification.applied");
    let (outcome, subscriptions) = outcome?;
    drop(turn);
    figures::notified(&network, outcome.as_str(), lag.filter(|_| outcome == Outcome::Applied));
    if outcome != Outcome::Duplicate {
        app.wake();
    }
    if ends {
        lease::wait_until_nothing_is_sent(&app.db, subscriptions).await?;
    }
    Ok(HttpResponse::Ok().finish())
}

/// A notification without its body.
#[derive(Clone)]
pub(crate) struct Envelope {
    pub network: String,
    pub webhook_id: String,
    pub timestamp: String,
    pub signature: String,
    pub received_at: NaiveDateTime,
}

impl Envelope {
    /// Keeps it as it came; its id.
    pub(crate) fn keep(&self, conn: &mut DbConnection, body: &str) -> Result<i64, Error> {
        Ok(diesel::insert_into(notifications::table)
            .values((
                notifications::network.eq(&self.network),
                notifications::webhook_id.eq(&self.webhook_id),
                notifications::webhook_timestamp.eq(&self.timestamp),
                notifications::webhook_signature.eq(&self.signature),
                notifications::body.eq(body),
                notifications::received_at.eq(self.received_at),
                notifications::outcome.eq(Outcome::Received.as_str()),
            ))
            .returning(notifications::id)
            .get_result(conn)?)
    }

    /// Lets a kept notification have its effect, once however many copies there are of it; what became of it, and the
    /// subscriptions that it is about.
    pub(crate) fn believe(
        &self,
        conn: &mut DbConnection,
        id: i64,
        terms: &Terms,
        told: Result<Notification, InvalidNotification>,
    ) -> Result<(Outcome, Vec<i64>), Error> {
        let applied =
            if accept(conn, id, self)? { self.apply(conn, id, terms, told)? } else { (Outcome::Duplicate, Vec::new()) };
        conclude(conn, id, applied.0)?;
        Ok(applied)
    }
}

/// Claims the webhook's id for this copy; false if a copy with the same body was applied before. Another body under a used id is
/// another notification.
///
/// A copy that is being applied in this instant makes ours wait, and then find it.
fn accept(conn: &mut DbConnection, id: i64, envelope: &Envelope) -> Result<bool, Error> {
    let body: String = notifications::table.find(id).select(notifications::body).first(conn)?;
    let mut key = format!("{}/{}", envelope.network, envelope.webhook_id);
    if let Some(known) = body_of(conn, &key)? {
        if known == body {
            return Ok(false);
        }
        key = format!("{key}/{}", hex::encode(Sha256::digest(&body)));
        if body_of(conn, &key)?.is_some() {
            return Ok(false);
        }
    }
    let claimed = diesel::update(notifications::table.find(id)).set(notifications::accepted_key.eq(&key));
    match conn.transaction(|conn| claimed.execute(conn)) {
        Ok(_) => Ok(true),
        // Another copy took the id since we looked; where its body is another one, the network sends ours again.
        Err(diesel::result::Error::DatabaseError(diesel::result::DatabaseErrorKind::UniqueViolation, _)) => {
            match body_of(conn, &key)? {
                Some(known) if known != body => {
                    Err(Error::Store(store::Error::Query("a webhook id was used twice at once".to_owned())))
                }
                _ => Ok(false),
            }
        }
        Err(error) => Err(error.into()),
    }
}

/// The body of the notification that was accepted under a key.
fn body_of(conn: &mut DbConnection, key: &str) -> Result<Option<String>, Error> {
    let accepted = notifications::table.filter(notifications::accepted_key.eq(key));
    Ok(accepted.select(notifications::body).first(conn).optional()?)
}

/// Deletes notifications of before `until` whose effect is long in the tables, a page of them; how many. Those that a person has to
/// look at stay.
pub(crate) fn delete_applied(conn: &mut DbConnection, until: NaiveDateTime) -> Result<usize, Error> {
    let old = notifications::table
        .filter(notifications::outcome.eq_any([
            Outcome::Applied.as_str(),
            Outcome::Duplicate.as_str(),
            Outcome::Ignored.as_str(),
            Outcome::Rejected.as_str(),
        ]))
        .filter(notifications::received_at.lt(until))
        .filter(diesel::dsl::not(diesel::dsl::exists(
            billing_events::table.filter(billing_events::notification_id.eq(notifications::id)),
        )))
        .order(notifications::id)
        .limit(DELETED_AT_ONCE)
        .select(notifications::id);
    let old: Vec<i64> = old.load(conn)?;
    Ok(diesel::delete(notifications::table.filter(notifications::id.eq_any(&old))).execute(conn)?)
}

fn conclude(conn: &mut DbConnection, id: i64, outcome: Outcome) -> Result<(), Error> {
    diesel::update(notifications::table.find(id)).set(notifications::outcome.eq(outcome.as_str())).execute(conn)?;
    Ok(())
}

/// The body as text; one that no database keeps as text, in base64.
fn printable(body: &[u8]) -> String {
    match std::str::from_utf8(body) {
        Ok(text) if !text.contains('\0') => text.to_owned(),
        _ => format!("base64:{}", STANDARD.encode(body)),
    }
}
