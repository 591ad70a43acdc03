//! SMSes from persons, as a network passes them on: STOP, HELP, a language, and what is no keyword.

use diesel::{QueryableByName, RunQueryDsl, sql_types::Text};
use serde_json::{Value, json};
use testkit::{Client, on_each_engine};

use crate::{
    ledger::{DAY, NEXT, NOON},
    services::{MEME, PULL, PUSH, TT, TestServices, eventually, number, spawn},
};

#[derive(QueryableByName)]
struct KeyRow {
    #[diesel(sql_type = Text)]
    message_key: String,
}

impl TestServices {
    /// A network passes on an SMS from a number.
    pub async fn sms(&self, network: &str, msisdn: &str, text: &str) {
        let id = format!("sms-{:016x}", rand::random::<u64>());
        let event = json!({"event": "sms", "id": id, "user_msisdn": msisdn, "to": "31222", "text": text});
        assert_eq!(self.notify(network, &format!("m-{id}"), &event).await.status, 200, "{text}");
    }

    /// The state of each subscription of a number, by its service.
    pub async fn states(&self, msisdn: &str) -> Vec<(i64, String)> {
        let account = self.account(msisdn).await;
        let state = |one: &Value| (one["svc_id"].as_i64().unwrap(), one["state"].as_str().unwrap().to_owned());
        account["subscriptions"].as_array().unwrap().iter().map(state).collect()
    }

    /// The texts of all SMSes to a number, also of those that are not sent yet; newest first.
    pub async fn texts_to(&self, msisdn: &str) -> Vec<String> {
        let account = self.account(msisdn).await;
        let messages = account["messages"].as_array().unwrap().iter();
        messages.filter_map(|message| message["text"].as_str().map(str::to_owned)).collect()
    }
}

fn states(expected: &[(i64, &str)]) -> Vec<(i64, String)> {
    expected.iter().map(|(svc_id, state)| (*svc_id, (*state).to_owned())).collect()
}

