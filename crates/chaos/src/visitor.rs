//! Visitors: they join, look around, watch, like, and leave, one person after the other, and hold the house to every answer.

use std::{cell::RefCell, rc::Rc, time::Duration};

use rand::{RngExt, rngs::StdRng};
use reqwest::Method;
use serde_json::json;
use tokio::time::sleep;

use crate::{
    browser::{Answer, Reply},
    person::{Fact, Person},
    site::{Site, WIDTHS},
    world::World,
};

/// The checks that are made here.
const KEPT: &str = "every acknowledged write is there";
const LOST: &str = "no session is lost";
const SHOWN: &str = "what is on the site is shown";
const RIGHT: &str = "films are what they are";

/// How long a visitor thinks between two taps, in milliseconds.
const THINKS: std::ops::Range<u64> = 200..1600;

/// How many of a hundred decline at the network.
const DECLINES: u32 = 8;

/// One seat, and the dice of whoever sits there.
pub(crate) struct Visitor {
    world: Rc<World>,
    sites: Rc<[Rc<Site>]>,
    people: Rc<RefCell<Vec<Person>>>,
    number: usize,
    turn: usize,
    dice: StdRng,
}

impl Visitor {
    /// The visitor of this number; each person ends among `people`.
    pub fn new(world: &Rc<World>, sites: &Rc<[Rc<Site>]>, people: &Rc<RefCell<Vec<Person>>>, number: usize) -> Self {
        let dice = world.dice(number as u64 + 1);
        Self { world: world.clone(), sites: sites.clone(), people: people.clone(), number, turn: 0, dice }
    }

    /// One person after the other until it is over.
    pub async fn visit(mut self) {
        while !self.world.is_over() {
            let place = (self.number + self.turn) % self.sites.len().max(1);
            let Some(site) = self.sites.get(place).cloned() else { return };
            let mut person = Person::new(&self.world, &site, self.number, self.turn);
            self.turn += 1;
            let confirms = !self.dice.random_ratio(DECLINES, 100);
            person.join(&self.world, confirms).await;
            while person.let_in && person.left == Fact::No && !self.world.is_over() {
                self.act(&mut person).await;
                self.think().await;
            }
            self.people.borrow_mut().push(person);
            self.think().await;
        }
    }

    async fn think(&mut self) {
        sleep(Duration::from_millis(self.dice.random_range(THINKS))).await;
    }

    async fn act(&mut self, person: &mut Person) {
        match self.dice.random_range(0..1000) {
            0..60 => self.shown(person, person.site.home.clone()).await,
            60..300 => {
                let reads = &person.site.reads;
                let path = reads.get(self.dice.random_range(0..reads.len().max(1))).cloned();
                self.shown(person, path.unwrap_or_else(|| person.site.list.clone())).await;
            }
            300..380 => self.look_at_picture(person).await,
            380..560 => self.play(person).await,
            560..780 => self.like(person).await,
            780..860 => self.keep_for_later(person).await,
            860..920 => self.look_at_own(person).await,
            920..985 => self.look_at_subscription(person).await,
            _ => person.leave(&self.world).await,
        }
    }

    async fn shown(&self, person: &Person, path: String) {
        if let Answer::Reply(reply) = person.browser.get(&path).await
            && reply.status != 200
        {
            self.world.tally.violate(SHOWN, format!("{path} on {}: {}", person.site.label, reply.told()));
        }
    }

    async fn look_at_picture(&mut self, person: &Person) {
        let pictures = &person.site.pictures;
        let picture = pictures.get(self.dice.random_range(0..pictures.len().max(1)));
        let width = WIDTHS.get(self.dice.random_range(0..WIDTHS.len()));
        if let (Some(picture), Some(width)) = (picture, width) {
            self.shown(person, format!("/img/rs:fit:{width}:0/plain/{picture}@webp")).await;
        }
    }

    async fn play(&mut self, person: &Person) {
        let Some((address, from, to)) = person.pick_film(&mut self.dice) else { return };
        let Answer::Reply(reply) = person.browser.get_range(&address, from, to).await else { return };
        match reply.status {
            206 if film(&self.world, &address, from, to).is_some_and(|bytes| bytes == reply.bytes) => {}
            206 => self.world.tally.violate(RIGHT, format!("{address}, bytes {from} to {to}")),
            401 | 403 => self.locked_out(person, &address, &reply),
            _ => self.world.tally.violate(SHOWN, format!("{address}: {}", reply.told())),
        }
    }

    async fn like(&mut self, person: &mut Person) {
        let Some(id) = self.pick(person) else { return };
        let Some(liked) = person.liked.get(&id).copied().unwrap_or(Some(false)) else { return };
        let (method, path, body) = person.site.like(id, !liked);
        person.liked.insert(id, None);
        if self.done(person, path, person.browser.send(method, path, &body).await) {
            person.liked.insert(id, Some(!liked));
        }
    }

    async fn keep_for_later(&mut self, person: &mut Person) {
        if person.site.kind != brands::Kind::Tt {
            return;
        }
        let Some(id) = self.pick(person) else { return };
        let Some(kept) = person.kept.get(&id).copied().unwrap_or(Some(false)) else { return };
        let (method, path) = match kept {
            false => (Method::POST, "/api/tt/ttaddwatchlist"),
            true => (Method::DELETE, "/api/tt/ttremove"),
        };
        person.kept.insert(id, None);
        if self.done(person, path, person.browser.send(method, path, &json!({ "videoid": id })).await) {
            person.kept.insert(id, Some(!kept));
        }
    }

    fn pick(&mut self, person: &Person) -> Option<u64> {
        let likeable = &person.site.likeable;
        likeable.get(self.dice.random_range(0..likeable.len().max(1))).copied()
    }

    /// Whether a write was acknowledged. One that was not may yet be done, so it is never asked about again.
    fn done(&self, person: &Person, path: &str, answer: Answer) -> bool {
        match answer {
            Answer::Reply(reply) if reply.status == 200 => true,
            Answer::Reply(reply) => {
                self.locked_out(person, path, &reply);
                false
            }
            Answer::Later | Answer::Nothing => false,
        }
    }

    async fn look_at_own(&self, person: &Person) {
        let Some(path) = person.mine() else { return };
        let Answer::Reply(reply) = person.browser.get(&path).await else { return };
        if reply.status != 200 {
            return self.locked_out(person, &path, &reply);
        }
        for forgotten in person.forgotten(&reply.json()) {
            self.world.tally.violate(KEPT, format!("{} finds {forgotten}", person.msisdn));
        }
    }

    async fn look_at_subscription(&self, person: &Person) {
        let path = "/api/subscribe/me";
        let Answer::Reply(reply) = person.browser.get(path).await else { return };
        if reply.status != 200 || reply.json().get("state").is_none_or(|state| state != "active") {
            self.locked_out(person, path, &reply);
        }
    }

    fn locked_out(&self, person: &Person, path: &str, reply: &Reply) {
        self.world.tally.violate(LOST, format!("{} is in, and {path} answers {}", person.msisdn, reply.told()));
    }
}

/// The bytes of a film as they lie in its file.
pub(crate) fn film(world: &World, address: &str, from: u64, to: u64) -> Option<Vec<u8>> {
    use std::os::unix::fs::FileExt;
    let file = std::fs::File::open(world.media.join(address.strip_prefix("/media/")?)).ok()?;
    let mut bytes = vec![0; usize::try_from(to - from + 1).ok()?];
    file.read_exact_at(&mut bytes, from).ok()?;
    Some(bytes)
}
