//! A random number generator with a fixed seed per visitor.

/// One visitor's random number generator.
pub(super) struct Rng(u64);

impl Rng {
    /// Seeded with the visitor's number.
    pub fn of(number: usize) -> Self {
        Self(u64::try_from(number).unwrap_or_default() * 2 + 1)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u64) -> u64 {
        // xorshift64*, which is good enough here.
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) % bound.max(1)
    }

    /// One of several.
    pub fn pick<'a, T>(&mut self, several: &'a [T]) -> Option<&'a T> {
        let index = self.below(u64::try_from(several.len()).unwrap_or(1));
        several.get(usize::try_from(index).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn below_returns_every_number() {
        let mut rng = Rng::of(3);
        let mut counts = [0_u32; 10];
        for _ in 0..10_000 {
            counts[usize::try_from(rng.below(10)).unwrap()] += 1;
        }
        assert!(counts.iter().all(|count| (800..1_200).contains(count)), "{counts:?}");
    }
}
