//! The sizes a video is offered in, from the poorest connection to the best that R3 a day should pay for.

/// One size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// The shorter side, in pixels.
    pub short_side: u32,
    /// Bits a second of the picture.
    pub bits: u32,
    /// H.264 profile: the cheapest phones decode no more than baseline in hardware.
    pub profile: &'static str,
}

/// Every size there is; with a sound of two channels the smallest takes 96 kb/s and the largest 1.6 Mb/s.
pub const LADDER: [Variant; 5] = [
    Variant { short_side: 144, bits: 48_000, profile: "baseline" },
    Variant { short_side: 240, bits: 180_000, profile: "baseline" },
    Variant { short_side: 360, bits: 400_000, profile: "main" },
    Variant { short_side: 480, bits: 800_000, profile: "main" },
    Variant { short_side: 720, bits: 1_550_000, profile: "main" },
];

/// Bits a second of each channel of the sound.
pub const CHANNEL_BITS: u32 = 24_000;

/// The same where the film is its sound alone: with the file's own bytes less than 48 kb/s for two channels.
pub const SOUND_CHANNEL_BITS: u32 = 22_000;

/// The sizes of a source whose picture is `width` by `height`: none above it, and one at least.
pub fn variants(width: u32, height: u32) -> Vec<(Variant, u32, u32)> {
    let short = width.min(height);
    let own = Variant { short_side: short, ..LADDER[0] };
    let fitting: Vec<Variant> = LADDER.into_iter().filter(|variant| variant.short_side <= short).collect();
    let fitting = if fitting.is_empty() { vec![own] } else { fitting };
    fitting
        .into_iter()
        .map(|variant| {
            let scale = |side: u32| even(f64::from(side) * f64::from(variant.short_side) / f64::from(short));
            (variant, scale(width), scale(height))
        })
        .collect()
}

/// The nearest even number, 2 at least: H.264 counts colour in pairs of pixels.
fn even(side: f64) -> u32 {
    let pairs = (side / 2.0).round().clamp(1.0, 8192.0);
    // Within the bounds above, so nothing is lost.
    pairs as u32 * 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_do_not_exceed_the_source() {
        let sides = |width, height| variants(width, height).iter().map(|(_, w, h)| (*w, *h)).collect::<Vec<_>>();
        assert_eq!(sides(1920, 1080), [(256, 144), (426, 240), (640, 360), (854, 480), (1280, 720)]);
        assert_eq!(sides(1080, 1920), [(144, 256), (240, 426), (360, 640), (480, 854), (720, 1280)]);
        assert_eq!(sides(640, 361), [(256, 144), (426, 240), (638, 360)]);
        assert_eq!(sides(100, 75), [(100, 76)]);
        assert_eq!(sides(1, 1), [(2, 2)]);
    }
}
