//! The adapter `datasync`: a network that charges by itself and sends us its subscriptions and charges. All other calls are those of `rest`.

use std::time::Instant;

use async_trait::async_trait;
use chrono::NaiveDateTime;
use operator::{
    Charge, ChargeRequest, InvalidNotification, Notification, OptIn, OptInReply, OptInRequest, Refund, RefundRequest,
    SmsRequest, StopRequest,
};

use super::{ChargeReply, Clients, ListPage, Operator, Rest, SubscriptionPage};
use crate::error::Error;

/// A network that charges by itself.
pub(super) struct Datasync(Rest);

impl Datasync {
    /// An adapter for a base URL.
    pub fn new(url: &str, clients: Clients) -> Self {
        Self(Rest::new(url, clients))
    }
}

#[async_trait]
impl Operator for Datasync {
    fn address(&self) -> &str {
        self.0.address()
    }

    async fn opt_in(&self, request: &OptInRequest) -> Result<OptInReply, Error> {
        self.0.opt_in(request).await
    }

    async fn opt_in_status(&self, reference: &str) -> Result<OptIn, Error> {
        self.0.opt_in_status(reference).await
    }

    async fn stop(&self, request: &StopRequest) -> Result<(), Error> {
        self.0.stop(request).await
    }

    async fn send_sms(&self, request: &SmsRequest) -> Result<(), Error> {
        self.0.send_sms(request).await
    }

    async fn charge(&self, _request: &ChargeRequest, _send_by: Instant) -> ChargeReply {
        ChargeReply::Rejected("the network charges by itself")
    }

    async fn charge_status(&self, request: &ChargeRequest) -> Result<Option<Charge>, Error> {
        self.0.charge_status(request).await
    }

    async fn refund(&self, request: &RefundRequest) -> Result<Refund, Error> {
        self.0.refund(request).await
    }

    async fn charges_of_day(&self, day: &str, next: Option<&str>) -> Result<(ListPage, Option<String>), Error> {
        self.0.charges_of_day(day, next).await
    }

    async fn subscriptions_since(
        &self,
        since: NaiveDateTime,
        next: Option<&str>,
    ) -> Result<Option<(SubscriptionPage, Option<String>)>, Error> {
        self.0.subscriptions_since(since, next).await
    }

    fn parse_notification(&self, body: &[u8]) -> Result<Notification, InvalidNotification> {
        self.0.parse_notification(body)
    }
}
