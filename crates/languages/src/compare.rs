//! Texts as people see and compare them, in whatever form they were typed or pasted: what a title may be, and what search and keywords compare.

use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_properties::{
    CodePointMapData, CodePointSetData,
    props::{DefaultIgnorableCodePoint, GeneralCategory},
};

/// Signs that are drawn as nothing although they count as letters or symbols: the empty pattern of braille, a note without a head, a filler.
const BLANK: [char; 3] = ['\u{2800}', '\u{1d159}', '\u{16fe4}'];

/// Letters that Unicode does not take apart, as people type them who do not have them.
const LETTERS: [(char, &str); 17] = [
    ('ß', "ss"),
    ('æ', "ae"),
    ('œ', "oe"),
    ('ø', "o"),
    ('ł', "l"),
    ('đ', "d"),
    ('ð', "d"),
    ('þ', "th"),
    ('ħ', "h"),
    ('ı', "i"),
    ('ĸ', "k"),
    ('ŋ', "n"),
    ('ŧ', "t"),
    ('ſ', "s"),
    ('ɓ', "b"),
    ('ɗ', "d"),
    ('ς', "σ"),
];

/// Whether a text has a sign that can be seen: not only blanks, signs without a width, fillers, and marks that belong to no letter.
///
/// ```
/// assert!(languages::is_visible("\u{1f602}") && !languages::is_visible("\u{200b}\u{3164}"));
/// ```
pub fn is_visible(text: &str) -> bool {
    let category = CodePointMapData::<GeneralCategory>::new();
    text.chars().any(|c| {
        let drawn = !c.is_whitespace() && !is_ignorable(c) && !BLANK.contains(&c);
        drawn
            && !matches!(
                category.get(c),
                GeneralCategory::Control
                    | GeneralCategory::Format
                    | GeneralCategory::NonspacingMark
                    | GeneralCategory::EnclosingMark
                    | GeneralCategory::Unassigned
                    | GeneralCategory::PrivateUse
            )
    })
}

/// A text for comparison: lower case, without accents and other marks, without signs that cannot be seen; every hyphen is `-`, every blank is
/// one, and letters of other widths, styles and ligatures are plain ones (NFKD).
///
/// ```
/// assert_eq!(languages::compared("ＳＴÓＰ, ﬁnd\u{ad}ing Łódź\u{2011}Straße"), "stop, finding lodz-strasse");
/// ```
pub fn compared(text: &str) -> String {
    let category = CodePointMapData::<GeneralCategory>::new();
    let normalizer = DecomposingNormalizerBorrowed::new_nfkd();
    let mut plain = String::with_capacity(text.len());
    // Taken apart again: a capital may have a small letter with a mark.
    for c in normalizer.normalize(&normalizer.normalize(text).to_lowercase()).chars() {
        match category.get(c) {
            _ if is_ignorable(c) => {}
            GeneralCategory::NonspacingMark | GeneralCategory::EnclosingMark | GeneralCategory::Format => {}
            GeneralCategory::DashPunctuation => plain.push('-'),
            _ if c == '\u{2212}' => plain.push('-'),
            _ if c.is_whitespace() => plain.push(' '),
            _ => match LETTERS.iter().find(|(letter, _)| *letter == c) {
                Some((_, letters)) => plain.push_str(letters),
                None => plain.push(c),
            },
        }
    }
    plain
}

fn is_ignorable(c: char) -> bool {
    CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}
