//! The Parlay X interfaces. The header of a caller is checked, and each nonce is accepted once.

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

/// A header with a token for this password, nonce and age.
fn token(credentials: &str, nonce: &str, age_seconds: i64) -> String {
    let credentials: Credentials = credentials.parse().unwrap();
    let created = Utc::now() - TimeDelta::seconds(age_seconds);
    // 16 bytes of the test's own choice.
    let token = credentials.token(Sha256::digest(nonce)[..16].try_into().unwrap(), created);
    format!(
        "<soapenv:Header><wsse:Security xmlns:wsse=\"urn:wsse\"><wsse:UsernameToken><wsse:Username>{}</wsse:Username>\
         <wsse:Password Type=\"{}\">{}</wsse:Password><wsse:Nonce>{}</wsse:Nonce>\
         <wsu:Created xmlns:wsu=\"urn:wsu\">{}</wsu:Created></wsse:UsernameToken></wsse:Security></soapenv:Header>",
        token.username, token.kind, token.password, token.nonce, token.created
    )
}

async fn call(network: &Network, header: &str, body: &str) -> Reply {
    let envelope = format!(
        "<soapenv:Envelope xmlns:soapenv=\"http://schemas.xmlsoap.org/soap/envelope/\" \
         xmlns:loc=\"http://www.csapi.org/schema/parlayx/payment/amount_charging/v2_1/local\">\
         {header}<soapenv:Body>{body}</soapenv:Body></soapenv:Envelope>"
    );
    let client = network.client();
    let request = client.request(Method::POST, "/AmountChargingService/services/AmountCharging");
    client.send(request.header("content-type", "text/xml").body(envelope)).await
}

fn text(reply: &Reply) -> String {
    String::from_utf8(reply.bytes.clone()).unwrap()
}

/// A charge, or a refund of the charge that its description names.
fn amount(operation: &str, (key, description): (&str, &str), msisdn: &str, svc_id: i32, amount: &str) -> String {
    format!(
        "<loc:{operation}><loc:endUserIdentifier>tel:+{msisdn}</loc:endUserIdentifier><loc:charge><description>{description}</description>\
         <currency>ZAR</currency><amount>{amount}</amount><code>{svc_id}</code></loc:charge>\
         <loc:referenceCode>{key}</loc:referenceCode></loc:{operation}>"
    )
}

