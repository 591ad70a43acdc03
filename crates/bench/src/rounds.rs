//! Rounds: every contender has its turn in each, so that what the machine does meanwhile meets them all.

use std::{pin::Pin, time::Duration};

use crate::load::{H2load, Load, Sample};

/// A turn's outcome, on its way.
pub type Turn<'a> = Pin<Box<dyn Future<Output = anyhow::Result<Sample>> + 'a>>;

/// Something that can be asked to work for a while.
pub trait Contender {
    /// Works for as long as `spell`.
    fn turn(&self, spell: Duration) -> Turn<'_>;
}

impl Contender for Load {
    fn turn(&self, spell: Duration) -> Turn<'_> {
        Box::pin(self.run(spell))
    }
}

impl Contender for H2load {
    fn turn(&self, spell: Duration) -> Turn<'_> {
        Box::pin(self.run(spell))
    }
}

/// How long and how often.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Pace {
    /// How often each contender has its turn.
    #[arg(long, default_value_t = Self::default().rounds)]
    pub rounds: usize,
    /// Seconds of a turn.
    #[arg(long, default_value_t = Self::default().seconds)]
    pub seconds: f64,
    /// Connections that ask at once.
    #[arg(long, default_value_t = Self::default().connections)]
    pub connections: usize,
}

impl Default for Pace {
    fn default() -> Self {
        Self { rounds: 5, seconds: 2.0, connections: 64 }
    }
}

impl Pace {
    /// Lets the contenders take turns; each one's samples, in the order given. Every other round goes backwards, so that
    /// none always follows the same other.
    pub async fn alternate<const N: usize>(self, contenders: [&dyn Contender; N]) -> anyhow::Result<[Vec<Sample>; N]> {
        let spell = Duration::from_secs_f64(self.seconds);
        let mut samples = [const { Vec::new() }; N];
        // Warm-up: nobody's first connections, pages and plans count.
        for contender in contenders {
            contender.turn(spell.mul_f64(0.25)).await?;
        }
        for round in 0..self.rounds {
            let forwards = round % 2 == 0;
            for place in 0..N {
                let index = if forwards { place } else { N - 1 - place };
                if let (Some(contender), Some(samples)) = (contenders.get(index), samples.get_mut(index)) {
                    samples.push(contender.turn(spell).await?);
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

    struct Noted<'a>(&'a RefCell<String>, char);

    impl Contender for Noted<'_> {
        fn turn(&self, _: Duration) -> Turn<'_> {
            self.0.borrow_mut().push(self.1);
            Box::pin(async { Ok(Sample::default()) })
        }
    }

    #[test]
    fn contenders_take_turns_forwards_and_backwards() {
        let notes = RefCell::new(String::new());
        let pace = Pace { rounds: 3, seconds: 0.1, connections: 1 };
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let [a, b] = runtime.block_on(pace.alternate([&Noted(&notes, 'a'), &Noted(&notes, 'b')])).unwrap();
        assert_eq!((a.len(), b.len()), (3, 3));
        assert_eq!(notes.into_inner(), "ababbaab");
    }
}
