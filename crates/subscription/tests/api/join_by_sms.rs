//! Joins that are confirmed by SMS: a JOIN by SMS at every network, and any join where the network has no page.

use diesel::{QueryableByName, RunQueryDsl, sql_types::Text};
use serde_json::{Value, json};
use testkit::{ADMIN_TOKEN, Client, Engine, on_each_engine};

use crate::{
    ledger::{DAY, NEXT, NOON},
    services::{BRANDS_FILE, MEME, Options, PULL, TestServices, eventually, number, spawn, spawn_with},
};

/// A network without a page, which sells MEMEWORLD and MC Funny.
const ALOE: &str = "aloe";

async fn spawn_without_page(engine: Engine) -> TestServices {
    let mut text = std::fs::read_to_string(BRANDS_FILE).unwrap();
    for svc_id in [148, 150] {
        let own = format!("svc_id = {svc_id}\nnetwork = \"{PULL}\"");
        assert!(text.contains(&own));
        text = text.replace(&own, &format!("svc_id = {svc_id}\nnetwork = \"{ALOE}\""));
    }
    let aloe = "[network.aloe]\nadapter = \"rest\"\nopt_in = \"sms\"\nstop_number = \"31333\"\n\n[[brand]]\n";
    let path = tempfile::tempdir().unwrap().keep().join("brands.toml");
    std::fs::write(&path, text.replacen("[[brand]]\n", aloe, 1)).unwrap();
    let services = spawn_with(engine, Options { brands_file: Some(path), ..Options::default() }).await;
    services.set_clocks(NOON).await;
    services
}

#[derive(QueryableByName)]
struct Evidence {
    #[diesel(sql_type = Text)]
    evidence: String,
}

impl TestServices {
    /// What is stored with the confirmation.
    async fn evidence(&self) -> Value {
        let query = "SELECT evidence FROM events WHERE cause = 'confirmed' ORDER BY id DESC LIMIT 1";
        let db = self.db().await;
        let read =
            db.run(move |conn| Ok::<_, store::Error>(diesel::sql_query(query).get_result::<Evidence>(conn)?.evidence));
        serde_json::from_str(&read.await.unwrap()).unwrap()
    }

    /// How many charges the network has made of a number.
    async fn charged(&self, msisdn: &str) -> usize {
        let mut charges = self.charges(DAY).await;
        charges.extend(self.charges(NEXT).await);
        charges.iter().filter(|charge| charge["msisdn"] == msisdn).count()
    }
}

/// The code that the page at this address shows.
fn code_on(page: &str) -> String {
    let page = url::Url::parse(page).unwrap();
    page.query_pairs().find(|(name, _)| name == "code").unwrap().1.into_owned()
}

