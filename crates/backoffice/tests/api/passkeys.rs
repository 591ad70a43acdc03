//! Passkeys as a second factor, by an authenticator in software, and by attackers.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use rcgen::{KeyPair, SigningKey};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use testkit::Engine;

use crate::{App, Browser, FIRST, PASSWORD, Reply, code, spawn_app, spawn_app_with, token_of};

const USER_PRESENT: u8 = 0x01;
const USER_VERIFIED: u8 = 0x04;
const HAS_CREDENTIAL: u8 = 0x40;

/// An authenticator with one credential, and the browser before it.
struct Authenticator {
    key: KeyPair,
    id: [u8; 16],
    counter: u32,
    origin: String,
    host: String,
    flags: u8,
}

impl Authenticator {
    fn new() -> Self {
        Self {
            key: KeyPair::generate().unwrap(),
            id: rand::random(),
            counter: 0,
            origin: "http://localhost:8086".to_owned(),
            host: "localhost".to_owned(),
            flags: USER_PRESENT | USER_VERIFIED,
        }
    }

    fn client_data(&self, action: &str, options: &Value) -> Vec<u8> {
        let challenge = &options["passkey"]["publicKey"]["challenge"];
        assert!(challenge.is_string(), "{options}");
        let data = json!({ "type": action, "challenge": challenge, "origin": self.origin, "crossOrigin": false });
        data.to_string().into_bytes()
    }

    fn head(&self, flags: u8) -> Vec<u8> {
        let mut data = Sha256::digest(&self.host).to_vec();
        data.push(flags);
        data.extend(self.counter.to_be_bytes());
        data
    }

