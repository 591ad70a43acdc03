//! Reads the public lists of the services, page by page.

use std::collections::VecDeque;

use brands::{Brands, Kind};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use serde::Deserialize;

use super::{Film, Listed, Picture};
use crate::{
    CallError, Services,
    services::{Visitor, unknown},
};

/// A record of any list; fields that its kind does not have are `None`.
#[derive(Deserialize)]
struct Row {
    id: i64,
    vurl: Option<String>,
    #[serde(alias = "artist_img_url", alias = "imgurl")]
    image: Option<String>,
    duration_s: Option<i64>,
    bytes: Option<i64>,
    captions: Option<String>,
}

/// A list, bare or with a name beside it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Reply {
    Bare(Vec<Row>),
    Named {
        #[serde(alias = "memeData")]
        videos: Vec<Row>,
    },
}

/// A list that is still to be read.
struct List {
    visitor: Visitor,
    service: String,
    /// Its records.
    kind: &'static str,
    /// Its address, up to the parameters that select a page.
    address: String,
    /// The last record that was read.
    after: i64,
    /// The list of each record's children, and its address before the record's id.
    within: Option<(&'static str, &'static str)>,
}

/// Every list of some services.
pub struct Pages(VecDeque<List>);

impl Pages {
    /// The lists of one service, or of all.
    pub fn of(brands: &Brands, services: &Services, service: Option<&str>) -> Result<Self, CallError> {
        let mut lists = VecDeque::new();
        for brand in brands.iter().filter(|brand| service.is_none_or(|name| brand.has_name(name))) {
            let visitor = Visitor::new(services, brand.kind, &brand.service, brand.label())?;
            let name = utf8_percent_encode(&brand.service, NON_ALPHANUMERIC);
            let mut add = |kind, address: String, within| {
                let (visitor, service) = (visitor.clone(), brand.service.clone());
                lists.push_back(List { visitor, service, kind, address, after: 0, within });
            };
            match brand.kind {
                Kind::Comedy => add(
                    "artist",
                    format!("/api/madfunny/fetchArtist?service={name}&"),
                    Some(("video", "/api/madfunny/fetchVideos/")),
                ),
                Kind::Diski => add(
                    "artist",
                    format!("/api/diski/fetchArtist?service={name}&"),
                    Some(("video", "/api/diski/fetchVideos/")),
                ),
                Kind::Meme => {
                    add(
                        "category",
                        "/api/meme/getMemeCategories?".to_owned(),
                        Some(("meme", "/api/meme/getMemeValue/")),
                    );
                }
                Kind::Tt => {
                    add("category", format!("/api/tt/getCategory/{name}?"), Some(("video", "/api/tt/catVideos/")));
                    add("banner", format!("/api/tt/banners/{name}?"), None);
                }
            }
        }
        match (service, lists.is_empty()) {
            (Some(service), true) => Err(unknown(brands, service)),
            _ => Ok(Self(lists)),
        }
    }

    /// The next page; none after the last.
    pub async fn next(&mut self) -> Result<Option<Vec<Listed>>, CallError> {
        let Some(mut list) = self.0.pop_front() else { return Ok(None) };
        let page: Reply = list.visitor.get(&format!("{}limit=200&after={}", list.address, list.after)).await?;
        let rows = match page {
            Reply::Bare(rows) | Reply::Named { videos: rows } => rows,
        };
        if let Some((kind, before)) = list.within {
            for row in rows.iter().rev() {
                let (visitor, service) = (list.visitor.clone(), list.service.clone());
                let address = format!("{before}{}?", row.id);
                self.0.push_front(List { visitor, service, kind, address, after: 0, within: None });
            }
        }
        let listed = rows.iter().map(|row| list.listed(row)).collect();
        // The page after the last record is empty, however many fit a page.
        if let Some(last) = rows.last() {
            list.after = last.id;
            let index = if list.within.is_some() { rows.len() } else { 0 };
            self.0.insert(index, list);
        }
        Ok(Some(listed))
    }
}

/// The path of an address: what it has as per cent signs is as in the file's name.
fn plain(address: &str) -> String {
    percent_decode_str(address).decode_utf8_lossy().into_owned()
}

impl List {
    fn listed(&self, row: &Row) -> Listed {
        let film = row.vurl.clone().map(|address| Film {
            address: plain(&address),
            seconds: row.duration_s.unwrap_or_default(),
            bytes: row.bytes.unwrap_or_default(),
            captions: row.captions.as_deref().map(plain),
        });
        let picture = row.image.clone().map(|address| Picture { address, whole: self.kind != "meme" });
        Listed { service: self.service.clone(), kind: self.kind, id: row.id, film, picture }
    }
}
