//! Plain pages: whole as the server sends them, with forms that the gateway handles.

use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Client, Reply, session_cookie};

use crate::helpers::Gateway;

const HOST: &str = "racedaytv.localhost";
const NUMBER: &str = "27812345678";

/// Renders its input into an element of the kind that contains it.
const SCRIPT: &str = r"
    globalThis.firstLook = () => JSON.stringify({ css: '', face: '', tone: '' });
    globalThis.firstScreen = (input) => {
        const { boot, replies, ...given } = JSON.parse(input);
        const text = JSON.stringify({ page: boot.page, replies: Object.keys(replies), ...given });
        return `<main>${text.replace(/</g, '&lt;')}</main>`;
    };";

const TEMPLATE: &str = "<!doctype html><html><!--scripts--><script>expect()</script><script src=\"/assets/app.js\"></script><!--/scripts--><!--boot--><body><div id=\"root\"><!--screen--></div>\
    <!--undrawn-->undrawn<!--/undrawn--></body></html>";

async fn start() -> Gateway {
    Gateway::start_with(|config| {
        let write = |name: &str, text: &str| {
            let path = config.frontend_dir.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        write("index.html", TEMPLATE);
        write("server/first-screen.js", SCRIPT);
        let views = json!([
            { "kind": "tt", "path": "/list/*", "page": "list", "replies": ["/api/tt/shown/{1}"], "screen": true,
              "list": true, "own": ["/api/tt/mine/{service}"] },
            { "kind": "tt", "path": "/search", "page": "search", "screen": true, "list": true,
              "replies": ["/api/tt/shown/{service}?q={q}&limit=60", "/api/tt/shown/categories"] },
            { "kind": null, "path": "/subscription", "page": "subscription", "screen": true, "own": ["/api/subscribe/me"] },
            { "kind": null, "path": "/feed", "page": "feed" },
            { "kind": null, "path": "/join", "page": "join", "screen": true },
            { "kind": null, "path": "/DoiRedirect", "page": "redirecting", "screen": true,
              "forward": "/forms/check?{query}" },
            { "kind": null, "path": "/foreign", "page": "home", "forward": "/" },
            { "kind": null, "path": "*", "page": "not-found" },
        ]);
        write("first-views.json", &views.to_string());
    })
    .await
}

/// The content of the page's root, and the content for browsers without scripts.
fn parts(reply: &Reply) -> (String, String) {
    let page = std::str::from_utf8(&reply.bytes).unwrap();
    let (_, rest) = page.split_once("<div id=\"root\">").unwrap();
    let (root, behind) = rest.split_once("</div>").unwrap();
    (root.to_owned(), behind.trim_end_matches("</body></html>").to_owned())
}

/// The input that a page was rendered from.
fn given(drawn: &str) -> Value {
    let text = drawn.split_once('{').map(|(_, text)| text.split("</main>").next().unwrap()).unwrap();
    serde_json::from_str(&format!("{{{text}")).unwrap()
}

fn cookie() -> String {
    session_cookie("racedaytv", 153, NUMBER)
}

async fn get(browser: &Client, path: &str, cookie: &str) -> Reply {
    browser.send(browser.request(Method::GET, path).header("cookie", cookie)).await
}

async fn send(browser: &Client, path: &str, body: &str, cookie: &str) -> Reply {
    let form = browser.request(Method::POST, path).header("content-type", "application/x-www-form-urlencoded");
    browser.send(form.header("cookie", cookie).body(body.to_owned())).await
}

fn to(reply: &Reply) -> (u16, &str) {
    (reply.status, reply.header("location"))
}

#[actix_web::test]
async fn search_is_rendered_with_its_results() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let found = "/api/tt/shown/raceday?q=a%20b%26c&limit=60";
    let of = async |path: &str| parts(&browser.get(path).await);
    let (root, _) = of("/search?q=+a%20b%26c+&utm=x").await;
    assert_eq!(given(&root)["replies"], json!(["/api/tt/shown/categories", found]));
    // The next page: requested by position, and only for browsers without scripts.
    let (root, plain) = of("/search?q=a%20b%26c&after=12").await;
    assert_eq!((root.as_str(), &given(&plain)["replies"]), ("", &json!(["/api/tt/shown/categories", found])));
    let requested = gateway.upstream.seen().into_iter().map(|seen| seen.address).collect::<Vec<_>>();
    assert!(
        requested.iter().any(|path| path == "/api/tt/shown/raceday?q=a%20b%26c&limit=25&after=12"),
        "{requested:?}"
    );
    // Nothing to search for.
    for path in ["/search", "/search?q=", "/search?q=%20"] {
        assert_eq!(given(&of(path).await.0)["replies"], json!(["/api/tt/shown/categories"]), "{path}");
    }
    let long = "\u{1f600}".repeat(60);
    let (root, _) = of(&format!("/search?q={long}")).await;
    let sent = given(&root)["replies"][1].as_str().unwrap().matches("%F0%9F%98%80").count();
    assert_eq!(sent, 50, "the field takes 100 UTF-16 code units");
}

