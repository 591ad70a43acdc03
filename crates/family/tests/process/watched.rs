//! What is watched exists: every metric and label that an alert or a panel names is exposed by a running family, every metric of the code
//! is exposed too, and deploy/RUNBOOK.md lists just these.

mod promql;

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};
use testkit::{Client, Scrape, eventually};

use self::promql::Named;
use crate::{Family, life::Browser, place, root};

/// The series that Prometheus itself adds for every process that it scrapes.
const OWN: [&str; 2] = ["up", "scrape_duration_seconds"];
const OWN_LABELS: [&str; 2] = ["job", "instance"];

/// What is wrong with an expression, where these metrics with these labels are all there is.
fn faults(text: &str, exposed: &BTreeMap<&str, BTreeSet<&str>>) -> Vec<String> {
    let named = Named::by(text);
    if named.metrics.is_empty() {
        return vec!["it names no metric".to_owned()];
    }
    let mut faults = Vec::new();
    let mut known: BTreeSet<&str> = OWN_LABELS.into();
    for (metric, labels) in &named.metrics {
        let Some(has) = exposed.get(metric.as_str()) else {
            faults.push(format!("no listener exposes {metric}"));
            continue;
        };
        known.extend(has);
        let missing =
            labels.iter().filter(|label| !has.contains(label.as_str()) && !OWN_LABELS.contains(&label.as_str()));
        faults.extend(missing.map(|label| format!("{metric} has no label {label}")));
    }
    let strange = named.groups.iter().filter(|label| !known.contains(label.as_str()));
    faults.extend(strange.map(|label| format!("nothing has a label {label}")));
    faults
}

/// The rules of the alerts: the names of recorded ones, and all expressions. `promtool` knows better whether the file is right
/// (`.ci/deploy-test`); here it is read line by line.
fn rules() -> (Vec<String>, Vec<String>) {
    let text = std::fs::read_to_string(root().join("deploy/observability/alerts.yml")).unwrap();
    let mut recorded = Vec::new();
    let mut expressions: Vec<String> = Vec::new();
    let mut block: Option<usize> = None;
    for line in text.lines() {
        let depth = line.len() - line.trim_start().len();
        if let Some(begin) = block {
            if depth > begin {
                let last = expressions.last_mut().unwrap();
                last.push_str(line);
                last.push(' ');
                continue;
            }
            block = None;
        }
        let entry = line.trim_start().trim_start_matches("- ");
        if let Some(name) = entry.strip_prefix("record: ") {
            recorded.push(name.to_owned());
        } else if let Some(expr) = entry.strip_prefix("expr: ") {
            block = (expr == "|").then_some(depth);
            expressions.push(if block.is_some() { String::new() } else { expr.to_owned() });
        }
    }
    (recorded, expressions)
}

/// The expressions of the dashboards, each with where it stands.
fn panels() -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root().join("deploy/observability/dashboards")).unwrap() {
        let path = entry.unwrap().path();
        let board: Value = serde_json::from_str(&std::fs::read_to_string(&path).unwrap()).unwrap();
        for panel in board["panels"].as_array().unwrap() {
            for target in panel["targets"].as_array().unwrap() {
                if let Some(text) = target["expr"].as_str() {
                    found.push((format!("{}: {}", path.display(), panel["title"]), text.to_owned()));
                }
            }
        }
    }
    found
}

/// Everything that the family's listeners expose.
async fn scrape(family: &Family) -> Scrape {
    let mut all = Scrape::default();
    for offset in [9, 1, 2, 3, 4, 5, 10] {
        all = all.and(Scrape::of(([127, 0, 0, 1], family.port + offset).into()).await);
    }
    all
}

/// A metric without what a histogram's parts add to its name.
fn whole(name: &str) -> &str {
    ["_bucket", "_sum", "_count"].iter().find_map(|part| name.strip_suffix(part)).unwrap_or(name)
}

