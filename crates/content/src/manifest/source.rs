//! A manifest's bytes: how they are written, and a bound for what one record may take.

use std::{
    cell::Cell,
    fs::File,
    io::{BufRead, BufReader, Error, ErrorKind, Read},
    path::Path,
    rc::Rc,
};

use crate::Problem;

/// The largest record, in bytes: whoever writes more has forgotten to close a quote.
pub const MAX_RECORD_BYTES: u64 = 1024 * 1024;

/// What is read at once.
pub const BUFFER: usize = 64 * 1024;

/// How a manifest is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One JSON document.
    Json,
    /// Rows below a header, parted by this byte.
    Csv(u8),
}

/// Opens the file and finds out how it is written; what is read of it begins after a byte order mark.
pub fn open(path: &Path) -> Result<(BufReader<File>, Format), Problem> {
    let unreadable = |cause: Error| Problem::at(0, format!("cannot be read: {cause}"));
    let mut file = BufReader::with_capacity(BUFFER, File::open(path).map_err(unreadable)?);
    let head = file.fill_buf().map_err(unreadable)?;
    let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_json = match (extension.as_str(), head.iter().find(|byte| !byte.is_ascii_whitespace())) {
        ("json", _) => true,
        ("csv", _) => false,
        (_, first) => first.is_some_and(|byte| *byte == b'{'),
    };
    check_head(head)?;
    let bom = head.starts_with(b"\xef\xbb\xbf");
    let first_line = head.split(|byte| *byte == b'\n').next().unwrap_or_default();
    // Spreadsheets write semicolons where a decimal comma is usual, as it is in South Africa.
    let semicolons = first_line.contains(&b';') && !first_line.contains(&b',');
    let format = match (is_json, semicolons) {
        (true, _) => Format::Json,
        (false, true) => Format::Csv(b';'),
        (false, false) => Format::Csv(b','),
    };
    if bom {
        file.consume(3);
    }
    Ok((file, format))
}

/// Files that are no text in UTF-8 are told apart by how they begin.
fn check_head(head: &[u8]) -> Result<(), Problem> {
    let known: [(&[u8], &str); 7] = [
        (b"\xff\xfe\0\0", "is UTF-32: save it as UTF-8"),
        (b"\0\0\xfe\xff", "is UTF-32: save it as UTF-8"),
        (b"\xff\xfe", "is UTF-16: save it as UTF-8"),
        (b"\xfe\xff", "is UTF-16: save it as UTF-8"),
        (b"PK\x03\x04", "is a spreadsheet or an archive: save the sheet as CSV in UTF-8"),
        (b"\xd0\xcf\x11\xe0", "is a spreadsheet: save the sheet as CSV in UTF-8"),
        (b"\x1f\x8b", "is packed: unpack it first"),
    ];
    if head.iter().all(u8::is_ascii_whitespace) {
        return Err(Problem::at(0, "is empty"));
    }
    if let Some((_, message)) = known.iter().find(|(begin, _)| head.starts_with(begin)) {
        return Err(Problem::at(0, *message));
    }
    if head.iter().take(1024).any(|byte| *byte == 0) {
        return Err(Problem::at(0, "is not text in UTF-8: it holds zero bytes"));
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