#[actix_web::test]
async fn join_form_shows_the_networks_to_choose_from_and_sends_the_chosen_one() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let reply = send(&browser, "/join?ext_ref=ad%207", "msisdn=0823333333&ext_ref=ad+7", "").await;
    assert_eq!(reply.status, 200);
    let given = given(&parts(&reply).0);
    // The chosen network's form names the campaign, too.
    assert_eq!(given["address"], "/join?ext_ref=ad+7");
    let networks = json!([{ "network": "second", "name": "Second", "price_cents": 450, "period": "day" }]);
    assert_eq!(
        (&given["networks"], &given["msisdn"], &given["page"]),
        (&networks, &json!("0823333333"), &json!("join"))
    );
    let reply = send(&browser, "/join", "msisdn=0823333333&network=second", "").await;
    assert_eq!(to(&reply), (303, "http://network.test/opt-in?id=1"));
    let last = gateway.upstream.seen().into_iter().rfind(|seen| seen.address == "/api/subscribe").unwrap();
    let sent: Value = serde_json::from_str(&last.body).unwrap();
    assert_eq!((&sent["network"], &sent["msisdn"]), (&json!("second"), &json!("0823333333")));
}

#[actix_web::test]
async fn join_form_that_is_held_shows_a_code_to_type_and_sends_it() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let reply = send(&browser, "/join?ext_ref=ad-7", "msisdn=0827474747&network=second&homepage=x", "").await;
    assert_eq!(reply.status, 200);
    let given = given(&parts(&reply).0);
    let held = json!({ "challenge": "code.153.1.a.b", "code": "472" });
    assert_eq!(
        (&given["held"], &given["msisdn"], &given["problem"], &given["address"]),
        (&held, &json!("0827474747"), &json!("Type the code."), &json!("/join?ext_ref=ad-7"))
    );
    assert_eq!(reply.header("set-cookie"), "browser=1; HttpOnly", "the challenge counts in this browser");
    let sent = || -> Value { serde_json::from_str(&gateway.last_seen().body).unwrap() };
    assert_eq!((&sent()["challenge"], &sent()["homepage"]), (&Value::Null, &json!("x")));
    let form = "msisdn=0827474747&network=second&challenge=code.153.1.a.b&code=472&homepage=";
    assert_eq!(to(&send(&browser, "/join", form, "").await), (303, "http://network.test/opt-in?id=1"));
    assert_eq!((&sent()["challenge"], &sent()["code"]), (&json!("code.153.1.a.b"), &json!("472")));
}

