//! Which faults come, in which order, on whom, and for how long: all of it follows from the seed.

use std::time::Duration;

use rand::{
    RngExt, SeedableRng,
    rngs::StdRng,
    seq::{IndexedRandom, SliceRandom},
};
use testkit::servers::Ending;

use crate::family::SERVICES;

/// Whose process it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Whose {
    /// One of a service's two.
    One(&'static str, usize),
    /// Both of a service's.
    Both(&'static str),
    /// The gateway's.
    Gateway,
    /// The network's.
    Network,
}

/// What goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    /// Processes are killed, and started again after the fault's time.
    Kill(Whose),
    /// Processes stand still.
    Pause(Whose),
    /// PostgreSQL is away.
    Postgres(Ending),
    /// PostgreSQL stands still.
    PostgresStill,
    /// PostgreSQL ends every session.
    Sessions,
    /// Redis is gone, and comes back empty.
    RedisGone,
    /// Redis stands still.
    RedisStill,
    /// The network takes long.
    NetworkSlow,
    /// The network lets nobody in.
    NetworkRefuses,
    /// The network does what it is asked, and its replies break off.
    NetworkCut,
    /// The pull network's replies name another amount, its references are numbers, its list is empty and its SMSes slow.
    WrongReplies,
    /// The push network's charges are failures first, and its stops name their service as text.
    WrongNotifications,
    /// PostgreSQL's disk is full: tables cannot grow.
    DatabaseFull,
    /// PostgreSQL's disk is full, and its log cannot grow either: it gives up, and does not come back before there is room.
    LogFull,
    /// All clocks go on to the next morning.
    NextDay,
}

/// What may go wrong beside something else.
const COMPANY: [What; 5] =
    [What::NetworkSlow, What::NetworkRefuses, What::NetworkCut, What::RedisGone, What::RedisStill];

/// One in so many faults that may have company has some.
const ALONE: u32 = 3;

/// One fault of the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// What goes wrong.
    pub what: What,
    /// What else goes wrong beside it.
    pub with: Option<What>,
    /// For how long.
    pub lasts: Duration,
    /// How long everything was well before.
    pub after: Duration,
}

/// The faults, without an end: each kind once, in an order of its own, and then all over again.
pub(crate) struct Plan {
    seed: u64,
    dice: StdRng,
    deck: Vec<What>,
    disks: bool,
}

impl Plan {
    /// The plan of a seed; with the faults of disks where there are disks.
    pub fn of(seed: u64, disks: bool) -> Self {
        Self { seed, dice: StdRng::seed_from_u64(seed), deck: Vec::new(), disks }
    }

    /// Its first faults, each kind once, for a person.
    pub fn beginning(&self) -> String {
        let mut ahead = Self::of(self.seed, self.disks);
        let Some(first) = ahead.next() else { return String::new() };
        let others = ahead.deck.len();
        let all = std::iter::once(first).chain(ahead.take(others));
        all.map(|fault| format!("{fault} {:.1} s", fault.lasts.as_secs_f64())).collect::<Vec<_>>().join(", ")
    }

    fn shuffle(&mut self) {
        let dice = &mut self.dice;
        let mut service = || {
            let drawn = dice.random_range(0..SERVICES.len());
            SERVICES.get(drawn).map_or("meme", |(name, _)| *name)
        };
        let [one, both, still, all_still, subscription] = [service(), service(), service(), service(), "subscription"];
        let mut replica = || dice.random_range(0..2_usize);
        let mut deck = vec![
            What::Kill(Whose::One(one, replica())),
            What::Kill(Whose::One(subscription, replica())),
            What::Kill(Whose::Both(both)),
            What::Kill(Whose::Gateway),
            What::Kill(Whose::Network),
            What::Pause(Whose::One(still, replica())),
            What::Pause(Whose::Both(all_still)),
            What::Pause(Whose::Gateway),
            What::Postgres(Ending::Fast),
            What::Postgres(Ending::Immediate),
            What::PostgresStill,
            What::Sessions,
            What::RedisGone,
            What::RedisStill,
            What::NetworkSlow,
            What::NetworkRefuses,
            What::NetworkCut,
            What::WrongReplies,
            What::WrongNotifications,
            What::DatabaseFull,
            What::LogFull,
            What::NextDay,
        ];
        deck.retain(|what| self.disks || !what.fills_a_disk());
        deck.shuffle(&mut self.dice);
        self.deck = deck;
    }
}

