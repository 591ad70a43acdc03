//! `POST /soap`: the same network in XML. Its header is checked, and each nonce is accepted once.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use chrono::{TimeDelta, Utc};
use operator::Credentials;
use reqwest::Method;
use sha2::{Digest, Sha256};
use testkit::{Engine, Reply, eventually, on_each_engine};

use crate::network::{CREDENTIALS, DAY, MEME, Network, Receiver, TT, config};

const BRANDS: &str = include_str!("../../../../deploy/brands.toml");

/// A sandbox whose pull network has the adapter `soap`.
async fn spawn(engine: Engine) -> Network {
    let brands_file = tempfile::tempdir().unwrap().keep().join("brands.toml");
    std::fs::write(&brands_file, BRANDS.replace("adapter = \"rest\"", "adapter = \"soap\"")).unwrap();
    let receiver = Receiver::default();
    let receiver_addr = receiver.listen();
    let place = testkit::store(engine).await;
    let settings = operator_sandbox::Config { brands_file, ..config(&place, receiver_addr) };
    let running = operator_sandbox::start(settings).await.unwrap();
    Network { running, receiver, receiver_addr, place }
}

/// A token's element for this password, nonce and age, written without the service's own code.
fn token(credentials: &str, nonce: &str, age_seconds: i64) -> String {
    let (user, password) = credentials.split_once(':').unwrap();
    let created = (Utc::now() - TimeDelta::seconds(age_seconds)).format("%Y-%m-%dT%H:%M:%SZ").to_string();
    let written = Credentials { user: user.to_owned(), password: password.to_owned() };
    // 16 bytes of the test's own choice.
    let nonce: [u8; 16] = Sha256::digest(nonce)[..16].try_into().unwrap();
    let token = written.token(nonce, created.parse().unwrap());
    let xml = operator::soap::Request::QueryCharge(operator::soap::QueryCharge { transaction_id: String::new() })
        .to_xml(token)
        .unwrap();
    let (start, end) = (xml.find("<soapenv:Header>").unwrap(), xml.find("</soapenv:Header>").unwrap());
    assert!(xml.contains(&STANDARD.encode(nonce)));
    format!("{}</soapenv:Header>", &xml[start..end])
}

async fn call(network: &Network, header: &str, body: &str) -> Reply {
    let envelope = format!(
        "<soapenv:Envelope xmlns:soapenv=\"http://schemas.xmlsoap.org/soap/envelope/\" xmlns:w=\"urn:wasp:billing:1\">\
         {header}<soapenv:Body>{body}</soapenv:Body></soapenv:Envelope>"
    );
    let client = network.client();
    let request = client.request(Method::POST, "/soap").header("content-type", "text/xml").body(envelope);
    client.send(request).await
}

fn text(reply: &Reply) -> String {
    String::from_utf8(reply.bytes.clone()).unwrap()
}

fn charge(key: &str, msisdn: &str, svc_id: i32, amount: &str) -> String {
    format!(
        "<w:ChargeSubscriber><TransactionId>{key}</TransactionId><Msisdn>{msisdn}</Msisdn><ServiceId>{svc_id}</ServiceId>\
         <Amount>{amount}</Amount><Currency>ZAR</Currency><BillingDate>{DAY}</BillingDate></w:ChargeSubscriber>"
    )
}

