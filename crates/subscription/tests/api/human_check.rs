//! Joins without the challenge of this browser's page are held before any charge, an address learns of few numbers, and publishers are judged by outcomes.

use std::time::Duration;

use reqwest::Method;
use serde_json::{Value, json};
use service::{Scope, staff_token};
use subscription::{FraudLimits, JoinSignals};
use testkit::{Client, Engine, Reply, eventually, on_each_engine};

use crate::{
    conformance,
    ledger::{DAY, NOON},
    services::{Browser, MEME, Options, TestServices, number, spawn, spawn_with},
};

const DISKI: i32 = 151;

/// The month of the tests' clock.
const MONTH: &str = "2060-02";

fn limits(config: &mut subscription::Config) {
    config.fraud =
        FraudLimits { join_signals: Some(JoinSignals::Required), publisher_min_joins: 4, ..FraudLimits::OBSERVED };
}

async fn open(engine: Engine) -> TestServices {
    let services = spawn_with(engine, Options { settings: Some(limits), ..Options::default() }).await;
    services.set_clocks(NOON).await;
    services
}

/// A challenge as a page gets it.
async fn request_challenge(browser: &Browser, svc_id: i32) -> String {
    let reply = browser.post("/api/subscribe/challenge", &json!({"svc_id": svc_id})).await;
    assert_eq!((reply.status, reply.header("cache-control")), (200, "no-store"));
    reply.json()["challenge"].as_str().unwrap().to_owned()
}

/// The same, when a person could press JOIN.
async fn challenge(browser: &Browser, svc_id: i32) -> String {
    let challenge = request_challenge(browser, svc_id).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    challenge
}

async fn join(browser: &Browser, msisdn: &str, ext_ref: &str, check: &Value) -> Reply {
    let mut body = json!({"msisdn": msisdn, "ext_ref": ext_ref, "channel": "WAP", "svc_id": MEME});
    body.as_object_mut().unwrap().extend(check.as_object().unwrap().clone());
    browser.post("/api/subscribe", &body).await
}

/// A join through the page.
async fn joins_by_page(browser: &Browser, msisdn: &str, ext_ref: &str) -> Value {
    let check = json!({"challenge": challenge(browser, MEME).await});
    join(browser, msisdn, ext_ref, &check).await.json()
}

/// A person's join through the page, in a browser of its own.
async fn person_joins(services: &TestServices, ext_ref: &str) -> Value {
    joins_by_page(&services.browser("memeworld"), &number("1111"), ext_ref).await
}

async fn confirm(browser: &Browser, reply: &Value) {
    browser.submit_answer(reply["redirectUrl"].as_str().unwrap(), "confirm").await;
}

/// The rules by which joins were held, in order.
async fn rules(services: &TestServices, ext_ref: &str) -> Vec<String> {
    let held = evidence(services, ext_ref).await["held_joins"].clone();
    held.as_array().unwrap().iter().map(|join| join["rule"].as_str().unwrap().to_owned()).collect()
}

async fn evidence(services: &TestServices, ext_ref: &str) -> Value {
    let path = format!("/internal/publishers/evidence?ext_ref={ext_ref}&month={MONTH}");
    let reply = services.finance(Method::GET, &path, None).await;
    assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.bytes));
    reply.json()
}

/// Nothing was requested for a join: no attempt here, no page at the network.
async fn nothing_began(services: &TestServices) {
    for table in ["subscriptions", "tries", "events", "ledger", "outbox"] {
        assert_eq!(services.count(table, "1 = 1").await, 0, "{table}");
    }
    let charges = Client::new(services.sandbox, "localhost").get_ok(&format!("/charges?day={DAY}")).await;
    assert_eq!(charges, json!([]));
}

