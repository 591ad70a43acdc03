//! The reader of pictures that come from outside, of the gateway's resizer and of the editors' tools: upright, whole, in the colours of browsers,
//! and of limited size before anything is decoded.

mod printed;
mod thumbnail;
mod whole;

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use moxcms::{ColorProfile, DataColorSpace, Layout, TransformOptions};

pub use thumbnail::thumbnail;

/// The most that is read of a picture.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// Bytes of the file.
    pub bytes: u64,
    /// Pixels along a side.
    pub side: u32,
    /// Pixels in all.
    pub pixels: u64,
}

/// The most that the gateway shows.
pub const SHOWN: Most = Most { bytes: 10 * 1024 * 1024, side: 8000, pixels: 40_000_000 };

/// What is said of a file that is none of these.
const NO_PICTURE: &str = "is not a picture that can be shown (JPEG, PNG or WebP)";

/// What is said of a photograph as iPhones keep it.
const HEIC: &str = "is a HEIC picture, which browsers do not show: save it as JPEG (on an iPhone: Settings, Camera, Formats, Most Compatible)";

/// A picture as people see it.
pub struct Upright {
    /// Its pixels, turned as the file says, in sRGB.
    pub pixels: DynamicImage,
    /// JPEG, PNG or WebP.
    pub format: ImageFormat,
    /// Whether the file has more in it than the picture: where it was made, and by what.
    pub has_metadata: bool,
}

/// Reads a picture. An error says why it cannot be shown.
pub fn read(bytes: &[u8], most: Most) -> Result<Upright, String> {
    let no_picture = |cause: ImageError| format!("{NO_PICTURE}: {cause}");
    if bytes.len() as u64 > most.bytes {
        return Err(format!("has more than {} bytes", most.bytes));
    }
    if whole::is_heic(bytes) {
        return Err(HEIC.to_owned());
    }
    let mut reader = ImageReader::new(Cursor::new(bytes)).with_guessed_format().map_err(|error| error.to_string())?;
    let format = match reader.format() {
        Some(format @ (ImageFormat::Jpeg | ImageFormat::Png | ImageFormat::WebP)) => format,
        _ => return Err(NO_PICTURE.to_owned()),
    };
    if whole::is_cut(bytes, format) {
        return Err(format!("{NO_PICTURE}: it was cut off"));
    }
    let mut limits = Limits::default();
    (limits.max_image_width, limits.max_image_height) = (Some(most.side), Some(most.side));
    // Four channels of 16 bits.
    limits.max_alloc = Some(most.pixels * 8);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(no_picture)?;
    let (width, height) = decoder.dimensions();
    if u64::from(width) * u64::from(height) > most.pixels {
        return Err(format!("has {width} by {height} pixels, which are too many"));
    }
    let turned = decoder.orientation().map_err(no_picture)?;
    let colours = decoder.icc_profile().ok().flatten();
    let has_metadata = [decoder.exif_metadata(), decoder.xmp_metadata(), decoder.iptc_metadata()]
        .into_iter()
        .any(|part| !matches!(part, Ok(None)));
    let profile = colours.and_then(|profile| ColorProfile::new_from_slice(&profile).ok());
    let of_jpeg = profile.as_ref().filter(|_| format == ImageFormat::Jpeg);
    let mut pixels = match of_jpeg.and_then(|profile| printed::in_srgb(bytes, profile)) {
        Some(printed) => printed.into(),
        None => DynamicImage::from_decoder(decoder).map_err(no_picture)?,
    };
    if let Some(profile) = profile.filter(|profile| profile.color_space == DataColorSpace::Rgb) {
        pixels = in_srgb(pixels, &profile);
    }
    pixels.apply_orientation(turned);
    Ok(Upright { pixels, format, has_metadata })
}

/// The picture in the colours that browsers assume; as it is, where its profile cannot be used.
fn in_srgb(picture: DynamicImage, profile: &ColorProfile) -> DynamicImage {
    let has_alpha = picture.color().has_alpha();
    let layout = if has_alpha { Layout::Rgba } else { Layout::Rgb };
    let options = TransformOptions::default();
    let Ok(transform) = profile.create_transform_8bit(layout, &ColorProfile::new_srgb(), layout, options) else {
        return picture;
    };
    let converted = |from: &[u8], into: &mut [u8]| transform.transform(from, into).is_ok();
    if has_alpha {
        let from = picture.to_rgba8();
        let mut into = from.clone();
        if converted(&from, &mut into) { into.into() } else { picture }
    } else {
        let from = picture.to_rgb8();
        let mut into = from.clone();
        if converted(&from, &mut into) { into.into() } else { picture }
    }
}
