//! A manifest as one JSON document, read record by record: however large it is, only one record of it is in memory.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer,
    de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor},
};
use serde_json::{Map, value::RawValue};

use super::{
    record::{self, Given, Record},
    source::{Place, Source},
    walk::{Found, Walk},
};
use crate::{
    Problem,
    fields::{PARENT, Shape, Spec},
};

/// Walks through the document.
pub fn walk(source: Source, walk: &mut Walk<'_>) {
    let place = source.place();
    let mut reader = Reader { walk, place: place.clone() };
    let mut json = serde_json::Deserializer::from_reader(source);
    let outcome = Root(&mut reader).deserialize(&mut json).and_then(|()| json.end());
    let Err(error) = outcome else { return };
    if reader.walk.stopped {
        return;
    }
    let problem = if place.is_over() {
        Problem::at(
            place.now().0,
            "a record before this line is larger than 1 MiB; the slug of a group stands before the list of what belongs to it",
        )
    } else {
        let words = error.to_string();
        let words = words.split(" at line ").next().unwrap_or_default().to_owned();
        Problem { column: Some(error.column().max(1) as u64), ..Problem::at(error.line().max(1) as u64, words) }
    };
    reader.walk.problem(problem);
}

struct Reader<'r, 'a> {
    walk: &'r mut Walk<'a>,
    place: Place,
}

impl Reader<'_, '_> {
    fn unknown(&mut self, pointer: &str, name: &str, expected: &str) {
        let (line, column) = self.place.now();
        self.walk.problem(Problem {
            column: Some(column),
            pointer: Some(pointer.to_owned()),
            ..Problem::at(line, format!("{name:?} is unknown here; what may stand here: {expected}"))
        });
    }
}

/// One step down a JSON Pointer.
fn below(pointer: &str, step: impl fmt::Display) -> String {
    format!("{pointer}/{}", step.to_string().replace('~', "~0").replace('/', "~1"))
}

macro_rules! visit_map {
    ($self:ident, $expecting:literal, $map:ident, $body:block) => {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str($expecting)
        }

        fn visit_map<A: MapAccess<'de>>($self, mut $map: A) -> Result<(), A::Error> $body
    };
}

struct Root<'s, 'r, 'a>(&'s mut Reader<'r, 'a>);

impl<'de> DeserializeSeed<'de> for Root<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Root<'_, '_, '_> {
    visit_map!(self, "an object with \"services\"", map, {
        let mut met = false;
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "services" => {
                    met = true;
                    map.next_value_seed(Services(self.0))?;
                }
                "$schema" => drop(map.next_value::<IgnoredAny>()?),
                other => {
                    self.0.unknown(&below("", other), other, "services, $schema");
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        if met { Ok(()) } else { Err(A::Error::custom("\"services\" is missing")) }
    });
}

struct Services<'s, 'r, 'a>(&'s mut Reader<'r, 'a>);

impl<'de> DeserializeSeed<'de> for Services<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Services<'_, '_, '_> {
    visit_map!(self, "an object of services by name", map, {
        let reader = self.0;
        let mut names = Vec::new();
        while let Some(name) = map.next_key::<String>()? {
            let pointer = below("/services", &name);
            match reader.walk.part(&name) {
                Some(part) if !names.contains(&part) => {
                    names.push(part);
                    map.next_value_seed(Part { reader, part, pointer })?;
                }
                Some(_) => {
                    let (line, column) = reader.place.now();
                    let words = format!("{name:?} is a service that stands here already");
                    reader.walk.problem(Problem {
                        column: Some(column),
                        pointer: Some(pointer),
                        ..Problem::at(line, words)
                    });
                    map.next_value::<IgnoredAny>()?;
                }
                None => {
                    let expected = reader.walk.known_names();
                    reader.unknown(&pointer, &name, &expected);
                    map.next_value::<IgnoredAny>()?;
                }
            }
            reader.place.begin_record();
        }
        Ok(())
    });
}

/// One service's part.
struct Part<'s, 'r, 'a> {
    reader: &'s mut Reader<'r, 'a>,
    part: usize,
    pointer: String,
}

