//! Every address of a catalogue of artists, below the service's own prefix.

use actix_web::web::{Data, ServiceConfig, resource, scope};

use crate::{App, artists, import, videos};

/// A manifest may be far larger than a visitor's request.
const MAX_IMPORT_BYTES: usize = 64 * 1024 * 1024;

pub(crate) fn configure(routes: &mut ServiceConfig, app: &App) {
    routes
        .app_data(Data::new(app.clone()))
        .app_data(Data::new(app.admin_token.clone()))
        .service(
            scope(app.publication.prefix)
                .service(resource("/fetchArtist").get(artists::list_artists))
                .service(resource("/fetchsingle/{id}").get(videos::get_video))
                .service(resource("/common/{mid}").get(videos::list_videos))
                .service(resource("/fetchVideos/{artist_id}").get(videos::list_videos)),
        )
        .service(resource("/internal/import").app_data(web::body_config(MAX_IMPORT_BYTES)).post(import::import));
}
