//! The operator sandbox over HTTP, with a listener in the place of the subscription service, on both engines.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on must say so and fail"
)]

mod charges;
mod clock;
mod faults;
mod house;
mod inbox;
mod misbehaviour;
mod misbehaviour_of_push;
mod network;
mod notifications;
mod numbers;
mod opt_ins;
mod pages;
mod push;
mod refunds;
mod sims;
mod soap;

testkit::on_each_engine! {
    async fn its_program_brings_the_tables_up_to_date_and_ends(engine) {
        testkit::check_migrate(env!("CARGO_BIN_EXE_operator-sandbox"), "operator_sandbox", "operator_sandbox", engine).await;
    }
}

#[testkit::actix_web::test]
async fn its_program_serves_no_real_customers() {
    let settings = [("PRODUCTION", "1"), ("BIND", "127.0.0.1:0"), ("NOTIFY_SECRET", network::SECRET)];
    let line = testkit::failed_start(env!("CARGO_BIN_EXE_operator-sandbox"), &settings).await;
    assert!(line.starts_with("PRODUCTION: "), "{line}");
}