impl<'de> DeserializeSeed<'de> for Part<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Part<'_, '_, '_> {
    visit_map!(self, "an object of lists", map, {
        let Self { reader, part, pointer } = self;
        let Some(shape) = reader.walk.services.get(part).map(|service| service.shape) else { return Ok(()) };
        while let Some(name) = map.next_key::<String>()? {
            let pointer = below(&pointer, &name);
            let other = shape.others.iter().find(|spec| spec.list == name);
            if name == shape.groups.list {
                map.next_value_seed(List { reader, part, pointer, of: Of::Groups(shape) })?;
            } else if let Some(spec) = other {
                map.next_value_seed(List { reader, part, pointer, of: Of::Records(spec, Parent::None) })?;
            } else {
                let lists = std::iter::once(&shape.groups).chain(shape.others).map(|spec| spec.list);
                reader.unknown(&pointer, &name, &lists.collect::<Vec<_>>().join(", "));
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    });
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

#[derive(Clone, Copy)]
enum Of<'p> {
    Groups(&'static Shape),
    Records(&'static Spec, Parent<'p>),
}

struct List<'s, 'r, 'a, 'p> {
    reader: &'s mut Reader<'r, 'a>,
    part: usize,
    pointer: String,
    of: Of<'p>,
}

impl<'de> DeserializeSeed<'de> for List<'_, '_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for List<'_, '_, '_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a list at {}", self.pointer)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        for number in 0_usize.. {
            let pointer = below(&self.pointer, number);
            let more = match self.of {
                Of::Groups(shape) => {
                    seq.next_element_seed(Group { reader: &mut *self.reader, part: self.part, pointer, shape })?
                }
                Of::Records(spec, parent) => {
                    seq.next_element_seed(Leaf { reader: &mut *self.reader, part: self.part, pointer, spec, parent })?
                }
            };
            if self.reader.walk.stopped {
                return Err(A::Error::custom("nobody wants more"));
            }
            if more.is_none() {
                break;
            }
        }
        Ok(())
    }
}

/// A record without others in it.
struct Leaf<'s, 'r, 'a, 'p> {
    reader: &'s mut Reader<'r, 'a>,
    part: usize,
    pointer: String,
    spec: &'static Spec,
    parent: Parent<'p>,
}

impl<'de> DeserializeSeed<'de> for Leaf<'_, '_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        self.reader.place.begin_record();
        let start = self.reader.place.now();
        let raw = Box::<RawValue>::deserialize(from)?;
        let text = Text { raw: raw.get(), start };
        match serde_json::from_str::<Fields<'_>>(raw.get()) {
            Ok(Fields(fields)) => {
                let fields = fields.into_iter().map(|(name, value)| {
                    let at = text.place_of(value.get());
                    (name.into_owned(), Owned { raw: Cow::Borrowed(value.get()), at })
                });
                take(self.reader, self.part, &self.pointer, self.spec, self.parent, start.0, fields.collect());
            }
            Err(_) => {
                let words = format!("a {} is an object", self.spec.kind);
                let problem =
                    Problem { column: Some(start.1), pointer: Some(self.pointer), ..Problem::at(start.0, words) };
                self.reader.walk.problem(problem);
            }
        }
        Ok(())
    }
}

/// A record's text, and where it begins.
struct Text<'t> {
    raw: &'t str,
    start: (u64, u64),
}

impl Text<'_> {
    /// The line and column of a part of it.
    fn place_of(&self, part: &str) -> (u64, u64) {
        let offset = (part.as_ptr() as usize).saturating_sub(self.raw.as_ptr() as usize);
        let before = self.raw.get(..offset).unwrap_or_default();
        match before.rfind('\n') {
            None => (self.start.0, self.start.1 + offset as u64),
            Some(last) => {
                let lines = before.bytes().filter(|byte| *byte == b'\n').count();
                (self.start.0 + lines as u64, (offset - last) as u64)
            }
        }
    }
}

/// An object's fields as they stand there, twins and all.
struct Fields<'t>(Vec<(Cow<'t, str>, &'t RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Collect;

        impl<'de> Visitor<'de> for Collect {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut fields = Vec::new();
                while let Some(name) = map.next_key::<String>()? {
                    fields.push((Cow::Owned(name), map.next_value()?));
                }
                Ok(Fields(fields))
            }
        }

        from.deserialize_map(Collect)
    }
}

/// A field's value, and where it stands.
struct Owned<'t> {
    raw: Cow<'t, str>,
    at: (u64, u64),
}

/// A record with others in it, which are not kept until its end.
struct Group<'s, 'r, 'a> {
    reader: &'s mut Reader<'r, 'a>,
    part: usize,
    pointer: String,
    shape: &'static Shape,
}

