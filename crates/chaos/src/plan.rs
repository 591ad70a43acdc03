//! Which faults are injected, in which order, into which processes and for how long: all of it follows from the seed.

use std::time::Duration;

use rand::{
    RngExt, SeedableRng,
    rngs::StdRng,
    seq::{IndexedRandom, SliceRandom},
};
use testkit::servers::ShutdownMode;

use crate::family::SERVICES;

/// The processes that a fault hits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    /// One replica of a service.
    Replica(&'static str, usize),
    /// Both replicas of a service.
    BothReplicas(&'static str),
    /// The gateway.
    Gateway,
    /// The networks' sandbox.
    Network,
    /// The back office.
    BackOffice,
}

/// A kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FaultKind {
    /// SIGKILL to processes, which are started again when the fault ends.
    Kill(Target),
    /// SIGSTOP to processes.
    Pause(Target),
    /// PostgreSQL is shut down.
    ShutDownPostgres(ShutdownMode),
    /// SIGSTOP to PostgreSQL.
    PausePostgres,
    /// PostgreSQL terminates every session.
    TerminateSessions,
    /// Redis is killed, and restarted empty.
    KillRedis,
    /// SIGSTOP to Redis.
    PauseRedis,
    /// The network's replies are delayed.
    SlowNetwork,
    /// The network refuses connections.
    RefuseNetwork,
    /// The network carries requests out, and its replies break off.
    CutNetwork,
    /// The pull network's replies name another amount, its references are numbers, its list is empty and its SMSes slow.
    WrongReplies,
    /// The push network's charges are failures first, and its stops name their service as text.
    WrongNotifications,
    /// PostgreSQL's disk is full: tables cannot grow.
    FillDatabaseDisk,
    /// PostgreSQL's disk is full, and its WAL cannot grow either: it stops, and does not start before there is space.
    FillWalDisk,
    /// Staff pause all charges, and resume them.
    PauseCharges,
    /// All clocks are set to the next morning.
    NextDay,
}

/// Faults that may run at the same time as another one.
const CONCURRENT: [FaultKind; 5] = [
    FaultKind::SlowNetwork,
    FaultKind::RefuseNetwork,
    FaultKind::CutNetwork,
    FaultKind::KillRedis,
    FaultKind::PauseRedis,
];

/// One in this many faults has another one at the same time, where that is possible.
const CONCURRENT_ONE_IN: u32 = 3;

/// One fault of the plan.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// What fails.
    pub kind: FaultKind,
    /// What else fails at the same time.
    pub concurrent: Option<FaultKind>,
    /// For how long.
    pub duration: Duration,
    /// The time without faults before it.
    pub after: Duration,
}

/// An endless sequence of faults: in each round every kind comes once, in a random order.
pub(crate) struct Plan {
    seed: u64,
    rng: StdRng,
    round: Vec<FaultKind>,
    with_disk: bool,
}

impl Plan {
    /// The plan of a seed; faults that fill a disk are left out without `with_disk`.
    pub fn new(seed: u64, with_disk: bool) -> Self {
        Self { seed, rng: StdRng::seed_from_u64(seed), round: Vec::new(), with_disk }
    }

    /// Describes the faults of the first round.
    pub fn describe_first_round(&self) -> String {
        let mut rest = Self::new(self.seed, self.with_disk);
        let Some(first) = rest.next() else { return String::new() };
        let others = rest.round.len();
        let all = std::iter::once(first).chain(rest.take(others));
        all.map(|fault| format!("{fault} {:.1} s", fault.duration.as_secs_f64())).collect::<Vec<_>>().join(", ")
    }

    fn start_round(&mut self) {
        let rng = &mut self.rng;
        let mut service = || {
            let drawn = rng.random_range(0..SERVICES.len());
            SERVICES.get(drawn).map_or("meme", |(name, _)| *name)
        };
        let [killed, both_killed, paused, both_paused, subscription] =
            [service(), service(), service(), service(), "subscription"];
        let mut replica = || rng.random_range(0..2_usize);
        let mut round = vec![
            FaultKind::Kill(Target::Replica(killed, replica())),
            FaultKind::Kill(Target::Replica(subscription, replica())),
            FaultKind::Kill(Target::BothReplicas(both_killed)),
            FaultKind::Kill(Target::Gateway),
            FaultKind::Kill(Target::Network),
            FaultKind::Kill(Target::BackOffice),
            FaultKind::Pause(Target::Replica(paused, replica())),
            FaultKind::Pause(Target::BothReplicas(both_paused)),
            FaultKind::Pause(Target::Gateway),
            FaultKind::ShutDownPostgres(ShutdownMode::Fast),
            FaultKind::ShutDownPostgres(ShutdownMode::Immediate),
            FaultKind::PausePostgres,
            FaultKind::TerminateSessions,
            FaultKind::KillRedis,
            FaultKind::PauseRedis,
            FaultKind::SlowNetwork,
            FaultKind::RefuseNetwork,
            FaultKind::CutNetwork,
            FaultKind::WrongReplies,
            FaultKind::WrongNotifications,
            FaultKind::FillDatabaseDisk,
            FaultKind::FillWalDisk,
            FaultKind::PauseCharges,
            FaultKind::NextDay,
        ];
        round.retain(|kind| self.with_disk || !kind.fills_a_disk());
        round.shuffle(&mut self.rng);
        self.round = round;
    }
}

