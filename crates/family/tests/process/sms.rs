//! SMSes from outside, over the real binaries: a STOP ends every service, a JOIN costs nothing without its YES, and a network without a page
//! is joined, billed and left by SMS alone.

use serde_json::{Value, json};
use testkit::eventually;

use crate::{
    life::Browser,
    networks::{MEME, Site, days},
};

impl Site {
    /// An SMS from a number; the network that passes it on.
    async fn sms(&self, msisdn: &str, text: &str) -> String {
        let reply = self.client(10).post("/sms", &json!({ "msisdn": msisdn, "text": text })).await;
        assert_eq!(reply.status, 200, "{text}");
        reply.json()["passed_on_by"].as_str().unwrap_or_default().to_owned()
    }

    /// The SMSes that a number has got, newest first.
    pub(crate) async fn inbox(&self, msisdn: &str) -> Vec<String> {
        let client = self.client(10);
        let request = client.request(reqwest::Method::GET, &format!("/inbox/{msisdn}"));
        let messages = client.send(request.header("accept", "application/json")).await.json();
        messages.as_array().unwrap().iter().map(|sms| sms["text"].as_str().unwrap().to_owned()).collect()
    }

    pub(crate) async fn wait_for_sms(&self, msisdn: &str, part: &str) {
        eventually(&format!("an SMS with {part:?}"), async || {
            self.inbox(msisdn).await.iter().any(|text| text.contains(part))
        })
        .await;
    }

    async fn states(&self, msisdn: &str) -> Vec<String> {
        let account = self.account(msisdn).await;
        let subscriptions = account["subscriptions"].as_array().unwrap().iter();
        subscriptions.map(|one| one["state"].as_str().unwrap().to_owned()).collect()
    }
}

testkit::on_each_engine! {
    async fn stop_by_sms_of_two_services_ends_both_and_nothing_is_charged_after(engine) {
        let site = Site::open(engine).await;
        let [today, tomorrow, _] = days();
        let msisdn = "27812345731";
        site.joined("memeworld", MEME, msisdn).await;
        site.joined("mcfunny", 148, msisdn).await;
        eventually("two charges", async || site.networks_charging(&["sandbox-pull"], msisdn, &today).await.len() == 2).await;
        assert_eq!(site.sms(msisdn, "Please STOP it!").await, "sandbox-pull");
        eventually("both ends", async || site.states(msisdn).await == ["cancelled", "cancelled"]).await;
        site.wait_for_sms(msisdn, "You have left MEMEWORLD").await;
        site.wait_for_sms(msisdn, "You have left MC Funny").await;
        eventually("the network's end", async || !site.runs_at("sandbox-pull", msisdn).await).await;
        site.go_to(&tomorrow).await;
        site.pass(&tomorrow).await;
        assert!(site.networks_charging(&["sandbox-pull"], msisdn, &tomorrow).await.is_empty(), "charged after the STOP");
        assert!(site.ledger(&tomorrow, "charge").await.is_empty());
    }

    async fn join_by_sms_charges_only_after_its_yes_and_stop_leaves(engine) {
        let site = Site::open(engine).await;
        let [today, tomorrow, third] = days();
        let (msisdn, silent) = ("27761000021", "27761000022");
        for number in [msisdn, silent] {
            assert_eq!(site.sms(number, "join meme world").await, "aloe");
            site.wait_for_sms(number, "To join, reply YES").await;
            assert_eq!(site.states(number).await, ["pending"]);
        }
        site.sms(msisdn, "Help").await;
        site.wait_for_sms(msisdn, "Help: 080 000 0150").await;
        site.pass(&today).await;
        assert!(site.charged_by("aloe", &today).await.is_empty(), "charged without a YES");

        site.sms(msisdn, "Yes!").await;
        site.wait_for_settled(&today, msisdn).await;
        assert_eq!(site.state(msisdn).await, ("active".to_owned(), "aloe".to_owned()));
        site.wait_for_sms(msisdn, "Welcome to MEMEWORLD").await;
        site.wait_for_sms(msisdn, "SMS STOP to 31333").await;
        site.go_to(&tomorrow).await;
        site.pass(&tomorrow).await;
        site.pass(&tomorrow).await;
        for day in [&today, &tomorrow] {
            let charged = site.charged_by("aloe", day).await;
            assert_eq!(charged.len(), 1, "{day}: {charged:?}");
            assert_eq!(site.ledger(day, "charge").await, charged, "{day}");
        }

        site.sms(msisdn, "hou op").await;
        eventually("the end", async || site.states(msisdn).await == ["cancelled"]).await;
        site.go_to(&third).await;
        site.pass(&third).await;
        assert!(site.charged_by("aloe", &third).await.is_empty(), "charged after the STOP");
        assert_eq!(site.states(silent).await, ["pending"]);
        // A YES after more than a day is for nothing any more.
        site.sms(silent, "YES").await;
        site.wait_for_sms(silent, "You have no subscription").await;
        assert_eq!(site.states(silent).await, ["pending"]);
        // Each SMS of ours was delivered, and support sees it.
        let delivered = async || {
            let account = site.account(msisdn).await;
            account["messages"].as_array().unwrap().iter().all(|one| one["kind"] != "sms" || one["delivery"] == "delivered")
        };
        eventually("the receipts", delivered).await;
    }

    async fn join_on_the_site_is_confirmed_by_sms_where_the_network_has_no_page(engine) {
        let site = Site::open(engine).await;
        let [today, ..] = days();
        let msisdn = "27761000031";
        let mut browser = Browser::new(&site.family, "memeworld");
        let reply = browser.begin_join(MEME, msisdn).await;
        let page = reply["redirectUrl"].as_str().unwrap();
        assert!(page.contains("/DoiRedirect?") && page.ends_with("&reply=yes"), "{page}");
        let (_, code) = page.split_once("&code=").unwrap();
        let code = code.split('&').next().unwrap();
        let id = reply["subscriptionId"].as_str().unwrap();
        assert_eq!(browser.check(msisdn, id).await, 0);
        site.wait_for_sms(msisdn, "To join, reply YES and the page's code").await;
        // On the page of the sandbox's inbox.
        let client = site.client(10);
        let form = client.request(reqwest::Method::POST, &format!("/inbox/{msisdn}"));
        let form = form.header("content-type", "application/x-www-form-urlencoded").body(format!("text=yes+{code}&to="));
        assert_eq!(client.send(form).await.status, 303);
        eventually("the confirmation", async || site.states(msisdn).await == ["active"]).await;
        assert_eq!(browser.check(msisdn, id).await, 1);
        assert!(browser.is_in().await, "the browser that began the join has a session");
        site.wait_for_settled(&today, msisdn).await;
        assert_eq!(browser.json("GET", "/api/subscribe/me", Value::Null).await["state"], "active");
    }
}