#[actix_web::test]
async fn public_screen_is_in_the_root_and_others_are_beside_it() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let (root, behind) = parts(&browser.get("/list/7").await);
    assert_eq!((given(&root)["plain"].as_bool(), behind.as_str()), (Some(false), ""));

    let (root, behind) = parts(&browser.get("/feed").await);
    assert!(behind.starts_with("<div class=\"plain\"><main>{"), "{behind}");
    assert_eq!((root.as_str(), given(&behind)["plain"].as_bool()), ("", Some(true)));
    // Not found: as the other pages.
    let missing = browser.get("/nothing/here").await;
    assert_eq!((missing.status, given(&parts(&missing).1)["address"].as_str()), (404, Some("/nowhere")));
    let missing = browser.get("/list/missing").await;
    assert_eq!((missing.status, given(&parts(&missing).1)["address"].as_str()), (404, Some("/nowhere")));
    // There is no input to render.
    gateway.upstream.set_broken(true);
    assert_eq!(parts(&browser.get("/list/9").await), (String::new(), "<div class=\"plain\">undrawn</div>".to_owned()));
}

#[actix_web::test]
async fn page_has_no_scripts_after_they_have_failed() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let page = async |path: &str, cookie: &str| {
        let reply = get(&browser, path, cookie).await;
        (String::from_utf8(reply.bytes.to_vec()).unwrap(), reply.header("content-security-policy").to_owned())
    };
    let (with, policy) = page("/list/7", "").await;
    assert!(with.contains("<script>expect()</script><script src=") && with.contains("id=\"boot\""), "{with}");
    assert!(policy.contains("script-src 'self' 'sha256-"), "{policy}");
    // A session's page has its own data, although no form was sent.
    let session = cookie();
    for (path, cookie) in [("/list/7", format!("{session}; plain=1")), ("/list/7?plain=1", session)] {
        let (without, _) = page(path, &cookie).await;
        assert!(!without.contains("<script") && !without.contains("<!--"), "{without}");
        let drawn = given(&without);
        assert!(drawn["own"].get("/api/tt/mine/raceday").is_some() && drawn["plain"] == true, "{drawn}");
    }
    let after = send(&browser, "/forms/leave", "msisdn=", "plain=1").await;
    assert!(!String::from_utf8(after.bytes.to_vec()).unwrap().contains("<script"));
    // Nothing of it is kept for other visitors.
    assert_eq!(page("/list/7", "").await.0, with);
}

#[actix_web::test]
async fn list_continues_after_an_id() {
    let gateway = start().await;
    let page = gateway.on(HOST).get("/list/7?after=12").await;
    let (root, behind) = parts(&page);
    assert_eq!((root.as_str(), &given(&behind)["replies"]), ("", &json!(["/api/tt/shown/7"])));
    assert_eq!(gateway.last_seen().address, "/api/tt/shown/7?limit=25&after=12");
    assert!(
        !std::str::from_utf8(&page.bytes).unwrap().contains("id=\"replies\""),
        "a script would take it for the list"
    );
    let (root, _) = parts(&gateway.on(HOST).get("/list/7?after=x").await);
    assert_eq!(given(&root)["plain"], false);
}

#[actix_web::test]
async fn page_after_a_form_embeds_the_sessions_own_data() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let own = async |path: &str, cookie: &str| {
        let (root, behind) = parts(&get(&browser, path, cookie).await);
        given(if root.is_empty() { &behind } else { &root })["own"].clone()
    };
    // A session made a second later is another text.
    let session = cookie();
    let mine = &own("/list/7", &format!("{session}; last_form=mark")).await["/api/tt/mine/raceday"];
    assert_eq!(mine["headers"]["cookie"], json!([session]));
    // Otherwise the application requests them; without a session there are none.
    for cookie in [cookie(), "last_form=mark".to_owned(), String::new()] {
        assert_eq!(own("/list/7", &cookie).await, json!({}), "{cookie}");
    }
    // A page that is not hydrated needs no form before.
    assert_eq!(own("/subscription", &cookie()).await["/api/subscribe/me"], json!({ "state": "active" }));
    let page = get(&browser, "/subscription", &cookie()).await;
    let (_, behind) = parts(&page);
    assert!(behind.starts_with("<script type=\"application/json\" id=\"own\">{\"/api/subscribe/me\":{"), "{behind}");
    gateway.upstream.set_me(401, "");
    assert_eq!(own("/subscription", &cookie()).await, json!({ "/api/subscribe/me": null }));
}

