//! Offers for a week and for a month: one charge for each period, through leaves, other offers, unpaid days and late results.

use std::path::PathBuf;

use serde_json::{Value, json};
use testkit::{Engine, on_each_engine};

use crate::{
    ledger::{DAY, NEXT, NOON, days_after, morning},
    services::{BRANDS_FILE, Browser, MEME, Options, TestServices, eventually, number, spawn_with},
};

const LEAVE: &str = "/api/subscribe/unsubscribe";

/// `brands.toml` with another offer of MEMEWORLD.
fn with_offer(period: &str, cents: i64) -> String {
    let text = std::fs::read_to_string(BRANDS_FILE).unwrap();
    let entry = "svc_id = 150\n";
    assert!(text.contains(entry));
    text.replace(entry, &format!("{entry}offer = {{ price_cents = {cents}, period = \"{period}\" }}\n"))
}

struct Offered {
    services: TestServices,
    file: PathBuf,
}

impl Offered {
    async fn spawn(engine: Engine, period: &str, cents: i64) -> Self {
        let file = tempfile::tempdir().unwrap().keep().join("brands.toml");
        std::fs::write(&file, with_offer(period, cents)).unwrap();
        let settings: fn(&mut subscription::Config) = |config| config.billing_times = "06:00".parse().unwrap();
        let options = Options { brands_file: Some(file.clone()), settings: Some(settings), ..Options::default() };
        Self { services: spawn_with(engine, options).await, file }
    }

    /// Changes the offer, and waits until the service sells it: joins of other numbers show which one it has.
    async fn change(&self, period: &str, cents: i64) {
        std::fs::write(&self.file, with_offer(period, cents)).unwrap();
        let browser = self.services.browser("memeworld");
        eventually("the new offer", async || {
            browser.join(&number("7777"), MEME).await;
            self.services.count("tries", &format!("period = '{period}' AND price_cents = {cents}")).await > 0
        })
        .await;
    }

    /// Billing's first time of a day, and a pass of which the totals are returned.
    async fn pass_on(&self, day: &str) -> [i64; 5] {
        self.services.set_clocks(&morning(day)).await;
        self.services.pass(day).await
    }

    async fn charged(&self, day: &str) -> Vec<i64> {
        self.services.assert_ledger_matches_network(day).await;
        self.services.charges(day).await.iter().map(|charge| charge["cents"].as_i64().unwrap()).collect()
    }
}

/// Gives a subscription another number, here and at the network: what a number does is in its ending.
async fn rename(services: &TestServices, from: &str, to: &str) {
    let statement = format!("UPDATE subscriptions SET msisdn = '{to}' WHERE msisdn = '{from}'");
    services.execute(statement.clone()).await;
    services.execute_in_sandbox(statement).await;
}

async fn me(browser: &Browser) -> Value {
    browser.get("/api/subscribe/me").await.json()
}

fn next_charge(me: &Value) -> &str {
    &me["next_charge"].as_str().unwrap()[..10]
}

