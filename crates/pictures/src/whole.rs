//! Whether a picture's file was cut off: decoders draw what there is of a JPEG, and grey for the rest.

use image::ImageFormat;

/// The kinds of file (ISO 14496-12, 4.3) in which phones keep photographs that browsers do not show.
const HEIC_BRANDS: [&[u8; 4]; 8] = [b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"];

pub(crate) fn is_heic(bytes: &[u8]) -> bool {
    let brand = bytes.get(4..12).and_then(|head| head.strip_prefix(b"ftyp"));
    brand.is_some_and(|brand| HEIC_BRANDS.iter().any(|known| known.as_slice() == brand))
}

pub(crate) fn is_cut(bytes: &[u8], format: ImageFormat) -> bool {
    match format {
        ImageFormat::Jpeg => !ends(bytes),
        // The length behind `RIFF`; a PNG that was cut fails by itself.
        ImageFormat::WebP => bytes
            .get(4..)
            .and_then(|rest| rest.first_chunk())
            .is_some_and(|length| u64::from(u32::from_le_bytes(*length)) + 8 > bytes.len() as u64),
        _ => false,
    }
}

/// Whether a JPEG has its end, behind every segment and all of its scans; cameras append more (ITU T.81, B.1).
fn ends(bytes: &[u8]) -> bool {
    let mut at = 2;
    loop {
        let Some([0xff, marker]) = bytes.get(at..).and_then(|rest| rest.first_chunk::<2>()) else { return false };
        match marker {
            0xd9 => return true,
            // Filling, and markers without a length.
            0xff => at += 1,
            0x01 | 0xd0..=0xd7 => at += 2,
            _ => {
                let Some(length) = bytes.get(at + 2..).and_then(|rest| rest.first_chunk::<2>()) else { return false };
                at += 2 + usize::from(u16::from_be_bytes(*length));
                if *marker == 0xda {
                    let rest = bytes.get(at..).unwrap_or_default();
                    // Within the pixels, ff is followed by nought or a marker to begin again.
                    let is_end = |pair: &[u8]| matches!(pair, [0xff, next] if !matches!(next, 0 | 0xff | 0xd0..=0xd7));
                    let Some(end) = rest.windows(2).position(is_end) else { return false };
                    at += end;
                }
            }
        }
    }
}
