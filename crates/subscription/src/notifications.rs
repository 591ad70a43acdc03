//! `POST /api/subscribe/notify/{network}`: a network tells us something. Kept as it came before anything else is done.

mod apply;

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Bytes, Data, Path},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use operator::{HEADER_ID, HEADER_SIGNATURE, HEADER_TIMESTAMP, NotUnderstood, Notification};
use store::DbConnection;
use web::{Clock, openapi::NotFound};

use crate::{App, crash, error::Error, figures, schema::notifications, terms::Terms};

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
    params(("network" = web::schema::Name, Path, description = "Which network speaks, as `brands.toml` names it.", example = "sandbox-pull")),
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
    let told = app.networks.of(&network)?.understand(&body);
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
    // A burst waits its turn here, where waiting is free, and not for a connection, where it ends after seconds.
    let _turn = app.notification_turns.acquire().await.map_err(|_| Error::Stopping)?;
    let (kept, text) = (envelope.clone(), printable(&body));
    let id = app.db.write(move |conn| kept.keep(conn, &text)).await?;
    crash::point("notification.kept");
    let sent = app.notify_secret.verify(
        &envelope.webhook_id,
        &envelope.timestamp,
        &envelope.signature,
        &body,
        Clock::system_now().and_utc().timestamp(),
    );
    if let Err(error) = sent {
        tracing::warn!(notification.id = id, network.name = envelope.network, error = %error, "a notification was not believed");
        app.db.write(move |conn| conclude(conn, id, Outcome::Rejected)).await?;
        figures::notified(&envelope.network, Outcome::Rejected.as_str(), None);
        return Err(error.into());
    }
    let (terms, network) = (app.terms.clone(), envelope.network.clone());
    let lag = told.as_ref().ok().and_then(Notification::happened_at).map(|at| envelope.received_at - at.naive_utc());
    let outcome = app.db.write(move |conn| envelope.believe(conn, id, &terms, told)).await;
    crash::point("notification.applied");
    let outcome = outcome?;
    figures::notified(&network, outcome.as_str(), lag.filter(|_| outcome == Outcome::Applied));
    if outcome != Outcome::Duplicate {
        app.ring();
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

    /// Lets a kept notification have its effect, once however many copies there are of it.
    pub(crate) fn believe(
        &self,
        conn: &mut DbConnection,
        id: i64,
        terms: &Terms,
        told: Result<Notification, NotUnderstood>,
    ) -> Result<Outcome, Error> {
        let outcome = if accept(conn, id, self)? { self.apply(conn, id, terms, told)? } else { Outcome::Duplicate };
        conclude(conn, id, outcome)?;
        Ok(outcome)
    }
}

/// Claims the webhook's id for this copy; false if another copy was believed before.
///
/// A copy that is being applied in this instant makes ours wait, and then find it.
fn accept(conn: &mut DbConnection, id: i64, envelope: &Envelope) -> Result<bool, Error> {
    let key = format!("{}/{}", envelope.network, envelope.webhook_id);
    let known = diesel::dsl::exists(notifications::table.filter(notifications::accepted_key.eq(&key)));
    if diesel::select(known).get_result(conn)? {
        return Ok(false);
    }
    let claimed = diesel::update(notifications::table.find(id)).set(notifications::accepted_key.eq(&key));
    match conn.transaction(|conn| claimed.execute(conn)) {
        Ok(_) => Ok(true),
        Err(diesel::result::Error::DatabaseError(diesel::result::DatabaseErrorKind::UniqueViolation, _)) => Ok(false),
        Err(error) => Err(error.into()),
    }
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
