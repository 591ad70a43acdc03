//! Every route of the meme service; those of imports and take-downs are in `catalogue`.

use service::openapi::Endpoints;

use crate::{categories, likes, memes, search};

/// The endpoints below `/api/meme`.
pub(crate) const VISITORS: Endpoints = service::endpoints! {
    public GET "/getMemeCategories" => categories::list_categories,
    public GET "/random" => memes::draw_memes,
    public GET "/getMemeValue/{id}" => memes::list_memes,
    public GET "/search/{service}" => search::list_found,
    visitor GET "/mine" => likes::list_own_likes,
    visitor GET "/liked" => likes::list_liked,
    owner POST "/postlike" => likes::add_like,
    owner DELETE "/unlike" => likes::remove_like,
};
