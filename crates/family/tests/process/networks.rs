//! A brand on four networks, from outside: each number is charged once by its own network, refunded and ended there; a brand that changes
//! its network keeps its subscribers where they are, a number that moves pays once for the day, and who is charged by the week pays once for it.

use std::{path::PathBuf, process::Command};

use reqwest::Method;
use serde_json::{Value, json};
use testkit::{Client, Engine, eventually};

use crate::{Family, life::Browser, place, root};

pub(crate) const MEME: i32 = 150;
const DISKI: i32 = 151;
const TT: i32 = 152;

/// The networks on which MEMEWORLD is sold for R3 a day, each with a number of its range.
const NETWORKS: [(&str, &str); 3] =
    [("sandbox-pull", "27812345701"), ("baobab", "27711000021"), ("protea", "27721000021")];

/// The one on which it is sold for R15 a week.
const WEEKLY: &str = "marula";

pub(crate) struct Site {
    pub(crate) family: Family,
    brands: PathBuf,
    pub(crate) home: tempfile::TempDir,
    _store: testkit::TestStore,
}

impl Site {
    /// A family with a `brands.toml` of its own and no pass by itself.
    pub(crate) async fn open(engine: Engine) -> Self {
        Self::open_with(engine, |_| ()).await
    }

    /// As `open`, with more settings.
    pub(crate) async fn open_with(engine: Engine, settings: impl Fn(&mut Command)) -> Self {
        testkit::away_from_midnight().await;
        let (home, store) = place(engine).await;
        let brands = home.path().join("table.toml");
        std::fs::copy(root().join("deploy/brands.toml"), &brands).unwrap();
        let family = Family::start_with(home.path(), &store, |command: &mut Command| {
            command.env("BRANDS_FILE", &brands).env("BILLING_TIMES", "");
            settings(command);
        })
        .await;
        Self { family, brands, home, _store: store }
    }

    pub(crate) fn client(&self, offset: u16) -> Client {
        Client::new(([127, 0, 0, 1], self.family.port + offset).into(), "localhost")
    }

    pub(crate) async fn as_machine(&self, path: &str) -> String {
        let client = self.client(5);
        let reply = client.send(client.request(Method::GET, path).bearer_auth("dev-admin")).await;
        assert_eq!(reply.status, 200, "{path}");
        String::from_utf8(reply.bytes.to_vec()).unwrap()
    }

    pub(crate) async fn post_as_machine(&self, offset: u16, path: &str, body: Value) -> Value {
        let client = self.client(offset);
        let reply = client.send(client.request(Method::POST, path).bearer_auth("dev-admin").json(&body)).await;
        assert!(
            (200..300).contains(&reply.status),
            "{path}: {} {}",
            reply.status,
            String::from_utf8_lossy(&reply.bytes)
        );
        if reply.bytes.is_empty() { Value::Null } else { reply.json() }
    }

    /// The ledger's settled rows of a kind and day: number and key, sorted.
    pub(crate) async fn ledger(&self, day: &str, kind: &str) -> Vec<(String, String)> {
        let csv = self.as_machine(&format!("/internal/ledger?day={day}")).await;
        let rows = csv.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
        let of_kind = rows.filter(|row| row[5] == kind && row[7] == "settled");
        let mut rows: Vec<_> = of_kind.map(|row| (row[2].to_owned(), row[8].to_owned())).collect();
        rows.sort();
        rows
    }

    /// What a network has really charged for a day: number and key, sorted.
    pub(crate) async fn charged_by(&self, network: &str, day: &str) -> Vec<(String, String)> {
        let charges = self.client(10).get_ok(&format!("/networks/{network}/charges?day={day}")).await;
        let text = |charge: &Value, field: &str| charge[field].as_str().unwrap().to_owned();
        let charges = charges.as_array().unwrap().iter();
        let mut rows: Vec<_> = charges.map(|charge| (text(charge, "msisdn"), text(charge, "key"))).collect();
        rows.sort();
        rows
    }

