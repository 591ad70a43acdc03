//! One suite for every adapter of `brands.toml`: what must hold for a person, the ledger and the network, whatever API a network has.
//!
//! Each test is a function of a `Network`, which is the service and the operator sandbox with one brand on the adapter. The macro at the end
//! lists the tests and makes a module for each adapter: `cargo test -p subscription --test api conformance::rest` runs one of them.
//!
//! An adapter does not know the store. So the suite runs on both engines where the store has most to do: a network with tokens, one that charges
//! by itself, days in parts, and SIMs. The other adapters run on SQLite.

mod charges;
mod joins;
mod notifications;
mod parts;
mod payments;
mod push;
mod reconciling;
mod refunds;
mod sims;
mod stops;

use std::path::PathBuf;

use serde_json::{Value, json};
use testkit::{Client, Engine, eventually};

use crate::{
    ledger::{LedgerRow, NOON},
    services::{BRANDS_FILE, Browser, MEME, Options, TestServices, spawn_with},
};

/// The network's name in `brands.toml`.
pub const NAME: &str = "conformance";

/// The service and the sandbox, with memeworld on a network with one adapter.
struct Network {
    services: TestServices,
    is_push: bool,
    /// Parlay X: a reply names neither the charge nor what the network calls it.
    is_parlay_x: bool,
}

/// A client id and its private key.
const CLIENT_KEY: &str = "wasp:MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg7Jl4EPtkkTDG1GN/tR6704hlyPW1EjKp5xL8vRSr9DWhRANCAAQbf83WlwR9uGq3ial7VKc9J8QueytpgoEm2kVZr3Vl7yubykGnaAF7SM30Ou/LD9CU9H9bk70of3YGlLQzdFww";

/// An offer whose days are charged in part.
const IN_PARTS: &str = "offer = { price_cents = 300, period = \"day\", parts = [300, 200, 100] }\n";

/// `brands.toml` with a network of this adapter that bills memeworld.
pub fn brands_file(adapter: &str) -> PathBuf {
    let family = std::fs::read_to_string(BRANDS_FILE).unwrap();
    // `camara` twice: as one step, and as two.
    let offer = if adapter.ends_with("_in_parts") { IN_PARTS } else { "" };
    let (adapter, of_adapter) = match adapter {
        "camara_in_two_steps" | "camara_in_two_steps_in_parts" => ("camara", "camara = { two_steps = true }\n"),
        "rest_with_tokens" => ("rest", "subscribers = \"token\"\nsms_to_tokens = true\n"),
        "camara_with_sims" => {
            ("camara", "camara = { number_verification = {}, sim_swap = {}, number_recycling = {} }\n")
        }
        "camara_with_a_key" => (
            "camara",
            "camara = { client_auth = \"private_key_jwt\", number_verification = {}, sim_swap = {}, number_recycling = {} }\n",
        ),
        adapter => (adapter.trim_end_matches("_in_parts"), ""),
    };
    let network = format!(
        "[network.{NAME}]\nadapter = \"{adapter}\"\n{of_adapter}stop_number = \"31222\"\n\
         pace = {{ questions_per_second = 200 }}\nbreaker = {{ calls = 10000, pause_seconds = 2 }}\n\n[[brand]]\n"
    );
    let brands = family.replacen("[[brand]]\n", &network, 1);
    let of_memeworld = "svc_id = 150\nnetwork = \"sandbox-pull\"";
    assert!(brands.contains(of_memeworld));
    let brands = brands.replace(of_memeworld, &format!("svc_id = 150\nnetwork = \"{NAME}\"\n{offer}"));
    let file = tempfile::Builder::new().suffix(".toml").tempfile().unwrap().into_temp_path().keep().unwrap();
    std::fs::write(&file, brands).unwrap();
    file
}

impl Network {
    /// Both services at noon of the tests' day.
    async fn start(adapter: &str, engine: Engine) -> Self {
        let options = Options {
            settings: Some(|config| config.charge_timeout_ms = 2000),
            brands_file: Some(brands_file(adapter)),
            tokens_of: (adapter == "rest_with_tokens").then_some(NAME),
            credentials: (adapter == "camara_with_a_key").then_some(CLIENT_KEY),
            ..Options::default()
        };
        let services = spawn_with(engine, options).await;
        services.set_clocks(NOON).await;
        Self { services, is_push: adapter == "datasync", is_parlay_x: adapter.starts_with("soap") }
    }

    /// Makes a number active; returns its browser with the session.
    async fn joined(&self, msisdn: &str) -> Browser {
        self.services.joined("memeworld", MEME, msisdn).await
    }

