//! A subscriber: a number on one brand's site, and its expected state. The state after a write without a reply is unknown.

use std::{collections::BTreeMap, rc::Rc};

use rand::{RngExt, rngs::StdRng};
use serde_json::Value;
use tokio::time::Instant;

use crate::{browser::Browser, run::Run, site::Site};

/// How far a write got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WriteState {
    /// No request was sent.
    NotSent,
    /// A request was sent, and had no reply.
    Unacknowledged,
    /// The service acknowledged it.
    Acknowledged,
}

/// Whether items are expected to be marked, by id; `None` where a write had no reply.
pub(crate) type ExpectedStates = BTreeMap<u64, Option<bool>>;

/// One subscriber.
pub(crate) struct Subscriber {
    /// The phone number.
    pub msisdn: String,
    /// The network that it belongs to.
    pub network: String,
    /// For how many days a charge pays.
    pub days: usize,
    /// The site that it visits.
    pub site: Rc<Site>,
    /// Its browser.
    pub browser: Browser,
    /// Its confirmation at the network.
    pub confirmed: WriteState,
    /// Whether a session was opened for it.
    pub joined: bool,
    /// Its unsubscription.
    pub left: WriteState,
    /// When leaving was acknowledged, and how many days the clocks had passed by then.
    pub left_at: Option<(Instant, usize)>,
    /// The network's ids of the consent pages that it got.
    pub pages: Vec<String>,
    /// Expected likes.
    pub liked: ExpectedStates,
    /// Expected watchlist.
    pub watchlist: ExpectedStates,
}

impl Subscriber {
    /// A new number of one of the site's networks, of which each has its turn. It does not end in digits that have a meaning for the sandbox.
    pub fn new(run: &Rc<Run>, site: &Rc<Site>, visitor: usize, round: usize, turn: usize) -> Self {
        let network = site.networks.get(turn % site.networks.len().max(1)).cloned().unwrap_or_default();
        Self {
            msisdn: number(&network.prefix, visitor, round),
            network: network.name,
            days: network.days,
            site: site.clone(),
            browser: Browser::new(run.clone(), &site.label),
            confirmed: WriteState::NotSent,
            joined: false,
            left: WriteState::NotSent,
            left_at: None,
            pages: Vec::new(),
            liked: ExpectedStates::new(),
            watchlist: ExpectedStates::new(),
        }
    }

    /// The path of the session's own likes and watchlist; `None` for kinds of sites without them.
    pub fn own_items_path(&self) -> Option<String> {
        match self.site.kind {
            brands::Kind::Meme => Some("/api/meme/mine".to_owned()),
            brands::Kind::Tt => Some(format!("/api/tt/mine/{}", self.site.service_in_path())),
            brands::Kind::Comedy | brands::Kind::Diski => None,
        }
    }

    /// How the reply to `own_items_path` differs from the acknowledged writes.
    pub fn lost_writes(&self, reply: &Value) -> Vec<String> {
        let mut found = differences("liked", &self.liked, reply);
        if self.site.kind == brands::Kind::Tt {
            found.extend(differences("watchlist", &self.watchlist, reply));
        }
        found
    }

    /// A video of its site with a range of bytes; `None` where there are no videos.
    pub fn pick_video_range(&self, rng: &mut StdRng) -> Option<(String, u64, u64)> {
        let videos = &self.site.videos;
        let (address, bytes) = videos.get(rng.random_range(0..videos.len().max(1)))?;
        let from = rng.random_range(0..*bytes);
        let to = (from + rng.random_range(0..65_536)).min(bytes.saturating_sub(1));
        Some((address.clone(), from, to))
    }
}

/// The number of a visitor's round: eleven digits, of which none but the prefix and the visitor's begin with 0.
fn number(prefix: &str, visitor: usize, round: usize) -> String {
    let start = format!("{prefix}{visitor:03}");
    let lowest = 10_usize.pow(u32::try_from(10_usize.saturating_sub(start.len())).unwrap_or_default());
    format!("{start}{}", lowest + round % (9 * lowest))
}

fn differences(field: &str, expected: &ExpectedStates, reply: &Value) -> Vec<String> {
    let listed: Vec<u64> =
        reply.get(field).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_u64).collect();
    let wrong = expected.iter().filter(|(id, state)| state.is_some_and(|is| is != listed.contains(id)));
    let mut found: Vec<_> = wrong.map(|(id, state)| format!("{field} {id}: acknowledged as {state:?}")).collect();
    let unexpected = listed.iter().filter(|id| !expected.contains_key(id));
    found.extend(unexpected.map(|id| format!("{field} {id}: never requested")));
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn number_has_eleven_digits_and_no_behaviour_of_its_own() {
        assert_eq!(number("2783", 7, 0), "27830071000");
        assert_eq!(number("2783", 907, 8999), "27839079999");
        assert_eq!(number("27711", 20, 0), "27711020100");
        assert_eq!(number("27711", 20, 901), "27711020101");
    }

    #[test]
    fn differences_ignore_writes_without_a_reply() {
        let expected: ExpectedStates = [(1, Some(true)), (2, Some(false)), (3, None)].into();
        let count = |listed: Value| differences("liked", &expected, &json!({ "liked": listed })).len();
        assert_eq!(count(json!([1])), 0);
        assert_eq!(count(json!([1, 3])), 0);
        assert_eq!(count(json!([3])), 1, "an acknowledged like is missing");
        assert_eq!(count(json!([1, 2])), 1, "an acknowledged unlike was not done");
        assert_eq!(count(json!([1, 4])), 1, "a like that was never requested");
        assert_eq!(differences("liked", &expected, &Value::Null).len(), 1);
    }
}
