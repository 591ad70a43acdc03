//! Rounds: all contenders have a turn in each, so that the machine's other load affects all of them.

use std::{pin::Pin, time::Duration};

use crate::load::{H2load, Sample, Wrk};

/// The duration of the turn before the first round.
const WARM_UP: Duration = Duration::from_secs(1);

/// The future of a turn's result.
pub type Turn<'a> = Pin<Box<dyn Future<Output = anyhow::Result<Sample>> + 'a>>;

/// A server that can be measured for a while.
pub trait Contender {
    /// Loads it for `duration`.
    fn turn(&self, duration: Duration) -> Turn<'_>;
}

impl Contender for Wrk {
    fn turn(&self, duration: Duration) -> Turn<'_> {
        Box::pin(self.run(duration))
    }
}

impl Contender for H2load {
    fn turn(&self, duration: Duration) -> Turn<'_> {
        Box::pin(self.run(duration))
    }
}

/// The number and duration of turns.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Pace {
    /// The number of turns of each contender.
    #[arg(long, default_value_t = Self::default().rounds)]
    pub rounds: usize,
    /// Whole seconds of a turn.
    #[arg(long, default_value_t = Self::default().seconds, value_parser = clap::value_parser!(u64).range(1..))]
    pub seconds: u64,
    /// The number of connections.
    #[arg(long, default_value_t = Self::default().connections)]
    pub connections: usize,
}

impl Default for Pace {
    fn default() -> Self {
        Self { rounds: 5, seconds: 2, connections: 64 }
    }
}

impl Pace {
    /// Lets the contenders take turns; returns each one's samples, in the order given. Every other round is in reverse order, so that no
    /// contender always follows the same other.
    pub async fn alternate<const N: usize>(self, contenders: [&dyn Contender; N]) -> anyhow::Result<[Vec<Sample>; N]> {
        let duration = Duration::from_secs(self.seconds);
        let mut samples = [const { Vec::new() }; N];
        // A warm-up of connections, pages and query plans, whose results are not used.
        for contender in contenders {
            contender.turn(WARM_UP).await?;
        }
        for round in 0..self.rounds {
            let forwards = round % 2 == 0;
            for position in 0..N {
                let index = if forwards { position } else { N - 1 - position };
                if let (Some(contender), Some(samples)) = (contenders.get(index), samples.get_mut(index)) {
                    samples.push(contender.turn(duration).await?);
                }
            }
        }
        Ok(samples)
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    struct RecordingContender<'a>(&'a RefCell<String>, char);

    impl Contender for RecordingContender<'_> {
        fn turn(&self, _: Duration) -> Turn<'_> {
            self.0.borrow_mut().push(self.1);
            Box::pin(async { Ok(Sample::default()) })
        }
    }

    #[test]
    fn alternate_reverses_every_other_round() {
        let recorded = RefCell::new(String::new());
        let pace = Pace { rounds: 3, seconds: 1, connections: 1 };
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let [a, b] = runtime
            .block_on(pace.alternate([&RecordingContender(&recorded, 'a'), &RecordingContender(&recorded, 'b')]))
            .unwrap();
        assert_eq!((a.len(), b.len()), (3, 3));
        assert_eq!(recorded.into_inner(), "ababbaab");
    }
}
