//! How soon everything works again after a fault: on every brand a home page, a list and a like (or, where nothing can be liked, the
//! subscription), by people who joined before it all began.

use std::{rc::Rc, time::Duration};

use futures_util::{
    StreamExt,
    future::try_join_all,
    stream::{self, FuturesUnordered},
};
use reqwest::{Method, RequestBuilder, StatusCode, header};
use tokio::time::{Instant, interval, sleep_until};

use crate::{person::Person, site::Site, tally::RECOVERY, world::World};

/// How often it is tried.
const EVERY: Duration = Duration::from_millis(100);

/// Tries under way at once.
const AT_ONCE: usize = 3;

/// How long the people of the probe may take to join, in calm.
const JOINED_WITHIN: Duration = Duration::from_secs(60);

/// The numbers of visitors that belong to the probe.
const NUMBERS: usize = 900;

/// Likes under way at once when everything is liked.
const SIDE_BY_SIDE: usize = 4;

/// People who look whether all is well, one for each brand.
pub(crate) struct Probe {
    people: Vec<Person>,
}

impl Probe {
    /// Lets them join.
    pub async fn new(world: &Rc<World>, sites: &[Rc<Site>]) -> anyhow::Result<Self> {
        let began = Instant::now();
        let mut people = Vec::new();
        for (number, site) in sites.iter().enumerate() {
            let mut turn = 0;
            let person = loop {
                let mut person = Person::new(world, site, NUMBERS + number, turn);
                person.join(world, true).await;
                if person.let_in {
                    // What the probe likes again and again is nothing that could be forgotten.
                    person.liked.extend(site.likeable.iter().map(|id| (*id, None)));
                    break person;
                }
                if began.elapsed() > JOINED_WITHIN {
                    anyhow::bail!("nobody can join on {}", site.label);
                }
                turn += 1;
            };
            people.push(person);
        }
        Ok(Self { people })
    }

    /// Tries until all is well, and tells how long that took; or what was still wrong when the time was over.
    pub async fn recovery(&self) -> Result<Duration, String> {
        let began = Instant::now();
        let mut tries = FuturesUnordered::new();
        let mut wrong = "nobody answers".to_owned();
        let mut again = interval(EVERY);
        loop {
            tokio::select! {
                Some(tried) = tries.next() => match tried {
                    // Both may be due at once on a machine that has been busy.
                    Ok(()) if began.elapsed() <= RECOVERY => return Ok(began.elapsed()),
                    Ok(()) => return Err(format!("it took {:.2} s", began.elapsed().as_secs_f64())),
                    Err(cause) => wrong = cause,
                },
                // One that waits for an answer says nothing of the next: that may be answered at once.
                _ = again.tick(), if tries.len() < AT_ONCE => tries.push(self.all_is_well()),
                () = sleep_until(began + RECOVERY) => return Err(wrong),
            }
        }
    }

    /// Unlikes and likes everything there is, so that tables have to grow; what comes of it may be anything that is polite.
    pub async fn press(&self) {
        let everything = self.people.iter().flat_map(|person| person.site.likeable.iter().map(move |id| (person, *id)));
        let presses = everything.map(|(person, id)| async move {
            for likes in [false, true] {
                let (method, path, body) = person.site.like(id, likes);
                let _ = person.browser.send(method, path, &body).await;
            }
        });
        stream::iter(presses).buffer_unordered(SIDE_BY_SIDE).collect::<Vec<()>>().await;
    }

    async fn all_is_well(&self) -> Result<(), String> {
        try_join_all(self.people.iter().map(look)).await.map(drop)
    }

    /// Hands its people over to whoever looks at everybody at the end.
    pub fn into_people(self) -> Vec<Person> {
        self.people
    }
}

async fn look(person: &Person) -> Result<(), String> {
    let (site, browser) = (&person.site, &person.browser);
    let get = |path: &str| browser.request(Method::GET, path);
    // With this header the gateway does not answer from what it keeps.
    let list = get(&site.list).header(header::AUTHORIZATION, "Bearer nobody");
    let like = match site.likeable.first() {
        Some(id) => {
            let (method, path, body) = site.like(*id, true);
            browser.request(method, path).json(&body)
        }
        None => get("/api/subscribe/me"),
    };
    for (what, request) in [("home", get(&site.home)), ("list", list), ("like", like)] {
        works(request).await.map_err(|cause| format!("the {what} of {}: {cause}", site.label))?;
    }
    Ok(())
}

async fn works(request: RequestBuilder) -> Result<(), String> {
    let reply = request.send().await.map_err(|error| error.to_string())?;
    let status = reply.status();
    let body = reply.bytes().await.map_err(|error| error.to_string())?;
    if status == StatusCode::OK { Ok(()) } else { Err(format!("{status} {}", String::from_utf8_lossy(&body))) }
}
