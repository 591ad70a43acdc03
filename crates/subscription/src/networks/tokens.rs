//! A network that names its subscribers by tokens: our `network:token` becomes its token in requests, and its token ours in replies and lists.
//!
//! Around any adapter, so that no other part of the service writes a token as a network does. A number that a visitor typed is sent as it is.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::NaiveDateTime;
use operator::{
    Charge, ChargeRequest, InvalidNotification, Notification, OptInReply, OptInRequest, Refund, RefundRequest,
    SmsRequest, StopRequest,
};
use tokio::time::Instant;

use super::{Failure, ListPage, Operator, SubscriptionPage};
use crate::error::Error;

/// An adapter of a network with tokens.
pub(super) struct Tokens {
    inner: Arc<dyn Operator>,
    /// `network:`.
    prefix: String,
}

impl Tokens {
    /// Around the adapter of the network of this name.
    pub fn new(network: &str, inner: Arc<dyn Operator>) -> Self {
        Self { inner, prefix: format!("{network}:") }
    }

    /// As the network writes it.
    fn theirs(&self, subscriber: &str) -> String {
        subscriber.strip_prefix(&self.prefix).unwrap_or(subscriber).to_owned()
    }

    /// As we write it.
    fn ours(&self, subscriber: &str) -> String {
        format!("{}{subscriber}", self.prefix)
    }

    fn charge(&self, request: &ChargeRequest) -> ChargeRequest {
        ChargeRequest { msisdn: self.theirs(&request.msisdn), ..request.clone() }
    }

    fn our_charge(&self, charge: Charge) -> Charge {
        Charge { msisdn: charge.msisdn.as_deref().map(|theirs| self.ours(theirs)), ..charge }
    }
}

#[async_trait]
impl Operator for Tokens {
    fn contract(&self) -> &dyn Operator {
        self.inner.contract()
    }

    async fn opt_in(&self, request: &OptInRequest) -> Result<OptInReply, Error> {
        self.inner.opt_in(&OptInRequest { msisdn: self.theirs(&request.msisdn), ..request.clone() }).await
    }

    async fn stop(&self, request: &StopRequest) -> Result<(), Error> {
        self.inner.stop(&StopRequest { msisdn: self.theirs(&request.msisdn), ..request.clone() }).await
    }

    async fn send_sms(&self, request: &SmsRequest) -> Result<(), Error> {
        self.inner.send_sms(&SmsRequest { msisdn: self.theirs(&request.msisdn), ..request.clone() }).await
    }

    async fn charge(&self, request: &ChargeRequest, send_by: Instant) -> Result<Charge, Failure> {
        self.inner.charge(&self.charge(request), send_by).await.map(|charge| self.our_charge(charge))
    }

    async fn charge_status(&self, request: &ChargeRequest) -> Result<Option<Charge>, Error> {
        let charge = self.inner.charge_status(&self.charge(request)).await?;
        Ok(charge.map(|charge| self.our_charge(charge)))
    }

    async fn refund(&self, request: &RefundRequest) -> Result<Refund, Error> {
        self.inner.refund(&RefundRequest { msisdn: self.theirs(&request.msisdn), ..request.clone() }).await
    }

    async fn charges_of_day(&self, day: &str, next: Option<&str>) -> Result<(ListPage, Option<String>), Error> {
        let (mut page, next) = self.inner.charges_of_day(day, next).await?;
        for row in &mut page {
            match row {
                Ok(charge) => charge.msisdn = self.ours(&charge.msisdn),
                Err(unreadable) => unreadable.msisdn = unreadable.msisdn.as_deref().map(|theirs| self.ours(theirs)),
            }
        }
        Ok((page, next))
    }

    async fn subscriptions_since(
        &self,
        since: NaiveDateTime,
        next: Option<&str>,
    ) -> Result<Option<(SubscriptionPage, Option<String>)>, Error> {
        let Some((mut page, next)) = self.inner.subscriptions_since(since, next).await? else { return Ok(None) };
        for event in page.iter_mut().flatten() {
            event.user_msisdn = self.ours(&event.user_msisdn);
        }
        Ok(Some((page, next)))
    }

    /// As it is: `SubscriberId::at_network` reads a token with and without the network's name.
    fn parse_notification(&self, body: &[u8]) -> Result<Notification, InvalidNotification> {
        self.inner.parse_notification(body)
    }
}
