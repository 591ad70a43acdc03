//! The adapter against a scripted network: what it sends, and what it makes of the replies.

use std::{
    net::TcpListener,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use actix_web::{
    App, HttpRequest, HttpResponse, HttpServer,
    http::StatusCode as ActixStatus,
    web::{self, Data},
};
use serde_json::{Value, json};

use super::*;
use crate::networks::NetworkSettings;

type Answer = fn(&str) -> (u16, Value);

/// The requests that a network got, each as method and path, and its answers.
struct Script {
    requests: Mutex<Vec<String>>,
    answer: Answer,
}

impl Script {
    fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Its requests but those for tokens.
    fn calls(&self) -> Vec<String> {
        let short = |call: String| call.replace("/camara/carrier-billing/v0.5", "");
        self.requests().into_iter().filter(|request| !request.contains("oauth2")).map(short).collect()
    }
}

async fn answer(script: Data<Arc<Script>>, req: HttpRequest) -> HttpResponse {
    let mut request = format!("{} {}", req.method(), req.path());
    if req.path().ends_with("/oauth2/token") {
        script.requests.lock().unwrap().push(request);
        return HttpResponse::Ok().json(json!({"access_token": "t", "token_type": "bearer", "expires_in": 600}));
    }
    if req.query_string().contains("page=2") {
        request.push_str("?page=2");
    }
    script.requests.lock().unwrap().push(request.clone());
    let (status, body) = (script.answer)(&request.replace("/camara/carrier-billing/v0.5", ""));
    HttpResponse::build(ActixStatus::from_u16(status).unwrap()).json(body)
}

/// An adapter, and the network that it calls.
fn network(settings: &str, answer_with: Answer) -> (Camara, Arc<Script>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let script = Arc::new(Script { requests: Mutex::default(), answer: answer_with });
    let served = Data::new(script.clone());
    let server = HttpServer::new(move || App::new().app_data(served.clone()).default_service(web::to(answer)));
    actix_web::rt::spawn(server.workers(1).disable_signals().listen(listener).unwrap().run());
    let family = include_str!("../../../../../deploy/brands.toml");
    let family =
        family.replacen("\n[[brand]]", &format!("\n[network.n]\nadapter = 'camara'\n{settings}\n[[brand]]"), 1);
    let network = brands::Brands::parse(&family, "brands.toml").unwrap().network("n").unwrap();
    let credentials = "client:secret".parse().unwrap();
    let clients = Clients::new("n", &network, &NetworkSettings::of_tests(), &address).unwrap();
    (Camara::new(&address, network, credentials, clients).unwrap(), script)
}

const TWO_STEPS: &str = "camara = { two_steps = true }";

fn request(network_ref: Option<&str>) -> ChargeRequest {
    ChargeRequest {
        key: "k".to_owned(),
        msisdn: "27812345678".to_owned(),
        svc_id: 150,
        cents: 300,
        day: "2060-02-02".to_owned(),
        network_subscription_id: None,
        network_ref: network_ref.map(str::to_owned),
        sent_at: None,
    }
}

fn payment(id: &str, correlator: &str, status: PaymentStatus) -> Value {
    json!(Payment::new(id, status, &request(None), correlator))
}

/// A time that is not over during a test.
fn soon() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

fn outcome(reply: Result<Charge, Failure>) -> (ChargeStatus, Option<String>) {
    let charge = reply.map_err(Error::from).unwrap();
    (charge.outcome, charge.network_ref)
}

#[actix_web::test]
async fn a_prepared_payment_is_cancelled_where_it_is_too_late_to_confirm() {
    let (camara, script) = network(TWO_STEPS, |call| match call {
        "POST /payments/prepare" => {
            std::thread::sleep(Duration::from_millis(4100));
            (201, payment("p1", "k", PaymentStatus::Reserved))
        }
        "POST /payments/p1/cancel" => (202, Value::Null),
        "GET /payments/p1" => (200, payment("p1", "k", PaymentStatus::Cancelled)),
        other => panic!("{other}"),
    });
    let send_by = Instant::now() + Duration::from_secs(4);
    let charged = outcome(camara.charge(&request(None), send_by).await);
    assert_eq!(charged, (ChargeStatus::Cancelled, Some("p1".to_owned())));
    assert_eq!(script.calls(), ["POST /payments/prepare", "POST /payments/p1/cancel", "GET /payments/p1"]);
}

#[actix_web::test]
async fn number_page_is_the_networks_own_and_asks_no_question() {
    let asks_number = |settings: &str| {
        let (camara, _) = network(settings, |other| panic!("{other}"));
        let request = NumberRequest {
            state: "s".to_owned(),
            nonce: "n".to_owned(),
            verifier: "v".to_owned(),
            return_url: "https://b.example/back".to_owned(),
        };
        camara.number_page(&request)
    };
    assert_eq!(asks_number(""), None);
    let own = "camara.url = 'https://api.n.example'\ncamara.number_verification.issuer = 'https://n.example'\n\
        camara.number_verification.authorize_url = 'https://n.example/authorize?tenant=1'";
    let page = url::Url::parse(&asks_number(own).unwrap()).unwrap();
    assert_eq!((page.host_str(), page.path()), (Some("n.example"), "/authorize"));
    let query: Vec<(String, String)> = page.query_pairs().into_owned().collect();
    let expected = [
        ("tenant", "1"),
        ("response_type", "code"),
        ("client_id", "client"),
        ("redirect_uri", "https://b.example/back"),
        ("scope", "openid dpv:ServiceRegistration number-verification:device-phone-number:read"),
        ("state", "s"),
        ("nonce", "n"),
        ("code_challenge", "TJRIXgwhrmxBzh3-e2v6zupato5AokdvUCCOUm9QYIA"),
        ("code_challenge_method", "S256"),
        ("prompt", "none"),
    ];
    assert_eq!(query, expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
}

#[actix_web::test]
async fn nothing_is_sent_after_its_time() {
    let (camara, script) = network("", |other| panic!("{other}"));
    let reply = camara.charge(&request(None), Instant::now()).await;
    assert!(matches!(reply, Err(Failure::RetryLater(TOO_LATE))));
    assert_eq!(script.calls(), Vec::<String>::new());
}

#[actix_web::test]
async fn a_status_query_cancels_a_payment_that_is_only_prepared() {
    let (camara, script) = network(TWO_STEPS, |call| match call {
        "GET /payments/p1" => (200, payment("p1", "k", PaymentStatus::Reserved)),
        "POST /payments/p1/cancel" => (409, json!({"status": 409, "code": "CARRIER_BILLING.PAYMENT_CONFIRMED"})),
        other => panic!("{other}"),
    });
    // The network confirmed it after all, and says so when it is asked again.
    let status = camara.charge_status(&request(Some("p1"))).await.unwrap().unwrap();
    assert_eq!(status.outcome, ChargeStatus::Unknown);
    assert_eq!(script.calls(), ["GET /payments/p1", "POST /payments/p1/cancel", "GET /payments/p1"]);
}

#[actix_web::test]
async fn a_payment_that_ended_is_followed_by_another_and_no_other_one_is() {
    let (camara, script) = network("", |call| match call {
        "GET /payments/p2" => (200, payment("p2", "k~2", PaymentStatus::Denied)),
        "GET /payments/p3" => (200, payment("p3", "k~3", PaymentStatus::Processing)),
        "POST /payments" => (201, payment("p4", "k~3", PaymentStatus::Succeeded)),
        other => panic!("{other}"),
    });
    let charged = outcome(camara.charge(&request(Some("p2")), soon()).await);
    assert_eq!(charged, (ChargeStatus::Charged, Some("p4".to_owned())), "by the correlator k~3");
    let open = outcome(camara.charge(&request(Some("p3")), soon()).await);
    assert_eq!(open, (ChargeStatus::Accepted, Some("p3".to_owned())));
    assert_eq!(script.calls(), ["GET /payments/p2", "POST /payments", "GET /payments/p3"]);
}

/// A reply that is another one each time.
fn nth(calls: &AtomicUsize, replies: [(u16, Value); 2]) -> (u16, Value) {
    let [first, second] = replies;
    if calls.fetch_add(1, Ordering::Relaxed) == 0 { first } else { second }
}

#[actix_web::test]
async fn an_ended_payment_that_is_shown_again_is_followed_by_another_at_once() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let (camara, script) = network("", |call| match call {
        // By its price of then: the number has joined again at another one.
        "POST /payments" => {
            let mut ended = payment("p1", "k", PaymentStatus::Denied);
            ended["amountTransaction"]["paymentAmount"]["chargingInformation"]["amount"] = json!(5);
            nth(&CALLS, [(201, ended), (201, payment("p2", "k~2", PaymentStatus::Succeeded))])
        }
        other => panic!("{other}"),
    });
    let charged = outcome(camara.charge(&request(None), soon()).await);
    assert_eq!(charged, (ChargeStatus::Charged, Some("p2".to_owned())));
    assert_eq!(script.calls(), ["POST /payments", "POST /payments"]);
}

#[actix_web::test]
async fn an_ended_payment_is_no_new_refusal() {
    static CALLS: AtomicUsize = AtomicUsize::new(0);
    let (camara, _) = network("", |call| match call {
        "POST /payments" => {
            nth(&CALLS, [(201, payment("p1", "k", PaymentStatus::Denied)), (503, json!({"code": "UNAVAILABLE"}))])
        }
        other => panic!("{other}"),
    });
    let charged = outcome(camara.charge(&request(None), soon()).await);
    assert_eq!(charged, (ChargeStatus::Cancelled, Some("p1".to_owned())), "the next request is another payment");
}

#[actix_web::test]
async fn a_known_correlator_is_found_in_the_list_and_not_charged_again() {
    let (camara, script) = network("", |call| match call {
        "POST /payments" => (
            400,
            json!({"status": 400, "code": "INVALID_ARGUMENT", "message": "clientCorrelator already exist on server."}),
        ),
        "GET /payments" => (200, json!([payment("p1", "k", PaymentStatus::Succeeded)])),
        "GET /payments?page=2" => (200, json!([])),
        "GET /payments/p1" => (200, payment("p1", "k", PaymentStatus::Succeeded)),
        other => panic!("{other}"),
    });
    let charged = outcome(camara.charge(&request(None), soon()).await);
    assert_eq!(charged, (ChargeStatus::Charged, Some("p1".to_owned())));
    assert_eq!(script.calls().iter().filter(|call| call.starts_with("POST")).count(), 1);
}

#[actix_web::test]
async fn a_refused_token_is_renewed_once() {
    let (camara, script) = network("", |_| (401, json!({"status": 401, "code": "UNAUTHENTICATED"})));
    let reply = camara.charge(&request(None), soon()).await;
    assert!(matches!(reply, Err(Failure::RetryLater("the network refuses the access token"))));
    let paths: Vec<_> = script.requests().iter().map(|request| request.contains("oauth2")).collect();
    assert_eq!(paths, [true, false, true, false]);
}

#[actix_web::test]
async fn a_list_that_repeats_a_page_or_has_no_total_is_an_error_or_ends_at_an_empty_page() {
    let (camara, _) = network("", |call| match call {
        "GET /payments" => (200, json!([payment("p1", "k", PaymentStatus::Succeeded), {"paymentId": 7}])),
        "GET /payments?page=2" => (200, json!([])),
        other => panic!("{other}"),
    });
    let (rows, next) = camara.charges_of_day("2060-02-02", None).await.unwrap();
    assert_eq!((rows.len(), rows.iter().filter(|row| row.is_err()).count()), (2, 1));
    let (rows, end) = camara.charges_of_day("2060-02-02", next.as_deref()).await.unwrap();
    assert!(rows.is_empty() && end.is_none());
    let repeating = network("", |_| (200, json!([payment("p1", "k", PaymentStatus::Succeeded)]))).0;
    let (_, next) = repeating.charges_of_day("2060-02-02", None).await.unwrap();
    assert!(repeating.charges_of_day("2060-02-02", next.as_deref()).await.is_err());
}
