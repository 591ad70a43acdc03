//! What every record of a manifest has, whichever it is of.

/// A record as its staging table takes it: the fields that are named, beside those of every record. Its type has an
/// `fn check(&self, folder: &str) -> Result<(), Problem>` for its own fields, given the service's media folder.
///
/// Written out beside them, since serde refuses unknown fields only where none of the known ones are another struct's.
#[macro_export]
macro_rules! record {
    ($(#[$attribute:meta])* $table:ident: $name:ident { $($(#[$of_field:meta])* $field:ident: $kind:ty,)* }) => {
        #[derive(Debug, ::serde::Deserialize, ::diesel::Insertable, ::utoipa::ToSchema)]
        #[diesel(table_name = $table, treat_none_as_default_value = false)]
        #[serde(deny_unknown_fields)]
        $(#[$attribute])*
        struct $name {
            #[serde(skip)]
            import_id: i64,
            /// Where it stands in the manifest: its line.
            place: i64,
            #[schema(value_type = web::schema::Slug)]
            slug: String,
            $($(#[$of_field])* $field: $kind,)*
            #[serde(default = "::web::manifest::listed", deserialize_with = "::web::manifest::state_word")]
            #[schema(value_type = Option<web::manifest::State>)]
            state: String,
            #[serde(default = "::web::manifest::always", with = "::web::timestamp")]
            #[schema(value_type = Option<web::schema::Time>)]
            publish_at: ::chrono::NaiveDateTime,
            #[serde(default = "::web::manifest::never", with = "::web::timestamp")]
            #[schema(value_type = Option<web::schema::Time>)]
            expires_at: ::chrono::NaiveDateTime,
        }

        impl $name {
            /// Makes it one of an import's, where all of it is as it must be.
            fn enter(&mut self, import_id: i64, folder: &str) -> Result<(), ::web::Problem> {
                self.import_id = import_id;
                ::web::manifest::slug(&self.slug)?;
                self.check(folder)?;
                ::web::manifest::schedule(&self.slug, self.publish_at, self.expires_at)
            }
        }
    };
}
