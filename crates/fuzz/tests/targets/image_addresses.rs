//! Addresses of images, and the setting that says whose images are shown.

use gateway::{ImageAddress, ImageOrigins, WIDTHS, paths};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

target!("image_addresses", 20000, holds);

fn holds(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    if let Ok(address) = ImageAddress::read(text) {
        assert!(address.width.is_none_or(|width| WIDTHS.contains(&width)), "{text}");
        let host = address.origin.strip_prefix("https://").unwrap();
        assert!(!host.contains('/') && host == host.to_ascii_lowercase(), "{}", address.origin);
        assert!(address.path.is_empty() || address.path.starts_with('/'), "{}", address.path);
        let source = format!("{}{}", address.origin, address.path);
        let plain = match address.width {
            Some(width) => format!("/img/rs:fit:{width}:0/plain/{source}@webp"),
            None => format!("/img/raw:1/plain/{source}"),
        };
        let encoded = utf8_percent_encode(&plain, NON_ALPHANUMERIC).to_string();
        assert_eq!(ImageAddress::read(&encoded), Ok(address.clone()), "{text} as {encoded}");
        // What it names below its origin cannot lead out of the origin's folder.
        for segment in paths::segments(&address.path).unwrap_or_default() {
            assert!(!segment.starts_with("..") && !segment.contains(['/', '\\']), "{text}");
        }
    }
    if let Ok(origins) = text.parse::<ImageOrigins>() {
        for (origin, _) in origins.0 {
            let address =
                ImageAddress::read(&format!("/img/rs:fit:320:0/plain/{}/a.webp@webp", origin.replace('%', "%25")));
            assert_eq!(address.map(|address| address.origin), Ok(origin), "an origin that no address can name");
        }
    }
}
