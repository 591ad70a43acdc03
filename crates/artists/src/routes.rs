//! Every address of a catalogue of artists, below the service's own prefix.

use actix_web::web::{self as actix, Data, ServiceConfig, get, post};

use crate::{App, artists, import, videos};

/// A manifest may be far larger than a visitor's request.
const MAX_IMPORT_BYTES: usize = 64 * 1024 * 1024;

pub(crate) fn configure(routes: &mut ServiceConfig, app: &App) {
    routes
        .app_data(Data::new(app.clone()))
        .app_data(Data::new(app.admin_token.clone()))
        .service(
            actix::scope(app.publication.prefix)
                .route("/fetchArtist", get().to(artists::list_artists))
                .route("/fetchsingle/{id}", get().to(videos::get_video))
                .route("/common/{mid}", get().to(videos::list_videos))
                .route("/fetchVideos/{artist_id}", get().to(videos::list_videos)),
        )
        .service(
            actix::resource("/internal/import")
                .app_data(::web::body_config(MAX_IMPORT_BYTES))
                .route(post().to(import::import)),
        );
}
