//! Translations of a record's texts. In manifests, lists and histories each is a field of its own, named by the field and the language,
//! `video_name.zu`; in the tables they are one column, a JSON object of these names, which is null where there are none.

use std::collections::BTreeMap;

use languages::Language;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};
use service::{Problem, StaffText};
use utoipa::ToSchema;

use super::{CategoryName, FieldType as _, Table, Title, field_types::MAX_TEXT, record};

/// The column, and the name of all translations on the wire.
pub(crate) const TRANSLATIONS: &str = "translations";

/// Texts by field and language.
#[derive(ToSchema)]
#[schema(as = ManifestTranslations, example = json!({ "video_name.zu": "Itekisi" }))]
#[expect(dead_code, reason = "used for the OpenAPI schema")]
pub(crate) struct Texts(BTreeMap<String, String>);

/// The codes of the languages that a text may be translated into. The text itself is what readers of English see.
pub(crate) fn languages() -> impl Iterator<Item = &'static str> {
    Language::all().filter(|language| *language != Language::ENGLISH).map(Language::code)
}

fn codes() -> String {
    languages().collect::<Vec<_>>().join(", ")
}

/// The name of a field's translation.
pub(crate) fn name_of(field: &str, code: &str) -> String {
    format!("{field}.{code}")
}

/// Whether a name can only be one of a translation.
pub(crate) fn is_name(name: &str) -> bool {
    name.contains('.')
}

/// An error if no text is translated into the language of a name, `video_name.de`.
pub(crate) fn check_language(name: &str) -> Result<(), StaffText> {
    let (field, code) = name.split_once('.').unwrap_or((name, ""));
    if languages().any(|known| known == code) {
        Ok(())
    } else if code == Language::ENGLISH.code() {
        Err(StaffText::new("english-itself").with("field", field))
    } else {
        Err(StaffText::new("no-such-language").with("code", format!("{code:?}")).with("codes", codes()))
    }
}

/// An error unless a kind of record has this translation, and its text follows the rules.
pub(crate) fn check(table: &Table, name: &str, text: &str) -> Result<(), StaffText> {
    let field = name.split('.').next().unwrap_or_default();
    if !table.translated.contains(&field) {
        let fields = table.translated.join(", ");
        return Err(StaffText::new("not-translated").with("kind", table.kind).with("fields", fields));
    }
    check_language(name)?;
    let is_category = table.fields.iter().any(|known| known.name == field && known.form == CategoryName::FORM);
    if is_category { CategoryName(text.to_owned()).check("") } else { Title(text.to_owned()).check("") }
}

/// Validates the column of a record with this slug.
pub(crate) fn check_packed(table: &Table, slug: &str, packed: Option<&str>) -> Result<(), Problem> {
    for (name, text) in unpacked(packed.unwrap_or("{}")) {
        check(table, &name, &text).map_err(|fault| record::refused(slug, &name, fault))?;
    }
    Ok(())
}

/// The translations in a column.
pub(crate) fn unpacked(packed: &str) -> BTreeMap<String, String> {
    serde_json::from_str(packed).unwrap_or_default()
}

/// Reads the column from the wire: equal translations are equal texts.
pub(crate) fn packed<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let texts = Option::<BTreeMap<String, String>>::deserialize(from)?.unwrap_or_default();
    Ok((!texts.is_empty()).then(|| json!(texts).to_string()))
}

/// A record in the form of the wire: its translations are one object.
pub(crate) fn pack(mut record: Map<String, Value>) -> Map<String, Value> {
    let names: Vec<String> = record.keys().filter(|name| is_name(name)).cloned().collect();
    let texts: Map<String, Value> = names.iter().filter_map(|name| record.remove_entry(name)).collect();
    if !texts.is_empty() {
        record.insert(TRANSLATIONS.to_owned(), texts.into());
    }
    record
}

/// A record in the form of manifests: each translation is a field.
pub(crate) fn unpack(record: &mut Map<String, Value>) {
    if let Some(Value::Object(texts)) = record.remove(TRANSLATIONS) {
        record.extend(texts);
    }
}

/// The schema of the translations of these fields in a manifest.
pub(crate) fn schema(fields: &[&str]) -> Value {
    let names = format!("^({})\\.({})$", fields.join("|"), languages().collect::<Vec<_>>().join("|"));
    json!({ names: { "type": "string", "maxLength": MAX_TEXT, "pattern": r"^[^=+](.|\n)*$" } })
}

#[cfg(test)]
mod tests {
    use brands::Kind;

    use super::*;
    use crate::manifest::Content;

    #[test]
    fn check_rejects_unknown_languages_fields_and_texts() {
        let [category, video, ..] = Content::of(Kind::Tt).tables else { panic!("tt has categories and videos") };
        assert_eq!(check(video, "video_name.zu", "Itekisi"), Ok(()));
        let unknown = format!("names the language \"de\"; the sites have: {}", codes());
        for (table, name, text, fault) in [
            (video, "video_name.de", "Taxi", unknown.as_str()),
            (video, "video_name.en", "Taxi", "is no translation: readers of English see video_name itself"),
            (video, "artist.zu", "Sipho", "is no translation that a video can have; translated are: name, video_name"),
            (video, "name.zu", " ", "is empty"),
            (video, "name.zu", "=1", "begins with '=', which a spreadsheet takes for a formula"),
            (category, "category_name.zu", "7", "\"7\" is of digits alone, and addresses would take it for an id"),
        ] {
            assert_eq!(check(table, name, text).map_err(|fault| fault.to_string()), Err(fault.to_owned()), "{name}");
        }
    }

    #[test]
    fn pack_and_unpack_are_inverse() {
        let flat = json!({ "slug": "a", "name.af": "b", "name.zu": "c" }).as_object().unwrap().clone();
        let mut record = pack(flat.clone());
        assert_eq!(json!(record), json!({ "slug": "a", "translations": { "name.af": "b", "name.zu": "c" } }));
        unpack(&mut record);
        assert_eq!(record, flat);
    }
}
