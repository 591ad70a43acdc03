//! The adapters `rest` and `datasync`: the contract's API, as the operator sandbox has it, over HTTP with short timeouts. A network with
//! `datasync` charges by itself, and has every call but that.

use async_trait::async_trait;
use chrono::NaiveDateTime;
use operator::{
    Charge, ChargeRequest, InvalidNotification, ListedCharge, Notification, OptIn, OptInReply, OptInRequest, Refund,
    RefundRequest, SmsRequest, StopRequest, SubscriptionEvent, in_zone, next_page,
};
use reqwest::{Method, RequestBuilder, StatusCode};
use serde::{Serialize, de::DeserializeOwned};
use tokio::time::Instant;

use crate::{
    error::Error,
    networks::{
        Clients, FAILED, Failure, LIST_TIMEOUT, ListPage, NOT_ACCEPTED, NoReply, OTHER_CHARGE, Operator, Reply,
        SubscriptionPage, log_mismatch, reply,
    },
};

/// Charges on one page of a network's list.
const LIST_PAGE_SIZE: usize = 1000;

/// A network with our contract's API.
pub(super) struct Rest {
    clients: Clients,
    base: String,
    charges_by_itself: bool,
}

impl Rest {
    /// An adapter for a base URL.
    pub fn new(url: &str, clients: Clients) -> Self {
        Self { clients, base: url.trim_end_matches('/').to_owned(), charges_by_itself: false }
    }

    /// As `new`, of a network that charges by itself.
    pub fn without_charges(url: &str, clients: Clients) -> Self {
        Self { charges_by_itself: true, ..Self::new(url, clients) }
    }

    /// The network's name.
    pub fn name(&self) -> &str {
        &self.clients.name
    }

    async fn send_json<T: Serialize>(&self, path: &str, body: &T) -> Result<Reply, Error> {
        self.send(self.request(Method::POST, path).json(body)).await
    }

    /// Sends a request; its reply of success.
    async fn send(&self, request: RequestBuilder) -> Result<Reply, Error> {
        succeeded(self.clients.send(request).await?)
    }

    fn json<T: DeserializeOwned>(&self, reply: Reply) -> Result<T, Failure> {
        reply::json(reply, self.clients.zone)
    }

    /// The charge in a reply, which has to be the requested one.
    fn charge_of(&self, reply: Reply, request: &ChargeRequest, call: &'static str) -> Result<Charge, Failure> {
        let charge: Charge = self.json(reply)?;
        if !charge.matches(request) {
            log_mismatch(&self.clients.name, call);
            return Err(Failure::Unknown(OTHER_CHARGE));
        }
        Ok(charge)
    }

    fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.clients.http.request(method, format!("{}{path}", self.base))
    }
}

#[async_trait]
impl Operator for Rest {
    fn contract(&self) -> &dyn Operator {
        self
    }

    fn address(&self) -> &str {
        &self.base
    }

    async fn opt_in(&self, request: &OptInRequest) -> Result<OptInReply, Error> {
        Ok(self.json(self.send_json("/opt-ins", request).await?)?)
    }

    async fn opt_in_status(&self, reference: &str) -> Result<OptIn, Error> {
        let path = format!("/opt-ins/{}", percent_encode(reference));
        Ok(self.json(self.send(self.request(Method::GET, &path)).await?)?)
    }

    async fn stop(&self, request: &StopRequest) -> Result<(), Error> {
        self.send_json("/stops", request).await.map(|_| ())
    }

    async fn send_sms(&self, request: &SmsRequest) -> Result<(), Error> {
        self.send_json("/messages", request).await.map(|_| ())
    }

    async fn charge(&self, request: &ChargeRequest, _send_by: Instant) -> Result<Charge, Failure> {
        if self.charges_by_itself {
            return Err(Failure::Rejected("the network charges by itself"));
        }
        let call = self.clients.charging.post(format!("{}/charges", self.base)).json(request);
        let reply = reply::send(&self.clients, call).await?;
        match reply.status {
            StatusCode::OK => self.charge_of(reply, request, "charge"),
            // An invalid request is no failure of the subscriber to pay. A conflict means that the key is being processed.
            status if status.is_client_error() && status != StatusCode::CONFLICT => {
                Err(Failure::Rejected(NOT_ACCEPTED))
            }
            _ => Err(Failure::Unknown(FAILED)),
        }
    }

    async fn charge_status(&self, request: &ChargeRequest) -> Result<Option<Charge>, Error> {
        let call = self.clients.charging.get(format!("{}/charges/{}", self.base, percent_encode(&request.key)));
        let reply = self.clients.send(call).await?;
        if reply.status == StatusCode::NOT_FOUND {
            return Ok(None);
        }
        Ok(Some(self.charge_of(succeeded(reply)?, request, "question")?))
    }

    async fn refund(&self, request: &RefundRequest) -> Result<Refund, Error> {
        Ok(self.json(self.send_json("/refunds", request).await?)?)
    }

