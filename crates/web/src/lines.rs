//! A message's head where it lies: names and values are places in the bytes that came, and nothing is copied.

use std::ops::Range;

use bytes::{Bytes, BytesMut};

/// A head, and where in it its headers are.
pub struct Lines {
    head: Bytes,
    lines: Vec<Line>,
}

/// Where a header's name and value are.
pub struct Line {
    name: Range<usize>,
    value: Range<usize>,
}

impl Line {
    /// The place of a header that was found in `head`; nothing for one from elsewhere.
    pub fn within(head: &[u8], header: &httparse::Header<'_>) -> Option<Self> {
        Some(Self { name: place(head, header.name.as_bytes())?, value: place(head, header.value)? })
    }
}

/// Where in `whole` a part of it is.
fn place(whole: &[u8], part: &[u8]) -> Option<Range<usize>> {
    // An empty part may be said to lie anywhere.
    if part.is_empty() {
        return Some(0..0);
    }
    let from = part.as_ptr().addr().checked_sub(whole.as_ptr().addr())?;
    let to = from.checked_add(part.len())?;
    (to <= whole.len()).then_some(from..to)
}

impl Lines {
    /// A head with these headers; their names are made lower-case, where any is not.
    pub fn new(mut head: BytesMut, lines: Vec<Line>, are_lower: bool) -> Self {
        for line in lines.iter().filter(|_| !are_lower) {
            if let Some(name) = head.get_mut(line.name.clone()) {
                name.make_ascii_lowercase();
            }
        }
        Self { head: head.freeze(), lines }
    }

    /// The values of all headers of this lower-case name.
    pub fn all(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        self.iter().filter(move |(named, _)| *named == name.as_bytes()).map(|(_, value)| value)
    }

    /// The whole head.
    pub(crate) fn head(&self) -> &Bytes {
        &self.head
    }

    /// Every header by its lower-case name, in the order they came.
    pub fn iter(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.lines.iter().map(|line| (bytes(&self.head, &line.name), bytes(&self.head, &line.value)))
    }

    /// The first header of this lower-case name.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        self.all(name).next()
    }

    /// Leaves out the headers that `unwanted` names.
    pub fn leave_out(&mut self, unwanted: impl Fn(&[u8]) -> bool) {
        let head = &self.head;
        self.lines.retain(|line| !unwanted(bytes(head, &line.name)));
    }
}

fn bytes<'a>(head: &'a Bytes, place: &Range<usize>) -> &'a [u8] {
    head.get(place.clone()).unwrap_or_default()
}
