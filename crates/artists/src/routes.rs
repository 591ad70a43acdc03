//! Every address of a catalogue of artists, below the service's own prefix.

use actix_web::web::{Data, ServiceConfig, scope};
use serde_json::Value;
use service::openapi::{self, Endpoints};

use crate::{App, Publication, artists, import, videos};

/// Below the publication's prefix.
const VISITORS: Endpoints = service::endpoints! {
    public GET "/fetchArtist" => artists::list_artists,
    public GET "/fetchsingle/{id}" => videos::get_video,
    public GET "/common/{mid}" => videos::list_videos,
    public GET "/fetchVideos/{artist_id}" => videos::list_videos,
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

/// The OpenAPI document of one publication.
pub fn openapi(publication: Publication) -> Value {
    let scopes = [(publication.prefix, VISITORS), ("/internal", EDITORS)];
    openapi::document(publication.name, publication.about, &scopes)
}

pub(crate) fn configure(routes: &mut ServiceConfig, app: &App) {
    routes
        .app_data(Data::new(app.clone()))
        .app_data(Data::new(app.desk()))
        .app_data(Data::new(app.admin_token.clone()))
        .service(scope(app.publication.prefix).configure(VISITORS.routes))
        .service(scope("/internal").app_data(service::body_config(intake::MAX_BATCH_BYTES)).configure(EDITORS.routes));
    openapi::publish(routes, &openapi(app.publication));
}