    /// Charges a day: the service requests the charges, or the network makes them and reports them.
    async fn bill(&self, day: &str) {
        if self.is_push {
            let reply = self.sandbox().post("/run-day", &json!({"day": day})).await;
            assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.bytes));
        } else {
            self.services.pass(day).await;
        }
    }

    fn sandbox(&self) -> Client {
        Client::new(self.services.sandbox, "localhost")
    }

    /// Replaces the faults of the network.
    async fn misbehave(&self, mut faults: Value) {
        faults["network"] = json!(NAME);
        assert_eq!(self.sandbox().post_as_admin("/internal/misbehave", &faults).await.status, 204, "{faults}");
    }

    /// Ends the faults of the network.
    async fn behave(&self) {
        self.misbehave(json!({})).await;
    }

    /// Sends STOP from a number.
    async fn send_stop(&self, msisdn: &str) {
        let reply = self.sandbox().post("/sms", &json!({"msisdn": msisdn, "text": "STOP"})).await;
        assert_eq!((reply.status, reply.json()), (200, json!({"stopped": 1})));
    }

    /// How many of a number's subscriptions run at the network.
    async fn running_at_network(&self, msisdn: &str) -> usize {
        let all = self.sandbox().get_ok("/subscriptions?since=2060-01-01T00:00:00Z").await;
        let is_running =
            |one: &&Value| one["user_msisdn"] == self.services.name_at_network(msisdn) && one["status_id"] == 2;
        all.as_array().unwrap().iter().filter(is_running).count()
    }

    /// The cents that the network charged and refunded for a day.
    async fn charged_and_refunded(&self, day: &str) -> (i64, i64) {
        let sum = |rows: &[Value]| rows.iter().map(|row| row["cents"].as_i64().unwrap()).sum();
        let refunds = self.sandbox().get_ok(&format!("/refunds?day={day}")).await;
        (sum(&self.services.charges(day).await), sum(refunds.as_array().unwrap()))
    }

    /// The refunds of a number that have this status in the ledger, once there is one.
    async fn wait_for_refund(&self, day: &str, msisdn: &str, status: &str) -> LedgerRow {
        let find = async || {
            let rows = self.services.ledger(day).await;
            rows.into_iter().find(|row| {
                row.msisdn == self.services.subscriber(msisdn) && row.kind == "refund" && row.status == status
            })
        };
        eventually(&format!("a {status} refund"), async || find().await.is_some()).await;
        find().await.unwrap()
    }

    async fn state(&self, msisdn: &str) -> String {
        self.services.state_and_causes(msisdn).await.0
    }

    /// Compares a day with the network's list; the network's part of the reply, and each difference with its repair.
    async fn reconcile(&self, day: &str) -> (Value, Vec<(String, String)>) {
        let reply = self.services.admin("/internal/reconcile", &json!({"day": day})).await;
        assert_eq!(reply.status, 200, "{}", String::from_utf8_lossy(&reply.bytes));
        let reply = reply.json();
        let text = |difference: &Value, name: &str| difference[name].as_str().unwrap().to_owned();
        let all = reply["differences"].as_array().unwrap().iter();
        let mut differences: Vec<_> = all.map(|one| (text(one, "type"), text(one, "repair"))).collect();
        differences.sort();
        let mut networks = reply["networks"].as_array().unwrap().iter();
        (networks.find(|network| network["network"] == NAME).unwrap().clone(), differences)
    }
}

macro_rules! on_sqlite {
    ($adapter:ident: $($group:ident::{$($test:ident),* $(,)?})*) => {$($(
        mod $test {
            use testkit::{Engine, actix_web};

            use crate::conformance::{Network, $group};

            #[actix_web::test]
            async fn sqlite() {
                $group::$test(&Network::start(stringify!($adapter), Engine::Sqlite).await).await;
            }
        }
    )*)*};
}

macro_rules! on_both_engines {
    ($adapter:ident: $($group:ident::{$($test:ident),* $(,)?})*) => {$($(
        mod $test {
            use testkit::{Engine, actix_web};

            use crate::conformance::{Network, $group};

            #[actix_web::test]
            async fn sqlite() {
                $group::$test(&Network::start(stringify!($adapter), Engine::Sqlite).await).await;
            }

            #[actix_web::test]
            async fn postgres() {
                $group::$test(&Network::start(stringify!($adapter), Engine::Postgres).await).await;
            }
        }
    )*)*};
}

/// What holds for every network.
macro_rules! every_network {
    ($adapter:ident, $suite:ident) => {
        $suite! { $adapter:
            joins::{
                a_confirmed_join_is_active_and_charged_once,
                a_declined_join_charges_nothing,
                a_join_while_the_network_is_away_is_503_and_leaves_nothing,
                a_verify_opens_a_session_and_charges_nothing,
            }
            refunds::{a_refund_is_made_once, a_refused_refund_is_failed}
            stops::{
                a_leave_ends_the_networks_subscription,
                a_leave_while_the_network_is_away_is_reported_later,
                a_stop_by_sms_ends_the_subscription_once,
                a_leave_by_the_networks_page_ends_the_subscription,
            }
            notifications::{
                an_unsigned_notification_is_401,
                an_unreadable_notification_is_kept_and_delays_nothing,
            }
            reconciling::{
                a_charge_that_the_ledger_lost_is_settled,
                a_charge_that_was_never_made_is_countered,
                a_list_of_several_pages_is_read_to_its_end,
                a_list_that_fails_changes_nothing,
                an_unreadable_row_is_one_difference,
            }
        }
    };
}

