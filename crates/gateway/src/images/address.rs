//! Parses an image's URL in imgproxy's form: `/img/rs:fit:WIDTH:0/plain/ADDRESS@webp`, and a clip's: `/img/raw:1/plain/ADDRESS`.

use percent_encoding::percent_decode_str;
use service::Message;

/// The allowed widths in pixels.
pub const WIDTHS: [u32; 6] = [160, 320, 480, 640, 960, 1280];

/// A clip's name ends in this; no other file is sent as it is.
const CLIP: &str = ".clip.mp4";

/// The image or clip of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImageAddress {
    /// One of [`WIDTHS`]; `None` for a clip, which is sent as it is.
    pub width: Option<u32>,
    /// The source's origin, `https://host` in lower case; whether it is allowed is checked elsewhere.
    pub origin: String,
    /// The source's path as written: empty, or with its leading slash.
    pub path: String,
}

impl ImageAddress {
    /// Parses a request's path; the error is a message for the client. Browsers and proxies may have merged the source's two slashes, or
    /// percent-encoded it.
    pub fn read(path: &str) -> Result<Self, Message> {
        const FORM: Message = Message::new("image-address");
        let decoded = percent_decode_str(path).decode_utf8().map_err(|_| FORM)?;
        let (width, source) = match decoded.strip_prefix("/img/raw:1/plain/") {
            Some(clip) if clip.ends_with(CLIP) => (None, clip),
            Some(_) => return Err(FORM),
            None => {
                let rest = decoded.strip_prefix("/img/rs:fit:").ok_or(FORM)?;
                let (width, rest) = rest.split_once(":0/plain/").ok_or(FORM)?;
                let known = WIDTHS.into_iter().find(|known| known.to_string() == width);
                (Some(known.ok_or(Message::new("image-width"))?), rest.strip_suffix("@webp").ok_or(FORM)?)
            }
        };
        let rest = source.strip_prefix("https:/").ok_or(Message::new("image-https"))?;
        let rest = rest.strip_prefix('/').unwrap_or(rest);
        let (host, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
        Ok(Self { width, origin: format!("https://{}", host.to_ascii_lowercase()), path: path.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn read_accepts_merged_slashes_and_encoded_addresses() {
        for path in [
            "/img/rs:fit:320:0/plain/https://images.spaza.example/demo/a.webp@webp",
            "/img/rs:fit:320:0/plain/https:/images.spaza.example/demo/a.webp@webp",
            "/img/rs:fit:320:0/plain/https%3A%2F%2FImages.spaza.example%2Fdemo%2Fa.webp@webp",
            "/img/rs%3Afit%3A320%3A0/plain/https://images.spaza.example/demo/a.webp%40webp",
        ] {
            let origin = "https://images.spaza.example".to_owned();
            let expected = ImageAddress { width: Some(320), origin, path: "/demo/a.webp".to_owned() };
            assert_eq!(ImageAddress::read(path), Ok(expected), "{path}");
        }
        for path in [
            "/img/rs:fit:321:0/plain/https://images.spaza.example/a@webp",
            "/img/rs:fit:0:0/plain/https://images.spaza.example/a@webp",
            "/img/rs:fit:+320:0/plain/https://images.spaza.example/a@webp",
            "/img/rs:fit:320:0/plain/https://images.spaza.example/a",
            "/img/rs:fit:320:0/plain/http://images.spaza.example/a@webp",
            "/img/rs:fill:320:0/plain/https://images.spaza.example/a@webp",
            "/img/raw:1/plain/https://images.spaza.example/a.webp",
            "/img/raw:1/plain/https://images.spaza.example/a.mp4",
            "/img/raw:1/plain/http://images.spaza.example/a.clip.mp4",
            "/img/",
        ] {
            assert!(ImageAddress::read(path).is_err(), "{path}");
        }
    }
}
