//! A mobile network over HTTP that shares no code with the service; it follows the contract except where a test sets other responses.

use std::{
    collections::BTreeMap,
    io::Read,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard},
    time::{Duration, Instant},
};

use chrono::{DateTime, Utc};
use flate2::{Compression, read::GzEncoder};
use serde_json::{Value, json};
use testkit::actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    dev::ServerHandle,
    http::{Method, StatusCode},
    rt,
    web::{Bytes, Data, to},
};

use crate::records::{NetworkSubscription, Records};

/// Longer than any client's timeout.
const NO_REPLY: Duration = Duration::from_secs(600);

/// The network's endpoints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Call {
    /// `POST /opt-ins`
    OptIn,
    /// `GET /opt-ins/{reference}`
    OptInStatus,
    /// `POST /charges`
    Charge,
    /// `GET /charges/{key}`
    ChargeStatus,
    /// `GET /charges?day=`
    ChargeList,
    /// `GET /subscriptions?since=`
    SubscriptionList,
    /// `POST /stops`
    Stop,
    /// `POST /messages`
    Message,
    /// `POST /refunds`
    Refund,
}

/// A request as it arrived.
#[derive(Clone, Debug)]
pub struct Request {
    pub call: Call,
    pub at: Instant,
    /// By the network's own clock.
    pub time: DateTime<Utc>,
    /// The reference or key at the path's end.
    pub name: String,
    pub query: BTreeMap<String, String>,
    pub body: Value,
}

impl Request {
    /// A text field of the body.
    pub fn text(&self, field: &str) -> &str {
        self.body[field].as_str().unwrap_or_default()
    }

    pub fn msisdn(&self) -> &str {
        self.text("msisdn")
    }
}

/// How the network responds to one request.
#[derive(Clone)]
pub enum Response {
    /// As the contract says.
    Normal,
    /// As the contract says, after this delay.
    Delayed(Duration),
    /// Does nothing, and keeps the connection open without a byte.
    NoReply,
    /// A charge with this outcome that charges nothing.
    Outcome(&'static str),
    /// Does nothing, and answers with this status and text.
    Status(u16, String),
    /// As the contract says, with a changed body.
    Changed(fn(&mut Value)),
    /// As the contract says, with this address as the next page.
    NextPage(String),
    /// Does nothing, and wants the request in a second.
    Busy,
    /// As the contract says, with a byte order mark and compressed.
    Compressed,
}

type Rule = Box<dyn Fn(&Request) -> Response + Send>;

/// Whether the service requests charges, or the network charges by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Pull,
    Push,
}

struct Inner {
    shape: Shape,
    records: Mutex<Records>,
    rules: Mutex<BTreeMap<Call, Rule>>,
}

/// One network on a port of its own.
pub struct Network {
    pub name: &'static str,
    inner: Arc<Inner>,
    addr: SocketAddr,
    server: ServerHandle,
}

impl Network {
    /// Starts the server.
    pub fn start(name: &'static str, shape: Shape) -> Self {
        let inner = Arc::new(Inner { shape, records: Mutex::default(), rules: Mutex::default() });
        let data = Data::from(inner.clone());
        let server = HttpServer::new(move || App::new().app_data(data.clone()).default_service(to(respond)))
            .workers(1)
            .disable_signals()
            .keep_alive(Duration::from_secs(75))
            .bind(("127.0.0.1", 0))
            .unwrap();
        let addr = server.addrs()[0];
        let server = server.run();
        let handle = server.handle();
        rt::spawn(server);
        Self { name, inner, addr, server: handle }
    }

