//! `content memes`: converts pictures from any source to what the site shows: decoded, so that nothing else is let in, turned upright, freed of
//! whatever was written into them, no larger than a phone needs, and not there already.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use image::{DynamicImage, imageops::FilterType};
use image_hasher::{HashAlg, Hasher, HasherConfig, ImageHash};
use pictures::Most;

/// The largest picture that is looked at, in bytes.
const MAX_BYTES: u64 = 20 * 1024 * 1024;

/// What is read of one: it is scaled down.
const MOST: Most = Most { bytes: MAX_BYTES, side: 12_000, pixels: 12_000 * 12_000 };

/// The fewest.
const MIN_SIDE: u32 = 64;

/// The longer side of what is kept; the gateway makes smaller ones of it.
const SIDE: u32 = 1280;

/// The WebP quality, of 100.
const QUALITY: f32 = 80.0;

/// Of 256 bits, how many may differ in the same picture at another size or quality.
const NEAR: u32 = 12;

/// The file of the pictures' fingerprints, beside them.
const INDEX: &str = "fingerprints.csv";

/// Why a picture was not accepted, in one line.
#[derive(Debug, thiserror::Error)]
#[error("{source_name}: {cause}")]
pub struct Refused {
    /// The picture, as it was named.
    pub source_name: String,
    /// The problem.
    pub cause: String,
}

/// A picture that was accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AcceptedPicture {
    /// What it is called; the file is `SLUG.webp`.
    pub slug: String,
    /// Pixels.
    pub width: u32,
    /// Pixels.
    pub height: u32,
    /// Bytes.
    pub bytes: u64,
}

/// A folder of pictures that grows.
pub struct Pictures {
    folder: PathBuf,
    hasher: Hasher,
    known: Vec<(String, ImageHash)>,
    allow_duplicates: bool,
}

impl Pictures {
    /// Opens the folder, or makes it.
    pub fn open(folder: &Path, allow_duplicates: bool) -> io::Result<Self> {
        fs::create_dir_all(folder)?;
        let index = match fs::read_to_string(folder.join(INDEX)) {
            Ok(index) => index,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(error),
        };
        let known = index.lines().filter_map(|line| {
            let (slug, hash) = line.split_once(',')?;
            Some((slug.to_owned(), ImageHash::from_base64(hash).ok()?))
        });
        let hasher = HasherConfig::new().hash_alg(HashAlg::Gradient).hash_size(16, 16).to_hasher();
        Ok(Self { folder: folder.to_owned(), hasher, known: known.collect(), allow_duplicates })
    }

    /// Takes a picture in: a file, or an `https` address.
    pub async fn take(&mut self, source: &str) -> Result<AcceptedPicture, Refused> {
        let refused = |cause: String| Refused { source_name: source.to_owned(), cause };
        let bytes = match source.starts_with("https://") || source.starts_with("http://") {
            true => fetch(source).await.map_err(refused)?,
            false => read(Path::new(source)).map_err(refused)?,
        };
        self.keep(source, &bytes).map_err(refused)
    }

    fn keep(&mut self, source: &str, bytes: &[u8]) -> Result<AcceptedPicture, String> {
        let slug = slug_of(source);
        let picture = decode(bytes)?;
        let hash = self.hasher.hash_image(&picture);
        let twin = self.known.iter().find(|(known, hash_of)| *known != slug && hash_of.dist(&hash) <= NEAR);
        if let Some((twin, _)) = twin.filter(|_| !self.allow_duplicates) {
            return Err(format!("is nearly the same picture as {twin}; --allow-duplicates takes it nevertheless"));
        }
        if let Some((_, before)) = self.known.iter().find(|(known, _)| *known == slug)
            && before.dist(&hash) > NEAR
        {
            return Err(format!("another picture is called {slug} already"));
        }
        let (width, height) = (picture.width(), picture.height());
        let packed = webp::Encoder::from_image(&picture).map_err(|cause| format!("cannot be packed: {cause}"))?;
        let packed = packed.encode(QUALITY);
        self.write(&format!("{slug}.webp"), &packed)?;
        if !self.known.iter().any(|(known, _)| *known == slug) {
            self.known.push((slug.clone(), hash));
            let index: String =
                self.known.iter().map(|(slug, hash)| format!("{slug},{}\n", hash.to_base64())).collect();
            self.write(INDEX, index.as_bytes())?;
        }
        Ok(AcceptedPicture { slug, width, height, bytes: packed.len() as u64 })
    }

    /// Whole or not at all.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), String> {
        let part = self.folder.join(format!(".{name}.part"));
        let written = fs::write(&part, bytes).and_then(|()| fs::rename(&part, self.folder.join(name)));
        written.map_err(|error| format!("cannot be kept: {error}"))
    }
}

/// What a picture is called: as its file, in the letters of a slug.
fn slug_of(source: &str) -> String {
    let path = source.split(['?', '#']).next().unwrap_or_default();
    crate::transcode::folder_name(&Path::new(path).file_stem().unwrap_or_default().to_string_lossy())
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    let known = fs::metadata(path).map_err(|error| error.to_string())?;
    if !known.is_file() {
        return Err("is not a file".to_owned());
    }
    if known.len() > MAX_BYTES {
        return Err(format!("has {} bytes; {MAX_BYTES} are the most", known.len()));
    }
    fs::read(path).map_err(|error| error.to_string())
}

