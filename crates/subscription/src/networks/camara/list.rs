//! The network's list of payments, page by page.

use operator::{
    UnreadableRow,
    camara::{Payment, key_of_correlator, query_time},
    in_zone,
};

use super::{
    CallFailure, Camara,
    finder::{IdsByKey, MAX_PAGES, Window},
};
use crate::networks::{Failure, LIST_TIMEOUT, UNREADABLE, reply, rest::percent_encode};

/// Payments on one page of a list; a network may send fewer.
const LIST_PAGE_SIZE: u32 = 1000;

/// The position in a list, between two pages.
pub(super) struct ListPosition {
    page: u32,
    /// Rows before this page.
    rows: u64,
    /// The first payment of the page before: a list that repeats a page has no end.
    first: String,
}

impl ListPosition {
    pub fn to_text(&self) -> String {
        format!("{} {} {}", self.page, self.rows, self.first)
    }

    pub fn parse(text: &str) -> Option<Self> {
        let mut parts = text.splitn(3, ' ');
        let mut part = || parts.next();
        Some(Self { page: part()?.parse().ok()?, rows: part()?.parse().ok()?, first: part()?.to_owned() })
    }
}

impl Camara {
    /// The ids of a window's payments, oldest first: the newest of a key remains.
    pub(super) async fn read_ids(&self, window: Window) -> Result<IdsByKey, CallFailure> {
        let (mut ids, mut position) = (IdsByKey::new(), None);
        for _ in 0..MAX_PAGES {
            let (payments, next) = self.page(window, "", position.as_ref()).await?;
            for payment in payments.into_iter().flatten() {
                // A payment may name the charge by one of its two names alone.
                let attempt = payment.correlator().map(|correlator| key_of_correlator(correlator).to_owned());
                for key in [attempt, Some(payment.key().to_owned())].into_iter().flatten() {
                    ids.insert(key, payment.payment_id.clone());
                }
            }
            match next {
                Some(next) => position = Some(next),
                None => return Ok(ids),
            }
        }
        Err(Failure::RetryLater("the network has too many payments of that time").into())
    }

    /// A page of the payments of a window, and the position of the next one.
    pub(super) async fn page(
        &self,
        window: Window,
        filter: &str,
        position: Option<&ListPosition>,
    ) -> Result<(Vec<Result<Payment, UnreadableRow>>, Option<ListPosition>), CallFailure> {
        let (page, before) = position.map_or((1, 0), |position| (position.page, position.rows));
        let url = format!(
            "{}/payments?page={page}&perPage={LIST_PAGE_SIZE}&order=asc&paymentCreationDate.gte={}&paymentCreationDate.lte={}{filter}",
            self.billing,
            percent_encode(&query_time(window.from)),
            percent_encode(&query_time(window.until)),
        );
        let reply = match self.send(self.clients.http.get(url).timeout(LIST_TIMEOUT), None).await {
            // A page after the last one.
            Err(CallFailure::Refused { info, .. }) if page > 1 && info.code == "OUT_OF_RANGE" => {
                return Ok((Vec::new(), None));
            }
            reply => reply?,
        };
        let total = reply.header("x-total-count").and_then(|total| total.trim().parse::<u64>().ok());
        let body = reply::body(reply)?;
        let payments = in_zone(self.network.time_zone.tz(), || Payment::page(&body));
        let payments = payments.map_err(|_| Failure::Unknown(UNREADABLE))?;
        let first = payments.iter().flatten().next().map(|payment| payment.payment_id.clone()).unwrap_or_default();
        if position.is_some_and(|position| !first.is_empty() && position.first == first) {
            return Err(Failure::Unknown("the list repeats a page").into());
        }
        let rows = before + u64::try_from(payments.len()).unwrap_or(u64::MAX);
        // A network may send fewer rows than requested: only an empty page, or the total, is the end.
        let is_last = payments.is_empty() || total.is_some_and(|total| rows >= total);
        let next = (!is_last).then(|| ListPosition { page: page.saturating_add(1), rows, first });
        Ok((payments, next))
    }
}