    pub fn addr(&self) -> SocketAddr {
        self.addr
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.addr)
    }

    /// Stops the server: connections are refused.
    pub async fn stop(&self) {
        self.server.stop(false).await;
    }

    fn records(&self) -> MutexGuard<'_, Records> {
        self.inner.records.lock().unwrap()
    }

    /// Sets the network's clock.
    pub fn set_clock(&self, now: DateTime<Utc>) {
        self.records().ahead = now - Utc::now();
    }

    pub fn now(&self) -> DateTime<Utc> {
        self.records().now()
    }

    /// Sets the responses to requests of this kind.
    pub fn on(&self, call: Call, rule: impl Fn(&Request) -> Response + Send + 'static) {
        self.inner.rules.lock().unwrap().insert(call, Box::new(rule));
    }

    /// Restores the normal responses to requests of this kind.
    pub fn behave(&self, call: Call) {
        self.inner.rules.lock().unwrap().remove(&call);
    }

    /// The newest charge was of another amount.
    pub fn set_last_charge(&self, cents: i64) {
        self.records().charges.last_mut().unwrap()["cents"] = json!(cents);
    }

    /// Every request of a kind that arrived, oldest first.
    pub fn requests(&self, call: Call) -> Vec<Request> {
        self.records().requests.iter().filter(|request| request.call == call).cloned().collect()
    }

    /// How many requests of a kind arrived.
    pub fn count(&self, call: Call) -> usize {
        self.records().requests.iter().filter(|request| request.call == call).count()
    }

    /// The requests of a kind about one number.
    pub fn requests_about(&self, call: Call, msisdn: &str) -> Vec<Request> {
        self.requests(call).into_iter().filter(|request| request.msisdn() == msisdn).collect()
    }

    /// The texts of all SMSes to a number.
    pub fn texts_to(&self, msisdn: &str) -> Vec<String> {
        let messages = self.requests_about(Call::Message, msisdn);
        messages.iter().map(|request| request.text("text").to_owned()).collect()
    }

    /// The cents that were charged to a number, and refunded.
    pub fn charged_and_refunded(&self, msisdn: &str) -> (i64, i64) {
        let records = self.records();
        let sum = |charges: Vec<&Value>| {
            let of_number = charges.into_iter().filter(|charge| charge["msisdn"] == msisdn);
            of_number.filter_map(|charge| charge["cents"].as_i64()).sum()
        };
        (sum(records.charges.iter().collect()), sum(records.refunds.values().collect()))
    }

    /// The cents of a number by day, less refunds.
    pub fn net_charges_by_day(&self, msisdn: &str) -> BTreeMap<String, i64> {
        let records = self.records();
        let mut days: BTreeMap<String, i64> = BTreeMap::new();
        for charge in records.charges.iter().filter(|charge| charge["msisdn"] == msisdn) {
            let refunds = records.refunds.values().filter(|refund| refund["charge_key"] == charge["key"]);
            let given_back: i64 = refunds.filter_map(|refund| refund["cents"].as_i64()).sum();
            let day = charge["day"].as_str().unwrap_or_default().to_owned();
            *days.entry(day).or_default() += charge["cents"].as_i64().unwrap() - given_back;
        }
        days
    }

    /// The network's active subscription of a number to a service.
    pub fn subscription(&self, msisdn: &str, svc_id: i64) -> Option<NetworkSubscription> {
        let records = self.records();
        records
            .subscriptions
            .iter()
            .rev()
            .find(|one| one.active && one.msisdn == msisdn && one.svc_id == svc_id)
            .cloned()
    }

    /// Ends a number's subscription at the network without a notification.
    pub fn end(&self, msisdn: &str, svc_id: i64) {
        self.records().end(msisdn, svc_id);
    }

    /// Starts a subscription at the network without an opt-in; returns its id.
    pub fn begin(&self, msisdn: &str, svc_id: i64) -> u64 {
        self.records().begin(msisdn, svc_id)
    }

    /// Confirms the page at this address, which has asked for the number; returns the notification.
    pub fn confirm_as(&self, page: &str, msisdn: &str) -> Value {
        let reference = page.rsplit('/').next().unwrap();
        let asked = self.records().opt_ins.get_mut(reference).unwrap()["msisdn"].take();
        assert_eq!(asked, "", "the page knew the number");
        self.records().opt_ins.get_mut(reference).unwrap()["msisdn"] = json!(msisdn);
        self.confirm(page)
    }

    /// Confirms the page at this address; returns the notification.
    pub fn confirm(&self, page: &str) -> Value {
        let reference = page.rsplit('/').next().unwrap();
        let mut records = self.records();
        let now = records.now_text();
        let mut opt_in = records.opt_ins[reference].clone();
        let (msisdn, svc_id) = (opt_in["msisdn"].as_str().unwrap().to_owned(), opt_in["svc_id"].as_i64().unwrap());
        let id = match opt_in["kind"].as_str().unwrap() {
            "opt_in" => json!(records.begin(&msisdn, svc_id).to_string()),
            "leave" => {
                records.end(&msisdn, svc_id);
                Value::Null
            }
            _ => Value::Null,
        };
        opt_in["status"] = json!("confirmed");
        opt_in["decided_at"] = json!(now);
        opt_in["network_subscription_id"] = id.clone();
        if let Some(begun) = records.subscriptions.iter_mut().find(|one| id == json!(one.id.to_string())) {
            begun.partner_ref = opt_in["subscription_id"].clone();
        }
        records.opt_ins.insert(reference.to_owned(), opt_in.clone());
        drop(records);
        if self.inner.shape == Shape::Push && opt_in["kind"] == "opt_in" {
            let mut event = self.subscription_event(&msisdn, svc_id, &id, 2);
            event["partner_ref"] = opt_in["subscription_id"].clone();
            event["ext_ref"] = opt_in["ext_ref"].clone();
            return event;
        }
        json!({
            "event": "opt_in", "kind": opt_in["kind"], "reference": reference,
            "subscription_id": opt_in["subscription_id"], "user_msisdn": msisdn, "svc_id": svc_id,
            "ext_ref": opt_in["ext_ref"], "status": "confirmed", "decided_at": now, "network_subscription_id": id,
        })
    }

    /// A push network's event about one of its subscriptions, with the current time.
    pub fn subscription_event(&self, msisdn: &str, svc_id: i64, id: &Value, status_id: i64) -> Value {
        json!({
            "subscription_id": id, "user_msisdn": msisdn, "svc_id": svc_id, "svc_name": "ttmbhatv", "ext_ref": null,
            "channel_name": "WAP", "status_id": status_id, "billing_rate": 300, "billing_cycle": "DAILY",
            "updated_at": self.records().now_text(),
        })
    }

    /// A push network's event about one of its charges, with the current time; a successful charge is added to its list.
    pub fn billing_event(&self, msisdn: &str, svc_id: i64, id: &Value, billing_ref: &str, result: &str) -> Value {
        let subscription = self.subscription_event(msisdn, svc_id, id, 2);
        let mut records = self.records();
        if result == "SUCCESS" {
            let day = records.today();
            let charge = records.charge(&json!({
                "key": billing_ref, "msisdn": msisdn, "svc_id": svc_id, "cents": 300, "day": day,
            }));
            records.charges.push(charge);
        }
        json!({
            "amount": 300, "billing_ref": billing_ref, "result_id": 1, "result_name": result,
            "billed_at": records.now_text(), "subscription": subscription,
        })
    }
}

