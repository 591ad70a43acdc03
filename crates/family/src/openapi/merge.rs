//! Merges the services' documents: the public endpoints, and the components they refer to.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

/// What every reader must know before the first call.
const ABOUT: &str = concat!(
    "The API behind every Spaza site. The host picks the brand: `memeworld.localhost` is `memeworld`; on a host ",
    "whose first label is `88` the query parameter `domain` does. Lists come at most 200 items at a time, with a `Link` header ",
    "where more follow. Times are UTC. Every refusal is a problem (RFC 9457), and every reply has an `X-Request-Id`. ",
    "Writes count only from the site itself: an `Origin` other than the host is refused.",
);

/// A component's kind and name.
type Key = (String, String);

/// Merges the public endpoints of all documents. Components with the same name and content are merged; with the same name and different
/// content, their names are prefixed with the service.
pub fn merge(documents: Vec<(&'static str, Value)>) -> Value {
    let documents: Vec<_> = documents.into_iter().map(|(service, document)| (service, public(document))).collect();
    let clashing = clashing(&documents);
    let (mut paths, mut components, mut tags) = (Map::new(), Map::new(), Vec::new());
    for (service, mut document) in documents {
        rename(&mut document, service, &clashing);
        if let Some(Value::Array(own)) = document.get_mut("tags") {
            tags.append(own);
        }
        if let Some(Value::Object(own)) = document.get_mut("paths") {
            paths.append(own);
        }
        for ((place, name), part) in parts(&document) {
            let name = own_name(service, &place, &name, &clashing);
            if let Value::Object(place) = components.entry(place).or_insert_with(|| json!({})) {
                place.insert(name, part.clone());
            }
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": { "title": "Spaza", "version": env!("CARGO_PKG_VERSION"), "description": ABOUT },
        "tags": tags,
        "paths": paths,
        "components": components,
    })
}

/// The public part of a service's document.
fn public(mut document: Value) -> Value {
    if let Some(Value::Object(paths)) = document.get_mut("paths") {
        paths.retain(|path, _| path.starts_with("/api/"));
    }
    let parts = parts(&document);
    let mut referenced = document.get("paths").map(names).unwrap_or_default();
    loop {
        let further: BTreeSet<_> =
            referenced.iter().filter_map(|key| parts.get(key)).flat_map(|part| names(part)).collect();
        if further.is_subset(&referenced) {
            break;
        }
        referenced.extend(further);
    }
    let mut components = Map::new();
    for ((place, name), part) in parts.into_iter().filter(|(key, _)| referenced.contains(key)) {
        if let Value::Object(place) = components.entry(place).or_insert_with(|| json!({})) {
            place.insert(name, part.clone());
        }
    }
    if let Value::Object(document) = &mut document {
        document.insert("components".to_owned(), components.into());
    }
    document
}

fn parts(document: &Value) -> BTreeMap<Key, &Value> {
    let places = document.get("components").and_then(Value::as_object).into_iter().flatten();
    places
        .flat_map(|(place, parts)| {
            let named = parts.as_object().into_iter().flatten();
            named.map(move |(name, part)| ((place.clone(), name.clone()), part))
        })
        .collect()
}

/// The components that a part of a document refers to: by `$ref`, or security schemes by name.
fn names(part: &Value) -> BTreeSet<Key> {
    match part {
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(field, value)| match (field.as_str(), value) {
                ("$ref", Value::String(target)) => key(target).into_iter().collect(),
                ("security", Value::Array(proofs)) => proofs
                    .iter()
                    .filter_map(Value::as_object)
                    .flat_map(|proof| proof.keys())
                    .map(|name| ("securitySchemes".to_owned(), name.clone()))
                    .collect(),
                _ => names(value),
            })
            .collect(),
        Value::Array(items) => items.iter().flat_map(names).collect(),
        _ => BTreeSet::new(),
    }
}

fn key(target: &str) -> Option<Key> {
    let (place, name) = target.strip_prefix("#/components/")?.split_once('/')?;
    Some((place.to_owned(), name.to_owned()))
}

/// The components that differ between documents, by themselves or by what they refer to.
fn clashing(documents: &[(&'static str, Value)]) -> BTreeSet<Key> {
    let mut meanings: BTreeMap<Key, Vec<&Value>> = BTreeMap::new();
    for (_, document) in documents {
        for (key, part) in parts(document) {
            meanings.entry(key).or_default().push(part);
        }
    }
    let mut clashing = BTreeSet::new();
    loop {
        let before = clashing.len();
        for (key, parts) in meanings.iter().filter(|(_, parts)| parts.len() > 1) {
            let differ = parts.windows(2).any(|pair| pair.first() != pair.last());
            if differ || parts.iter().any(|part| !names(part).is_disjoint(&clashing)) {
                clashing.insert(key.clone());
            }
        }
        if clashing.len() == before {
            return clashing;
        }
    }
}

fn own_name(service: &str, place: &str, name: &str, clashing: &BTreeSet<Key>) -> String {
    if !clashing.contains(&(place.to_owned(), name.to_owned())) {
        return name.to_owned();
    }
    let mut letters = service.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(name.chars()).collect()
}

fn rename(part: &mut Value, service: &str, clashing: &BTreeSet<Key>) {
    match part {
        Value::Object(fields) => {
            for (field, value) in fields {
                match (field.as_str(), value.as_str().and_then(key)) {
                    ("$ref", Some((place, name))) => {
                        *value = format!("#/components/{place}/{}", own_name(service, &place, &name, clashing)).into();
                    }
                    _ => rename(value, service, clashing),
                }
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| rename(item, service, clashing)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(service: &str, schemas: Value) -> Value {
        let of = |name: &str| json!({ "get": { "responses": { "200": { "$ref": format!("#/components/schemas/{name}") } } } });
        json!({
            "openapi": "3.1.0",
            "paths": { format!("/api/{service}/x"): of("List"), "/internal/imports": of("Import") },
            "components": { "schemas": schemas },
        })
    }

    #[test]
    fn merge_prefixes_components_that_differ() {
        let schemas = |title: &str| {
            json!({
                "List": { "items": { "$ref": "#/components/schemas/Item" } },
                "Item": { "title": title, "not": { "$ref": "#/components/schemas/Id" } },
                "Id": { "type": "integer" },
                "Import": {},
            })
        };
        let both = merge(vec![("a", document("a", schemas("one"))), ("b", document("b", schemas("two")))]);
        let names: Vec<_> = both["components"]["schemas"].as_object().unwrap().keys().collect();
        assert_eq!(names, ["AItem", "AList", "BItem", "BList", "Id"], "a list of different items is a different list");
        assert_eq!(both["paths"].as_object().unwrap().keys().collect::<Vec<_>>(), ["/api/a/x", "/api/b/x"]);
        assert_eq!(both["components"]["schemas"]["BList"]["items"]["$ref"], "#/components/schemas/BItem");

        let same = merge(vec![("a", document("a", schemas("one"))), ("b", document("b", schemas("one")))]);
        assert_eq!(same["components"]["schemas"].as_object().unwrap().len(), 3);
    }
}
