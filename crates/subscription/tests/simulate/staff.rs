//! Staff: they give charges back, and sell the services at other prices and for other periods.

use actix_web::test::TestRequest;
use chrono::{Days, Months, NaiveDate};
use rand::{RngExt, seq::IndexedRandom};
use serde_json::json;

use crate::{
    network::Charge,
    world::{ADMIN, Purpose, World},
};

/// The services whose offer changes, and the networks of each.
const CHANGING: [(i32, &[&str]); 3] = [(148, PULL), (150, PULL), (151, &["parlay"])];
const PULL: &[&str] = &["sandbox-pull", "second"];

/// Each period has a price of its own, by which a charge's period is known.
const OFFERS: [&str; 5] = [
    "price_cents = 300, period = \"day\"",
    "price_cents = 300, period = \"day\", free_days = 1, parts = [300, 200, 100]",
    "price_cents = 300, period = \"day\", parts = [300, 100]",
    "price_cents = 1500, period = \"week\", free_days = 1",
    "price_cents = 5000, period = \"month\"",
];

impl Charge {
    /// The first day that it does not pay for, at least: a month that begins on the last day of a short one may be longer.
    pub fn paid_until(&self) -> NaiveDate {
        let day: NaiveDate = self.day.parse().unwrap();
        match self.cents {
            // The price of a day, and its parts.
            100 | 200 | 300 => day + Days::new(1),
            1500 => day + Days::new(7),
            5000 => day + Months::new(1),
            other => panic!("{other} cents are the price of no period"),
        }
    }
}

/// The file of brands, with the offers of those that change.
pub fn brands(offers: [usize; CHANGING.len()]) -> String {
    let networks = "[network.parlay]\nadapter = \"soap\"\n\n[network.second]\nadapter = \"rest\"\n\n[[brand]]\n";
    let file = include_str!("../../../../deploy/brands.toml").replacen("[[brand]]\n", networks, 1);
    let file = file.replace("svc_id = 151\nnetwork = \"sandbox-pull\"", "svc_id = 151\nnetwork = \"parlay\"");
    CHANGING.iter().zip(offers).fold(file, |file, ((svc_id, networks), offer)| {
        let each = networks.iter().map(|network| format!("{{ network = \"{network}\", {} }}", OFFERS[offer]));
        let entry = format!("svc_id = {svc_id}\n");
        file.replacen(&entry, &format!("{entry}offer = [{}]\n", each.collect::<Vec<_>>().join(", ")), 1)
    })
}

impl World {
    /// The offer of a service changes; what runs keeps what it consented to.
    pub fn edit_brands(&mut self) {
        let (service, offer) = (self.rng.random_range(0..CHANGING.len()), self.rng.random_range(0..OFFERS.len()));
        self.offers[service] = offer;
        self.note(format_args!("{} costs {}", CHANGING[service].0, OFFERS[offer]));
        // As an editor's program does: the file is never half written.
        let next = self.brands_file.with_extension("next");
        std::fs::write(&next, brands(self.offers)).unwrap();
        std::fs::rename(next, &self.brands_file).unwrap();
    }

    /// Staff give a charge back.
    pub fn staff(&mut self) {
        let settled = self.rows("SELECT CAST(id AS TEXT) AS line FROM ledger WHERE kind = 'charge' AND status = 'settled' ORDER BY id DESC LIMIT 50");
        let Some(id) = settled.choose(&mut self.rng).and_then(|id| id.parse::<i64>().ok()) else { return };
        self.note(format_args!("staff give {id} back"));
        // A second click gives back once.
        for _ in 0..self.rng.random_range(1..3) {
            let request = TestRequest::post()
                .uri("/internal/refund")
                .insert_header(("authorization", format!("Bearer {ADMIN}")))
                .set_json(json!({"ledger_id": id, "reason": "simulated"}));
            self.call(request, Purpose::Staff);
        }
    }
}
