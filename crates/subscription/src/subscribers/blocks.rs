//! `PUT` and `DELETE /internal/blocks/{msisdn}`: numbers that cannot join.
//!
//! A block stops what would make a subscription active: the join form refuses the number, and a confirmation that arrives at the network
//! all the same is answered with a stop. It ends nothing that runs already.

use actix_web::{
    HttpResponse,
    web::{Data, Json, Path},
};
use chrono::NaiveDateTime;
use diesel::prelude::*;
use identity::SubscriberId;
use serde::{Deserialize, Serialize};
use service::{SupportCaller, openapi::Refused};
use store::{DbConnection, on_each_backend};
use utoipa::ToSchema;

use crate::{
    App,
    error::Error,
    schema::blocked_numbers,
    subscribers::{subscriptions::Subscription, text::plain_text},
};

/// A block of a number.
#[derive(Clone, Queryable, Selectable, Serialize, ToSchema)]
#[diesel(table_name = blocked_numbers)]
pub(crate) struct Block {
    pub reason: String,
    /// Who blocked it.
    pub made_by: String,
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    pub at: NaiveDateTime,
}

/// Why a number is blocked.
#[derive(Deserialize, ToSchema)]
pub(crate) struct BlockOrder {
    #[schema(min_length = 1, max_length = 256)]
    reason: String,
}

impl Block {
    /// The block of a number, if there is one.
    pub fn of_number(conn: &mut DbConnection, msisdn: &SubscriberId) -> Result<Option<Self>, Error> {
        Ok(blocked_numbers::table.find(msisdn.as_str()).select(Self::as_select()).first(conn).optional()?)
    }
}

/// Blocks a number from joining; a number that is blocked already keeps its block.
#[utoipa::path(
    put,
    path = "",
    params(("msisdn" = service::schema::Name, Path, description = "The number, in any spelling.", example = "0812345678")),
    request_body = BlockOrder,
    responses((status = 200, description = "The number's block.", body = Block), Refused)
)]
pub(crate) async fn add_block(
    caller: SupportCaller,
    app: Data<App>,
    msisdn: Path<String>,
    order: Json<BlockOrder>,
) -> Result<Json<Block>, Error> {
    let (msisdn, reason, now) = (SubscriberId::parse(&msisdn)?, plain_text(&order.reason)?, app.clock.now());
    let block = app
        .db
        .write(move |conn| {
            // Waits for confirmations that are being applied.
            for subscription in Subscription::all_of_number(conn, &msisdn)? {
                Subscription::lock_by_id(conn, subscription.id)?;
            }
            let new = (
                blocked_numbers::msisdn.eq(msisdn.as_str()),
                blocked_numbers::reason.eq(reason),
                blocked_numbers::made_by.eq(caller.name()),
                blocked_numbers::at.eq(now),
            );
            on_each_backend!(conn, conn => diesel::insert_into(blocked_numbers::table)
                .values(new)
                .on_conflict_do_nothing()
                .execute(conn))?;
            Block::of_number(conn, &msisdn)?.ok_or(Error::Store(store::Error::NotFound))
        })
        .await?;
    Ok(Json(block))
}

/// Lets a number join again.
#[utoipa::path(
    delete,
    path = "",
    params(("msisdn" = service::schema::Name, Path, description = "The number, in any spelling.", example = "0812345678")),
    responses((status = 204, description = "The number is not blocked."), Refused)
)]
pub(crate) async fn remove_block(
    _: SupportCaller,
    app: Data<App>,
    msisdn: Path<String>,
) -> Result<HttpResponse, Error> {
    let msisdn = SubscriberId::parse(&msisdn)?;
    app.db
        .write(move |conn| {
            diesel::delete(blocked_numbers::table.find(msisdn.as_str())).execute(conn)?;
            Ok::<_, Error>(())
        })
        .await?;
    Ok(HttpResponse::NoContent().finish())
}