    /// The networks that have charged a number for a day, once for each charge.
    pub(crate) async fn networks_charging(&self, networks: &[&str], msisdn: &str, day: &str) -> Vec<String> {
        let mut found = Vec::new();
        for network in networks {
            let charges = self.charged_by(network, day).await;
            let of_number = charges.iter().filter(|(number, _)| number == msisdn);
            found.extend(of_number.map(|_| (*network).to_owned()));
        }
        found
    }

    /// Whether a network has a running subscription of a number.
    pub(crate) async fn runs_at(&self, network: &str, msisdn: &str) -> bool {
        let path = format!("/networks/{network}/subscriptions?since=2020-01-01T00:00:00Z");
        let listed = self.client(10).get_ok(&path).await;
        let mut listed = listed.as_array().unwrap().iter();
        listed.any(|one| one["user_msisdn"] == msisdn && one["status_id"] == 2)
    }

    pub(crate) async fn account(&self, msisdn: &str) -> Value {
        serde_json::from_str(&self.as_machine(&format!("/internal/subscriptions/{msisdn}")).await).unwrap()
    }

    /// The state and the newest consent's network of a number's only subscription.
    pub(crate) async fn state(&self, msisdn: &str) -> (String, String) {
        let subscription = self.account(msisdn).await["subscriptions"][0].clone();
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        (text(&subscription["state"]), text(&subscription["consents"][0]["network"]))
    }

