//! Plain requests: what is answered beside the server is what the server would have read.

use std::cell::RefCell;

use actix_http::h1::{Codec, Message};
use actix_web::{HttpMessage, http::Method, rt::Runtime, web::BytesMut};
use tokio_util::codec::Decoder;
use web::Plain;

target!("requests", 15000, holds);

thread_local! {
    /// The server's own reader. It wants to know what time it is, by a task of its own.
    static CODEC: RefCell<Codec> = RefCell::new(Runtime::new().unwrap().block_on(async { Codec::default() }));
}

fn holds(input: &[u8]) {
    let Ok(plain) = Plain::read(BytesMut::from(input), None, None) else { return };
    // It is whole, and nothing follows it.
    assert!(input.ends_with(b"\n\r\n") || input.ends_with(b"\n\n"));
    assert!(matches!(*plain.method(), Method::GET | Method::HEAD));
    let mut bytes = BytesMut::from(input);
    let req = CODEC.with_borrow_mut(|codec| {
        let Ok(Some(Message::Item(req))) = codec.decode(&mut bytes) else {
            unreachable!("the server reads no request in {:?}", String::from_utf8_lossy(input))
        };
        assert!(codec.keep_alive() && !codec.upgrade(), "the server would end the connection");
        req
    });
    assert!(bytes.is_empty(), "the server leaves {bytes:?}");
    assert_eq!((plain.method(), Some(plain.address())), (req.method(), req.uri().path_and_query()));
    assert!(req.uri().authority().is_none() && plain.address().path().starts_with('/'));
    let headers = plain.headers();
    assert_eq!(headers.iter().count(), req.headers().iter().count());
    for name in req.headers().keys() {
        let read: Vec<&[u8]> = req.headers().get_all(name).map(|value| value.as_bytes()).collect();
        assert_eq!(headers.all(name.as_str()).collect::<Vec<_>>(), read, "{name}");
    }
    for name in ["content-length", "transfer-encoding", "upgrade", "expect"] {
        assert_eq!(headers.get(name), None, "{name}");
    }
    assert_eq!(headers.all("host").count(), 1);
}
