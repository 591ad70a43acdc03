//! `POST /api/subscribe/notify/{network}`: a network tells us something. Kept as it came before anything else is done.

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Bytes, Data, Path},
};
use base64::{Engine, engine::general_purpose::STANDARD};
use brands::Brands;
use chrono::{DateTime, NaiveDateTime, Utc};
use diesel::prelude::*;
use identity::Msisdn;
use operator::{
    BillingEvent, HEADER_ID, HEADER_SIGNATURE, HEADER_TIMESTAMP, Notification, OptInEvent, StopEvent,
    SubscriptionEvent, SubscriptionStatus,
};
use serde_json::{Value, json};
use store::DbConnection;

use crate::{
    App, billing_events, clock, error::Error, life::Cause, network_word::Word, schema::notifications,
    subscriptions::Subscription, tries::Try,
};

/// The most of a header that is kept.
const MAX_HEADER: usize = 512;

/// What became of a notification.
#[derive(Clone, Copy)]
enum Outcome {
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
pub(crate) async fn take(
    app: Data<App>,
    network: Path<String>,
    req: HttpRequest,
    body: Bytes,
) -> Result<HttpResponse, Error> {
    let network = network.into_inner();
    if app.brands.network(&network).is_none() {
        return Err(Error::UnknownNetwork);
    }
    let header = |name: &str| {
        let text = req.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default();
        text.chars().take(MAX_HEADER).collect::<String>()
    };
    let envelope = Envelope {
        network,
        webhook_id: header(HEADER_ID),
        timestamp: header(HEADER_TIMESTAMP),
        signature: header(HEADER_SIGNATURE),
        received_at: clock::now(),
    };
    let (kept, text) = (envelope.clone(), printable(&body));
    let id = app.db.write(move |conn| kept.keep(conn, &text)).await?;
    let sent = app.notify_secret.verify(
        &envelope.webhook_id,
        &envelope.timestamp,
        &envelope.signature,
        &body,
        envelope.received_at.and_utc().timestamp(),
    );
    if let Err(error) = sent {
        tracing::warn!(notification.id = id, network.name = envelope.network, error = %error, "a notification was not believed");
        app.db.write(move |conn| conclude(conn, id, Outcome::Rejected)).await?;
        return Err(error.into());
    }
    let (brands, test_msisdn) = (app.brands.clone(), app.test_msisdn.clone());
    let outcome = app
        .db
        .write(move |conn| {
            if !accept(conn, id, &envelope)? {
                return Ok(Outcome::Duplicate);
            }
            let outcome = envelope.apply(conn, id, &brands, test_msisdn.as_ref(), &body)?;
            conclude(conn, id, outcome)?;
            Ok::<_, Error>(outcome)
        })
        .await;
    match outcome {
        Ok(Outcome::Duplicate) => app.db.write(move |conn| conclude(conn, id, Outcome::Duplicate)).await?,
        Ok(_) => app.outbox_bell.notify_one(),
        Err(error) => return Err(error),
    }
    Ok(HttpResponse::Ok().finish())
}

/// A notification without its body.
#[derive(Clone)]
struct Envelope {
    network: String,
    webhook_id: String,
    timestamp: String,
    signature: String,
    received_at: NaiveDateTime,
}

impl Envelope {
    fn keep(&self, conn: &mut DbConnection, body: &str) -> Result<i64, Error> {
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

    fn apply(
        &self,
        conn: &mut DbConnection,
        id: i64,
        brands: &Brands,
        test_msisdn: Option<&Msisdn>,
        body: &[u8],
    ) -> Result<Outcome, Error> {
        let notification = match Notification::parse(body) {
            Ok(notification) => notification,
            Err(error) => return Ok(self.not_understood(id, &error.to_string())),
        };
        let (number, svc_id) = match &notification {
            Notification::OptIn(event) => (&event.user_msisdn, event.svc_id),
            Notification::Subscription(event) => (&event.user_msisdn, event.svc_id),
            Notification::Billing(event) => (&event.subscription.user_msisdn, event.subscription.svc_id),
            Notification::Stop(event) => (&event.user_msisdn, event.svc_id),
        };
        let Ok(msisdn) = Msisdn::parse(number) else {
            return Ok(self.not_understood(id, "it names no South African mobile number"));
        };
        // A network speaks for the services it bills, and for no others.
        if brands.by_svc_id(svc_id).is_none_or(|brand| brand.network != self.network) {
            return Ok(self.not_understood(id, "it names no service of this network"));
        }
        if test_msisdn == Some(&msisdn) {
            return Ok(Outcome::Ignored);
        }
        let teller = Teller { envelope: self, id, brands, msisdn: &msisdn, svc_id };
        match &notification {
            Notification::OptIn(event) => teller.opt_in(conn, event),
            Notification::Subscription(event) => teller.subscription(conn, event),
            Notification::Billing(event) => teller.billing(conn, event),
            Notification::Stop(event) => teller.stop(conn, event),
        }
    }

    /// Kept, and shouted about; the network is told 200, because sending it again would not make it clearer.
    fn not_understood(&self, id: i64, cause: &str) -> Outcome {
        tracing::error!(notification.id = id, network.name = self.network, cause, "a notification was not understood");
        Outcome::NotUnderstood
    }
}

/// One believed notification about one number and service.
struct Teller<'a> {
    envelope: &'a Envelope,
    id: i64,
    brands: &'a Brands,
    msisdn: &'a Msisdn,
    svc_id: i32,
}

impl Teller<'_> {
    fn opt_in(&self, conn: &mut DbConnection, event: &OptInEvent) -> Result<Outcome, Error> {
        let this = self.try_named(conn, event.subscription_id.as_deref())?;
        let said = json!({ "reference": event.reference, "status": event.status, "id": event.network_subscription_id });
        self.word(this.as_ref(), event.network_subscription_id.as_deref(), event.decided_at, said).answered(
            conn,
            event.kind,
            event.status,
            &event.reference,
        )?;
        Ok(Outcome::Applied)
    }

