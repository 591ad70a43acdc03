//! The gateway's process: settings that it rejects in production.

#[testkit::actix_web::test]
async fn program_in_production_rejects_weak_settings() {
    let key = testkit::minter().public_key();
    let settings = [
        ("OPS_BIND", "127.0.0.1:0"),
        ("OPERATOR_PUBLIC_URL", "https://join.network.example"),
        ("SESSION_PUBLIC_KEYS", &key),
        ("FRONTEND_DIR", "/nowhere"),
    ];
    let published = format!("{key},k4.public.eO_Kf_9QeY9usk6ydg3ltc3GhBQnCbGVXX8pFwcjegk");
    let refused = [
        ("OPERATOR_PUBLIC_URL", "http://join.network.example"),
        ("OPERATOR_PUBLIC_URL", "https://localhost:8090"),
        ("SESSION_PUBLIC_KEYS", &published),
        ("TEST_MSISDN", "27600000000"),
    ];
    testkit::check_production(env!("CARGO_BIN_EXE_gateway"), &settings, "FRONTEND_DIR", &refused).await;
}
