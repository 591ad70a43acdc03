//! A network that tells the number of a phone's SIM, from outside: a stranger joins without typing, is charged once, watches and leaves; what comes
//! back to another browser, a second time or with another state joins no number; and a swapped SIM is shown to support.

use std::{fs::File, path::Path, process::Command};

use brands::Kind;
use reqwest::{StatusCode, header};
use serde_json::{Value, json};
use testkit::{Engine, eventually};

use crate::{
    life::{Browser, first_video, watches},
    networks::{Site, days},
    support::{Office, of_kind},
};

const NETWORK: &str = "example";
const DISKI: i32 = 151;
const LABEL: &str = "diski99";

/// The demo's network and brand that know SIMs.
const DEMO: (&str, &str, i32) = ("protea", "memeworld", 150);

/// A family that writes its log to a file, with diski99 on a network that tells numbers.
async fn open(engine: Engine, log: &Path) -> Site {
    Site::open_with(engine, |command: &mut Command| {
        let brands = command.get_envs().find(|(name, _)| *name == "BRANDS_FILE").unwrap().1.unwrap().to_owned();
        let text = std::fs::read_to_string(&brands).unwrap();
        if !text.contains("[network.example]") {
            let entry = format!(
                "[network.{NETWORK}]\nname = \"Example Mobile\"\nadapter = \"camara\"\n\
                 camara = {{ number_verification = {{}}, sim_swap = {{}} }}\n\n[[brand]]\n"
            );
            let sold = text.replacen("[[brand]]\n", &entry, 1);
            let own = format!("svc_id = {DISKI}\nnetwork = ");
            assert!(sold.contains(&own));
            std::fs::write(&brands, sold.replace(&format!("{own}\"sandbox-pull\""), &format!("{own}\"{NETWORK}\"")))
                .unwrap();
        }
        let file = File::options().create(true).append(true).open(log).unwrap();
        command.stdout(file.try_clone().unwrap()).stderr(file).env("RUST_LOG", "debug,hyper=info,h2=info");
    })
    .await
}

/// The network looks at the SIM of a browser that was sent to it; the path that it sends the browser back to.
async fn recognised(port: u16, label: &str, page: &str, sim: &str) -> String {
    let at_network = |host: &str| {
        let request = testkit::client().get(page).header(header::HOST, host.to_owned());
        request.header(header::COOKIE, format!("sim={sim}"))
    };
    // The cookie is one of the network's public host, to which it sends the browser first.
    let (own, public) = (format!("127.0.0.1:{}", port + 10), format!("localhost:{}", port + 10));
    let moved = at_network(&own).send().await.unwrap();
    assert_eq!(moved.status(), StatusCode::FOUND);
    let moved_to = moved.headers()[header::LOCATION].to_str().unwrap().to_owned();
    assert_eq!(moved_to, page.replace("127.0.0.1", "localhost"));
    let back = at_network(&public).send().await.unwrap();
    let back = back.headers()[header::LOCATION].to_str().unwrap().to_owned();
    back.strip_prefix(&format!("http://{label}.localhost:{port}")).unwrap().to_owned()
}

/// Taps the button of a network; the path that the network sends the browser back to.
async fn tap(browser: &mut Browser<'_>, port: u16, (network, label): (&str, &str), sim: &str) -> String {
    let page = browser.location(&format!("/api/subscribe/verify-number?network={network}&ext_ref=banner")).await;
    assert!(page.starts_with("http://127.0.0.1:"), "{page}");
    recognised(port, label, &page, sim).await
}

/// Confirms on the network's page; the result of the check that follows.
async fn confirm(browser: &mut Browser<'_>, page: &str) -> i64 {
    let back = browser.answer(page).await;
    let (_, query) = back.split_once("/DoiRedirect?").unwrap();
    browser.json("GET", &format!("/api/subscribe/check-sub?{query}"), Value::Null).await["result"].as_i64().unwrap()
}

