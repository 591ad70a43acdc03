//! A manifest's bytes: how they are written, and what one record may take.

use std::{
    cell::Cell,
    io::{BufRead, BufReader, Cursor, Error, ErrorKind, Read},
    rc::Rc,
};

use encoding_rs_io::DecodeReaderBytesBuilder;
use languages::StaffText;

use super::problem::Fault;

/// The largest record, in bytes: a larger one is a quote that was left open.
pub const MAX_RECORD_BYTES: u64 = 1024 * 1024;

/// The largest JSON document, in bytes, since all of it is in memory: what is larger is written as JSON Lines or CSV.
pub const MAX_DOCUMENT_BYTES: u64 = 64 * 1024 * 1024;

/// The size of one read.
pub const BUFFER: usize = 64 * 1024;

/// The format of a manifest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One JSON document.
    Document,
    /// JSON Lines: one object a line.
    Lines,
    /// Rows below a header.
    Cells {
        /// The separator of cells.
        delimiter: u8,
        /// The line of the header: the second where the first says `sep=;`.
        header: u64,
    },
}

/// The text of a manifest as UTF-8, whichever encoding its byte order mark names.
pub type Source = Box<dyn BufRead>;

/// Finds out how a file with this extension is written.
pub fn open(bytes: impl Read + 'static, extension: &str) -> Result<(Source, Format), Fault> {
    let unreadable = |cause: Error| Fault::at(0, unreadable_text(&cause));
    let mut text = DecodeReaderBytesBuilder::new().utf8_passthru(true).strip_bom(true).build(bytes);
    let mut head = Vec::new();
    text.by_ref().take(BUFFER as u64).read_to_end(&mut head).map_err(unreadable)?;
    check_head(&head)?;
    let first = head.iter().find(|byte| !byte.is_ascii_whitespace());
    let format = match extension.to_lowercase().as_str() {
        "json" => Format::Document,
        "jsonl" | "ndjson" => Format::Lines,
        "csv" | "tsv" | "txt" => cells(&mut head),
        _ if first == Some(&b'{') => Format::Document,
        _ => cells(&mut head),
    };
    Ok((Box::new(BufReader::with_capacity(BUFFER, Cursor::new(head).chain(text))), format))
}

/// Why a file cannot be read.
pub(super) fn unreadable_text(cause: &Error) -> StaffText {
    StaffText::new("unreadable").with("cause", cause.to_string())
}

/// How the cells of a CSV are separated: as its first line says (`sep=;`, which only spreadsheets read, and which is left out here), or by
/// what stands most often in its header. Spreadsheets write semicolons where a decimal comma is usual, as it is in South Africa.
fn cells(head: &mut Vec<u8>) -> Format {
    let end = head.iter().position(|byte| *byte == b'\n').map_or(head.len(), |end| end + 1);
    let first = head.get(..end).unwrap_or_default();
    let declaration = first.strip_suffix(b"\n").unwrap_or(first);
    let declaration = declaration.strip_suffix(b"\r").unwrap_or(declaration);
    let declaration = declaration.strip_prefix(b"\"").unwrap_or(declaration);
    if let Some([b's' | b'S', b'e' | b'E', b'p' | b'P', b'=', delimiter]) = declaration.get(..5)
        && declaration.len() <= 6
    {
        let delimiter = *delimiter;
        head.drain(..end);
        return Format::Cells { delimiter, header: 2 };
    }
    let often = |delimiter: &u8| first.iter().filter(|byte| *byte == delimiter).count();
    let delimiter = [b'\t', b';', b','].into_iter().max_by_key(often).unwrap_or(b',');
    Format::Cells { delimiter, header: 1 }
}

/// Files that are no text are told apart by how they begin.
fn check_head(head: &[u8]) -> Result<(), Fault> {
    let known: [(&[u8], StaffText); 3] = [
        (b"PK\x03\x04", StaffText::new("spreadsheet-or-archive")),
        (b"\xd0\xcf\x11\xe0", StaffText::new("spreadsheet")),
        (b"\x1f\x8b", StaffText::new("packed")),
    ];
    if head.iter().all(u8::is_ascii_whitespace) {
        return Err(Fault::at(0, StaffText::new("is-empty")));
    }
    if let Some((_, message)) = known.into_iter().find(|(begin, _)| head.starts_with(begin)) {
        return Err(Fault::at(0, message));
    }
    if head.iter().take(1024).any(|byte| *byte == 0) {
        return Err(Fault::at(0, StaffText::new("zero-bytes")));
    }
    Ok(())
}

/// Bytes that end with [`ErrorKind::FileTooLarge`] where a record is larger than one may be.
pub struct Bounded<R> {
    bytes: R,
    since_record: Rc<Cell<u64>>,
}

/// Tells [`Bounded`] where records begin.
pub struct Marker(Rc<Cell<u64>>);

impl Marker {
    /// A new record begins here.
    pub fn begin_record(&self) {
        self.0.set(0);
    }
}

impl<R: Read> Bounded<R> {
    /// Bounds these bytes.
    pub fn new(bytes: R) -> (Self, Marker) {
        let since_record = Rc::new(Cell::new(0));
        (Self { bytes, since_record: Rc::clone(&since_record) }, Marker(since_record))
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, into: &mut [u8]) -> Result<usize, Error> {
        let read = self.bytes.read(into)?;
        self.since_record.set(self.since_record.get() + read as u64);
        // A reader is ahead of its records by a buffer.
        if self.since_record.get() > MAX_RECORD_BYTES + BUFFER as u64 {
            return Err(Error::new(ErrorKind::FileTooLarge, "a record is larger than 1 MiB"));
        }
        Ok(read)
    }
}
