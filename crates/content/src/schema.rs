//! The JSON Schema of a manifest's document, made of the records that the services take.

use catalogue::{Kind, manifest::Content};
use schemars::{Schema, SchemaGenerator, generate::SchemaSettings, json_schema};
use serde_json::{Map, Value, json};

/// The schema, 2020-12: what editors' own tools can check a manifest by before it is sent anywhere.
pub fn schema() -> Value {
    let mut generator = SchemaSettings::draft2020_12().into_generator();
    let parts: Vec<Schema> = [Kind::Comedy, Kind::Meme, Kind::Tt].map(|kind| part(&mut generator, kind)).into();
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A manifest for `content import`",
        "type": "object",
        "properties": {
            "$schema": {"type": "string"},
            "services": {
                "description": "By the service's name: what it publishes.",
                "type": "object",
                "additionalProperties": {"anyOf": parts},
            },
        },
        "required": ["services"],
        "additionalProperties": false,
        "$defs": generator.take_definitions(true),
    })
}

/// What a service of this kind publishes: a list of each kind of record that stands by itself. What belongs to a record stands in it.
fn part(generator: &mut SchemaGenerator, kind: Kind) -> Schema {
    let mut lists = Map::new();
    for table in Content::of(kind).tables {
        let list = json!({"type": "array", "items": (table.schema)(generator)});
        let Some(parent) = table.parent() else {
            lists.insert(table.rows.to_owned(), list);
            continue;
        };
        let group = (parent.schema)(generator);
        let name = group.get("$ref").and_then(Value::as_str).and_then(|to| to.rsplit('/').next()).unwrap_or_default();
        let group = generator.definitions_mut().get_mut(name).and_then(|group| group.get_mut("properties"));
        if let Some(fields) = group.and_then(Value::as_object_mut) {
            fields.insert(table.rows.to_owned(), list);
        }
    }
    json_schema!({"type": "object", "properties": lists, "additionalProperties": false})
}
