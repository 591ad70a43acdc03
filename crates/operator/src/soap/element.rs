//! An element of XML: its name, and its text or its children.

use std::fmt::Write as _;

use quick_xml::{
    XmlVersion,
    escape::{escape, resolve_xml_entity},
    events::{BytesStart, Event},
    reader::Reader,
};

use super::Malformed;
use crate::lenient;

/// No message is as deep.
const MAX_DEPTH: usize = 32;

/// An element. Where it was read, its name and those of its attributes are without prefixes.
#[derive(Default)]
pub struct Element {
    /// With its prefix where it is to be written.
    pub name: String,
    attributes: Vec<(String, String)>,
    text: String,
    /// Those within it.
    pub children: Vec<Element>,
}

impl Element {
    /// With children.
    pub fn new(name: &str, children: impl IntoIterator<Item = Self>) -> Self {
        Self { name: name.to_owned(), children: children.into_iter().collect(), ..Self::default() }
    }

    /// With a text.
    pub fn text(name: &str, text: impl Into<String>) -> Self {
        Self { name: name.to_owned(), text: text.into(), ..Self::default() }
    }

    /// With another name.
    pub fn named(self, name: String) -> Self {
        Self { name, ..self }
    }

    /// With one more attribute.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.attributes.push((name.to_owned(), value.to_owned()));
        self
    }

    /// The first element of this name below this one.
    pub fn find(&self, name: &str) -> Option<&Self> {
        let child = self.children.iter().find(|child| child.name.eq_ignore_ascii_case(name));
        child.or_else(|| self.children.iter().find_map(|child| child.find(name)))
    }

    /// As `find`, one name after the other.
    pub fn at(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |element, name| element.find(name))
    }

    /// The text at a path in one line; `None` where it is absent or empty, or has control characters.
    pub fn readable(&self, path: &[&str]) -> Option<String> {
        lenient::one_line(&self.at(path)?.text).filter(|text| !text.is_empty())
    }

    /// The text at a path with every character.
    pub fn written(&self, path: &[&str]) -> String {
        self.at(path).map(|element| element.text.clone()).unwrap_or_default()
    }

    /// An attribute.
    pub fn attribute(&self, name: &str) -> &str {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str()).unwrap_or_default()
    }

    /// As XML.
    pub fn write(&self, xml: &mut String) {
        xml.push('<');
        xml.push_str(&self.name);
        for (name, value) in &self.attributes {
            let _ = write!(xml, " {name}=\"{}\"", escape(value));
        }
        if self.text.is_empty() && self.children.is_empty() {
            return xml.push_str("/>");
        }
        let _ = write!(xml, ">{}", escape(&self.text));
        self.children.iter().for_each(|child| child.write(xml));
        let _ = write!(xml, "</{}>", self.name);
    }

    /// Parses a document. Entities of the document's own are not expanded.
    pub fn parse(xml: &str) -> Result<Self, Malformed> {
        let mut reader = Reader::from_str(xml);
        let mut open = vec![Self::default()];
        loop {
            let event = reader.read_event().map_err(|_| Malformed)?;
            if let Event::Start(start) = &event {
                if open.len() > MAX_DEPTH {
                    return Err(Malformed);
                }
                open.push(Self::of(start));
                continue;
            }
            let element = open.last_mut().ok_or(Malformed)?;
            match event {
                Event::Empty(start) => element.children.push(Self::of(&start)),
                Event::End(_) => {
                    let ended = open.pop().ok_or(Malformed)?;
                    open.last_mut().ok_or(Malformed)?.children.push(ended);
                }
                Event::Text(text) => element.text.push_str(&text.decode().map_err(|_| Malformed)?),
                Event::CData(text) => element.text.push_str(&text.decode().map_err(|_| Malformed)?),
                Event::GeneralRef(reference) => match reference.resolve_char_ref().map_err(|_| Malformed)? {
                    Some(character) => element.text.push(character),
                    None => {
                        let name = reference.decode().map_err(|_| Malformed)?;
                        element.text.push_str(resolve_xml_entity(&name).ok_or(Malformed)?);
                    }
                },
                Event::Eof => break,
                Event::Start(_) | Event::Decl(_) | Event::PI(_) | Event::DocType(_) | Event::Comment(_) => {}
            }
        }
        // Where an element is not closed, more than the document is open.
        let [document] = open.try_into().map_err(|_| Malformed)?;
        document.children.into_iter().next().ok_or(Malformed)
    }

    fn of(start: &BytesStart<'_>) -> Self {
        let local = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
        let attributes = start.attributes().flatten().filter_map(|attribute| {
            let value = attribute.normalized_value(XmlVersion::Implicit1_0).ok()?;
            Some((local(attribute.key.local_name().as_ref()), value.into_owned()))
        });
        let attributes = attributes.collect();
        Self { name: local(start.local_name().as_ref()), attributes, ..Self::default() }
    }
}
