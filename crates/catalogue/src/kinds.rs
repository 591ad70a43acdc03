//! The kinds of a catalogue's records, and their fields.

use actix_web::web::{Data, Json};
use schemars::generate::SchemaSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use service::EditorCaller;
use utoipa::ToSchema;

use crate::{
    App,
    manifest::{Table, translations},
};

/// What a catalogue has: its services, and the kinds of their records.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = CatalogueKinds)]
pub struct Kinds {
    /// The services' names.
    pub services: Vec<String>,
    /// Each after those that it refers to.
    pub kinds: Vec<Kind>,
}

/// A kind of record.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = CatalogueKind)]
pub struct Kind {
    /// Its name, `video`.
    pub kind: String,
    /// The kind of its parent.
    #[schema(required = true)]
    pub parent: Option<String>,
    /// The field that names a record to a person.
    pub title: String,
    /// Its fields, in the order of a form; last its translations, such as `video_name.zu`, by language.
    pub fields: Vec<Field>,
}

/// A field of a kind of record.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = CatalogueField)]
pub struct Field {
    /// Its name in manifests.
    pub name: String,
    /// The name of its type, `Title`.
    pub form: String,
    /// Whether every record has one.
    pub required: bool,
    /// The kind of the record that it names by its slug.
    #[schema(required = true)]
    pub refers_to: Option<String>,
    /// The JSON Schema of its value in a manifest.
    #[schema(value_type = Object)]
    pub schema: Value,
    /// The field and the language of a translation.
    #[schema(required = true)]
    pub translation: Option<Translation>,
}

/// What a field translates.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = CatalogueTranslation)]
pub struct Translation {
    /// The field whose text it translates.
    pub field: String,
    /// The code of the language.
    pub language: String,
}

impl From<&Table> for Kind {
    fn from(table: &Table) -> Self {
        let mut generator =
            SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true).into_generator();
        let fields = table.all_fields().map(|field| Field {
            name: field.name.to_owned(),
            form: field.form.to_owned(),
            required: (field.absent)().is_none(),
            refers_to: field.link.map(|link| link.to.kind.to_owned()),
            schema: (field.schema)(&mut generator).to_value(),
            translation: None,
        });
        let mut fields: Vec<Field> = fields.collect();
        let texts: Vec<Field> =
            fields.iter().filter(|field| table.translated.contains(&&*field.name)).cloned().collect();
        fields.extend(translations::languages().flat_map(|language| {
            texts.iter().map(move |text| Field {
                name: translations::name_of(&text.name, language),
                required: false,
                translation: Some(Translation { field: text.name.clone(), language: language.to_owned() }),
                ..text.clone()
            })
        }));
        Self {
            kind: table.kind.to_owned(),
            parent: table.parent().map(|parent| parent.kind.to_owned()),
            title: table.title().to_owned(),
            fields,
        }
    }
}

/// The services of a catalogue and the kinds of their records.
#[utoipa::path(get, path = "", responses((status = 200, description = "With every field.", body = Kinds)))]
pub async fn list_kinds(_: EditorCaller, app: Data<App>) -> Json<Kinds> {
    let mut services: Vec<String> = app
        .brands
        .iter()
        .filter(|brand| brand.kind == app.publication.kind)
        .map(|brand| brand.service.clone())
        .collect();
    services.sort();
    services.dedup();
    Json(Kinds { services, kinds: app.publication.content().tables.iter().map(Kind::from).collect() })
}
