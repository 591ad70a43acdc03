//! Where the streams of a source begin and end, on the clock that the encoder's filters see: all of it is read, and nothing is decoded.

use std::{
    cell::RefCell,
    collections::{BTreeMap, HashMap},
    path::Path,
};

use super::{
    limited::{ffmpeg, file_address},
    programs::Programs,
    whole::{CUT_OFF, NOT_WHOLE},
};

/// The packets of a stream.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// How many there are.
    pub packets: u64,
    /// The first time, in seconds; what stands before 0 is decoded and not shown.
    pub start: f64,
    /// The time at which the last one ends, if packets say how long they are.
    pub end: f64,
}

/// The spans of these streams, by index; empty where ffmpeg cannot say. An error says that the file was cut.
pub fn scan(source: &Path, streams: &[u32], programs: &Programs) -> Result<HashMap<u32, Span>, String> {
    let mut command = ffmpeg();
    command.args(["-protocol_whitelist", "file", "-i"]).arg(file_address(source));
    for stream in streams {
        command.args(["-map", &format!("0:{stream}")]);
    }
    command.args(["-c", "copy", "-copyinkf", "-f", "framecrc", "-"]);
    let found = RefCell::new(Packets::default());
    let outcome = programs.run(command, &|line| found.borrow_mut().read(line));
    let messages = outcome.as_ref().map_or_else(String::as_str, String::as_str);
    if CUT_OFF.iter().any(|words| messages.contains(words)) {
        return Err(NOT_WHOLE.to_owned());
    }
    if outcome.is_err() {
        return Ok(HashMap::new());
    }
    let spans = found.into_inner().spans;
    Ok(spans.into_iter().filter_map(|(place, span)| Some((*streams.get(place)?, span))).collect())
}

/// The lines of ffmpeg's `framecrc`: `#tb 0: 1/25`, and a packet each with its stream, dts, pts and duration.
#[derive(Default)]
struct Packets {
    units: BTreeMap<usize, f64>,
    spans: BTreeMap<usize, Span>,
}

impl Packets {
    fn read(&mut self, line: &str) {
        if let Some(unit) = line.strip_prefix("#tb ") {
            let parsed = unit.split_once(": ").and_then(|(place, ratio)| {
                let (over, under) = ratio.split_once('/')?;
                Some((place.parse().ok()?, over.trim().parse::<f64>().ok()? / under.trim().parse::<f64>().ok()?))
            });
            self.units.extend(parsed);
            return;
        }
        let mut cells = line.split(',').map(str::trim);
        let Some(place) = cells.next().and_then(|cell| cell.parse::<usize>().ok()) else { return };
        let Some(unit) = self.units.get(&place) else { return };
        let mut ticks = || cells.next().and_then(|cell| cell.parse::<i64>().ok()).filter(|ticks| *ticks != i64::MIN);
        let (dts, pts, length) = (ticks(), ticks(), ticks().unwrap_or(0));
        let Some(ticks) = pts.or(dts) else { return };
        // Ticks of a film are far below where whole numbers stop being exact.
        let (start, end) = (ticks as f64 * unit, (ticks + length.max(0)) as f64 * unit);
        let span = self.spans.entry(place).or_insert(Span { packets: 0, start, end });
        *span = Span { packets: span.packets + 1, start: span.start.min(start), end: span.end.max(end) };
    }
}
