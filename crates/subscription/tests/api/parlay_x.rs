//! DataSync: a notification whose sender proves itself by a token in the message, and the message's own response.

use operator::Credentials;
use testkit::{Client, Engine, Reply, on_each_engine};

use crate::{
    conformance::{NAME, brands_file},
    services::{CREDENTIALS, Options, TestServices, number, spawn_with},
};

/// An order of DataSync with a token of these credentials.
fn order(credentials: &str, nonce: u8, update: i32, msisdn: &str) -> String {
    let token = credentials.parse::<Credentials>().unwrap().token([nonce; 16], chrono::Utc::now());
    format!(
        "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Header><wsse:Security xmlns:wsse=\"urn:wsse\">\
         <wsse:UsernameToken><wsse:Username>{}</wsse:Username><wsse:Password Type=\"{}\">{}</wsse:Password>\
         <wsse:Nonce>{}</wsse:Nonce><Created>{}</Created></wsse:UsernameToken></wsse:Security></s:Header><s:Body>\
         <n:syncOrderRelation xmlns:n=\"http://www.csapi.org/schema/parlayx/data/sync/v1_0/local\"><n:userID><ID>{msisdn}</ID>\
         <type>0</type></n:userID><n:spID>35000001</n:spID><n:productID>150</n:productID><n:serviceID>150</n:serviceID>\
         <n:updateType>{update}</n:updateType><n:extensionInfo><item><key>orderKey</key><value>999{msisdn}</value></item>\
         </n:extensionInfo></n:syncOrderRelation></s:Body></s:Envelope>",
        token.username, token.kind, token.password, token.nonce, token.created
    )
}

async fn send(services: &TestServices, body: String) -> Reply {
    let client = Client::new(services.addr, "memeworld");
    let request = client.request(reqwest::Method::POST, &format!("/api/subscribe/notify/{NAME}"));
    client.send(request.header("content-type", "text/xml").body(body)).await
}

/// Without the network, which would refuse to charge what it did not begin.
async fn spawn(engine: Engine) -> TestServices {
    spawn_with(engine, Options { brands_file: Some(brands_file("soap")), operator_down: true, ..Options::default() })
        .await
}

on_each_engine! {
    async fn an_order_with_a_token_of_the_network_counts_once(engine) {
        let services = spawn(engine).await;
        let (msisdn, other) = (number("1111"), number("2222"));
        for _ in 0..2 {
            let reply = send(&services, order(CREDENTIALS, 1, 1, &msisdn)).await;
            assert_eq!((reply.status, reply.header("content-type")), (200, "text/xml; charset=utf-8"));
            let text = String::from_utf8(reply.bytes).unwrap();
            assert!(text.contains("<m:syncOrderRelationResponse><m:result>0</m:result>"), "{text}");
        }
        services.wait_for_state(&msisdn, "active").await;
        // A nonce does nothing twice, whatever comes with it.
        assert_eq!(send(&services, order(CREDENTIALS, 1, 2, &msisdn)).await.status, 200);
        assert_eq!(services.state_and_causes(&msisdn).await.0, "active");
        assert_eq!(send(&services, order(CREDENTIALS, 2, 2, &msisdn)).await.status, 200);
        services.wait_for_state(&msisdn, "cancelled").await;
        // Another's password, or none.
        for body in [order("wasp:another", 3, 1, &other), order(CREDENTIALS, 4, 1, &other).replace("wsse:UsernameToken", "x")] {
            assert_eq!(send(&services, body).await.status, 401);
        }
        assert_eq!(services.state_and_causes(&other).await.0, "none");
        assert_eq!(services.count("notifications", "outcome = 'not_understood'").await, 0);
    }
}
