//! A visitor: reads lists and videos, requests random memes, likes, edits a watchlist, and checks that its changes are kept.

use std::{cell::RefCell, collections::BTreeSet, rc::Rc};

use reqwest::{
    Method,
    header::{ACCEPT_ENCODING, COOKIE},
};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::{
    editor::{Markers, shown},
    family::Family,
    rng::Rng,
    tally::Tally,
};
use crate::{
    fixture::{Service, listed, people},
    load::Request,
};

/// Lists that show the editor's number.
const LISTS: [(Service, &str); 8] = [
    (Service::Tt, "/api/tt/getcatvideos/ttmbhatv"),
    (Service::Tt, "/api/tt/getCategory/ttmbhatv"),
    (Service::Tt, "/api/tt/catVideos/1"),
    (Service::Tt, "/api/tt/ttrelated/drama"),
    (Service::Meme, "/api/meme/getMemeCategories"),
    (Service::Meme, "/api/meme/getMemeValue/1"),
    (Service::Comedy, "/api/madfunny/fetchArtist?service=mcfunny"),
    (Service::Comedy, "/api/madfunny/fetchVideos/1"),
];

/// How many memes and videos a visitor likes from.
const FAVOURITES: u64 = 40;

/// What a visitor has changed and must find again.
#[derive(Default)]
struct OwnLists {
    memes: BTreeSet<u64>,
    videos: BTreeSet<u64>,
    watchlist: BTreeSet<u64>,
}

/// A visitor.
pub(super) struct Visitor {
    number: usize,
    family: Rc<Family>,
    markers: Rc<Markers>,
    tally: Rc<RefCell<Tally>>,
    meme_cookie: String,
    tt_cookie: String,
    own: OwnLists,
    rng: Rng,
    turn: usize,
}

impl Visitor {
    pub fn new(number: usize, family: Rc<Family>, markers: Rc<Markers>, tally: Rc<RefCell<Tally>>) -> Self {
        let msisdn = people::visitor(number);
        let cookie = |label, svc_id| testkit::session_cookie(label, svc_id, &msisdn);
        Self {
            number,
            family,
            markers,
            tally,
            meme_cookie: cookie("memeworld", 150),
            tt_cookie: cookie("ttmbhatv", 152),
            own: OwnLists::default(),
            rng: Rng::of(number),
            turn: number,
        }
    }

    /// Performs actions until the end.
    pub async fn visit_until(mut self, end: Instant) -> anyhow::Result<()> {
        while Instant::now() < end {
            match self.rng.below(100) {
                0..40 => self.read_list().await,
                40..55 => self.read_video().await,
                55..65 => {
                    self.read("random", Service::Meme, "/api/meme/random").await;
                }
                65..75 => self.like_meme().await,
                75..85 => self.like_video().await,
                85..92 => self.check_own_lists().await,
                _ => self.edit_watchlist().await,
            }
        }
        Ok(())
    }

    async fn read_list(&mut self) {
        let Some((service, path)) = self.rng.pick(&LISTS) else { return };
        if self.rng.below(3) == 0 {
            // Compressed: the content is not checked.
            let request = Request::get(&self.host(*service), path).header(ACCEPT_ENCODING, "br, gzip");
            self.send("list, packed", *service, request).await;
            return;
        }
        let sent = Instant::now();
        let Some(body) = self.read("list", *service, path).await else { return };
        match shown(&body) {
            Some(number) => self.tally.borrow_mut().list(self.markers.age(number, sent), path),
            None => {
                self.tally.borrow_mut().record_error(200, &anyhow::anyhow!("{path} shows no number of the editor's"))
            }
        }
    }

    async fn read_video(&mut self) {
        let id = listed(self.rng.below(4_000));
        let (service, path) = match self.rng.below(2) {
            0 => (Service::Tt, format!("/api/tt/ttsinglevideo/{id}")),
            _ => (Service::Comedy, format!("/api/madfunny/fetchsingle/{id}")),
        };
        self.read("single", service, &path).await;
    }

    async fn like_meme(&mut self) {
        let id = listed(self.rng.below(FAVOURITES));
        let done = if self.own.memes.contains(&id) {
            self.change("unlike", Service::Meme, Method::DELETE, "/api/meme/unlike", &json!({"meme_id": id})).await
        } else {
            self.change("like", Service::Meme, Method::POST, "/api/meme/postlike", &json!({"id": id})).await
        };
        if done.is_some() {
            toggle(&mut self.own.memes, id);
        }
    }