impl Iterator for Plan {
    type Item = Fault;

    fn next(&mut self) -> Option<Fault> {
        if self.round.is_empty() {
            self.start_round();
        }
        let kind = self.round.pop()?;
        let [duration, after] = [kind.duration_ms(), 1500..4000].map(|range| self.rng.random_range(range));
        let concurrent = CONCURRENT.choose(&mut self.rng).copied();
        let concurrent = concurrent.filter(|_| kind.allows_concurrent() && self.rng.random_ratio(1, CONCURRENT_ONE_IN));
        Some(Fault { kind, concurrent, duration: Duration::from_millis(duration), after: Duration::from_millis(after) })
    }
}

impl FaultKind {
    /// Whether an unrelated fault may be injected at the same time.
    fn allows_concurrent(self) -> bool {
        // A pause is checked with a network that works.
        let alone = matches!(self, Self::TerminateSessions | Self::PauseCharges | Self::NextDay);
        !alone && !CONCURRENT.contains(&self) && self != Self::Kill(Target::Network)
    }

    fn fills_a_disk(self) -> bool {
        matches!(self, Self::FillDatabaseDisk | Self::FillWalDisk)
    }

    /// The range that its duration is drawn from, in milliseconds.
    fn duration_ms(self) -> std::ops::Range<u64> {
        match self {
            Self::Kill(_) => 200..4000,
            Self::Pause(_) => 1000..9000,
            Self::ShutDownPostgres(_) => 100..6000,
            Self::PausePostgres => 1000..8000,
            Self::KillRedis | Self::PauseRedis => 1000..8000,
            Self::SlowNetwork
            | Self::RefuseNetwork
            | Self::CutNetwork
            | Self::WrongReplies
            | Self::WrongNotifications => 4000..12000,
            Self::FillDatabaseDisk | Self::FillWalDisk | Self::PauseCharges => 3000..8000,
            Self::TerminateSessions | Self::NextDay => 0..1,
        }
    }
}

impl Fault {
    /// Whether it kills processes that serve visitors, so that replies break off.
    pub fn breaks_replies(&self) -> bool {
        matches!(
            self.kind,
            FaultKind::Kill(Target::Replica(..) | Target::BothReplicas(_) | Target::Gateway | Target::BackOffice)
        )
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.concurrent {
            Some(concurrent) => write!(f, "{} and {concurrent}", self.kind),
            None => self.kind.fmt(f),
        }
    }
}

impl std::fmt::Display for Target {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Replica(service, replica) => write!(f, "{service} {}", replica + 1),
            Self::BothReplicas(service) => write!(f, "both {service}"),
            Self::Gateway => f.write_str("the gateway"),
            Self::Network => f.write_str("the network"),
            Self::BackOffice => f.write_str("the back office"),
        }
    }
}

impl std::fmt::Display for FaultKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Kill(target) => write!(f, "kill {target}"),
            Self::Pause(target) => write!(f, "pause {target}"),
            Self::ShutDownPostgres(ShutdownMode::Fast) => f.write_str("stop PostgreSQL"),
            Self::ShutDownPostgres(ShutdownMode::Immediate) => f.write_str("crash PostgreSQL"),
            Self::PausePostgres => f.write_str("pause PostgreSQL"),
            Self::TerminateSessions => f.write_str("terminate PostgreSQL's sessions"),
            Self::KillRedis => f.write_str("kill Redis"),
            Self::PauseRedis => f.write_str("pause Redis"),
            Self::SlowNetwork => f.write_str("slow the network"),
            Self::RefuseNetwork => f.write_str("refuse connections to the network"),
            Self::CutNetwork => f.write_str("cut the network's replies"),
            Self::WrongReplies => f.write_str("have the network reply wrongly"),
            Self::WrongNotifications => f.write_str("have the network notify wrongly"),
            Self::FillDatabaseDisk => f.write_str("fill PostgreSQL's disk"),
            Self::FillWalDisk => f.write_str("fill PostgreSQL's disk and WAL"),
            Self::PauseCharges => f.write_str("pause charges"),
            Self::NextDay => f.write_str("step the clocks"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plan_repeats_for_a_seed_and_has_every_kind_once_a_round() {
        let plan = |seed, with_disk| Plan::new(seed, with_disk).take(48).collect::<Vec<_>>();
        assert_eq!(plan(7, true), plan(7, true));
        assert_ne!(plan(7, true), plan(8, true));
        let all = plan(7, true);
        for round in [&all[..24], &all[24..]] {
            for kind in [
                FaultKind::NextDay,
                FaultKind::Kill(Target::BackOffice),
                FaultKind::FillDatabaseDisk,
                FaultKind::ShutDownPostgres(ShutdownMode::Immediate),
                FaultKind::PauseRedis,
                FaultKind::WrongReplies,
                FaultKind::PauseCharges,
            ] {
                assert_eq!(round.iter().filter(|fault| fault.kind == kind).count(), 1, "{kind}");
            }
        }
        assert!(
            all.iter().any(|fault| fault.concurrent.is_some()) && all.iter().any(|fault| fault.concurrent.is_none())
        );
        assert!(plan(7, false).iter().all(|fault| !fault.kind.fills_a_disk()));
    }
}
