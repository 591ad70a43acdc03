//! What a person sees once everything is up: a link per brand, and what to type.

#![expect(clippy::print_stdout, reason = "this is the one thing that a person who starts the family is here to read")]

use brands::Brands;

use crate::config::{Config, Ports};

/// Prints one link per brand's join form and how to get in; and the first administrator's link, while there is no administrator.
pub fn print(config: &Config, brands: &Brands, ports: &Ports, first_link: Option<&str>) {
    println!("\nSpaza is up. Join a site:\n");
    for brand in brands.iter() {
        for label in &brand.labels {
            println!("  {:<12} {}{}", label, brands.public_url(&brand, label, ports.gateway), brand.join);
        }
    }
    println!("\nType any South African mobile number, such as 0812345678, tap JOIN, then Confirm at the operator.");
    if !config.test_msisdn.trim().is_empty() {
        println!("The test number {} goes straight in.", config.test_msisdn);
    }
    println!(
        "A directory of all sites: http://localhost:{}/    SMSes to a number: http://localhost:{}/inbox/27812345678",
        ports.gateway, ports.operator_sandbox
    );
    println!("The back office: http://localhost:{}/", ports.backoffice);
    if let Some(link) = first_link {
        println!("It has no administrator yet; this link makes one, once: {link}");
    }
    println!("Stop with Ctrl-C.\n");
}
