//! Whether a cookie's session may have a brand's media, and write for its number: the signature is checked here, the subscription
//! by its own service.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use brands::{Brand, Brands};
use http::{StatusCode, header, uri::PathAndQuery};
use identity::{Session, SessionVerifier, cookie_name};
use moka::{Expiry, future::Cache, sync};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::{
    brand,
    error::Error,
    forward,
    request::Head,
    response::value,
    services::Service,
    upstream::{Call, Upstreams},
};

/// How long a yes is believed without asking again.
const YES_SECONDS: u64 = 15;

/// How long a no is: just long enough that a player's retries do not become a flood; who has just joined waits no longer.
const NO_SECONDS: u64 = 2;

/// How long a yes still counts while the subscription service is away: what the contract allows after a cancellation.
const LAST_YES_SECONDS: u64 = 60;

/// How long the subscription service may take to say it.
const ANSWER_SECONDS: u64 = 5;

/// The longest answer that is read.
const MAX_ANSWER_BYTES: usize = 64 * 1024;

/// How long a genuine token is remembered after it was last seen: longer than a player pauses between two segments.
const GENUINE_SECONDS: u64 = 60;

/// Sessions remembered at most.
const MAX_SESSIONS: u64 = 100_000;

/// A token's digest: tokens themselves are not kept.
type Key = [u8; 32];

/// A session cookie that is genuine and for the brand in question.
pub(crate) struct Proof {
    label: String,
    token: String,
    key: Key,
}

impl Proof {
    /// The session's cookie, as a `Cookie` header has it.
    pub(crate) fn cookie(&self) -> String {
        format!("{}={}", cookie_name(&self.label), self.token)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Active,
    /// No access, but the subscription has not ended.
    Suspended,
    Inactive,
    /// The service does not take the session.
    Refused,
}

struct ByVerdict;

impl Expiry<Key, Verdict> for ByVerdict {
    fn expire_after_create(&self, _: &Key, verdict: &Verdict, _: Instant) -> Option<Duration> {
        Some(Duration::from_secs(if *verdict == Verdict::Active { YES_SECONDS } else { NO_SECONDS }))
    }
}

#[derive(Deserialize)]
struct Me {
    state: String,
}

/// Sessions and what is known of their subscriptions.
pub(crate) struct Sessions {
    upstreams: Arc<Upstreams>,
    brands: Brands,
    verifier: SessionVerifier,
    test_number_on: bool,
    /// What genuine tokens say: to verify a signature takes longer than to send a whole segment.
    genuine: sync::Cache<Key, Session>,
    verdicts: Cache<Key, Verdict>,
    /// The last word on subscriptions that had not ended.
    last_yes: Cache<Key, Verdict>,
}

impl Sessions {
    pub(crate) fn new(
        verifier: SessionVerifier,
        test_number_on: bool,
        upstreams: Arc<Upstreams>,
        brands: Brands,
    ) -> Self {
        Self {
            upstreams,
            brands,
            verifier,
            test_number_on,
            genuine: sync::Cache::builder()
                .max_capacity(MAX_SESSIONS)
                .time_to_idle(Duration::from_secs(GENUINE_SECONDS))
                .build(),
            verdicts: Cache::builder().max_capacity(MAX_SESSIONS).expire_after(ByVerdict).build(),
            last_yes: Cache::builder()
                .max_capacity(MAX_SESSIONS)
                .time_to_live(Duration::from_secs(LAST_YES_SECONDS))
                .build(),
        }
    }

    /// The session a request carries for `brand`: on a brand's host the host's own, on label 88 that of any of the brand's labels.
    pub(crate) fn proof(&self, head: &Head, brand: &Brand) -> Result<Proof, Error> {
        let host_label = brand::label(&self.brands, head);
        let every_brand = brand::shows_every_brand(&self.brands, head);
        brand
            .labels
            .iter()
            .filter(|label| every_brand || host_label.as_ref() == Some(label))
            .find_map(|label| self.proof_of(head, brand, label))
            .ok_or(Error::NoSession)
    }

