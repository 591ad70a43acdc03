//! What people see: pages that work without scripts.

use languages::{FluentArgs, Language};
use reqwest::Method;
use testkit::on_each_engine;

use crate::network::{MEME, spawn};

/// A text as pages write it.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
}

on_each_engine! {
    async fn the_page_asks_with_two_real_buttons(engine) {
        let network = spawn(engine).await;
        for (kind, words) in [("opt_in", "R3.00"), ("verify", "costs nothing"), ("leave", "not charged again")] {
            let reference = network.opt_in("0812341111", MEME, kind).await;
            let reply = network.client().get(&format!("/opt-in/{reference}")).await;
            let html = String::from_utf8(reply.bytes.clone()).unwrap();
            assert_eq!((reply.status, reply.header("content-type")), (200, "text/html; charset=utf-8"));
            assert!(html.contains(words) && html.contains("27••••••111") && !html.contains("812341111"), "{kind}");
            assert!(html.contains(&format!("<form method=\"post\" action=\"/opt-in/{reference}\">")));
            for button in ["value=\"confirm\">Confirm</button>", "value=\"decline\">Decline</button>"] {
                assert!(html.contains(button), "{kind} {button}");
            }
            assert!(!html.contains("<script"));
            assert_eq!(reply.header("x-frame-options"), "DENY");
            network.tap(&reference, "decline").await;
            let again = network.client().get(&format!("/opt-in/{reference}")).await;
            assert!(String::from_utf8(again.bytes).unwrap().contains("answered this already"));
        }
    }

    async fn the_page_is_in_the_language_of_its_address(engine) {
        let network = spawn(engine).await;
        let get = async |path: &str, accepts: &str| {
            let client = network.client();
            let reply = client.send(client.request(Method::GET, path).header("accept-language", accepts)).await;
            let language = reply.header("content-language").to_owned();
            let html = String::from_utf8(reply.bytes).unwrap();
            assert!(html.contains(&format!("<html lang=\"{language}-ZA\">")), "{html}");
            (language, html)
        };
        for language in Language::all().filter(|language| *language != Language::ENGLISH) {
            let code = language.code();
            for kind in ["opt_in", "verify", "leave"] {
                let reference = network.opt_in("0812341111", MEME, kind).await;
                let (shown, html) = get(&format!("/opt-in/{reference}?lang={code}"), "en").await;
                assert_eq!(shown, code);
                assert!(html.contains(&format!("<form method=\"post\" action=\"/opt-in/{reference}?lang={code}\">")), "{html}");
                assert_eq!(html.contains("R3.00"), kind == "opt_in");
                for id in ["network-confirm", "network-decline", "network-service", "network-number"] {
                    assert!(html.contains(&escaped(&language.text(id, &FluentArgs::new()))), "{code} {id}: {html}");
                }
                for english in ["Confirm", "Decline", "airtime every", "your number", "charged again", "per day", "To stop"] {
                    assert!(!html.contains(english), "{code}: {english}");
                }
                network.tap(&reference, "decline").await;
                let (_, answered) = get(&format!("/opt-in/{reference}?lang={code}"), "en").await;
                assert!(answered.contains(&language.text("network-answered", &FluentArgs::new())), "{answered}");
            }
            let (_, number) = get(&format!("/opt-in?svc_id={MEME}&lang={code}"), "en").await;
            assert!(number.contains(&format!("action=\"/opt-in?lang={code}\"")) && !number.contains("Your mobile number"));
            let form = [("svc_id", "150"), ("msisdn", "081 234 1111")];
            let next = network.form(&format!("/opt-in?lang={code}"), &form).await;
            assert!(next.header("location").ends_with(&format!("?lang={code}")));
            assert!(get(&format!("/opt-in/nothing?lang={code}"), "en").await.1.contains(&escaped(
                &language.text("network-no-page", &FluentArgs::new())
            )));
        }
        let reference = network.opt_in("0812341111", MEME, "opt_in").await;
        for (query, accepts, code) in [("", "fr", "en"), ("", "zu", "zu"), ("?lang=xx", "zu", "zu"), ("?lang=en", "zu", "en")] {
            assert_eq!(get(&format!("/opt-in/{reference}{query}"), accepts).await.0, code, "{query} {accepts}");
        }
    }

    async fn a_visitor_of_unknown_number_names_it_first(engine) {
        let network = spawn(engine).await;
        let page = network.client().get("/opt-in?svc_id=150").await;
        assert!(page.status == 200 && String::from_utf8(page.bytes).unwrap().contains("Join MEMEWORLD"));
        let wrong = network.form("/opt-in", &[("svc_id", "150"), ("msisdn", "12<b>")]).await;
        assert!(wrong.status == 422 && String::from_utf8(wrong.bytes).unwrap().contains("role=\"alert\""));
        let right = network.form("/opt-in", &[("svc_id", "150"), ("msisdn", "081 234 1111")]).await;
        let reference = right.header("location").strip_prefix("http://localhost:8090/opt-in/").unwrap().to_owned();
        let back = network.tap(&reference, "confirm").await;
        let received = network.receiver.receives(1).await;
        let body = &received[0].body;
        assert!(body["subscription_id"].is_null(), "the other side has no attempt for it");
        let id = body["network_subscription_id"].as_str().unwrap();
        assert_eq!(back, format!("http://memeworld.localhost:8080/DoiRedirect?msisdn=27812341111&subscription_id={id}&ext_ref="));
    }

    async fn a_page_that_asks_nothing_says_so(engine) {
        let network = spawn(engine).await;
        for path in ["/opt-in/nothing", "/opt-in/%00", "/opt-in?svc_id=1"] {
            let reply = network.client().get(path).await;
            assert_eq!((reply.status, reply.header("content-type")), (404, "text/html; charset=utf-8"), "{path}");
        }
        assert_eq!(network.form("/opt-in/nothing", &[("answer", "confirm")]).await.status, 404);
        assert_eq!(network.client().get("/").await.status, 200);
    }
}