    fn subscription(&self, conn: &mut DbConnection, event: &SubscriptionEvent) -> Result<Outcome, Error> {
        let cause = match event.status() {
            SubscriptionStatus::Active => {
                self.began(conn, event)?;
                return Ok(Outcome::Applied);
            }
            SubscriptionStatus::Churned => Cause::Churned,
            SubscriptionStatus::Cancelled => Cause::Stopped,
            SubscriptionStatus::Unknown(status_id) => {
                return Ok(self.envelope.not_understood(self.id, &format!("it has the unknown status_id {status_id}")));
            }
        };
        let said = json!({ "id": event.subscription_id, "status_id": event.status_id });
        self.word(None, Some(&event.subscription_id), event.updated_at, said).ended(
            conn,
            &event.subscription_id,
            cause,
        )?;
        Ok(Outcome::Applied)
    }

    fn began(&self, conn: &mut DbConnection, event: &SubscriptionEvent) -> Result<(), Error> {
        let this = match self.try_named(conn, event.partner_ref.as_deref())? {
            Some(this) => Some(this),
            // Some networks hand our own id back as theirs.
            None => self.try_named(conn, Some(&event.subscription_id))?,
        };
        let said = json!({ "id": event.subscription_id, "status_id": event.status_id, "ext_ref": event.ext_ref });
        let began_at = event.created_at.or(event.updated_at);
        let word = self.word(this.as_ref(), Some(&event.subscription_id), began_at, said);
        let confirms = match &this {
            Some(this) => this.decide(conn, operator::Answer::Confirmed, word.happened_at)?,
            None => false,
        };
        word.began(conn, &event.subscription_id, confirms)
    }

    fn billing(&self, conn: &mut DbConnection, event: &BillingEvent) -> Result<Outcome, Error> {
        // It may come before the event of the subscription it charged, which it carries with it.
        if event.subscription.status() == SubscriptionStatus::Active {
            self.began(conn, &event.subscription)?;
        }
        let subscription = Subscription::lock(conn, self.msisdn, self.svc_id, self.envelope.received_at)?;
        let billed_at = event.billed_at.or(event.subscription.last_billed_at);
        let billed_at = billed_at.map_or(self.envelope.received_at, |at| at.naive_utc());
        let new = billing_events::keep(conn, &self.envelope.network, subscription.id, self.id, event, billed_at)?;
        Ok(if new { Outcome::Applied } else { Outcome::Ignored })
    }

    fn stop(&self, conn: &mut DbConnection, event: &StopEvent) -> Result<Outcome, Error> {
        let said = json!({ "event": event.event, "id": event.network_subscription_id });
        self.word(None, event.network_subscription_id.as_deref(), event.at, said).stopped(conn)?;
        Ok(Outcome::Applied)
    }

    /// The try of ours that a notification names, if it is one of this number and service.
    fn try_named(&self, conn: &mut DbConnection, id: Option<&str>) -> Result<Option<Try>, Error> {
        let Some(id) = id else { return Ok(None) };
        let found = Try::of_number(conn, id, self.msisdn)?;
        Ok(found.filter(|(_, svc_id)| *svc_id == self.svc_id).map(|(this, _)| this))
    }

    fn word<'a>(
        &'a self,
        try_of: Option<&'a Try>,
        network_ref: Option<&'a str>,
        happened_at: Option<DateTime<Utc>>,
        mut said: Value,
    ) -> Word<'a> {
        if let Some(fields) = said.as_object_mut() {
            fields.insert("notification".to_owned(), self.id.into());
        }
        Word {
            brands: self.brands,
            network: &self.envelope.network,
            msisdn: self.msisdn,
            svc_id: self.svc_id,
            try_of,
            network_ref,
            happened_at: happened_at.map_or(self.envelope.received_at, |at| at.naive_utc()),
            said,
            now: self.envelope.received_at,
        }
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
