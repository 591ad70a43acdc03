//! Types of a record's fields: the validation rule, description and column of each.

use std::{borrow::Cow, fmt};

use chrono::{Datelike, NaiveDate, NaiveDateTime, NaiveTime, Timelike};
use diesel::{
    backend::Backend,
    expression::AsExpression,
    serialize::{Output, ToSql},
};
use languages::StaffText;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, de::DeserializeOwned};
use serde_json::Value;
use utoipa::{
    PartialSchema, ToSchema,
    openapi::{RefOr, schema::Schema as ApiSchema},
};

use super::cells;
use crate::State;

/// The type of a record's field.
pub trait FieldType: DeserializeOwned + Into<Value> {
    /// The name of the type.
    const FORM: &'static str;

    /// The value of an absent field; `None` if the field is required.
    fn absent() -> Option<Value> {
        None
    }

    /// The value of a CSV cell.
    fn from_cell(cell: String) -> Value {
        cell.into()
    }

    /// The value in a manifest; an error says in plain words what stands there instead.
    fn from_manifest(value: Value) -> Result<Self, StaffText> {
        serde_json::from_value(value).map_err(|_| StaffText::new("not-a-text"))
    }

    /// An error if the value is invalid in a service with this media folder.
    fn check(&self, _folder: &str) -> Result<(), StaffText> {
        Ok(())
    }
}

impl<F: FieldType> FieldType for Option<F> {
    const FORM: &'static str = F::FORM;

    fn absent() -> Option<Value> {
        Some(Value::Null)
    }

    fn from_cell(cell: String) -> Value {
        F::from_cell(cell)
    }

    fn from_manifest(value: Value) -> Result<Self, StaffText> {
        if value.is_null() { Ok(None) } else { F::from_manifest(value).map(Some) }
    }

    fn check(&self, folder: &str) -> Result<(), StaffText> {
        self.as_ref().map_or(Ok(()), |value| value.check(folder))
    }
}

impl FieldType for State {
    const FORM: &'static str = "State";

    fn from_manifest(value: Value) -> Result<Self, StaffText> {
        serde_json::from_value(value.clone()).map_err(|_| StaffText::new("not-a-state").with("text", value.to_string()))
    }
}

impl From<State> for Value {
    fn from(state: State) -> Self {
        state.as_str().into()
    }
}

impl From<DateTime> for Value {
    fn from(time: DateTime) -> Self {
        time.to_string().into()
    }
}

/// Implements `FieldType` for types whose value is the same in a manifest and on the wire.
macro_rules! same_on_the_wire {
    ($($name:ident),*) => {
        $(impl From<$name> for Value {
            fn from(value: $name) -> Self {
                value.0.into()
            }
        })*
    };
}

same_on_the_wire!(Captions, CategoryName, Count, Image, Media, Slug, Title, Words);

