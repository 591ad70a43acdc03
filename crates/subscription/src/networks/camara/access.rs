//! OAuth 2 client credentials (RFC 6749, section 4.4): one access token for all requests, renewed before it expires or when it is refused.

use std::{sync::Arc, time::Duration};

use operator::camara::AccessToken;
use reqwest::StatusCode;
use tokio::{sync::Mutex, time::Instant};

use crate::networks::{AWAY, Failure, camara::client::Client};

/// How long before its end a token is renewed: a request with it is on its way.
const MARGIN: Duration = Duration::from_secs(30);

/// How long a token without `expires_in` is used, and the longest use of any.
const DEFAULT_LIFETIME: Duration = Duration::from_secs(300);
const LONGEST_LIFETIME: Duration = Duration::from_secs(24 * 3600);

/// The client, and its current token.
pub(super) struct Access {
    client: Arc<Client>,
    scope: String,
    current: Mutex<Option<Token>>,
}

struct Token {
    text: String,
    renew_at: Instant,
}

impl Access {
    /// For these scopes.
    pub fn new(client: Arc<Client>, scope: String) -> Self {
        Self { client, scope, current: Mutex::new(None) }
    }

    /// A token; concurrent requests wait for one renewal.
    pub async fn token(&self) -> Result<String, Failure> {
        let mut current = self.current.lock().await;
        if let Some(token) = current.as_ref().filter(|token| Instant::now() < token.renew_at) {
            return Ok(token.text.clone());
        }
        let token = self.request().await?;
        let text = token.text.clone();
        *current = Some(token);
        Ok(text)
    }

    /// Forgets a token that the network refused, unless it was renewed meanwhile.
    pub async fn refused(&self, text: &str) {
        let mut current = self.current.lock().await;
        if current.as_ref().is_some_and(|token| token.text == text) {
            *current = None;
        }
    }

    async fn request(&self) -> Result<Token, Failure> {
        let fields = [("grant_type", "client_credentials"), ("scope", self.scope.as_str())];
        let request = self.client.request(&fields).map_err(|_| Failure::RetryLater("no request can be signed"))?;
        let reply = self.client.clients.send(request).await.map_err(|_| Failure::RetryLater(AWAY))?;
        let status = reply.status;
        if status != StatusCode::OK {
            if status.is_client_error() && status != StatusCode::TOO_MANY_REQUESTS {
                tracing::error!("a network refuses an access token: {status}");
            }
            return Err(Failure::RetryLater("the network gives no access token"));
        }
        let unreadable = || Failure::RetryLater("the access token cannot be read");
        let body = reply.body.map_err(|_| unreadable())?;
        let token: AccessToken = serde_json::from_slice(&body).map_err(|_| unreadable())?;
        let lifetime = token.expires_in.and_then(|seconds| u64::try_from(seconds).ok()).map(Duration::from_secs);
        let lifetime = lifetime.unwrap_or(DEFAULT_LIFETIME).min(LONGEST_LIFETIME);
        // A short one is renewed at half of its time.
        let margin = MARGIN.min(lifetime / 2);
        Ok(Token { text: token.access_token, renew_at: Instant::now() + (lifetime - margin) })
    }
}
