//! `GET /api/subscribe/verify-number`: a browser's return from its network counts once, in that browser, on that host and in time. Whatever else
//! comes leads back to the join form and changes nothing.

use reqwest::Method;
use serde_json::json;
use testkit::{Client, on_each_engine};

use crate::{
    conformance::{NAME, brands_file},
    ledger::{NOON, morning},
    services::{Browser, MEME, Options, TestServices, number, spawn_with},
};

const FAILED: &str = "/memelogin?sim=failed";

/// Taps the button of the network; where the browser comes back to after the network has looked at its SIM.
pub async fn tap(browser: &Browser, sim: &str) -> String {
    tap_on_the_way_to(browser, sim, "").await
}

/// As `tap`, on a join form that was opened for a page of the brand.
async fn tap_on_the_way_to(browser: &Browser, sim: &str, page: &str) -> String {
    let form = url::form_urlencoded::Serializer::new(String::new()).append_pair("page", page).finish();
    let reply = browser.get(&format!("/api/subscribe/verify-number?network={NAME}&ext_ref=ad%207&{form}")).await;
    assert_eq!(
        (reply.status, reply.header("referrer-policy"), reply.header("cache-control")),
        (302, "no-referrer", "no-store")
    );
    let page = reply.header("location").to_owned();
    assert!(page.contains("prompt=none") && page.contains("code_challenge_method=S256"), "{page}");
    let request = testkit::client().get(&page);
    let request = if sim.is_empty() { request } else { request.header("cookie", format!("sim={sim}")) };
    let reply = request.send().await.unwrap();
    assert_eq!(reply.status(), 302);
    let back = reply.headers()["location"].to_str().unwrap().to_owned();
    assert!(path_of(&back).starts_with("/api/subscribe/verify-number/return?"), "{back}");
    back
}

/// The path and query of an address of the site.
fn path_of(address: &str) -> &str {
    address.strip_prefix("http://memeworld.localhost:8080").unwrap()
}

/// Comes back from the network; where the service sends the browser on.
pub async fn come_back(browser: &Browser, address: &str) -> String {
    let reply = browser.get(path_of(address)).await;
    assert_eq!((reply.status, reply.header("referrer-policy")), (302, "no-referrer"));
    reply.header("location").to_owned()
}

async fn open(engine: testkit::Engine) -> TestServices {
    let options = Options { brands_file: Some(brands_file("camara_with_sims")), ..Options::default() };
    let services = spawn_with(engine, options).await;
    services.set_clocks(NOON).await;
    services
}

/// Whether a join or a proof has begun.
async fn has_begun(services: &TestServices) -> bool {
    services.count("tries", "1 = 1").await + services.count("subscriptions", "1 = 1").await > 0
}

