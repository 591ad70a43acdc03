//! Requests that violate HTTP or limits, sent to the gateway and, if installed, to nginx in front of the same service: `make attack`.

#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    reason = "a test that cannot go on must say so and fail, and this one prints a table"
)]

mod cases;
mod floods;
mod servers;

use std::{sync::Mutex, thread};

use cases::Outcome;
use servers::{Server, Service};

/// The host of all requests.
const HOST: &str = "memeworld.localhost";

/// The time limit of heads and bodies in seconds, for both servers.
const SECONDS: u64 = 2;

fn row(case: &str, gateway: &str, nginx: &str) {
    println!("{case:<44} {gateway:<26} {nginx}");
}

#[test]
#[ignore = "it takes a minute and hundreds of connections: make attack"]
fn gateway_rejects_violations_and_survives_floods() {
    let service = Service::start();
    let folder = tempfile::tempdir().unwrap();
    let gateway = Server::gateway(folder.path(), service.addr);
    let nginx = Server::nginx(folder.path(), service.addr);
    let mut faults = Vec::new();
    row("case", "gateway", if nginx.is_some() { "nginx" } else { "nginx (not installed)" });

    // Run concurrently, since each case waits until its connection is closed.
    let outcomes: Mutex<Vec<(usize, Outcome, Option<Outcome>)>> = Mutex::default();
    let cases = cases::all();
    thread::scope(|scope| {
        for (at, case) in cases.iter().enumerate() {
            let (outcomes, gateway, nginx) = (&outcomes, &gateway, nginx.as_ref());
            scope.spawn(move || {
                let of_nginx = nginx.map(|nginx| case.send(nginx.addr));
                let of_gateway = case.send(gateway.addr);
                outcomes.lock().unwrap().push((at, of_gateway, of_nginx));
            });
        }
    });
    let mut outcomes = outcomes.into_inner().unwrap();
    outcomes.sort_by_key(|(at, ..)| *at);
    for (at, of_gateway, of_nginx) in &outcomes {
        let case = &cases[*at];
        row(case.name, &of_gateway.text(), &of_nginx.as_ref().map_or_else(String::new, Outcome::text));
        if !case.expected.contains(&of_gateway.statuses.as_slice()) {
            faults.push(format!("{}: {} is none of {:?}", case.name, of_gateway.text(), case.expected));
        }
        if !of_gateway.is_closed {
            faults.push(format!("{}: the connection is still open", case.name));
        }
    }
    // nginx may parse a request differently: its service calls are told apart by their mark.
    for path in service.seen() {
        if path.contains("smuggled") && path.contains(&gateway.mark()) {
            faults.push(format!("{path} reached the service"));
        }
    }

    for (name, flood) in floods::ALL {
        let (text, fault) = flood(&gateway);
        let of_nginx = nginx.as_ref().map_or_else(String::new, |nginx| flood(nginx).0);
        row(name, &text, &of_nginx);
        faults.extend(fault.map(|fault| format!("{name}: {fault}")));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