    async fn like_video(&mut self) {
        let id = listed(self.rng.below(FAVOURITES));
        let body = json!({"videoid": id});
        let done = if self.own.videos.contains(&id) {
            self.change("unlike", Service::Tt, Method::DELETE, "/api/tt/unlikevideo", &body).await
        } else {
            self.change("like", Service::Tt, Method::POST, "/api/tt/likevideo", &body).await
        };
        if done.is_some() {
            toggle(&mut self.own.videos, id);
        }
    }

    async fn edit_watchlist(&mut self) {
        let id = listed(self.rng.below(FAVOURITES));
        let body = json!({"videoid": id});
        let done = if self.own.watchlist.contains(&id) {
            self.change("watchlist", Service::Tt, Method::DELETE, "/api/tt/ttremove", &body).await
        } else {
            self.change("watchlist", Service::Tt, Method::POST, "/api/tt/ttaddwatchlist", &body).await
        };
        if done.is_some() {
            toggle(&mut self.own.watchlist, id);
        }
    }

    /// Requests the visitor's state from any replica and compares it with the expected state.
    async fn check_own_lists(&mut self) {
        if self.rng.below(2) == 0 {
            let body = self.read_own(Service::Meme, "/api/meme/mine").await;
            self.compare(body, &[("liked", self.own.memes.clone())]);
        } else {
            let body = self.read_own(Service::Tt, "/api/tt/mine/ttmbhatv").await;
            self.compare(body, &[("liked", self.own.videos.clone()), ("watchlist", self.own.watchlist.clone())]);
        }
    }

    fn compare(&self, body: Option<Vec<u8>>, expected: &[(&str, BTreeSet<u64>)]) {
        let Some(state) = body.and_then(|body| serde_json::from_slice::<Value>(&body).ok()) else { return };
        for (field, expected) in expected {
            let ids = state.get(field).and_then(Value::as_array);
            let found: BTreeSet<u64> = ids.into_iter().flatten().filter_map(Value::as_u64).collect();
            if found != *expected {
                let (number, found, expected) = (self.number, found.len(), expected.len());
                let text = format!("visitor {number} finds {found} {field}, and there should be {expected}");
                self.tally.borrow_mut().record_lost_change(text);
            }
        }
    }

    async fn read(&mut self, action: &'static str, service: Service, path: &str) -> Option<Vec<u8>> {
        self.send(action, service, Request::get(&self.host(service), path)).await
    }

    async fn read_own(&mut self, service: Service, path: &str) -> Option<Vec<u8>> {
        let request = Request::get(&self.host(service), path).header(COOKIE, self.cookie(service));
        self.send("mine", service, request).await
    }

    async fn change(
        &mut self,
        action: &'static str,
        service: Service,
        method: Method,
        path: &str,
        body: &Value,
    ) -> Option<Vec<u8>> {
        let request = Request::json(method, &self.host(service), path, body).header(COOKIE, self.cookie(service));
        self.send(action, service, request).await
    }

    /// Sends a request, counts the response, and returns its body if it is as expected.
    async fn send(&mut self, action: &'static str, service: Service, request: Request) -> Option<Vec<u8>> {
        self.turn += 1;
        let gateway = self.through_gateway();
        let addr = if gateway { self.family.gateway() } else { self.family.replica(service, self.turn) };
        let sent = Instant::now();
        match request.send(&self.family.client, addr).await {
            Ok(response) if response.status == 200 => {
                self.tally.borrow_mut().record_success(action, sent.elapsed());
                return Some(response.body);
            }
            Ok(response) => self.tally.borrow_mut().record_error(response.status, &request.unexpected(&response)),
            Err(error) => {
                self.tally.borrow_mut().record_error(0, &anyhow::Error::from(error).context(request.to_string()))
            }
        }
        None
    }

    /// Every other visitor goes through the gateway.
    fn through_gateway(&self) -> bool {
        self.number.is_multiple_of(2)
    }

    fn host(&self, service: Service) -> String {
        let label = match service {
            Service::Comedy | Service::Diski => "mcfunny",
            Service::Meme => "memeworld",
            Service::Tt => "ttmbhatv",
        };
        if self.through_gateway() { format!("{label}.localhost") } else { label.to_owned() }
    }

    /// The session for memes or for videos on demand; comedy needs none.
    fn cookie(&self, service: Service) -> &str {
        if service == Service::Meme { &self.meme_cookie } else { &self.tt_cookie }
    }
}

/// Inserts the id, or removes it if it is in the set.
fn toggle(set: &mut BTreeSet<u64>, id: u64) {
    if !set.remove(&id) {
        set.insert(id);
    }
}
