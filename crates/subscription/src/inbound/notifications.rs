//! `POST /api/subscribe/notify/{network}`: a network's webhook. It is stored unchanged before it is processed.

mod apply;

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Bytes, Data, Path},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use operator::{HEADER_ID, HEADER_SIGNATURE, HEADER_TIMESTAMP, InvalidNotification, Notification};
use service::{
    Clock,
    openapi::{Forbidden, NotFound},
};
use sha2::{Digest, Sha256};
use store::DbConnection;

use crate::{
    App,
    billing::lease,
    error::Error,
    inbound::network_clocks,
    joins::{
        opt_in::{self, PageRequest},
        visitor::Visitor,
    },
    schema::notifications,
    subscribers::{crash, metrics, policy::Policy},
};

/// The longest stored header value.
const MAX_HEADER: usize = 512;

/// The outcome of a notification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Stored, not processed yet.
    Received,
    /// Without a valid signature, or outside the time window.
    Rejected,
    /// A copy of one that was accepted before.
    Duplicate,
    /// Its effect is committed.
    Applied,
    /// Accepted, without effect.
    Ignored,
    /// Accepted, but unreadable: staff have to look at it.
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

/// The result of a notification.
pub(crate) struct Processed {
    pub outcome: Outcome,
    /// The subscriptions that it is about.
    pub subscriptions: Vec<i64>,
    /// A page of the network that it asks for.
    pub page_for: Option<Box<PageRequest>>,
}

impl Processed {
    const fn of(outcome: Outcome) -> Self {
        Self { outcome, subscriptions: Vec::new(), page_for: None }
    }
}

/// Receives a notification. After a 200 the network need not repeat it.
#[utoipa::path(
    post,
    path = "",
    params(("network" = service::schema::Name, Path, description = "The network's name in `brands.toml`.", example = "sandbox-pull")),
    request_body(content = Object, description = "An event in the network's format. The body is stored unchanged before it is processed."),
    responses((status = 200, description = "Stored, or already known. It need not be repeated."), Forbidden, NotFound)
)]
pub(crate) async fn receive(
    app: Data<App>,
    network: Path<String>,
    visitor: Visitor,
    req: HttpRequest,
    body: Bytes,
) -> Result<HttpResponse, Error> {
    let network = network.into_inner();
    let link = app.networks.get(&network)?;
    let addresses = app.brands.network(&network).and_then(|network| network.notify_addresses.clone());
    if addresses.is_some_and(|addresses| !visitor.address.parse().is_ok_and(|address| addresses.contain(address))) {
        tracing::warn!(network.name = network, "a notification comes from an address that its network does not have");
        metrics::notified(&network, Outcome::Rejected.as_str(), None);
        return Err(Error::NotFromNetwork);
    }
    let header = |name: &str| {
        let text = req.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        text.chars().take(MAX_HEADER).collect::<String>()
    };
    let mut headers = NotificationHeaders {
        network,
        webhook_id: header(HEADER_ID),
        timestamp: header(HEADER_TIMESTAMP),
        signature: header(HEADER_SIGNATURE),
        received_at: app.clock.now(),
        sends_sms: true,
    };
    // Verified before anything is stored: unsigned requests must not fill the tables.
    let now = Clock::system_now().and_utc().timestamp();
    let signed = link.keys.verify(&headers.webhook_id, &headers.timestamp, &headers.signature, &body, now);
    // A sender may prove itself within the message, too; the token's nonce names it then.
    let named = link.operator.sender_token(&body).filter(|_| signed.is_err() && headers.signature.is_empty());
    if let Some(name) = &named {
        headers.webhook_id.clone_from(name);
    }
    if let (Err(error), None) = (signed, named) {
        tracing::warn!(network.name = headers.network, error = %error, "a notification is not signed by its network");
        metrics::notified(&headers.network, Outcome::Rejected.as_str(), None);
        return Err(error.into());
    }
    let parsed = link.operator.parse_notification(&body);
    let acknowledgement = link.operator.acknowledgement(&body);
    let may_end = parsed.as_ref().is_ok_and(apply::may_end);
    // A burst waits here, without limit, and not for a database connection, which times out after seconds.
    let slot = app.notification_slots.acquire().await.map_err(|_| Error::Stopping)?;
    let (stored, text) = (headers.clone(), body_as_text(&body));
    let lag = parsed.as_ref().ok().and_then(Notification::happened_at).map(|at| headers.received_at - at.naive_utc());
    let insert = move |conn: &mut DbConnection| {
        let id = stored.insert(conn, &text)?;
        if let Some(lag) = lag {
            network_clocks::record(conn, &stored.network, id, lag)?;
        }
        Ok::<_, Error>((id, network_clocks::offset(conn, &stored.network)?))
    };
    let (id, clock_offset) = app.db.write(insert).await?;
    network_clocks::check(&headers.network, clock_offset, headers.received_at);
    crash::point("notification.kept");
    let (policy, network) = (app.policy.clone(), headers.network.clone());
    let processed = app.db.write(move |conn| headers.process(conn, id, &policy, parsed)).await;
    crash::point("notification.applied");
    let Processed { outcome, subscriptions, page_for } = processed?;
    drop(slot);
    metrics::notified(&network, outcome.as_str(), lag.filter(|_| outcome == Outcome::Applied));
    if outcome != Outcome::Duplicate {
        app.wake();
    }
    if may_end {
        lease::wait_until_unclaimed(&app.db, subscriptions).await?;
    }
    if let Some(request) = page_for {
        opt_in::send_page_by_sms(&app, *request).await?;
    }
    Ok(match acknowledgement {
        Some(xml) => HttpResponse::Ok().content_type("text/xml; charset=utf-8").body(xml),
        None => HttpResponse::Ok().finish(),
    })
}

