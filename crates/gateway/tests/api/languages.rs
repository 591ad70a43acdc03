//! The language of pages: the visitor's choice, the browser's, the brand's.

use reqwest::Method;
use testkit::{Client, Reply, eventually};

use crate::helpers::Gateway;

const HOST: &str = "racedaytv.localhost";

/// The call that changes the language of SMSes.
const SMS_LANGUAGE: &str = "/api/subscribe/language";

const SCRIPT: &str = r"
    globalThis.firstLook = () => JSON.stringify({ css: '', face: '', tone: '' });
    globalThis.firstScreen = (input) => { const { language, address, problem } = JSON.parse(input); return `<main>${language} ${address} ${problem ?? ''}</main>`; };";

const TEMPLATE: &str = "<!doctype html><html lang=\"%LANGUAGE%\"><meta name=\"description\" content=\"%DESCRIPTION%\">\
    <script defer src=\"%MESSAGES%\"></script><!--boot--><body><div id=\"root\"><!--screen--></div><!--undrawn-->%UNDRAWN%<!--/undrawn-->";

async fn start() -> Gateway {
    Gateway::start_with(|config| {
        let write = |name: &str, text: &str| {
            let path = config.frontend_dir.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("index.html", TEMPLATE);
        write("server/first-screen.js", SCRIPT);
        write(
            "first-views.json",
            r#"[{"kind":null,"path":"/","page":"home","screen":true},{"kind":null,"path":"/join","page":"join","screen":true}]"#,
        );
        config.brands_file = config.media_dir.with_file_name("brands.toml");
        std::fs::write(&config.brands_file, include_str!("../../../../deploy/brands.toml")).unwrap();
    })
    .await
}

async fn page(browser: &Client, cookie: &str, accepts: &str) -> (Reply, String) {
    let request = browser.request(Method::GET, "/").header("cookie", cookie).header("accept-language", accepts);
    let reply = browser.send(request).await;
    let text = String::from_utf8(reply.bytes.to_vec()).unwrap();
    (reply, text)
}

#[actix_web::test]
async fn the_list_of_all_sites_is_in_the_language_of_the_cookie_or_the_browser() {
    let gateway = start().await;
    for (cookie, accepts, code, heading) in [
        ("", "zu-ZA,en;q=0.5", "zu", "isiZulu directory-heading"),
        ("language=en", "zu", "en", "English directory-heading"),
        ("", "fr", "en", "English directory-heading"),
    ] {
        let (reply, text) = page(&gateway.on("localhost"), cookie, accepts).await;
        assert_eq!((reply.status, reply.header("content-language")), (200, code), "{cookie} {accepts}");
        assert!(text.contains(&format!("<html lang=\"{code}\">")) && text.contains(heading), "{text}");
    }
}

#[actix_web::test]
async fn page_is_in_the_language_of_the_cookie_or_the_browser() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    // Twice: the second response is cached, separately for each language.
    for (cookie, accepts, code, name) in [
        ("", "en-ZA,en;q=0.9", "en", "English"),
        ("", "zu-ZA,en;q=0.5", "zu", "isiZulu"),
        ("language=en", "zu", "en", "English"),
        ("language=zu", "en", "zu", "isiZulu"),
        ("language=../x", "fr", "en", "English"),
        ("language=en-XA", "zu", "en-XA", "Test"),
        ("", "en-XA", "en", "English"),
        ("", "zu", "zu", "isiZulu"),
    ] {
        let (reply, text) = page(&browser, cookie, accepts).await;
        assert_eq!((reply.status, reply.header("content-language")), (200, code), "{cookie} {accepts}");
        assert_eq!(reply.header("vary"), "accept-encoding, accept-language, cookie");
        assert!(text.contains(&format!("<html lang=\"{code}\">")), "{text}");
        assert!(text.contains(&format!("content=\"{name} description Raceday TV\"")), "{text}");
        assert!(text.contains(&format!("<main>{code} /? </main>")), "{text}");
        assert!(
            text.contains(&format!("src=\"/assets/messages-{}.js\"", code.trim_start_matches("en-").to_lowercase()))
        );
    }
}

