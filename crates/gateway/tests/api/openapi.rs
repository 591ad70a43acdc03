//! The API's document and its page, as the front end's build writes them.

use crate::helpers::Gateway;

const HOST: &str = "memeworld.localhost:8080";

#[actix_web::test]
async fn get_openapi_json_answers_with_the_committed_document() {
    let gateway = Gateway::start().await;
    let reply = gateway.on(HOST).get("/api/openapi.json").await;
    assert_eq!((reply.status, reply.header("content-type")), (200, "application/json; charset=utf-8"));
    assert_eq!(reply.json()["openapi"], "3.1.0");

    let again = gateway.on(HOST).request(reqwest::Method::GET, "/api/openapi.json");
    let again = gateway.on(HOST).send(again.header("if-none-match", reply.header("etag"))).await;
    assert_eq!((again.status, again.bytes.len()), (304, 0));
}

#[actix_web::test]
async fn get_docs_answers_with_a_page_that_may_run_no_script() {
    let gateway = Gateway::start().await;
    let reply = gateway.on("localhost:8080").get("/api/docs").await;
    assert_eq!((reply.status, reply.header("content-type")), (200, "text/html; charset=utf-8"));
    let policy = reply.header("content-security-policy");
    assert!(policy.starts_with("default-src 'none'; style-src 'self';") && !policy.contains("unsafe"), "{policy}");
    assert_eq!(gateway.on("localhost:8080").get("/api/docs.html").await.status, 404, "one address is enough");
}