fn charge(key: &str, msisdn: &str, svc_id: i32, cents: &str) -> String {
    amount("chargeAmount", (key, DAY), msisdn, svc_id, cents)
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
        assert!(first.status == 200 && text(&first).contains("<m:chargeAmountResponse/>"), "{}", text(&first));
        let replayed = call(&network, &header, &charge("k2", "27812341111", MEME, "3.00")).await;
        assert!(replayed.status == 500 && text(&replayed).contains("wsse:FailedCheck"), "{}", text(&replayed));
        assert_eq!(network.charges(DAY).await.len(), 1);
        // A token that was refused has used no nonce.
        assert_eq!(call(&network, &token("wasp:wrong", "twice", 0), &charge("k3", "27812341111", MEME, "3.00")).await.status, 500);
        assert_eq!(call(&network, &token(CREDENTIALS, "twice", 0), &charge("k3", "27812341111", MEME, "3.00")).await.status, 200);
    }

    async fn an_exception_tells_why_a_request_was_not_made(engine) {
        let network = spawn(engine).await;
        for msisdn in ["0812341111", "0812340003", "0812340006", "0812340011"] {
            network.joined(msisdn, MEME).await;
        }
        network.joined("0812341111", TT).await;
        let refund = |key, of, cents| amount("refundAmount", (key, of), "27812341111", MEME, cents);
        for (nonce, body, part) in [
            ("1", charge("k1", "27812341111", MEME, "3.00"), "<m:chargeAmountResponse/>"),
            ("2", charge("k1", "27812341111", MEME, "3.00"), "<m:chargeAmountResponse/>"),
            ("3", charge("k1", "27812340003", MEME, "3.00"), "SVC0005"),
            ("4", charge("k2", "27812340003", MEME, "3.00"), "SVC0270"),
            ("5", charge("k3", "27812342222", MEME, "3.00"), "POL0002"),
            ("7", charge("k5", "27812341111", MEME, "three"), "<faultcode>soapenv:Client<"),
            ("8", charge("k5", "27812341111", MEME, "0.00"), "SVC0007"),
            // Another network's service.
            ("9", charge("k5", "27812341111", TT, "3.00"), "SVC0002"),
            ("10", refund("r1", "k1", "1.00"), "<m:refundAmountResponse/>"),
            ("11", refund("r1", "k1", "1.00"), "<m:refundAmountResponse/>"),
            ("12", refund("r2", "k1", "3.00"), "SVC0007"),
            ("13", refund("r3", "k9", "3.00"), "SVC0002"),
        ] {
            let reply = call(&network, &token(CREDENTIALS, nonce, 0), &body).await;
            let part = if part.starts_with('<') { part.to_owned() } else { format!("<messageId>{part}</messageId>") };
            assert!(text(&reply).contains(&part), "{nonce}: {}", text(&reply));
            assert_eq!(reply.status, if part.starts_with("<m:") { 200 } else { 500 }, "{nonce}");
        }
        assert_eq!(call(&network, &token(CREDENTIALS, "6", 0), &charge("k4", "27812340006", MEME, "3.00")).await.status, 503);
        // What Parlay X does not define are the contract's calls.
        let status = network.client().get_ok("/charges/k1").await;
        assert_eq!((&status["outcome"], &status["cents"]), (&"charged".into(), &300.into()));
        let refunds = network.client().get_ok(&format!("/refunds?day={DAY}")).await;
        assert_eq!((refunds.as_array().unwrap().len(), &refunds[0]["cents"]), (1, &100.into()));
    }

    async fn an_sms_and_a_stop_are_made_once(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        let sms = "<loc:sendSms><loc:addresses>tel:27812341111</loc:addresses><loc:charging><description/><currency>ZAR</currency>\
            <amount>0</amount><code>150</code></loc:charging><loc:message>a &amp; b</loc:message><loc:receiptRequest><endpoint/>\
            <interfaceName>SmsNotification</interfaceName><correlator>s1</correlator></loc:receiptRequest></loc:sendSms>";
        for nonce in ["1", "2"] {
            let reply = call(&network, &token(CREDENTIALS, nonce, 0), sms).await;
            assert!(text(&reply).contains("<m:result>s1</m:result>"), "{}", text(&reply));
        }
        let inbox = network.client().request(Method::GET, "/inbox/0812341111").header("accept", "application/json");
        let inbox = network.client().send(inbox).await.json();
        let texts: Vec<_> = inbox.as_array().unwrap().iter().map(|sms| sms["text"].clone()).collect();
        assert_eq!(texts, ["a & b"]);
        let id = network.client().get_ok("/subscriptions?since=2000-01-01T00:00:00Z").await[0]["subscription_id"].to_string();
        let stop = format!(
            "<loc:unSubscribeProductRequest><loc:unSubscribeProductReq><userID><ID>27812341111</ID><type>0</type></userID><subInfo>\
             <productID>150</productID><extensionInfo><namedParameters><key>orderKey</key><value>{}</value></namedParameters>\
             </extensionInfo></subInfo></loc:unSubscribeProductReq></loc:unSubscribeProductRequest>",
            id.trim_matches('"')
        );
        for nonce in ["3", "4"] {
            let reply = call(&network, &token(CREDENTIALS, nonce, 0), &stop).await;
            assert!(text(&reply).contains("<m:unSubscribeProductRsp><result>0</result>"), "{}", text(&reply));
        }
        let refused = call(&network, &token(CREDENTIALS, "5", 0), &charge("k1", "27812341111", MEME, "3.00")).await;
        assert!(text(&refused).contains("POL0002"), "{}", text(&refused));
    }

    async fn its_notifications_are_orders(engine) {
        let network = spawn(engine).await;
        network.joined("0812341111", MEME).await;
        let notified = async |parts: &[&str]| {
            let all = network.receiver.received();
            all.iter().filter_map(|one| one.body.as_str()).any(|body| parts.iter().all(|part| body.contains(part)))
        };
        let order = "<m:syncOrderRelation><m:userID><ID>27812341111</ID><type>0</type></m:userID>";
        let added = [order, "<m:serviceID>150</m:serviceID>", "<m:updateType>1</m:updateType>", "<item><key>orderKey</key>"];
        eventually("the addition", async || notified(&added).await).await;
        let stop = serde_json::json!({"msisdn": "0812341111", "text": "STOP"});
        assert_eq!(network.client().post("/sms", &stop).await.status, 200);
        let deleted = [order, "<m:updateType>2</m:updateType>"];
        eventually("the deletion", async || notified(&deleted).await).await;
    }
}