#[actix_web::test]
async fn page_is_in_the_brands_language_if_the_browser_accepts_no_other() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    assert_eq!(page(&browser, "", "fr").await.0.header("content-language"), "en");
    let file = gateway.folder.path().join("brands.toml");
    let family = std::fs::read_to_string(&file).unwrap();
    let name = "name = \"Raceday TV\"";
    assert!(family.contains(name));
    std::fs::write(&file, family.replace(name, &format!("{name}\nlanguage = \"zu\""))).unwrap();
    eventually("the brand's language", async || page(&browser, "", "fr").await.0.header("content-language") == "zu")
        .await;
    assert_eq!(page(&browser, "", "en").await.0.header("content-language"), "en");
    assert_eq!(page(&gateway.on("mcfunny.localhost"), "", "fr").await.0.header("content-language"), "en");
    // Errors and calls to services follow the same rule.
    let missing = browser.request(Method::GET, "/api/nothing").header("accept-language", "fr");
    assert_eq!(browser.send(missing).await.header("content-language"), "zu");
    assert_eq!(browser.get("/api/tt/anything").await.status, 200);
    assert_eq!(gateway.last_seen().header("accept-language"), "zu");
}

async fn choose(browser: &Client, body: &'static str) -> Reply {
    let request = browser.request(Method::POST, "/forms/language");
    browser.send(request.header("content-type", "application/x-www-form-urlencoded").body(body)).await
}

#[actix_web::test]
async fn choosing_a_language_sets_the_cookie_and_leads_back() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    for (body, address) in [
        ("language=zu&back=%2Fttcategory%2F7%2Fraceday%3Fafter%3D3", "/ttcategory/7/raceday?after=3"),
        ("language=zu&back=%2F%2Fevil.example", "/ttredirect"),
        ("language=zu", "/ttredirect"),
    ] {
        let reply = choose(&browser, body).await;
        assert_eq!((reply.status, reply.header("location")), (303, address), "{body}");
        let cookies: Vec<_> = reply.headers.get_all("set-cookie").iter().map(|each| each.to_str().unwrap()).collect();
        assert_eq!(cookies, ["language=zu; Path=/; Max-Age=31536000; SameSite=Lax"], "{body}");
    }
    for body in ["language=fr&back=%2F", "language=en-XA&back=%2F", "back=%2F"] {
        let reply = choose(&browser, body).await;
        assert_eq!((reply.status, reply.headers.contains_key("set-cookie")), (404, false), "{body}");
    }
    assert!(!gateway.upstream.seen().iter().any(|call| call.address == SMS_LANGUAGE), "there is no session");
    let subscriber = gateway.on("racedaytv").with_session(153, "27812345678");
    assert_eq!(choose(&subscriber, "language=zu&back=%2F").await.status, 303);
    let seen = gateway.last_seen();
    assert_eq!((seen.address.as_str(), seen.body.as_str()), (SMS_LANGUAGE, r#"{"language":"zu"}"#));
    assert!(seen.header("cookie").contains("session-racedaytv="), "{seen:?}");
    gateway.upstream.stop().await;
    assert_eq!(choose(&subscriber, "language=en&back=%2F").await.status, 303);
}

#[actix_web::test]
async fn a_forms_error_is_in_the_visitors_language() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let request = browser.request(Method::POST, "/join").header("cookie", "language=zu");
    // The service's reply has no message of its own.
    let request = request.header("content-type", "application/x-www-form-urlencoded").body("msisdn=wordless");
    let reply = browser.send(request).await;
    let text = String::from_utf8(reply.bytes.to_vec()).unwrap();
    assert_eq!((reply.status, reply.header("content-language")), (422, "zu"));
    assert!(text.contains("<main>zu /join isiZulu join-failed"), "{text}");
}

const NOTHING_HERE: [(&str, &str); 3] = [
    ("en", "There is nothing at this address."),
    ("zu", "Akukho lutho kuleli kheli."),
    ("af", "Daar is niks by hierdie adres nie."),
];

