//! Every address of the service.

use actix_web::{
    http::header,
    middleware::DefaultHeaders,
    web::{Data, ServiceConfig, get, post, scope},
};

use crate::{App, check_sub, internal, join, leave, me, notifications, test_session, verify};

pub(crate) fn configure(routes: &mut ServiceConfig, app: &App) {
    // Whatever is said here is about one person, or about one moment.
    let no_store = || DefaultHeaders::new().add((header::CACHE_CONTROL, "no-store"));
    routes
        .app_data(Data::new(app.clone()))
        .app_data(Data::new(app.brands.clone()))
        .app_data(Data::new(app.verifier.clone()))
        .app_data(Data::new(app.admin_token.clone()))
        .service(
            scope("/api/subscribe")
                .wrap(no_store())
                .route("", post().to(join::join))
                .route("/check-sub", get().to(check_sub::check_sub))
                .route("/me", get().to(me::me))
                .route("/verify", post().to(verify::verify))
                .route("/unsubscribe", post().to(leave::leave))
                .route("/notify/{network}", post().to(notifications::take)),
        )
        .service(scope("/api/session").wrap(no_store()).route("/test", post().to(test_session::open)))
        .service(scope("/internal").wrap(no_store()).route("/subscriptions/{msisdn}", get().to(internal::get_account)));
}