/// Defines a field type: its value, its schema in the services' API, and its schema in manifests.
macro_rules! form {
    ($(#[$attribute:meta])* $name:ident($(#[$of_inner:meta])* $inner:ty), $api:ty, $schema:tt) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, PartialEq, Eq, Deserialize, AsExpression)]
        #[diesel(sql_type = columns::$name)]
        #[serde(transparent)]
        pub struct $name($(#[$of_inner])* pub $inner);

        impl<DB: Backend> ToSql<columns::$name, DB> for $name
        where
            $inner: ToSql<columns::$name, DB>,
        {
            fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> diesel::serialize::Result {
                self.0.to_sql(out)
            }
        }

        impl PartialSchema for $name {
            fn schema() -> RefOr<ApiSchema> {
                <$api>::schema()
            }
        }

        impl ToSchema for $name {
            fn name() -> Cow<'static, str> {
                <$api>::name()
            }
        }

        impl JsonSchema for $name {
            fn schema_name() -> Cow<'static, str> {
                stringify!($name).into()
            }

            fn inline_schema() -> bool {
                true
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    };
}

/// The SQL types of the field types, under the same names, for the columns of staging tables.
pub(crate) mod columns {
    use diesel::sql_types::{BigInt, Nullable, Text, Timestamp};

    pub(crate) type Captions = Text;
    pub(crate) type CategoryName = Text;
    pub(crate) type Count = BigInt;
    pub(crate) type DateTime = Timestamp;
    pub(crate) type Image = Text;
    pub(crate) type Media = Text;
    pub(crate) type Option<T> = Nullable<T>;
    pub(crate) type Slug = Text;
    pub(crate) type Title = Text;
    pub(crate) type Words = Text;
}

/// A text for visitors.
#[derive(ToSchema)]
#[schema(max_length = 5000, example = "Late again")]
#[expect(dead_code, reason = "used for the OpenAPI schema")]
pub struct Text(String);

/// The longest text, in characters.
pub(crate) const MAX_TEXT: usize = 5000;

form! {
    /// An editors' key: lower case letters, digits and dashes.
    Slug(String), service::schema::Slug, { "type": "string", "pattern": "^[a-z0-9-]+$", "maxLength": 100 }
}

form! {
    /// Text that people read.
    Title(String), Text, { "type": "string", "maxLength": MAX_TEXT, "pattern": r"^[^=+](.|\n)*$" }
}

form! {
    /// Text that may be empty.
    Words(String), Text, { "type": "string", "maxLength": MAX_TEXT, "pattern": "^($|[^=+])" }
}

form! {
    /// The name of a category that addresses may name: not of digits alone, which would be an id there.
    CategoryName(String), Text, { "type": "string", "maxLength": MAX_TEXT, "pattern": r"^[^=+](.|\n)*$" }
}

form! {
    /// The address of a picture: `https://…`, since pages show no other.
    Image(String), service::schema::HttpsAddress, { "type": "string", "pattern": r"^https://\S*$" }
}

form! {
    /// A path below the media folder, in the service's own folder.
    Media(String), service::schema::MediaPath, {
        "type": "string",
        "pattern": r"^[a-z0-9.-]+(/[^/.\\%?#][^/\\%?#]*)+$",
    }
}

form! {
    /// A path of a WebVTT file below the media folder, in the service's own folder.
    Captions(String), service::schema::CaptionsPath, {
        "type": "string",
        "pattern": r"^[a-z0-9.-]+(/[^/.\\%?#][^/\\%?#]*)*/[^/.\\%?#][^/\\%?#]*\.[vV][tT][tT]$",
    }
}

form! {
    /// A count; never negative.
    Count(i64), service::schema::Count, { "type": "integer", "minimum": 0 }
}

form! {
    /// A time. On the wire it is UTC; manifests may give an offset, and mean Johannesburg's time where they give none.
    #[derive(Copy, PartialOrd, Ord, Default)]
    DateTime(#[serde(with = "service::timestamp")] NaiveDateTime), service::schema::Time, {
        "type": "string",
        "pattern": r"^\d{4}[-/]\d\d?[-/]\d\d?[ T]\d\d?:\d\d(:\d\d(\.\d+)?)?( [AP]M)?(Z|[+-]\d\d:\d\d)?$",
    }
}

impl FieldType for Slug {
    const FORM: &'static str = "Slug";

    fn check(&self, _: &str) -> Result<(), StaffText> {
        let Self(slug) = self;
        let valid = slug.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        if valid && !slug.is_empty() && slug.len() <= 100 {
            Ok(())
        } else {
            Err(StaffText::new("not-a-slug").with("slug", format!("{slug:?}")))
        }
    }
}

impl FieldType for Title {
    const FORM: &'static str = "Title";

    /// Not empty, without control characters, and not a formula when editors open a copy in a spreadsheet. `-` and `@` are allowed: some
    /// titles begin with them, and spreadsheets show those as text.
    fn check(&self, _: &str) -> Result<(), StaffText> {
        let Self(text) = self;
        if !languages::is_visible(text) {
            Err(StaffText::new("is-empty"))
        } else if text.chars().count() > MAX_TEXT {
            Err(StaffText::new("longer-than").with("count", MAX_TEXT))
        } else if text.chars().any(|c| c.is_control() && c != '\n') {
            Err(StaffText::new("control-character"))
        } else if text.chars().any(|c| matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')) {
            Err(StaffText::new("hiding-character"))
        } else if text.contains(char::REPLACEMENT_CHARACTER) {
            Err(StaffText::new("lost-character"))
        } else if let Some(first) = text.chars().next().filter(|first| "=+".contains(*first)) {
            Err(StaffText::new("formula").with("first", format!("{first:?}")))
        } else {
            Ok(())
        }
    }
}

impl FieldType for Words {
    const FORM: &'static str = "Words";

    fn absent() -> Option<Value> {
        Some("".into())
    }

    fn check(&self, folder: &str) -> Result<(), StaffText> {
        if self.0.is_empty() { Ok(()) } else { Title(self.0.clone()).check(folder) }
    }
}

impl FieldType for CategoryName {
    const FORM: &'static str = "CategoryName";

    fn check(&self, folder: &str) -> Result<(), StaffText> {
        let Self(name) = self;
        Title(name.clone()).check(folder)?;
        if name.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(StaffText::new("digits-alone").with("name", format!("{name:?}")));
        }
        Ok(())
    }
}

impl FieldType for Image {
    const FORM: &'static str = "Image";

    fn check(&self, _: &str) -> Result<(), StaffText> {
        let Self(address) = self;
        if address.starts_with("https://") && !address.contains(char::is_whitespace) {
            Ok(())
        } else {
            Err(StaffText::new("not-https").with("address", format!("{address:?}")))
        }
    }
}

impl FieldType for Media {
    const FORM: &'static str = "Media";

    fn check(&self, folder: &str) -> Result<(), StaffText> {
        let Self(path) = self;
        let mut parts = path.split('/');
        // Browsers trim blanks from a URL and remove control characters.
        let inside = path.trim() == path
            && !path.contains(char::is_control)
            && parts.next() == Some(folder)
            && parts.clone().count() > 0
            && parts.all(|part| !part.is_empty() && !part.starts_with('.') && !part.contains(['\\', '%', '?', '#']));
        if inside {
            Ok(())
        } else {
            Err(StaffText::new("not-a-file-below").with("path", format!("{path:?}")).with("folder", folder))
        }
    }
}

impl FieldType for Captions {
    const FORM: &'static str = "Captions";

    fn check(&self, folder: &str) -> Result<(), StaffText> {
        let Self(path) = self;
        if path.to_ascii_lowercase().ends_with(".vtt") && Media(path.clone()).check(folder).is_ok() {
            Ok(())
        } else {
            Err(StaffText::new("not-captions-below").with("path", format!("{path:?}")).with("folder", folder))
        }
    }
}

impl FieldType for Count {
    const FORM: &'static str = "Count";

    fn from_cell(cell: String) -> Value {
        cells::whole_number(&cell).map_or_else(|| cell.into(), Value::from)
    }

    fn from_manifest(value: Value) -> Result<Self, StaffText> {
        let number = match &value {
            Value::Number(number) => cells::whole_number(&number.to_string()),
            _ => None,
        };
        number.map(Self).ok_or_else(|| StaffText::new("not-a-count").with("text", value.to_string()))
    }

    fn check(&self, _: &str) -> Result<(), StaffText> {
        if self.0 >= 0 { Ok(()) } else { Err(StaffText::new("negative").with("count", self.0)) }
    }
}

impl FieldType for DateTime {
    const FORM: &'static str = "DateTime";

    fn from_manifest(value: Value) -> Result<Self, StaffText> {
        let not_a_time = |text: String| StaffText::new("not-a-time").with("text", text);
        let Value::String(text) = value else { return Err(not_a_time(value.to_string())) };
        match cells::time(&text) {
            // Databases and replies have whole seconds and four-digit years.
            Some(time) if time.nanosecond() == 0 && (0..=9999).contains(&time.year()) => Ok(Self(time)),
            _ => Err(not_a_time(format!("{text:?}"))),
        }
    }
}

impl fmt::Display for DateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.format(service::timestamp::FORMAT).fmt(f)
    }
}

