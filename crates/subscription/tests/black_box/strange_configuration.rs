//! A `brands.toml` that can only be a mistake is refused with one line that names it; every key that the guide calls optional is optional.

use testkit::on_each_engine;

use crate::service::{MEMEWORLD, Setup, TTMBHA, TestEnv, number};

/// A mistake, and what the line says of it.
type Mistake = (fn(String) -> String, &'static str);

fn in_network(text: String, line: &str) -> String {
    text.replacen("[network.sandbox-pull]\n", &format!("[network.sandbox-pull]\n{line}\n"), 1)
}

fn in_brand(text: String, line: &str) -> String {
    text.replacen("svc_id = 150\n", &format!("svc_id = 150\n{line}\n"), 1)
}

/// Of any file.
const MISTAKES: [Mistake; 12] = [
    (|text| in_network(text, "quiet_hours = [\"08:00\", \"20:00\"]"), "quiet_hours"),
    (|text| in_network(text, "quiet_hours = [\"00:00\", \"00:00\"]"), "quiet_hours"),
    (|text| text.replacen("stop_number = \"31222\"", "stop_number = \"\"", 1), "stop_number is empty"),
    (|text| text.replacen("helpline = \"", "helpline = \" \"\n# \"", 1), "helpline is empty"),
    (|text| in_brand(text, "offer = { price_cents = 3 }"), "a price of 3 cents; the lowest is 50"),
    (|text| in_brand(text, "offer = { price_cents = 4650000 }"), "could never be charged"),
    (|text| in_brand(text, "offer = { prise_cents = 300 }"), "offer: unknown field `prise_cents`"),
    (|text| in_brand(text, "offer = { period = \"year\" }"), "offer: unknown variant `year`"),
    (|text| in_brand(text, "offer = { parts = [100, 300] }"), "offer: parts [100, 300]"),
    (|text| text.replacen("\nurl = \"http://", "\nurl = \"ftp://", 1), "url of network sandbox-pull"),
    (|text| text.replacen("\nurl = \"http://", "\nurl = \"elsewhere:", 1), "url of network sandbox-pull"),
    (|text| text.replacen("\nurl = \"http://", "\nurl = \"elsewhere/", 1), "url of network sandbox-pull"),
];

/// Of a file under running subscriptions.
const CHANGES: [Mistake; 3] = [
    (
        |text| {
            let brands = text.split("\n[[brand]]\n").filter(|brand| !brand.contains("svc_id = 150"));
            brands.collect::<Vec<_>>().join("\n[[brand]]\n")
        },
        "the brand with svc_id 150 is missing",
    ),
    (|text| text.replacen("adapter = \"rest\"", "adapter = \"soap\"", 1), "network sandbox-pull: its adapter was rest"),
    (|text| in_network(text, "subscribers = \"token\""), "network sandbox-pull: its subscribers were named by number"),
];

on_each_engine! {
    async fn mistakes_in_brands_toml_end_the_start_with_one_line(engine) {
        let mut env = Setup::new(engine).setting("NETWORK_CREDENTIALS", "wasp:secret").start().await;
        for (change, _) in CHANGES {
            env.write_brands(&[], change);
            env.restart("09:30:00").await;
        }
        env.write_brands(&[], |text| text);
        env.restart("10:00:00").await;
        env.join_at_network(&env.pull, &number(1), MEMEWORLD).await;
        env.join_at_network(&env.push, &number(2), TTMBHA).await;
        for (change, line) in MISTAKES.into_iter().chain(CHANGES) {
            let last = env.refused_start(change).await;
            assert!(last.contains(line) && last.contains("BRANDS_FILE"), "{line}: {last}");
        }
        env.write_brands(&[], |text| text);
        env.restart("11:00:00").await;
        assert_eq!(env.state(&number(1), MEMEWORLD).await, "active");
    }

    async fn keys_of_an_offer_are_optional(engine) {
        let mut env = TestEnv::start(engine).await;
        for offer in ["parts = [300, 200]", "free_days = 1", "period = \"week\"", "price_cents = 300"] {
            env.change_brands("svc_id = 150\n", &format!("svc_id = 150\noffer = {{ {offer} }}\n"));
            env.restart("09:30:00").await;
            let (page, _) = env.browser("memeworld").join(&number(1), MEMEWORLD).await;
            assert!(page.starts_with(&env.pull.url()), "{offer}");
            env.change_brands(&format!("svc_id = 150\noffer = {{ {offer} }}\n"), "svc_id = 150\n");
        }
    }
}
