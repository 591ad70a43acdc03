//! Every address of the meme service.

use actix_web::web::{Data, ServiceConfig, scope};
use serde_json::Value;
use service::openapi::{self, Endpoints};

use crate::{app::App, categories, import, likes, memes};

/// Below `/api/meme`.
const VISITORS: Endpoints = service::endpoints! {
    public GET "/getMemeCategories" => categories::list_categories,
    public GET "/random" => memes::draw_memes,
    public GET "/getMemeValue/{id}" => memes::list_memes,
    visitor GET "/mine" => likes::list_own_likes,
    owner POST "/postlike" => likes::add_like,
    owner DELETE "/unlike" => likes::remove_like,
};

/// Below `/internal`.
const EDITORS: Endpoints = service::endpoints! {
    admin POST "/imports" => intake::open_import,
    admin POST "/imports/{id}/records" => import::add_records,
    admin POST "/imports/{id}/check" => intake::check_import,
    admin POST "/imports/{id}/apply" => intake::apply_import,
    admin DELETE "/imports/{id}" => intake::drop_import,
    admin POST "/take-downs" => intake::take_down,
    admin GET "/take-downs" => intake::list_take_downs,
};

/// The service's OpenAPI document.
pub fn openapi() -> Value {
    let scopes = [("/api/meme", VISITORS), ("/internal", EDITORS)];
    openapi::document("meme", "Memes: by category, drawn at random, liked.", &scopes)
}

pub(crate) fn configure(routes: &mut ServiceConfig, app: &App) {
    routes
        .app_data(Data::new(app.clone()))
        .app_data(Data::new(app.desk()))
        .app_data(Data::new(app.brands.clone()))
        .app_data(Data::new(app.verifier.clone()))
        .app_data(Data::new(app.admin_token.clone()))
        .service(scope("/api/meme").configure(VISITORS.routes))
        .service(scope("/internal").app_data(service::body_config(intake::MAX_BATCH_BYTES)).configure(EDITORS.routes));
    openapi::publish(routes, &openapi());
}