#[actix_web::test]
async fn redirect_page_checks_the_networks_confirmation() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let refreshes = async |path: &str| {
        let page = String::from_utf8(browser.get(path).await.bytes).unwrap();
        let all = page.split("<meta http-equiv=\"refresh\" content=\"").skip(1);
        all.map(|rest| rest.split('"').next().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let query = "msisdn=27812345678&subscription_id=open&ext_ref=ad";
    // The first one is inside of `noscript`; the second one is for scripts that do not run.
    let to_check = "url=/forms/check?msisdn=27812345678&amp;subscription_id=open&amp;ext_ref=ad";
    assert_eq!(refreshes(&format!("/DoiRedirect?{query}")).await, [format!("0;{to_check}"), format!("5;{to_check}")]);
    let again = refreshes(&format!("/DoiRedirect?{query}&tries=1")).await;
    assert!(again[0].starts_with("2;url=/forms/check?") && again[1].starts_with("5;url=/forms/check?"), "{again:?}");
    assert_eq!(refreshes("/foreign?service=other").await, ["0;url=/", "4;url=/"]);
    assert!(!refreshes("/DoiRedirect?x=%22%3E%3Cscript%3E").await.concat().contains('<'));
    // The page's own link has the whole query.
    let page = browser.get(&format!("/DoiRedirect?{query}")).await;
    assert_eq!(given(&parts(&page).0)["address"], format!("/DoiRedirect?{query}"));

    let confirmed = browser.get("/forms/check?msisdn=27812345678&subscription_id=confirmed").await;
    assert_eq!(to(&confirmed), (303, "/ttredirect?service=raceday&msisdn=27812345678&result=active"));
    assert_eq!(confirmed.header("set-cookie"), "session-racedaytv=opened; HttpOnly");

    // It checks again a few times, and then stops.
    let mut address = format!("/forms/check?{query}");
    for tries in 1..4 {
        let again = browser.get(&address).await;
        let expected = format!("/DoiRedirect?msisdn=27812345678&subscription_id=open&ext_ref=ad&tries={tries}");
        assert_eq!(to(&again), (303, expected.as_str()));
        address = expected.replace("/DoiRedirect", "/forms/check");
    }
    let over = browser.get(&address).await;
    assert_eq!(to(&over), (303, "/"));
    assert!(news(&browser, "/subscription", &over).await.contains("We are waiting."));
    gateway.upstream.stop().await;
    assert_eq!(to(&browser.get(&address).await), (303, "/"));
}

/// The cookie with what the visitor reads next.
fn news_cookie(reply: &Reply) -> Option<String> {
    let mut cookies = reply.headers.get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap());
    let found = cookies.rfind(|cookie| cookie.starts_with("news="))?;
    assert!(found.contains("HttpOnly") && found.contains("SameSite=Lax"), "{found}");
    found.split(';').next().map(str::to_owned)
}

/// The notice above a page that follows a reply. It is there once.
async fn news(browser: &Client, path: &str, before: &Reply) -> String {
    let cookie = news_cookie(before).unwrap();
    let page = get(browser, path, &cookie).await;
    assert_eq!(news_cookie(&page).as_deref(), Some("news="), "it is deleted");
    let text = String::from_utf8(page.bytes).unwrap();
    assert!(!String::from_utf8(get(browser, path, "news=").await.bytes).unwrap().contains("return-news"));
    let (_, rest) = text.split_once("<aside class=\"return-news\"").unwrap();
    rest.split("</aside>").next().unwrap().to_owned()
}

