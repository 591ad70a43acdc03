//! Services come and go while visitors send requests: every service has two processes, each in turn is stopped or killed, and started again,
//! and no visitor notices.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "a test that cannot go on must say so and fail"
)]

mod family;

use actix_web::rt::System;
use clap::Parser;
use service::{Running, Settings, StartError};
use testkit::Process;

use self::family::{Family, ROLE, SERVICES};

/// Not a test: what this program is where it is started as a service.
#[test]
#[ignore = "started by the other tests, as a service"]
fn run_service_as_process() {
    match std::env::var(ROLE).as_deref() {
        Ok("comedy") => serve(comedy::start),
        Ok("diski") => serve(diski::start),
        Ok("meme") => serve(meme::start),
        Ok("tt") => serve(tt::start),
        Ok("subscription") => serve(subscription::start),
        Ok(other) => panic!("there is no service {other}"),
        Err(_) => {}
    }
}

/// As `service::run`, but without the settings of a command line, which is the test's.
fn serve<C: Settings + Parser, F: Future<Output = Result<Running, StartError>>>(start: fn(C) -> F) {
    let config = C::try_parse_from(["service"]).unwrap();
    telemetry::init(config.log_format());
    System::new().block_on(async {
        let running = start(config).await.unwrap();
        tracing::info!("{} listens on {}", running.service, running.addr);
        service::stop_signal().await;
        running.stop().await;
    });
}

testkit::on_each_engine! {
    async fn rolling_restart_fails_no_request(engine) {
        let family = Family::start(engine).await;
        for service in 0..SERVICES.len() {
            for replica in 0..2 {
                family.restart(service, replica, async |process: Process| assert!(process.stop().await.success())).await;
            }
        }
        assert_eq!(family.faults(), [0; 5], "while processes were stopped");
        for (service, known) in SERVICES.iter().enumerate() {
            family.restart(service, service % 2, async |process: Process| process.kill()).await;
            // A request that was under way at the killed process is sent again to the other one: a GET may be.
            assert_eq!(family.faults(), [0; 5], "while a process of {} was killed", known.name);
        }
        family.close().await;
    }
}
