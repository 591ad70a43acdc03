//! `POST /internal/reconcile`: compares ledger and network's list, and repairs in the customer's favour.

use std::{
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    path::PathBuf,
    sync::LazyLock,
    time::{Duration, Instant},
};

use serde_json::{Value, json};
use testkit::{Client, on_each_engine};

use crate::{
    ledger::{DAY, NEXT, NOON},
    services::{BRANDS_FILE, MEME, Options, PULL, PUSH, TT, TestServices, eventually, number, spawn, spawn_with},
};

async fn reply_to(services: &TestServices, body: &Value) -> Value {
    let reply = services.admin("/internal/reconcile", body).await;
    assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.bytes));
    reply.json()
}

/// Type and repair of each difference, sorted.
fn differences(reply: &Value) -> Vec<(String, String)> {
    let text = |difference: &Value, name: &str| difference[name].as_str().unwrap().to_owned();
    let named = reply["differences"].as_array().unwrap().iter();
    let mut differences: Vec<_> = named.map(|named| (text(named, "type"), text(named, "repair"))).collect();
    differences.sort();
    differences
}

async fn reconcile(services: &TestServices, day: &str) -> Vec<(String, String)> {
    differences(&reply_to(services, &json!({"day": day})).await)
}

async fn accept(services: &TestServices, day: &str) -> Vec<(String, String)> {
    differences(&reply_to(services, &json!({"day": day, "accept": true})).await)
}

/// The part of a reply about one network.
fn network<'a>(reply: &'a Value, name: &str) -> &'a Value {
    reply["networks"].as_array().unwrap().iter().find(|network| network["network"] == name).unwrap()
}

fn difference(kind: &str, repair: &str) -> (String, String) {
    (kind.to_owned(), repair.to_owned())
}

async fn refunds_delivered(services: &TestServices) {
    eventually("the refunds", async || services.count("outbox", "kind = 'refund' AND done_at IS NULL").await == 0)
        .await;
}

/// Makes this many settled charges at the pull network.
async fn settled(services: &TestServices, count: usize) {
    services.make_active(MEME, PULL, count, "2060-02-26 10:00:00").await;
    let charged = i64::try_from(count).unwrap();
    assert_eq!(services.pass(DAY).await, [charged, charged, 0, 0, 0]);
}

/// A network that answers every request with this list; returns its URL. A list without an end links to itself as its next page.
fn network_with_list(list: Value, ends: bool) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let addr = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let head = BufReader::new(stream.try_clone().unwrap()).lines();
            let _ = head.map_while(Result::ok).any(|line| line.is_empty());
            let link = if ends { String::new() } else { format!("link: </charges?day={DAY}>; rel=\"next\"\r\n") };
            let body = list.to_string();
            let length = body.len();
            let _ =
                write!(stream, "HTTP/1.1 200 OK\r\ncontent-length: {length}\r\n{link}connection: close\r\n\r\n{body}");
        }
    });
    format!("http://{addr}")
}

/// The brands file with these networks at this URL.
fn brands_at(networks: &[&str], url: &str) -> PathBuf {
    let mut brands = std::fs::read_to_string(BRANDS_FILE).unwrap();
    for name in networks {
        let head = format!("[network.{name}]");
        assert!(brands.contains(&head));
        brands = brands.replace(&head, &format!("{head}\nurl = \"{url}\""));
    }
    let file = tempfile::Builder::new().suffix(".toml").tempfile().unwrap().into_temp_path().keep().unwrap();
    std::fs::write(&file, brands).unwrap();
    file
}

/// A push network whose list does not end.
static ENDLESS_LIST: LazyLock<PathBuf> = LazyLock::new(|| {
    let list = json!([{"msisdn": "27820000000", "svc_id": TT, "cents": 300, "key": "b1", "day": DAY}]);
    brands_at(&[PUSH], &network_with_list(list, false))
});

/// Two networks at one URL, whose list has an unknown service.
static SHARED_LIST: LazyLock<PathBuf> = LazyLock::new(|| {
    let list = json!([{"msisdn": "27820000000", "svc_id": 999, "cents": 300, "key": "odd", "day": DAY}]);
    brands_at(&[PULL, PUSH], &network_with_list(list, true))
});