#[actix_web::test]
async fn return_from_the_network_says_once_what_the_record_says() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let check = "/forms/check?msisdn=27812345678&subscription_id=";
    let joined = browser.get(&format!("{check}confirmed")).await;
    let shown = news(&browser, "/list/9", &joined).await;
    assert!(shown.starts_with(" data-opened") && shown.contains("You have joined: R3 is charged today."), "{shown}");
    assert!(shown.contains("<a class=\"button\" href=\"/list/7\">Continue</a>"), "{shown}");
    // A page that is fetched ahead of its visitor keeps it for the page that is read.
    let ahead = browser.request(Method::GET, "/list/9").header("sec-purpose", "prefetch;prerender");
    let ahead = browser.send(ahead.header("cookie", news_cookie(&joined).unwrap())).await;
    assert_eq!(news_cookie(&ahead), None);
    // The network's no; to an open session it says nothing, and goes home.
    let declined = browser.get(&format!("{check}declined")).await;
    assert_eq!(to(&declined), (303, "/"));
    assert!(news(&browser, "/list/9", &declined).await.contains("Nothing is charged."));
    let open = get(&browser, &format!("{check}declined"), &cookie()).await;
    assert_eq!((to(&open), news_cookie(&open)), ((303, "/ttredirect?service=raceday&msisdn=&result=active"), None));
    // A script gets the reply itself; its next page says the same.
    let called = browser.get("/api/subscribe/check-sub?msisdn=27812345678&subscription_id=declined").await;
    assert_eq!((called.status, called.json()["state"].as_str()), (200, Some("declined")));
    assert!(news(&browser, "/list/9", &called).await.contains("Nothing is charged."));
    let waits = browser.get("/api/subscribe/check-sub?msisdn=27812345678&subscription_id=open").await;
    assert_eq!((waits.json()["state"].as_str(), news_cookie(&waits)), (Some("waiting"), None));
}

#[actix_web::test]
async fn link_to_the_network_needs_cookies_and_answers_people_by_pages() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let follow = async |path: &str, cookie: Option<&str>| {
        let request = browser.request(Method::GET, path).header("accept", "text/html,*/*;q=0.8");
        let request = match cookie {
            Some(cookie) => request.header("cookie", cookie),
            None => request,
        };
        browser.send(request).await
    };
    let address = "/api/subscribe/opt-in?svc_id=153&page=/list/7&shown=300.day.0.";
    // A browser that has no cookie yet shows whether it keeps one.
    let probe = follow(address, None).await;
    assert_eq!(to(&probe), (303, "/api/subscribe/opt-in?svc_id=153&page=/list/7&shown=300.day.0.&cookies=1"));
    assert!(probe.header("set-cookie").starts_with("cookies=1; Path=/"), "{}", probe.header("set-cookie"));
    let refused = follow(probe.header("location"), None).await;
    assert_eq!(refused.status, 422);
    let text = String::from_utf8(refused.bytes).unwrap();
    assert!(text.contains("Your browser keeps no cookies") && text.contains("Nothing is charged."), "{text}");
    assert!(gateway.upstream.seen().iter().all(|seen| !seen.address.starts_with("/api/subscribe/opt-in")));

    let led = follow(probe.header("location"), Some("cookies=1")).await;
    assert_eq!(to(&led), (303, "http://network.test/opt-in/1"));
    assert_eq!(led.header("set-cookie"), "browser=1; HttpOnly");
    assert_eq!(gateway.last_seen().address, "/api/subscribe/opt-in?svc_id=153&page=%2Flist%2F7&shown=300.day.0.");
    // Only pages of the brand are kept.
    for page in ["//evil.example", "/nowhere", "/api/x", "/join", "/"] {
        follow(&format!("/api/subscribe/opt-in?svc_id=153&page={page}"), Some("cookies=1")).await;
        assert_eq!(gateway.last_seen().address, "/api/subscribe/opt-in?svc_id=153&page=", "{page}");
    }
    // The network is down: a page to people, a problem to others.
    let down = follow("/api/subscribe/opt-in?svc_id=1", Some("cookies=1")).await;
    assert_eq!((down.status, down.header("retry-after")), (503, "5"));
    assert_eq!(down.header("content-type"), "text/html; charset=utf-8");
    assert!(String::from_utf8(down.bytes).unwrap().contains("Your network is not answering."));
    let called = browser.get("/api/subscribe/opt-in?svc_id=1").await;
    assert_eq!((called.status, called.header("content-type")), (503, "application/problem+json"));
    assert_eq!(browser.send(browser.request(Method::POST, address)).await.status, 405);
}

