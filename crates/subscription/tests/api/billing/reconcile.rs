//! `POST /internal/reconcile`: ledger and network's list, put right in the customer's favour.

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
    books::{DAY, NEXT, NOON},
    family::{BRANDS_FILE, Family, MEME, PULL, PUSH, TT, Wishes, eventually, number, spawn, spawn_with},
};

async fn reply_to(family: &Family, body: &Value) -> Value {
    let reply = family.admin("/internal/reconcile", body).await;
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

async fn reconcile(family: &Family, day: &str) -> Vec<(String, String)> {
    differences(&reply_to(family, &json!({"day": day})).await)
}

async fn accept(family: &Family, day: &str) -> Vec<(String, String)> {
    differences(&reply_to(family, &json!({"day": day, "accept": true})).await)
}

/// What a reply says of one network.
fn network<'a>(reply: &'a Value, name: &str) -> &'a Value {
    reply["networks"].as_array().unwrap().iter().find(|network| network["network"] == name).unwrap()
}

fn difference(kind: &str, repair: &str) -> (String, String) {
    (kind.to_owned(), repair.to_owned())
}

async fn refunds_delivered(family: &Family) {
    eventually("the refunds", async || family.count("outbox", "kind = 'refund' AND done_at IS NULL").await == 0).await;
}

/// So many settled charges at the pull network.
async fn settled(family: &Family, count: usize) {
    family.make_active(MEME, PULL, count, "2060-02-01 08:00:00").await;
    let charged = i64::try_from(count).unwrap();
    assert_eq!(family.pass(DAY).await, [charged, charged, 0, 0, 0]);
}

/// A network that answers everything with this list; its address. A list without an end names itself as its own next page.
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

/// The family's brands, with these networks at this address.
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

/// Two networks at one address, whose list names a service that nobody knows.
static SHARED_LIST: LazyLock<PathBuf> = LazyLock::new(|| {
    let list = json!([{"msisdn": "27820000000", "svc_id": 999, "cents": 300, "key": "odd", "day": DAY}]);
    brands_at(&[PULL, PUSH], &network_with_list(list, true))
});

