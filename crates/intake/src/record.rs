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
            #[schema(value_type = service::schema::Slug)]
            slug: String,
            $($(#[$of_field])* $field: $kind,)*
            #[serde(default = "::service::manifest::listed", deserialize_with = "::service::manifest::state_word")]
            #[schema(value_type = Option<service::manifest::State>)]
            state: String,
            #[serde(default = "::service::manifest::always", with = "::service::timestamp")]
            #[schema(value_type = Option<service::schema::Time>)]
            publish_at: ::chrono::NaiveDateTime,
            #[serde(default = "::service::manifest::never", with = "::service::timestamp")]
            #[schema(value_type = Option<service::schema::Time>)]
            expires_at: ::chrono::NaiveDateTime,
        }

        impl $name {
            /// Makes it one of an import's, where all of it is as it must be.
            fn enter(&mut self, import_id: i64, folder: &str) -> Result<(), ::service::Problem> {
                self.import_id = import_id;
                ::service::manifest::slug(&self.slug)?;
                self.check(folder)?;
                ::service::manifest::schedule(&self.slug, self.publish_at, self.expires_at)
            }
        }
    };
}
