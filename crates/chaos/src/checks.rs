//! When the storm is over: whether everybody has what was promised, and the books are right.

use std::{rc::Rc, time::Duration};

use futures_util::{StreamExt, stream};
use rand::{RngExt, rngs::StdRng};
use serde_json::{Value, json};
use testkit::ADMIN_TOKEN;
use tokio::time::{Instant, sleep};

use crate::{
    books::Day,
    browser::Answer,
    person::{Fact, Person},
    tally::tell,
    visitor::film,
    world::World,
};

/// The checks that are made here, beside those that were made on the way.
const KEPT: &str = "every acknowledged write is there";
const COUNTED: &str = "each meme's likes are counted right";
const BOOKS: &str = "the ledger equals the network's list";
const PAID: &str = "whoever is in pays for today, once the network is well";
const ONCE: &str = "nobody is charged after leaving";
const GAINED: &str = "no session is gained";
const LOST: &str = "no session is lost";
const AGREED: &str = "service and network agree on who is in";

/// How long everything may take to come to rest: charges whose outcome nobody knows are asked about, letters are delivered.
const PATIENCE: Duration = Duration::from_secs(120);

/// How often it is looked whether it has.
const LOOK: Duration = Duration::from_secs(1);

/// How long access may outlive a leaving.
const ACCESS: Duration = Duration::from_secs(60);

/// People who are looked at side by side.
const SIDE_BY_SIDE: usize = 8;

/// Memes whose counter is not the number of their likes.
const MISCOUNTED: &str = "SELECT COUNT(*) AS n FROM meme.memes m WHERE m.likes <> (SELECT COUNT(*) FROM meme.likes l WHERE l.meme_id = m.id)";

/// Makes all of them; how many charges the books have.
pub(crate) async fn make(world: &Rc<World>, people: &[Person]) -> anyhow::Result<usize> {
    let charges = rest(world, people).await?;
    let miscounted = world.family.servers.number(MISCOUNTED).await?;
    if miscounted > 0 {
        world.tally.violate(COUNTED, format!("{miscounted} memes are counted wrong"));
    }
    tell(&format!("{:7.1} s  looking at {} people", world.tally.now().as_secs_f64(), people.len()));
    let looks = people.iter().enumerate().map(|(number, person)| look(world, person, world.dice(number as u64)));
    stream::iter(looks).buffer_unordered(SIDE_BY_SIDE).collect::<Vec<()>>().await;
    Ok(charges)
}

/// Waits until the books agree and nobody is in doubt, and says what does not come to rest.
async fn rest(world: &World, people: &[Person]) -> anyhow::Result<usize> {
    let began = Instant::now();
    loop {
        bill(world).await;
        let (charges, found) = disagreements(world, people).await?;
        if found.is_empty() || began.elapsed() > PATIENCE {
            for (check, what) in found {
                world.tally.violate(check, what);
            }
            return Ok(charges);
        }
        if let Some((_, first)) = found.first() {
            let at = world.tally.now().as_secs_f64();
            tell(&format!("{at:7.1} s  {} things are not at rest yet, first: {first}", found.len()));
        }
        sleep(LOOK * 3).await;
    }
}

/// Has both bill today once more: what a pass could not charge while the network was away waits for the day's next one.
async fn bill(world: &World) {
    let day = json!({ "day": world.family.today().to_string() });
    let pass = format!("{}/internal/billing/run", world.family.operators_url("subscription"));
    world.order(&pass, &day).await;
    world.order(&format!("{}/run-day", world.family.network.url()), &day).await;
}

