//! A JSON document that passes by: a window of it in memory, moved on value by value.
//!
//! `serde_json` finds where each value ends and whether it is one; only what stands between values is read here.

use std::{
    fs::File,
    io::{BufReader, Read},
    ops::Range,
};

use serde_json::value::RawValue;

use super::source::{BUFFER, MAX_RECORD_BYTES};
use crate::Problem;

/// A place in a file: its line and its column in bytes, both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: u64,
    /// The column.
    pub column: u64,
}

impl Place {
    /// The place after these bytes.
    pub fn after(self, bytes: &[u8]) -> Self {
        match bytes.iter().rposition(|byte| *byte == b'\n') {
            None => Self { column: self.column + bytes.len() as u64, ..self },
            Some(last) => {
                let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
                Self { line: self.line + lines as u64, column: (bytes.len() - last) as u64 }
            }
        }
    }
}

/// One value as it is written, and where it begins.
#[derive(Clone, Copy, Debug)]
pub struct Raw<'t> {
    /// Its text: one JSON value without space around it.
    pub text: &'t str,
    /// Its first byte.
    pub place: Place,
}

/// A document being read.
pub struct Cursor<R = BufReader<File>> {
    bytes: R,
    window: Vec<u8>,
    at: usize,
    place: Place,
    /// Nothing comes after the window.
    whole: bool,
}

impl<R: Read> Cursor<R> {
    /// Before the first byte.
    pub fn new(bytes: R) -> Self {
        Self::from(bytes, Place { line: 1, column: 1 })
    }

    /// Before the first byte of a part of a document, which begins at `place`.
    pub fn from(bytes: R, place: Place) -> Self {
        Self { bytes, window: Vec::new(), at: 0, place, whole: false }
    }

    /// Where the next value begins, or the document ends.
    pub fn place(&mut self) -> Result<Place, Problem> {
        self.peek()?;
        Ok(self.place)
    }

