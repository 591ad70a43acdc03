//! What is measured: one module per group of rows.
//!
//! A further group is one more module here and one more line in `Name` and `run`.

mod billing;
mod gateway;
mod imports;
mod likes;
mod list;
mod random;
mod search;
mod single;
mod sizes;

use clap::ValueEnum;

use crate::{report::Group, stage::Stage};

/// The groups, in the order they are measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Name {
    /// A catalogue list from memory, beside nginx serving the same bytes as a file.
    List,
    /// The same list, asked of the database every time.
    Uncached,
    /// One video.
    Single,
    /// Random memes of a thousand and of a million.
    Random,
    /// Search among a million titles.
    Search,
    /// Likes and unlikes, beside the engine's own pace.
    Likes,
    /// A day's billing pass over a hundred thousand subscriptions, and over ten thousand.
    Billing,
    /// The gateway beside nginx: as a proxy, from memory, and for media.
    Gateway,
    /// A large manifest, the first time and once more.
    Imports,
    /// Every catalogue call in a large library and in a small one; only where it is named, as it fills for minutes.
    Sizes,
}

impl Name {
    /// What is measured where nothing is named.
    pub fn usual() -> Vec<Self> {
        let all = Self::value_variants().iter().copied();
        all.filter(|name| *name != Self::Sizes).collect()
    }
}

/// Measures one group.
pub async fn run(name: Name, stage: &Stage) -> anyhow::Result<Group> {
    // Where the server is one thread, it and the client get a processor each; queries and bare loops need them all.
    stage.processors.keep_client(matches!(name, Name::List | Name::Gateway));
    let (name, rows) = match name {
        Name::List => ("list", list::cached(stage).await?),
        Name::Uncached => ("uncached", list::uncached(stage).await?),
        Name::Single => ("single", single::rows(stage).await?),
        Name::Random => ("random", random::rows(stage).await?),
        Name::Search => ("search", search::rows(stage).await?),
        Name::Likes => ("likes", likes::rows(stage).await?),
        Name::Billing => ("billing", billing::rows(stage).await?),
        Name::Gateway => ("gateway", gateway::rows(stage).await?),
        Name::Imports => ("imports", imports::rows(stage).await?),
        Name::Sizes => ("sizes", sizes::rows(stage).await?),
    };
    let pace = stage.pace;
    Ok(Group { name, rounds: pace.rounds, seconds: pace.seconds, connections: pace.connections, rows })
}