async fn fetch(address: &str) -> Result<Vec<u8>, String> {
    let http = reqwest::Client::builder().timeout(std::time::Duration::from_secs(60)).build();
    let request = http.map_err(|error| error.to_string())?.get(address);
    let mut reply = request.send().await.map_err(|error| format!("cannot be fetched: {error}"))?;
    if !reply.status().is_success() {
        return Err(format!("cannot be fetched: {}", reply.status()));
    }
    let mut bytes = Vec::new();
    while let Some(more) = reply.chunk().await.map_err(|error| format!("cannot be fetched: {error}"))? {
        bytes.extend_from_slice(&more);
        if bytes.len() as u64 > MAX_BYTES {
            return Err(format!("has more than {MAX_BYTES} bytes"));
        }
    }
    Ok(bytes)
}

/// The picture itself, upright, and no larger than is kept.
fn decode(bytes: &[u8]) -> Result<DynamicImage, String> {
    let mut picture = pictures::read(bytes, MOST)?.pixels;
    if picture.width().min(picture.height()) < MIN_SIDE {
        return Err(format!("has {} by {} pixels; {MIN_SIDE} are the least", picture.width(), picture.height()));
    }
    if picture.width().max(picture.height()) > SIDE {
        picture = picture.resize(SIDE, SIDE, FilterType::Lanczos3);
    }
    // The WebP encoder accepts only these two layouts of pixels.
    Ok(if picture.color().has_alpha() { picture.to_rgba8().into() } else { picture.to_rgb8().into() })
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::{ImageFormat, Rgb, RgbImage};

    use super::*;

    /// A picture that nothing else looks like.
    fn drawn(seed: u32, width: u32, height: u32) -> DynamicImage {
        let picture = RgbImage::from_fn(width, height, |x, y| {
            let (x, y) = (x * 40 / width, y * 40 / height);
            // Blocks, each brighter to the right: nothing in it is even.
            let value = ((x / 5 * 7 + y / 5 * 13 + seed * 29).wrapping_mul(2_654_435_761) >> 25) + x * 2;
            Rgb([u8::try_from(value).unwrap(), u8::try_from(value).unwrap(), 90])
        });
        picture.into()
    }

    fn bytes(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
        let mut into = Cursor::new(Vec::new());
        assert!(picture.write_to(&mut into, format).is_ok());
        into.into_inner()
    }

    fn pictures(folder: &Path, allow: bool) -> Pictures {
        Pictures::open(folder, allow).unwrap()
    }

    #[test]
    fn picture_is_converted_to_webp_and_scaled_down() {
        let folder = tempfile::tempdir().unwrap();
        let mut all = pictures(folder.path(), false);
        let accepted = all.keep("/x/My Meme.PNG", &bytes(&drawn(1, 2000, 1000), ImageFormat::Png));
        assert_eq!(
            accepted.as_ref().map(|accepted| (accepted.slug.as_str(), accepted.width, accepted.height)),
            Ok(("my-meme", 1280, 640))
        );
        let kept = fs::read(folder.path().join("my-meme.webp")).unwrap_or_default();
        assert!(kept.starts_with(b"RIFF") && !kept.windows(4).any(|part| part == b"EXIF"));
    }

    #[test]
    fn similar_picture_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        assert!(pictures(folder.path(), false).keep("a.png", &bytes(&drawn(1, 800, 800), ImageFormat::Png)).is_ok());
        // The folder's fingerprints are read when it is opened again.
        let mut all = pictures(folder.path(), false);
        let smaller = drawn(1, 800, 800).resize(500, 500, FilterType::Triangle);
        let outcome = all.keep("b.jpg", &bytes(&smaller, ImageFormat::Jpeg));
        assert!(outcome.as_ref().is_err_and(|outcome| outcome.contains("nearly the same picture as a")), "{outcome:?}");
        assert!(all.keep("c.png", &bytes(&drawn(2, 800, 800), ImageFormat::Png)).is_ok(), "another picture");
        assert!(all.keep("a.jpg", &bytes(&smaller, ImageFormat::Jpeg)).is_ok(), "its own successor");
        assert!(all.keep("a.png", &bytes(&drawn(3, 800, 800), ImageFormat::Png)).is_err(), "another under its name");
        assert!(pictures(folder.path(), true).keep("b.jpg", &bytes(&smaller, ImageFormat::Jpeg)).is_ok());
    }

    #[test]
    fn file_without_a_picture_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let mut all = pictures(folder.path(), false);
        let png = bytes(&drawn(1, 800, 800), ImageFormat::Png);
        for (bad, words) in [
            (b"<svg onload=alert(1)>".to_vec(), "is not a picture"),
            (png.get(..png.len() / 2).unwrap_or_default().to_vec(), "is not a picture"),
            (bytes(&drawn(1, 63, 200), ImageFormat::Png), "64 are the least"),
            (Vec::new(), "is not a picture"),
        ] {
            let outcome = all.keep("x.png", &bad);
            assert!(outcome.as_ref().is_err_and(|outcome| outcome.contains(words)), "{outcome:?}");
        }
        assert_eq!(fs::read_dir(folder.path()).map(Iterator::count).ok(), Some(0));
    }
}
