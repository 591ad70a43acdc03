//! Whether a file was cut off: its container says how many bytes there are to be, at its beginning or at its end.

use std::{
    fs::File,
    io::{Read, Result, Seek, SeekFrom},
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
    Ok(match head.get(..12) {
        Some([0x1a, 0x45, 0xdf, 0xa3, ..]) => matroska_cut(&head, length),
        Some([b'R', b'I', b'F', b'F', a, b, c, d, b'A', b'V', b'I', b' ']) => {
            let declared = u64::from(u32::from_le_bytes([*a, *b, *c, *d])) + 8;
            // Nought, or all ones, where the length was not known when the header was written.
            declared > 8 && declared < u64::from(u32::MAX) && declared > length + SLACK
        }
        Some([b'F', b'L', b'V', ..]) => flash_cut(&mut file, length)?,
        Some([0x30, 0x26, 0xb2, 0x75, ..]) => asf_cut(&head, length),
        _ => false,
    })
}

/// Reads until the buffer is full or the file ends.
fn fill(file: &mut File, buffer: &mut [u8]) -> Result<usize> {
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

/// FLV: behind each tag stands its size, and the last one is that of the last tag.
fn flash_cut(file: &mut File, length: u64) -> Result<bool> {
    let last = |file: &mut File, at: u64| -> Result<[u8; 4]> {
        let mut four = [0; 4];
        file.seek(SeekFrom::Start(at))?;
        fill(file, &mut four)?;
        Ok(four)
    };
    let Some(end) = length.checked_sub(4) else { return Ok(true) };
    let size = u64::from(u32::from_be_bytes(last(file, end)?));
    let Some(tag) = end.checked_sub(size).filter(|_| size > 11) else { return Ok(true) };
    let [kind, a, b, c] = last(file, tag)?;
    let data = u64::from(u32::from_be_bytes([0, a, b, c]));
    Ok(!matches!(kind & 0x1f, 8 | 9 | 18) || data + 11 != size)
}

/// ASF, which WMV is: a header has the size of the file, nought in a broadcast.
fn asf_cut(head: &[u8], length: u64) -> bool {
    let at = head.windows(16).position(|bytes| bytes == ASF_PROPERTIES);
    let size = at.and_then(|at| head.get(at + ASF_SIZE_AT..)?.first_chunk().copied());
    size.is_some_and(|size| u64::from_le_bytes(size) > length)
}
