//! Every address of the video-on-demand service.

use actix_web::web::{Data, ServiceConfig, scope};
use serde_json::Value;
use service::openapi::{self, Endpoints};

use crate::{app::App, banners, categories, import, likes, videos, watchlist};

/// Below `/api/tt`.
const VISITORS: Endpoints = service::endpoints! {
    public GET "/getCategory/{service}" => categories::list_categories,
    public GET "/getcatvideos/{service}" => categories::list_with_videos,
    public GET "/catVideos/{cat}" => categories::get_category,
    public GET "/ttsinglevideo/{id}" => videos::get_video,
    public GET "/ttrelated/{status}" => videos::list_related,
    public GET "/banners/{service}" => banners::list_banners,
    visitor GET "/mine/{service}" => likes::get_own_state,
    owner POST "/likevideo" => likes::add_like,
    owner DELETE "/unlikevideo" => likes::remove_like,
    visitor GET "/getTTWatchlist/{service}" => watchlist::list_own,
    owner POST "/ttaddwatchlist" => watchlist::add_item,
    owner DELETE "/ttremove" => watchlist::remove_item,
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
    let scopes = [("/api/tt", VISITORS), ("/internal", EDITORS)];
    openapi::document("tt", "Video on demand: categories, videos, banners, likes, the watchlist.", &scopes)
}

pub(crate) fn configure(routes: &mut ServiceConfig, app: &App) {
    routes
        .app_data(Data::new(app.clone()))
        .app_data(Data::new(app.desk()))
        .app_data(Data::new(app.brands.clone()))
        .app_data(Data::new(app.verifier.clone()))
        .app_data(Data::new(app.admin_token.clone()))
        .service(scope("/api/tt").configure(VISITORS.routes))
        .service(scope("/internal").app_data(service::body_config(intake::MAX_BATCH_BYTES)).configure(EDITORS.routes));
    openapi::publish(routes, &openapi());
}