#[actix_web::test]
async fn join_form_refuses_a_browser_without_cookies_before_anything_is_sent() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let form = browser.get("/join").await;
    assert!(form.header("set-cookie").starts_with("cookies=1; Path=/"), "{}", form.header("set-cookie"));
    assert_eq!(get(&browser, "/join", "language=zu").await.header("set-cookie"), "");
    let request = browser.request(Method::POST, "/join").header("content-type", "application/x-www-form-urlencoded");
    let refused = browser.send(request.body("msisdn=0812345678&page=/list/7")).await;
    assert_eq!(refused.status, 422);
    let given = given(&parts(&refused).0);
    let problem = given["problem"].as_str().unwrap();
    assert!(
        problem.starts_with("Your browser keeps no cookies") && problem.ends_with("Nothing is charged."),
        "{problem}"
    );
    assert_eq!(given["msisdn"], "0812345678");
    assert!(gateway.upstream.seen().iter().all(|seen| seen.address != "/api/subscribe"));
    // With a cookie it goes on, and the page that was wanted goes along.
    let sent = send(&browser, "/join", "msisdn=0812345678&page=/list/7", "cookies=1").await;
    assert_eq!(to(&sent), (303, "http://network.test/opt-in?id=1"));
    let request: Value = serde_json::from_str(&gateway.last_seen().body).unwrap();
    assert_eq!(request["page"], "/list/7");
    send(&browser, "/join", "msisdn=0812345678&page=//evil.example", "cookies=1").await;
    let request: Value = serde_json::from_str(&gateway.last_seen().body).unwrap();
    assert_eq!(request.get("page"), None);
}

#[actix_web::test]
async fn subscriber_on_the_join_form_reads_that_there_is_a_subscription() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let text = async |cookie: &str| String::from_utf8(get(&browser, "/join", cookie).await.bytes).unwrap();
    let page = text(&cookie()).await;
    assert!(page.contains("You are subscribed to Raceday TV already."), "{page}");
    assert!(
        page.contains("href=\"/ttredirect?service=raceday&amp;msisdn=&amp;result=active\">Go to Raceday TV</a>"),
        "{page}"
    );
    assert!(!text("language=en").await.contains("return-news"));
    gateway.upstream.set_me(200, "cancelled");
    assert!(!text(&cookie()).await.contains("return-news"));
}

#[actix_web::test]
async fn verify_redirects_to_the_network() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let redirect = send(&browser, "/forms/verify", "msisdn=0812345678", "").await;
    assert_eq!(to(&redirect), (303, "http://network.test/confirm?id=1"));
    let cookies: Vec<_> =
        redirect.headers.get_all("set-cookie").iter().map(|cookie| cookie.to_str().unwrap()).collect();
    assert_eq!(cookies, ["try=1; HttpOnly", "last_form=verify; Path=/; Max-Age=2592000; SameSite=Lax"]);
    let request: Value = serde_json::from_str(&gateway.last_seen().body).unwrap();
    assert_eq!(request, json!({ "msisdn": "0812345678", "svc_id": 153 }));

    let refused = send(&browser, "/forms/verify", "msisdn=0824094094", "").await;
    let drawn = given(&parts(&refused).0);
    assert_eq!((refused.status, &drawn["page"], &drawn["msisdn"]), (409, &json!("join"), &json!("0824094094")));
    assert_eq!(drawn["problem"], "That number is not active.");
}

#[actix_web::test]
async fn leave_ends_the_session_or_redirects_to_the_network() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    let left = send(&browser, "/forms/leave", "", &cookie()).await;
    let drawn = given(&parts(&left).0);
    assert_eq!((left.status, &drawn["page"], &drawn["left"]), (200, &json!("subscription"), &json!(true)));

    let redirect = send(&browser, "/forms/leave", "msisdn=0812345678", "").await;
    assert_eq!(to(&redirect), (303, "http://network.test/confirm?id=1"));
    assert!(
        redirect
            .headers
            .get_all("set-cookie")
            .iter()
            .any(|cookie| cookie.to_str().unwrap().contains("last_form=leave"))
    );

    // The field was left empty, and the form had none because the session was over by then.
    for (body, status, words) in [("msisdn=", 422, "That is not a number."), ("", 401, "Please name your number.")] {
        let refused = send(&browser, "/forms/leave", body, "").await;
        let drawn = given(&parts(&refused).0);
        assert_eq!((refused.status, &drawn["problem"], &drawn["left"]), (status, &json!(words), &json!(false)));
    }
    // A service without a disk: the page says which ways to stop work.
    let failed = send(&browser, "/forms/leave", "msisdn=0812000503", "").await;
    let drawn = given(&parts(&failed).0);
    assert_eq!((failed.status, &drawn["problem"]), (503, &json!("English leave-failed {name}")));
}

