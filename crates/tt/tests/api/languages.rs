//! `error_message` in the language of the call.

use serde_json::json;
use testkit::Reply;

use crate::{App, spawn_app};

impl App {
    async fn call(&self, method: &str, path: &str, accepts: &str) -> Reply {
        let request = self.client.request(method.parse().unwrap(), path).header("accept-language", accepts);
        self.client.send(request.header("content-type", "application/json").body("{}")).await
    }
}

testkit::on_each_engine! {
    async fn error_is_in_the_language_that_the_call_accepts(engine) {
        let app = spawn_app(engine).await;
        for (method, path, status, english, zulu) in [
            ("GET", "/api/tt/ttsinglevideo/999999", 404, "There is no such video.", "Ayikho ividiyo enjalo."),
            ("GET", "/api/tt/ttsinglevideo/0", 400, "The address could not be understood.", "Ikheli aliqondakalanga."),
            ("GET", "/api/tt/search/ttmbhatv?q=%20", 400, "Type a word to search for.", "Thayipha igama ozolisesha."),
            ("GET", "/api/tt/nothing/here", 404, "There is nothing at this address.", "Akukho lutho kuleli kheli."),
            (
                "POST",
                "/api/tt/likevideo",
                401,
                "Please join or confirm it's you first.",
                "Sicela ujoyine kuqala noma uqinisekise ukuthi nguwe.",
            ),
        ] {
            for (accepts, code, text) in
                [("", "en", english), ("fr", "en", english), ("zu-ZA,en;q=0.5", "zu", zulu), ("en, zu;q=0.9", "en", english)]
            {
                let reply = app.call(method, path, accepts).await;
                assert_eq!((reply.status, reply.header("content-language")), (status, code), "{path} {accepts}");
                assert_eq!((reply.header("vary"), reply.header("cache-control")), ("accept-language", "no-store"));
                let problem = reply.json();
                assert_eq!((problem["error_message"].as_str(), &problem["detail"]), (Some(text), &json!(text)), "{path}");
            }
        }
    }

    async fn error_of_a_machines_call_is_in_english(engine) {
        let app = spawn_app(engine).await;
        let reply = app.call("POST", "/internal/imports", "zu").await;
        assert_eq!((reply.status, reply.header("content-language")), (401, "en"));
        assert_eq!(reply.json()["error_message"], "This call needs the admin token.");
    }
}
