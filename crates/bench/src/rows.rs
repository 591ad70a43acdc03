//! The benchmarks: one module per group of rows.
//!
//! To add a group, add a module here and a line in `Name` and `run`.

mod billing;
mod films;
mod gateway;
mod imports;
mod ledger;
mod likes;
mod list;
mod random;
mod search;
mod single;
mod sizes;

use clap::ValueEnum;

use crate::{report::Group, stage::Stage};

/// The groups, in the order of measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Name {
    /// A catalogue list from cache, compared with nginx serving the same bytes as a file.
    List,
    /// The same list from the database.
    Uncached,
    /// One video.
    Single,
    /// Random memes among a thousand and among a million.
    Random,
    /// Search among a million titles.
    Search,
    /// Likes and unlikes, compared with the same SQL statements in a loop.
    Likes,
    /// A day's billing pass over a hundred thousand subscriptions, and over ten thousand.
    Billing,
    /// A day's pass in which charges are refused, compared with one in which all are made.
    Refused,
    /// The pass of `Billing` over a million, and over a hundred thousand; runs only if named.
    BillingMillion,
    /// The gateway compared with nginx: as a proxy, from cache, and for media.
    Gateway,
    /// A large manifest, imported twice.
    Imports,
    /// A film's bytes in AV1, compared with H.264, and its sound alone.
    Films,
    /// One subscription's calls and the dashboards' panels over a ledger of 44,000,000 rows; runs only if named, too.
    Ledger,
    /// Every catalogue call with much data and with little; runs only if named, since filling takes minutes.
    Sizes,
}

impl Name {
    /// The groups that run by default.
    pub fn default_groups() -> Vec<Self> {
        let all = Self::value_variants().iter().copied();
        all.filter(|name| !matches!(name, Self::BillingMillion | Self::Ledger | Self::Sizes)).collect()
    }
}

/// Measures one group.
pub async fn run(name: Name, stage: &Stage) -> anyhow::Result<Group> {
    // For single-threaded servers, server and client are pinned to a CPU each; queries and bare loops use all CPUs.
    stage.processors.pin_client(matches!(name, Name::List | Name::Gateway));
    let (name, rows) = match name {
        Name::List => ("list", list::cached(stage).await?),
        Name::Uncached => ("uncached", list::uncached(stage).await?),
        Name::Single => ("single", single::rows(stage).await?),
        Name::Random => ("random", random::rows(stage).await?),
        Name::Search => ("search", search::rows(stage).await?),
        Name::Likes => ("likes", likes::rows(stage).await?),
        Name::Billing => ("billing", billing::rows(stage, 100_000, stage.pace.rounds.try_into()?).await?),
        Name::Refused => ("refused", billing::refused(stage, 10_000, stage.pace.rounds.try_into()?).await?),
        // A pass takes minutes.
        Name::BillingMillion => ("billing-million", billing::rows(stage, 1_000_000, 2).await?),
        Name::Gateway => ("gateway", gateway::rows(stage).await?),
        Name::Imports => ("imports", imports::rows(stage).await?),
        Name::Films => ("films", films::rows(stage).await?),
        Name::Ledger => ("ledger", ledger::rows(stage).await?),
        Name::Sizes => ("sizes", sizes::rows(stage).await?),
    };
    let pace = stage.pace;
    Ok(Group { name, rounds: pace.rounds, seconds: pace.seconds, connections: pace.connections, rows })
}
