//! Small copies of pictures.

use fast_image_resize::Resizer;
use image::DynamicImage;

use crate::{SHOWN, read};

/// Gives half the bytes of a JPEG of the same quality, for the demo's images.
const WEBP_QUALITY: f32 = 78.0;

/// Converts a JPEG, PNG or WebP to a WebP at most `width` pixels wide, upright and never enlarged. The size is limited before decoding. The error
/// says why the image is not shown.
pub fn thumbnail(source: &[u8], width: u32) -> Result<Vec<u8>, String> {
    let decoded = read(source, SHOWN)?.pixels;
    let plain =
        if decoded.color().has_alpha() { decoded.into_rgba8().into() } else { DynamicImage::from(decoded.into_rgb8()) };
    encode(&fit(plain, width)?)
}

/// Resizes to at most `width`, never enlarging.
fn fit(source: DynamicImage, width: u32) -> Result<DynamicImage, String> {
    if source.width() <= width {
        return Ok(source);
    }
    let height =
        (u64::from(source.height()) * u64::from(width) + u64::from(source.width()) / 2) / u64::from(source.width());
    let height = u32::try_from(height).unwrap_or(SHOWN.side).max(1);
    let mut fitted = DynamicImage::new(width, height, source.color());
    Resizer::new().resize(&source, &mut fitted, None).map_err(|error| error.to_string())?;
    Ok(fitted)
}

fn encode(picture: &DynamicImage) -> Result<Vec<u8>, String> {
    let encoder = match picture {
        DynamicImage::ImageRgb8(pixels) => webp::Encoder::from_rgb(pixels, pixels.width(), pixels.height()),
        DynamicImage::ImageRgba8(pixels) => webp::Encoder::from_rgba(pixels, pixels.width(), pixels.height()),
        other => return Err(format!("an image of {:?} was to be encoded", other.color())),
    };
    let encoded = encoder.encode_simple(false, WEBP_QUALITY).map_err(|error| format!("{error:?}"))?;
    Ok(encoded.to_vec())
}