on_each_engine! {
    async fn a_call_without_a_valid_token_is_a_fault_and_does_nothing(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        let body = charge("k1", "27812341111", MEME, "3.00");
        let plain = token(CREDENTIALS, "n0", 0).replace("#PasswordDigest", "#PasswordText");
        for (header, code) in [
            (String::new(), "wsse:InvalidSecurity"),
            (token("wasp:another-password", "n1", 0), "wsse:FailedAuthentication"),
            (token("other:a-password", "n2", 0), "wsse:FailedAuthentication"),
            (token(CREDENTIALS, "n3", 360), "wsse:MessageExpired"),
            (token(CREDENTIALS, "n4", -360), "wsse:MessageExpired"),
            (plain, "wsse:InvalidSecurityToken"),
        ] {
            let reply = call(&network, &header, &body).await;
            assert_eq!((reply.status, reply.header("content-type")), (500, "text/xml; charset=utf-8"));
            assert!(text(&reply).contains(&format!("<faultcode>{code}</faultcode>")), "{}", text(&reply));
        }
        let unreadable = call(&network, &token(CREDENTIALS, "n5", 0), "<w:Party/>").await;
        assert!(unreadable.status == 500 && text(&unreadable).contains("soapenv:Client"));
        assert_eq!(network.charges(DAY).await.len(), 0);
    }

    async fn a_nonce_is_accepted_once(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        let header = token(CREDENTIALS, "once", 0);
        let first = call(&network, &header, &charge("k1", "27812341111", MEME, "3.00")).await;
        assert!(first.status == 200 && text(&first).contains("<ResultCode>0</ResultCode>"), "{}", text(&first));
        let replayed = call(&network, &header, &charge("k2", "27812341111", MEME, "3.00")).await;
        assert!(replayed.status == 500 && text(&replayed).contains("wsse:FailedCheck"), "{}", text(&replayed));
        assert_eq!(network.charges(DAY).await.len(), 1);
        // A token that was refused has used no nonce.
        assert_eq!(call(&network, &token("wasp:wrong", "twice", 0), &charge("k3", "27812341111", MEME, "3.00")).await.status, 500);
        assert_eq!(call(&network, &token(CREDENTIALS, "twice", 0), &charge("k3", "27812341111", MEME, "3.00")).await.status, 200);
    }

    async fn a_result_code_tells_how_a_charge_ended(engine) {
        let network = spawn(engine).await;
        for msisdn in ["0812341111", "0812340003", "0812340006"] {
            network.joined(msisdn, MEME).await;
        }
        network.joined("0812341111", TT).await;
        for (nonce, body, code) in [
            ("1", charge("k1", "27812341111", MEME, "3.00"), "0"),
            ("2", charge("k1", "27812341111", MEME, "3.00"), "0"),
            ("3", charge("k1", "27812340003", MEME, "3.00"), "94"),
            ("4", charge("k2", "27812340003", MEME, "3.00"), "51"),
            ("5", charge("k3", "27812342222", MEME, "3.00"), "60"),
            ("6", charge("k4", "27812340006", MEME, "3.00"), "91"),
            ("7", charge("k5", "27812341111", MEME, "three"), "30"),
            ("8", charge("k5", "27812341111", MEME, "0.00"), "30"),
            // Another network's service.
            ("9", charge("k5", "27812341111", TT, "3.00"), "30"),
        ] {
            let reply = call(&network, &token(CREDENTIALS, nonce, 0), &body).await;
            assert!(text(&reply).contains(&format!("<ResultCode>{code}</ResultCode>")), "{nonce}: {}", text(&reply));
        }
        let query = "<w:QueryCharge><TransactionId>k1</TransactionId></w:QueryCharge>";
        let reply = text(&call(&network, &token(CREDENTIALS, "10", 0), query).await);
        for part in ["<TransactionId>k1<", "<Msisdn>27812341111<", "<ServiceId>150<", "<Amount>3.00<", "<OperatorReference>charge-"] {
            assert!(reply.contains(part), "{part}: {reply}");
        }
        let unknown = query.replace("k1", "k9");
        assert!(text(&call(&network, &token(CREDENTIALS, "11", 0), &unknown).await).contains("<ResultCode>25</ResultCode>"));
    }

    async fn its_notifications_are_xml(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        let notified = async |part: &str| {
            network.receiver.received().iter().any(|one| one.body.as_str().is_some_and(|body| body.contains(part)))
        };
        eventually("the opt-in", async || notified("<w:OptInAnswered>").await).await;
        let stop = serde_json::json!({"msisdn": "0812341111", "text": "STOP"});
        assert_eq!(network.client().post("/sms", &stop).await.status, 200);
        let stopped = "<w:SubscriptionStopped><Msisdn>27812341111</Msisdn><ServiceId>150</ServiceId>";
        eventually("the stop", async || notified(stopped).await).await;
    }
}
