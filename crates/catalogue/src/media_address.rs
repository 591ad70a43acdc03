//! The address of a file below the media folder.

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

/// What a path cannot have as it is (RFC 3986 section 3.3), and a per cent sign.
const PATH: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The same-origin address of a file: `/media/mcfunny/a%20b.mp4`.
pub fn media_address(path: &str) -> String {
    format!("/media/{}", utf8_percent_encode(path, PATH))
}

#[cfg(test)]
mod tests {
    use super::media_address;

    #[test]
    fn address_encodes_blanks_and_letters_beyond_ascii() {
        assert_eq!(media_address("mcfunny/a b/ô (1)+&.mp4"), "/media/mcfunny/a%20b/%C3%B4%20(1)+&.mp4");
    }
}