impl Iterator for Plan {
    type Item = Fault;

    fn next(&mut self) -> Option<Fault> {
        if self.deck.is_empty() {
            self.shuffle();
        }
        let what = self.deck.pop()?;
        let [lasts, after] = [what.lasts(), 1500..4000].map(|range| self.dice.random_range(range));
        let with = COMPANY.choose(&mut self.dice).copied();
        let with = with.filter(|_| what.takes_company() && self.dice.random_ratio(1, ALONE));
        Some(Fault { what, with, lasts: Duration::from_millis(lasts), after: Duration::from_millis(after) })
    }
}

impl What {
    /// Whether something that has nothing to do with it may go wrong beside it.
    fn takes_company(self) -> bool {
        let instant = matches!(self, Self::Sessions | Self::NextDay);
        !instant && !COMPANY.contains(&self) && self != Self::Kill(Whose::Network)
    }

    fn fills_a_disk(self) -> bool {
        matches!(self, Self::DatabaseFull | Self::LogFull)
    }

    /// How long it may last, in milliseconds.
    fn lasts(self) -> std::ops::Range<u64> {
        match self {
            Self::Kill(_) => 200..4000,
            Self::Pause(_) => 1000..9000,
            Self::Postgres(_) => 100..6000,
            Self::PostgresStill => 1000..8000,
            Self::RedisGone | Self::RedisStill => 1000..8000,
            Self::NetworkSlow
            | Self::NetworkRefuses
            | Self::NetworkCut
            | Self::WrongReplies
            | Self::WrongNotifications => 4000..12000,
            Self::DatabaseFull | Self::LogFull => 3000..8000,
            Self::Sessions | Self::NextDay => 0..1,
        }
    }
}

impl Fault {
    /// Whether processes that answer visitors die by it, so that replies break off.
    pub fn cuts_replies(&self) -> bool {
        matches!(self.what, What::Kill(Whose::One(..) | Whose::Both(_) | Whose::Gateway))
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.with {
            Some(with) => write!(f, "{} and {with}", self.what),
            None => self.what.fmt(f),
        }
    }
}

impl std::fmt::Display for Whose {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::One(service, replica) => write!(f, "{service} {}", replica + 1),
            Self::Both(service) => write!(f, "both {service}"),
            Self::Gateway => f.write_str("the gateway"),
            Self::Network => f.write_str("the network"),
        }
    }
}

impl std::fmt::Display for What {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Kill(whose) => write!(f, "kill {whose}"),
            Self::Pause(whose) => write!(f, "pause {whose}"),
            Self::Postgres(Ending::Fast) => f.write_str("stop PostgreSQL"),
            Self::Postgres(Ending::Immediate) => f.write_str("crash PostgreSQL"),
            Self::PostgresStill => f.write_str("pause PostgreSQL"),
            Self::Sessions => f.write_str("end PostgreSQL's sessions"),
            Self::RedisGone => f.write_str("kill Redis"),
            Self::RedisStill => f.write_str("pause Redis"),
            Self::NetworkSlow => f.write_str("slow the network"),
            Self::NetworkRefuses => f.write_str("refuse the network"),
            Self::NetworkCut => f.write_str("cut the network"),
            Self::WrongReplies => f.write_str("have the network reply wrongly"),
            Self::WrongNotifications => f.write_str("have the network notify wrongly"),
            Self::DatabaseFull => f.write_str("fill PostgreSQL's disk"),
            Self::LogFull => f.write_str("fill PostgreSQL's disk and log"),
            Self::NextDay => f.write_str("step the clocks"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_is_the_same_plan_and_every_kind_comes_before_any_comes_again() {
        let plan = |seed, disks| Plan::of(seed, disks).take(44).collect::<Vec<_>>();
        assert_eq!(plan(7, true), plan(7, true));
        assert_ne!(plan(7, true), plan(8, true));
        let all = plan(7, true);
        for deck in [&all[..22], &all[22..]] {
            for what in [
                What::NextDay,
                What::DatabaseFull,
                What::Postgres(Ending::Immediate),
                What::RedisStill,
                What::WrongReplies,
            ] {
                assert_eq!(deck.iter().filter(|fault| fault.what == what).count(), 1, "{what}");
            }
        }
        assert!(all.iter().any(|fault| fault.with.is_some()) && all.iter().any(|fault| fault.with.is_none()));
        assert!(plan(7, false).iter().all(|fault| !fault.what.fills_a_disk()));
    }
}
