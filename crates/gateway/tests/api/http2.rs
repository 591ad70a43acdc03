//! HTTP/2 over TLS: its negotiation, and the same limits as HTTP/1.1.

use std::sync::Arc;

use actix_web::rt::spawn;
use bytes::Bytes;
use gateway::Config;
use http_body_util::{BodyExt, Full};
use hyper::{
    Request, Version,
    client::conn::http2::{SendRequest, handshake},
};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::{ClientConfig, RootCertStore, crypto::aws_lc_rs, pki_types::ServerName};
use tokio::net::TcpStream;
use tokio_rustls::{TlsConnector, client::TlsStream};

use crate::helpers::{Gateway, boot};

const HOST: &str = "mcfunny.localhost";

/// A gateway with a certificate for the host, and the roots that clients trust.
async fn start(change: impl FnOnce(&mut Config)) -> (Gateway, RootCertStore) {
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed([HOST.to_owned()]).unwrap();
    let mut roots = RootCertStore::empty();
    roots.add(cert.der().clone()).unwrap();
    let gateway = Gateway::start_with(|config| {
        let folder = config.media_dir.parent().unwrap();
        let (chain, key) = (folder.join("cert.pem"), folder.join("key.pem"));
        std::fs::write(&chain, cert.pem()).unwrap();
        std::fs::write(&key, signing_key.serialize_pem()).unwrap();
        (config.protection.tls_cert, config.protection.tls_key) = (Some(chain), Some(key));
        change(config);
    });
    (gateway.await, roots)
}

/// A connection that offers these protocols by ALPN.
async fn connect(gateway: &Gateway, roots: &RootCertStore, offered: &[&str]) -> TlsStream<TcpStream> {
    let mut config = ClientConfig::builder_with_provider(Arc::new(aws_lc_rs::default_provider()))
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots.clone())
        .with_no_client_auth();
    config.alpn_protocols = offered.iter().map(|name| name.as_bytes().to_vec()).collect();
    let stream = TcpStream::connect(gateway.addr).await.unwrap();
    TlsConnector::from(Arc::new(config)).connect(ServerName::try_from(HOST).unwrap(), stream).await.unwrap()
}

async fn http2(gateway: &Gateway, roots: &RootCertStore) -> SendRequest<Full<Bytes>> {
    let stream = connect(gateway, roots, &["h2"]).await;
    let (sender, connection) = handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
    spawn(connection);
    sender
}

/// Status, the header of this name, and body of the response to a request of `https://{HOST}`.
async fn send(
    sender: &mut SendRequest<Full<Bytes>>,
    (method, path, header): (&str, &str, &str),
    body: Vec<u8>,
) -> (u16, String, Vec<u8>) {
    let request = Request::builder().method(method).uri(format!("https://{HOST}{path}"));
    let response = sender.send_request(request.body(Full::from(body)).unwrap()).await.unwrap();
    assert_eq!(response.version(), Version::HTTP_2);
    let status = response.status().as_u16();
    let value = response.headers().get(header).map_or("", |value| value.to_str().unwrap()).to_owned();
    // The rest of a rejected request is reset, which may end the body early.
    let body = response.into_body().collect().await.map(|body| body.to_bytes().to_vec()).unwrap_or_default();
    (status, value, body)
}

#[actix_web::test]
async fn alpn_prefers_http2() {
    let (gateway, roots) = start(|_| ()).await;
    for (offered, agreed) in [
        (&["h2", "http/1.1"][..], Some("h2")),
        (&["http/1.1", "h2"], Some("h2")),
        (&["h2"], Some("h2")),
        (&["http/1.1"], Some("http/1.1")),
        (&[], None),
    ] {
        let stream = connect(&gateway, &roots, offered).await;
        let protocol = stream.get_ref().1.alpn_protocol().map(|name| String::from_utf8_lossy(name).into_owned());
        assert_eq!(protocol.as_deref(), agreed, "{offered:?}");
    }
}

#[actix_web::test]
async fn authority_selects_the_brand() {
    let (gateway, roots) = start(|_| ()).await;
    let mut sender = http2(&gateway, &roots).await;
    let (status, hsts, page) = send(&mut sender, ("GET", "/", "strict-transport-security"), Vec::new()).await;
    assert_eq!((status, hsts.as_str()), (200, "max-age=31536000"));
    assert_eq!(boot(&String::from_utf8(page).unwrap())["label"], "mcfunny");
    let (status, ..) = send(&mut sender, ("GET", "/api/subscribe/me", "etag"), Vec::new()).await;
    let seen = gateway.last_seen();
    assert_eq!((status, seen.header("host"), seen.header("x-forwarded-proto")), (200, "mcfunny", "https"));
    let (status, length, body) = send(&mut sender, ("HEAD", "/favicon.svg", "content-length"), Vec::new()).await;
    assert_eq!((status, length.as_str(), body.len()), (200, "6", 0));
    let (status, kind, _) = send(&mut sender, ("GET", "/api//meme/random", "content-type"), Vec::new()).await;
    assert_eq!((status, kind.as_str()), (400, "application/problem+json"));
    assert_eq!(send(&mut sender, ("GET", "/media/mcfunny/clip.mp4", "etag"), Vec::new()).await.0, 401);
}

#[actix_web::test]
async fn large_body_over_http2_is_rejected() {
    let (gateway, roots) = start(|config| config.protection.body_seconds = 1).await;
    let mut sender = http2(&gateway, &roots).await;
    let post = ("POST", "/api/meme/postlike", "content-type");
    assert_eq!(send(&mut sender, post, vec![b' '; 64 * 1024]).await.0, 200);
    let seen = gateway.upstream.seen().len();
    for length in [64 * 1024 + 1, 10 * 1024 * 1024] {
        let (status, kind, _) = send(&mut sender, post, vec![b' '; length]).await;
        assert_eq!((status, kind.as_str()), (413, "application/problem+json"), "{length}");
    }
    assert_eq!(gateway.upstream.seen().len(), seen);
    // Other requests on the connection continue.
    assert_eq!(send(&mut sender, ("GET", "/api/meme/random", "etag"), Vec::new()).await.0, 200);
}

#[actix_web::test]
async fn many_cancelled_requests_do_not_affect_other_connections() {
    let (gateway, roots) = start(|_| ()).await;
    let mut sender = http2(&gateway, &roots).await;
    for _ in 0..200 {
        let request =
            Request::builder().uri(format!("https://{HOST}/api/tt/shown/reset")).body(Full::default()).unwrap();
        if sender.ready().await.is_err() {
            // The gateway may close such a connection.
            break;
        }
        let response = sender.send_request(request);
        drop(tokio::time::timeout(std::time::Duration::from_millis(1), response).await);
    }
    let mut other = http2(&gateway, &roots).await;
    assert_eq!(send(&mut other, ("GET", "/api/meme/random", "etag"), Vec::new()).await.0, 200);
}