testkit::on_each_engine! {
    async fn stranger_joins_without_typing_is_charged_once_watches_and_leaves(engine) {
        let logs = tempfile::tempdir().unwrap();
        let log = logs.path().join("log");
        let site = open(engine, &log).await;
        let (port, [today, tomorrow, _]) = (site.family.port, days());
        let msisdn = "27822345021";

        let mut browser = Browser::new(&site.family, LABEL);
        let (_, page) = browser.text("GET", "/diskilogin", Value::Null).await;
        assert!(page.contains(&format!("\"by_sim\":[{{\"name\":\"Example Mobile\",\"network\":\"{NETWORK}\"")), "{page}");
        let (_, elsewhere) = Browser::new(&site.family, "mcfunny").text("GET", "/login", Value::Null).await;
        assert!(!elsewhere.contains("by_sim"), "the brand is not sold there");

        let back = tap(&mut browser, port, (NETWORK, LABEL), msisdn).await;
        // Another browser; one that has begun itself; a state that does not exist; the same on another brand's host.
        let mut other = Browser::new(&site.family, LABEL);
        assert_eq!(other.location(&back).await, "/diskilogin?sim=failed");
        let own = tap(&mut other, port, (NETWORK, LABEL), "27822345022").await;
        assert_eq!(other.location(&back).await, "/diskilogin?sim=failed");
        let state = |path: &str| path.rsplit_once("state=").unwrap().1.to_owned();
        assert_eq!(other.location(&own.replace(&state(&own), &state(&back))).await, "/diskilogin?sim=failed");
        assert_eq!(other.location(&own.replace(&state(&own), "guessed")).await, "/diskilogin?sim=failed");

        let page = browser.location(&back).await;
        assert!(page.contains("/opt-in/") && !page.contains(&msisdn[2..]), "{page}");
        assert_eq!(browser.location(&back).await, "/diskilogin?sim=failed", "a second time");
        assert!(!browser.is_in().await, "nothing is confirmed yet");
        assert_eq!(confirm(&mut browser, &page).await, 1);
        assert!(browser.is_in().await && !other.is_in().await);
        let text = std::fs::read_to_string(&log).unwrap();
        assert!(text.contains("sent to the network to recognise the SIM"));
        assert_eq!(text.lines().find(|line| line.contains(&msisdn[2..])), None, "a line of the log has the number");

        site.wait_for_settled(&today, msisdn).await;
        site.pass(&today).await;
        assert_eq!(site.charged_by(NETWORK, &today).await.len(), 1, "charged once");
        assert_eq!(site.state(msisdn).await, ("active".to_owned(), NETWORK.to_owned()));
        assert_eq!(site.account("27822345022").await["subscriptions"], json!([]));
        let vurl = first_video(&mut browser, Kind::Diski, LABEL).await;
        watches(&mut browser, &vurl).await;
        browser.leave(DISKI).await;
        eventually("the end at the network", async || !site.runs_at(NETWORK, msisdn).await).await;
        site.go_to(&tomorrow).await;
        site.pass(&tomorrow).await;
        assert_eq!(site.charged_by(NETWORK, &tomorrow).await, []);

        // No SIM of this network: back to the form, where typing goes on.
        let back = tap(&mut other, port, (NETWORK, LABEL), "").await;
        assert_eq!(other.location(&back).await, "/diskilogin?ext_ref=banner&sim=unknown");
        let (status, form) = other.text("GET", "/diskilogin?ext_ref=banner&sim=unknown", Value::Null).await;
        assert!(status == 200 && form.contains("by_sim"), "{form}");
        other.join(DISKI, "27822345023").await;
    }

    async fn support_sees_that_a_sim_was_swapped(engine) {
        testkit::away_from_midnight().await;
        let office = Office::open(engine).await;
        let (network, label, svc_id) = DEMO;
        // Of the network's range, and swapped a day ago.
        let msisdn = "27721000015";
        let mut browser = Browser::new(&office.family, label);
        let back = tap(&mut browser, office.family.port, (network, label), msisdn).await;
        let page = browser.location(&back).await;
        assert_eq!(confirm(&mut browser, &page).await, 1);
        assert!(browser.is_in().await);
        // The SIM alone opens no session on another browser.
        let mut thief = Browser::new(&office.family, label);
        let back = tap(&mut thief, office.family.port, (network, label), msisdn).await;
        assert!(thief.location(&back).await.contains("/opt-in/") && !thief.is_in().await);

        let support = office.invite("sipho@spaza.example", "support").await;
        let record = support.search(msisdn).await;
        let swaps: Vec<_> = of_kind(&record, "state").into_iter().map(|entry| entry["text"].clone()).collect();
        assert_eq!(swaps, vec![json!("The SIM of this number was changed shortly before, its network says"); 2], "{record}");
        browser.leave(svc_id).await;
    }
}
