//! A network that names its subscribers by tokens, from outside: a subscriber whose number the services never learn joins, watches, likes, is
//! billed, stops and is refunded, and no log, page or error has the token in full.

use std::{fs::File, path::Path, process::Command};

use brands::Kind;
use serde_json::{Value, json};
use testkit::{Engine, eventually};

use crate::{
    life::{Browser, first_video, watches},
    networks::{Site, days},
    support::{Office, of_kind},
};

const NETWORK: &str = "jacaranda";
const TT: i32 = 152;
const LABEL: &str = "ttmbhatv";

/// A family that writes its log to a file, and trusts the header of networks behind a proxy.
async fn open(engine: Engine, log: &Path) -> Site {
    Site::open_with(engine, |command: &mut Command| {
        let file = File::options().create(true).append(true).open(log).unwrap();
        command
            .stdout(file.try_clone().unwrap())
            .stderr(file)
            .env("RUST_LOG", "debug,hyper=info,h2=info")
            .env("ENRICHMENT_HEADER", "X-MSISDN")
            .env("ENRICHMENT_SOURCES", "10.73.0.0/16")
            .env("TRUSTED_PROXIES", "127.0.0.1");
    })
    .await
}

impl Site {
    /// The network's token of a number, without and with the network's name.
    async fn token(&self, msisdn: &str) -> (String, String) {
        let reply = self.post_as_machine(10, "/internal/tokens", json!({ "msisdn": msisdn, "network": NETWORK })).await;
        let token = reply["token"].as_str().unwrap().to_owned();
        let subscriber = format!("{NETWORK}:{token}");
        (token, subscriber)
    }

    /// The subscriber's charges of a day, in the ledger and at the network.
    async fn charges(&self, day: &str, (token, subscriber): &(String, String)) -> (usize, usize) {
        let of = |rows: Vec<(String, String)>, name: &str| rows.iter().filter(|(number, _)| number == name).count();
        (of(self.ledger(day, "charge").await, subscriber), of(self.charged_by(NETWORK, day).await, token))
    }
}

