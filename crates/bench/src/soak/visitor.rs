//! A visitor: reads lists and videos, draws memes, likes, keeps a watchlist, and remembers what he has done.

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
    dice::Dice,
    editor::{Markers, shown},
    family::Family,
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

/// How many memes and videos a visitor picks his favourites from.
const FAVOURITES: u64 = 40;

/// How long a connection may rest before it is not used again: servers let go of those that rest for five seconds.
const IDLE: Duration = Duration::from_secs(2);

/// What a visitor has done and must find again.
#[derive(Default)]
struct Own {
    memes: BTreeSet<u64>,
    videos: BTreeSet<u64>,
    watchlist: BTreeSet<u64>,
}

/// One visitor at work.
pub(super) struct Visitor {
    number: usize,
    family: Rc<Family>,
    markers: Rc<Markers>,
    tally: Rc<RefCell<Tally>>,
    connections: HashMap<SocketAddr, (Connection, Instant)>,
    meme_cookie: String,
    tt_cookie: String,
    own: Own,
    dice: Dice,
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
            own: Own::default(),
            dice: Dice::of(number),
            turn: number,
        }
    }

    /// One thing after the other until the time is up.
    pub async fn visit_until(mut self, end: Instant) -> anyhow::Result<()> {
        while Instant::now() < end {
            match self.dice.throw(100) {
                0..40 => self.read_list().await,
                40..55 => self.read_video().await,
                55..65 => {
                    self.ask("random", Service::Meme, "GET", "/api/meme/random", "", None).await;
                }
                65..75 => self.like_meme().await,
                75..85 => self.like_video().await,
                85..92 => self.look_at_own().await,
                _ => self.keep_for_later().await,
            }
        }
        Ok(())
    }

    async fn read_list(&mut self) {
        let Some((service, path)) = self.dice.pick(&LISTS) else { return };
        if self.dice.throw(3) == 0 {
            // Packed: nothing can be read in it, but it must come.
            self.ask("list, packed", *service, "GET", path, "Accept-Encoding: br, gzip", None).await;
            return;
        }
        let sent = Instant::now();
        let Some(body) = self.ask("list", *service, "GET", path, "", None).await else { return };
        match shown(&body) {
            Some(number) => self.tally.borrow_mut().list(self.markers.age(number, sent), path),
            None => self.tally.borrow_mut().bad(200, &anyhow::anyhow!("{path} shows no number of the editor's")),
        }
    }

    async fn read_video(&mut self) {
        let id = listed(self.dice.throw(4_000));
        let (service, path) = match self.dice.throw(2) {
            0 => (Service::Tt, format!("/api/tt/ttsinglevideo/{id}")),
            _ => (Service::Comedy, format!("/api/madfunny/fetchsingle/{id}")),
        };
        self.ask("single", service, "GET", &path, "", None).await;
    }

    async fn like_meme(&mut self) {
        let id = listed(self.dice.throw(FAVOURITES));
        let cookie = self.meme_cookie.clone();
        let done = if self.own.memes.contains(&id) {
            let body = format!("{{\"meme_id\":{id}}}");
            self.ask("unlike", Service::Meme, "DELETE", "/api/meme/unlike", &cookie, Some(&body)).await
        } else {
            let body = format!("{{\"id\":{id}}}");
            self.ask("like", Service::Meme, "POST", "/api/meme/postlike", &cookie, Some(&body)).await
        };
        if done.is_some() {
            turn_over(&mut self.own.memes, id);
        }
    }

    async fn like_video(&mut self) {
        let id = listed(self.dice.throw(FAVOURITES));
        let (cookie, body) = (self.tt_cookie.clone(), format!("{{\"videoid\":{id}}}"));
        let done = if self.own.videos.contains(&id) {
            self.ask("unlike", Service::Tt, "DELETE", "/api/tt/unlikevideo", &cookie, Some(&body)).await
        } else {
            self.ask("like", Service::Tt, "POST", "/api/tt/likevideo", &cookie, Some(&body)).await
        };
        if done.is_some() {
            turn_over(&mut self.own.videos, id);
        }
    }

    async fn keep_for_later(&mut self) {
        let id = listed(self.dice.throw(FAVOURITES));
        let (cookie, body) = (self.tt_cookie.clone(), format!("{{\"videoid\":{id}}}"));
        let done = if self.own.watchlist.contains(&id) {
            self.ask("watchlist", Service::Tt, "DELETE", "/api/tt/ttremove", &cookie, Some(&body)).await
        } else {
            self.ask("watchlist", Service::Tt, "POST", "/api/tt/ttaddwatchlist", &cookie, Some(&body)).await
        };
        if done.is_some() {
            turn_over(&mut self.own.watchlist, id);
        }
    }

    /// Asks for his own state, on whichever replica, and compares it with what he remembers.
    async fn look_at_own(&mut self) {
        if self.dice.throw(2) == 0 {
            let cookie = self.meme_cookie.clone();
            let body = self.ask("mine", Service::Meme, "GET", "/api/meme/mine", &cookie, None).await;
            self.compare(body, &[("liked", self.own.memes.clone())]);
        } else {
            let cookie = self.tt_cookie.clone();
            let body = self.ask("mine", Service::Tt, "GET", "/api/tt/mine/ttmbhatv", &cookie, None).await;
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
                self.tally.borrow_mut().forgot(text);
            }
        }
    }

    /// Asks, counts, and hands back the body of a reply that was as it should be.
    async fn ask(
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
        // Every other visitor comes in by the public door.
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
                self.tally.borrow_mut().good(action, sent.elapsed());
                return Some(body);
            }
            Ok((status, body)) => {
                let reply = crate::load::Reply { status, head: &[], body: &body };
                self.tally.borrow_mut().bad(status, &unexpected(&request, &reply));
            }
            Err(error) => self.tally.borrow_mut().bad(0, &anyhow::anyhow!("{path}: {error}")),
        }
        None
    }

    async fn exchange(&mut self, addr: SocketAddr, request: &[u8]) -> std::io::Result<(u16, Bytes)> {
        let mut connection = match self.connections.remove(&addr) {
            Some((connection, used)) if used.elapsed() < IDLE => connection,
            _ => Connection::open(addr).await?,
        };
        let reply = connection.ask(request).await?;
        let (status, body) = (reply.status, Bytes::copy_from_slice(reply.body));
        self.connections.insert(addr, (connection, Instant::now()));
        Ok((status, body))
    }
}

/// In if it was out, out if it was in.
fn turn_over(set: &mut BTreeSet<u64>, id: u64) {
    if !set.remove(&id) {
        set.insert(id);
    }
}
