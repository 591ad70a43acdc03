//! Dice that fall the same way for the same visitor in every soak.

/// One visitor's dice.
pub(super) struct Dice(u64);

impl Dice {
    /// The dice of the visitor of this number.
    pub fn of(number: usize) -> Self {
        Self(u64::try_from(number).unwrap_or_default() * 2 + 1)
    }

    /// A number below `sides`.
    pub fn throw(&mut self, sides: u64) -> u64 {
        // xorshift64*: nothing here needs better ones.
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % sides.max(1)
    }

    /// One of several.
    pub fn pick<'a, T>(&mut self, several: &'a [T]) -> Option<&'a T> {
        let index = self.throw(u64::try_from(several.len()).unwrap_or(1));
        several.get(usize::try_from(index).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_side_comes_up() {
        let mut dice = Dice::of(3);
        let mut counts = [0_u32; 10];
        for _ in 0..10_000 {
            counts[usize::try_from(dice.throw(10)).unwrap()] += 1;
        }
        assert!(counts.iter().all(|count| (800..1_200).contains(count)), "{counts:?}");
    }
}
