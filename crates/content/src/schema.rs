//! The JSON Schema of a manifest, made of the list that the parser follows too.

use serde_json::{Map, Value, json};

use crate::fields::{Field, Form, Shape, Spec};

/// The schema, 2020-12: what editors' own tools can check a manifest by before it is sent anywhere.
pub fn schema() -> Value {
    let mut definitions = Map::new();
    let mut parts = Vec::new();
    for (name, shape) in Shape::all() {
        for spec in shape.specs() {
            definitions.insert(definition(name, spec), record(name, shape, spec));
        }
        let lists = std::iter::once(&shape.groups).chain(shape.others);
        let lists: Map<String, Value> = lists.map(|spec| (spec.list.to_owned(), list(name, spec))).collect();
        parts.push(json!({"type": "object", "properties": lists, "additionalProperties": false}));
    }
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
        "$defs": definitions,
    })
}

fn definition(shape: &str, spec: &Spec) -> String {
    format!("{shape}-{}", spec.kind)
}

fn list(shape: &str, spec: &Spec) -> Value {
    json!({"type": "array", "items": {"$ref": format!("#/$defs/{}", definition(shape, spec))}})
}

fn record(name: &str, shape: &Shape, spec: &Spec) -> Value {
    let mut fields: Map<String, Value> = spec.fields().map(|field| (field.name.to_owned(), value(field))).collect();
    if spec.kind == shape.groups.kind {
        fields.insert(shape.items.list.to_owned(), list(name, &shape.items));
    }
    let required: Vec<_> = spec.fields().filter(|field| field.required).map(|field| field.name).collect();
    json!({"type": "object", "properties": fields, "required": required, "additionalProperties": false})
}

fn value(field: Field) -> Value {
    let text = |pattern: &str| json!({"type": "string", "pattern": pattern});
    let mut value = match field.form {
        Form::Slug => json!({"type": "string", "pattern": "^[a-z0-9-]+$", "maxLength": 100}),
        Form::Words => json!({"type": "string", "maxLength": 5000, "pattern": "^($|[^=+])"}),
        Form::Name => {
            json!({"type": "string", "maxLength": 5000, "pattern": r"^[^=+](.|\n)*$"})
        }
        Form::Image => text(r"^https://\S*$"),
        Form::Media => text(r"^[a-z0-9.-]+(/[^/.\\%?#][^/\\%?#]*)+$"),
        Form::Captions => text(r"^[a-z0-9.-]+(/[^/.\\%?#][^/\\%?#]*)*/[^/.\\%?#][^/\\%?#]*\.vtt$"),
        Form::Time => text(r"^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$"),
        Form::Count => json!({"type": "integer", "minimum": 0}),
        Form::State => json!({"enum": ["listed", "unlisted", "deleted"]}),
    };
    if let Value::Object(value) = &mut value {
        value.insert("description".to_owned(), field.about.into());
        if !field.required {
            allow_null(value);
        }
    }
    value
}

/// `null` says the same as leaving a field out.
fn allow_null(value: &mut Map<String, Value>) {
    if let Some(Value::Array(words)) = value.get_mut("enum") {
        words.push(Value::Null);
    }
    if let Some(kind) = value.get_mut("type") {
        *kind = json!([kind.clone(), "null"]);
    }
}
