//! Tries a network's test bed by the adapter that its entry in `brands.toml` names, before anything is sold on it.

use std::{sync::Arc, time::Duration};

use brands::{Brand, Brands, Confirmation, Shape};
use chrono::NaiveDate;
use identity::Msisdn;
use operator::{
    ChargeRequest, ChargeStatus, OptIn, OptInKind, OptInReply, OptInRequest, OptInStatus, RefundRequest, SmsRequest,
    StopRequest,
};
use service::{Clock, StartError};
use tokio::time::Instant;

use crate::{
    error::Error,
    networks::{self, Failure, NetworkSettings, Operator},
    subscribers::calendar,
};

/// How often the answer on a page is asked for.
const POLL_INTERVAL: Duration = Duration::from_secs(1);

/// A network's test bed.
#[derive(clap::Parser)]
#[command(name = "family conformance", about = "Tries a network's test bed, and prints a line per case")]
pub struct TestBed {
    /// The entry in brands.toml.
    pub network: String,
    /// A number of the test bed with airtime for two charges.
    #[arg(long)]
    pub paying: String,
    /// A number of the test bed without airtime.
    #[arg(long)]
    pub without_airtime: Option<String>,
    /// The seconds in which a person confirms on the network's page.
    #[arg(long, default_value_t = 300)]
    pub wait: u64,
    /// The file with the brands and networks.
    #[arg(long, env = "BRANDS_FILE", default_value = "deploy/brands.toml")]
    pub brands_file: std::path::PathBuf,
    /// The base URL of networks without a `url`.
    #[arg(long, env = "OPERATOR_URL", default_value = "http://127.0.0.1:8090")]
    pub operator_url: String,
    /// The name and password by which the network knows us, with a colon between them.
    #[arg(long, env = "NETWORK_CREDENTIALS", hide_env_values = true)]
    pub network_credentials: Option<String>,
}

/// A case that was tried: what it is, and what was wrong.
pub struct Case {
    /// What holds, where nothing is wrong.
    pub name: &'static str,
    /// What was seen in its place.
    pub problem: Option<String>,
}

/// What is shown while the cases run.
pub enum Progress<'a> {
    /// A case was tried.
    Case(&'a Case),
    /// A person has to confirm on this page.
    Page(&'a str),
}

/// A case's result: what was wrong.
type Outcome<T = ()> = Result<T, String>;

struct Trial<'a> {
    operator: Arc<dyn Operator>,
    brand: Arc<Brand>,
    network: &'a str,
    wait: Duration,
    day: NaiveDate,
    /// Of this trial alone.
    prefix: String,
    show: &'a mut dyn FnMut(Progress<'_>),
    failed: bool,
}