    /// What a browser returns for `navigator.credentials.create`.
    fn create(&self, options: &Value) -> Value {
        let (x, y) = self.key.public_key_raw()[1..].split_at(32);
        let mut data = self.head(self.flags | HAS_CREDENTIAL);
        data.extend([0; 16]);
        data.extend(u16::try_from(self.id.len()).unwrap().to_be_bytes());
        data.extend(self.id);
        // COSE: an EC2 key (1: 2) for ES256 (3: -7) on P-256 (-1: 1), with x and y.
        data.extend([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
        data.extend(x);
        data.extend([0x22, 0x58, 0x20]);
        data.extend(y);
        // CBOR: {"fmt": "none", "attStmt": {}, "authData": data}.
        let mut attestation = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x58".to_vec();
        attestation.push(u8::try_from(data.len()).unwrap());
        attestation.extend(data);
        self.credential(json!({
            "attestationObject": URL_SAFE_NO_PAD.encode(attestation),
            "clientDataJSON": URL_SAFE_NO_PAD.encode(self.client_data("webauthn.create", options)),
            "transports": ["internal"],
        }))
    }

    /// What a browser returns for `navigator.credentials.get`.
    fn get(&mut self, options: &Value) -> Value {
        self.counter += 1;
        let (data, client_data) = (self.head(self.flags), self.client_data("webauthn.get", options));
        let signed = [data.as_slice(), &Sha256::digest(&client_data)].concat();
        self.credential(json!({
            "authenticatorData": URL_SAFE_NO_PAD.encode(data),
            "clientDataJSON": URL_SAFE_NO_PAD.encode(client_data),
            "signature": URL_SAFE_NO_PAD.encode(self.key.sign(&signed).unwrap()),
            "userHandle": null,
        }))
    }

    fn credential(&self, response: Value) -> Value {
        let id = URL_SAFE_NO_PAD.encode(self.id);
        json!({ "id": id, "rawId": id, "type": "public-key", "response": response, "clientExtensionResults": {} })
    }
}

async fn begin_registration(browser: &mut Browser) -> Value {
    let reply = browser.call("POST", "/api/passkeys/challenge", None).await;
    assert_eq!(reply.status, 200, "{reply:?}");
    reply.json()
}

async fn add(browser: &mut Browser, credential: &Value) -> Reply {
    browser.call("POST", "/api/passkeys", Some(json!({ "name": " My phone ", "passkey": credential }))).await
}

/// Registers a new authenticator.
async fn register(browser: &mut Browser) -> Authenticator {
    let authenticator = Authenticator::new();
    let options = begin_registration(browser).await;
    let reply = add(browser, &authenticator.create(&options)).await;
    assert_eq!(reply.status, 201, "{reply:?}");
    assert_eq!(reply.json()["name"], "My phone");
    authenticator
}

/// The first step of a sign-in: password, and no code.
async fn begin(app: &App, email: &str) -> (Browser, Value) {
    let mut browser = Browser::new(app.addr);
    let reply = browser.sign_in(email, PASSWORD, "").await;
    assert_eq!(reply.status, 202, "{reply:?}");
    (browser, reply.json())
}

async fn prove(browser: &mut Browser, credential: &Value) -> u16 {
    browser.call("POST", "/api/session/second-factor", Some(json!({ "passkey": credential }))).await.status
}

/// Asserts that a new sign-in does not open a session by the answer that `forge` makes.
async fn refuse(app: &App, what: &str, forge: impl FnOnce(&Value) -> Value) {
    let (mut browser, options) = begin(app, FIRST).await;
    assert_eq!(prove(&mut browser, &forge(&options)).await, 401, "{what}");
    assert_eq!(browser.call("GET", "/api/session", None).await.status, 401, "{what}");
}

async fn passkeys(browser: &mut Browser) -> Vec<Value> {
    browser.get_ok("/api/passkeys").await["passkeys"].as_array().unwrap().clone()
}

async fn two_members(engine: Engine) -> (App, Browser, Browser) {
    let app = spawn_app(engine).await;
    let (mut admin, _) = app.administrator().await;
    let (sipho, _) = app.member(&mut admin, "sipho@spaza.example", &["support"]).await;
    (app, admin, sipho)
}

testkit::on_each_engine! {
    async fn passkey_signs_in_in_place_of_a_code_and_is_removed(engine) {
        let app = spawn_app(engine).await;
        let (mut admin, secret) = app.administrator().await;
        assert!(admin.get_ok("/api/passkeys").await["available"].as_bool().unwrap());
        assert_eq!(Browser::new(app.addr).sign_in(FIRST, PASSWORD, "").await.status, 401, "without passkeys a code is needed");
        let (mut phone, mut key) = (register(&mut admin).await, register(&mut admin).await);
        let options = begin_registration(&mut admin).await;
        assert_eq!(options["passkey"]["publicKey"]["excludeCredentials"].as_array().unwrap().len(), 2, "{options}");

        assert_eq!(Browser::new(app.addr).sign_in(FIRST, "wrong horse battery", "").await.status, 401);
        for authenticator in [&mut phone, &mut key] {
            let (mut browser, options) = begin(&app, FIRST).await;
            assert_eq!(options["passkey"]["publicKey"]["allowCredentials"].as_array().unwrap().len(), 2, "{options}");
            assert_eq!(browser.call("GET", "/api/session", None).await.status, 401);
            // Another process, or this one after a crash, finds the challenge in the store.
            let other = app.restarted(|_| ()).await;
            assert_eq!(prove(&mut browser.at(other.addr), &authenticator.get(&options)).await, 200);
        }
        let entries = admin.get_ok("/api/audit?action=session.opened").await["entries"].clone();
        assert_eq!(entries[0]["details"]["factors"], json!(["password", "passkey"]));

        // The code is the other way: in the form, and in the second step.
        let (mut browser, _) = begin(&app, FIRST).await;
        let body = json!({ "code": code(&secret, 1) });
        assert_eq!(browser.call("POST", "/api/session/second-factor", Some(body)).await.status, 200);

        let own = passkeys(&mut admin).await;
        assert!(own.len() == 2 && own[0]["last_used_at"].is_string() && own[0]["created_at"].is_string(), "{own:?}");
        let (mut waits, options) = begin(&app, FIRST).await;
        assert_eq!(admin.call("DELETE", &format!("/api/passkeys/{}", own[0]["id"]), None).await.status, 204);
        assert_eq!(prove(&mut waits, &phone.get(&options)).await, 401, "removed since the challenge");
        assert_eq!(admin.call("DELETE", &format!("/api/passkeys/{}", own[0]["id"]), None).await.status, 404);
        assert_eq!(admin.call("DELETE", &format!("/api/passkeys/{}", own[1]["id"]), None).await.status, 204);
        assert_eq!(Browser::new(app.addr).sign_in(FIRST, PASSWORD, "").await.status, 401, "the code stays");
        for (action, count) in [("passkey.added", 2), ("passkey.removed", 2)] {
            let entries = admin.get_ok(&format!("/api/audit?action={action}")).await["entries"].clone();
            assert_eq!(entries.as_array().unwrap().len(), count, "{entries}");
        }
    }

    async fn passkey_proves_a_session_again(engine) {
        let (_app, mut admin, mut sipho) = two_members(engine).await;
        let (mut own, mut others) = (register(&mut admin).await, register(&mut sipho).await);
        admin.move_clock(11).await;
        assert_eq!(admin.call("POST", "/api/passkeys/challenge", None).await.status, 403);
        for (authenticator, status) in [(&mut others, 401), (&mut own, 200)] {
            let options = admin.call("POST", "/api/second-factor", None).await.json();
            assert_eq!(prove(&mut admin, &authenticator.get(&options)).await, status, "{options}");
        }
        begin_registration(&mut admin).await;
    }

    async fn forged_answers_to_a_challenge_are_refused(engine) {
        let (app, mut admin, mut sipho) = two_members(engine).await;
        let mut own = register(&mut admin).await;
        let mut others = register(&mut sipho).await;

        let (mut browser, options) = begin(&app, FIRST).await;
        let used = own.get(&options);
        assert_eq!(prove(&mut browser, &used).await, 200);
        let (mut browser, options) = begin(&app, FIRST).await;
        assert_eq!(prove(&mut browser, &used).await, 401, "an answer of an earlier sign-in");
        assert_eq!(prove(&mut browser, &own.get(&options)).await, 401, "a challenge is good for one answer");

        refuse(&app, "another member's passkey", |options| others.get(options)).await;
        refuse(&app, "another member's key under the own id", |options| {
            let id = own.id;
            let theirs = std::mem::replace(&mut others.id, id);
            let answer = others.get(options);
            others.id = theirs;
            answer
        })
        .await;
        // Ten failures would lock the account.
        app.execute("DELETE FROM attempts").await.unwrap();
        for (origin, host, flags) in [
            ("http://localhost:9999", "localhost", USER_PRESENT | USER_VERIFIED),
            ("https://localhost:8086", "localhost", USER_PRESENT | USER_VERIFIED),
            ("http://evil.example", "localhost", USER_PRESENT | USER_VERIFIED),
            ("http://localhost:8086", "evil.example", USER_PRESENT | USER_VERIFIED),
            ("http://localhost:8086", "localhost", USER_PRESENT),
            ("http://localhost:8086", "localhost", 0),
        ] {
            app.execute("DELETE FROM attempts").await.unwrap();
            let what = format!("{origin} {host} {flags}");
            refuse(&app, &what, |options| {
                (own.origin, own.host, own.flags) = (origin.to_owned(), host.to_owned(), flags);
                own.get(options)
            })
            .await;
        }
        let right = Authenticator::new();
        (own.origin, own.host, own.flags) = (right.origin, right.host, right.flags);
        app.execute("DELETE FROM attempts").await.unwrap();
        own.counter = 50;
        let (mut browser, options) = begin(&app, FIRST).await;
        assert_eq!(prove(&mut browser, &own.get(&options)).await, 200);
        for counter in [0, 49, 50] {
            refuse(&app, "a counter that goes back", |options| {
                let newest = std::mem::replace(&mut own.counter, counter);
                let answer = own.get(options);
                own.counter = newest;
                answer
            })
            .await;
        }
        for junk in [json!(null), json!({}), json!("x"), json!({ "id": "x" })] {
            app.execute("DELETE FROM attempts").await.unwrap();
            refuse(&app, "no credential", |_| junk.clone()).await;
        }

        let (mut late, options) = begin(&app, FIRST).await;
        app.execute("UPDATE open_sign_ins SET expires_at = '2026-01-01 00:00:00'").await.unwrap();
        assert_eq!(prove(&mut late, &own.get(&options)).await, 404);
        let (mut browser, old) = begin(&app, FIRST).await;
        let options = browser.get_ok("/api/session/second-factor").await;
        assert_eq!(prove(&mut browser, &own.get(&old)).await, 401, "a challenge that a newer one replaced");
        let options_again = browser.get_ok("/api/session/second-factor").await;
        assert_ne!(options, options_again);
        assert_eq!(prove(&mut browser, &own.get(&options_again)).await, 200);
    }

    async fn forged_registrations_are_refused(engine) {
        let (app, mut admin, mut sipho) = two_members(engine).await;
        let own = register(&mut admin).await;
        // A passkey is one member's.
        let options = begin_registration(&mut sipho).await;
        assert_eq!(add(&mut sipho, &own.create(&options)).await.status, 409, "another member's passkey");

        let new = Authenticator::new();
        let options = begin_registration(&mut sipho).await;
        assert_eq!(add(&mut admin, &new.create(&options)).await.status, 409, "another session's challenge");
        assert_eq!(add(&mut sipho, &json!({})).await.status, 409);
        assert_eq!(add(&mut sipho, &new.create(&options)).await.status, 409, "a challenge is good for one answer");
        let options = begin_registration(&mut sipho).await;
        app.execute("UPDATE passkey_registrations SET expires_at = '2026-01-01 00:00:00'").await.unwrap();
        assert_eq!(add(&mut sipho, &new.create(&options)).await.status, 409, "too late");
        for (origin, host, flags) in [
            ("http://evil.example", "localhost", USER_PRESENT | USER_VERIFIED),
            ("http://localhost:8086", "evil.example", USER_PRESENT | USER_VERIFIED),
            ("http://localhost:8086", "localhost", USER_PRESENT),
        ] {
            let wrong = Authenticator { origin: origin.to_owned(), host: host.to_owned(), flags, ..Authenticator::new() };
            let options = begin_registration(&mut sipho).await;
            assert_eq!(add(&mut sipho, &wrong.create(&options)).await.status, 409, "{origin} {host} {flags}");
        }
        let options = begin_registration(&mut sipho).await;
        let body = json!({ "name": " ", "passkey": new.create(&options) });
        assert_eq!(sipho.call("POST", "/api/passkeys", Some(body)).await.status, 422);
        assert!(passkeys(&mut sipho).await.is_empty());
        let id = passkeys(&mut admin).await[0]["id"].clone();
        assert_eq!(sipho.call("DELETE", &format!("/api/passkeys/{id}"), None).await.status, 404, "another member's");
    }

    async fn reset_and_removal_end_passkeys(engine) {
        let (app, mut admin, mut sipho) = two_members(engine).await;
        let mut phone = register(&mut sipho).await;
        let (mut waits, options) = begin(&app, "sipho@spaza.example").await;
        let id = crate::id_of(&mut admin, "sipho@spaza.example").await;
        let reply = admin.call("POST", &format!("/api/staff/{id}/reset"), None).await;
        assert_eq!(prove(&mut waits, &phone.get(&options)).await, 404);
        let link = reply.json()["link"].as_str().unwrap().to_owned();
        assert!(!token_of(&link).is_empty());
        sipho.accept(&link).await;
        assert!(passkeys(&mut sipho).await.is_empty());
        assert_eq!(Browser::new(app.addr).sign_in("sipho@spaza.example", PASSWORD, "").await.status, 401);
        register(&mut sipho).await;
        let body = json!({ "roles": ["support"], "removed": true });
        assert_eq!(admin.call("PUT", &format!("/api/staff/{id}"), Some(body)).await.status, 200);
        let stored = app.texts("SELECT credential_id AS text FROM passkeys").await;
        assert!(stored.is_empty(), "{stored:?}");
    }

    async fn passkeys_need_a_host_name(engine) {
        let app = spawn_app_with(engine, |config| config.backoffice_url = "http://127.0.0.1:8086".to_owned()).await;
        let (mut admin, _) = app.administrator().await;
        assert_eq!(admin.get_ok("/api/passkeys").await, json!({ "available": false, "passkeys": [] }));
        assert_eq!(admin.call("POST", "/api/passkeys/challenge", None).await.status, 409);
    }
}