async fn respond(inner: Data<Inner>, request: HttpRequest, body: Bytes) -> HttpResponse {
    let at = Instant::now();
    let Some(call) = call_of(&request) else { return HttpResponse::NotFound().finish() };
    let base = format!("http://{}", request.connection_info().host());
    let decoded = |text: &str| url::form_urlencoded::parse(text.as_bytes()).map(|(name, _)| name.into_owned()).next();
    let arrived = {
        let mut records = inner.records.lock().unwrap();
        let arrived = Request {
            call,
            at,
            time: records.now(),
            name: decoded(request.path().rsplit('/').next().unwrap()).unwrap_or_default(),
            query: url::form_urlencoded::parse(request.query_string().as_bytes()).into_owned().collect(),
            body: serde_json::from_slice(&body).unwrap_or_default(),
        };
        records.requests.push(arrived.clone());
        arrived
    };
    let response = inner.rules.lock().unwrap().get(&call).map_or(Response::Normal, |rule| rule(&arrived));
    let handled = || inner.records.lock().unwrap().handle(&arrived, &base);
    let (status, answer, link) = match response {
        Response::Normal => handled(),
        Response::Delayed(pause) => {
            let answer = handled();
            rt::time::sleep(pause).await;
            answer
        }
        Response::NoReply => {
            rt::time::sleep(NO_REPLY).await;
            return HttpResponse::GatewayTimeout().finish();
        }
        Response::Outcome(outcome) => (200, inner.records.lock().unwrap().fail(&arrived.body, outcome), None),
        Response::Status(status, text) => return HttpResponse::build(code(status)).body(text),
        Response::Busy => return HttpResponse::TooManyRequests().insert_header(("retry-after", "1")).finish(),
        Response::Compressed => {
            let (status, answer, _) = handled();
            let text = format!("\u{feff}{answer}");
            let mut gzip = GzEncoder::new(text.as_bytes(), Compression::fast());
            let mut body = Vec::new();
            gzip.read_to_end(&mut body).unwrap();
            return HttpResponse::build(code(status)).insert_header(("content-encoding", "gzip")).body(body);
        }
        Response::Changed(change) => {
            let (status, mut answer, link) = handled();
            change(&mut answer);
            (status, answer, link)
        }
        Response::NextPage(address) => {
            let (status, answer, _) = handled();
            (status, answer, Some(format!("<{address}>; rel=\"next\"")))
        }
    };
    let mut reply = HttpResponse::build(code(status));
    if let Some(link) = link {
        reply.insert_header(("link", link));
    }
    reply.json(answer)
}

fn code(status: u16) -> StatusCode {
    StatusCode::from_u16(status).unwrap()
}

fn call_of(request: &HttpRequest) -> Option<Call> {
    let path: Vec<&str> = request.path().trim_matches('/').split('/').collect();
    Some(match (request.method(), path.as_slice()) {
        (&Method::POST, ["opt-ins"]) => Call::OptIn,
        (&Method::GET, ["opt-ins", _]) => Call::OptInStatus,
        (&Method::POST, ["charges"]) => Call::Charge,
        (&Method::GET, ["charges"]) => Call::ChargeList,
        (&Method::GET, ["charges", _]) => Call::ChargeStatus,
        (&Method::GET, ["subscriptions"]) => Call::SubscriptionList,
        (&Method::POST, ["stops"]) => Call::Stop,
        (&Method::POST, ["messages"]) => Call::Message,
        (&Method::POST, ["refunds"]) => Call::Refund,
        _ => return None,
    })
}
