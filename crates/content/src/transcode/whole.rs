//! Whether a file was cut off: its container says how many bytes there are to be, at its beginning or at its end.

use std::{
    fs::File,
    io::{BufReader, Read, Result, Seek, SeekFrom},
    path::Path,
};

/// What is wrong with a file that was cut.
pub const NOT_WHOLE: &str = "ends before its header says it does: it is not whole";

/// ffmpeg's words for a file that ends too early.
pub const CUT_OFF: [&str; 2] = ["partial file", "File ended prematurely"];

/// The bytes that a header of AVI may be wrong by: some programs do not count the last ones.
const SLACK: u64 = 1024;

/// Where a header of ASF is looked for, in bytes.
const ASF_HEADER: usize = 64 * 1024;

/// `ASF_File_Properties_Object`, and how far behind its beginning the file's size is.
const ASF_PROPERTIES: [u8; 16] =
    [0xa1, 0xdc, 0xab, 0x8c, 0x47, 0xa9, 0xcf, 0x11, 0x8e, 0xe4, 0x00, 0xc0, 0x0c, 0x20, 0x53, 0x65];
const ASF_SIZE_AT: usize = 40;

/// The most bytes of a page of Ogg.
const OGG_PAGE: u64 = 27 + 255 + 255 * 255;

/// How far behind the beginning of MXF's first pack of values the footer's place is.
const MXF_FOOTER_AT: usize = 24;

/// Whether the file is known to be cut; of formats that do not say how long they are it is not.
pub fn is_cut(path: &Path) -> Result<bool> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut head = vec![0; ASF_HEADER];
    let read = fill(&mut file, &mut head)?;
    head.truncate(read);
    if matches!(head.get(4..8), Some(b"ftyp" | b"moov" | b"moof" | b"mdat" | b"wide" | b"free" | b"skip")) {
        return boxes_cut(&mut file, length);
    }
    if let Some(packet) = transport_packet(&head) {
        return Ok(!length.is_multiple_of(packet));
    }
    Ok(match head.get(..12) {
        Some([0x1a, 0x45, 0xdf, 0xa3, ..]) => matroska_cut(&head, length),
        Some([b'R', b'I', b'F', b'F', a, b, c, d, b'A', b'V', b'I', b' ']) => {
            let declared = u64::from(u32::from_le_bytes([*a, *b, *c, *d])) + 8;
            // Nought, or all ones, where the length was not known when the header was written.
            declared > 8 && declared < u64::from(u32::MAX) && declared > length + SLACK
        }
        Some([b'F', b'L', b'V', ..]) => flash_cut(file, length)?,
        Some([b'O', b'g', b'g', b'S', ..]) => ogg_cut(&mut file, length)?,
        Some([0x06, 0x0e, 0x2b, 0x34, ..]) => mxf_cut(&head, length),
        Some([0x30, 0x26, 0xb2, 0x75, ..]) => asf_cut(&head, length),
        _ => false,
    })
}

/// Reads until the buffer is full or the file ends.
fn fill(file: &mut impl Read, buffer: &mut [u8]) -> Result<usize> {
    let limit = buffer.len();
    let mut bytes = Vec::new();
    let read = file.take(limit as u64).read_to_end(&mut bytes)?;
    if let Some(place) = buffer.get_mut(..read) {
        place.copy_from_slice(&bytes);
    }
    Ok(read)
}

/// MP4 and QuickTime (ISO 14496-12, 4.2): each box has its size in front.
fn boxes_cut(file: &mut File, length: u64) -> Result<bool> {
    let mut at = 0;
    while at + 8 <= length {
        file.seek(SeekFrom::Start(at))?;
        let mut head = [0; 16];
        let read = fill(file, &mut head)?;
        let [a, b, c, d, kind @ .., _, _, _, _, _, _, _, _] = head;
        let size = match u32::from_be_bytes([a, b, c, d]) {
            // To the end of the file.
            0 => return Ok(false),
            1 if read == 16 => u64::from_be_bytes(*head.last_chunk().unwrap_or(&[0; 8])),
            size => size.into(),
        };
        let needed = matches!(&kind, b"mdat" | b"moov" | b"moof");
        if size < 8 {
            // No box: what some programs append.
            return Ok(false);
        }
        if at.saturating_add(size) > length {
            return Ok(needed);
        }
        at += size;
    }
    Ok(false)
}

/// The bytes of each packet of an MPEG transport stream, of which it consists (ISO 13818-1, 2.4.3): 188, or with a time before each, as cameras
/// write them, 192. One that ends between two packets is not known to be cut.
fn transport_packet(head: &[u8]) -> Option<u64> {
    let begin = |size: usize, sync: usize| (0..3).all(|packet| head.get(packet * size + sync) == Some(&0x47));
    match () {
        () if begin(188, 0) => Some(188),
        () if begin(192, 4) => Some(192),
        () => None,
    }
}