on_each_engine! {
    async fn yes_joins_at_a_network_without_a_page(engine) {
        let services = spawn_without_page(engine).await;
        let msisdn = number("1111");
        services.sms(ALOE, &msisdn, "Join meme world please").await;
        let consent = "MEMEWORLD, a subscription service of Spaza: R3/day incl. VAT, 18+. To join, reply YES. To stop, SMS STOP to 31333. Help: 080 000 0150";
        eventually("the consent", async || services.inbox(&msisdn).await == [consent]).await;
        assert_eq!(services.states(&msisdn).await, [(150, "pending".to_owned())]);
        services.pass(DAY).await;
        services.set_clocks(&format!("{NEXT}T08:00:00+02:00")).await;
        services.pass(NEXT).await;
        assert_eq!(services.charged(&msisdn).await, 0, "a JOIN without its YES costs nothing");

        services.sms(ALOE, &msisdn, "\"YES\"").await;
        assert_eq!(services.states(&msisdn).await, [(150, "active".to_owned())]);
        services.wait_for_charge(NEXT, &msisdn, "settled").await;
        eventually("the welcome", async || services.inbox(&msisdn).await[0].starts_with("Welcome to MEMEWORLD")).await;
        services.sms(ALOE, &msisdn, "yes").await;
        services.pass(NEXT).await;
        assert_eq!(services.charged(&msisdn).await, 1);

        let evidence = services.evidence().await;
        let (join, yes) = (&evidence["said"]["join"], &evidence["said"]["yes"]);
        assert_eq!((&join["text"], &yes["text"]), (&json!("Join meme world please"), &json!("\"YES\"")));
        for sms in [join, yes] {
            assert_eq!((sms["sha256"].as_str().unwrap().len(), &sms["to"]), (64, &json!("31222")), "{sms}");
            assert!(sms["sms"].as_str().unwrap().starts_with("sms-") && sms["at"].is_string(), "{sms}");
        }
        let stored = &services.account(&msisdn).await["subscriptions"][0]["consents"][0];
        assert_eq!((&stored["wording"], &stored["status"]), (&json!(consent), &json!("confirmed")));
        assert_eq!(evidence["try"]["wording_hash"], stored["wording_hash"]);

        services.sms(ALOE, &msisdn, "STOP").await;
        assert_eq!(services.states(&msisdn).await, [(150, "cancelled".to_owned())]);
    }

    async fn yes_is_answered_with_the_page_where_the_network_has_one(engine) {
        let services = spawn(engine).await;
        let msisdn = number("1111");
        services.sms(PULL, &msisdn, "JOIN memeworld").await;
        eventually("the consent", async || services.inbox(&msisdn).await.len() == 1).await;
        services.sms(PULL, &msisdn, "yes").await;
        eventually("the page", async || services.inbox(&msisdn).await.len() == 2).await;
        assert_eq!(services.states(&msisdn).await, [(150, "pending".to_owned())], "only the page joins");
        let text = services.inbox(&msisdn).await.remove(0);
        let (_, page) = text.split_once("confirm here: ").unwrap();
        services.browser("memeworld").submit_answer(page, "confirm").await;
        services.wait_for_state(&msisdn, "active").await;
        // The same YES again is for nothing.
        services.sms(PULL, &msisdn, "yes").await;
        assert_eq!(services.count("tries", "kind = 'opt_in'").await, 1);
    }

    async fn join_that_cannot_be_has_its_answer(engine) {
        let services = spawn_without_page(engine).await;
        let msisdn = number("1111");
        let answer_to = async |text: &str| {
            services.sms(ALOE, &msisdn, text).await;
            services.texts_to(&msisdn).await.remove(0)
        };
        for text in ["JOIN", "join the circus", "JOIN memeworld mcfunny"] {
            let names = "Which service? Reply JOIN and its name: MC Funny, MEMEWORLD. Help: 080 000 0148";
            assert_eq!(answer_to(text).await, names);
        }
        assert_eq!(answer_to("JOIN diski99").await, "diski99 is not available on your network. Help: 080 000 0151");
        let client = Client::new(services.addr, "localhost");
        let block = async |method: reqwest::Method| {
            let path = format!("/internal/blocks/{msisdn}");
            client.send(client.request(method, &path).bearer_auth(ADMIN_TOKEN).json(&json!({"reason": "a test"}))).await
        };
        services.sms(ALOE, &msisdn, "JOIN mcfunny").await;
        block(reqwest::Method::PUT).await;
        assert!(answer_to("YES").await.starts_with("This number cannot join."));
        assert!(answer_to("JOIN memeworld").await.starts_with("This number cannot join."));
        block(reqwest::Method::DELETE).await;
        assert!(services.states(&msisdn).await.iter().all(|(_, state)| state == "pending"));
        services.sms(ALOE, &msisdn, "JOIN memeworld").await;
        services.sms(ALOE, &msisdn, "YES").await;
        assert!(answer_to("JOIN memeworld").await.starts_with("You are subscribed to MEMEWORLD already: R3/day"));
    }

    async fn yes_counts_for_one_join_of_its_number_and_in_time(engine) {
        let services = spawn_without_page(engine).await;
        let (msisdn, other) = (number("1111"), number("1111"));
        services.sms(ALOE, &msisdn, "JOIN memeworld").await;
        services.sms(ALOE, &msisdn, "JOIN mcfunny").await;
        services.sms(ALOE, &other, "YES").await;
        services.sms(PULL, &msisdn, "YES").await;
        services.sms(ALOE, &msisdn, "YES").await;
        let which = "Which one? Reply YES and its name: ";
        assert!(services.texts_to(&msisdn).await[0].starts_with(which), "{:?}", services.texts_to(&msisdn).await);
        assert!(services.states(&msisdn).await.iter().all(|(_, state)| state == "pending"));
        services.sms(ALOE, &msisdn, "YES MC FUNNY").await;
        assert_eq!(services.states(&msisdn).await, [(148, "active".to_owned()), (150, "pending".to_owned())]);
        assert!(services.account(&other).await["subscriptions"].as_array().unwrap().is_empty());
        // A STOP ends the waiting join as well, and a day later it waits no more.
        services.sms(ALOE, &other, "JOIN memeworld").await;
        services.set_clocks(&format!("{NEXT}T12:00:30+02:00")).await;
        for number in [&msisdn, &other] {
            services.sms(ALOE, number, "YES").await;
        }
        assert_eq!(services.states(&msisdn).await[1].1, "pending");
        assert_eq!(services.states(&other).await, [(150, "pending".to_owned())]);
        services.sms(ALOE, &other, "JOIN memeworld").await;
        services.sms(ALOE, &other, "STOP").await;
        services.sms(ALOE, &other, "YES").await;
        assert_eq!(services.states(&other).await, [(150, "cancelled".to_owned())]);
    }

    async fn no_declines_what_waits_and_nothing_begins(engine) {
        let services = spawn_without_page(engine).await;
        for (index, no) in ["no", "Nee!", "CHA", "hayi", "Tjhe", "Nnyaa, ke a leboga"].iter().enumerate() {
            let msisdn = number("1111");
            services.sms(ALOE, &msisdn, "JOIN memeworld").await;
            services.sms(ALOE, &msisdn, no).await;
            let texts = services.texts_to(&msisdn).await;
            assert_eq!((texts.len(), texts[0] == texts[1]), (2, false), "{no}: {texts:?}");
            if index == 0 {
                let declined = "Nothing was confirmed at MEMEWORLD, and nothing is charged for this. Help: 080 000 0150";
                assert_eq!(texts[0], declined);
            }
            assert_eq!(services.count("tries", &format!("status = 'declined' AND subscription_id = (SELECT id FROM subscriptions WHERE msisdn = '{msisdn}')")).await, 1, "{no}");
            // A YES afterwards confirms nothing.
            services.sms(ALOE, &msisdn, "YES").await;
            assert_eq!(services.states(&msisdn).await, [(150, "pending".to_owned())], "{no}");
            assert_eq!(services.charged(&msisdn).await, 0, "{no}");
            assert_eq!(services.count("inbound_sms", &format!("keyword = 'no' AND msisdn = '{msisdn}'")).await, 1, "{no}");
        }
        // Of two questions the one that is named; a later JOIN counts again.
        let msisdn = number("1111");
        services.sms(ALOE, &msisdn, "JOIN memeworld").await;
        services.sms(ALOE, &msisdn, "JOIN mcfunny").await;
        services.sms(ALOE, &msisdn, "No memeworld").await;
        services.sms(ALOE, &msisdn, "YES").await;
        assert_eq!(services.states(&msisdn).await, [(148, "active".to_owned()), (150, "pending".to_owned())]);
        services.sms(ALOE, &msisdn, "JOIN memeworld").await;
        services.sms(ALOE, &msisdn, "YES").await;
        // Without a question, NO ends nothing that runs: only a STOP does.
        services.sms(ALOE, &msisdn, "NO").await;
        assert_eq!(services.states(&msisdn).await, [(148, "active".to_owned()), (150, "active".to_owned())]);
        // A join and a proof on a page are declined as well.
        let (joining, browser) = (number("1111"), services.browser("memeworld"));
        let (_, id) = browser.join(&joining, MEME).await;
        services.sms(ALOE, &joining, "NO").await;
        services.sms(ALOE, &joining, "YES").await;
        assert_eq!((browser.check(&joining, &id).await, browser.has_session()), (0, false));
        let stranger = services.browser("memeworld");
        assert_eq!(stranger.post("/api/subscribe/verify", &json!({"msisdn": msisdn, "svc_id": MEME})).await.status, 200);
        services.sms(ALOE, &msisdn, "NO").await;
        services.sms(ALOE, &msisdn, "YES").await;
        assert!(!stranger.has_session());
        assert_eq!(services.states(&msisdn).await, [(148, "active".to_owned()), (150, "active".to_owned())]);
    }

    async fn web_join_opens_its_session_after_the_reply(engine) {
        let services = spawn_without_page(engine).await;
        let msisdn = number("1111");
        let browser = services.browser("memeworld");
        let (page, id) = browser.join(&msisdn, MEME).await;
        assert!(page.starts_with("http://memeworld.localhost:8080/DoiRedirect?") && page.contains("&reply=yes"), "{page}");
        assert_eq!(browser.check(&msisdn, &id).await, 0);
        eventually("the question", async || services.inbox(&msisdn).await.len() == 1).await;
        let valid = services.smses(&msisdn).await[0]["valid_seconds"].as_i64().unwrap();
        assert!((590..=600).contains(&valid), "a code is worth delivering for ten minutes: {valid}");
        services.sms(ALOE, &msisdn, &format!("yes {}", code_on(&page))).await;
        assert_eq!(browser.check(&msisdn, &id).await, 1);
        assert!(browser.has_session());
        // Another browser proves the number, and leaves without a session, by SMS as well.
        let second = services.browser("memeworld");
        let verify = second.post("/api/subscribe/verify", &json!({"msisdn": msisdn, "svc_id": MEME})).await.json();
        let address = url::Url::parse(verify["redirectUrl"].as_str().unwrap()).unwrap();
        let id = address.query_pairs().find(|(name, _)| name == "subscription_id").unwrap().1.into_owned();
        // A YES alone may be meant for another browser.
        services.sms(ALOE, &msisdn, "YES").await;
        assert_eq!(second.check(&msisdn, &id).await, 0);
        assert!(services.texts_to(&msisdn).await[0].contains("the code that the page shows"));
        services.sms(ALOE, &msisdn, &code_on(address.as_str())).await;
        assert_eq!(second.check(&msisdn, &id).await, 1);
        assert!(second.has_session());
        let third = services.browser("memeworld");
        let left = third.post("/api/subscribe/unsubscribe", &json!({"msisdn": msisdn, "svc_id": MEME})).await.json();
        assert!(left["redirectUrl"].as_str().unwrap().contains("&reply=stop"), "{left}");
        assert!(services.texts_to(&msisdn).await[0].starts_with("To end MEMEWORLD, reply STOP."));
        assert_eq!(services.states(&msisdn).await, [(150, "active".to_owned())]);
    }

    async fn strangers_requests_send_few_smses_and_keep_the_owner_from_nothing(engine) {
        let services = spawn_without_page(engine).await;
        services.set_clocks("2060-02-28T02:00:00+02:00").await;
        let msisdn = number("1111");
        for _ in 0..5 {
            services.browser("memeworld").join(&msisdn, MEME).await;
        }
        let questions = async || services.texts_to(&msisdn).await.iter().filter(|text| text.contains("To join")).count();
        assert_eq!(questions().await, 1, "one at night");
        services.set_clocks("2060-02-28T09:00:00+02:00").await;
        for _ in 0..5 {
            services.browser("memeworld").join(&msisdn, MEME).await;
        }
        assert_eq!(questions().await, 3, "three a day");
        // The owner's own page has a code, which opens no other browser.
        let (owner, stranger) = (services.browser("memeworld"), services.browser("memeworld"));
        let ((page, id), (_, strangers)) = (owner.join(&msisdn, MEME).await, stranger.join(&msisdn, MEME).await);
        services.sms(ALOE, &msisdn, &format!("YES{}", code_on(&page))).await;
        assert_eq!((owner.check(&msisdn, &id).await, stranger.check(&msisdn, &strangers).await), (1, 0));
        assert!(owner.has_session() && !stranger.has_session());
        let body = json!({"msisdn": msisdn, "svc_id": MEME});
        let phone = services.browser("memeworld");
        let verify = phone.post("/api/subscribe/verify", &body).await.json();
        services.sms(ALOE, &msisdn, &code_on(verify["redirectUrl"].as_str().unwrap())).await;
        let address = url::Url::parse(verify["redirectUrl"].as_str().unwrap()).unwrap();
        let id = address.query_pairs().find(|(name, _)| name == "subscription_id").unwrap().1.into_owned();
        assert_eq!(phone.check(&msisdn, &id).await, 1);
        let left = services.browser("memeworld").post("/api/subscribe/unsubscribe", &body).await;
        assert_eq!(left.status, 200, "the page says to send STOP");
        services.sms(ALOE, &msisdn, "STOP").await;
        assert_eq!(services.states(&msisdn).await, [(150, "cancelled".to_owned())]);
    }

    async fn yes_without_the_code_opens_no_session(engine) {
        let services = spawn_without_page(engine).await;
        let msisdn = number("1111");
        let (owner, stranger) = (services.browser("memeworld"), services.browser("memeworld"));
        let (_, owners) = owner.join(&msisdn, MEME).await;
        let (_, strangers) = stranger.join(&msisdn, MEME).await;
        services.sms(ALOE, &msisdn, "YES").await;
        assert_eq!(services.states(&msisdn).await, [(150, "active".to_owned())]);
        for (browser, id) in [(&owner, &owners), (&stranger, &strangers)] {
            browser.check(&msisdn, id).await;
            assert!(!browser.has_session());
        }
        // Another YES does not open the older one's.
        services.sms(ALOE, &msisdn, "YES").await;
        assert_eq!(owner.check(&msisdn, &owners).await, 0);
        assert!(!owner.has_session());
    }
}