    /// The session a request carries for a service that hears `label` as its host.
    pub(crate) fn proof_on(&self, head: &Head, label: &str) -> Option<Proof> {
        let (brand, label) = self.brands.of_request(label, None)?;
        self.proof_of(head, &brand, &label)
    }

    fn proof_of(&self, head: &Head, brand: &Brand, label: &str) -> Option<Proof> {
        let token = head.cookie(&cookie_name(label))?;
        let (key, session) = self.verify(token)?;
        let counts = session.label == label && session.svc_id == brand.svc_id && (!session.test || self.test_number_on);
        counts.then(|| Proof { label: label.to_owned(), token: token.to_owned(), key })
    }

    /// What a token proves, with its digest.
    fn verify(&self, token: &str) -> Option<(Key, Session)> {
        let key = key(token);
        let session = self.genuine.get(&key).or_else(|| {
            let session = self.verifier.verify(token)?;
            self.genuine.insert(key, session.clone());
            Some(session)
        })?;
        Some((key, session))
    }

    /// Passes while the session's subscription is active.
    pub(crate) async fn active(&self, proof: &Proof) -> Result<(), Error> {
        match self.verdict(proof).await? {
            Verdict::Active => Ok(()),
            Verdict::Suspended | Verdict::Inactive => Err(Error::NotActive),
            Verdict::Refused => Err(Error::NoSession),
        }
    }

    /// Whether the session's subscription is active or suspended.
    pub(crate) async fn has_subscription(&self, proof: &Proof) -> Result<bool, Error> {
        Ok(matches!(self.verdict(proof).await?, Verdict::Active | Verdict::Suspended))
    }

    /// Forgets what is known of a token's subscription, as it has just changed.
    pub(crate) async fn forget(&self, token: &str) {
        let key = key(token);
        self.last_yes.invalidate(&key).await;
        self.verdicts.invalidate(&key).await;
    }

    async fn verdict(&self, proof: &Proof) -> Result<Verdict, Error> {
        let key = proof.key;
        let asked = self.verdicts.try_get_with(key, async {
            let verdict = self.ask(proof).await?;
            match verdict {
                Verdict::Active | Verdict::Suspended => self.last_yes.insert(key, verdict).await,
                Verdict::Inactive | Verdict::Refused => self.last_yes.invalidate(&key).await,
            }
            Ok::<_, Error>(verdict)
        });
        match asked.await {
            Ok(verdict) => Ok(verdict),
            Err(error) => self.last_yes.get(&key).await.ok_or_else(|| Error::clone(&error)),
        }
    }

    /// The subscription service's own word on a session.
    async fn ask(&self, proof: &Proof) -> Result<Verdict, Error> {
        let away = |cause: String| Error::Away { service: Service::Subscription.name(), cause };
        let mut headers = forward::own_headers(&proof.label);
        headers.insert(header::COOKIE, value(&proof.cookie()));
        let call = Call::get(PathAndQuery::from_static("/api/subscribe/me"), headers);
        let answer = async {
            let response = self.upstreams.of(Service::Subscription).send(&call).await?;
            let status = response.status;
            let body = response.read(MAX_ANSWER_BYTES).await.map_err(|cause| away(cause.to_string()))?;
            Ok((status, body))
        };
        let (status, body) = tokio::time::timeout(Duration::from_secs(ANSWER_SECONDS), answer)
            .await
            .map_err(|_| away(format!("no answer within {ANSWER_SECONDS} s")))??;
        match status {
            StatusCode::OK => {
                let me: Me =
                    serde_json::from_slice(&body).map_err(|cause| away(format!("an unreadable answer: {cause}")))?;
                Ok(match me.state.as_str() {
                    "active" => Verdict::Active,
                    "suspended" => Verdict::Suspended,
                    _ => Verdict::Inactive,
                })
            }
            StatusCode::UNAUTHORIZED => Ok(Verdict::Refused),
            other => Err(away(format!("it answered {other}"))),
        }
    }
}

fn key(token: &str) -> Key {
    Sha256::digest(token).into()
}
