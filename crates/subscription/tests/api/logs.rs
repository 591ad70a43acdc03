//! No log line holds a whole number.

use std::{
    io::Write,
    sync::{LazyLock, Mutex, Once},
};

use serde_json::json;
use testkit::on_each_engine;

use crate::family::{MEME, TT, Wishes, eventually, number, spawn, spawn_with};

static LINES: LazyLock<Mutex<Vec<u8>>> = LazyLock::new(Mutex::default);

struct Lines;

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        LINES.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Keeps every line of this process from now on, down to debug.
pub fn capture() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let filter = tracing_subscriber::EnvFilter::new("debug");
        tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).with_writer(|| Lines).init();
    });
}

on_each_engine! {
    async fn no_line_of_a_whole_life_holds_a_number(engine) {
        let family = spawn(engine).await;
        let msisdn = number("0007");
        for (label, svc_id) in [("memeworld", MEME), ("ttmbhatv", TT)] {
            let browser = family.joined(label, svc_id, &msisdn).await;
            browser.post("/api/subscribe/verify", &json!({"msisdn": msisdn, "svc_id": svc_id})).await;
            browser.try_to_join(&msisdn, svc_id).await;
            browser.post("/api/subscribe/unsubscribe", &json!({"svc_id": svc_id})).await;
        }
        let garbled = json!({"status_id": "x", "user_msisdn": msisdn, "svc_id": msisdn});
        family.notify("sandbox-push", "m1", &garbled).await;
        eventually("quiet", async || family.count("outbox", "done_at IS NULL").await == 0).await;
        let away = spawn_with(engine, Wishes { dead_operator: true, ..Wishes::default() }).await;
        away.browser("memeworld").try_to_join(&msisdn, MEME).await;
        let lines = String::from_utf8_lossy(&LINES.lock().unwrap()).into_owned();
        assert!(lines.contains("27••••••007"), "the masked number is there");
        let national = &msisdn[2..];
        let told: Vec<&str> = lines.lines().filter(|line| line.contains(national)).collect();
        assert!(told.is_empty(), "{told:#?}");
    }
}