testkit::on_each_engine! {
    async fn subscriber_with_a_token_joins_watches_pays_stops_and_is_refunded(engine) {
        let logs = tempfile::tempdir().unwrap();
        let log = logs.path().join("log");
        let site = open(engine, &log).await;
        let [today, tomorrow, third] = days();
        let msisdn = "27731000021";
        let names = site.token(msisdn).await;
        let (token, subscriber) = &names;

        // The visitor types the number, and the network names its token: the number is a subscriber nowhere.
        let mut browser = Browser::new(&site.family, LABEL);
        browser.join(TT, msisdn).await;
        assert_eq!(site.state(subscriber).await, ("active".to_owned(), NETWORK.to_owned()));
        assert_eq!(site.account(msisdn).await["subscriptions"], json!([]));
        let me = browser.me().await;
        assert_eq!(me["msisdn"], format!("{NETWORK}:••••••{}", &token[token.len() - 3..]), "{me}");
        site.wait_for_sms(msisdn, "subscription service").await;

        let vurl = first_video(&mut browser, Kind::Tt, LABEL).await;
        watches(&mut browser, &vurl).await;
        let rows = browser.json("GET", "/api/tt/getcatvideos/ttmbhatv", Value::Null).await;
        let videoid = rows[0]["videos"][0]["id"].as_i64().unwrap();
        let like = json!({"videoid": videoid, "ani": "", "status": "1", "servicename": LABEL, "created": ""});
        assert_eq!(browser.json("POST", "/api/tt/likevideo", like).await["liked"], true);
        assert_eq!(browser.json("GET", "/api/tt/mine/ttmbhatv", Value::Null).await["liked"], json!([videoid]));
        let of_another = json!({"videoid": videoid, "ani": msisdn, "status": "1", "servicename": LABEL, "created": ""});
        let (status, error) = browser.text("POST", "/api/tt/likevideo", of_another).await;
        assert_eq!(status, 403, "{error}");

        // Charged once a day, and the network's list agrees.
        eventually("the first charge", async || site.charges(&today, &names).await == (1, 1)).await;
        site.pass(&today).await;
        site.go_to(&tomorrow).await;
        site.pass(&tomorrow).await;
        for day in [&today, &tomorrow] {
            assert_eq!(site.charges(day, &names).await, (1, 1), "{day}");
        }
        let compared = site.post_as_machine(5, "/internal/reconcile", json!({ "day": today })).await;
        assert_eq!(compared["differences"], json!([]), "{compared}");

        // Refunded at the network by the token.
        let csv = site.as_machine(&format!("/internal/ledger?day={today}")).await;
        let row = csv.lines().find(|line| line.split(',').nth(2) == Some(subscriber)).unwrap();
        let id: i64 = row.split(',').next().unwrap().parse().unwrap();
        site.post_as_machine(5, "/internal/refund", json!({ "ledger_id": id, "reason": "a test" })).await;
        eventually("the refund", async || site.ledger(&tomorrow, "refund").await.len() == 1).await;
        let refunds = site.client(10).get_ok(&format!("/refunds?day={today}")).await;
        assert_eq!((refunds.as_array().unwrap().len(), &refunds[0]["msisdn"]), (1, &json!(token)));

        // A STOP by SMS, which the network reports by the token.
        let sms = site.client(10).post("/sms", &json!({ "msisdn": msisdn, "text": "STOP" })).await;
        assert_eq!(sms.json(), json!({ "stopped": 1 }));
        eventually("the end", async || site.state(subscriber).await.0 == "cancelled").await;
        assert!(!browser.is_in().await);
        site.wait_for_sms(msisdn, "You have left").await;
        site.go_to(&third).await;
        site.pass(&third).await;
        assert_eq!(site.charges(&third, &names).await, (0, 0), "charged after the STOP");

        let text = std::fs::read_to_string(&log).unwrap();
        assert!(text.contains(NETWORK), "the log is empty");
        for secret in [token.as_str(), msisdn] {
            let line = text.lines().find(|line| line.contains(secret));
            assert_eq!(line, None, "a line of the log has the subscriber in full");
        }
        // The number is in no table of the service, either.
        if matches!(engine, Engine::Sqlite) {
            for file in ["subscription.sqlite", "subscription.sqlite-wal"] {
                let bytes = std::fs::read(site.home.path().join("data").join(file)).unwrap_or_default();
                let has = |part: &str| bytes.windows(part.len()).any(|window| window == part.as_bytes());
                assert!(!has(msisdn), "{file} has the number");
            }
        }
    }

    async fn visitor_behind_a_network_with_tokens_types_no_number(engine) {
        let logs = tempfile::tempdir().unwrap();
        let log = logs.path().join("log");
        let site = open(engine, &log).await;
        let [today, ..] = days();
        let msisdn = "27731000031";
        let names = site.token(msisdn).await;
        let (token, subscriber) = &names;
        let join = json!({"msisdn": "", "ext_ref": "banner", "channel": "WAP", "svc_id": TT});
        let phone = || Browser::new(&site.family, LABEL).behind(&[("X-MSISDN", token.as_str()), ("X-Forwarded-For", "10.73.0.5")]);

        // Only from the network's own addresses, and only over plain http.
        for headers in [
            [("X-MSISDN", token.as_str()), ("X-Forwarded-For", "10.74.0.5"), ("X-Forwarded-Proto", "http")],
            [("X-MSISDN", token.as_str()), ("X-Forwarded-For", "10.73.0.5"), ("X-Forwarded-Proto", "https")],
            [("X-MSISDN", subscriber.as_str()), ("X-Forwarded-For", "192.0.2.5"), ("X-Forwarded-Proto", "http")],
        ] {
            let mut forged = Browser::new(&site.family, LABEL).behind(&headers);
            let (_, page) = forged.text("GET", "/ttlogin", Value::Null).await;
            assert!(!page.contains("\"enriched\":true"), "{headers:?}");
            let (status, error) = forged.text("POST", "/api/subscribe", join.clone()).await;
            assert_eq!(status, 422, "{error}");
            assert!(!error.contains(token.as_str()), "{error}");
        }

        let mut browser = phone();
        let (status, page) = browser.text("GET", "/ttlogin", Value::Null).await;
        assert!(status == 200 && page.contains("\"enriched\":true"), "{page}");
        assert!(!page.contains(token.as_str()), "the page has the token");
        let (_, elsewhere) = Browser::new(&site.family, "mcfunny")
            .behind(&[("X-MSISDN", token.as_str()), ("X-Forwarded-For", "10.73.0.5")])
            .text("GET", "/login", Value::Null)
            .await;
        assert!(!elsewhere.contains("\"enriched\":true"), "the brand is not sold on this network");
        browser.join(TT, "").await;
        assert_eq!(site.state(subscriber).await, ("active".to_owned(), NETWORK.to_owned()));
        eventually("the charge", async || site.charges(&today, &names).await == (1, 1)).await;

        // On another browser the header proves the subscriber: no page of the network, no second charge.
        let mut other = phone();
        let reply = other.json("POST", "/api/subscribe", join.clone()).await;
        assert_eq!(reply["result"], 1, "{reply}");
        let page = reply["redirectUrl"].as_str().unwrap();
        assert!(page.contains("/DoiRedirect?") && !page.contains(token.as_str()), "{page}");
        assert_eq!(other.check("", reply["subscriptionId"].as_str().unwrap()).await, 1);
        assert!(other.is_in().await);
        // And without the header by the network's page, from the number that the visitor types.
        let mut typed = Browser::new(&site.family, LABEL);
        typed.join(TT, msisdn).await;
        assert!(typed.is_in().await);
        site.pass(&today).await;
        assert_eq!(site.charges(&today, &names).await, (1, 1), "charged twice");
        assert_eq!(site.account(subscriber).await["subscriptions"].as_array().unwrap().len(), 1);

        // A leave without a session: the network's page ends the token's subscription.
        let mut stranger = Browser::new(&site.family, LABEL);
        let reply = stranger.json("POST", "/api/subscribe/unsubscribe", json!({ "msisdn": msisdn, "svc_id": TT })).await;
        stranger.answer(reply["redirectUrl"].as_str().unwrap()).await;
        eventually("the end", async || site.state(subscriber).await.0 == "cancelled").await;
        eventually("the end at the network", async || !site.runs_at(NETWORK, token).await).await;
        assert!(!browser.is_in().await && !other.is_in().await && !typed.is_in().await);

        let text = std::fs::read_to_string(&log).unwrap();
        for secret in [token.as_str(), msisdn] {
            let line = text.lines().find(|line| line.contains(secret));
            assert_eq!(line, None, "a line of the log has the subscriber in full");
        }
    }

    async fn support_finds_a_subscriber_by_network_and_token(engine) {
        testkit::away_from_midnight().await;
        let office = Office::open(engine).await;
        let msisdn = "27731000041";
        let subscriber = format!("{NETWORK}:{}", operator_sandbox::token_of(NETWORK, msisdn));
        Browser::new(&office.family, LABEL).join(TT, msisdn).await;
        let charged = [("charge".to_owned(), 300, "settled".to_owned())];
        eventually("the charge", async || office.ledger(&subscriber).await == charged).await;

        let support = office.invite("sipho@spaza.example", "support").await;
        assert_eq!(support.search(msisdn).await["subscriptions"], json!([]), "the number is known");
        let part = support.call("POST", "/api/support/search", json!({ "number": subscriber[NETWORK.len() + 1..] })).await;
        assert_eq!(part.status, 422, "a token without its network");
        let record = support.search(&subscriber).await;
        assert!(!record.to_string().contains(&subscriber), "the token is not masked: {record}");
        assert!(!of_kind(&record, "consent").is_empty() && !of_kind(&record, "join").is_empty(), "{record}");
        let revealed = support.act(&record, "POST", "reveal", json!({ "reason": "to ask the network" })).await;
        assert_eq!(revealed.json(), json!({ "number": subscriber }));
        let dossier = support.act(&record, "POST", "dossier", json!({ "format": "json", "reason": "a complaint" })).await.json();
        assert_eq!(dossier["number"], json!(subscriber));
        let order = json!({ "format": "json", "reason": "asked for their data" });
        let export = support.act(&record, "POST", "export", order).await.json();
        assert_eq!(export["number"], json!(subscriber));
        let of_subscription = export["services"].as_array().unwrap().iter().find(|of| of["service"] == "subscription");
        let tables = of_subscription.unwrap()["tables"].as_array().unwrap().clone();
        let rows = |name: &str| tables.iter().find(|table| table["name"] == name).unwrap()["rows"].clone();
        assert_eq!(rows("subscriptions")[0]["msisdn"], json!(subscriber));
        assert_eq!(rows("ledger").as_array().unwrap().len(), 1);
        let erasure = support.act(&record, "GET", "erasure", Value::Null).await.json();
        assert_eq!(erasure["obstacles"].as_array().unwrap().len(), 1, "the subscription runs: {erasure}");

        let order = json!({ "ledger_ids": [of_kind(&record, "charge")[0]["ledger_id"]], "reason": "does not remember joining" });
        assert_eq!(support.act(&record, "POST", "refund", order).await.json()["state"], "made");
        eventually("the refund", async || office.ledger(&subscriber).await.len() == 2).await;
        let end = json!({ "subscription_id": record["subscriptions"][0]["id"], "reason": "by phone" });
        assert_eq!(support.act(&record, "POST", "end", end).await.status, 204);
        let block = json!({ "blocked": true, "reason": "by phone" });
        assert_eq!(support.act(&record, "PUT", "block", block).await.status, 204);
        // A join by the typed number leads to the same token, which is refused when the network names it.
        let mut again = Browser::new(&office.family, LABEL);
        again.confirm_join(TT, msisdn).await;
        assert!(!again.is_in().await);
        assert_eq!(support.search(&subscriber).await["subscriptions"][0]["state"], "cancelled");
    }
}
