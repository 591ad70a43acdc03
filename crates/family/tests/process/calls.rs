//! Every documented call is really there, and lets in exactly whom its document says.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Client, Engine};

use crate::{Family, place};

/// What stands in for a parameter of a path.
fn filled(path: &str) -> String {
    let part = |part: &str| {
        match part {
            "{service}" => "ttmbhatv",
            "{status}" => "drama",
            "{network}" => "sandbox-pull",
            "{msisdn}" => "0812345678",
            part if part.starts_with('{') => "1",
            part => part,
        }
        .to_owned()
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

async fn documents(family: &Family) -> Vec<(u16, Value)> {
    let mut documents = Vec::new();
    for port in (family.port + 1)..=(family.port + 5) {
        let document = Client::new(([127, 0, 0, 1], port).into(), "localhost").get_ok("/openapi.json").await;
        documents.push((port, document));
    }
    documents
}

#[actix_web::test]
async fn calls_without_a_session_are_accepted_only_where_documented() {
    let (home, store) = place(Engine::Sqlite).await;
    let family = Family::start(home.path(), &store).await;
    let merged = Client::new(([127, 0, 0, 1], family.port).into(), "localhost").get_ok("/api/openapi.json").await;
    let mut tried = 0;
    for (port, document) in documents(&family).await {
        for (path, item) in document["paths"].as_object().unwrap() {
            for (method, call) in item.as_object().unwrap() {
                let access = call["x-access"].as_str().unwrap();
                // Through the public door where that leads, else at the service itself.
                let outside = path.starts_with("/api/");
                let client_without_session = Client::new(
                    ([127, 0, 0, 1], if outside { family.port } else { port }).into(),
                    "ttmbhatv.localhost",
                );
                let request = client_without_session
                    .request(Method::from_bytes(method.to_uppercase().as_bytes()).unwrap(), &filled(path));
                let reply =
                    client_without_session.send(if method == "get" { request } else { request.json(&json!({})) }).await;
                let description =
                    format!("{method} {path} ({access}): {} {}", reply.status, String::from_utf8_lossy(&reply.bytes));

                assert_eq!(merged["paths"][path][method].is_object(), outside, "{description}");
                assert!(
                    !description.contains("nothing at this address") && reply.status != 405,
                    "there is no such call: {description}"
                );
                assert!(reply.status < 500, "{description}");
                let refused = !matches!(access, "public" | "visitor");
                assert_eq!(reply.status == 401, refused, "{description}");
                assert!(call["responses"][reply.status.to_string()].is_object(), "undocumented: {description}");
                tried += 1;

                let other = [Method::PUT, Method::PATCH]
                    .into_iter()
                    .find(|other| !item.as_object().unwrap().contains_key(&other.as_str().to_lowercase()))
                    .unwrap();
                let reply = client_without_session.send(client_without_session.request(other, &filled(path))).await;
                let allowed: Vec<_> = reply.header("allow").split(", ").collect();
                assert!(
                    reply.status == 405 && allowed.contains(&&*method.to_uppercase()),
                    "{path}: {} {allowed:?}",
                    reply.status
                );
            }
        }
    }
    assert!(tried > 25, "only {tried} calls were found");
    assert_eq!(family.end("INT"), Some(0));
}
