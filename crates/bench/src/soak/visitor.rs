//! A visitor: reads lists and videos, requests random memes, likes, edits a watchlist, and checks that its changes are kept.

use std::{
    cell::RefCell,
    collections::{BTreeSet, HashMap},
    net::SocketAddr,
    rc::Rc,
    time::Duration,
};

use bytes::Bytes;
use serde_json::Value;
use tokio::time::Instant;

use super::{
    editor::{Markers, shown},
    family::Family,
    rng::Rng,
    tally::Tally,
};
use crate::{
    fixture::{Service, listed},
    load::{Connection, get, request, unexpected},
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

/// Connections idle for longer are not reused: servers close idle connections after five seconds.
const IDLE: Duration = Duration::from_secs(2);

/// The acknowledged changes of a visitor.
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
    connections: HashMap<SocketAddr, (Connection, Instant)>,
    meme_cookie: String,
    tt_cookie: String,
    own: OwnLists,
    rng: Rng,
    turn: usize,
}

impl Visitor {
    pub fn new(number: usize, family: Rc<Family>, markers: Rc<Markers>, tally: Rc<RefCell<Tally>>) -> Self {
        let msisdn = format!("2783{number:07}");
        let cookie = |label, svc_id| format!("Cookie: {}", testkit::session_cookie(label, svc_id, &msisdn));
        Self {
            number,
            family,
            markers,
            tally,
            connections: HashMap::new(),
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
                    self.send("random", Service::Meme, "GET", "/api/meme/random", "", None).await;
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
            self.send("list, packed", *service, "GET", path, "Accept-Encoding: br, gzip", None).await;
            return;
        }
        let sent = Instant::now();
        let Some(body) = self.send("list", *service, "GET", path, "", None).await else { return };
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
        self.send("single", service, "GET", &path, "", None).await;
    }

    async fn like_meme(&mut self) {
        let id = listed(self.rng.below(FAVOURITES));
        let cookie = self.meme_cookie.clone();
        let done = if self.own.memes.contains(&id) {
            let body = format!("{{\"meme_id\":{id}}}");
            self.send("unlike", Service::Meme, "DELETE", "/api/meme/unlike", &cookie, Some(&body)).await
        } else {
            let body = format!("{{\"id\":{id}}}");
            self.send("like", Service::Meme, "POST", "/api/meme/postlike", &cookie, Some(&body)).await
        };
        if done.is_some() {
            toggle(&mut self.own.memes, id);
        }
    }

    async fn like_video(&mut self) {
        let id = listed(self.rng.below(FAVOURITES));
        let (cookie, body) = (self.tt_cookie.clone(), format!("{{\"videoid\":{id}}}"));
        let done = if self.own.videos.contains(&id) {
            self.send("unlike", Service::Tt, "DELETE", "/api/tt/unlikevideo", &cookie, Some(&body)).await
        } else {
            self.send("like", Service::Tt, "POST", "/api/tt/likevideo", &cookie, Some(&body)).await
        };
        if done.is_some() {
            toggle(&mut self.own.videos, id);
        }
    }

    async fn edit_watchlist(&mut self) {
        let id = listed(self.rng.below(FAVOURITES));
        let (cookie, body) = (self.tt_cookie.clone(), format!("{{\"videoid\":{id}}}"));
        let done = if self.own.watchlist.contains(&id) {
            self.send("watchlist", Service::Tt, "DELETE", "/api/tt/ttremove", &cookie, Some(&body)).await
        } else {
            self.send("watchlist", Service::Tt, "POST", "/api/tt/ttaddwatchlist", &cookie, Some(&body)).await
        };
        if done.is_some() {
            toggle(&mut self.own.watchlist, id);
        }
    }

    /// Requests the visitor's state from any replica and compares it with the expected state.
    async fn check_own_lists(&mut self) {
        if self.rng.below(2) == 0 {
            let cookie = self.meme_cookie.clone();
            let body = self.send("mine", Service::Meme, "GET", "/api/meme/mine", &cookie, None).await;
            self.compare(body, &[("liked", self.own.memes.clone())]);
        } else {
            let cookie = self.tt_cookie.clone();
            let body = self.send("mine", Service::Tt, "GET", "/api/tt/mine/ttmbhatv", &cookie, None).await;
            self.compare(body, &[("liked", self.own.videos.clone()), ("watchlist", self.own.watchlist.clone())]);
        }
    }

    fn compare(&self, body: Option<Bytes>, expected: &[(&str, BTreeSet<u64>)]) {
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

    /// Sends a request, counts the reply, and returns its body if it is as expected.
    async fn send(
        &mut self,
        action: &'static str,
        service: Service,
        method: &str,
        path: &str,
        header: &str,
        body: Option<&str>,
    ) -> Option<Bytes> {
        let label = match service {
            Service::Comedy | Service::Diski => "mcfunny",
            Service::Meme => "memeworld",
            Service::Tt => "ttmbhatv",
        };
        self.turn += 1;
        // Every other visitor goes through the gateway.
        let (addr, host) = match self.number % 2 {
            0 => (self.family.gateway(), format!("{label}.localhost")),
            _ => (self.family.replica(service, self.turn), label.to_owned()),
        };
        let headers: &[&str] = if header.is_empty() { &[] } else { &[header] };
        let request =
            if body.is_some() { request(method, &host, path, headers, body) } else { get(&host, path, headers) };
        let sent = Instant::now();
        match self.exchange(addr, &request).await {
            Ok((200, body)) => {
                self.tally.borrow_mut().record_success(action, sent.elapsed());
                return Some(body);
            }
            Ok((status, body)) => {
                let reply = crate::load::Reply { status, head: &[], body: &body };
                self.tally.borrow_mut().record_error(status, &unexpected(&request, &reply));
            }
            Err(error) => self.tally.borrow_mut().record_error(0, &anyhow::anyhow!("{path}: {error}")),
        }
        None
    }

    async fn exchange(&mut self, addr: SocketAddr, request: &[u8]) -> std::io::Result<(u16, Bytes)> {
        let mut connection = match self.connections.remove(&addr) {
            Some((connection, used)) if used.elapsed() < IDLE => connection,
            _ => Connection::open(addr).await?,
        };
        let reply = connection.send(request).await?;
        let (status, body) = (reply.status, Bytes::copy_from_slice(reply.body));
        self.connections.insert(addr, (connection, Instant::now()));
        Ok((status, body))
    }
}

/// Inserts the id, or removes it if it is in the set.
fn toggle(set: &mut BTreeSet<u64>, id: u64) {
    if !set.remove(&id) {
        set.insert(id);
    }
}