on_each_engine! {
    async fn week_is_consented_to_and_charged_once(engine) {
        let offered = Offered::spawn(engine, "week", 1500).await;
        let services = &offered.services;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        let browser = services.browser("memeworld");
        let (page, id) = browser.join(&msisdn, MEME).await;
        let shown = reqwest::get(&page).await.unwrap().text().await.unwrap();
        assert!(shown.contains("R15") && shown.contains("per week") && shown.contains("every week"), "{shown}");
        browser.submit_answer(&page, "confirm").await;
        assert_eq!(browser.check(&msisdn, &id).await, 1);
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        let account = services.account(&msisdn).await;
        let consent = &account["subscriptions"][0]["consents"][0];
        assert_eq!((&consent["period"], &consent["price_cents"]), (&json!("week"), &json!(1500)));
        assert!(consent["wording"].as_str().unwrap().contains("R15/week"), "{consent}");
        eventually("the welcome", async || {
            services.inbox(&msisdn).await.iter().any(|text| text.contains("R15/week incl. VAT"))
        })
        .await;
        let shown = me(&browser).await;
        assert_eq!((&shown["period"], &shown["price_cents"], next_charge(&shown)), (&json!("week"), &json!(1500), days_after(DAY, 7).as_str()));

        for n in 1..7 {
            assert_eq!(offered.pass_on(&days_after(DAY, n)).await, [0, 0, 0, 0, 0], "day {n}");
        }
        for week in [1, 2] {
            let first = days_after(DAY, 7 * week);
            assert_eq!(offered.pass_on(&first).await, [1, 1, 0, 0, 0]);
            assert_eq!(services.pass(&first).await, [0, 0, 0, 0, 0]);
            assert_eq!(offered.charged(&first).await, [1500]);
        }
        assert_eq!(me(&browser).await["total_cents"], 4500);
        assert_eq!(services.state_and_causes(&msisdn).await.1, ["joined", "confirmed"]);
    }

    async fn months_begin_on_the_day_of_the_join(engine) {
        let offered = Offered::spawn(engine, "month", 5000).await;
        let services = &offered.services;
        services.set_clocks("2061-01-31T12:00:00+02:00").await;
        let msisdn = number("1111");
        let browser = services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge("2061-01-31", &msisdn, "settled").await;
        assert_eq!(next_charge(&me(&browser).await), "2061-02-28");
        for (unpaid, first) in [("2061-02-27", "2061-02-28"), ("2061-03-30", "2061-03-31"), ("2061-04-29", "2061-04-30")] {
            assert_eq!(offered.pass_on(unpaid).await, [0, 0, 0, 0, 0], "{unpaid}");
            assert_eq!(offered.pass_on(first).await, [1, 1, 0, 0, 0], "{first}");
            assert_eq!(offered.charged(first).await, [5000]);
        }
        // Thirty days and more after the last charge, a paid subscription has not lapsed.
        services.set_clocks("2061-05-30T12:00:00+02:00").await;
        assert_eq!(offered.services.pass("2061-05-30").await, [0, 0, 0, 0, 0]);
        assert_eq!(services.state_and_causes(&msisdn).await.1, ["joined", "confirmed"]);
    }

    async fn rejoin_within_a_paid_week_is_not_charged_whatever_the_offer(engine) {
        let offered = Offered::spawn(engine, "week", 1500).await;
        let services = &offered.services;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        let browser = services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        services.set_clocks(&morning(&days_after(DAY, 2))).await;
        assert_eq!(browser.post(LEAVE, &json!({"svc_id": MEME})).await.status, 200);
        assert_eq!(services.pass(&days_after(DAY, 2)).await, [0, 0, 0, 0, 0]);
        let again = services.joined("memeworld", MEME, &msisdn).await;
        assert_eq!(me(&again).await["state"], "active");
        assert_eq!(offered.pass_on(&days_after(DAY, 3)).await, [0, 0, 0, 0, 0]);
        assert_eq!(again.post(LEAVE, &json!({"svc_id": MEME})).await.status, 200);

        // Sold by the day by then: the first day that is charged is the one after the week.
        offered.change("day", 300).await;
        let daily = services.joined("memeworld", MEME, &msisdn).await;
        let shown = me(&daily).await;
        assert_eq!((&shown["state"], &shown["period"], next_charge(&shown)), (&json!("active"), &json!("day"), days_after(DAY, 7).as_str()));
        for n in 4..7 {
            assert_eq!(offered.pass_on(&days_after(DAY, n)).await, [0, 0, 0, 0, 0], "day {n}");
        }
        for n in [7, 8] {
            assert_eq!(offered.pass_on(&days_after(DAY, n)).await, [1, 1, 0, 0, 0], "day {n}");
            assert_eq!(offered.charged(&days_after(DAY, n)).await, [300]);
        }
        assert_eq!(me(&daily).await["total_cents"], 2100);
    }

    async fn consented_period_is_kept_when_the_offer_changes(engine) {
        let offered = Offered::spawn(engine, "day", 300).await;
        let services = &offered.services;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        let browser = services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        offered.change("month", 5000).await;
        assert_eq!(offered.pass_on(NEXT).await, [1, 1, 0, 0, 0]);
        assert_eq!(offered.charged(NEXT).await, [300]);
        assert_eq!(me(&browser).await["period"], "day");
    }

    async fn charge_after_a_new_consent_names_it(engine) {
        let offered = Offered::spawn(engine, "day", 300).await;
        let services = &offered.services;
        services.set_clocks(NOON).await;
        let (penniless, msisdn) = (number("0003"), number("1111"));
        services.joined("memeworld", MEME, &penniless).await;
        services.wait_for_charge(DAY, &penniless, "failed").await;
        let next = days_after(DAY, 1);
        assert_eq!(offered.pass_on(&next).await, [1, 0, 1, 0, 0]);
        services.wait_for_state(&penniless, "suspended").await;
        // The number has airtime, and joins by the month, on a day whose charge was entered by the day.
        rename(services, &penniless, &msisdn).await;
        offered.change("month", 5000).await;
        let (page, _) = services.browser("memeworld").join(&msisdn, MEME).await;
        services.browser("memeworld").submit_answer(&page, "confirm").await;
        services.wait_for_charge(&next, &msisdn, "settled").await;
        assert_eq!(offered.charged(&next).await, [5000]);
        let agreed = "ledger JOIN consents ON consents.id = ledger.consent_id AND consents.price_cents = ledger.cents";
        assert_eq!(services.count(agreed, "ledger.status = 'settled'").await, 1);
    }

    async fn unpaid_week_suspends_and_begins_on_the_day_that_is_paid(engine) {
        let offered = Offered::spawn(engine, "week", 1500).await;
        let services = &offered.services;
        services.set_clocks(NOON).await;
        let (penniless, msisdn) = (number("0003"), number("1111"));
        let browser = services.joined("memeworld", MEME, &penniless).await;
        services.wait_for_charge(DAY, &penniless, "failed").await;
        // Access until the day is over.
        assert_eq!(me(&browser).await["state"], "active");
        for n in 1..4 {
            let totals = offered.pass_on(&days_after(DAY, n)).await;
            assert_eq!(totals, [1, 0, 1, 0, 0], "tried again on day {n}");
            services.wait_for_state(&penniless, "suspended").await;
        }
        // The number has airtime now.
        rename(services, &penniless, &msisdn).await;
        let paid = days_after(DAY, 4);
        services.announce_charges(&paid).await;
        assert_eq!(services.pass(&paid).await, [1, 1, 0, 0, 0]);
        services.wait_for_state(&msisdn, "active").await;
        assert_eq!(offered.charged(&paid).await, [1500]);
        for n in 5..11 {
            assert_eq!(offered.pass_on(&days_after(DAY, n)).await, [0, 0, 0, 0, 0], "day {n} is paid");
        }
        let next = days_after(DAY, 11);
        assert_eq!(offered.pass_on(&next).await, [1, 1, 0, 0, 0]);
        let (state, causes) = services.state_and_causes(&msisdn).await;
        assert_eq!((state.as_str(), causes), ("active", ["joined", "confirmed", "unpaid", "paid"].map(str::to_owned).to_vec()));
        let charged: usize = services.count("ledger", "status = 'settled'").await.try_into().unwrap();
        assert_eq!(charged, 2, "no unpaid day is charged later");
    }

    async fn thirty_days_after_the_paid_week_end_the_subscription(engine) {
        let offered = Offered::spawn(engine, "week", 1500).await;
        let services = &offered.services;
        services.set_clocks(NOON).await;
        let (msisdn, penniless) = (number("1111"), number("0003"));
        services.joined("memeworld", MEME, &msisdn).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        rename(services, &msisdn, &penniless).await;
        offered.pass_on(&days_after(DAY, 7)).await;
        for _ in 0..2 {
            services.pass(&days_after(DAY, 7)).await;
        }
        assert_eq!(services.state_and_causes(&penniless).await.0, "suspended");
        services.announce_charges(&days_after(DAY, 35)).await;
        assert_eq!(services.pass(&days_after(DAY, 35)).await, [1, 0, 1, 0, 0]);
        assert_eq!(services.state_and_causes(&penniless).await.0, "suspended");
        // The last paid day is the sixth after the join.
        assert_eq!(offered.pass_on(&days_after(DAY, 36)).await, [1, 0, 1, 0, 0]);
        assert_eq!(services.state_and_causes(&penniless).await.1.last().unwrap(), "lapsed");
    }

    async fn unknown_outcome_of_a_week_holds_the_next_day_and_pays_for_it(engine) {
        let offered = Offered::spawn(engine, "week", 1500).await;
        let services = &offered.services;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        let browser = services.joined("memeworld", MEME, &msisdn).await;
        let charge = services.wait_for_charge(DAY, &msisdn, "settled").await;
        // The state after a lost reply, until the network is queried.
        services.execute(format!(
            "UPDATE ledger SET status = 'unknown', sent_at = '2060-02-27 10:00:00', ask_at = '2999-01-01 00:00:00' WHERE id = {}",
            charge.id
        )).await;
        assert_eq!(offered.pass_on(NEXT).await, [0, 0, 0, 0, 0]);
        // Nor does a rejoin, by which a charge of the day is entered.
        browser.post(LEAVE, &json!({"svc_id": MEME})).await;
        let (page, _) = browser.join(&msisdn, MEME).await;
        browser.submit_answer(&page, "confirm").await;
        services.wait_for_charge(NEXT, &msisdn, "pending").await;
        services.pass(NEXT).await;
        assert_eq!(services.charges(NEXT).await.len(), 0);
        services.execute(format!("UPDATE ledger SET ask_at = '2020-01-01 00:00:00' WHERE id = {}", charge.id)).await;
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        services.pass(NEXT).await;
        assert_eq!(services.charges(NEXT).await.len(), 0);
        assert_eq!(services.charge_of(NEXT, &msisdn).await.unwrap().status, "failed");
        for n in 2..7 {
            assert_eq!(offered.pass_on(&days_after(DAY, n)).await, [0, 0, 0, 0, 0], "day {n}");
        }
        assert_eq!(services.state_and_causes(&msisdn).await.0, "active");
        assert_eq!(services.count("ledger", "kind = 'refund'").await, 0, "the week's one charge is kept");
        assert_eq!(offered.pass_on(&days_after(DAY, 7)).await, [1, 1, 0, 0, 0]);
    }

    async fn charge_that_turns_out_to_be_within_a_paid_week_is_given_back(engine) {
        let offered = Offered::spawn(engine, "week", 1500).await;
        let services = &offered.services;
        services.set_clocks(NOON).await;
        let msisdn = number("1111");
        services.joined("memeworld", MEME, &msisdn).await;
        let first = services.wait_for_charge(DAY, &msisdn, "settled").await;
        // The network has charged, and said that it had not.
        services.execute(format!("UPDATE ledger SET status = 'failed', network_ref = NULL WHERE id = {}", first.id)).await;
        assert_eq!(offered.pass_on(NEXT).await, [1, 1, 0, 0, 0]);
        let reply = services.admin("/internal/reconcile", &json!({"day": DAY})).await;
        assert_eq!(reply.status, 200);
        services.wait_for_charge(DAY, &msisdn, "settled").await;
        eventually("the refund", async || {
            services.count("ledger", "kind = 'refund' AND status = 'settled' AND cents = 1500").await == 1
        })
        .await;
        let second = services.charge_of(NEXT, &msisdn).await.unwrap();
        assert_eq!(services.count("ledger", &format!("refund_of = {}", second.id)).await, 1);
        assert_eq!(offered.pass_on(&days_after(DAY, 2)).await, [0, 0, 0, 0, 0]);
    }
}