    /// The next value of whatever kind; it is behind us then.
    pub fn value(&mut self) -> Result<Raw<'_>, Problem> {
        let place = self.place()?;
        let length = loop {
            let rest = self.window.get(self.at..).unwrap_or_default();
            let mut values = serde_json::Deserializer::from_slice(rest).into_iter::<&RawValue>();
            match values.next() {
                // A number that ends with the window may go on behind it.
                Some(Ok(_)) if self.whole || values.byte_offset() < rest.len() => break values.byte_offset(),
                Some(Err(error)) if self.whole || !error.is_eof() => return Err(self.fault(&error)),
                None if self.whole => return Err(self.unexpected("a value")),
                _ => self.read_more()?,
            }
        };
        if length as u64 > MAX_RECORD_BYTES {
            return Err(self.too_large());
        }
        let passed = self.pass(length);
        let text = self.window.get(passed).map(std::str::from_utf8).and_then(Result::ok).unwrap_or_default();
        Ok(Raw { text, place })
    }

    /// Walks through the next value, an object: `each` is told the names of its fields, and reads their values. `expected` is said where
    /// it is none.
    pub fn object<E: From<Problem>>(
        &mut self,
        expected: &str,
        mut each: impl FnMut(&mut Self, String) -> Result<(), E>,
    ) -> Result<(), E> {
        self.enter(b'{', expected)?;
        let mut first = true;
        while self.goes_on(b'}', &mut first)? {
            let name = self.name()?;
            self.take(b':', "`:`")?;
            each(self, name)?;
        }
        Ok(())
    }

    /// Walks through the next value, a list: `each` is told the numbers of its elements from 0, and reads them.
    pub fn list<E: From<Problem>>(
        &mut self,
        expected: &str,
        mut each: impl FnMut(&mut Self, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        self.enter(b'[', expected)?;
        let (mut first, mut number) = (true, 0);
        while self.goes_on(b']', &mut first)? {
            each(self, number)?;
            number += 1;
        }
        Ok(())
    }

    /// Nothing but space may follow.
    pub fn end(&mut self) -> Result<(), Problem> {
        match self.peek()? {
            None => Ok(()),
            Some(_) => Err(self.at_place("trailing characters")),
        }
    }

    fn enter(&mut self, bracket: u8, expected: &str) -> Result<(), Problem> {
        match self.peek()? {
            Some(byte) if byte == bracket => self.take(bracket, expected),
            Some(_) => {
                let place = self.place;
                let kind = kind(self.value()?.text);
                Err(Problem {
                    column: Some(place.column),
                    ..Problem::at(place.line, format!("is {kind}, not {expected}"))
                })
            }
            None => Err(self.unexpected(expected)),
        }
    }

    /// Whether another element follows, behind its comma.
    fn goes_on(&mut self, bracket: u8, first: &mut bool) -> Result<bool, Problem> {
        if self.peek()? == Some(bracket) {
            self.pass(1);
            return Ok(false);
        }
        if !std::mem::take(first) {
            self.take(b',', if bracket == b'}' { "`,` or `}`" } else { "`,` or `]`" })?;
        }
        Ok(true)
    }

    fn name(&mut self) -> Result<String, Problem> {
        if self.peek()? != Some(b'"') {
            return Err(self.unexpected("a name in quotes"));
        }
        let Raw { text, place } = self.value()?;
        serde_json::from_str(text)
            .map_err(|error| Problem { column: Some(place.column), ..Problem::at(place.line, said(&error)) })
    }

    fn take(&mut self, byte: u8, expected: &str) -> Result<(), Problem> {
        if self.peek()? == Some(byte) {
            self.pass(1);
            Ok(())
        } else {
            Err(self.unexpected(expected))
        }
    }

    /// The next byte that is no space.
    fn peek(&mut self) -> Result<Option<u8>, Problem> {
        loop {
            let rest = self.window.get(self.at..).unwrap_or_default();
            let space = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count();
            let next = rest.get(space).copied();
            self.pass(space);
            if next.is_some() || self.whole {
                return Ok(next);
            }
            self.read_more()?;
        }
    }

    /// Moves on; the bytes that are behind us now, for as long as nothing more is read.
    fn pass(&mut self, length: usize) -> Range<usize> {
        let passed = self.at..self.at + length;
        self.place = self.place.after(self.window.get(passed.clone()).unwrap_or_default());
        self.at = passed.end;
        passed
    }

    /// Makes the window reach further. A value that needs more than a record may have is none.
    fn read_more(&mut self) -> Result<(), Problem> {
        self.window.drain(..self.at);
        self.at = 0;
        if self.window.len() as u64 > MAX_RECORD_BYTES {
            return Err(self.too_large());
        }
        // A long value is looked at from its beginning each time: twice as much each time keeps that cheap.
        let wanted = self.window.len().max(BUFFER) as u64;
        let read = self.bytes.by_ref().take(wanted).read_to_end(&mut self.window);
        let read = read.map_err(|cause| self.at_place(format!("cannot be read: {cause}")))?;
        self.whole = (read as u64) < wanted;
        Ok(())
    }

    fn at_place(&self, message: impl Into<String>) -> Problem {
        Problem { column: Some(self.place.column), ..Problem::at(self.place.line, message) }
    }

    fn too_large(&self) -> Problem {
        self.at_place(
            "what begins here is larger than 1 MiB; the slug of a group stands before the list of what belongs to it",
        )
    }

    fn unexpected(&self, expected: &str) -> Problem {
        if self.at < self.window.len() {
            self.at_place(format!("{expected} is expected here"))
        } else {
            self.at_place(format!("the document ends where {expected} is expected"))
        }
    }

    /// An error's place is counted from the beginning of the value.
    fn fault(&self, error: &serde_json::Error) -> Problem {
        let (line, column) = (error.line().max(1) as u64, error.column().max(1) as u64);
        let column = if line == 1 { self.place.column + column - 1 } else { column };
        Problem { column: Some(column), ..Problem::at(self.place.line + line - 1, said(error)) }
    }
}

