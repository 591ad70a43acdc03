//! Whether a picture consists of two fields of different times, as television's does: shown as one it has a comb wherever something moves.

use std::path::Path;

use super::{
    limited::{ffmpeg_saying, file_address},
    probe::Stream,
    programs::Programs,
};

/// Pictures that ffmpeg looks at, at each of these parts of a film: it may begin with a title that stands still.
const LOOKED_AT: &str = "200";

/// How pictures are told apart. At ffmpeg's own threshold of 1.04, fine patterns that move by a row look like fields; softened fields are found
/// up to 1.19.
const LOOK: &str = "idet=intl_thres=1.17";

/// The fewest pictures with a comb that count.
const FEWEST: u64 = 4;

/// See [`LOOKED_AT`].
const PARTS: [f64; 3] = [0.0, 0.5, 0.8];

/// Which of the two fields comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fields {
    /// That of the first row.
    TopFirst,
    /// That of the second row.
    BottomFirst,
}

impl Fields {
    /// ffmpeg's filter that makes one picture of both fields.
    pub fn filter(self) -> &'static str {
        match self {
            Self::TopFirst => "bwdif=mode=send_frame:parity=tff:deint=all,",
            Self::BottomFirst => "bwdif=mode=send_frame:parity=bff:deint=all,",
        }
    }
}

/// The fields of a stream, as its header says (`tt`, `bt`: the first row is shown first) or as its pictures look.
pub fn fields(source: &Path, stream: &Stream, seconds: f64, programs: &Programs) -> Option<Fields> {
    match stream.field_order.as_deref() {
        Some("tt" | "bt") => return Some(Fields::TopFirst),
        Some("bb" | "tb") => return Some(Fields::BottomFirst),
        _ => {}
    }
    PARTS.into_iter().find_map(|part| look(source, stream.index, part * seconds, programs)?.fields())
}

/// How many pictures looked like what.
#[derive(Debug, Default, PartialEq, Eq)]
struct Look {
    top: u64,
    bottom: u64,
    whole: u64,
}

impl Look {
    fn fields(self) -> Option<Fields> {
        // Fields come in one order; a picture of fine rows looks like either.
        let (first, other) = (self.top.max(self.bottom), self.top.min(self.bottom));
        let order = if self.bottom > self.top { Fields::BottomFirst } else { Fields::TopFirst };
        (first >= FEWEST && first > self.whole && first > other * 4).then_some(order)
    }
}

fn look(source: &Path, stream: u32, at: f64, programs: &Programs) -> Option<Look> {
    let mut command = ffmpeg_saying("info");
    command
        .args(["-nostats", "-ss", &format!("{at:.3}"), "-protocol_whitelist", "file", "-i"])
        .arg(file_address(source));
    command.args(["-map", &format!("0:{stream}"), "-vf", LOOK, "-frames:v", LOOKED_AT, "-f", "null", "-"]);
    let messages = programs.run(command, &|_| {}).ok()?;
    messages.lines().rev().find_map(read)
}

/// A line of ffmpeg's `idet`: `Multi frame detection: TFF:   91 BFF:    0 Progressive:    5 Undetermined:    4`.
fn read(line: &str) -> Option<Look> {
    let (_, counts) = line.split_once("Multi frame detection:")?;
    let mut words = counts.split_whitespace();
    let mut look = Look::default();
    while let (Some(name), Some(count)) = (words.next(), words.next()) {
        match name {
            "TFF:" => look.top = count.parse().ok()?,
            "BFF:" => look.bottom = count.parse().ok()?,
            "Progressive:" => look.whole = count.parse().ok()?,
            _ => {}
        }
    }
    Some(look)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_finds_the_counts_of_idet() {
        let line = "[Parsed_idet_0 @ 0x55] Multi frame detection: TFF:    91 BFF:     2 Progressive:     5 Undetermined:     4";
        assert_eq!(read(line), Some(Look { top: 91, bottom: 2, whole: 5 }));
        assert_eq!(read("[Parsed_idet_0 @ 0x55] Repeated Fields: Neither:   100 Top:     0 Bottom:     0"), None);
    }
}