/// The `expires_at` of a record without one: the last second that the format can have.
pub fn never() -> DateTime {
    let last_day = NaiveDate::from_ymd_opt(9999, 12, 31).unwrap_or_default();
    DateTime(last_day.and_time(NaiveTime::from_hms_opt(23, 59, 59).unwrap_or_default()))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn check_rejects_media_outside_the_brands_folder() {
        let check = |path: &str| Media(path.to_owned()).check("mcfunny");
        assert!(check("mcfunny/a/b.mp4").is_ok());
        for path in [
            "",
            "mcfunny",
            "mcfunny/",
            "raceday/a.mp4",
            "mcfunny/../a.mp4",
            "/mcfunny/a.mp4",
            "mcfunny/%2e%2e/a",
            "mcfunny/.a",
            "mcfunny/a\n.mp4",
            "mcfunny/a.mp4 ",
        ] {
            assert!(check(path).is_err(), "{path}");
        }
    }

    #[test]
    fn check_rejects_captions_that_are_not_webvtt_in_the_brands_folder() {
        let check = |path: &str| Captions(path.to_owned()).check("mcfunny");
        assert!(None::<Captions>.check("mcfunny").is_ok());
        assert!(check("mcfunny/a.zu.vtt").is_ok() && check("mcfunny/A.ZU.VTT").is_ok());
        for path in ["", "mcfunny/a.srt", "mcfunny/.vtt", "raceday/a.vtt", "mcfunny/../a.vtt", "/mcfunny/a.vtt"] {
            assert!(check(path).is_err(), "{path}");
        }
    }

    #[test]
    fn check_rejects_titles_that_are_formulas_or_hide_characters() {
        let check = |text: &str| Title(text.to_owned()).check("");
        for good in ["5 - 3 = 2 @ home", "@GogoThandi live", "- the lost tapes -", "-1"] {
            assert_eq!(check(good), Ok(()), "{good}");
        }
        for bad in
            ["", "  ", "=cmd|' /C calc'!A0", "+1", "a\u{0}b", "a\u{202e}b", "caf\u{fffd}", &"a".repeat(MAX_TEXT + 1)]
        {
            assert!(check(bad).is_err(), "{bad}");
        }
        assert!(Words(String::new()).check("").is_ok() && Words("=1".to_owned()).check("").is_err());
        assert!(
            CategoryName("2026".to_owned()).check("").is_err() && CategoryName("2026!".to_owned()).check("").is_ok()
        );
    }

    #[test]
    fn check_rejects_invalid_slugs_counts_and_addresses() {
        assert!(Slug("late-taxi-2".to_owned()).check("").is_ok());
        for text in ["", "Late", "a b", "a/b", "ä"] {
            assert!(Slug(text.to_owned()).check("").is_err(), "{text}");
        }
        assert!(Count(0).check("").is_ok() && Count(-1).check("").is_err());
        assert!(Image("http://a/b".to_owned()).check("").is_err() && Image("https://a/b".to_owned()).check("").is_ok());
    }

    #[test]
    fn from_manifest_reads_times_without_offset_as_johannesburgs() {
        let read = |text: &str| DateTime::from_manifest(json!(text)).map(|time| time.to_string()).map_err(drop);
        for (text, utc) in [
            ("2026-03-05 18:30:00", "2026-03-05 16:30:00"),
            ("2026-03-05T18:30:00", "2026-03-05 16:30:00"),
            ("2026-03-05 18:30:00+02:00", "2026-03-05 16:30:00"),
            ("2026-03-05 18:30:00Z", "2026-03-05 18:30:00"),
            ("2026-03-05T18:30:00-05:30", "2026-03-06 00:00:00"),
            ("2026-01-01 01:00:00", "2025-12-31 23:00:00"),
            ("9999-12-31 23:59:59Z", "9999-12-31 23:59:59"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(utc), "{text}");
        }
        for text in [
            "",
            "tomorrow",
            "2026-13-05 18:30:00",
            "2026-03-05",
            "05/03/2026 18:30",
            "2026-03-05 18:30:60Z",
            "2026-03-05 18:30:00.5",
            "2026-03-05 18:30:00+2",
            "2026-03-05 18:30:00 SAST",
            "9999-12-31 23:59:59-01:00",
            "0000-01-01 00:00:00",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
        assert!(DateTime::from_manifest(json!(5)).is_err());
        assert_eq!(never().to_string(), "9999-12-31 23:59:59");
    }
}
