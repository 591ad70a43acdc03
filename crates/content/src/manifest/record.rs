//! One record of a manifest: its values read, checked, and made what services take.

use std::borrow::Cow;

use catalogue::manifest::{Captions, Form as _, Image, Media, Slug, Title};
use chrono::NaiveDateTime;
use serde_json::{Map, Value};

use crate::fields::{Field, Form, Spec};

/// A value as a manifest gives it.
pub enum Given<'a> {
    /// Nothing, `null`, or an empty cell.
    Absent,
    /// A text.
    Text(Cow<'a, str>),
    /// A whole number.
    Number(i64),
    /// Something that no field takes, in words.
    Other(&'static str),
}

/// A record that is right in itself.
#[derive(Clone, Debug)]
pub struct Record {
    /// Which of the manifest's parts it belongs to.
    pub part: usize,
    /// The list it stands in, on the wire.
    pub list: &'static str,
    /// Its line.
    pub place: u64,
    /// Its fields.
    pub body: Map<String, Value>,
}

/// A field's value on the wire; none where there is none.
pub fn value(spec: &Spec, field: Field, given: Given<'_>, folder: &str) -> Result<Option<Value>, String> {
    let text = match given {
        Given::Absent if field.form == Form::Words => return Ok(Some("".into())),
        Given::Absent if field.required => return Err(format!("is missing: every {} has one", spec.kind)),
        Given::Absent => return Ok(None),
        Given::Other(what) => return Err(format!("is {what}, not {}", words(field.form))),
        Given::Number(number) if field.form == Form::Count => return count(number).map(Some),
        Given::Number(number) => return Err(format!("is the number {number}, not {}", words(field.form))),
        Given::Text(text) => text,
    };
    check(spec, field, &text, folder)?;
    Ok(Some(text.into_owned().into()))
}

fn count(number: i64) -> Result<Value, String> {
    if number >= 0 { Ok(number.into()) } else { Err(format!("is {number}; it cannot be negative")) }
}

fn check(spec: &Spec, field: Field, text: &str, folder: &str) -> Result<(), String> {
    match field.form {
        Form::Slug => Slug(text.to_owned()).check(folder),
        Form::Image => Image(text.to_owned()).check(folder),
        Form::Media => Media(text.to_owned()).check(folder),
        Form::Captions => Captions(text.to_owned()).check(folder),
        Form::Words if text.is_empty() => Ok(()),
        Form::Name if field.name == "category_name" && text.bytes().all(|byte| byte.is_ascii_digit()) => {
            Err(format!("{text:?} is of digits alone, and addresses would take it for an id"))
        }
        Form::Words | Form::Name => Title(text.to_owned()).check(folder),
        // Shorter forms parse as well, and would be told apart from the longer ones by nobody.
        Form::Time if written_out(text) && NaiveDateTime::parse_from_str(text, service::timestamp::FORMAT).is_ok() => {
            Ok(())
        }
        Form::Time => Err(format!("{text:?} is not a time of the form YYYY-MM-DD HH:MM:SS")),
        Form::State if matches!(text, "listed" | "unlisted" | "deleted") => Ok(()),
        Form::State => Err(format!("{text:?} is not listed, unlisted or deleted")),
        Form::Count => Err(format!("is the text {text:?}, not {}, in a {}", words(Form::Count), spec.kind)),
    }
}

/// Whether each digit of a time is where it belongs.
fn written_out(text: &str) -> bool {
    let shape = b"0000-00-00 00:00:00";
    text.len() == shape.len()
        && text
            .bytes()
            .zip(shape)
            .all(|(byte, shape)| if *shape == b'0' { byte.is_ascii_digit() } else { byte == *shape })
}

/// What a form asks for.
pub fn words(form: Form) -> &'static str {
    match form {
        Form::Slug => "a slug",
        Form::Words | Form::Name => "a text",
        Form::Image => "an https address",
        Form::Media | Form::Captions => "a path",
        Form::Time => "a time as text",
        Form::Count => "a whole number",
        Form::State => "a state as text",
    }
}

/// What is wrong with a record whose fields are all right.
pub fn whole(body: &Map<String, Value>) -> Result<(), (&'static str, String)> {
    let time = |name: &str| body.get(name).and_then(Value::as_str);
    match (time("publish_at"), time("expires_at")) {
        (Some(from), Some(until)) if until <= from => {
            Err(("expires_at", format!("{until} is not after publish_at, {from}")))
        }
        _ => Ok(()),
    }
}
