//! JPEGs for print, which have the four inks of a press instead of three colours.

use image::RgbImage;
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};
use zune_jpeg::{
    JpegDecoder,
    zune_core::{bytestream::ZCursor, colorspace::ColorSpace, options::DecoderOptions},
};

/// A JPEG of inks in the colours that browsers assume; `None` where it has none, or its profile cannot be used.
pub(crate) fn in_srgb(jpeg: &[u8], profile: &ColorProfile) -> Option<RgbImage> {
    if profile.color_space != DataColorSpace::Cmyk {
        return None;
    }
    let mut decoder = JpegDecoder::new(ZCursor::new(jpeg));
    decoder.decode_headers().ok()?;
    let (width, height) = decoder.dimensions()?;
    let stored = decoder.input_colorspace().filter(|stored| matches!(stored, ColorSpace::CMYK | ColorSpace::YCCK))?;
    let options = DecoderOptions::default().set_max_width(width).set_max_height(height);
    decoder.set_options(options.jpeg_set_out_colorspace(stored));
    let mut inks = decoder.decode().ok()?;
    for pixel in inks.as_chunks_mut().0 {
        *pixel = amounts(*pixel, stored);
    }
    let srgb = ColorProfile::new_srgb();
    let transform =
        profile.create_transform_8bit(Layout::Rgba, &srgb, Layout::Rgb, TransformOptions::default()).ok()?;
    let mut picture = RgbImage::new(width.try_into().ok()?, height.try_into().ok()?);
    transform.transform(&inks, &mut picture).ok()?;
    Some(picture)
}

/// How much there is of each ink. Adobe's programs, and so all others, store how much of it is missing; as YCCK, the three colours are
/// those of a JFIF file, inverted (ITU-T T.872, 6.5.3).
fn amounts([first, second, third, black]: [u8; 4], stored: ColorSpace) -> [u8; 4] {
    if stored != ColorSpace::YCCK {
        return [first, second, third, black].map(|missing| 255 - missing);
    }
    let (luma, blue, red) = (f32::from(first), f32::from(second) - 128.0, f32::from(third) - 128.0);
    // Rounded, and from 0 to 255.
    let [cyan, magenta, yellow] = [luma + 1.402 * red, luma - 0.344_136 * blue - 0.714_136 * red, luma + 1.772 * blue]
        .map(|ink| ink.round() as u8);
    [cyan, magenta, yellow, 255 - black]
}
