//! The SMS inbox.

use serde_json::json;
use testkit::on_each_engine;

use crate::network::{MEME, spawn};

on_each_engine! {
    async fn an_sms_arrives_once_and_is_shown(engine) {
        let network = spawn(engine).await;
        let client = network.client();
        let sms = json!({"key": "k1", "msisdn": "27812341111", "svc_id": MEME, "text": "Hello & <welcome>"});
        for _ in 0..2 {
            assert_eq!(client.post("/messages", &sms).await.status, 204);
        }
        let page = client.get("/inbox/0812341111").await;
        let html = String::from_utf8(page.bytes).unwrap();
        assert_eq!(html.matches("Hello &amp; &lt;welcome&gt;").count(), 1);
        let request = client.request(reqwest::Method::GET, "/inbox/27812341111").header("accept", "application/json");
        let messages = client.send(request).await.json();
        assert_eq!((messages.as_array().unwrap().len(), messages[0]["text"].as_str()), (1, Some("Hello & <welcome>")));
        assert_eq!(messages[0]["valid_seconds"], 86_400, "that of an SMS that names none");
        assert!(String::from_utf8(client.get("/inbox/0812342222").await.bytes).unwrap().contains("No messages yet"));
        assert_eq!(client.get("/inbox?msisdn=081+234+1111").await.header("location"), "/inbox/27812341111");
        assert_eq!(client.get("/inbox/nonsense").await.status, 422);
    }
}
