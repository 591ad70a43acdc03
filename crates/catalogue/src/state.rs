//! Whether a record is visible: by its state and its schedule.

use diesel::{
    backend::Backend,
    expression::AsExpression,
    serialize::{Output, Result, ToSql},
    sql_types::Text,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who can see a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, ToSchema, AsExpression)]
#[diesel(sql_type = Text)]
#[schema(as = ManifestState)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// All visitors: it is in lists and among random memes.
    #[default]
    Listed,
    /// Visitors with its address: it is in no list and never among random memes.
    Unlisted,
    /// No visitor.
    Deleted,
}

impl State {
    /// The value in manifests and the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Listed => "listed",
            Self::Unlisted => "unlisted",
            Self::Deleted => "deleted",
        }
    }
}

impl<DB: Backend> ToSql<Text, DB> for State
where
    str: ToSql<Text, DB>,
{
    fn to_sql<'b>(&'b self, out: &mut Output<'b, '_, DB>) -> Result {
        self.as_str().to_sql(out)
    }
}

/// The condition for records in lists: `listed`, published and not expired.
///
/// The table has the columns `state`, `publish_at` and `expires_at`.
#[macro_export]
macro_rules! listed {
    ($table:ident, $now:expr) => {
        $table::state
            .eq($crate::State::Listed.as_str())
            .and($table::publish_at.le($now))
            .and($table::expires_at.gt($now))
    };
}

/// The condition for records behind the last one of the page before, in the order of editors: by `rank`, then by `id`.
///
/// `$last` is a [`Last`](crate::Last).
#[macro_export]
macro_rules! behind {
    ($table:ident, $last:expr) => {
        diesel::dsl::sql::<diesel::sql_types::Bool>(concat!(
            "(",
            stringify!($table),
            ".rank, ",
            stringify!($table),
            ".id) > ("
        ))
        .bind::<diesel::sql_types::BigInt, _>($last.rank)
        .sql(", ")
        .bind::<diesel::sql_types::BigInt, _>($last.id)
        .sql(")")
    };
}

/// The condition for records at their own address: `listed` or `unlisted`, published and not expired.
#[macro_export]
macro_rules! found {
    ($table:ident, $now:expr) => {
        $table::state
            .ne($crate::State::Deleted.as_str())
            .and($table::publish_at.le($now))
            .and($table::expires_at.gt($now))
    };
}