macro_rules! pull_network {
    ($adapter:ident, $suite:ident) => {
        mod $adapter {
            every_network!($adapter, $suite);
            $suite! { $adapter:
                charges::{
                    a_number_without_airtime_is_suspended,
                    an_unanswered_charge_is_not_made_and_suspends_no_subscriber,
                    a_lost_reply_is_queried_and_charged_once,
                    a_busy_network_is_tried_again,
                    a_reply_that_names_no_clear_result_settles_nothing,
                    an_accepted_charge_is_settled_when_its_result_is_there,
                    a_subscription_that_the_network_does_not_have_ends,
                    an_unavailable_network_suspends_no_subscriber,
                }
            }
        }
    };
}

macro_rules! push_network {
    ($adapter:ident, $suite:ident) => {
        mod $adapter {
            every_network!($adapter, $suite);
            $suite! { $adapter:
                push::{
                    a_number_without_airtime_is_suspended,
                    a_charge_reported_twice_is_settled_once,
                    events_out_of_order_are_settled_once,
                    a_second_charge_of_a_day_is_refunded,
                    a_charge_of_another_amount_settles_nothing,
                    a_late_event_of_another_id_starts_nothing_again,
                }
            }
        }
    };
}

/// What holds where a day is charged in part; and what becomes of a no whose reply was lost, which not every API can show later.
macro_rules! network_in_parts {
    ($adapter:ident, $suite:ident, $lost_no:ident) => {
        mod $adapter {
            $suite! { $adapter:
                parts::{
                    a_low_airtime_is_charged_in_part_once_a_day,
                    a_part_is_refunded_as_it_was_charged,
                    a_part_that_the_ledger_lost_is_settled_at_its_amount,
                    $lost_no,
                    a_result_that_comes_later_leads_to_a_smaller_amount,
                    an_amount_that_got_no_answer_is_the_only_one_of_its_day,
                    an_unanswered_part_is_tried_again_under_its_own_key,
                    each_pass_requests_each_amount_again,
                }
            }
        }
    };
}

/// What holds for CAMARA's APIs, too.
macro_rules! camara_network {
    ($adapter:ident, $suite:ident, $payments:ident) => {
        pull_network!($adapter, $suite);
        mod $payments {
            $suite! { $adapter:
                payments::{
                    an_access_token_that_the_network_refuses_is_renewed,
                    a_denied_payment_is_followed_by_another_in_the_next_pass,
                    a_refund_without_the_networks_id_finds_the_payment,
                }
            }
        }
    };
}

/// What holds for the networks that know their SIMs.
macro_rules! network_with_sims {
    ($adapter:ident, $suite:ident) => {
        mod $adapter {
            $suite! { $adapter:
                sims::{
                    a_join_by_the_sims_number_is_active_and_charged_once,
                    a_browser_without_this_networks_sim_is_back_at_the_form,
                    a_network_that_does_not_tell_the_number_leads_back_to_the_form,
                    a_swapped_sim_is_kept_and_opens_no_session_by_itself,
                    a_network_that_does_not_tell_of_swaps_delays_no_join,
                    a_number_that_was_given_to_another_person_begins_anew,
                    a_number_that_is_proved_is_its_former_owners_no_more,
                }
            }
        }
    };
}

/// What only a reply with fields can say.
macro_rules! network_that_names_charges {
    ($adapter:ident, $suite:ident, $name:ident) => {
        mod $name {
            $suite! { $adapter:
                charges::{an_accepted_charge_that_fails_is_failed}
                refunds::{a_partial_refund_is_recorded_as_it_was_made}
            }
        }
    };
}

pull_network!(rest, on_sqlite);
network_that_names_charges!(rest, on_sqlite, rest_names_charges);
network_that_names_charges!(camara, on_sqlite, camara_names_charges);
// The adapter that carries tokens, in both directions: `brands.toml` refuses them with the others.
pull_network!(rest_with_tokens, on_both_engines);
pull_network!(soap, on_sqlite);
network_in_parts!(rest_in_parts, on_both_engines, a_lost_no_is_queried_before_a_smaller_amount_is_tried);
network_in_parts!(soap_in_parts, on_sqlite, a_lost_no_is_queried_before_a_smaller_amount_is_tried);
network_in_parts!(camara_in_two_steps_in_parts, on_sqlite, a_lost_no_is_queried_before_a_smaller_amount_is_tried);
// In one step, what is refused at once is no payment.
network_in_parts!(camara_in_parts, on_sqlite, a_lost_no_without_a_payment_is_the_only_amount_of_its_day);
camara_network!(camara, on_sqlite, camara_payments);
camara_network!(camara_in_two_steps, on_sqlite, camara_payments_in_two_steps);
network_with_sims!(camara_with_sims, on_sqlite);
network_with_sims!(camara_with_a_key, on_both_engines);
push_network!(datasync, on_both_engines);