impl<'de> DeserializeSeed<'de> for Group<'_, '_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        self.reader.place.begin_record();
        from.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Group<'_, '_, '_> {
    visit_map!(self, "an object for each group", map, {
        let Self { reader, part, pointer, shape } = self;
        let start = reader.place.now();
        let items = shape.items.list;
        let mut fields: Vec<(String, Owned<'_>)> = Vec::new();
        let mut early: Vec<(Box<RawValue>, (u64, u64))> = Vec::new();
        let mut slug: Option<String> = None;
        while let Some(name) = map.next_key::<String>()? {
            if name == items {
                if let Some(slug) = &slug {
                    let of = Of::Records(&shape.items, Parent::Slug(slug));
                    map.next_value_seed(List { reader: &mut *reader, part, pointer: below(&pointer, items), of })?;
                    reader.place.begin_record();
                } else {
                    // The group's slug is still to come; no more than a record's size is kept meanwhile.
                    map.next_value_seed(Keep { place: reader.place.clone(), kept: &mut early })?;
                }
                continue;
            }
            let at = reader.place.now();
            let raw: Box<RawValue> = map.next_value()?;
            if name == "slug" {
                slug = serde_json::from_str::<String>(raw.get()).ok().filter(|slug| web::manifest::slug(slug).is_ok());
            }
            fields.push((name, Owned { raw: Cow::Owned(raw.get().to_owned()), at }));
        }
        for (number, (raw, start)) in early.into_iter().enumerate() {
            let text = Text { raw: raw.get(), start };
            let pointer = below(&below(&pointer, items), number);
            let Ok(Fields(found)) = serde_json::from_str::<Fields<'_>>(raw.get()) else {
                let words = format!("a {} is an object", shape.items.kind);
                reader.walk.problem(Problem { pointer: Some(pointer), ..Problem::at(start.0, words) });
                continue;
            };
            let found = found.into_iter().map(|(name, value)| {
                let at = text.place_of(value.get());
                (name.into_owned(), Owned { raw: Cow::Borrowed(value.get()), at })
            });
            let parent = slug.as_deref().map_or(Parent::Unknown, Parent::Slug);
            take(reader, part, &pointer, &shape.items, parent, start.0, found.collect());
        }
        take(reader, part, &pointer, &shape.groups, Parent::None, start.0, fields);
        Ok(())
    });
}

/// Keeps a list's elements, each with its place.
struct Keep<'k> {
    place: Place,
    kept: &'k mut Vec<(Box<RawValue>, (u64, u64))>,
}

impl<'de> DeserializeSeed<'de> for Keep<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Keep<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<(), A::Error> {
        while seq.next_element_seed(Element { place: &self.place, kept: &mut *self.kept })?.is_some() {}
        Ok(())
    }
}

struct Element<'k> {
    place: &'k Place,
    kept: &'k mut Vec<(Box<RawValue>, (u64, u64))>,
}

impl<'de> DeserializeSeed<'de> for Element<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        let start = self.place.now();
        self.kept.push((Box::<RawValue>::deserialize(from)?, start));
        Ok(())
    }
}

/// Checks a record's fields and hands it on.
fn take(
    reader: &mut Reader<'_, '_>,
    part: usize,
    pointer: &str,
    spec: &'static Spec,
    parent: Parent<'_>,
    line: u64,
    fields: Vec<(String, Owned<'_>)>,
) {
    let Some(folder) = reader.walk.services.get(part).map(|service| service.folder.clone()) else { return };
    let mut body = Map::new();
    let mut right = true;
    let mut wrong = |reader: &mut Reader<'_, '_>, at: (u64, u64), field: &str, message: String| {
        right = false;
        let pointer = Some(below(pointer, field));
        reader.walk.problem(Problem { column: Some(at.1), pointer, ..Problem::at(at.0, message).of(field) });
    };
    for (number, (name, value)) in fields.iter().enumerate() {
        if !spec.fields().any(|field| field.name == name) {
            let known = spec.fields().map(|field| field.name).collect::<Vec<_>>().join(", ");
            wrong(reader, value.at, name, format!("a {} has no such field; it has: {known}", spec.kind));
        } else if fields.iter().take(number).any(|(before, _)| before == name) {
            wrong(reader, value.at, name, "stands twice".to_owned());
        }
    }
    for field in spec.fields() {
        let found = fields.iter().find(|(name, _)| name == field.name).map(|(_, value)| value);
        let given = found.map_or(Given::Absent, |value| given(&value.raw));
        match record::value(spec, field, given, &folder) {
            Ok(Some(value)) => drop(body.insert(field.name.to_owned(), value)),
            Ok(None) => {}
            Err(message) => wrong(reader, found.map_or((line, 1), |value| value.at), field.name, message),
        }
    }
    if let Err((field, message)) = record::whole(&body) {
        let at = fields.iter().find(|(name, _)| name == field).map_or((line, 1), |(_, value)| value.at);
        wrong(reader, at, field, message);
    }
    match parent {
        Parent::None => {}
        Parent::Slug(slug) => drop(body.insert(PARENT.name.to_owned(), slug.into())),
        Parent::Unknown => right = false,
    }
    if right {
        reader.walk.found(Found::Record(Record { part, list: spec.list, place: line, body }));
    }
}

fn given(raw: &str) -> Given<'_> {
    match raw.bytes().next() {
        Some(b'"') => {
            serde_json::from_str::<String>(raw).map_or(Given::Other("no text"), |text| Given::Text(text.into()))
        }
        Some(b'n') => Given::Absent,
        Some(b'{') => Given::Other("an object"),
        Some(b'[') => Given::Other("a list"),
        Some(b't' | b'f') => Given::Other("true or false"),
        _ => raw.parse().map_or(Given::Other("a number that is not whole, or too large"), Given::Number),
    }
}