testkit::on_each_engine! {
    async fn alerts_and_dashboards_use_exposed_metrics(engine) {
        let (home, store) = place(engine).await;
        let family = Family::start(home.path(), &store).await;
        // One of each web vital, a playback, a join, and a signed notification of unknown kind: the other metrics exist from the start.
        let mut browser = Browser::new(&family, "memeworld");
        browser.join(150, "0812345108").await;
        for (name, value) in [("LCP", 1234.0), ("INP", 56.0), ("CLS", 0.01)] {
            let figure = json!({ "page": "any", "name": name, "value": value, "rating": "good" });
            let gateway = Client::new(([127, 0, 0, 1], family.port).into(), "memeworld.localhost");
            assert_eq!(gateway.post("/api/vitals", &figure).await.status, 204);
        }
        let play = json!({ "v": 2, "msd": 900, "bsa": 0, "bsda": 0, "spaza-played": 60_000, "spaza-rendition": "360p" });
        let gateway = Client::new(([127, 0, 0, 1], family.port).into(), "memeworld.localhost");
        assert_eq!(gateway.post("/api/vitals", &play).await.status, 204);
        let (body, sent) = (r#"{"what":"nobody knows"}"#, chrono::Utc::now().timestamp());
        let secret = operator::NotifySecret::parse("whsec_ZGV2LW5vdGlmeQ==").unwrap();
        let reply = testkit::client()
            .post(format!("http://127.0.0.1:{}/api/subscribe/notify/sandbox-pull", family.port))
            .header(operator::HEADER_ID, "watched")
            .header(operator::HEADER_TIMESTAMP, sent)
            .header(operator::HEADER_SIGNATURE, secret.sign("watched", sent, body.as_bytes()))
            .body(body);
        assert_eq!(reply.send().await.unwrap().status(), 200);

        let memes = [("service", "memeworld"), ("state", "active")];
        // Several listeners of one process report the same metric: the sum is one or more.
        eventually("the join is counted", async || scrape(&family).await.sum("spaza_subscriptions", &memes) >= 1.0).await;
        let scraped = scrape(&family).await;
        let mut exposed = scraped.names();
        for metric in telemetry::names::ALL.iter().map(|(name, ..)| *name) {
            assert!(exposed.keys().any(|name| whole(name) == metric || *name == metric), "no listener exposes {metric}");
        }
        for name in exposed.keys().filter(|name| name.starts_with("spaza_")) {
            let listed = telemetry::names::ALL.iter().any(|(known, ..)| known == name || *known == whole(name));
            assert!(listed, "{name} is exposed and not among the family's names");
        }

        let (recorded, rules) = rules();
        for name in OWN.into_iter().chain(recorded.iter().map(String::as_str)) {
            exposed.insert(name, ["alarm"].into());
        }
        let panels = panels();
        assert!(rules.len() > 10 && panels.len() > 20, "{} rules and {} panels", rules.len(), panels.len());
        let expressions = rules.into_iter().map(|text| ("alerts.yml".to_owned(), text)).chain(panels);
        let faults: Vec<_> = expressions
            .flat_map(|(place, text)| faults(&text, &exposed).into_iter().map(move |fault| format!("{place}: {fault}: {text}")))
            .collect();
        assert!(faults.is_empty(), "{}", faults.join("\n"));
        assert_eq!(family.end("INT"), Some(0));
    }
}

#[test]
fn unknown_names_and_labels_are_found() {
    let exposed = BTreeMap::from([
        ("spaza_a_total", BTreeSet::from(["service", "outcome"])),
        ("spaza_b_bucket", BTreeSet::from(["service", "le"])),
    ]);
    for (text, count) in [
        ("sum by (service) (rate(spaza_a_total{outcome=\"x\", job=~\"tt\"}[5m]))", 0),
        ("histogram_quantile(0.9, sum by (service, le) (rate(spaza_b_bucket[5m]))) > 2", 0),
        ("sum by (service) (rate(spaza_typo_total[5m]))", 2),
        ("spaza_a_total / spaza_typo_total", 1),
        ("rate(spaza_a_total{result=\"x\"}[5m])", 1),
        ("sum by (brand) (spaza_a_total)", 1),
        ("topk(10, a_b) * 60 unless spaza_a_total offset 15m", 1),
        ("spaza_a_total > 0 and on (service) spaza_b_bucket{le=\"+Inf\"} == bool 1", 0),
        ("1 + 1", 1),
    ] {
        let found = faults(text, &exposed);
        assert_eq!(found.len(), count, "{text}: {found:?}");
    }
}

#[test]
fn documents_list_all_metrics() {
    let text = std::fs::read_to_string(root().join("deploy/RUNBOOK.md")).unwrap();
    let rows: BTreeSet<&str> =
        text.lines().filter_map(|line| line.strip_prefix("| `spaza_")?.split('`').next()).collect();
    let names: BTreeSet<&str> =
        telemetry::names::ALL.iter().map(|(name, ..)| name.trim_start_matches("spaza_")).collect();
    assert_eq!(rows, names);
}