/// Matroska and WebM (RFC 8794, 4 and 5): the segment, behind the header, has its size in front unless it was written as it came.
fn matroska_cut(head: &[u8], length: u64) -> bool {
    let element = |at: usize| {
        let (id, after) = number(head, at, false)?;
        let (size, after) = number(head, after, true)?;
        Some((id, size, after))
    };
    let segment = element(0).and_then(|(_, size, after)| {
        let mut at = after.checked_add(usize::try_from(size?).ok()?)?;
        loop {
            let (id, size, after) = element(at)?;
            match id? {
                0x1853_8067 => return Some((size?, after)),
                _ => at = after.checked_add(usize::try_from(size?).ok()?)?,
            }
        }
    });
    segment.is_some_and(|(size, after)| (after as u64).saturating_add(size) > length)
}

/// A number of variable length, whose leading zeros say how long it is; `None` within: all ones, which is unknown.
fn number(bytes: &[u8], at: usize, is_size: bool) -> Option<(Option<u64>, usize)> {
    let first = *bytes.get(at)?;
    let count = usize::try_from(first.leading_zeros()).ok()? + 1;
    let rest = bytes.get(at + 1..at.checked_add(count)?)?;
    let marked = rest.iter().fold(u64::from(first), |number, byte| (number << 8) | u64::from(*byte));
    if !is_size {
        return Some((Some(marked), at + count));
    }
    let all = 1_u64.checked_shl(u32::try_from(7 * count).ok()?)? - 1;
    let size = marked & all;
    Some(((size != all).then_some(size), at + count))
}

/// FLV: each tag has its kind and size in front. What is no tag is not of the film.
fn flash_cut(file: File, length: u64) -> Result<bool> {
    let mut file = BufReader::new(file);
    // The header's length is at 5; the size of the tag before follows each tag and the header.
    let mut at = u64::from(u32::from_be_bytes(read_at(&mut file, 5)?)) + 4;
    while at < length {
        let [kind, a, b, c] = read_at(&mut file, at)?;
        if !matches!(kind & 0x1f, 8 | 9 | 18) {
            return Ok(false);
        }
        let end = at + 11 + u64::from(u32::from_be_bytes([0, a, b, c]));
        if end > length {
            return Ok(true);
        }
        at = end + 4;
    }
    Ok(false)
}

/// Bytes at a place; noughts behind the end of the file.
fn read_at<const N: usize>(file: &mut BufReader<File>, at: u64) -> Result<[u8; N]> {
    let here = file.stream_position()?;
    file.seek_relative(i64::try_from(at).unwrap_or(i64::MAX) - i64::try_from(here).unwrap_or(i64::MAX))?;
    let mut bytes = [0; N];
    fill(file, &mut bytes)?;
    Ok(bytes)
}

/// Ogg (RFC 3533, 6): each page has the sizes of its parts in front, and the last one is within the last pages' most bytes.
fn ogg_cut(file: &mut File, length: u64) -> Result<bool> {
    file.seek(SeekFrom::Start(length.saturating_sub(OGG_PAGE)))?;
    let mut tail = Vec::new();
    file.read_to_end(&mut tail)?;
    let Some(page) = tail.windows(4).rposition(|name| name == b"OggS") else { return Ok(false) };
    let sizes = tail.get(page + 27..).unwrap_or_default();
    let count = usize::from(tail.get(page + 26).copied().unwrap_or(u8::MAX));
    let bytes: usize = sizes.iter().take(count).map(|size| usize::from(*size)).sum();
    Ok(count + bytes > sizes.len())
}

/// MXF (SMPTE 377, 7.1): the header says at which byte the footer begins, or nought.
fn mxf_cut(head: &[u8], length: u64) -> bool {
    let long = usize::from(head.get(16).copied().unwrap_or_default() & 0x7f);
    let value = if head.get(16).is_some_and(|size| size & 0x80 == 0) { 17 } else { 17 + long };
    let footer = head.get(value + MXF_FOOTER_AT..).and_then(|rest| rest.first_chunk().copied());
    footer.is_some_and(|footer| u64::from_be_bytes(footer) >= length)
}

/// ASF, which WMV is: a header has the size of the file, nought in a broadcast.
fn asf_cut(head: &[u8], length: u64) -> bool {
    let at = head.windows(16).position(|bytes| bytes == ASF_PROPERTIES);
    let size = at.and_then(|at| head.get(at + ASF_SIZE_AT..)?.first_chunk().copied());
    size.is_some_and(|size| u64::from_le_bytes(size) > length)
}
