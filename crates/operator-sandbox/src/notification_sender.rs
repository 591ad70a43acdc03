//! Signs and sends notifications until each was answered with success; those about one number in their order, others side
//! by side. One that failed waits, and is overtaken by those after it.

use std::{
    collections::BTreeMap,
    sync::{Arc, Weak},
    time::Duration,
};

use futures_util::{StreamExt, stream};
use operator::{HEADER_ID, HEADER_SIGNATURE, HEADER_TIMESTAMP, NotifyKeys};
use reqwest::{Client, header::CONTENT_TYPE};
use service::{Clock, StartError};
use store::{Db, DbConnection};
use tokio::sync::Notify;

use crate::{App, Config, NAME, error::Error, faults::Faults, misbehaviour::Misbehaviours, notifications::Undelivered};

/// How often the table is read where nothing wakes the sender.
const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// How long the other side may take to answer.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Numbers whose notifications are sent at the same time.
const CONCURRENCY: usize = 16;

/// Sends as long as the sandbox runs.
pub(crate) struct NotificationSender {
    db: Db,
    http: Client,
    address: String,
    keys: NotifyKeys,
    faults: Arc<Faults>,
    misbehaviours: Arc<Misbehaviours>,
    wake: Arc<Notify>,
    alive: Weak<()>,
}

impl NotificationSender {
    /// Starts it as a task of the server.
    pub fn start(app: &App, config: &Config) -> Result<(), StartError> {
        let setting = |name: &str, cause: &dyn std::fmt::Display| StartError::Setting(format!("{name}: {cause}"));
        let address = url::Url::parse(&config.notify_url).map_err(|error| setting("NOTIFY_URL", &error))?;
        let sender = Self {
            db: app.db.clone(),
            http: service::client_for(address.as_str())
                .timeout(TIMEOUT)
                // Before the other side closes it (our services after 5 s): nothing is written into a connection that is closing.
                .pool_idle_timeout(Duration::from_secs(4))
                .build()
                .map_err(|error| StartError::other(NAME, error))?,
            address: address.as_str().trim_end_matches('/').to_owned(),
            keys: NotifyKeys::parse(&config.notify_secret).map_err(|error| setting("NOTIFY_SECRET", &error))?,
            faults: app.faults.clone(),
            misbehaviours: app.misbehaviours.clone(),
            wake: app.wake.clone(),
            alive: Arc::downgrade(&app.alive),
        };
        actix_web::rt::spawn(sender.run());
        Ok(())
    }

    async fn run(self) {
        while self.alive.strong_count() > 0 {
            match self.deliver_due().await {
                Ok(0) => {}
                Ok(_) => continue,
                Err(error) => tracing::error!(error = %error, "notifications could not be read or marked"),
            }
            tokio::select! {
                () = self.wake.notified() => {}
                () = tokio::time::sleep(POLL_INTERVAL) => {}
            }
        }
    }

    /// One round; how many were due.
    async fn deliver_due(&self) -> Result<usize, Error> {
        let due = self.db.run(Undelivered::due).await?;
        let count = due.len();
        if count == 0 {
            return Ok(0);
        }
        let mut of_number: BTreeMap<String, Vec<Undelivered>> = BTreeMap::new();
        for one in due {
            of_number.entry(one.msisdn.clone()).or_default().push(one);
        }
        let outcomes: Vec<Vec<(Undelivered, bool)>> = stream::iter(of_number.into_values())
            .map(|notifications| self.deliver_in_order(notifications))
            .buffer_unordered(CONCURRENCY)
            .collect()
            .await;
        let mark = move |conn: &mut DbConnection| {
            let (delivered, failed): (Vec<_>, Vec<_>) =
                outcomes.into_iter().flatten().partition(|(_, delivered)| *delivered);
            Undelivered::delivered(conn, &delivered.iter().map(|(one, _)| one.id).collect::<Vec<_>>())?;
            failed.iter().try_for_each(|(one, _)| one.postpone(conn))
        };
        self.db.write(mark).await?;
        Ok(count)
    }

    async fn deliver_in_order(&self, notifications: Vec<Undelivered>) -> Vec<(Undelivered, bool)> {
        let mut outcomes = Vec::with_capacity(notifications.len());
        for due in notifications {
            let delivered = match self.deliver(&due).await {
                // Delivered, but its answer is lost: it is sent again under the same id.
                Ok(()) => !due.loses_first_answer() && !self.faults.lose_reply(),
                Err(cause) => {
                    tracing::warn!(
                        notification.id = due.id,
                        notification.attempts = due.attempts,
                        cause,
                        "a notification was not delivered"
                    );
                    false
                }
            };
            outcomes.push((due, delivered));
        }
        outcomes
    }

    async fn deliver(&self, due: &Undelivered) -> Result<(), String> {
        let misbehaviour = self.misbehaviours.of(&due.network);
        let body = misbehaviour.with_times(&due.body);
        self.send(due, &due.webhook_id, &body).await?;
        if misbehaviour.repeat_notifications {
            self.send(due, &format!("{}-again", due.webhook_id), &body).await?;
        }
        Ok(())
    }

    async fn send(&self, due: &Undelivered, webhook_id: &str, body: &str) -> Result<(), String> {
        let sent = Clock::system_now().and_utc().timestamp();
        let reply = self
            .http
            .post(format!("{}/api/subscribe/notify/{}", self.address, due.network))
            .header(CONTENT_TYPE, if body.starts_with('<') { "text/xml; charset=utf-8" } else { "application/json" })
            .header(HEADER_ID, webhook_id)
            .header(HEADER_TIMESTAMP, sent)
            .header(HEADER_SIGNATURE, self.keys.signing.sign(webhook_id, sent, body.as_bytes()))
            .body(body.to_owned())
            .send()
            .await
            .map_err(|error| error.to_string())?;
        if reply.status().is_success() { Ok(()) } else { Err(format!("answered {}", reply.status())) }
    }
}