on_each_engine! {
    async fn what_agrees_stays(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        for (label, svc_id) in [("memeworld", MEME), ("ttmbhatv", TT)] {
            let msisdn = number("1111");
            family.joined(label, svc_id, &msisdn).await;
            family.wait_for_charge(DAY, &msisdn, "settled").await;
        }
        let of_network = |name: &str| json!({
            "network": name, "state": "repaired", "listed": 1, "agreed": 1, "settled": 1, "contradictions": 0,
        });
        let expected = json!({
            "day": DAY, "listed": 2, "agreed": 2, "differences": [], "more": 0,
            "networks": [of_network(PULL), of_network(PUSH)],
        });
        assert_eq!(reply_to(&family, &json!({"day": DAY})).await, expected);
        assert_eq!(family.admin("/internal/reconcile", &json!({"day": "soon"})).await.status, 422);
        assert_eq!(Client::new(family.addr, "localhost").post("/internal/reconcile", &json!({"day": DAY})).await.status, 401);
    }

    async fn what_the_network_charged_is_settled_or_given_back(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        let (owed, lost, left) = (number("1111"), number("2222"), number("3333"));
        for msisdn in [&owed, &lost, &left] {
            family.joined("memeworld", MEME, msisdn).await;
            family.wait_for_charge(DAY, msisdn, "settled").await;
        }
        let of = |msisdn: &str| format!("subscription_id = (SELECT id FROM subscriptions WHERE msisdn = '{msisdn}')");
        family.execute(format!("UPDATE ledger SET status = 'failed', reason = 'lost' WHERE {}", of(&owed))).await;
        family.execute(format!("DELETE FROM ledger WHERE {}", of(&lost))).await;
        // This one had left before the network charged it by itself.
        family.execute(format!("DELETE FROM ledger WHERE {}", of(&left))).await;
        family.execute(format!("UPDATE events SET to_state = 'cancelled' WHERE {}", of(&left))).await;
        assert_eq!(
            reconcile(&family, DAY).await,
            [
                difference("charged_after_leaving", "refunded"),
                difference("charged_not_recorded", "settled"),
                difference("charged_not_settled", "settled"),
            ]
        );
        family.assert_books_agree(DAY).await;
        refunds_delivered(&family).await;
        assert_eq!(family.account(&left).await["month_spend_cents"], 0);
        assert_eq!(family.account(&lost).await["month_spend_cents"], 300);
        assert_eq!(reconcile(&family, DAY).await, [], "once");
    }

    async fn what_was_charged_twice_is_given_back_once(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        let msisdn = number("1111");
        family.joined("ttmbhatv", TT, &msisdn).await;
        family.wait_for_charge(DAY, &msisdn, "settled").await;
        family.execute_at_sandbox(format!(
            "INSERT INTO charges (charge_key, msisdn, svc_id, cents, day, at) VALUES ('second', '{msisdn}', {TT}, 300, '{DAY}', '2060-02-27 11:00:00')"
        )).await;
        for _ in 0..2 {
            assert_eq!(reconcile(&family, DAY).await, [difference("charged_twice", "refunded")]);
            refunds_delivered(&family).await;
        }
        assert_eq!(family.count("outbox", "kind = 'refund'").await, 1);
        let lines = family.ledger(DAY).await;
        assert_eq!(lines.len(), 1, "the ledger has the one that was owed: {lines:?}");
        let refunds = Client::new(family.sandbox, "localhost").get_ok(&format!("/refunds?day={DAY}")).await;
        assert_eq!(refunds.as_array().map(Vec::len), Some(1), "{refunds}");
    }

    async fn what_the_network_never_charged_is_countered(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        let msisdn = number("1111");
        family.joined("memeworld", MEME, &msisdn).await;
        family.wait_for_charge(DAY, &msisdn, "settled").await;
        family.execute_at_sandbox("DELETE FROM charges".to_owned()).await;
        assert_eq!(reconcile(&family, DAY).await, [difference("not_listed", "none")], "held");
        assert_eq!(family.account(&msisdn).await["month_spend_cents"], 300);
        assert_eq!(accept(&family, DAY).await, [difference("never_charged", "countered")]);
        assert_eq!(family.account(&msisdn).await["month_spend_cents"], 0);
        assert_eq!(family.count("outbox", "kind = 'refund'").await, 0, "there is nothing to give back");
        assert_eq!(reconcile(&family, DAY).await, []);
    }

    async fn an_empty_list_changes_nothing_until_it_is_accepted_and_the_full_list_undoes_it(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        settled(&family, 60).await;
        family.execute_at_sandbox("CREATE TABLE kept AS SELECT * FROM charges".to_owned()).await;
        family.execute_at_sandbox("DELETE FROM charges".to_owned()).await;

        let held = reply_to(&family, &json!({"day": DAY})).await;
        assert_eq!(differences(&held), vec![difference("not_listed", "none"); 60]);
        let pull = network(&held, PULL);
        assert_eq!(
            (&pull["state"], &pull["listed"], &pull["settled"], &pull["contradictions"]),
            (&json!("held"), &json!(0), &json!(60), &json!(60))
        );
        assert!(pull["cause"].is_string() && held["differences"][0]["network"] == PULL, "{held}");
        assert_eq!(network(&held, PUSH)["state"], "repaired");
        assert_eq!(family.count("ledger", "kind = 'refund'").await, 0);
        assert_eq!(family.count("reconciliations", "state = 'held'").await, 1);

        let accepted = reply_to(&family, &json!({"day": DAY, "accept": true})).await;
        assert_eq!(differences(&accepted), vec![difference("never_charged", "countered"); 60]);
        assert_eq!(network(&accepted, PULL)["state"], "repaired");
        assert_eq!(family.count("ledger", "kind = 'refund' AND status = 'settled'").await, 60);

        family.execute_at_sandbox("INSERT INTO charges SELECT * FROM kept".to_owned()).await;
        let undone = reply_to(&family, &json!({"day": DAY})).await;
        assert_eq!(differences(&undone), vec![difference("repair_undone", "settled"); 60]);
        assert_eq!(family.count("ledger", "kind = 'refund' AND status <> 'failed'").await, 0);
        let agreed = reply_to(&family, &json!({"day": DAY})).await;
        assert_eq!((&agreed["agreed"], differences(&agreed).len()), (&json!(60), 0));
        assert_eq!(family.count("outbox", "kind = 'refund'").await, 0, "no money moved");
    }

    async fn one_missing_charge_in_two_hundred_is_asked_about_and_countered(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        settled(&family, 200).await;
        family.execute_at_sandbox("DELETE FROM charges WHERE id = (SELECT MIN(id) FROM charges)".to_owned()).await;
        assert_eq!(reconcile(&family, DAY).await, [difference("never_charged", "countered")]);
        assert_eq!(reconcile(&family, DAY).await, [], "once");
    }

    async fn a_list_that_names_itself_as_its_next_page_fails_alone(engine) {
        let settings: fn(&mut subscription::Config) = |config| config.brands_file.clone_from(&ENDLESS_LIST);
        let family = spawn_with(engine, Wishes { settings: Some(settings), ..Wishes::default() }).await;
        family.move_clocks(NOON).await;
        let msisdn = number("1111");
        family.joined("memeworld", MEME, &msisdn).await;
        family.wait_for_charge(DAY, &msisdn, "settled").await;
        let began = Instant::now();
        let reply = reply_to(&family, &json!({"day": DAY})).await;
        assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
        let push = network(&reply, PUSH);
        assert_eq!((&push["state"], &push["cause"]), (&json!("failed"), &json!("the list does not end")));
        let pull = network(&reply, PULL);
        assert_eq!((&pull["state"], &pull["agreed"]), (&json!("repaired"), &json!(1)));
        assert_eq!(family.count("ledger", "charge_key = 'b1'").await, 0, "an unfinished list changes nothing");
    }

    async fn a_row_that_is_no_charge_is_a_difference_and_not_the_end(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        let msisdn = number("1111");
        family.joined("memeworld", MEME, &msisdn).await;
        family.wait_for_charge(DAY, &msisdn, "settled").await;
        family.execute_at_sandbox(format!(
            "INSERT INTO charges (charge_key, msisdn, svc_id, cents, day, at) VALUES ('odd', '{msisdn}', {MEME}, -300, '{DAY}', '2060-02-27 11:00:00')"
        )).await;
        let reply = reply_to(&family, &json!({"day": DAY})).await;
        assert_eq!(differences(&reply), [difference("unreadable_row", "none")]);
        assert_eq!((&reply["agreed"], &reply["differences"][0]["key"]), (&json!(1), &json!("odd")));
        assert_eq!(network(&reply, PULL)["state"], "repaired");
    }

    async fn an_unknown_service_is_named_once_for_networks_that_share_a_list(engine) {
        let settings: fn(&mut subscription::Config) = |config| config.brands_file.clone_from(&SHARED_LIST);
        let family = spawn_with(engine, Wishes { settings: Some(settings), ..Wishes::default() }).await;
        family.move_clocks(NOON).await;
        assert_eq!(reconcile(&family, DAY).await, [difference("unknown_service", "none")]);
    }

    async fn each_day_is_compared_by_itself_once_its_time_has_come(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        let msisdn = number("1111");
        family.joined("memeworld", MEME, &msisdn).await;
        let charge = family.wait_for_charge(DAY, &msisdn, "settled").await;
        family.execute(format!("UPDATE ledger SET status = 'failed' WHERE id = {}", charge.id)).await;
        family.move_clocks(&format!("{NEXT}T04:31:00+02:00")).await;
        let compared = format!("day = '{DAY}' AND state = 'repaired'");
        eventually("the comparison", async || family.count("reconciliations", &compared).await == 2).await;
        family.wait_for_charge(DAY, &msisdn, "settled").await;
        assert_eq!(family.count("reconciliations", &format!("day <> '{DAY}'")).await, 0, "nothing before the first charge");
    }

    async fn a_second_push_billing_of_a_day_is_kept_out_of_the_ledger(engine) {
        let family = spawn(engine).await;
        family.move_clocks(NOON).await;
        let msisdn = number("1111");
        for billing_ref in ["b1", "b2"] {
            let event = json!({
                "amount": 300, "billing_ref": billing_ref, "result_name": "SUCCESS", "billed_at": NOON,
                "subscription": {"subscription_id": 5, "user_msisdn": msisdn, "svc_id": TT, "status_id": 2},
            });
            assert_eq!(family.notify(PUSH, billing_ref, &event).await.status, 200);
        }
        assert_eq!(family.count("billing_events", "result = 'success'").await, 2);
        let lines = family.ledger(DAY).await;
        assert_eq!((lines.len(), lines[0].key.as_str()), (1, "b1"));
        assert_eq!(family.account(&msisdn).await["month_spend_cents"], 300);
    }
}
