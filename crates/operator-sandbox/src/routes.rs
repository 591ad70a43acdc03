//! Every address of the sandbox: what tests ask, what the other side calls, then what people see.

use actix_web::{
    middleware::from_fn,
    web::{Data, ServiceConfig, get, post, scope},
};

use crate::{
    App, called_network, camara, charges, clock, faults, inbox, misbehaviour, moved_numbers, opt_in_pages, opt_ins,
    refunds, run_day, soap, stops, subscription_list, tokens,
};

pub(crate) fn configure(routes: &mut ServiceConfig, app: &App) {
    routes
        .app_data(Data::new(app.clone()))
        .app_data(Data::new(app.admin_token.clone()))
        .service(scope("/internal").configure(tests))
        .service(scope("").wrap(from_fn(faults::inject)).wrap(from_fn(called_network::route)).configure(network));
}

fn tests(routes: &mut ServiceConfig) {
    routes
        .route("/clock", post().to(clock::move_clock))
        .route("/outage", post().to(faults::set_outage))
        .route("/chaos", post().to(faults::set_chaos))
        .route("/numbers", post().to(moved_numbers::move_number))
        .route("/tokens", post().to(tokens::get_token))
        .route("/misbehave", post().to(misbehaviour::misbehave));
}

fn network(routes: &mut ServiceConfig) {
    routes
        .route("/opt-ins", post().to(opt_ins::create))
        .route("/opt-ins/{reference}", get().to(opt_ins::get_opt_in))
        .route("/subscriptions", get().to(subscription_list::list_subscriptions))
        .route("/stops", post().to(stops::stop))
        .route("/messages", post().to(inbox::deliver))
        .route("/charges", post().to(charges::charge))
        .route("/charges", get().to(charges::list_charges))
        .route("/charges/{key}", get().to(charges::get_charge))
        .route("/refunds", post().to(refunds::refund))
        .route("/refunds", get().to(refunds::list_refunds))
        .route("/AmountChargingService/services/AmountCharging", post().to(soap::call))
        .route("/SendSmsService/services/SendSms", post().to(soap::call))
        .route("/SubscribeManageService/services/SubscribeManage", post().to(soap::call))
        .service(scope("/camara").configure(camara_apis))
        .route("/run-day", post().to(run_day::run_day))
        .route("/numbers", get().to(moved_numbers::get_network))
        .route("/sms", post().to(stops::receive_sms))
        .route("/", get().to(opt_in_pages::index))
        .route("/sim", get().to(camara::show_sim))
        .route("/sim", post().to(camara::put_sim))
        .route("/opt-in", get().to(opt_in_pages::show_number_form))
        .route("/opt-in", post().to(opt_in_pages::begin_here))
        .route("/opt-in/{reference}", get().to(opt_in_pages::show))
        .route("/opt-in/{reference}", post().to(opt_in_pages::answer))
        .route("/opt-in/{reference}/number", post().to(opt_in_pages::take_number))
        .route("/inbox", get().to(inbox::find))
        .route("/inbox/{msisdn}", get().to(inbox::show))
        .route("/inbox/{msisdn}", post().to(inbox::write));
}

fn camara_apis(routes: &mut ServiceConfig) {
    routes
        .route("/oauth2/authorize", get().to(camara::authorize))
        .route("/oauth2/token", post().to(camara::token))
        .route("/number-verification/v2/device-phone-number", get().to(camara::get_number))
        .route("/number-verification/v2/verify", post().to(camara::verify))
        .route("/sim-swap/v2/check", post().to(camara::check_swap))
        .route("/number-recycling/v0.3/check", post().to(camara::check_recycling))
        .route("/carrier-billing/v0.5/payments", post().to(camara::create_payment))
        .route("/carrier-billing/v0.5/payments", get().to(camara::list_payments))
        .route("/carrier-billing/v0.5/payments/prepare", post().to(camara::prepare_payment))
        .route("/carrier-billing/v0.5/payments/{id}", get().to(camara::get_payment))
        .route("/carrier-billing/v0.5/payments/{id}/confirm", post().to(camara::confirm_payment))
        .route("/carrier-billing/v0.5/payments/{id}/cancel", post().to(camara::cancel_payment))
        .route("/carrier-billing-refund/v0.3/payments/{id}/refunds", post().to(camara::create_refund))
        .route("/carrier-billing-refund/v0.3/payments/{id}/refunds", get().to(camara::list_refunds));
}