on_each_engine! {
    async fn return_counts_once_and_only_in_the_browser_and_on_the_host_that_began(engine) {
        let (services, msisdn) = (open(engine).await, number("1111"));
        let browser = services.browser("memeworld");
        let back = tap(&browser, &msisdn).await;
        // Another browser, one without a cookie, and the same browser's cookies on another brand's host.
        let other = services.browser("memeworld");
        tap(&other, &msisdn).await;
        assert_eq!(come_back(&other, &back).await, FAILED);
        assert_eq!(come_back(&services.browser("memeworld"), &back).await, FAILED);
        let carried = browser.with_cookies_on(&services, "mcfunny");
        assert_eq!(come_back(&carried, &back).await, "/login?sim=failed");
        // A state that is none of ours, with a code that is.
        let (path, query) = path_of(&back).split_once('?').unwrap();
        let code = query.split('&').find(|pair| pair.starts_with("code=")).unwrap();
        for state in ["", "&state=", "&state=guessed", "&state=%00", "&state=a%27b"] {
            assert_eq!(browser.get(&format!("{path}?{code}{state}")).await.header("location"), FAILED, "{state}");
        }
        assert!(!has_begun(&services).await);
        // None of that has spent it; it is spent by its own browser, once.
        assert!(come_back(&browser, &back).await.contains("/opt-in/"));
        assert_eq!(come_back(&browser, &back).await, FAILED);
        assert_eq!(services.count("tries", "1 = 1").await, 1);
        assert_eq!(services.count("number_verifications", "1 = 1").await, 1, "the other browser's");
    }

    async fn a_page_is_kept_through_the_network(engine) {
        let (services, msisdn) = (open(engine).await, number("1111"));
        let browser = services.browser("memeworld");
        let page = "/memeCategory/1/3/memeworld";
        let back = tap_on_the_way_to(&browser, "", page).await;
        assert_eq!(come_back(&browser, &back).await, "/memelogin?ext_ref=ad+7&page=%2FmemeCategory%2F1%2F3%2Fmemeworld&sim=unknown");
        let back = tap_on_the_way_to(&browser, &msisdn, page).await;
        assert!(come_back(&browser, &back).await.contains("/opt-in/"));
        assert_eq!(services.count("tries", "continue_to = '/memeCategory/1/3/memeworld'").await, 1);
        // An address of another host is no page: the form opens without it.
        let elsewhere = format!("/api/subscribe/verify-number?network={NAME}&page=%2F%2Fevil.example");
        assert_eq!(browser.get(&elsewhere).await.header("location"), FAILED);
    }

    async fn link_without_this_browsers_challenge_is_held_where_joins_are(engine) {
        let required = |config: &mut subscription::Config| {
            config.fraud = subscription::FraudLimits {
                join_signals: Some(subscription::JoinSignals::Required),
                ..subscription::FraudLimits::OBSERVED
            };
        };
        let options = Options { brands_file: Some(brands_file("camara_with_sims")), settings: Some(required), ..Options::default() };
        let services = spawn_with(engine, options).await;
        services.set_clocks(NOON).await;
        let (browser, msisdn) = (services.browser("memeworld"), number("1111"));
        let challenge = async || {
            let reply = browser.post("/api/subscribe/challenge", &json!({"svc_id": MEME})).await.json();
            tokio::time::sleep(std::time::Duration::from_millis(300)).await;
            reply["challenge"].as_str().unwrap().to_owned()
        };
        let link = |challenge: &str| {
            let mut query = url::form_urlencoded::Serializer::new(String::new());
            query.append_pair("network", NAME).append_pair("ext_ref", "ad 7").append_pair("challenge", challenge);
            format!("/api/subscribe/verify-number?{}", query.finish())
        };
        // Opened by a program: without a challenge, with one that another machine has requested.
        let elsewhere = services.browser("memeworld").post("/api/subscribe/challenge", &json!({"svc_id": MEME})).await.json();
        let own = challenge().await;
        for challenge in ["", elsewhere["challenge"].as_str().unwrap(), &format!("{own}0")] {
            assert_eq!(browser.get(&link(challenge)).await.header("location"), "/memelogin?ext_ref=ad+7&sim=held", "{challenge}");
        }
        assert_eq!(services.count("number_verifications", "1 = 1").await, 0);
        assert_eq!(services.count("held_joins", "ext_ref = 'ad 7' AND masked = ''").await, 3);
        // A person's tap leads to the network, once; the join counts when the browser comes back.
        let page = browser.get(&link(&own)).await.header("location").to_owned();
        assert!(page.contains("prompt=none"), "{page}");
        assert_eq!(browser.get(&link(&own)).await.header("location"), "/memelogin?ext_ref=ad+7&sim=held", "replayed");
        let reply = testkit::client().get(&page).header("cookie", format!("sim={msisdn}")).send().await.unwrap();
        let back = reply.headers()["location"].to_str().unwrap().to_owned();
        assert!(come_back(&browser, &back).await.contains("/opt-in/"));
        let reply = services.finance(Method::GET, "/internal/publishers/evidence?ext_ref=ad%207&month=2060-02", None).await.json();
        assert_eq!((&reply["passed"], &reply["held"]), (&json!(1), &json!(4)), "{reply}");
    }

    async fn of_two_returns_at_once_one_counts(engine) {
        let (services, msisdn) = (open(engine).await, number("1111"));
        let browser = services.browser("memeworld");
        let back = tap(&browser, &msisdn).await;
        let both = futures_util::future::join(come_back(&browser, &back), come_back(&browser, &back)).await;
        let pages = [&both.0, &both.1].iter().filter(|page| page.contains("/opt-in/")).count();
        assert_eq!((pages, services.count("tries", "1 = 1").await), (1, 1), "{both:?}");
    }

    async fn code_of_another_request_is_refused_by_the_network(engine) {
        let (services, msisdn, victim) = (open(engine).await, number("1111"), number("2222"));
        // A code of another phone, put behind one's own state: its verifier is not ours.
        let (browser, other) = (services.browser("memeworld"), services.browser("memeworld"));
        let (own, stolen) = (tap(&browser, &msisdn).await, tap(&other, &victim).await);
        let value = |address: &str, name: &str| {
            let (_, query) = address.split_once('?').unwrap();
            let found = url::form_urlencoded::parse(query.as_bytes()).find(|(named, _)| named == name);
            found.unwrap().1.into_owned()
        };
        let forged = own.replace(&value(&own, "code"), &value(&stolen, "code"));
        assert_eq!(come_back(&browser, &forged).await, "/memelogin?ext_ref=ad+7&sim=unknown");
        assert!(!has_begun(&services).await);
    }

    async fn return_after_five_minutes_or_with_another_price_is_too_late(engine) {
        let (services, msisdn) = (open(engine).await, number("1111"));
        let browser = services.browser("memeworld");
        let back = tap(&browser, &msisdn).await;
        services.execute("UPDATE number_verifications SET price_cents = 100".to_owned()).await;
        assert_eq!(come_back(&browser, &back).await, "/memelogin?ext_ref=ad+7&sim=failed");
        let back = tap(&browser, &msisdn).await;
        services.set_clocks(&NOON.replace("12:00", "12:06")).await;
        assert_eq!(come_back(&browser, &back).await, FAILED);
        assert!(!has_begun(&services).await);
        // What never came back is deleted.
        tap(&browser, &msisdn).await;
        services.set_clocks(&morning(crate::ledger::NEXT)).await;
        testkit::eventually("the rows are deleted", async || services.count("number_verifications", "1 = 1").await == 0)
            .await;
    }

    async fn only_a_tap_on_a_network_that_tells_numbers_leads_there(engine) {
        let services = open(engine).await;
        let browser = services.browser("memeworld");
        for query in ["", "?network=sandbox-pull", "?network=nothing", "?network=%00"] {
            let reply = browser.get(&format!("/api/subscribe/verify-number{query}")).await;
            assert_eq!((reply.status, reply.header("location")), (302, FAILED), "{query}");
        }
        let long = format!("/api/subscribe/verify-number?network={NAME}&ext_ref={}", "a".repeat(257));
        assert_eq!(browser.get(&long).await.header("location"), FAILED);
        // The brand is not sold there.
        let elsewhere = services.browser("mcfunny").get(&format!("/api/subscribe/verify-number?network={NAME}")).await;
        assert_eq!((elsewhere.status, elsewhere.header("location")), (302, "/login?sim=failed"));
        // Loaded by a page, ahead of a tap, or from elsewhere: the form comes first.
        for (name, value) in [
            ("sec-fetch-dest", "image"),
            ("sec-fetch-dest", "iframe"),
            ("sec-purpose", "prefetch;prerender"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            let client = Client::new(services.addr, "memeworld");
            let request = client.request(Method::GET, &format!("/api/subscribe/verify-number?network={NAME}"));
            let reply = client.send(request.header(name, value)).await;
            assert_eq!((reply.status, reply.header("location")), (302, "/memelogin"), "{value}");
        }
        assert_eq!(services.count("number_verifications", "1 = 1").await, 0);
    }

    async fn blocked_number_and_lost_network_lead_back_to_the_form(engine) {
        let (services, msisdn) = (open(engine).await, number("1111"));
        let client = Client::new(services.addr, "memeworld");
        let block = client.request(Method::PUT, &format!("/internal/blocks/{msisdn}")).bearer_auth(testkit::ADMIN_TOKEN);
        assert_eq!(client.send(block.json(&json!({"reason": "a test"}))).await.status, 200);
        let browser = services.browser("memeworld");
        assert_eq!(come_back(&browser, &tap(&browser, &msisdn).await).await, "/memelogin?ext_ref=ad+7&sim=failed");
        assert!(!has_begun(&services).await);
        // Typing says why.
        assert_eq!(browser.try_to_join(&msisdn, MEME).await.status, 403);
    }

    async fn number_is_in_no_log_and_no_row_of_a_request(engine) {
        let (services, msisdn) = (open(engine).await, number("1111"));
        let browser = services.browser("memeworld");
        let back = tap(&browser, &msisdn).await;
        assert_eq!(services.count("number_verifications", "1 = 1").await, 1);
        let columns = ["id", "network", "label", "browser_hash", "ext_ref", "page"];
        for column in columns {
            let condition = format!("{column} LIKE '%{}%'", &msisdn[2..]);
            assert_eq!(services.count("number_verifications", &condition).await, 0, "{column}");
        }
        come_back(&browser, &back).await;
        assert!(crate::logs::is_logged("sent to the network to recognise the SIM"));
        assert!(!crate::logs::has_number(&msisdn[2..]));
    }
}
