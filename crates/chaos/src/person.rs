//! A person: a number on one brand's site, and what was promised to it. Whatever was asked and not answered may be so or not.

use std::{collections::BTreeMap, rc::Rc};

use rand::{RngExt, rngs::StdRng};
use serde_json::Value;
use tokio::time::Instant;

use crate::{browser::Browser, site::Site, world::World};

/// Whether something was done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fact {
    /// It was never asked for.
    No,
    /// It was asked for, and not answered.
    Perhaps,
    /// It was answered.
    Yes,
}

/// Things that a person likes or keeps; `None` where an answer is missing.
pub(crate) type Marks = BTreeMap<u64, Option<bool>>;

/// One person.
pub(crate) struct Person {
    /// The number.
    pub msisdn: String,
    /// Where it visits.
    pub site: Rc<Site>,
    /// What it visits with.
    pub browser: Browser,
    /// Whether the network has its yes.
    pub confirmed: Fact,
    /// Whether a session was opened for it.
    pub let_in: bool,
    /// Whether it has left.
    pub left: Fact,
    /// When it was told that it had, and on how many days the clocks had stood by then.
    pub left_at: Option<(Instant, usize)>,
    /// The network's names of the pages that it got.
    pub pages: Vec<String>,
    /// What it likes.
    pub liked: Marks,
    /// What it keeps for later.
    pub kept: Marks,
}

impl Person {
    /// Somebody who has never been here. Numbers end in nothing that means something to the network.
    pub fn new(world: &Rc<World>, site: &Rc<Site>, visitor: usize, turn: usize) -> Self {
        Self {
            msisdn: format!("2783{visitor:03}{:04}", 1000 + turn % 9000),
            site: site.clone(),
            browser: Browser::new(world.clone(), &site.label),
            confirmed: Fact::No,
            let_in: false,
            left: Fact::No,
            left_at: None,
            pages: Vec::new(),
            liked: Marks::new(),
            kept: Marks::new(),
        }
    }

    /// Where a session is told what it likes and keeps; nothing where nothing can be.
    pub fn mine(&self) -> Option<String> {
        match self.site.kind {
            brands::Kind::Meme => Some("/api/meme/mine".to_owned()),
            brands::Kind::Tt => Some(format!("/api/tt/mine/{}", self.site.service_in_path())),
            brands::Kind::Comedy | brands::Kind::Diski => None,
        }
    }

    /// How what the service tells of `mine` differs from what was promised.
    pub fn forgotten(&self, told: &Value) -> Vec<String> {
        let mut found = differences("liked", &self.liked, told);
        if self.site.kind == brands::Kind::Tt {
            found.extend(differences("watchlist", &self.kept, told));
        }
        found
    }

    /// Bytes of a film of its site, from where to where; nothing where there are no films.
    pub fn pick_film(&self, dice: &mut StdRng) -> Option<(String, u64, u64)> {
        let films = &self.site.films;
        let (address, bytes) = films.get(dice.random_range(0..films.len().max(1)))?;
        let from = dice.random_range(0..*bytes);
        let to = (from + dice.random_range(0..65_536)).min(bytes.saturating_sub(1));
        Some((address.clone(), from, to))
    }
}

fn differences(field: &str, marks: &Marks, told: &Value) -> Vec<String> {
    let listed: Vec<u64> =
        told.get(field).and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_u64).collect();
    let wrong = marks.iter().filter(|(id, mark)| mark.is_some_and(|is| is != listed.contains(id)));
    let mut found: Vec<_> = wrong.map(|(id, mark)| format!("{field} {id}: acknowledged as {mark:?}")).collect();
    let strange = listed.iter().filter(|id| !marks.contains_key(id));
    found.extend(strange.map(|id| format!("{field} {id}: never asked for")));
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_was_answered_can_be_forgotten() {
        let marks: Marks = [(1, Some(true)), (2, Some(false)), (3, None)].into();
        let wrong = |listed: Value| differences("liked", &marks, &json!({ "liked": listed })).len();
        assert_eq!(wrong(json!([1])), 0);
        assert_eq!(wrong(json!([1, 3])), 0);
        assert_eq!(wrong(json!([3])), 1, "a like that was answered is not there");
        assert_eq!(wrong(json!([1, 2])), 1, "an unlike that was answered was not done");
        assert_eq!(wrong(json!([1, 4])), 1, "a like that nobody asked for");
        assert_eq!(differences("liked", &marks, &Value::Null).len(), 1);
    }
}