on_each_engine! {
    async fn join_without_this_browsers_challenge_is_held_and_nothing_begins(engine) {
        let services = open(engine).await;
        let (browser, msisdn) = (services.browser("memeworld"), number("1111"));
        let held = join(&browser, &msisdn, "ad", &json!({})).await;
        let reply = held.json();
        assert_eq!((held.status, &reply["result"]), (200, &json!(4)));
        assert!(reply["error_message"].as_str().unwrap().contains("nothing is charged"), "{reply}");
        assert!(reply["challenge"].is_string() && reply["code"].as_str().unwrap().len() == 3, "{reply}");
        assert_eq!((&reply["redirectUrl"], &reply["subscriptionId"]), (&Value::Null, &Value::Null));

        let fresh = challenge(&browser, MEME).await;
        let of_other_service = challenge(&browser, DISKI).await;
        let of_other_browser = challenge(&services.browser("memeworld"), MEME).await;
        // One with a code, which a person types within three seconds at the soonest.
        let too_new = join(&browser, &msisdn, "ad", &json!({})).await.json()["challenge"].clone();
        for (check, rule) in [
            (json!({"challenge": too_new}), "too_fast"),
            (json!({"challenge": format!("{fresh}0")}), "no_challenge"),
            (json!({"challenge": of_other_service}), "no_challenge"),
            (json!({"challenge": of_other_browser}), "elsewhere"),
            (json!({"challenge": fresh, "homepage": "x"}), "hidden_field"),
        ] {
            let reply = join(&browser, &msisdn, "", &check).await.json();
            assert_eq!(reply["result"], 4, "{check}");
            assert_eq!(rules(&services, "").await.last().map(String::as_str), Some(rule), "{check}");
        }
        // The words of the consent in another language are others.
        let zulu = services.browser("memeworld").with_header("accept-language", "zu");
        let reply = join(&zulu, &msisdn, "", &json!({})).await.json();
        assert!(reply["error_message"].as_str().unwrap().starts_with("Awujoyinanga"), "{reply}");
        let browser = browser.with_header("accept-language", "zu");
        assert_eq!(join(&browser, &msisdn, "", &json!({"challenge": fresh})).await.json()["result"], 4);
        // The same browser at another address.
        let browser = browser.with_header("accept-language", "en").at("203.0.113.77");
        assert_eq!(join(&browser, &msisdn, "", &json!({"challenge": fresh})).await.json()["result"], 4);
        assert_eq!(rules(&services, "").await[5..], ["no_challenge", "stale", "elsewhere"]);
        nothing_began(&services).await;
        // The evidence does not name the number.
        assert_eq!(services.count("held_joins", &format!("masked LIKE '%{}%'", &msisdn[2..])).await, 0);
        assert_eq!(services.count("held_joins", &format!("masked = '27••••••{}'", &msisdn[8..])).await, 10);
    }

    async fn challenge_counts_once_and_not_for_ever(engine) {
        let services = open(engine).await;
        let browser = services.browser("memeworld");
        let check = json!({"challenge": challenge(&browser, MEME).await});
        assert_eq!(join(&browser, &number("1111"), "", &check).await.json()["result"], 1);
        assert_eq!(join(&browser, &number("1111"), "", &check).await.json()["result"], 4);
        // A visitor leaves the page open; its next challenge counts.
        let old = challenge(&browser, MEME).await;
        services.set_clocks("2060-02-27T15:00:00+02:00").await;
        assert_eq!(join(&browser, &number("1111"), "", &json!({"challenge": old})).await.json()["result"], 4);
        assert_eq!(rules(&services, "").await, ["replayed", "stale"]);
        // Only a page learns whether a number is active.
        let msisdn = number("1111");
        let reply = joins_by_page(&browser, &msisdn, "").await;
        confirm(&browser, &reply).await;
        services.wait_for_state(&msisdn, "active").await;
        assert_eq!(join(&browser, &msisdn, "", &json!({})).await.json()["result"], 4);
        assert_eq!(joins_by_page(&browser, &msisdn, "").await["result"], 2);
    }

    async fn held_person_types_the_code_and_a_script_that_repeats_stays_held(engine) {
        let services = open(engine).await;
        let (browser, msisdn) = (services.browser("memeworld"), number("1111"));
        let mut reply = join(&browser, &msisdn, "", &json!({})).await.json();
        for (minute, code) in [(1, ""), (2, "0812345678")] {
            services.set_clocks(&format!("2060-02-27T12:{minute}0:00+02:00")).await;
            let check = json!({"challenge": reply["challenge"], "code": code});
            reply = join(&browser, &msisdn, "", &check).await.json();
            assert_eq!((&reply["result"], rules(&services, "").await.last().map(String::as_str)), (&json!(4), Some("wrong_code")));
        }
        services.set_clocks("2060-02-27T12:30:00+02:00").await;
        let check = json!({"challenge": reply["challenge"], "code": reply["code"]});
        assert_eq!(join(&services.browser("memeworld"), &msisdn, "", &check).await.json()["result"], 4, "in another browser");
        assert_eq!(join(&browser, &msisdn, "", &check).await.json()["result"], 1);
        assert_eq!(join(&browser, &msisdn, "", &check).await.json()["result"], 4, "a code counts once");
        let evidence = evidence(&services, "").await;
        assert_eq!((&evidence["passed"], &evidence["passed_by_code"], &evidence["held"]), (&json!(1), &json!(1), &json!(5)));
    }

    async fn address_learns_of_thirty_numbers_an_hour_and_confirmed_joins_give_their_place_back(engine) {
        let services = open(engine).await;
        let browser = services.browser("memeworld");
        let challenges = async |count: usize| {
            let mut challenges = Vec::new();
            for _ in 0..count {
                challenges.push(request_challenge(&browser, MEME).await);
            }
            tokio::time::sleep(Duration::from_millis(300)).await;
            challenges
        };
        let joins = async |challenge: &str, msisdn: &str| join(&browser, msisdn, "", &json!({"challenge": challenge})).await;
        // Phones behind one address, each of which confirms.
        for challenge in challenges(40).await {
            let reply = joins(&challenge, &number("1111")).await;
            assert_eq!(reply.json()["result"], 1);
            confirm(&browser, &reply.json()).await;
            eventually("its place", async || services.count("learned_numbers", "1 = 1").await == 0).await;
        }
        // A program that looks for subscribers.
        let unused = challenges(32).await;
        let numbers: Vec<String> = unused.iter().map(|_| number("1111")).collect();
        for (challenge, msisdn) in unused.iter().zip(&numbers).take(30) {
            assert_eq!(joins(challenge, msisdn).await.json()["result"], 1);
        }
        let refused = joins(&unused[30], &numbers[30]).await;
        assert_eq!(refused.status, 429);
        let wait: u64 = refused.header("retry-after").parse().unwrap();
        assert!((3000..=3600).contains(&wait), "{wait}");
        assert_eq!(joins(&unused[31], &numbers[0]).await.json()["result"], 1, "a number that it knows");
        let body = json!({"msisdn": numbers[31], "svc_id": MEME});
        assert_eq!(browser.post("/api/subscribe/verify", &body).await.status, 429);
        assert_eq!(browser.post("/api/subscribe/unsubscribe", &body).await.status, 200, "leaving tells nothing");
        assert_eq!(person_joins(&services, "").await["result"], 1, "from another address");
        services.set_clocks("2060-02-27T13:01:00+02:00").await;
        assert_eq!(joins_by_page(&browser, &numbers[30], "").await["result"], 1);
    }

    async fn publisher_is_judged_by_what_came_of_its_joins_and_held_by_persons(engine) {
        let services = open(engine).await;
        // Strangers' requests in a publisher's name do not stop it.
        for _ in 0..20 {
            assert_eq!(join(&services.browser("memeworld"), &number("1111"), "shop", &json!({})).await.json()["result"], 4);
        }
        assert_eq!(person_joins(&services, "shop").await["result"], 1);
        let mut charged = Vec::new();
        for _ in 0..4 {
            let (browser, msisdn) = (services.browser("memeworld"), number("1111"));
            let reply = joins_by_page(&browser, &msisdn, "short").await;
            confirm(&browser, &reply).await;
            charged.push(services.wait_for_charge(DAY, &msisdn, "settled").await);
        }
        let order = json!({"ledger_id": charged[0].id, "reason": "never wanted it"});
        assert_eq!(services.admin("/internal/refund", &order).await.status, 200);
        assert_eq!(services.admin("/internal/refund", &order).await.status, 200);
        for row in &charged[1..3] {
            let stop = json!({"msisdn": row.msisdn, "text": "STOP"});
            assert_eq!(Client::new(services.sandbox, "localhost").post("/sms", &stop).await.status, 200);
            services.wait_for_state(&row.msisdn, "cancelled").await;
        }
        let report = evidence(&services, "short").await;
        let counts = ["passed", "confirmed", "left_early", "refunded", "held"].map(|name| report[name].as_i64().unwrap());
        assert_eq!(counts, [4, 4, 2, 1, 0], "{report}");
        // The limits slow its visitors down: a person types the code.
        let (browser, msisdn) = (services.browser("memeworld"), number("1111"));
        let slowed = joins_by_page(&browser, &msisdn, "short").await;
        assert_eq!(slowed["result"], 4);
        services.set_clocks("2060-02-27T12:10:00+02:00").await;
        let check = json!({"challenge": slowed["challenge"], "code": slowed["code"]});
        assert_eq!(join(&browser, &msisdn, "short", &check).await.json()["result"], 1);
        let report = evidence(&services, "short").await;
        assert_eq!((&report["hold"]["state"], &report["hold"]["made_by"]), (&json!("held"), &json!("limits")));
        assert_eq!(report["hold"]["reason"], "3 of 4 joins of seven days were regretted: left in a day, or given back");
        assert_eq!(report["held_by_rule"], json!({"publisher_slowed": 1}));

        let calls = async |path: &str, scope, body: Option<&Value>| {
            let token = staff_token(&testkit::staff_key(), "subscription", "thandi@spaza.example", scope).unwrap();
            let method = if body.is_some() { Method::POST } else { Method::GET };
            services.call(method, path, &token, body).await
        };
        // A person holds it altogether, and releases it.
        let order = json!({"ext_ref": "short", "reason": "nobody wanted it"});
        assert_eq!(calls("/internal/publishers/hold", Scope::Finance, Some(&order)).await.status, 403);
        assert_eq!(calls("/internal/publishers/hold", Scope::Support, Some(&order)).await.status, 200);
        let paused = person_joins(&services, "short").await;
        assert_eq!((&paused["result"], &paused["challenge"]), (&json!(4), &Value::Null));
        assert!(paused["error_message"].as_str().unwrap().contains("advertisement"), "{paused}");
        assert_eq!(person_joins(&services, "").await["result"], 1, "on the site itself");
        let csv = calls(&format!("/internal/publishers/evidence?ext_ref=short&month={MONTH}&format=csv"), Scope::Finance, None).await;
        assert!(csv.header("content-type").starts_with("text/csv"));
        let csv = String::from_utf8(csv.bytes).unwrap();
        let lines: Vec<&str> = csv.lines().collect();
        assert_eq!((lines[0], lines.len()), ("at,svc_id,rule,number", 3));
        assert!(lines[1].starts_with("2060-02-27 10:") && lines[1].contains(",150,publisher_slowed,27••••••"), "{csv}");
        let reply = calls("/internal/publishers/release", Scope::Support, Some(&order)).await;
        assert_eq!((reply.status, &reply.json()["made_by"]), (200, &json!("thandi@spaza.example")));
        assert_eq!(person_joins(&services, "short").await["result"], 1);
        assert_eq!(calls("/internal/publishers/hold", Scope::Support, Some(&json!({"ext_ref": "shop", "reason": " "}))).await.status, 422);
        assert_eq!(calls(&format!("/internal/publishers?month={MONTH}"), Scope::Support, None).await.status, 403);
        for query in ["month=2060", "month=x", "sort=x", "offset=-1"] {
            let status = calls(&format!("/internal/publishers?{query}"), Scope::Finance, None).await.status;
            assert!(matches!(status, 400 | 422), "{query}: {status}");
        }
    }

    async fn publishers_are_listed_by_brand_searched_and_sorted(engine) {
        let services = open(engine).await;
        let list = async |query: &str| {
            let reply = services.finance(Method::GET, &format!("/internal/publishers?{query}"), None).await;
            assert_eq!(reply.status, 200, "{query}");
            reply.json()
        };
        let names = |list: &Value| -> Vec<(String, i64)> {
            let of = |one: &Value| (one["ext_ref"].as_str().unwrap().to_owned(), one["svc_id"].as_i64().unwrap());
            list["publishers"].as_array().unwrap().iter().map(of).collect()
        };
        // One brand's visitors are persons, another's are scripts, of which one person types the code.
        assert_eq!(person_joins(&services, "Two_Brands").await["result"], 1);
        let body = json!({"msisdn": number("1111"), "ext_ref": "Two_Brands", "channel": "WAP", "svc_id": DISKI});
        let diski = services.browser("diski99");
        let held = diski.post("/api/subscribe", &body).await.json();
        services.browser("diski99").post("/api/subscribe", &body).await;
        services.set_clocks("2060-02-27T12:10:00+02:00").await;
        let mut coded = body.clone();
        (coded["challenge"], coded["code"]) = (held["challenge"].clone(), held["code"].clone());
        assert_eq!(diski.post("/api/subscribe", &coded).await.json()["result"], 1);
        // A join that is confirmed, ended and given back.
        let msisdn = number("1111");
        let reply = joins_by_page(&services.browser("memeworld"), &msisdn, "shop").await;
        services.browser("memeworld").submit_answer(reply["redirectUrl"].as_str().unwrap(), "confirm").await;
        let charge = services.wait_for_charge("2060-02-27", &msisdn, "settled").await;
        let order = json!({"ledger_id": charge.id, "reason": "never wanted it"});
        assert_eq!(services.admin("/internal/refund", &order).await.status, 200);
        assert_eq!(Client::new(services.sandbox, "localhost").post("/sms", &json!({"msisdn": msisdn, "text": "STOP"})).await.status, 200);
        services.wait_for_state(&msisdn, "cancelled").await;

        let all = list("").await;
        assert_eq!((&all["month"], &all["this_month"], &all["is_enforced"], &all["next"]), (&json!(MONTH), &json!(MONTH), &json!(true), &Value::Null));
        assert!(all["services"].as_array().unwrap().contains(&json!({"svc_id": MEME, "service": "memeworld"})), "{all}");
        let of = |ext_ref: &str, svc_id: i32| {
            let lines = all["publishers"].as_array().unwrap();
            lines.iter().find(|line| line["ext_ref"] == ext_ref && line["svc_id"] == svc_id).unwrap().clone()
        };
        let counts = |line: &Value| ["tries", "passed", "held", "codes", "passed_by_code", "confirmed", "left_early", "refunded"].map(|name| line[name].as_i64().unwrap());
        assert_eq!(counts(&of("Two_Brands", MEME)), [1, 1, 0, 0, 0, 0, 0, 0]);
        let scripts = of("Two_Brands", DISKI);
        assert_eq!((counts(&scripts), &scripts["held_basis_points"], &scripts["service"]), ([2, 1, 2, 2, 1, 0, 0, 0], &json!(5000), &json!("diski99")));
        let shop = of("shop", MEME);
        assert_eq!((counts(&shop), &shop["left_basis_points"], &shop["refunded_basis_points"]), ([1, 1, 0, 0, 0, 1, 1, 1], &json!(10_000), &json!(10_000)));

        // The text is no pattern, and its case does not count.
        let both = [("Two_Brands".to_owned(), i64::from(MEME)), ("Two_Brands".to_owned(), i64::from(DISKI))];
        assert_eq!(names(&list("q=two_br").await), both);
        assert!(names(&list("q=two%25").await).is_empty());
        assert!(names(&list("q=TwoxBr").await).is_empty());
        assert_eq!(names(&list(&format!("q=two&svc_id={DISKI}")).await), both[1..]);
        assert_eq!(names(&list("sort=held").await)[0], both[1]);
        assert_eq!(names(&list("sort=left").await)[0].0, "shop");
        assert_eq!(names(&list("sort=refunded").await)[0].0, "shop");
        assert_eq!(names(&list("sort=tries").await)[0], both[1]);

        // Held by the limits: a person has to decide. The decision that it stays held keeps the time.
        services.execute(
            "INSERT INTO held_publishers (ext_ref, state, reason, made_by, at) VALUES ('gone', 'held', '9 of 9', 'limits', '2060-02-20 08:00:00'), \
             ('freed', 'released', 'checked', 'thandi@spaza.example', '2060-02-20 08:00:00')".to_owned(),
        ).await;
        let overview = async || {
            let overview = services.call(Method::GET, "/internal/overview", testkit::ADMIN_TOKEN, None).await.json();
            (overview["held_publishers"].clone(), overview["undecided_publishers"].clone())
        };
        assert_eq!(overview().await, (json!(1), json!(1)));
        let held = list("held=true").await;
        assert_eq!(names(&held), [("gone".to_owned(), 0)], "held without a join in the month");
        let order = json!({"ext_ref": "gone", "reason": "looked at the evidence"});
        let reply = services.admin("/internal/publishers/hold", &order).await;
        assert_eq!((reply.status, &reply.json()["at"]), (200, &json!("2060-02-20 08:00:00")));
        assert_eq!(overview().await, (json!(1), json!(0)));
        assert_eq!(services.admin("/internal/publishers/release", &order).await.status, 200);
        assert_eq!(overview().await, (json!(0), json!(0)));
        assert_eq!(services.admin("/internal/publishers/hold", &json!({"ext_ref": "", "reason": "all of them"})).await.status, 422);

        // More than a page.
        let many: Vec<String> = (0..150).map(|n| format!("('many-{n:03}', '2060-02-01', 150, 'passed', 1)")).collect();
        services.execute(format!("INSERT INTO publisher_days (ext_ref, day, svc_id, event, joins) VALUES {}", many.join(", "))).await;
        let first = list("q=many").await;
        assert_eq!((names(&first).len(), &first["next"]), (100, &json!(100)));
        let second = list("q=many&offset=100").await;
        assert_eq!((names(&second).len(), names(&second)[0].0.as_str(), &second["next"]), (50, "many-100", &Value::Null));
        assert!(names(&list("month=2060-01").await).is_empty());
    }

    async fn header_of_the_network_spares_no_check(engine) {
        let tokens = |config: &mut subscription::Config| {
            limits(config);
            config.enrichment.header = "X-MSISDN".parse().unwrap();
            config.enrichment.sources = "10.73.0.0/16".parse().unwrap();
        };
        let brands_file = conformance::brands_file("rest_with_tokens");
        let text = std::fs::read_to_string(&brands_file).unwrap();
        let tokens_of = "subscribers = \"token\"\n";
        assert!(text.contains(tokens_of));
        std::fs::write(&brands_file, text.replace(tokens_of, &format!("{tokens_of}addresses = \"10.73.0.0/16\"\n"))).unwrap();
        let options = Options { brands_file: Some(brands_file), tokens_of: Some(conformance::NAME), settings: Some(tokens), ..Options::default() };
        let services = spawn_with(engine, options).await;
        services.set_clocks(NOON).await;
        let body = json!({"msisdn": "", "ext_ref": "malware", "channel": "WAP", "svc_id": MEME});
        let browser = services.browser("memeworld").at("10.73.0.9").with_header("x-msisdn", "9f2c41d07ab3");
        // A program on a phone sends the request by itself: the network adds the token, and nothing begins.
        assert_eq!(browser.post("/api/subscribe", &body).await.json()["result"], 4);
        nothing_began(&services).await;
        assert_eq!(rules(&services, "malware").await, ["no_challenge"]);
        // A person taps, and types no number.
        let reply = joins_by_page(&browser, "", "malware").await;
        assert_ne!(reply["result"], 4, "{reply}");
        let report = evidence(&services, "malware").await;
        assert_eq!((&report["passed"], &report["held"]), (&json!(1), &json!(1)));
    }

    async fn observed_joins_are_counted_and_go_on(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let browser = services.browser("memeworld");
        for _ in 0..60 {
            assert_eq!(join(&browser, &number("1111"), "shop", &json!({})).await.json()["result"], 1);
        }
        let report = evidence(&services, "shop").await;
        assert_eq!((&report["passed"], &report["held"], &report["hold"]), (&json!(60), &json!(0), &Value::Null));
        assert_eq!(report["observed_by_rule"], json!({"no_challenge": 60}));
    }

    async fn anti_fraud_token_reaches_the_network(engine) {
        let services = spawn(engine).await;
        let mut body = json!({"msisdn": number("1111"), "ext_ref": "", "channel": "WAP", "svc_id": MEME, "anti_fraud_token": "af-7f.x=="});
        let browser = services.browser("memeworld");
        let page = browser.post("/api/subscribe", &body).await.json()["redirectUrl"].as_str().unwrap().to_owned();
        let reference = page.rsplit('/').next().unwrap().split('?').next().unwrap();
        let known = Client::new(services.sandbox, "localhost").get_ok(&format!("/opt-ins/{reference}")).await;
        assert_eq!(known["anti_fraud_token"], "af-7f.x==");
        for bad in ["a b".to_owned(), "x".repeat(2049)] {
            body["anti_fraud_token"] = json!(bad);
            assert_eq!(browser.post("/api/subscribe", &body).await.status, 422);
        }
    }
}
