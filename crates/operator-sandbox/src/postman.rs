//! The postman: signs and delivers notifications, one after the other, until each was answered with success.

use std::{
    sync::{Arc, Weak},
    time::Duration,
};

use operator::{HEADER_ID, HEADER_SIGNATURE, HEADER_TIMESTAMP, NotifySecret};
use reqwest::{Client, header::CONTENT_TYPE};
use store::Db;
use tokio::sync::Notify;
use web::StartError;

use crate::{App, Config, NAME, app::now, error::Error, notifications::Undelivered};

/// How often the postman looks when nobody rings.
const ROUND: Duration = Duration::from_millis(500);

/// How long the other side may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Delivers as long as the sandbox lives.
pub(crate) struct Postman {
    db: Db,
    http: Client,
    address: String,
    secret: NotifySecret,
    bell: Arc<Notify>,
    alive: Weak<()>,
}

impl Postman {
    /// Sets one going beside the server.
    pub fn start(app: &App, config: &Config) -> Result<(), StartError> {
        let setting = |name: &str, cause: &dyn std::fmt::Display| StartError::Setting(format!("{name}: {cause}"));
        let address = url::Url::parse(&config.notify_url).map_err(|error| setting("NOTIFY_URL", &error))?;
        let postman = Self {
            db: app.db.clone(),
            http: Client::builder()
                .timeout(PATIENCE)
                .no_proxy()
                .build()
                .map_err(|error| StartError::other(NAME, error))?,
            address: address.as_str().trim_end_matches('/').to_owned(),
            secret: NotifySecret::parse(&config.notify_secret).map_err(|error| setting("NOTIFY_SECRET", &error))?,
            bell: app.bell.clone(),
            alive: Arc::downgrade(&app.alive),
        };
        actix_web::rt::spawn(postman.run());
        Ok(())
    }

    async fn run(self) {
        while self.alive.strong_count() > 0 {
            if let Err(error) = self.deliver_due().await {
                tracing::error!(error = %error, "notifications could not be read or marked");
            }
            tokio::select! {
                () = self.bell.notified() => {}
                () = tokio::time::sleep(ROUND) => {}
            }
        }
    }

    async fn deliver_due(&self) -> Result<(), Error> {
        for due in self.db.run(|conn| Undelivered::due(conn, now())).await? {
            let id = due.id;
            match self.deliver(&due).await {
                Ok(()) => self.db.write(move |conn| Undelivered::delivered(id, conn, now())).await?,
                Err(cause) => {
                    tracing::warn!(
                        notification.id = id,
                        notification.attempts = due.attempts,
                        cause,
                        "a notification was not heard"
                    );
                    self.db.write(move |conn| due.postpone(conn, now())).await?;
                }
            }
        }
        Ok(())
    }

    async fn deliver(&self, due: &Undelivered) -> Result<(), String> {
        let sent = now().and_utc().timestamp();
        let reply = self
            .http
            .post(format!("{}/api/subscribe/notify/{}", self.address, due.network))
            .header(CONTENT_TYPE, "application/json")
            .header(HEADER_ID, &due.webhook_id)
            .header(HEADER_TIMESTAMP, sent)
            .header(HEADER_SIGNATURE, self.secret.sign(&due.webhook_id, sent, due.body.as_bytes()))
            .body(due.body.clone())
            .send()
            .await
            .map_err(|error| error.to_string())?;
        if reply.status().is_success() { Ok(()) } else { Err(format!("answered {}", reply.status())) }
    }
}
