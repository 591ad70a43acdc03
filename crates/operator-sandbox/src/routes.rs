//! Every address of the sandbox: what the other side calls, then what people see.

use actix_web::web::{Data, ServiceConfig, get, post};

use crate::{App, charges, inbox, opt_in_pages, opt_ins, stops};

pub(crate) fn configure(routes: &mut ServiceConfig, app: &App) {
    routes
        .app_data(Data::new(app.clone()))
        .route("/opt-ins", post().to(opt_ins::create))
        .route("/opt-ins/{reference}", get().to(opt_ins::get_opt_in))
        .route("/stops", post().to(stops::stop))
        .route("/messages", post().to(inbox::deliver))
        .route("/charges", get().to(charges::list_charges))
        .route("/sms", post().to(stops::take_sms))
        .route("/", get().to(opt_in_pages::index))
        .route("/opt-in", get().to(opt_in_pages::ask_number))
        .route("/opt-in", post().to(opt_in_pages::begin_here))
        .route("/opt-in/{reference}", get().to(opt_in_pages::show))
        .route("/opt-in/{reference}", post().to(opt_in_pages::answer))
        .route("/inbox", get().to(inbox::find))
        .route("/inbox/{msisdn}", get().to(inbox::show));
}
