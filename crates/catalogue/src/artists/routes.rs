//! Every route of a catalogue of artists; those of imports and take-downs are in `app`.

use service::openapi::Endpoints;

use super::{artist, search, videos};

/// The endpoints below the publication's prefix.
pub(super) const VISITORS: Endpoints = service::endpoints! {
    public GET "/fetchArtist" => artist::list_artists,
    public GET "/fetchsingle/{id}" => videos::get_video,
    public GET "/common/{mid}" => videos::list_videos,
    public GET "/fetchVideos/{artist_id}" => videos::list_videos,
    public GET "/search/{service}" => search::list_found,
};