/// What a value is, in words.
pub fn kind(text: &str) -> &'static str {
    match text.bytes().next() {
        Some(b'"') => "a text",
        Some(b'{') => "an object",
        Some(b'[') => "a list",
        Some(b't' | b'f') => "true or false",
        Some(b'n') => "null",
        _ => "a number",
    }
}

/// An error's words without its place.
fn said(error: &serde_json::Error) -> String {
    let words = error.to_string();
    words.split(" at line ").next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives its bytes in pieces of a few.
    struct Drops<'t>(&'t [u8], usize);

    impl Read for Drops<'_> {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            let many = self.0.len().min(self.1).min(into.len());
            let (now, later) = self.0.split_at(many);
            into[..many].copy_from_slice(now);
            self.0 = later;
            Ok(many)
        }
    }

    fn texts(document: &str) -> Result<Vec<(String, String, Place)>, Problem> {
        let mut cursor = Cursor::new(Drops(document.as_bytes(), 7));
        let mut found = Vec::new();
        cursor.object::<Problem>("an object", |cursor, name| {
            cursor.list("a list", |cursor, number| {
                let Raw { text, place } = cursor.value()?;
                found.push((format!("{name}{number}"), text.to_owned(), place));
                Ok(())
            })
        })?;
        cursor.end()?;
        Ok(found)
    }

    #[test]
    fn each_value_comes_with_its_place() {
        let found = texts("{ \"a\" : [1, \"}\\\"\",\n  {\"x\": [2]}],\n\"b\":[ ],\"c\":[\ttrue]}\n").unwrap();
        let expected =
            [("a0", "1", 1, 10), ("a1", "\"}\\\"\"", 1, 13), ("a2", "{\"x\": [2]}", 2, 3), ("c0", "true", 3, 15)];
        let found: Vec<_> = found.iter().map(|(n, t, p)| (n.as_str(), t.as_str(), p.line, p.column)).collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_value_that_the_window_cuts_is_whole() {
        let numbers = "1234567890, ".repeat(BUFFER / 4);
        let long = "x".repeat(MAX_RECORD_BYTES as usize / 2);
        let found = texts(&format!("{{\"n\": [{numbers} 12], \"long\": [\"{long}\", 7]}}")).unwrap();
        assert_eq!(found.len(), BUFFER / 4 + 3);
        assert!(found.iter().take(BUFFER / 4).all(|(_, text, _)| text == "1234567890"));
        assert_eq!(found.last().unwrap().1, "7");
        assert_eq!(found[found.len() - 2].1.len(), long.len() + 2);
    }

    #[test]
    fn what_is_no_document_is_said_with_its_place() {
        for (document, place, words) in [
            ("[]", (1, 1), "is a list, not an object"),
            ("{\"a\": 5}", (1, 7), "is a number, not a list"),
            ("{\"a\"\n []}", (2, 2), "`:` is expected"),
            ("{\"a\": [1 2]}", (1, 10), "`,` or `]` is expected"),
            ("{\"a\": [1,]}", (1, 10), "expected value"),
            ("{\"a\": [1],}", (1, 11), "a name in quotes is expected"),
            ("{\"a\": [\n\"\x01\"]}", (2, 1), "control character"),
            ("{\"a\": [1]", (1, 10), "the document ends where `,` or `}`"),
            ("{\"a\": [\"b", (1, 9), "EOF while parsing a string"),
            ("{\"a\": [", (1, 8), "the document ends where"),
            ("{\"a\": [1]} x", (1, 12), "trailing characters"),
            ("", (1, 1), "the document ends where an object"),
        ] {
            let problem = texts(document).unwrap_err();
            assert!(problem.message.contains(words), "{document}: {problem}");
            assert_eq!((problem.line, problem.column), (place.0, Some(place.1)), "{document}: {problem}");
        }
        let endless = format!("{{\"a\": [\"{}", "x".repeat(3 * MAX_RECORD_BYTES as usize));
        assert!(texts(&endless).unwrap_err().message.contains("larger than 1 MiB"));
    }
}
