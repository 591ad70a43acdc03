//! Checks sessions for media and for writes: the signature is verified here, and the subscription is queried from the subscription
//! service.

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

/// How long a positive reply is cached.
const ACTIVE_TTL_SECONDS: u64 = 15;

/// How long a negative reply is cached: enough that a player's retries do not overload the service, but not longer after a join.
const INACTIVE_TTL_SECONDS: u64 = 2;

/// How long a positive reply is used while the subscription service is unavailable: the contract's limit after a cancellation.
const STALE_ACTIVE_SECONDS: u64 = 60;

/// The timeout of the subscription service.
const TIMEOUT_SECONDS: u64 = 5;

/// The largest reply that is read.
const MAX_REPLY_BYTES: usize = 64 * 1024;

/// How long a verified token is cached after its last use: longer than a player's pause between two segments.
const VERIFIED_TTL_SECONDS: u64 = 60;

/// The most cached sessions.
const MAX_SESSIONS: u64 = 100_000;

/// A token's digest; tokens are not stored.
type Key = [u8; 32];

/// A valid session cookie for the brand.
pub(crate) struct Proof {
    label: String,
    token: String,
    key: Key,
}

impl Proof {
    /// The session's `Cookie` header.
    pub(crate) fn cookie(&self) -> String {
        format!("{}={}", cookie_name(&self.label), self.token)
    }
}

/// The reason for which a session's state is queried. The service records the day of a query for watching.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Purpose {
    /// To send a part of a film.
    Watching,
    Other,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Verdict {
    Active,
    /// No access, but the subscription has not ended.
    Suspended,
    Inactive,
    /// The service rejects the session.
    Refused,
}

struct VerdictTtl;

impl Expiry<(Key, Purpose), Verdict> for VerdictTtl {
    fn expire_after_create(&self, _: &(Key, Purpose), verdict: &Verdict, _: Instant) -> Option<Duration> {
        Some(Duration::from_secs(if *verdict == Verdict::Active { ACTIVE_TTL_SECONDS } else { INACTIVE_TTL_SECONDS }))
    }
}

#[derive(Deserialize)]
struct Me {
    state: String,
}

/// Verified sessions, and the state of their subscriptions.
pub(crate) struct Sessions {
    upstreams: Arc<Upstreams>,
    brands: Brands,
    verifier: SessionVerifier,
    test_number_on: bool,
    /// Verified tokens, since verifying a signature takes longer than sending a media segment.
    verified: sync::Cache<Key, Session>,
    verdicts: Cache<(Key, Purpose), Verdict>,
    /// The last positive replies.
    stale_active: Cache<Key, Verdict>,
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
            verified: sync::Cache::builder()
                .max_capacity(MAX_SESSIONS)
                .time_to_idle(Duration::from_secs(VERIFIED_TTL_SECONDS))
                .build(),
            verdicts: Cache::builder().max_capacity(MAX_SESSIONS).expire_after(VerdictTtl).build(),
            stale_active: Cache::builder()
                .max_capacity(MAX_SESSIONS)
                .time_to_live(Duration::from_secs(STALE_ACTIVE_SECONDS))
                .build(),
        }
    }

    /// The request's session for `brand`: on a brand's host that host's own, on label 88 the session of any of the brand's labels.
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

    /// The request's session for a service call on the host of `label`.
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

    /// Verifies a token; returns its digest and session.
    fn verify(&self, token: &str) -> Option<(Key, Session)> {
        let key = key(token);
        let session = self.verified.get(&key).or_else(|| {
            let session = self.verifier.verify(token)?;
            self.verified.insert(key, session.clone());
            Some(session)
        })?;
        Some((key, session))
    }

    /// An error unless the session's subscription is active. `purpose`: what for.
    pub(crate) async fn active(&self, proof: &Proof, purpose: Purpose) -> Result<(), Error> {
        match self.verdict(proof, purpose).await? {
            Verdict::Active => Ok(()),
            Verdict::Suspended | Verdict::Inactive => Err(Error::NotActive),
            Verdict::Refused => Err(Error::NoSession),
        }
    }

    /// Whether the session's subscription is active or suspended.
    pub(crate) async fn has_subscription(&self, proof: &Proof) -> Result<bool, Error> {
        Ok(matches!(self.verdict(proof, Purpose::Other).await?, Verdict::Active | Verdict::Suspended))
    }

    /// Removes the cached state of a token's subscription after a change.
    pub(crate) async fn forget(&self, token: &str) {
        let key = key(token);
        self.stale_active.invalidate(&key).await;
        for purpose in [Purpose::Watching, Purpose::Other] {
            self.verdicts.invalidate(&(key, purpose)).await;
        }
    }

    async fn verdict(&self, proof: &Proof, purpose: Purpose) -> Result<Verdict, Error> {
        let key = proof.key;
        let fetched = self.verdicts.try_get_with((key, purpose), async {
            let verdict = self.fetch(proof, purpose).await?;
            match verdict {
                Verdict::Active | Verdict::Suspended => self.stale_active.insert(key, verdict).await,
                Verdict::Inactive | Verdict::Refused => self.stale_active.invalidate(&key).await,
            }
            Ok::<_, Error>(verdict)
        });
        match fetched.await {
            Ok(verdict) => Ok(verdict),
            Err(error) => self.stale_active.get(&key).await.ok_or_else(|| Error::clone(&error)),
        }
    }

    /// Queries the subscription service about a session.
    async fn fetch(&self, proof: &Proof, purpose: Purpose) -> Result<Verdict, Error> {
        let away = |cause: String| Error::Unavailable { service: Service::Subscription.name(), cause };
        let mut headers = forward::own_headers(&proof.label);
        headers.insert(header::COOKIE, value(&proof.cookie()));
        let address = match purpose {
            Purpose::Watching => "/api/subscribe/me?watching=true",
            Purpose::Other => "/api/subscribe/me",
        };
        let call = Call::get(PathAndQuery::from_static(address), headers);
        let answer = async {
            let response = self.upstreams.of(Service::Subscription).send(&call).await?;
            let status = response.status;
            let body = response.read(MAX_REPLY_BYTES).await.map_err(|cause| away(cause.to_string()))?;
            Ok((status, body))
        };
        let (status, body) = tokio::time::timeout(Duration::from_secs(TIMEOUT_SECONDS), answer)
            .await
            .map_err(|_| away(format!("no answer within {TIMEOUT_SECONDS} s")))??;
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
