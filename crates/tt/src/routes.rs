//! Every route of the video-on-demand service; those of imports and take-downs are in `catalogue`.

use service::openapi::Endpoints;

use crate::{banners, categories, likes, search, videos, watchlist};

/// The endpoints below `/api/tt`.
pub(crate) const VISITORS: Endpoints = service::endpoints! {
    public GET "/getCategory/{service}" => categories::list_categories,
    public GET "/getcatvideos/{service}" => categories::list_with_videos,
    public GET "/catVideos/{cat}" => categories::get_category,
    public GET "/ttsinglevideo/{id}" => videos::get_video,
    public GET "/ttrelated/{status}" => videos::list_related,
    public GET "/search/{service}" => search::list_found,
    public GET "/banners/{service}" => banners::list_banners,
    visitor GET "/mine/{service}" => likes::get_own_state,
    owner POST "/likevideo" => likes::add_like,
    owner DELETE "/unlikevideo" => likes::remove_like,
    visitor GET "/getTTWatchlist/{service}" => watchlist::list_own,
    owner POST "/ttaddwatchlist" => watchlist::add_item,
    owner DELETE "/ttremove" => watchlist::remove_item,
};
