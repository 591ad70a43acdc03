//! Pictures that editors upload: what the gateway's resizer can show, without what a camera wrote into them.

use image::{
    DynamicImage, ImageFormat,
    codecs::{jpeg::JpegEncoder, png::PngEncoder},
};
use pictures::{SHOWN, Upright};

/// The largest picture that the gateway's resizer accepts, in bytes.
pub const MAX_BYTES: u64 = SHOWN.bytes;

/// The quality of a JPEG and of a WebP that is written again, of 100.
const QUALITY: u8 = 92;

/// A picture that can be published.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CleanPicture {
    /// The file.
    pub bytes: Vec<u8>,
    /// What its name ends in: `jpg`, `png` or `webp`.
    pub ending: &'static str,
    /// Pixels, upright.
    pub width: u32,
    /// Pixels, upright.
    pub height: u32,
}

/// Checks a picture. Its bytes stay as they are, unless it has metadata: a photograph says where it was made, and by what. Then it is turned
/// upright and written again in its own format. An error says why it cannot be shown.
pub fn clean(bytes: Vec<u8>) -> Result<CleanPicture, String> {
    let Upright { pixels, format, has_metadata } = pictures::read(&bytes, SHOWN)?;
    let ending = match format {
        ImageFormat::Jpeg => "jpg",
        ImageFormat::Png => "png",
        _ => "webp",
    };
    let (width, height) = (pixels.width(), pixels.height());
    let bytes = if has_metadata { write(pixels, format)? } else { bytes };
    Ok(CleanPicture { bytes, ending, width, height })
}

fn write(picture: DynamicImage, format: ImageFormat) -> Result<Vec<u8>, String> {
    let words = |cause: &dyn std::fmt::Display| format!("cannot be written: {cause}");
    let mut bytes = Vec::new();
    match format {
        ImageFormat::Jpeg => {
            let encoder = JpegEncoder::new_with_quality(&mut bytes, QUALITY);
            DynamicImage::from(picture.to_rgb8()).write_with_encoder(encoder).map_err(|error| words(&error))?;
        }
        ImageFormat::Png => {
            picture.write_with_encoder(PngEncoder::new(&mut bytes)).map_err(|error| words(&error))?;
        }
        _ => {
            // The WebP encoder accepts only these two layouts of pixels.
            let picture: DynamicImage =
                if picture.color().has_alpha() { picture.to_rgba8().into() } else { picture.to_rgb8().into() };
            let encoder = webp::Encoder::from_image(&picture).map_err(|error| words(&error))?;
            bytes.extend_from_slice(&encoder.encode(f32::from(QUALITY)));
        }
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{Rgb, RgbImage};

    use super::*;

    /// Red on the left, blue on the right.
    fn drawn(format: ImageFormat) -> Vec<u8> {
        let picture: DynamicImage =
            RgbImage::from_fn(80, 40, |x, _| if x < 40 { Rgb([220, 10, 10]) } else { Rgb([10, 10, 220]) }).into();
        match format {
            ImageFormat::WebP => webp::Encoder::from_image(&picture).unwrap().encode(90.0).to_vec(),
            _ => {
                let mut bytes = Cursor::new(Vec::new());
                picture.write_to(&mut bytes, format).unwrap();
                bytes.into_inner()
            }
        }
    }

    /// As a telephone writes it that is held upright: turned to the right, and with a place.
    fn photograph() -> Vec<u8> {
        let tiff = b"II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0Soweto";
        let mut exif = b"\xff\xe1".to_vec();
        exif.extend_from_slice(&u16::try_from(tiff.len() + 8).unwrap().to_be_bytes());
        exif.extend_from_slice(b"Exif\0\0");
        exif.extend_from_slice(tiff);
        let plain = drawn(ImageFormat::Jpeg);
        let (start, rest) = plain.split_at(2);
        [start, &exif, rest].concat()
    }

    fn has(bytes: &[u8], text: &[u8]) -> bool {
        bytes.windows(text.len()).any(|part| part == text)
    }

    #[test]
    fn picture_without_metadata_stays_as_it_is() {
        for (format, ending) in [(ImageFormat::Jpeg, "jpg"), (ImageFormat::Png, "png"), (ImageFormat::WebP, "webp")] {
            let bytes = drawn(format);
            let expected = CleanPicture { bytes: bytes.clone(), ending, width: 80, height: 40 };
            assert_eq!(clean(bytes), Ok(expected), "{ending}");
        }
    }

    #[test]
    fn photograph_loses_its_place_and_stands_upright() {
        let bytes = photograph();
        assert!(has(&bytes, b"Soweto"));
        let clean = clean(bytes).unwrap();
        assert_eq!((clean.ending, clean.width, clean.height), ("jpg", 40, 80));
        assert!(!has(&clean.bytes, b"Soweto") && !has(&clean.bytes, b"Exif"));
        let upright = image::load_from_memory(&clean.bytes).unwrap().to_rgb8();
        let (top, bottom) = (upright.get_pixel(20, 5), upright.get_pixel(20, 75));
        assert!(top[0] > 150 && top[2] < 90 && bottom[2] > 150 && bottom[0] < 90, "{top:?} {bottom:?}");
    }

    #[test]
    fn file_that_cannot_be_shown_is_refused() {
        let png = drawn(ImageFormat::Png);
        for bad in [b"<svg onload=alert(1)>".to_vec(), png.get(..png.len() / 2).unwrap().to_vec(), Vec::new()] {
            let outcome = clean(bad);
            assert!(outcome.as_ref().is_err_and(|cause| cause.contains("is not a picture")), "{outcome:?}");
        }
        let large = clean(vec![0; usize::try_from(MAX_BYTES).unwrap() + 1]);
        assert!(large.is_err_and(|cause| cause.contains("more than")));
    }
}