#[actix_web::test]
async fn mark_redirects_back_to_its_page() {
    let gateway = start().await;
    // A cookie tells its second.
    let (browser, cookie) = (gateway.on(HOST), cookie());
    for (body, method, address, sent) in [
        ("like=7", "POST", "/api/tt/likevideo", json!({ "videoid": 7, "status": "1" })),
        ("unlike=7", "DELETE", "/api/tt/unlikevideo", json!({ "videoid": 7 })),
        ("watch=7", "POST", "/api/tt/ttaddwatchlist", json!({ "videoid": 7 })),
        ("unwatch=7", "DELETE", "/api/tt/ttremove", json!({ "videoid": 7 })),
    ] {
        let back =
            send(&browser, "/forms/mark", &format!("back=%2Fttsingle%2F7%2Fraceday%23marks&{body}"), &cookie).await;
        assert_eq!(to(&back), (303, "/ttsingle/7/raceday#marks"), "{body}");
        let seen = gateway.last_seen();
        assert_eq!((seen.method.as_str(), seen.address.as_str()), (method, address));
        assert_eq!(
            (serde_json::from_str::<Value>(&seen.body).unwrap(), seen.header("cookie")),
            (sent, cookie.as_str())
        );
    }
    for back in ["//evil.example", "https://evil.example", "/\\evil.example", "/a\nb", ""] {
        let form = url::form_urlencoded::Serializer::new(String::new()).append_pair("back", back).finish();
        let reply = send(&browser, "/forms/mark", &format!("{form}&like=7"), &cookie).await;
        assert_eq!(to(&reply), (303, "/ttredirect"), "{back}");
    }
    let failed = send(&browser, "/forms/mark", "back=/ttsingle/7/raceday&unlike=500500", &cookie).await;
    assert_eq!(to(&failed), (303, "/ttsingle/7/raceday?failed=1#"));
    gateway.upstream.set_me(200, "cancelled");
    let other = session_cookie("racedaytv", 153, "27812345679");
    assert_eq!(to(&send(&browser, "/forms/mark", "like=7", &other).await), (303, "/racedaylogin"));
    for nothing in ["", "like=x", "love=7"] {
        assert_eq!(send(&browser, "/forms/mark", nothing, &cookie).await.status, 404, "{nothing}");
    }
    assert_eq!(send(&gateway.on("mcfunny.localhost"), "/forms/mark", "like=7", "").await.status, 404);
}

#[actix_web::test]
async fn forms_reject_other_sites_and_methods() {
    let gateway = start().await;
    let browser = gateway.on(HOST);
    for path in ["/forms/verify", "/forms/leave", "/forms/mark", "/forms/language"] {
        assert_eq!(browser.get(path).await.status, 405, "{path}");
        let json = browser.request(Method::POST, path).json(&json!({ "msisdn": "0812345678" }));
        assert_eq!(browser.send(json).await.status, 415, "{path}");
        for (name, value) in [("origin", "http://evil.example"), ("sec-fetch-site", "cross-site")] {
            let foreign = browser.request(Method::POST, path).header(name, value);
            let foreign = foreign.header("content-type", "application/x-www-form-urlencoded").body("like=7");
            assert_eq!(browser.send(foreign).await.status, 403, "{path} {name}");
        }
    }
    assert_eq!(send(&browser, "/forms/check", "", "").await.status, 405);
    assert_eq!(gateway.on("nobody.example").get("/forms/check").await.status, 404);
}