on_each_engine! {
    async fn stop_by_sms_ends_every_service_and_nothing_is_charged_after(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        services.joined("mcfunny", 148, &msisdn).await;
        let charged = async |day: &str| services.charges(day).await.iter().filter(|charge| charge["msisdn"] == msisdn.as_str()).count();
        eventually("both charges", async || charged(DAY).await == 2).await;
        services.sms(PULL, &msisdn, "please STOP this!").await;
        assert_eq!(services.states(&msisdn).await, states(&[(148, "cancelled"), (150, "cancelled")]));
        // The networks, which have only passed it on, are told; the person gets an SMS for each.
        eventually("the stops", async || services.count("outbox", "kind = 'stop' AND done_at IS NOT NULL").await == 2).await;
        let texts = services.texts_to(&msisdn).await;
        assert_eq!(texts.iter().filter(|text| text.starts_with("You have left")).count(), 2, "{texts:?}");
        services.set_clocks(&format!("{NEXT}T12:00:00+02:00")).await;
        services.pass(NEXT).await;
        assert_eq!((charged(DAY).await, charged(NEXT).await), (2, 0));
    }

    async fn stop_with_a_name_ends_that_service_of_several(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        services.joined("mcfunny", 148, &msisdn).await;
        services.joined("ttmbhatv", TT, &msisdn).await;
        services.sms(PULL, &msisdn, "Stop mc-funny").await;
        assert_eq!(services.states(&msisdn).await, states(&[(148, "cancelled"), (150, "active"), (152, "active")]));
        // Of two, a name that none of them has ends both; the one at another network as well.
        services.sms(PULL, &msisdn, "STOP diski99").await;
        assert_eq!(services.states(&msisdn).await, states(&[(148, "cancelled"), (150, "cancelled"), (152, "cancelled")]));
        let browser = services.joined("memeworld", MEME, &msisdn).await;
        // The only one ends whatever the name is.
        services.sms(PUSH, &msisdn, "STOP mcfunny").await;
        assert_eq!(services.states(&msisdn).await[1].1, "cancelled");
        assert_eq!(browser.get("/api/subscribe/me").await.json()["state"], "cancelled");
    }

    async fn stop_all_ends_every_service_whatever_it_names(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        services.joined("mcfunny", 148, &msisdn).await;
        services.sms(PULL, &msisdn, "STOPALL memeworld").await;
        assert_eq!(services.states(&msisdn).await, states(&[(148, "cancelled"), (150, "cancelled")]));
    }

    async fn stop_ends_only_what_started_before_it(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        services.set_clocks("2060-02-27T14:00:00+02:00").await;
        services.joined("ttmbhatv", TT, &msisdn).await;
        let sent_at = |id: &str, at: &str| json!({"event": "sms", "id": id, "user_msisdn": msisdn, "text": "STOP", "at": at});
        assert_eq!(services.notify(PULL, "m1", &sent_at("one", "2060-02-27T13:30:00+02:00")).await.status, 200);
        assert_eq!(services.states(&msisdn).await, states(&[(150, "cancelled"), (152, "active")]));
        // Nothing that runs had started by then, so the time is not to be trusted: a STOP is not lost.
        assert_eq!(services.notify(PULL, "m2", &sent_at("two", "2060-02-27 11:30:00")).await.status, 200);
        assert_eq!(services.states(&msisdn).await, states(&[(150, "cancelled"), (152, "cancelled")]));
    }

    async fn sms_is_applied_once(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        let event = json!({"event": "sms", "id": 77, "user_msisdn": msisdn, "to": 31222, "text": "HELP"});
        for id in ["m1", "m1", "m2"] {
            assert_eq!(services.notify(PULL, id, &event).await.status, 200);
        }
        assert_eq!(services.count("notifications", "outcome = 'duplicate'").await, 2);
        assert_eq!(services.count("inbound_sms", "network_ref = '77' AND keyword = 'help'").await, 1);
        assert_eq!(services.texts_to(&msisdn).await.len(), 1);
        // Another network's id is another SMS.
        assert_eq!(services.notify(PUSH, "m3", &event).await.status, 200);
        assert_eq!(services.texts_to(&msisdn).await.len(), 2);
        // A network that uses an id again, for another number or another keyword, loses no STOP.
        let other = number("1112");
        for msisdn in [&msisdn, &other] {
            services.joined("memeworld", MEME, msisdn).await;
            let stop = json!({"event": "sms", "id": 77, "user_msisdn": msisdn, "to": 31222, "text": "STOP"});
            assert_eq!(services.notify(PULL, &format!("stop {msisdn}"), &stop).await.status, 200);
            assert_eq!(services.states(msisdn).await, states(&[(150, "cancelled")]));
        }
    }

    async fn help_is_answered_at_night(engine) {
        let services = spawn(engine).await;
        services.set_clocks("2060-02-27T23:30:00+02:00").await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        services.sms(PULL, &msisdn, "help!").await;
        let help = "MEMEWORLD is a subscription service of Spaza: R3/day incl. VAT. To stop, SMS STOP to 31222. Help: 080 000 0150";
        eventually("the answer", async || services.inbox(&msisdn).await.first().is_some_and(|text| text == help)).await;
        let stranger = number("1111");
        services.sms(PULL, &stranger, "HELP").await;
        let none = "You have no subscription with Spaza, and nothing is charged. Help: 080 000 0148";
        eventually("the answer", async || services.inbox(&stranger).await == [none]).await;
        services.sms(PULL, &stranger, "help ttmbha tv").await;
        eventually("the other answer", async || services.inbox(&stranger).await[0].starts_with("TTMbha TV is a")).await;
    }

    async fn language_by_sms_is_that_of_later_smses(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        services.sms(PULL, &msisdn, "isiZulu").await;
        assert!(services.texts_to(&msisdn).await[0].starts_with("Kusukela manje"));
        services.sms(PULL, &msisdn, "STOP").await;
        assert!(services.texts_to(&msisdn).await[0].starts_with("Usuphumile"));
        // It stays the number's language after the end.
        services.sms(PULL, &msisdn, "HELP").await;
        assert!(services.texts_to(&msisdn).await[0].starts_with("Awubhalisile"));
    }

    async fn other_texts_get_one_reply_a_day(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        for text in ["I am away until Monday", "I am away until Monday", "what is this?", "STOP", "stop"] {
            services.sms(PULL, &msisdn, text).await;
        }
        assert_eq!(services.texts_to(&msisdn).await.len(), 1);
        services.set_clocks(&format!("{NEXT}T12:30:00+02:00")).await;
        services.sms(PULL, &msisdn, "I am away until Monday").await;
        assert_eq!(services.texts_to(&msisdn).await.len(), 2);
        // An auto-responder that quotes HELP is answered 20 times a day, and a STOP always ends what runs.
        for _ in 0..25 {
            services.sms(PULL, &msisdn, "HELP").await;
        }
        assert_eq!(services.texts_to(&msisdn).await.len(), 21);
        services.joined("memeworld", MEME, &msisdn).await;
        services.sms(PULL, &msisdn, "STOP").await;
        assert_eq!(services.states(&msisdn).await, states(&[(150, "cancelled")]));
    }

    async fn sender_that_is_no_mobile_number_gets_no_reply(engine) {
        let services = spawn(engine).await;
        for sender in ["31222", "Vodacom", "+1 202 555 0100", "0112345678"] {
            services.sms(PULL, sender, "HELP").await;
        }
        assert_eq!(services.count("outbox", "kind = 'sms'").await, 0);
        assert_eq!(services.count("notifications", "outcome = 'ignored'").await, 4);
    }

    async fn receipts_are_kept_with_their_sms_in_any_order(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        eventually("the welcome", async || services.inbox(&msisdn).await.len() == 1).await;
        let delivery = async || {
            let message = services.account(&msisdn).await["messages"][0].clone();
            (message["state"].clone(), message["delivery"].clone(), message["delivery_reason"].clone())
        };
        eventually("the sent welcome", async || delivery().await == (json!("sent"), json!(null), json!(""))).await;
        let key = services.sms_key(&msisdn).await;
        let receipt = |status: &str| json!({"event": "sms_receipt", "key": key, "status": status, "reason": "absent subscriber"});
        for (id, status, expected) in [
            ("r0", "UNDELIV", "failed"),
            ("r1", "failed", "failed"),
            ("r2", "EXPIRED", "failed"),
            ("r3", "DELIVRD", "delivered"),
            ("r1", "failed", "delivered"),
            ("r4", "failed", "delivered"),
        ] {
            assert_eq!(services.notify(PULL, id, &receipt(status)).await.status, 200);
            assert_eq!(delivery().await.1, expected, "{status}");
        }
        // Another network's receipt, one for no SMS of ours, and a state without a known meaning.
        assert_eq!(services.notify(PUSH, "r5", &receipt("failed")).await.status, 200);
        let unknown = json!({"event": "sms_receipt", "key": "no-such-key", "status": "failed"});
        assert_eq!(services.notify(PULL, "r6", &unknown).await.status, 200);
        assert_eq!(services.count("notifications", "outcome = 'not_understood'").await, 0);
        assert_eq!(services.notify(PULL, "r7", &receipt("seen")).await.status, 200);
        assert_eq!(services.count("notifications", "outcome = 'not_understood'").await, 1);
        assert_eq!(delivery().await.1, "delivered");
        let document = services.document(&msisdn).await;
        assert!(document.contains("delivered"), "the printable document has the receipt");
    }

    async fn smses_from_a_number_are_in_its_account_and_deleted_in_time(engine) {
        let services = spawn(engine).await;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        services.sms(PULL, &msisdn, "what\u{0}is\nthis?").await;
        services.sms(PULL, &msisdn, "STOP").await;
        let received = services.account(&msisdn).await["received"].clone();
        assert_eq!((&received[0]["text"], &received[0]["keyword"], &received[0]["to"]), (&json!("STOP"), &json!("stop"), &json!("31222")));
        assert_eq!((&received[1]["text"], &received[1]["keyword"]), (&json!("what is this?"), &json!("other")));
        // A STOP is evidence, and is kept longer.
        services.set_clocks("2060-10-01T12:00:00+02:00").await;
        eventually("the deletion", async || services.count("inbound_sms", "keyword = 'other'").await == 0).await;
        assert_eq!(services.count("inbound_sms", "keyword = 'stop'").await, 1);
    }
}

impl TestServices {
    /// The key under which the newest SMS to a number was sent.
    async fn sms_key(&self, msisdn: &str) -> String {
        let statement = format!(
            "SELECT message_key FROM outbox WHERE msisdn = '{msisdn}' AND kind = 'sms' ORDER BY id DESC LIMIT 1"
        );
        let db = self.db().await;
        let found = db.run(move |conn| {
            Ok::<_, store::Error>(diesel::sql_query(statement).get_result::<KeyRow>(conn)?.message_key)
        });
        found.await.unwrap()
    }

    async fn document(&self, msisdn: &str) -> String {
        let client = Client::new(self.addr, "memeworld");
        let path = format!("/internal/consent/{msisdn}");
        let reply = client.send(client.request(reqwest::Method::GET, &path).bearer_auth(testkit::ADMIN_TOKEN)).await;
        String::from_utf8(reply.bytes.to_vec()).unwrap()
    }
}
