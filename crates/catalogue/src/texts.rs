//! Texts of records in the language of their reader: a translation where the record has one, else the text itself.

use std::{
    borrow::Cow,
    collections::{BTreeMap, BTreeSet, HashMap},
};

use diesel::{
    prelude::*,
    sql_types::{BigInt, Text as SqlText},
};
use languages::Language;
use serde_json::json;
use store::DbConnection;

use crate::{Error, manifest::translations};

/// A text of a reply, and the record's field that it is from.
#[derive(Debug)]
pub struct Text<'a> {
    /// The record's table.
    pub table: &'static str,
    /// The record's id.
    pub id: i64,
    /// The name of the field.
    pub field: &'static str,
    /// The text.
    pub text: &'a mut String,
    /// The code of its language once it is translated.
    pub lang: &'a mut Option<Cow<'static, str>>,
}

/// A part of a reply with texts of records.
pub trait Translated {
    /// Adds its texts.
    fn add_texts<'a>(&'a mut self, texts: &mut Vec<Text<'a>>);
}

impl<T: Translated> Translated for Vec<T> {
    fn add_texts<'a>(&'a mut self, texts: &mut Vec<Text<'a>>) {
        self.iter_mut().for_each(|item| item.add_texts(texts));
    }
}

impl<T: Translated, U: Translated> Translated for (T, U) {
    fn add_texts<'a>(&'a mut self, texts: &mut Vec<Text<'a>>) {
        self.0.add_texts(texts);
        self.1.add_texts(texts);
    }
}

#[derive(QueryableByName)]
struct Row {
    #[diesel(sql_type = SqlText)]
    name: String,
    #[diesel(sql_type = BigInt)]
    id: i64,
    #[diesel(sql_type = SqlText)]
    translations: String,
}

/// A part of a reply in this language, in which each translated text names it: with one query more, and with none for readers of English, who see the texts themselves.
pub fn translated<T: Translated>(conn: &mut DbConnection, language: Language, mut part: T) -> Result<T, Error> {
    if language == Language::ENGLISH {
        return Ok(part);
    }
    let mut texts = Vec::new();
    part.add_texts(&mut texts);
    let mut ids: BTreeMap<&'static str, BTreeSet<i64>> = BTreeMap::new();
    for text in &texts {
        ids.entry(text.table).or_default().insert(text.id);
    }
    let of_table = |table: &&'static str| match conn {
        // The order of the tables keeps SQLite from reading all of them.
        DbConnection::Sqlite(_) => format!(
            "SELECT '{table}' AS name, t.id, t.translations FROM json_each($1, '$.{table}') e \
             CROSS JOIN {table} t ON t.id = e.value WHERE t.translations IS NOT NULL"
        ),
        DbConnection::Postgres(_) => format!(
            "SELECT '{table}' AS name, t.id, t.translations FROM json_array_elements_text($1::json -> '{table}') e(value) \
             JOIN {table} t ON t.id = e.value::bigint WHERE t.translations IS NOT NULL"
        ),
    };
    let statement = ids.keys().map(of_table).collect::<Vec<_>>().join(" UNION ALL ");
    if statement.is_empty() {
        return Ok(part);
    }
    let rows: Vec<Row> = diesel::sql_query(statement).bind::<SqlText, _>(json!(ids).to_string()).load(conn)?;
    let found: HashMap<(&str, i64), BTreeMap<String, String>> =
        rows.iter().map(|row| ((&*row.name, row.id), translations::unpacked(&row.translations))).collect();
    for Text { table, id, field, text, lang } in texts {
        let name = translations::name_of(field, language.code());
        if let Some(translation) = found.get(&(table, id)).and_then(|texts| texts.get(&name)) {
            text.clone_from(translation);
            *lang = Some(language.code().into());
        }
    }
    Ok(part)
}
