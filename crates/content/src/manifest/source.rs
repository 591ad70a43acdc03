//! A manifest's bytes: where the parser stands in them, and a bound for what one record may take.

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
const BUFFER: usize = 64 * 1024;

/// Where the parser stands.
#[derive(Clone, Default)]
pub struct Place(Rc<Marks>);

#[derive(Default)]
struct Marks {
    line: Cell<u64>,
    column: Cell<u64>,
    since_record: Cell<u64>,
}

impl Place {
    /// The line and column of the byte that was read last, both from 1.
    pub fn now(&self) -> (u64, u64) {
        (self.0.line.get() + 1, self.0.column.get())
    }

    /// A new record begins here.
    pub fn begin_record(&self) {
        self.0.since_record.set(0);
    }

    /// Where a record begins that was too large, if one was.
    pub fn is_over(&self) -> bool {
        self.0.since_record.get() > MAX_RECORD_BYTES + BUFFER as u64
    }
}

/// A manifest being read.
pub struct Source {
    file: BufReader<File>,
    place: Place,
    newline_before: bool,
}

/// How a manifest is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One JSON document.
    Json,
    /// Rows below a header, parted by this byte.
    Csv(u8),
}

impl Source {
    /// Opens the file and finds out how it is written.
    pub fn open(path: &Path) -> Result<(Self, Format), Problem> {
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
        Ok((Self { file, place: Place::default(), newline_before: false }, format))
    }

    /// Where the parser stands from now on.
    pub fn place(&self) -> Place {
        self.place.clone()
    }
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

impl Read for Source {
    fn read(&mut self, into: &mut [u8]) -> Result<usize, Error> {
        let read = self.file.read(into)?;
        let marks = &self.place.0;
        for byte in into.iter().take(read) {
            if self.newline_before {
                marks.line.set(marks.line.get() + 1);
                marks.column.set(0);
            }
            self.newline_before = *byte == b'\n';
            marks.column.set(marks.column.get() + 1);
        }
        marks.since_record.set(marks.since_record.get() + read as u64);
        if self.place.is_over() {
            return Err(Error::new(ErrorKind::FileTooLarge, "a record is larger than 1 MiB"));
        }
        Ok(read)
    }
}