    pub(crate) async fn joined(&self, label: &'static str, svc_id: i32, msisdn: &str) -> Browser<'_> {
        let mut browser = Browser::new(&self.family, label);
        browser.join(svc_id, msisdn).await;
        browser
    }

    pub(crate) async fn wait_for_settled(&self, day: &str, msisdn: &str) {
        eventually(&format!("the charge of {msisdn} for {day}"), async || {
            self.ledger(day, "charge").await.iter().any(|(number, _)| number == msisdn)
        })
        .await;
    }

    /// Moves both clocks to nine o'clock of a day.
    pub(crate) async fn go_to(&self, day: &str) {
        for offset in [10, 5] {
            let now = json!({ "now": format!("{day}T09:00:00+02:00") });
            self.post_as_machine(offset, "/internal/clock", now).await;
        }
    }

    pub(crate) async fn pass(&self, day: &str) {
        self.post_as_machine(5, "/internal/billing/run", json!({ "day": day })).await;
    }

    async fn move_number(&self, msisdn: &str, network: &str) {
        self.post_as_machine(10, "/internal/numbers", json!({ "msisdn": msisdn, "network": network })).await;
    }
}

/// Today and the days after it, in Johannesburg.
pub(crate) fn days() -> [String; 3] {
    let today = (chrono::Utc::now() + chrono::TimeDelta::hours(2)).date_naive();
    [0, 1, 2].map(|days| (today + chrono::TimeDelta::days(days)).to_string())
}

/// The days and numbers of the charges of R15 in finance's books.
fn weekly_sums(books: &Value) -> Vec<(String, i64)> {
    let lines = books["lines"].as_array().unwrap().iter();
    let of_price = lines.filter(|line| line["price_cents"] == 1500 && line["charged"]["entries"] != 0);
    of_price
        .map(|line| {
            assert_eq!((&line["network"], &line["svc_id"]), (&json!(WEEKLY), &json!(MEME)), "{line}");
            let entries = line["charged"]["entries"].as_i64().unwrap();
            assert_eq!(line["charged"]["cents"], entries * 1500, "{line}");
            (line["day"].as_str().unwrap().to_owned(), entries)
        })
        .collect()
}

testkit::on_each_engine! {
    async fn each_number_is_charged_refunded_and_ended_by_its_own_network(engine) {
        let site = Site::open(engine).await;
        let [today, tomorrow, _] = days();
        let mut browsers = Vec::new();
        for (network, msisdn) in NETWORKS {
            browsers.push(site.joined("memeworld", MEME, msisdn).await);
            site.wait_for_settled(&today, msisdn).await;
            assert_eq!(site.state(msisdn).await, ("active".to_owned(), network.to_owned()));
        }
        // Another pass of a paid day charges nothing, and the next day is charged once.
        site.pass(&today).await;
        site.go_to(&tomorrow).await;
        site.pass(&tomorrow).await;
        for day in [&today, &tomorrow] {
            let entered = site.ledger(day, "charge").await;
            assert_eq!(entered.len(), NETWORKS.len(), "{day}: {entered:?}");
            for (network, msisdn) in NETWORKS {
                let of_number: Vec<_> = entered.iter().filter(|(number, _)| number == msisdn).cloned().collect();
                assert_eq!(site.charged_by(network, day).await, of_number, "{network} on {day}");
            }
        }
        // Each day agrees with each network's own list.
        let compared = site.post_as_machine(5, "/internal/reconcile", json!({ "day": today })).await;
        assert!(!compared.to_string().contains("never_charged") && !compared.to_string().contains("charged_not"), "{compared}");

        // Refunded and left: each network refunds its own charge and ends its own subscription.
        for (network, msisdn) in NETWORKS {
            assert!(site.runs_at(network, msisdn).await, "{network}");
            let csv = site.as_machine(&format!("/internal/ledger?day={today}")).await;
            let row = csv.lines().find(|line| line.split(',').nth(2) == Some(msisdn)).unwrap();
            let id: i64 = row.split(',').next().unwrap().parse().unwrap();
            site.post_as_machine(5, "/internal/refund", json!({ "ledger_id": id, "reason": "a test" })).await;
        }
        let refunds = async || site.client(10).get_ok(&format!("/refunds?day={today}")).await;
        eventually("the refunds", async || refunds().await.as_array().unwrap().len() == NETWORKS.len()).await;
        eventually("the refunds in the ledger", async || site.ledger(&tomorrow, "refund").await.len() == NETWORKS.len()).await;
        for (browser, (network, msisdn)) in browsers.iter_mut().zip(NETWORKS) {
            browser.leave(MEME).await;
            assert_eq!(site.state(msisdn).await.0, "cancelled");
            eventually("the stop", async || !site.runs_at(network, msisdn).await).await;
        }
        let [.., third] = days();
        site.go_to(&third).await;
        site.pass(&third).await;
        for (network, _) in NETWORKS {
            assert_eq!(site.charged_by(network, &third).await, [], "{network} charged after the leave");
        }
    }

    async fn brand_that_changes_its_network_keeps_its_subscribers_at_the_old_one(engine) {
        let site = Site::open(engine).await;
        let [_, tomorrow, third] = days();
        let (staying, stopping) = ("27812345711", "27812345712");
        for msisdn in [staying, stopping] {
            site.joined("diski99", DISKI, msisdn).await;
        }
        let text = std::fs::read_to_string(&site.brands).unwrap();
        let moved = text.replace("svc_id = 151\nnetwork = \"sandbox-pull\"", "svc_id = 151\nnetwork = \"other\"");
        assert_ne!(moved, text);
        let entry = "[network.other]\nadapter = \"rest\"\n\n[[brand]]\n";
        std::fs::write(&site.brands, moved.replacen("[[brand]]\n", entry, 1)).unwrap();
        let mut new = String::new();
        for n in 20..60 {
            new = format!("278123457{n}");
            site.joined("diski99", DISKI, &new).await;
            if site.state(&new).await.1 == "other" {
                break;
            }
            actix_web::rt::time::sleep(std::time::Duration::from_millis(500)).await;
        }
        assert_eq!(site.state(&new).await, ("active".to_owned(), "other".to_owned()));

        site.go_to(&tomorrow).await;
        site.pass(&tomorrow).await;
        let networks = ["sandbox-pull", "other"];
        for (msisdn, network) in [(staying, "sandbox-pull"), (stopping, "sandbox-pull"), (&new, "other")] {
            assert_eq!(site.networks_charging(&networks, msisdn, &tomorrow).await, [network], "{msisdn}");
        }
        // The old network's STOP still ends a subscription, by SMS, without a service.
        let sms = site.client(10).post("/sms", &json!({ "msisdn": stopping, "text": "STOP" })).await;
        assert_eq!(sms.json(), json!({ "stopped": 1 }));
        eventually("the end", async || site.state(stopping).await.0 == "cancelled").await;
        site.go_to(&third).await;
        site.pass(&third).await;
        assert_eq!(site.networks_charging(&networks, staying, &third).await, ["sandbox-pull"]);
        assert!(site.networks_charging(&networks, stopping, &third).await.is_empty(), "charged after the STOP");
    }

    async fn only_a_networks_own_addresses_notify_through_the_gateway(engine) {
        let site = Site::open_with(engine, |command| {
            command.env("TRUSTED_PROXIES", "127.0.0.1");
        })
        .await;
        let msisdn = "27812345731";
        site.joined("memeworld", MEME, msisdn).await;
        let text = std::fs::read_to_string(&site.brands).unwrap();
        let entry = "[network.sandbox-pull]\n";
        let limited = text.replacen(entry, &format!("{entry}notify_addresses = \"10.1.0.0/16\"\n"), 1);
        assert_ne!(limited, text);
        std::fs::write(&site.brands, limited).unwrap();
        let secret = operator::NotifySecret::parse("whsec_ZGV2LW5vdGlmeQ==").unwrap();
        let stop = async |id: &str, forwarded: Option<&str>| {
            let (client, now) = (site.client(0), chrono::Utc::now());
            let body = json!({ "event": "stop", "user_msisdn": msisdn, "at": now.to_rfc3339() }).to_string();
            let request = client
                .request(Method::POST, "/api/subscribe/notify/sandbox-pull")
                .header(operator::HEADER_ID, id)
                .header(operator::HEADER_TIMESTAMP, now.timestamp().to_string())
                .header(operator::HEADER_SIGNATURE, secret.sign(id, now.timestamp(), body.as_bytes()))
                .header("content-type", "application/json");
            let request = match forwarded {
                Some(addresses) => request.header("x-forwarded-for", addresses),
                None => request,
            };
            client.send(request.body(body)).await.status
        };
        // Refused for its signature at first, and for its address once the file is followed.
        let unsigned = async || {
            let client = site.client(0);
            client.send(client.request(Method::POST, "/api/subscribe/notify/sandbox-pull").body("{}")).await.status
        };
        eventually("the addresses are followed", async || unsigned().await == 403).await;
        // What stands before the last address is the caller's own word.
        for (id, forwarded) in [("none", None), ("other", Some("10.2.0.9")), ("forged", Some("10.1.0.5, 10.2.0.9"))] {
            assert_eq!(stop(id, forwarded).await, 403, "{id}");
        }
        assert_eq!(site.state(msisdn).await.0, "active");
        assert_eq!(stop("own", Some("10.1.0.5")).await, 200);
        eventually("the end", async || site.state(msisdn).await.0 == "cancelled").await;
    }

    async fn stop_at_a_network_that_its_brand_has_left_ends_whatever_the_adapter(engine) {
        let folder = tempfile::tempdir().unwrap();
        let offers = folder.path().join("networks.toml");
        let demo = std::fs::read_to_string(root().join("deploy/demo/networks.toml")).unwrap();
        std::fs::write(&offers, &demo).unwrap();
        let site = Site::open_with(engine, |command: &mut Command| {
            command.env("DEMO_NETWORKS", &offers);
        })
        .await;
        let [_, tomorrow, _] = days();
        // One network of each adapter: `rest`, `soap`, `camara`, `datasync`; at each one number stays, and the other one sends STOP.
        let old = [
            ("sandbox-pull", "memeworld", MEME, ["27812345761", "27812345762"]),
            ("baobab", "memeworld", MEME, ["27711000061", "27711000062"]),
            ("protea", "memeworld", MEME, ["27721000061", "27721000062"]),
            ("sandbox-push", "ttmbhatv", TT, ["27812345763", "27812345764"]),
        ];
        for (network, label, svc_id, numbers) in old {
            for msisdn in numbers {
                site.joined(label, svc_id, msisdn).await;
                assert_eq!(site.state(msisdn).await, ("active".to_owned(), network.to_owned()));
            }
        }

        // Both brands are sold on another network alone from now on.
        let of_brands = std::fs::read_to_string(&site.brands).unwrap();
        let mut moved = of_brands.replacen("[[brand]]\n", "[network.other]\nadapter = \"rest\"\n\n[[brand]]\n", 1);
        for (svc_id, network) in [(MEME, "sandbox-pull"), (TT, "sandbox-push")] {
            let entry = format!("svc_id = {svc_id}\nnetwork = \"{network}\"");
            assert!(moved.contains(&entry));
            moved = moved.replace(&entry, &format!("svc_id = {svc_id}\nnetwork = \"other\""));
        }
        let (networks, _) = demo.split_once("[[offer]]").unwrap();
        std::fs::write(&offers, networks).unwrap();
        std::fs::write(&site.brands, moved).unwrap();
        for (label, svc_id, range) in [("memeworld", MEME, "2771100007"), ("ttmbhatv", TT, "2781234577")] {
            let mut network = String::new();
            for n in 0..10 {
                let new = format!("{range}{n}");
                site.joined(label, svc_id, &new).await;
                network = site.state(&new).await.1;
                if network == "other" {
                    break;
                }
                actix_web::rt::time::sleep(std::time::Duration::from_secs(1)).await;
            }
            assert_eq!(network, "other", "{label}");
        }

        for (network, _, _, [staying, stopping]) in old {
            let sms = site.client(10).post("/sms", &json!({ "msisdn": stopping, "text": "STOP" })).await;
            assert_eq!(sms.json(), json!({ "stopped": 1 }), "{network}");
            eventually(&format!("the end at {network}"), async || site.state(stopping).await.0 == "cancelled").await;
            assert_eq!(site.state(staying).await, ("active".to_owned(), network.to_owned()));
        }
        site.go_to(&tomorrow).await;
        site.pass(&tomorrow).await;
        site.post_as_machine(10, "/run-day", json!({ "day": tomorrow })).await;
        for (network, _, _, [staying, stopping]) in old {
            let all = ["sandbox-pull", "baobab", "protea", "sandbox-push", "other"];
            assert_eq!(site.networks_charging(&all, staying, &tomorrow).await, [network], "{staying}");
            assert!(site.networks_charging(&all, stopping, &tomorrow).await.is_empty(), "{network} charged after the STOP");
        }
    }

    async fn number_that_moves_pays_once_for_the_day(engine) {
        let site = Site::open(engine).await;
        let [today, tomorrow, _] = days();
        let networks = NETWORKS.map(|(network, _)| network);
        // One that has paid; one whose charge has no reply when it moves; one without airtime before it moves.
        let (paid, lost, penniless) = ("27711000031", "27711000005", "27711000003");
        for msisdn in [paid, lost, penniless] {
            let mut browser = Browser::new(&site.family, "memeworld");
            browser.confirm_join(MEME, msisdn).await;
        }
        site.wait_for_settled(&today, paid).await;
        for msisdn in [paid, lost, penniless] {
            site.move_number(msisdn, "protea").await;
            let mut browser = Browser::new(&site.family, "memeworld");
            browser.confirm_join(MEME, msisdn).await;
            eventually("the end at the old network", async || !site.runs_at("baobab", msisdn).await).await;
            eventually("the start at the new one", async || site.runs_at("protea", msisdn).await).await;
            let causes: Vec<Value> = site.account(msisdn).await["subscriptions"][0]["events"]
                .as_array()
                .unwrap()
                .iter()
                .map(|event| event["cause"].clone())
                .collect();
            assert!(causes.contains(&json!("moved")), "{msisdn}: {causes:?}");
        }
        site.wait_for_settled(&today, lost).await;
        site.pass(&today).await;
        assert_eq!(site.networks_charging(&networks, paid, &today).await, ["baobab"]);
        assert_eq!(site.networks_charging(&networks, lost, &today).await, ["baobab"]);
        assert!(site.networks_charging(&networks, penniless, &today).await.is_empty());

        site.go_to(&tomorrow).await;
        site.pass(&tomorrow).await;
        for msisdn in [paid, lost] {
            site.wait_for_settled(&tomorrow, msisdn).await;
            assert_eq!(site.networks_charging(&networks, msisdn, &tomorrow).await, ["protea"], "{msisdn}");
            assert_eq!(site.state(msisdn).await, ("active".to_owned(), "protea".to_owned()));
        }
    }

    async fn weekly_subscriber_pays_once_a_week_through_a_leave_and_a_rejoin(engine) {
        let site = Site::open(engine).await;
        let msisdn = "27741000021";
        let [today, ..] = days();
        let first: chrono::NaiveDate = today.parse().unwrap();
        let day = |days: i64| (first + chrono::TimeDelta::days(days)).to_string();
        // The page's price is another one: the form offers the network's own, which the visitor taps.
        let mut browser = Browser::new(&site.family, "memeworld");
        let offers = browser.other_offers(MEME, msisdn).await;
        assert_eq!((&offers[0]["price_cents"], &offers[0]["period"]), (&json!(1500), &json!("week")), "{offers}");
        browser.join_on(WEEKLY, MEME, msisdn).await;
        site.wait_for_settled(&today, msisdn).await;
        let welcome = site.client(10).get(&format!("/inbox/{msisdn}")).await;
        assert!(String::from_utf8_lossy(&welcome.bytes).contains("R15/week incl. VAT"), "no welcome with the price");
        let me = browser.me().await;
        assert_eq!((&me["price_cents"], &me["period"], &me["total_cents"]), (&json!(1500), &json!("week"), &json!(1500)));
        assert!(me["next_charge"].as_str().unwrap().starts_with(&day(7)), "{me}");

        for n in 1..7 {
            site.go_to(&day(n)).await;
            site.pass(&day(n)).await;
            if n == 3 {
                browser.leave(MEME).await;
                assert_eq!(site.state(msisdn).await.0, "cancelled");
            }
            if n == 4 {
                browser = Browser::new(&site.family, "memeworld");
                browser.join_on(WEEKLY, MEME, msisdn).await;
                assert_eq!(browser.me().await["state"], "active", "the week is paid");
                site.pass(&day(n)).await;
            }
            assert_eq!(site.ledger(&day(n), "charge").await, [], "day {n}");
            assert_eq!(site.charged_by(WEEKLY, &day(n)).await, [], "day {n}");
        }
        assert_eq!(browser.me().await["total_cents"], 1500);

        for n in [7, 14] {
            site.go_to(&day(n)).await;
            site.pass(&day(n)).await;
            site.wait_for_settled(&day(n), msisdn).await;
            site.pass(&day(n)).await;
        }
        for n in [0, 7, 14] {
            let (entered, charged) = (site.ledger(&day(n), "charge").await, site.charged_by(WEEKLY, &day(n)).await);
            assert_eq!(entered.len(), 1, "day {n}: {entered:?}");
            assert_eq!(entered, charged, "day {n}");
        }
        assert_eq!(browser.me().await["total_cents"], 4500);
        // Finance has each charge on the day on which its week begins.
        let books = site.as_machine(&format!("/internal/books?from={}&to={}&recount=true", day(0), day(14))).await;
        let books: Value = serde_json::from_str(&books).unwrap();
        assert_eq!(weekly_sums(&books), [(day(0), 1), (day(7), 1), (day(14), 1)], "{books}");
        browser.leave(MEME).await;
        site.go_to(&day(21)).await;
        site.pass(&day(21)).await;
        assert_eq!(site.charged_by(WEEKLY, &day(21)).await, [], "charged after the leave");
    }
}
