//! Every address of the meme service.

use actix_web::web::{Data, ServiceConfig, resource, scope};

use crate::{app::App, categories, import, likes, memes};

/// A manifest may be far larger than a visitor's request.
const MAX_IMPORT_BYTES: usize = 256 * 1024 * 1024;

pub(crate) fn configure(routes: &mut ServiceConfig, app: &App) {
    routes
        .app_data(Data::new(app.clone()))
        .app_data(Data::new(app.brands.clone()))
        .app_data(Data::new(app.verifier.clone()))
        .app_data(Data::new(app.admin_token.clone()))
        .service(
            scope("/api/meme")
                .service(resource("/getMemeCategories").get(categories::list_categories))
                .service(resource("/random").get(memes::draw_memes))
                .service(resource("/getMemeValue/{id}").get(memes::list_memes))
                .service(resource("/mine").get(likes::list_own_likes))
                .service(resource("/postlike").post(likes::add_like))
                .service(resource("/unlike").delete(likes::remove_like)),
        )
        .service(resource("/internal/import").app_data(web::body_config(MAX_IMPORT_BYTES)).post(import::import));
}
