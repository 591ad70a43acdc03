//! `/internal/persons/{msisdn}`: numbers as people write and paste them.

use reqwest::Method;
use testkit::ADMIN_TOKEN;

use crate::spawn_app;

testkit::on_each_engine! {
    async fn number_is_read_in_any_form(engine) {
        let app = spawn_app(engine).await;
        for (typed, right) in testkit::corpus("phones") {
            let path: String = url::form_urlencoded::byte_serialize(typed.as_bytes()).collect();
            let path = format!("/internal/persons/{}", path.replace('+', "%20"));
            for method in [Method::GET, Method::DELETE] {
                let reply = app.client.send(app.client.request(method, &path).bearer_auth(ADMIN_TOKEN)).await;
                // An address ends before an empty number.
                let refused = if typed.is_empty() { 404 } else { 422 };
                assert_eq!(reply.status, if right == "refused" { refused } else { 200 }, "{typed:?}");
            }
        }
    }
}
