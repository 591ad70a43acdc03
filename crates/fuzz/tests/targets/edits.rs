//! Small changes to an input of a corpus. Random bytes alone are hardly ever a manifest or a token; a wrong letter in one is news.

use bolero::{TypeGenerator, ValueGenerator, produce};

/// One change. Places and lengths are taken modulo what there is.
#[derive(Clone, Copy, Debug, TypeGenerator)]
pub enum Edit {
    /// Another byte.
    Put { at: u16, byte: u8 },
    /// A byte more.
    Insert { at: u16, byte: u8 },
    /// One of `WORDS` more.
    Say { at: u16, word: u8 },
    /// Some bytes less.
    Cut { at: u16, length: u8 },
    /// Some bytes several times.
    Repeat { at: u16, length: u8, times: u8 },
    /// From here on another input of the corpus.
    Cross { at: u16, other: u8, from: u16 },
}

/// What parsers stumble over.
const WORDS: [&[u8]; 26] = [
    b"..",
    b"%2e%2e",
    b"%2f",
    b"%00",
    b"\\",
    b"/",
    b"\0",
    b"\r\n",
    b"\n",
    b",",
    b";",
    b"\"",
    b"'",
    b"{",
    b"[",
    b"}",
    b"-1",
    b"+",
    b"18446744073709551616",
    b"9223372036854775807",
    b"1e400",
    b"+262142-12-31T23:59:59Z",
    b"demo.",
    b"::ffff:",
    b"\xff",
    "\u{202e}".as_bytes(),
];

/// An input of a corpus of so many, and what becomes of it.
pub fn any_of(inputs: usize) -> impl ValueGenerator<Output = (usize, Vec<Edit>)> {
    (0..inputs, produce::<Vec<Edit>>().with().len(1_usize..6))
}

/// The input after all the changes.
pub fn edited(corpus: &[Vec<u8>], chosen: usize, edits: &[Edit]) -> Vec<u8> {
    let mut bytes = corpus[chosen].clone();
    for edit in edits {
        let end = bytes.len();
        let place = |at: u16| usize::from(at) % (end + 1);
        let part = |at: u16, length: u8| place(at)..(place(at) + usize::from(length)).min(end);
        match *edit {
            Edit::Put { at, byte } if place(at) < end => bytes[place(at)] = byte,
            Edit::Put { byte, .. } => bytes.push(byte),
            Edit::Insert { at, byte } => bytes.insert(place(at), byte),
            Edit::Say { at, word } => {
                let word = WORDS[usize::from(word) % WORDS.len()];
                bytes.splice(place(at)..place(at), word.iter().copied());
            }
            Edit::Cut { at, length } => drop(bytes.drain(part(at, length))),
            Edit::Repeat { at, length, times } => {
                let part = part(at, length);
                let again = bytes[part.clone()].repeat(usize::from(times % 32));
                bytes.splice(part.end..part.end, again);
            }
            Edit::Cross { at, other, from } => {
                let other = &corpus[usize::from(other) % corpus.len()];
                bytes.truncate(place(at));
                bytes.extend(&other[usize::from(from) % (other.len() + 1)..]);
            }
        }
    }
    bytes
}