/// How many charges there are, and what is not as it should be.
async fn disagreements(world: &World, people: &[Person]) -> anyhow::Result<(usize, Vec<(&'static str, String)>)> {
    let (mut found, mut days, mut charges) = (Vec::new(), Vec::new(), 0);
    for day in world.family.days() {
        let books = Day::read(world, day).await?;
        found.extend(books.disagreements(day).into_iter().map(|what| (BOOKS, what)));
        found.extend(
            books.strangers(people).into_iter().map(|who| (BOOKS, format!("{day}: charged, and nobody: {who}"))),
        );
        charges += books.charges();
        days.push((day, books));
    }
    found.extend(Day::refund_disagreements(days.iter().map(|(_, books)| books)).into_iter().map(|what| (BOOKS, what)));
    for person in people {
        found.extend(doubts(world, person, &days).await?);
    }
    Ok((charges, found))
}

/// What the service and the network say of one person that cannot be so.
async fn doubts(
    world: &World,
    person: &Person,
    days: &[(chrono::NaiveDate, Day)],
) -> anyhow::Result<Vec<(&'static str, String)>> {
    let (services, network) = (world.family.operators_url("subscription"), world.family.network.url());
    let url = format!("{services}/internal/subscriptions/{}", person.msisdn);
    let account = world.http.get(&url).bearer_auth(ADMIN_TOKEN).send().await?;
    let account: Value = account.json().await?;
    let held = account.get("subscriptions").and_then(Value::as_array).and_then(|held| {
        held.iter().find(|one| one.get("svc_id").and_then(Value::as_i64) == Some(i64::from(person.site.svc_id)))
    });
    let state = held.and_then(|one| one.get("state")).and_then(Value::as_str).unwrap_or("none");
    let is_in = matches!(state, "active" | "suspended");
    let mut runs = false;
    for page in &person.pages {
        let page: Value = serde_json::from_str(&world.read(&format!("{network}/opt-ins/{page}")).await?)?;
        runs |= page.get("active").is_some_and(|active| active == true);
    }
    let mut found = Vec::new();
    if is_in != runs {
        let there = if runs { "runs" } else { "is over" };
        found.push((AGREED, format!("{} is {state} here, and {there} at the network", person.msisdn)));
    }
    if is_in && person.confirmed == Fact::No {
        found.push((GAINED, format!("{} never confirmed, and is {state}", person.msisdn)));
    }
    if state != "active" && person.confirmed == Fact::Yes && person.left == Fact::No {
        found.push((KEPT, format!("{} has confirmed at the network, and is {state}", person.msisdn)));
    }
    if state == "active" && !days.last().is_some_and(|(_, books)| books.has_charge_of(person)) {
        found.push((PAID, format!("{} is in, and was not charged today", person.msisdn)));
    }
    if is_in && person.left == Fact::Yes {
        found.push((KEPT, format!("{} was told to be out, and is {state}", person.msisdn)));
    }
    if let Some((_, day)) = person.left_at {
        let after = days.iter().skip(day).filter(|(_, books)| books.took_from(person));
        found.extend(after.map(|(day, _)| (ONCE, format!("{} left before {day} and paid for it", person.msisdn))));
    }
    Ok(found)
}

/// What a person's own browser finds now.
async fn look(world: &Rc<World>, person: &Person, mut dice: StdRng) {
    let tally = &world.tally;
    // Whoever has left reads nothing of his own any more.
    if let Some(path) = person.mine().filter(|_| person.let_in && person.left == Fact::No) {
        match person.browser.get(&path).await {
            Answer::Reply(reply) if reply.status == 200 => {
                let forgotten = person.forgotten(&reply.json());
                forgotten.into_iter().for_each(|what| tally.violate(KEPT, format!("{}: {what}", person.msisdn)));
            }
            Answer::Reply(reply) => tally.violate(LOST, format!("{}: {path}: {}", person.msisdn, reply.told())),
            Answer::Later | Answer::Nothing => tally.violate(KEPT, format!("{}: {path} has no answer", person.msisdn)),
        }
    }
    let should = match (person.let_in, person.left) {
        (true, Fact::No) => Some("active"),
        (true, Fact::Yes) => Some("cancelled"),
        _ => None,
    };
    if let Some(should) = should {
        let reply = person.browser.get("/api/subscribe/me").await.reply();
        let state = reply.as_ref().and_then(|reply| reply.json().get("state")?.as_str().map(str::to_owned));
        if state.as_deref() != Some(should) {
            tally.violate(LOST, format!("{} should be {should}, and is {state:?}", person.msisdn));
        }
    }
    if person.left == Fact::Perhaps {
        return;
    }
    let Some((address, from, to)) = person.pick_film(&mut dice) else { return };
    if person.let_in && person.left == Fact::No {
        let shown = person.browser.get_range(&address, from, to).await.reply();
        let right = shown.is_some_and(|reply| {
            reply.status == 206 && film(world, &address, from, to).is_some_and(|bytes| bytes == reply.bytes)
        });
        if !right {
            tally.violate(LOST, format!("{} is in, and does not get {address}", person.msisdn));
        }
        return;
    }
    // Whoever has left may be let in a while longer; whoever was never in, not once.
    let until = person.left_at.map(|(at, _)| at + ACCESS);
    loop {
        let from = dice.random_range(0..=to);
        match person.browser.get_range(&address, from, to).await.reply().map(|reply| reply.status) {
            Some(401 | 403) => return,
            Some(206) if until.is_some_and(|until| Instant::now() < until) => sleep(LOOK).await,
            status => {
                return tally.violate(GAINED, format!("{} is out, and {address} answers {status:?}", person.msisdn));
            }
        }
    }
}
