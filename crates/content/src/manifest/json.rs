//! A manifest as one JSON document, read record by record: however large it is, only one record of it is in memory.

use std::{borrow::Cow, fmt, fs::File, io::BufReader};

use catalogue::manifest::{Form as _, Slug};
use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::{Map, value::RawValue};

use super::{
    cursor::{self, Cursor, Place, Raw},
    record::{self, Given, Record},
    walk::{Found, Walk},
};
use crate::{
    Problem,
    fields::{PARENT, Shape, Spec},
};

/// Walks through the document.
pub fn walk(source: BufReader<File>, walk: &mut Walk<'_>) {
    let mut document = Cursor::new(source);
    let mut reader = Reader { walk };
    match reader.root(&mut document) {
        Ok(()) | Err(Stop::Enough) => {}
        Err(Stop::Problem(problem)) => reader.walk.problem(problem),
    }
}

/// Why a document is not read to its end.
enum Stop {
    /// It cannot be read on.
    Problem(Problem),
    /// Nobody wants more.
    Enough,
}

impl From<Problem> for Stop {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

struct Reader<'r, 'a> {
    walk: &'r mut Walk<'a>,
}

/// A list of records.
#[derive(Clone, Copy)]
struct List<'p> {
    /// Of which of the manifest's parts.
    part: usize,
    /// Where in the document.
    pointer: &'p str,
    /// What its records are.
    spec: &'static Spec,
    /// What they belong to.
    parent: Parent<'p>,
}

/// What a record belongs to.
#[derive(Clone, Copy)]
enum Parent<'p> {
    /// Nothing.
    None,
    /// The group of this slug.
    Slug(&'p str),
    /// A group whose slug is wrong: its records are only looked at.
    Unknown,
}

/// One step down a JSON Pointer.
fn below(pointer: &str, step: impl fmt::Display) -> String {
    format!("{pointer}/{}", step.to_string().replace('~', "~0").replace('/', "~1"))
}

impl Reader<'_, '_> {
    fn root(&mut self, document: &mut Cursor) -> Result<(), Stop> {
        let mut met = false;
        document.object("an object with \"services\"", |document, name| match name.as_str() {
            "services" => {
                met = true;
                self.services(document)
            }
            "$schema" => {
                document.value()?;
                Ok(())
            }
            other => self.unknown(document, &below("", other), other, "services, $schema"),
        })?;
        document.end()?;
        if met { Ok(()) } else { Err(located(document.place()?, None, "\"services\" is missing").into()) }
    }

    fn services(&mut self, document: &mut Cursor) -> Result<(), Stop> {
        let mut met = Vec::new();
        document.object("an object of services by name", |document, name| {
            let pointer = below("/services", &name);
            match self.walk.part(&name) {
                Some(part) if !met.contains(&part) => {
                    met.push(part);
                    self.part(document, part, &pointer)
                }
                Some(_) => {
                    let words = format!("{name:?} is a service that stands here already");
                    self.skip(document, &pointer, words)
                }
                None => {
                    let expected = self.walk.known_names();
                    self.unknown(document, &pointer, &name, &expected)
                }
            }
        })
    }

    fn part(&mut self, document: &mut Cursor, part: usize, pointer: &str) -> Result<(), Stop> {
        let Some(shape) = self.walk.services.get(part).map(|service| service.shape) else { return Ok(()) };
        document.object("an object of lists", |document, name| {
            let pointer = below(pointer, &name);
            if name == shape.groups.list {
                self.groups(document, part, shape, &pointer)
            } else if let Some(spec) = shape.others.iter().find(|spec| spec.list == name) {
                self.records(document, List { part, pointer: &pointer, spec, parent: Parent::None })
            } else {
                let lists = std::iter::once(&shape.groups).chain(shape.others).map(|spec| spec.list);
                self.unknown(document, &pointer, &name, &lists.collect::<Vec<_>>().join(", "))
            }
        })
    }

    fn groups(&mut self, document: &mut Cursor, part: usize, shape: &'static Shape, pointer: &str) -> Result<(), Stop> {
        document.list(&format!("a list at {pointer}"), |document, number| {
            self.group(document, part, shape, &below(pointer, number))?;
            self.enough()
        })
    }

    /// A record with others in it, which are not kept until its end.
    fn group(&mut self, document: &mut Cursor, part: usize, shape: &'static Shape, pointer: &str) -> Result<(), Stop> {
        let start = document.place()?;
        let items = below(pointer, shape.items.list);
        let inner = List { part, pointer: &items, spec: &shape.items, parent: Parent::Unknown };
        let (mut fields, mut places) = (Vec::new(), Vec::new());
        let mut early: Vec<(String, Place)> = Vec::new();
        let mut slug: Option<String> = None;
        document.object(&format!("an object for each {}", shape.groups.kind), |document, name| {
            if name == shape.items.list {
                if let Some(slug) = &slug {
                    return self.records(document, List { parent: Parent::Slug(slug), ..inner });
                }
                // The group's slug is still to come; no more than a record's size is kept meanwhile.
                let Raw { text, place } = document.value()?;
                early.push((text.to_owned(), place));
                return Ok(());
            }
            let Raw { text, place } = document.value()?;
            if name == "slug" {
                slug = serde_json::from_str::<String>(text).ok().filter(|slug| Slug(slug.clone()).check("").is_ok());
            }
            fields.push(Field { name: name.into(), text: text.to_owned().into() });
            places.push(place);
            Ok(())
        })?;
        let parent = slug.as_deref().map_or(Parent::Unknown, Parent::Slug);
        for (text, place) in early {
            let mut kept = Cursor::from(text.as_bytes(), place);
            self.records(&mut kept, List { parent, ..inner })?;
        }
        let group = List { part, pointer, spec: &shape.groups, parent: Parent::None };
        self.take(group, None, start, &fields, |number| places.get(number).copied().unwrap_or(start));
        Ok(())
    }