on_each_engine! {
    async fn matching_list_changes_nothing(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        for (label, svc_id) in [("memeworld", MEME), ("ttmbhatv", TT)] {
            let msisdn = number("1111");
            services.joined(label, svc_id, &msisdn).await;
            services.wait_for_charge(DAY, &msisdn, "settled").await;
        }
        let of_network = |name: &str| json!({
            "network": name, "state": "repaired", "listed": 1, "agreed": 1, "settled": 1, "contradictions": 0,
        });
        let expected = json!({
            "day": DAY, "listed": 2, "agreed": 2, "differences": [], "more": 0,
            "networks": [of_network(PULL), of_network(PUSH)],
        });
        assert_eq!(reply_to(&services, &json!({"day": DAY})).await, expected);
        assert_eq!(services.admin("/internal/reconcile", &json!({"day": "soon"})).await.status, 422);
        assert_eq!(Client::new(services.addr, "localhost").post("/internal/reconcile", &json!({"day": DAY})).await.status, 401);
    }

    async fn listed_charges_are_settled_or_refunded(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let (owed, lost, left) = (number("1111"), number("2222"), number("3333"));
        for msisdn in [&owed, &lost, &left] {
            services.joined("memeworld", MEME, msisdn).await;
            services.wait_for_charge(DAY, msisdn, "settled").await;
        }
        let of = |msisdn: &str| format!("subscription_id = (SELECT id FROM subscriptions WHERE msisdn = '{msisdn}')");
        services.execute(format!("UPDATE ledger SET status = 'failed', reason = 'lost' WHERE {}", of(&owed))).await;
        services.execute(format!("DELETE FROM ledger WHERE {}", of(&lost))).await;
        // Left before the network charged by itself.
        services.execute(format!("DELETE FROM ledger WHERE {}", of(&left))).await;
        services.execute(format!("UPDATE events SET to_state = 'cancelled' WHERE {}", of(&left))).await;
        assert_eq!(
            reconcile(&services, DAY).await,
            [
                difference("charged_after_leaving", "refunded"),
                difference("charged_not_recorded", "settled"),
                difference("charged_not_settled", "settled"),
            ]
        );
        services.assert_ledger_matches_network(DAY).await;
        refunds_delivered(&services).await;
        assert_eq!(services.account(&left).await["month_spend_cents"], 0);
        assert_eq!(services.account(&lost).await["month_spend_cents"], 300);
        assert_eq!(reconcile(&services, DAY).await, [], "once");
    }

    async fn second_listed_charge_is_refunded_once(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        services.joined("ttmbhatv", TT, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        services.execute_in_sandbox(format!(
            "INSERT INTO charges (charge_key, msisdn, svc_id, cents, day, at) VALUES ('second', '{msisdn}', {TT}, 300, '{DAY}', '2060-02-27 11:00:00')"
        )).await;
        for _ in 0..2 {
            assert_eq!(reconcile(&services, DAY).await, [difference("charged_twice", "refunded")]);
            refunds_delivered(&services).await;
        }
        assert_eq!(services.count("outbox", "kind = 'refund'").await, 1);
        let lines = services.ledger(DAY).await;
        assert_eq!(lines.len(), 1, "the ledger has the one that was owed: {lines:?}");
        let refunds = Client::new(services.sandbox, "localhost").get_ok(&format!("/refunds?day={DAY}")).await;
        assert_eq!(refunds.as_array().map(Vec::len), Some(1), "{refunds}");
    }

    async fn charge_never_made_is_countered(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        services.execute_in_sandbox("DELETE FROM charges".to_owned()).await;
        assert_eq!(reconcile(&services, DAY).await, [difference("not_listed", "none")], "held");
        assert_eq!(services.account(&msisdn).await["month_spend_cents"], 300);
        assert_eq!(accept(&services, DAY).await, [difference("never_charged", "countered")]);
        assert_eq!(services.account(&msisdn).await["month_spend_cents"], 0);
        assert_eq!(services.count("outbox", "kind = 'refund'").await, 0, "there is nothing to give back");
        assert_eq!(reconcile(&services, DAY).await, []);
    }

    async fn empty_list_is_held_until_accepted_and_undone_by_the_full_list(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        settled(&services, 60).await;
        services.execute_in_sandbox("CREATE TABLE kept AS SELECT * FROM charges".to_owned()).await;
        services.execute_in_sandbox("DELETE FROM charges".to_owned()).await;

        let held_reply = reply_to(&services, &json!({"day": DAY})).await;
        assert_eq!(differences(&held_reply), vec![difference("not_listed", "none"); 60]);
        let pull = network(&held_reply, PULL);
        assert_eq!(
            (&pull["state"], &pull["listed"], &pull["settled"], &pull["contradictions"]),
            (&json!("held"), &json!(0), &json!(60), &json!(60))
        );
        assert!(pull["cause"].is_string() && held_reply["differences"][0]["network"] == PULL, "{held_reply}");
        assert_eq!(network(&held_reply, PUSH)["state"], "repaired");
        assert_eq!(services.count("ledger", "kind = 'refund'").await, 0);
        assert_eq!(services.count("reconciliations", "state = 'held'").await, 1);

        let accepted = reply_to(&services, &json!({"day": DAY, "accept": true})).await;
        assert_eq!(differences(&accepted), vec![difference("never_charged", "countered"); 60]);
        assert_eq!(network(&accepted, PULL)["state"], "repaired");
        assert_eq!(services.count("ledger", "kind = 'refund' AND status = 'settled'").await, 60);

        services.execute_in_sandbox("INSERT INTO charges SELECT * FROM kept".to_owned()).await;
        let undone = reply_to(&services, &json!({"day": DAY})).await;
        assert_eq!(differences(&undone), vec![difference("repair_undone", "settled"); 60]);
        assert_eq!(services.count("ledger", "kind = 'refund' AND status <> 'failed'").await, 0);
        let agreed = reply_to(&services, &json!({"day": DAY})).await;
        assert_eq!((&agreed["agreed"], differences(&agreed).len()), (&json!(60), 0));
        assert_eq!(services.count("outbox", "kind = 'refund'").await, 0, "no money moved");
    }

    async fn one_missing_charge_in_two_hundred_is_queried_and_countered(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        settled(&services, 200).await;
        services.execute_in_sandbox("DELETE FROM charges WHERE id = (SELECT MIN(id) FROM charges)".to_owned()).await;
        assert_eq!(reconcile(&services, DAY).await, [difference("never_charged", "countered")]);
        assert_eq!(reconcile(&services, DAY).await, [], "once");
    }

    async fn endless_list_fails_only_its_network(engine) {
        let settings: fn(&mut subscription::Config) = |config| config.brands_file.clone_from(&ENDLESS_LIST);
        let services = spawn_with(engine, Options { settings: Some(settings), ..Options::default() }).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        let began = Instant::now();
        let reply = reply_to(&services, &json!({"day": DAY})).await;
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
        let push = network(&reply, PUSH);
        assert_eq!((&push["state"], &push["cause"]), (&json!("failed"), &json!("the list does not end")));
        let pull = network(&reply, PULL);
        assert_eq!((&pull["state"], &pull["agreed"]), (&json!("repaired"), &json!(1)));
        assert_eq!(services.count("ledger", "charge_key = 'b1'").await, 0, "an unfinished list changes nothing");
    }

    async fn unreadable_row_is_one_difference(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        services.execute_in_sandbox(format!(
            "INSERT INTO charges (charge_key, msisdn, svc_id, cents, day, at) VALUES ('odd', '{msisdn}', {MEME}, -300, '{DAY}', '2060-02-27 11:00:00')"
        )).await;
        let reply = reply_to(&services, &json!({"day": DAY})).await;
        assert_eq!(differences(&reply), [difference("unreadable_row", "none")]);
        assert_eq!((&reply["agreed"], &reply["differences"][0]["key"]), (&json!(1), &json!("odd")));
        assert_eq!(network(&reply, PULL)["state"], "repaired");
    }

    async fn unknown_service_on_a_shared_list_is_one_difference(engine) {
        let settings: fn(&mut subscription::Config) = |config| config.brands_file.clone_from(&SHARED_LIST);
        let services = spawn_with(engine, Options { settings: Some(settings), ..Options::default() }).await;
        services.set_clocks(NOON).await;
        assert_eq!(reconcile(&services, DAY).await, [difference("unknown_service", "none")]);
    }

    async fn each_day_is_compared_at_reconcile_at(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        let charge = services.wait_for_charge(DAY, &msisdn, "settled").await;
        services.execute(format!("UPDATE ledger SET status = 'failed' WHERE id = {}", charge.id)).await;
        services.set_clocks(&format!("{NEXT}T04:31:00+02:00")).await;
        let compared = format!("day = '{DAY}' AND state = 'repaired'");
        eventually("the comparison", async || services.count("reconciliations", &compared).await == 2).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        assert_eq!(services.count("reconciliations", &format!("day <> '{DAY}'")).await, 0, "nothing before the first charge");
    }

    async fn second_push_charge_of_a_day_is_not_in_the_ledger(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        for billing_ref in ["b1", "b2"] {
            let event = json!({
                "amount": 300, "billing_ref": billing_ref, "result_name": "SUCCESS", "billed_at": NOON,
                "subscription": {"subscription_id": 5, "user_msisdn": msisdn, "svc_id": TT, "status_id": 2},
            });
            assert_eq!(services.notify(PUSH, billing_ref, &event).await.status, 200);
        }
        assert_eq!(services.count("billing_events", "result = 'success'").await, 2);
        let lines = services.ledger(DAY).await;
        assert_eq!((lines.len(), lines[0].key.as_str()), (1, "b1"));
        assert_eq!(services.account(&msisdn).await["month_spend_cents"], 300);
    }
}
