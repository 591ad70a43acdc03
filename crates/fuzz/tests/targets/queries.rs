//! Queries and small headers: paging, ids, times, and `Accept-Encoding`.

use actix_web::{
    http::header::{ACCEPT_ENCODING, HeaderValue},
    test::TestRequest,
    web::Query,
};
use serde_json::Value;
use service::{Id, MAX_PAGE, Page, PageQuery, compression::Compression};

target!("queries", 20000, holds);

fn holds(input: &[u8]) {
    if let Ok(text) = std::str::from_utf8(input) {
        paging(text);
        if let Ok(id) = serde_json::from_str::<Id>(text) {
            assert!(id.get() > 0 && serde_json::to_string(&id).unwrap() == id.get().to_string());
        }
        if let Ok(time) = service::timestamp::deserialize(Value::from(text)) {
            let written = time.format(service::timestamp::FORMAT).to_string();
            assert_eq!(
                service::timestamp::deserialize(Value::from(written.as_str())).ok(),
                Some(time),
                "{text} as {written}"
            );
        }
    }
    encoding(input);
}

fn read(query: &str) -> Option<Page> {
    Page::try_from(Query::<PageQuery>::from_query(query).ok()?.into_inner()).ok()
}

fn paging(query: &str) {
    let Some(page) = read(query) else { return };
    assert!((1..=MAX_PAGE).contains(&page.limit) && page.after >= 0, "{page:?}");
    let mut ids: Vec<i64> = (1..=page.fetch()).collect();
    assert_eq!(page.cut(&mut ids, |id| *id), Some(page.limit));
    assert_eq!(ids.len() as i64, page.limit);
    let link = page.next_link("/api/meme/random", 7);
    let next = link.split(['?', '>']).nth(1).and_then(read);
    assert_eq!(next, Some(Page { after: 7, ..page }), "{link}");
}

/// No reply has an encoding that the request does not accept.
fn encoding(header: &[u8]) {
    let Ok(value) = HeaderValue::from_bytes(header) else { return };
    let req = TestRequest::get().insert_header((ACCEPT_ENCODING, value)).to_http_request();
    let Some(compression) = Compression::negotiate_request(&req) else { return };
    let named = header.to_ascii_lowercase();
    let named = String::from_utf8_lossy(&named);
    assert!(named.contains(compression.name()) || named.contains('*'), "{named} gets {}", compression.name());
}