    async fn charges_of_day(&self, day: &str, next: Option<&str>) -> Result<(ListPage, Option<String>), Error> {
        let first = format!("/charges?day={day}&limit={LIST_PAGE_SIZE}");
        let reply = self.send(self.request(Method::GET, next.unwrap_or(&first)).timeout(LIST_TIMEOUT)).await?;
        let link = next_link(&reply, "/charges");
        let body = reply::body(reply)?;
        // Without the parser's message, which may quote a number.
        let page =
            ListedCharge::page(&body).map_err(|_| Error::NetworkUnavailable("the list cannot be read".to_owned()))?;
        Ok((page, link))
    }

    async fn subscriptions_since(
        &self,
        since: NaiveDateTime,
        next: Option<&str>,
    ) -> Result<Option<(SubscriptionPage, Option<String>)>, Error> {
        let first = format!("/subscriptions?since={}&limit={LIST_PAGE_SIZE}", since.format("%Y-%m-%dT%H:%M:%SZ"));
        let request = self.request(Method::GET, next.unwrap_or(&first)).timeout(LIST_TIMEOUT);
        let reply = self.clients.send(request).await?;
        if matches!(reply.status, StatusCode::NOT_FOUND | StatusCode::METHOD_NOT_ALLOWED | StatusCode::NOT_IMPLEMENTED)
        {
            return Ok(None);
        }
        let reply = succeeded(reply)?;
        let link = next_link(&reply, "/subscriptions");
        let body = reply::body(reply)?;
        let page = in_zone(self.clients.zone, || SubscriptionEvent::page(&body))
            .map_err(|_| Error::NetworkUnavailable("the list of subscriptions cannot be read".to_owned()))?;
        Ok(Some((page, link)))
    }

    fn parse_notification(&self, body: &[u8]) -> Result<Notification, InvalidNotification> {
        in_zone(self.clients.zone, || Notification::parse(body))
    }
}

fn next_link(reply: &Reply, path: &str) -> Option<String> {
    reply.header("link").and_then(|link| next_page(link, path))
}

pub(super) fn percent_encode(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// A reply of success. A redirect is none, and is not followed: a network that has moved has not got the request.
fn succeeded(reply: Reply) -> Result<Reply, Error> {
    match reply.status {
        status if status.is_success() => Ok(reply),
        status if is_permanent(status) => Err(Error::NetworkRejected(status.to_string())),
        status => Err(Error::NetworkUnavailable(status.to_string())),
    }
}

impl From<NoReply> for Error {
    fn from(cause: NoReply) -> Self {
        Self::NetworkUnavailable(cause.to_string())
    }
}

/// Whether the same request would be rejected again.
fn is_permanent(status: StatusCode) -> bool {
    let temporary =
        [StatusCode::REQUEST_TIMEOUT, StatusCode::CONFLICT, StatusCode::TOO_EARLY, StatusCode::TOO_MANY_REQUESTS];
    status.is_client_error() && !temporary.contains(&status)
}

#[cfg(test)]
mod tests {
    use std::{
        io::{BufRead, BufReader, Write},
        net::TcpListener,
    };

    use super::*;
    use crate::networks::NetworkSettings;

    const BRANDS: &str = include_str!("../../../../deploy/brands.toml");

    /// A network that sends one reply, and ends.
    fn replying(reply: String) -> (Rest, std::thread::JoinHandle<()>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let network = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            // The whole head of the request, up to its empty line.
            let request = BufReader::new(stream.try_clone().unwrap()).lines();
            assert!(request.map_while(Result::ok).any(|line| line.is_empty()));
            write!(stream, "{reply}").unwrap();
        });
        let settings = brands::Brands::parse(BRANDS, "brands.toml").unwrap().network("sandbox-pull").unwrap();
        (Rest::new(&base, Clients::new("n", &settings, &NetworkSettings::of_tests(), &base).unwrap()), network)
    }

    #[actix_web::test]
    async fn charges_of_day_error_does_not_quote_the_reply() {
        let body = r#"[{"msisdn":27812345678}"#;
        let (rest, network) = replying(format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len()));
        let Err(error) = rest.charges_of_day("2026-11-21", None).await else { panic!("it was understood") };
        network.join().unwrap();
        assert!(!error.to_string().contains("812345678"), "{error}");
    }

    #[actix_web::test]
    async fn stop_that_is_redirected_is_sent_again() {
        let (rest, network) =
            replying("HTTP/1.1 302 Found\r\nlocation: /maintenance\r\ncontent-length: 0\r\n\r\n".to_owned());
        let stop =
            StopRequest { msisdn: "27812345678".to_owned(), svc_id: 150, network_subscription_id: "1".to_owned() };
        let stopped = rest.stop(&stop).await;
        network.join().unwrap();
        assert!(matches!(stopped, Err(Error::NetworkUnavailable(_))), "{stopped:?}");
    }
}
