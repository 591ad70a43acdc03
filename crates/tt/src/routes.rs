//! Every address of the video-on-demand service.

use actix_web::web::{Data, ServiceConfig, resource, scope};

use crate::{app::App, banners, categories, import, likes, videos, watchlist};

/// A manifest may be far larger than a visitor's request.
const MAX_IMPORT_BYTES: usize = 256 * 1024 * 1024;

pub(crate) fn configure(routes: &mut ServiceConfig, app: &App) {
    routes
        .app_data(Data::new(app.clone()))
        .app_data(Data::new(app.brands.clone()))
        .app_data(Data::new(app.verifier.clone()))
        .app_data(Data::new(app.admin_token.clone()))
        .service(
            scope("/api/tt")
                .service(resource("/getCategory/{service}").get(categories::list_categories))
                .service(resource("/getcatvideos/{service}").get(categories::list_with_videos))
                .service(resource("/catVideos/{cat}").get(categories::get_category))
                .service(resource("/ttsinglevideo/{id}").get(videos::get_video))
                .service(resource("/ttrelated/{status}").get(videos::list_related))
                .service(resource("/banners/{service}").get(banners::list_banners))
                .service(resource("/mine/{service}").get(likes::get_own_state))
                .service(resource("/likevideo").post(likes::add_like))
                .service(resource("/unlikevideo").delete(likes::remove_like))
                .service(resource("/getTTWatchlist/{service}").get(watchlist::list_own))
                .service(resource("/ttaddwatchlist").post(watchlist::add_item))
                .service(resource("/ttremove").delete(watchlist::remove_item)),
        )
        .service(resource("/internal/import").app_data(web::body_config(MAX_IMPORT_BYTES)).post(import::import));
}
