//! `GET` and `DELETE /internal/persons/{msisdn}`: what the service knows of a number, and its erasure.

use actix_web::web::{Data, Json, Path};
use identity::SubscriberId;
use service::{Message, Problem, StaffText, SupportCaller, openapi::Refused};
use store::personal_data::{self, Erased, PersonalData};

use crate::{App, Error};

fn parsed(number: &str) -> Result<SubscriberId, Problem> {
    SubscriberId::parse(number).map_err(|_| Problem::unprocessable(Message::new("not-a-number")))
}

/// All that this service knows of a number.
#[utoipa::path(
    get,
    path = "",
    params(("msisdn" = service::schema::Name, Path, description = "The number, in any spelling.", example = "0812345678")),
    responses((status = 200, description = "The rows of every table with rows about persons.", body = PersonalData), Refused)
)]
pub(crate) async fn get_personal_data(
    _: SupportCaller,
    app: Data<App>,
    msisdn: Path<String>,
) -> Result<Json<PersonalData>, Error> {
    let (msisdn, tables) = (parsed(&msisdn)?, app.publication.personal_tables);
    let language = service::staff_language();
    let data = app.db.run(move |conn| personal_data::export(conn, tables, msisdn.as_str(), language)).await?;
    data.map(Json).ok_or_else(|| Problem::unprocessable(StaffText::new("too-many-rows")).into())
}

/// Erases what this service knows of a number. Repeating the call changes nothing.
#[utoipa::path(
    delete,
    path = "",
    params(("msisdn" = service::schema::Name, Path, description = "The number, in any spelling.", example = "0812345678")),
    responses((status = 200, description = "What was erased, and what stays.", body = Erased), Refused)
)]
pub(crate) async fn erase(_: SupportCaller, app: Data<App>, msisdn: Path<String>) -> Result<Json<Erased>, Error> {
    let (msisdn, tables) = (parsed(&msisdn)?, app.publication.personal_tables);
    let language = service::staff_language();
    Ok(Json(app.db.write(move |conn| personal_data::erase(conn, tables, msisdn.as_str(), language)).await?))
}
