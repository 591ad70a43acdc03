//! No log line contains a whole number.

use std::{
    io::Write,
    sync::{LazyLock, Mutex, Once},
};

use serde_json::json;
use testkit::on_each_engine;

use crate::{
    ledger::{DAY, NOON},
    services::{MEME, Options, TT, TestServices, eventually, number, spawn, spawn_with},
};

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

/// Captures every log line of this process from now on, down to debug. A test that fails shows the last ones of the service.
pub fn capture() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let filter = tracing_subscriber::EnvFilter::new("debug");
        tracing_subscriber::fmt().with_env_filter(filter).with_ansi(false).with_writer(|| Lines).init();
        let print_panic = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            // Where the panic holds the lock, there is nothing to show.
            let lines = LINES.try_lock().map(|lines| String::from_utf8_lossy(&lines).into_owned()).unwrap_or_default();
            let of_service: Vec<&str> = lines.lines().filter(|line| !line.contains(" DEBUG ")).collect();
            for line in of_service.iter().rev().take(12).rev() {
                eprintln!("{line}");
            }
            print_panic(panic);
        }));
    });
}

/// Whether a line with this text was logged.
pub fn is_logged(text: &str) -> bool {
    String::from_utf8_lossy(&LINES.lock().unwrap()).contains(text)
}

/// Whether a line that was logged contains this number.
pub fn has_number(national: &str) -> bool {
    String::from_utf8_lossy(&LINES.lock().unwrap()).lines().any(|line| contains_number(line, national))
}

/// Whether a line contains this number as a word, in any spelling; its digits may be part of a time or an id by chance.
fn contains_number(line: &str, national: &str) -> bool {
    line.split(|c: char| !c.is_ascii_alphanumeric() && c != '.')
        .filter_map(|word| word.trim_end_matches('.').strip_suffix(national))
        .any(|before| matches!(before, "" | "0" | "27" | "0027" | "2B27"))
}

#[test]
fn contains_number_finds_any_spelling() {
    for line in
        ["msisdn=27820120007", "to 0820120007.", "/inbox/27820120007?", "a=%2B27820120007&", "\"0027820120007\""]
    {
        assert!(contains_number(line, "820120007"), "{line}");
    }
    for line in ["duration_ms=0.820120007", "id=1795233605820120007", "0e3f-a1b820120007", "27••••••007"] {
        assert!(!contains_number(line, "820120007"), "{line}");
    }
}

/// Charges every kind of number, and makes the operators' calls.
async fn bill(services: &TestServices) {
    for ending in ["0003", "0005", "0006", "1111"] {
        services.joined("memeworld", MEME, &number(ending)).await;
    }
    for _ in 0..3 {
        services.pass(DAY).await;
    }
    let line = services.ledger(DAY).await.into_iter().find(|line| line.status == "settled").unwrap();
    services.execute_in_sandbox("DELETE FROM charges".to_owned()).await;
    assert_eq!(
        services.admin("/internal/refund", &json!({"ledger_id": line.id, "reason": "a test"})).await.status,
        200
    );
    assert_eq!(services.admin("/internal/reconcile", &json!({"day": DAY})).await.status, 200);
}

on_each_engine! {
    async fn logs_of_a_whole_lifecycle_contain_no_number(engine) {
        let services = spawn(engine).await;
        // In quiet hours the SMS about a charge that was under way during the leave would wait for the morning.
        services.set_clocks(NOON).await;
        let msisdn = number("0007");
        for (label, svc_id) in [("memeworld", MEME), ("ttmbhatv", TT)] {
            let browser = services.joined(label, svc_id, &msisdn).await;
            browser.post("/api/subscribe/verify", &json!({"msisdn": msisdn, "svc_id": svc_id})).await;
            browser.try_to_join(&msisdn, svc_id).await;
            browser.post("/api/subscribe/unsubscribe", &json!({"svc_id": svc_id})).await;
        }
        let garbled = json!({"status_id": "x", "user_msisdn": msisdn, "svc_id": msisdn});
        services.notify("sandbox-push", "m1", &garbled).await;
        eventually("quiet", async || services.count("outbox", "done_at IS NULL").await == 0).await;
        bill(&services).await;
        let away = spawn_with(engine, Options { operator_down: true, ..Options::default() }).await;
        away.browser("memeworld").try_to_join(&msisdn, MEME).await;
        let lines = String::from_utf8_lossy(&LINES.lock().unwrap()).into_owned();
        assert!(lines.contains("27••••••007"), "the masked number is there");
        let national = &msisdn[2..];
        let leaking_lines: Vec<&str> = lines.lines().filter(|line| contains_number(line, national)).collect();
        assert!(leaking_lines.is_empty(), "{leaking_lines:#?}");
    }
}
