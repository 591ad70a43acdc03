//! All endpoints of the service.

use actix_web::{
    http::header,
    middleware::DefaultHeaders,
    web::{Data, ServiceConfig, scope},
};
use serde_json::Value;
use service::openapi::{self, Endpoints};

use crate::{
    App, NAME,
    billing::{pause, reconcile, refund, scheduler},
    inbound::{catch_up, notifications},
    joins::{
        check_sub, human_check, join, language, leave, me, number_verification, opt_in_link, receipt, saving_key,
        test_session, verify,
    },
    ledger::{books, daily_subscribers, export},
    publishers::{counts, evidence, list},
    subscribers::blocks,
    support::{account, cases, consent_document, overview, personal_data},
    upkeep::clock,
};

/// Below `/api/subscribe`.
const VISITORS: Endpoints = service::endpoints! {
    public POST "" => join::join,
    public POST "/challenge" => human_check::issue_challenge,
    public GET "/check-sub" => check_sub::check_sub,
    public GET "/opt-in" => opt_in_link::follow_link,
    session GET "/me" => me::me,
    session GET "/receipt" => receipt::list_entries,
    session POST "/complaint" => receipt::complain,
    session POST "/language" => language::choose_language,
    session POST "/saving-key" => saving_key::derive_key,
    public POST "/verify" => verify::verify,
    public GET "/verify-number" => number_verification::request_number,
    public GET "/verify-number/return" => number_verification::receive_number,
    visitor POST "/unsubscribe" => leave::leave,
    network POST "/notify/{network}" => notifications::receive,
};

/// Below `/api/session`.
const TEST_NUMBER: Endpoints = service::endpoints! {
    public POST "/test" => test_session::open,
};

/// Below `/internal`.
const OPERATORS: Endpoints = service::endpoints! {
    support_scope GET "/subscriptions/{msisdn}" => account::get_account,
    support_scope POST "/subscriptions/{id}/end" => leave::end_subscription,
    support_scope GET "/consent/{msisdn}" => consent_document::get_document,
    support_scope PUT "/blocks/{msisdn}" => blocks::add_block,
    support_scope DELETE "/blocks/{msisdn}" => blocks::remove_block,
    support_scope GET "/persons/{msisdn}" => personal_data::get_personal_data,
    support_scope DELETE "/persons/{msisdn}" => personal_data::erase,
    support_scope GET "/persons/{msisdn}/erasure" => personal_data::preview_erasure,
    support_scope POST "/messages/{id}/retry" => account::retry_message,
    support_scope POST "/messages/{id}/resend" => account::resend_message,
    admin POST "/billing/run" => scheduler::run_pass,
    finance_scope GET "/charges/pauses" => pause::list_pauses,
    finance_scope POST "/charges/pause" => pause::pause_charges,
    finance_scope POST "/charges/resume" => pause::resume_charges,
    admin GET "/ledger" => export::get_ledger,
    admin POST "/catch-up" => catch_up::catch_up,
    finance_scope GET "/books" => books::get_books,
    finance_scope GET "/reconciliations" => books::list_compared_days,
    finance_scope POST "/reconcile" => reconcile::reconcile,
    finance_scope GET "/subscribers" => daily_subscribers::list_days,
    finance_scope GET "/publishers" => list::list_publishers,
    finance_scope GET "/publishers/evidence" => evidence::get_evidence,
    support_scope POST "/publishers/{decision}" => counts::decide_publisher,
    support_scope GET "/cases" => cases::list_open,
    support_scope GET "/cases/{id}" => cases::get_case,
    support_scope POST "/cases/{id}/close" => cases::close_case,
    support_scope POST "/refund" => refund::refund,
    support_scope POST "/refunds" => refund::refund_all,
    overview_scope GET "/overview" => overview::get_overview,
    admin POST "/clock" => clock::move_clock,
};

/// The service's OpenAPI document.
pub fn openapi() -> Value {
    let scopes = [("/api/subscribe", VISITORS), ("/api/session", TEST_NUMBER), ("/internal", OPERATORS)];
    openapi::document(NAME, "Joining, verification, subscriptions and leaving.", &scopes)
}

/// Adds them, with what they need of the service.
pub fn configure(routes: &mut ServiceConfig, app: &App) {
    // Every reply is about one subscriber, or about one moment.
    let no_store = || DefaultHeaders::new().add((header::CACHE_CONTROL, "no-store"));
    routes
        .app_data(Data::new(app.clone()))
        .app_data(Data::new(app.brands.clone()))
        .app_data(Data::new(app.verifier.clone()))
        .app_data(Data::new(app.admin_token.clone()))
        .service(scope("/api/subscribe").wrap(no_store()).configure(VISITORS.routes))
        .service(scope("/api/session").wrap(no_store()).configure(TEST_NUMBER.routes))
        .service(scope("/internal").wrap(no_store()).configure(OPERATORS.routes));
    openapi::publish(routes, openapi);
}
