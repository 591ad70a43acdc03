//! Sessions: the `Cookie` header of a request, and the token in it.

use std::sync::LazyLock;

use actix_web::{
    http::header::{self, HeaderValue},
    test::TestRequest,
    web::Data,
};
use brands::Brands;
use identity::{Session, SessionMinter, SessionVerifier, Subscriber, SubscriberId};

target!("sessions", 4000, holds);

static BRANDS: LazyLock<Brands> =
    LazyLock::new(|| Brands::parse(include_str!("../../../../deploy/brands.toml"), "brands.toml").unwrap());

/// A key of the tests' own: no service accepts what it signs.
const KEY: &str = "k4.secret.6Pcel5Zl3c_uJ7g6dzyNwB3q-PJ7n2S77_pnc7UnWQd478p__1B5j26yTrJ2DeW1zcaEFCcJsZVdfykXByN6CQ";

static MINTER: LazyLock<SessionMinter> = LazyLock::new(|| SessionMinter::parse(KEY).unwrap());
static VERIFIER: LazyLock<SessionVerifier> = LazyLock::new(|| SessionVerifier::parse(&MINTER.public_key()).unwrap());

/// The only session that is signed; of the year 2100, so that the corpus' token does not grow old.
fn the_session() -> Session {
    Session {
        msisdn: SubscriberId::parse("0812345678").unwrap(),
        svc_id: 148,
        label: "mcfunny".to_owned(),
        issued_at: 4_102_444_800,
        generation: 0,
        person: 0,
        test: false,
    }
}

fn holds(input: &[u8]) {
    if let Ok(text) = std::str::from_utf8(input) {
        let token = text.strip_prefix("session-mcfunny=").unwrap_or(text);
        if let Some(session) = VERIFIER.verify(token) {
            assert_eq!(session, the_session(), "a session that was not signed here is accepted");
        }
        if let Ok(verifier) = SessionVerifier::parse(text) {
            assert!(
                verifier.verify(&MINTER.mint(&the_session()).unwrap()).is_none() || text.contains(&MINTER.public_key())
            );
        }
        if let Ok(minter) = SessionMinter::parse(text) {
            let verifier = SessionVerifier::parse(&minter.public_key()).unwrap();
            assert_eq!(verifier.verify(&minter.mint(&the_session()).unwrap()), Some(the_session()));
        }
    }
    let Ok(cookies) = HeaderValue::from_bytes(input) else { return };
    for (host, own) in [("mcfunny.localhost", true), ("madfunny.localhost", false), ("memeworld.localhost", false)] {
        let req = TestRequest::get()
            .insert_header((header::HOST, host))
            .insert_header((header::COOKIE, cookies.clone()))
            .app_data(Data::new(BRANDS.clone()))
            .app_data(Data::new(VERIFIER.clone()))
            .to_http_request();
        if let Ok(subscriber) = Subscriber::of_request(&req) {
            assert!(own, "a session of mcfunny counts on {host}");
            assert_eq!(subscriber.session, the_session());
        }
    }
}

#[test]
fn corpus_has_a_valid_session() {
    let token = MINTER.mint(&the_session()).unwrap();
    let cookie = format!("session-mcfunny={token}").into_bytes();
    assert!(crate::corpora::inputs("sessions").contains(&cookie), "the corpus lacks session-mcfunny={token}");
}
