//! A trace goes through the gateway: gateway and service send their spans to the collector that is named, under one trace.

use std::{
    net::TcpListener,
    sync::{Arc, Mutex},
};

use actix_web::{
    App, HttpResponse, HttpServer,
    web::{Bytes, Data, PayloadConfig, post},
};
use opentelemetry_proto::tonic::{
    collector::trace::v1::ExportTraceServiceRequest,
    common::v1::any_value::Value,
    trace::v1::{Span, span::SpanKind},
};
use prost::Message;
use testkit::{Client, Engine};

use crate::{Family, failed_start, place};

/// What a collector was sent.
type Sent = Arc<Mutex<Vec<ExportTraceServiceRequest>>>;

async fn take(body: Bytes, sent: Data<Sent>) -> HttpResponse {
    match ExportTraceServiceRequest::decode(body) {
        Ok(request) => {
            sent.lock().unwrap().push(request);
            HttpResponse::Ok().content_type("application/x-protobuf").finish()
        }
        Err(error) => HttpResponse::BadRequest().body(error.to_string()),
    }
}

/// A collector; its address, and what it gets.
fn collector() -> (String, Sent) {
    let sent = Sent::default();
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let data = Data::new(sent.clone());
    let server = HttpServer::new(move || {
        let app = App::new().app_data(data.clone()).app_data(PayloadConfig::new(64 * 1024 * 1024));
        app.route("/v1/traces", post().to(take))
    });
    actix_web::rt::spawn(server.workers(1).disable_signals().listen(listener).unwrap().run());
    (address, sent)
}

fn attribute(span: &Span, name: &str) -> String {
    let found = span.attributes.iter().find(|attribute| attribute.key == name);
    match found.and_then(|attribute| attribute.value.as_ref()?.value.as_ref()) {
        Some(Value::StringValue(text)) => text.clone(),
        Some(Value::IntValue(number)) => number.to_string(),
        _ => String::new(),
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[actix_web::test]
async fn gateway_and_service_are_one_trace_and_strangers_begin_none() {
    let (address, sent) = collector();
    let (home, store) = place(Engine::Sqlite).await;
    let family = Family::start_with(home.path(), &store, |command| {
        command.env("OTEL_EXPORTER_OTLP_ENDPOINT", &address);
    })
    .await;
    let (ours, theirs) = ("0af7651916cd43dd8448eb211c80319c", "1af7651916cd43dd8448eb211c80319d");
    let parent = |trace: &str| format!("00-{trace}-b7ad6b7169203331-01");
    let gateway = Client::new(([127, 0, 0, 1], family.port).into(), "memeworld.localhost");
    let request =
        gateway.request(reqwest::Method::GET, "/api/meme/random?limit=2").header("traceparent", parent(theirs));
    let reply = gateway.send(request).await;
    assert_eq!(reply.status, 200);
    let id = reply.header("x-request-id").to_owned();
    gateway.get("/api/subscribe/check-sub?msisdn=27812345678&subscription_id=hush").await;
    // Callers behind the gateway are trusted: their trace continues.
    let service = Client::new(([127, 0, 0, 1], family.port + 3).into(), "memeworld");
    let request = service.request(reqwest::Method::GET, "/api/meme/nothing").header("traceparent", parent(ours));
    assert_eq!(service.send(request).await.status, 404);
    // What still waits is sent when the process ends.
    assert_eq!(family.end("INT"), Some(0));

    let sent = sent.lock().unwrap();
    let resources: Vec<_> = sent.iter().flat_map(|request| &request.resource_spans).collect();
    let named = |resource: &opentelemetry_proto::tonic::resource::v1::Resource| {
        let name = resource.attributes.iter().find(|attribute| attribute.key == "service.name");
        name.and_then(|name| name.value.clone()?.value) == Some(Value::StringValue("family".to_owned()))
    };
    assert!(resources.iter().all(|sent| sent.resource.as_ref().is_some_and(named)));
    let spans: Vec<&Span> =
        resources.iter().flat_map(|resource| &resource.scope_spans).flat_map(|scope| &scope.spans).collect();
    let of_request = |service: &str| {
        let found = spans
            .iter()
            .find(|span| attribute(span, "request.id") == id && attribute(span, "spaza.service") == service);
        *found.unwrap_or_else(|| panic!("no span of {service} among {}", spans.len()))
    };
    let (gateway, meme) = (of_request("gateway"), of_request("meme"));
    assert_eq!(meme.trace_id, gateway.trace_id);
    assert_eq!(meme.parent_span_id, gateway.span_id);
    assert_eq!((gateway.name.as_str(), meme.name.as_str()), ("GET /api/meme", "GET /api/meme/random"));
    for span in [gateway, meme] {
        assert_eq!(span.kind, SpanKind::Server as i32);
        assert_eq!(attribute(span, "http.response.status_code"), "200");
        assert!(span.end_time_unix_nano > span.start_time_unix_nano);
    }
    assert!(gateway.parent_span_id.is_empty(), "a stranger's trace is not ours");
    assert!(spans.iter().all(|span| hex(&span.trace_id) != theirs));
    let called: Vec<_> = spans.iter().filter(|span| hex(&span.trace_id) == ours).collect();
    assert_eq!(called.len(), 1);
    assert_eq!(hex(&called[0].parent_span_id), "b7ad6b7169203331");
    assert_eq!(attribute(called[0], "http.response.status_code"), "404");
    let exported = format!("{spans:?}");
    assert!(!exported.contains("27812345678") && !exported.contains("hush"), "a number or an id is exported");
}

#[test]
fn start_with_a_bad_otlp_endpoint_names_the_variable() {
    for address in ["collector:4318", "https://collector:4318", "http://", "http://collector:4318/v1/traces"] {
        let home = tempfile::tempdir().unwrap();
        let mut command = crate::command(home.path());
        command.env("OTEL_EXPORTER_OTLP_ENDPOINT", address);
        let (code, stderr_text) = failed_start(command);
        assert_ne!(code, 0, "{stderr_text}");
        assert!(
            stderr_text.starts_with("OTEL_EXPORTER_OTLP_ENDPOINT: ") && stderr_text.trim_end().lines().count() == 1,
            "{stderr_text}"
        );
    }
}
