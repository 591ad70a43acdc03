//! The demo's offers with a free first day and with smaller amounts when airtime is low, from outside: what is charged, and by whom.

use serde_json::{Value, json};

use crate::{
    life::Browser,
    networks::{Site, days},
};

const DISKI: i32 = 151;
const LABEL: &str = "diski99";
/// The network whose first day is free, and the one that charges a day in part.
const FREE: &str = "marula";
const IN_PARTS: &str = "baobab";

impl Site {
    /// The cents that a network has really charged a number for a day, and those of the ledger's settled rows, which are the same charges.
    async fn cents(&self, network: &str, msisdn: &str, day: &str) -> Vec<i64> {
        let charges = self.client(10).get_ok(&format!("/networks/{network}/charges?day={day}")).await;
        let charges = charges.as_array().unwrap().iter().filter(|charge| charge["msisdn"] == msisdn);
        let text = |charge: &Value| charge["key"].as_str().unwrap().to_owned();
        let mut made: Vec<_> = charges.map(|charge| (text(charge), charge["cents"].as_i64().unwrap())).collect();
        let csv = self.as_machine(&format!("/internal/ledger?day={day}")).await;
        let rows = csv.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
        let rows = rows.filter(|row| row[2] == msisdn && row[5] == "charge" && row[7] == "settled");
        let mut settled: Vec<_> = rows.map(|row| (row[8].to_owned(), row[6].parse::<i64>().unwrap())).collect();
        made.sort();
        settled.sort();
        assert_eq!(made, settled, "{network} and the ledger, {day}");
        made.into_iter().map(|(_, cents)| cents).collect()
    }
}

testkit::on_each_engine! {
    async fn first_day_is_free_once_and_the_second_is_charged(engine) {
        let site = Site::open(engine).await;
        let [today, tomorrow, third] = days();
        let msisdn = "27741000041";
        let mut browser = Browser::new(&site.family, LABEL);
        let offers = browser.other_offers(DISKI, msisdn).await;
        assert_eq!((&offers[0]["network"], &offers[0]["free_days"], &offers[0]["price_cents"]), (&json!(FREE), &json!(1), &json!(300)));
        browser.join_on(FREE, DISKI, msisdn).await;
        let me = browser.me().await;
        assert_eq!((&me["state"], &me["free_until"], &me["total_cents"]), (&json!("active"), &json!(tomorrow), &json!(0)));
        site.wait_for_sms(msisdn, "First day free, once per number; the first R3 is charged on").await;
        site.pass(&today).await;
        assert_eq!(site.cents(FREE, msisdn, &today).await, [0; 0]);
        assert!(!site.as_machine(&format!("/internal/ledger?day={today}")).await.contains(msisdn), "the free day has a row");

        site.go_to(&tomorrow).await;
        for _ in 0..2 {
            site.pass(&tomorrow).await;
        }
        assert_eq!(site.cents(FREE, msisdn, &tomorrow).await, [300]);
        browser.leave(DISKI).await;
        // The next day is not free again: it is charged at once.
        site.go_to(&third).await;
        site.pass(&third).await;
        assert_eq!(site.cents(FREE, msisdn, &third).await, [0; 0]);
        let mut again = Browser::new(&site.family, LABEL);
        again.join_on(FREE, DISKI, msisdn).await;
        site.wait_for_settled(&third, msisdn).await;
        assert_eq!(site.cents(FREE, msisdn, &third).await, [300]);
        let me = again.me().await;
        assert_eq!((&me["free_until"], &me["total_cents"]), (&Value::Null, &json!(600)));
    }

    async fn low_airtime_pays_a_smaller_amount_once_a_day(engine) {
        let site = Site::open(engine).await;
        let [today, tomorrow, third] = days();
        let msisdn = "27711000013";
        let mut browser = Browser::new(&site.family, LABEL);
        let offers = browser.other_offers(DISKI, msisdn).await;
        assert_eq!(offers[0]["parts"], json!([300, 200, 100]), "{offers}");
        browser.join_on(IN_PARTS, DISKI, msisdn).await;
        site.wait_for_sms(msisdn, "R3, or R2 or R1 when airtime is low.").await;
        site.wait_for_settled(&today, msisdn).await;
        for day in [&tomorrow, &third] {
            site.go_to(day).await;
            for _ in 0..3 {
                site.pass(day).await;
            }
        }
        for day in [&today, &tomorrow, &third] {
            assert_eq!(site.cents(IN_PARTS, msisdn, day).await, [200], "{day}");
        }
        let me = browser.me().await;
        assert_eq!((&me["state"], &me["total_cents"], &me["price_cents"]), (&json!("active"), &json!(600), &json!(300)));
    }
}
