//! Pictures with colour profiles, as phones and editing programs write them.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must say so and fail")]

use image::{
    ExtendedColorType, ImageEncoder, Rgb, RgbImage,
    codecs::{jpeg::JpegEncoder, png::PngEncoder, webp::WebPEncoder},
};
use moxcms::ColorProfile;
use pictures::{SHOWN, read};

/// A picture of one colour with this profile.
fn drawn(mut encoder: impl ImageEncoder, colour: [u8; 3], profile: &ColorProfile) {
    let picture = RgbImage::from_pixel(16, 16, Rgb(colour));
    encoder.set_icc_profile(profile.encode().unwrap()).unwrap();
    encoder.write_image(&picture, 16, 16, ExtendedColorType::Rgb8).unwrap();
}

#[test]
fn colours_of_a_wider_profile_become_those_of_browsers() {
    let srgb = ColorProfile::new_srgb();
    for (name, profile, colour, right) in [
        ("sRGB", srgb, [200, 60, 60], [200, 60, 60]),
        ("Display P3", ColorProfile::new_display_p3(), [200, 60, 60], [217, 42, 52]),
        ("Adobe RGB", ColorProfile::new_adobe_rgb(), [150, 60, 60], [173, 57, 57]),
    ] {
        for format in ["JPEG", "PNG", "WebP"] {
            let mut bytes = Vec::new();
            match format {
                "JPEG" => drawn(JpegEncoder::new_with_quality(&mut bytes, 100), colour, &profile),
                "PNG" => drawn(PngEncoder::new(&mut bytes), colour, &profile),
                _ => drawn(WebPEncoder::new_lossless(&mut bytes), colour, &profile),
            }
            let shown = read(&bytes, SHOWN).unwrap().pixels.to_rgb8();
            let Rgb(pixel) = *shown.get_pixel(8, 8);
            let near = pixel.iter().zip(right).all(|(one, other)| one.abs_diff(other) <= 3);
            assert!(near, "{name} in {format}: {pixel:?}, not {right:?}");
        }
    }
}

/// Pictures of one colour (200 of 255 of magenta, 180 of yellow, 10 of black) with the profile of a press. Chromium shows 220, 87, 69, and without
/// the profile 245, 53, 72.
#[test]
fn inks_of_a_press_become_the_colours_of_its_profile() {
    for (name, bytes) in [("CMYK", &include_bytes!("cmyk.jpg")[..]), ("YCCK", include_bytes!("ycck.jpg"))] {
        let shown = read(bytes, SHOWN).unwrap().pixels.to_rgb8();
        let Rgb(pixel) = *shown.get_pixel(8, 8);
        let near = pixel.iter().zip([220, 88, 75]).all(|(one, other)| one.abs_diff(other) <= 8);
        assert!(near && shown.dimensions() == (16, 16), "{name}: {pixel:?}");
    }
}