    /// Records without others in them.
    fn records<R: std::io::Read>(&mut self, document: &mut Cursor<R>, list: List<'_>) -> Result<(), Stop> {
        document.list(&format!("a list at {}", list.pointer), |document, number| {
            let Raw { text, place } = document.value()?;
            match serde_json::from_str::<Fields<'_>>(text) {
                Ok(Fields(fields)) => {
                    let place_of = |number: usize| {
                        let part = fields.get(number).map_or(text, |field: &Field<'_>| &*field.text);
                        let offset = (part.as_ptr() as usize).saturating_sub(text.as_ptr() as usize);
                        place.after(text.as_bytes().get(..offset).unwrap_or_default())
                    };
                    self.take(list, Some(number), place, &fields, place_of);
                }
                Err(_) => {
                    let words = format!("a {} is an object", list.spec.kind);
                    self.walk.problem(located(place, Some(below(list.pointer, number)), words));
                }
            }
            self.enough()
        })
    }

    /// Checks a record's fields and hands it on. `index` is where it stands in its list, unless the pointer is its own already.
    fn take(
        &mut self,
        list: List<'_>,
        index: Option<usize>,
        start: Place,
        fields: &[Field<'_>],
        place_of: impl Fn(usize) -> Place,
    ) {
        let List { part, pointer, spec, parent } = list;
        let Some(service) = self.walk.services.get(part) else { return };
        let position = |name: &str| fields.iter().position(|field| field.name == name);
        let mut body = Map::new();
        let mut wrongs = Vec::new();
        for (number, field) in fields.iter().enumerate() {
            let name = &*field.name;
            if !spec.fields().any(|known| known.name == name) {
                let known = spec.fields().map(|field| field.name).collect::<Vec<_>>().join(", ");
                wrongs.push((Some(number), name, format!("a {} has no such field; it has: {known}", spec.kind)));
            } else if position(name) != Some(number) {
                wrongs.push((Some(number), name, "stands twice".to_owned()));
            }
        }
        for field in spec.fields() {
            let found = position(field.name);
            let given = found.and_then(|number| fields.get(number)).map_or(Given::Absent, |found| given(&found.text));
            match record::value(spec, field, given, &service.folder) {
                Ok(Some(value)) => drop(body.insert(field.name.to_owned(), value)),
                Ok(None) => {}
                Err(message) => wrongs.push((found, field.name, message)),
            }
        }
        if let Err((name, message)) = record::whole(&body) {
            wrongs.push((position(name), name, message));
        }
        for (number, name, message) in &wrongs {
            let place = number.map_or(Place { column: 1, ..start }, &place_of);
            let record = index.map_or_else(|| pointer.to_owned(), |index| below(pointer, index));
            self.walk.problem(located(place, Some(below(&record, name)), message).of(name));
        }
        match parent {
            Parent::None => {}
            Parent::Slug(slug) => drop(body.insert(PARENT.name.to_owned(), slug.into())),
            Parent::Unknown => return,
        }
        if wrongs.is_empty() {
            self.walk.found(Found::Record(Record { part, list: spec.list, place: start.line, body }));
        }
    }

    fn unknown(&mut self, document: &mut Cursor, pointer: &str, name: &str, expected: &str) -> Result<(), Stop> {
        self.skip(document, pointer, format!("{name:?} is unknown here; what may stand here: {expected}"))
    }

    /// Says what is wrong with the next value, and passes it by.
    fn skip(&mut self, document: &mut Cursor, pointer: &str, words: String) -> Result<(), Stop> {
        let place = document.place()?;
        self.walk.problem(located(place, Some(pointer.to_owned()), words));
        document.value()?;
        Ok(())
    }

    fn enough(&self) -> Result<(), Stop> {
        if self.walk.stopped { Err(Stop::Enough) } else { Ok(()) }
    }
}

fn located(place: Place, pointer: Option<String>, words: impl Into<String>) -> Problem {
    Problem { column: Some(place.column), pointer, ..Problem::at(place.line, words) }
}

/// A field as it is written.
struct Field<'t> {
    name: Cow<'t, str>,
    text: Cow<'t, str>,
}

/// An object's fields as they stand there, twins and all.
struct Fields<'t>(Vec<Field<'t>>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Collect;

        impl<'de> Visitor<'de> for Collect {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::with_capacity(16);
                while let Some((Text(name), value)) = map.next_entry::<_, &RawValue>()? {
                    fields.push(Field { name, text: value.get().into() });
                }
                Ok(Fields(fields))
            }
        }

        from.deserialize_map(Collect)
    }
}

/// A text that is copied only where it is escaped.
#[derive(Deserialize)]
struct Text<'t>(#[serde(borrow)] Cow<'t, str>);

fn given(text: &str) -> Given<'_> {
    match text.bytes().next() {
        Some(b'"') => match serde_json::from_str(text) {
            Ok(Text(text)) => Given::Text(text),
            Err(_) => Given::Other("no text"),
        },
        Some(b'n') => Given::Absent,
        Some(b'0'..=b'9' | b'-') => {
            text.parse().map_or(Given::Other("a number that is not whole, or too large"), Given::Number)
        }
        _ => Given::Other(cursor::kind(text)),
    }
}
