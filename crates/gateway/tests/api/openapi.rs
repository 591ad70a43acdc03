//! The merged document and its page.

use crate::helpers::Gateway;

const HOST: &str = "memeworld.localhost:8080";

#[actix_web::test]
async fn public_calls_of_all_services_are_in_one_document() {
    let gateway = Gateway::start().await;
    let reply = gateway.on(HOST).get("/api/openapi.json").await;
    assert_eq!((reply.status, reply.header("content-type")), (200, "application/json"));
    assert_eq!(reply.header("cache-control"), "public, max-age=60");
    let document = reply.json();
    assert_eq!(document["openapi"], "3.1.0");
    let paths: Vec<_> = document["paths"].as_object().unwrap().keys().collect();
    assert_eq!(
        paths,
        ["/api/docs", "/api/meme/random", "/api/openapi.json", "/api/vitals"],
        "internal calls are not published"
    );
    let schemas = document["components"]["schemas"].as_object().unwrap();
    assert!(schemas.contains_key("Meme") && schemas.contains_key("Problem") && !schemas.contains_key("Import"));

    let again = gateway.on(HOST).request(reqwest::Method::GET, "/api/openapi.json");
    let again = gateway.on(HOST).send(again.header("if-none-match", reply.header("etag"))).await;
    assert_eq!((again.status, again.bytes.len()), (304, 0));
}

#[actix_web::test]
async fn page_has_no_script_and_shows_the_document() {
    let gateway = Gateway::start().await;
    let reply = gateway.on("localhost:8080").get("/api/docs").await;
    assert_eq!((reply.status, reply.header("content-type")), (200, "text/html; charset=utf-8"));
    let policy = reply.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'; style-src 'sha256-") && !policy.contains("unsafe"), "{policy}");
    let page = String::from_utf8(reply.bytes).unwrap();
    assert!(!page.contains("<script") && !page.contains(" style="));
    for part in ["/api/meme/random", "Draws <code>memes</code>.", "href=\"#Meme\"", "id=\"Meme\"", "For everybody."] {
        assert!(page.contains(part), "{part}");
    }
    assert!(!page.contains("/internal/"));
}

#[actix_web::test]
async fn document_without_a_service_is_503() {
    let gateway = Gateway::start_with(|config| config.tt_url = "http://127.0.0.1:1".parse().unwrap()).await;
    for address in ["/api/openapi.json", "/api/docs"] {
        let reply = gateway.on(HOST).get(address).await;
        assert_eq!((reply.status, reply.header("content-type")), (503, "application/problem+json"));
        assert!(!reply.header("retry-after").is_empty());
    }
}