/// A notification without its body.
#[derive(Clone, Default)]
pub(crate) struct NotificationHeaders {
    pub network: String,
    pub webhook_id: String,
    pub timestamp: String,
    pub signature: String,
    pub received_at: NaiveDateTime,
    /// Whether the subscriber gets an SMS about a state change.
    pub sends_sms: bool,
}

impl NotificationHeaders {
    /// Stores it unchanged; returns its id.
    pub(crate) fn insert(&self, conn: &mut DbConnection, body: &str) -> Result<i64, Error> {
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

    /// Applies a stored notification once, however many copies arrive.
    pub(crate) fn process(
        &self,
        conn: &mut DbConnection,
        id: i64,
        policy: &Policy,
        parsed: Result<Notification, InvalidNotification>,
    ) -> Result<Processed, Error> {
        let processed = if claim_webhook_id(conn, id, self)? {
            self.apply(conn, Some(id), policy, parsed)?
        } else {
            Processed::of(Outcome::Duplicate)
        };
        let outcome = notifications::outcome.eq(processed.outcome.as_str());
        diesel::update(notifications::table.find(id)).set(outcome).execute(conn)?;
        Ok(processed)
    }
}

/// Claims the webhook id for this copy; false if a copy with the same body was applied before. Another body under a used id is
/// another notification.
///
/// The unique index makes this wait for a copy that is being applied at the same time.
fn claim_webhook_id(conn: &mut DbConnection, id: i64, headers: &NotificationHeaders) -> Result<bool, Error> {
    let body: String = notifications::table.find(id).select(notifications::body).first(conn)?;
    let mut key = format!("{}/{}", headers.network, headers.webhook_id);
    if let Some(known) = body_of(conn, &key)? {
        // A nonce counts once, whatever comes with it.
        if known == body || headers.signature.is_empty() {
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
        // Another copy claimed the id meanwhile; if its body differs, the network's retry of this one succeeds.
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

/// The body of the notification that was accepted under this key.
fn body_of(conn: &mut DbConnection, key: &str) -> Result<Option<String>, Error> {
    let accepted = notifications::table.filter(notifications::accepted_key.eq(key));
    Ok(accepted.select(notifications::body).first(conn).optional()?)
}

/// The body as text; in base64 where it is no text that a database can store.
fn body_as_text(body: &[u8]) -> String {
    match std::str::from_utf8(body) {
        Ok(text) if !text.contains('\0') => text.to_owned(),
        _ => format!("base64:{}", STANDARD.encode(body)),
    }
}