/// Tries every case; whether all hold.
pub async fn run(bed: &TestBed, show: &mut dyn FnMut(Progress<'_>)) -> Result<bool, StartError> {
    let setting = |cause: String| StartError::Setting(cause);
    let brands = Brands::load(&bed.brands_file).map_err(|error| setting(error.to_string()))?;
    let entry = brands.network(&bed.network);
    let entry = entry.ok_or_else(|| setting(format!("{}: brands.toml has no such network", bed.network)))?;
    let brand = brands.iter().find(|brand| brand.offer_on(&bed.network).is_some());
    let brand = brand.ok_or_else(|| setting(format!("{}: no brand is sold on it", bed.network)))?;
    let number = |text: &str| {
        let number = Msisdn::parse(text).map_err(|_| setting(format!("{text}: no South African mobile number")))?;
        Ok::<_, StartError>(number.as_str().to_owned())
    };
    let settings = NetworkSettings {
        default_url: bed.operator_url.clone(),
        charge_timeout: Duration::from_secs(5),
        notify_secret: String::new(),
        credentials: bed.network_credentials.clone(),
        production: false,
        transport: None,
    };
    let mut trial = Trial {
        operator: networks::adapter(&bed.network, &entry, &settings)?,
        brand,
        network: &bed.network,
        wait: Duration::from_secs(bed.wait),
        day: calendar::day_of(Clock::system_now()),
        prefix: format!("conformance-{:08x}", rand::random::<u32>()),
        show,
        failed: false,
    };
    let paying = number(&bed.paying)?;
    let poor = bed.without_airtime.as_deref().map(number).transpose()?;
    trial.messages(&paying).await;
    let has_pages = entry.opt_in == Confirmation::Page;
    let joined = if has_pages { trial.join(&paying, "1").await } else { Some(None) };
    if let Some(joined) = joined {
        if entry.shape() == Shape::Pull {
            trial.charges(&paying, joined.as_ref()).await;
        }
        trial.lists(entry.shape() == Shape::Pull).await;
        if let (Some(poor), Shape::Pull) = (poor, entry.shape()) {
            let joined = if has_pages { trial.join(&poor, "2").await } else { Some(None) };
            if let Some(joined) = joined {
                trial.without_airtime(&poor, joined.as_ref()).await;
                trial.stops(&poor, joined.as_ref()).await;
            }
        }
        trial.stops(&paying, joined.as_ref()).await;
    }
    Ok(!trial.failed)
}

impl Trial<'_> {
    fn show<T>(&mut self, name: &'static str, outcome: Outcome<T>) -> Option<T> {
        let (value, problem) = match outcome {
            Ok(value) => (Some(value), None),
            Err(problem) => (None, Some(problem)),
        };
        self.failed |= problem.is_some();
        (self.show)(Progress::Case(&Case { name, problem }));
        value
    }

    fn key(&self, name: &str) -> String {
        format!("{}-{name}", self.prefix)
    }

    async fn messages(&mut self, msisdn: &str) {
        let text = format!("A test of {} on your network", self.brand.name);
        let (key, msisdn) = (self.key("sms"), msisdn.to_owned());
        let sms = SmsRequest { key, msisdn, svc_id: self.brand.svc_id, text, valid_seconds: None };
        let sent = self.operator.send_sms(&sms).await.map_err(cause);
        self.show("an SMS is taken", sent);
        let again = self.operator.send_sms(&sms).await.map_err(cause);
        self.show("the same SMS is taken again, and delivered once", again);
    }

    /// Opens a page, and waits for a person to confirm on it.
    async fn join(&mut self, msisdn: &str, attempt: &str) -> Option<Option<OptIn>> {
        let offer = self.brand.offer_on(self.network)?.offer();
        let request = OptInRequest {
            msisdn: msisdn.to_owned(),
            svc_id: self.brand.svc_id,
            service: self.brand.name.clone(),
            price_cents: offer.price_cents,
            period: offer.period.as_str().to_owned(),
            first_charge: String::new(),
            parts: offer.parts.amounts().collect(),
            ext_ref: String::new(),
            anti_fraud_token: String::new(),
            subscription_id: self.key(attempt),
            return_url: "https://localhost/".to_owned(),
            kind: OptInKind::OptIn,
        };
        let page = self
            .operator
            .opt_in(&request)
            .await
            .map_err(cause)
            .and_then(|page: OptInReply| networks::check_address(&page.redirect_url).map(|()| page));
        let page = self.show("an opt-in has a page", page)?;
        let status = self.operator.opt_in_status(&page.reference).await.map_err(cause);
        let status = status.and_then(|opt_in| expect(opt_in.status, OptInStatus::Pending));
        self.show("before the answer, an opt-in is pending", status)?;
        (self.show)(Progress::Page(&page.redirect_url));
        let until = Instant::now() + self.wait;
        let answered = loop {
            match self.operator.opt_in_status(&page.reference).await.map_err(cause) {
                Ok(opt_in) if opt_in.status == OptInStatus::Pending && Instant::now() < until => {
                    tokio::time::sleep(POLL_INTERVAL).await;
                }
                other => break other,
            }
        };
        let confirmed = answered.and_then(|opt_in| {
            expect(opt_in.status, OptInStatus::Confirmed)?;
            expect(opt_in.active, true)?;
            expect(&opt_in.kind, &OptInKind::OptIn)?;
            if opt_in.network_subscription_id.is_none() {
                Err("it names no subscription".to_owned())
            } else {
                Ok(opt_in)
            }
        });
        self.show("once confirmed, an opt-in is active and names its subscription", confirmed).map(Some)
    }

    fn charge(&self, key: &str, msisdn: &str, joined: Option<&OptIn>) -> Option<ChargeRequest> {
        Some(ChargeRequest {
            key: self.key(key),
            msisdn: msisdn.to_owned(),
            svc_id: self.brand.svc_id,
            cents: self.brand.offer_on(self.network)?.price_cents,
            day: self.day.to_string(),
            network_subscription_id: joined.and_then(|opt_in| opt_in.network_subscription_id.clone()),
            network_ref: None,
            sent_at: Some(Clock::system_now()),
        })
    }

    async fn outcome_of(&self, request: &ChargeRequest) -> Outcome<ChargeStatus> {
        match self.operator.charge(request, Instant::now() + Duration::from_secs(5)).await {
            Ok(charge) => Ok(charge.outcome),
            Err(Failure::RetryLater(cause) | Failure::Rejected(cause) | Failure::Unknown(cause)) => {
                Err(cause.to_owned())
            }
            Err(Failure::Busy(_)) => Err("the network said later".to_owned()),
        }
    }

    async fn charges(&mut self, msisdn: &str, joined: Option<&OptIn>) {
        let Some(request) = self.charge("paid", msisdn, joined) else { return };
        let charged = |outcome| expect(outcome, ChargeStatus::Charged);
        let outcome = self.outcome_of(&request).await.and_then(charged);
        self.show("a charge is made", outcome);
        let again = self.outcome_of(&request).await.and_then(charged);
        self.show("the same charge is made once, and charged again is its answer", again);
        let status = self.operator.charge_status(&request).await.map_err(cause);
        let status = status.and_then(|status| status.ok_or_else(|| "its key is not known".to_owned()));
        let status = status.and_then(|charge| charged(charge.outcome).map(|()| charge));
        let network_ref = self.show("a charge is known by its key", status).and_then(|charge| charge.network_ref);
        let unknown = ChargeRequest { key: self.key("never"), ..request.clone() };
        let unknown = self.operator.charge_status(&unknown).await.map_err(cause);
        let unknown = unknown.and_then(|status| expect(status.map(|charge| charge.outcome), None));
        self.show("a charge that was never asked for is not known", unknown);
        let refund = RefundRequest {
            key: self.key("refund"),
            charge_key: request.key.clone(),
            msisdn: msisdn.to_owned(),
            svc_id: request.svc_id,
            cents: request.cents,
            reason: "a test".to_owned(),
            network_ref,
            day: Some(request.day.clone()),
            in_part: false,
        };
        for name in ["a charge is given back", "the same refund is made once, and answered as before"] {
            let refunded = self.operator.refund(&refund).await.map_err(cause);
            let refunded = refunded.and_then(|refund| expect(refund.cents.unwrap_or(request.cents), request.cents));
            self.show(name, refunded);
        }
        let more = RefundRequest { key: self.key("more"), ..refund };
        let more = match self.operator.refund(&more).await {
            Err(Error::NetworkRejected(_)) => Ok(()),
            Err(error) => Err(cause(error)),
            Ok(_) => Err("it is made".to_owned()),
        };
        self.show("more than was charged is never given back", more);
    }

    async fn lists(&mut self, was_charged: bool) {
        let key = self.key("paid");
        let listed = self.listed(&key).await;
        let expected = usize::from(was_charged);
        let listed = listed.and_then(|count| expect(count, expected));
        self.show("the list of the day can be read to its end, and has each charge once", listed);
        let since = Clock::system_now() - chrono::TimeDelta::minutes(5);
        let page = self.operator.subscriptions_since(since, None).await.map_err(cause);
        let page = page.and_then(|page| match page {
            Some((rows, _)) if rows.iter().any(Option::is_none) => Err("a row cannot be read".to_owned()),
            _ => Ok(()),
        });
        self.show("the list of subscriptions can be read, where there is one", page);
    }

    /// How often a key is in the list of the day.
    async fn listed(&self, key: &str) -> Outcome<usize> {
        let (mut count, mut next) = (0, None);
        loop {
            let page = self.operator.charges_of_day(&self.day.to_string(), next.as_deref()).await.map_err(cause)?;
            if page.0.iter().any(Result::is_err) {
                return Err("a row cannot be read".to_owned());
            }
            count += page.0.iter().flatten().filter(|row| row.key == key).count();
            match page.1 {
                Some(after) if Some(&after) == next.as_ref() => return Err("it has no end".to_owned()),
                Some(after) => next = Some(after),
                None => return Ok(count),
            }
        }
    }

    async fn without_airtime(&mut self, msisdn: &str, joined: Option<&OptIn>) {
        let Some(request) = self.charge("unpaid", msisdn, joined) else { return };
        let outcome = self.outcome_of(&request).await;
        let outcome = outcome.and_then(|outcome| expect(outcome, ChargeStatus::InsufficientFunds));
        self.show("a number without airtime is not charged, and the network says why", outcome);
    }

    async fn stops(&mut self, msisdn: &str, joined: Option<&OptIn>) {
        let Some(opt_in) = joined else { return };
        let network_subscription_id = opt_in.network_subscription_id.clone().unwrap_or_default();
        let stop = StopRequest { msisdn: msisdn.to_owned(), svc_id: self.brand.svc_id, network_subscription_id };
        for name in ["a subscription ends", "the end of one that has ended is no error"] {
            let ended = self.operator.stop(&stop).await.map_err(cause);
            self.show(name, ended);
        }
        let status = self.operator.opt_in_status(&opt_in.reference).await.map_err(cause);
        self.show("one that has ended is not active", status.and_then(|opt_in| expect(opt_in.active, false)));
    }
}

/// An error for the network's engineers.
fn cause(error: Error) -> String {
    error.to_string()
}

fn expect<T: PartialEq + std::fmt::Debug>(seen: T, expected: T) -> Outcome {
    if seen == expected { Ok(()) } else { Err(format!("{seen:?} in the place of {expected:?}")) }
}