#[actix_web::test]
async fn error_is_in_the_language_of_the_cookie_or_the_browser() {
    let gateway = start().await;
    for (host, cookie, accepts, code) in [
        (HOST, "", "fr", "en"),
        (HOST, "", "zu-ZA,en;q=0.5", "zu"),
        (HOST, "language=af", "zu", "af"),
        (HOST, "language=../x", "zu", "zu"),
        (HOST, "language=en", "zu", "en"),
        ("no-brand.example", "language=af", "", "af"),
        ("no-brand.example", "", "", "en"),
    ] {
        let browser = gateway.on(host);
        let (_, text) = NOTHING_HERE.into_iter().find(|(language, _)| *language == code).unwrap();
        let request = |method| {
            let request = browser.request(method, "/api/nothing").header("cookie", cookie);
            browser.send(request.header("accept-language", accepts))
        };
        let reply = request(Method::GET).await;
        assert_eq!((reply.status, reply.header("content-language")), (404, code), "{host} {cookie} {accepts}");
        assert_eq!(reply.header("vary"), "accept-language, cookie");
        assert_eq!(reply.header("cache-control"), "no-store");
        assert_eq!(reply.header("content-type"), "application/problem+json");
        let problem = reply.json();
        assert_eq!((problem["error_message"].as_str(), problem["detail"].as_str()), (Some(text), Some(text)));
        assert_eq!(problem["title"], "Not Found");
        let head = request(Method::HEAD).await;
        assert_eq!(head.header("content-length"), reply.bytes.len().to_string());
    }
}

#[actix_web::test]
async fn calls_to_services_name_the_one_language_of_the_request() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    for (cookie, accepts, code) in [
        ("", "fr, en;q=0.1", "en"),
        ("", "de,st;q=0.4,xh;q=0.6", "xh"),
        ("language=tn", "zu", "tn"),
        ("language=en-XA", "zu", "zu"),
    ] {
        for (method, path) in [(Method::GET, "/api/tt/echo"), (Method::POST, "/api/subscribe/verify")] {
            let request = browser.request(method, path).header("cookie", cookie).header("accept-language", accepts);
            browser.send(request.header("content-type", "application/json").body("{}")).await;
            let seen = gateway.last_seen();
            assert_eq!(seen.headers.get("accept-language"), Some(&vec![code.to_owned()]), "{cookie} {accepts} {path}");
        }
    }
}

#[actix_web::test]
async fn failure_without_a_problem_and_an_unavailable_service_are_in_the_visitors_language() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let request = browser.request(Method::POST, "/api/subscribe").header("cookie", "language=zu");
    let reply = browser.send(request.header("content-type", "application/json").body("\"wordless\"")).await;
    assert_eq!((reply.status, reply.header("content-language")), (422, "zu"));
    assert_eq!(reply.json()["error_message"], "Isicelo asiqondakalanga.");
    gateway.upstream.stop().await;
    eventually("the service to be unavailable", async || {
        let request = browser.request(Method::GET, "/api/tt/away").header("accept-language", "xh");
        let reply = browser.send(request).await;
        reply.status == 503
            && reply.header("content-language") == "xh"
            && reply.json()["error_message"] == "Le nxalenye yesayithi ayifumaneki okwexeshana. Nceda uzame kwakhona."
    })
    .await;
}

#[actix_web::test]
async fn a_forms_page_shows_the_gateways_own_error_in_its_language() {
    let gateway = start().await;
    gateway.upstream.stop().await;
    let browser = gateway.on(HOST);
    let request = browser.request(Method::POST, "/join").header("cookie", "language=zu");
    let request = request.header("content-type", "application/x-www-form-urlencoded").body("msisdn=0812345678");
    let reply = browser.send(request).await;
    let text = String::from_utf8(reply.bytes.to_vec()).unwrap();
    assert_eq!((reply.status, reply.header("content-language")), (503, "zu"));
    assert!(text.contains("Le ngxenye yesayithi ayitholakali okwesikhashana."), "{text}");
}
