//! A film's clip: ten of its seconds without sound. It is public, as its picture is, so that visitors see some of a film before they join.
//!
//! A picture whose name ends in `.clip.webp` has a clip, whose name ends in `.clip.mp4` and is the same before that. No record has a field
//! for it, and a film whose picture has another name has none.

use std::{fs, path::Path};

use super::{
    encode::{absolute, picture_start, prepared, scaled},
    limited::ffmpeg,
    probe::Probe,
    programs::Programs,
};

/// The most bytes of a clip.
pub const CLIP_BYTES: u64 = 100_000;

/// The name of a rendition's clip.
pub const CLIP: &str = "card.clip.mp4";

/// Seconds.
const LENGTH: f64 = 10.0;

/// The shorter side in pixels, and pictures a second: the first that fits is kept. Noise fits the last.
const QUALITIES: [(u32, u32); 3] = [(240, 15), (180, 10), (96, 4)];

/// Bits a second: with the encoder's buffer of a second, ten seconds have a tenth less than `CLIP_BYTES`.
const MOST_BITS: &str = "66k";

/// The address of the clip of the picture at this address, or none where the picture's name says that there is none.
pub fn clip_of(picture: &str) -> Option<String> {
    picture.strip_suffix(".clip.webp").map(|name| format!("{name}.clip.mp4"))
}

/// Makes the clip in `folder`, of the seconds that begin with the picture.
pub(super) fn clip(source: &Path, probe: &Probe, folder: &Path, programs: &Programs) -> Result<(), String> {
    let start = picture_start(probe).min((probe.seconds - LENGTH).max(0.0)) + probe.origin;
    let source = absolute(source)?;
    for (short_side, rate) in QUALITIES {
        let (width, height) = scaled(probe, short_side);
        let filter = format!("{}fps={},scale={width}:{height},setsar=1", prepared(probe), probe.rate.min(rate));
        let mut command = ffmpeg();
        command.current_dir(folder);
        command.args(["-ss", &format!("{start:.3}"), "-protocol_whitelist", "file", "-i"]).arg(&source);
        command.args(["-map", &format!("0:{}", probe.picture), "-t", &LENGTH.to_string(), "-vf", &filter]);
        command.args(["-c:v", "libx264", "-crf", "27", "-maxrate", MOST_BITS, "-bufsize", MOST_BITS, "-g", "600"]);
        command.args(["-profile:v", "main", "-level:v", "3.0", "-pix_fmt", "yuv420p", "-map_metadata", "-1"]);
        command.args(["-movflags", "+faststart", "-f", "mp4", CLIP]);
        programs.run(command, &|_| {})?;
        let bytes = fs::metadata(folder.join(CLIP)).map_err(|error| error.to_string())?.len();
        if bytes <= CLIP_BYTES {
            return Ok(());
        }
    }
    Err(format!("gives no clip of {CLIP_BYTES} bytes"))
}
