//! Pictures: whatever bytes a source has, it becomes a small WebP or is refused; and what editors upload is published clean, or refused.

use image::{ImageFormat, ImageReader};
use std::io::Cursor;

target!("image_bytes", 300, holds);

const WIDTH: u32 = 160;

fn size(bytes: &[u8]) -> (u32, u32) {
    ImageReader::new(Cursor::new(bytes)).with_guessed_format().unwrap().into_dimensions().unwrap()
}

fn holds(input: &[u8]) {
    if let Ok(clean) = content::pictures::clean(input.to_vec()) {
        assert_eq!(size(&clean.bytes), (clean.width, clean.height));
        // There is nothing more to remove.
        assert_eq!(content::pictures::clean(clean.bytes.clone()), Ok(clean));
    }
    let Ok(made) = pictures::thumbnail(input, WIDTH) else { return };
    assert_eq!(image::guess_format(&made).ok(), Some(ImageFormat::WebP));
    let ((width, height), (before, above)) = (size(&made), size(input));
    assert_eq!(width, before.min(WIDTH), "{before} by {above} became {width} by {height}");
    assert!((1..=above).contains(&height), "{before} by {above} became {width} by {height}");
    image::load_from_memory_with_format(&made, ImageFormat::WebP).unwrap();
    // Made again it keeps its size.
    assert_eq!(size(&pictures::thumbnail(&made, WIDTH).unwrap()), (width, height));
}

#[test]
fn corpus_has_every_kind_of_picture() {
    let corpus = crate::corpora::inputs("image_bytes");
    let shown = corpus.iter().filter(|input| pictures::thumbnail(input, WIDTH).is_ok());
    let kinds: std::collections::HashSet<_> = shown.map(|input| image::guess_format(input).unwrap()).collect();
    assert_eq!(kinds, [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP].into());
}
