//! Who of finance looks after a day that does not agree with a network's list. An assignment is for people to divide the work: it limits no one.

use actix_web::{
    HttpResponse,
    web::{Data, Json, Path},
};
use chrono::NaiveDate;
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{
    StaffText,
    openapi::{NotFound, Refused},
};
use store::DbConnection;
use utoipa::ToSchema;

use crate::{
    app::App,
    audit,
    error::Error,
    guard::Finance,
    members::{ACTIVE, Role, StaffRow, roles_of},
    schema::{assignments, staff},
};

const MAX_NETWORK_CHARS: usize = 100;

/// A member of finance.
#[derive(Serialize, ToSchema)]
pub(crate) struct Colleague {
    id: i64,
    name: String,
}

/// A day of a network, and who looks after it.
#[derive(Serialize, ToSchema)]
pub(crate) struct Assignment {
    day: String,
    network: String,
    staff_id: i64,
}

/// Days that are assigned, and the persons to whom they can be.
#[derive(Serialize, ToSchema)]
pub(crate) struct Assignments {
    assignments: Vec<Assignment>,
    /// By name.
    colleagues: Vec<Colleague>,
}

/// Who is to look after a day.
#[derive(Deserialize, ToSchema)]
pub(crate) struct AssignOrder {
    #[schema(max_length = 100)]
    network: String,
    /// A member of finance, also the caller; null: the day is free again.
    #[schema(required = true)]
    staff_id: Option<i64>,
}

/// The members of staff who keep the books.
fn colleagues(conn: &mut DbConnection) -> Result<Vec<StaffRow>, Error> {
    let rows: Vec<StaffRow> =
        staff::table.filter(staff::state.eq(ACTIVE)).order(staff::name).select(StaffRow::as_select()).load(conn)?;
    Ok(rows.into_iter().filter(|row| roles_of(&row.roles).contains(&Role::Finance)).collect())
}

/// Which days are assigned, and to whom they can be. A day of a person who is no longer of finance is free.
#[utoipa::path(get, path = "", responses((status = 200, description = "All of them.", body = Assignments)))]
pub(crate) async fn list_assignments(_: Finance, app: Data<App>) -> Result<Json<Assignments>, Error> {
    let listed = app
        .db
        .run(|conn| {
            let colleagues = colleagues(conn)?;
            let ids: Vec<i64> = colleagues.iter().map(|row| row.id).collect();
            let rows: Vec<(String, String, i64)> = assignments::table
                .filter(assignments::staff_id.eq_any(ids))
                .order((assignments::day.desc(), assignments::network))
                .select((assignments::day, assignments::network, assignments::staff_id))
                .load(conn)?;
            Ok::<_, Error>(Assignments {
                assignments: rows
                    .into_iter()
                    .map(|(day, network, staff_id)| Assignment { day, network, staff_id })
                    .collect(),
                colleagues: colleagues.into_iter().map(|StaffRow { id, name, .. }| Colleague { id, name }).collect(),
            })
        })
        .await?;
    Ok(Json(listed))
}

/// Gives a day of a network to a member of finance, takes it, or frees it.
#[utoipa::path(
    put,
    path = "",
    params(("day" = String, Path, description = "YYYY-MM-DD.")),
    request_body = AssignOrder,
    responses((status = 204, description = "It is assigned."), NotFound, Refused)
)]
pub(crate) async fn assign(
    finance: Finance,
    app: Data<App>,
    day: Path<String>,
    order: Json<AssignOrder>,
) -> Result<HttpResponse, Error> {
    let (Finance(member), AssignOrder { network, staff_id }) = (finance, order.into_inner());
    let day: NaiveDate = day.parse().map_err(|_| Error::NotFound)?;
    let (day, now) = (day.to_string(), app.clock.now());
    if network.is_empty() || network.chars().count() > MAX_NETWORK_CHARS {
        return Err(Error::Field("network", StaffText::new("network-name")));
    }
    app.audited(move |conn| {
        let chosen = match staff_id {
            Some(id) => Some(
                colleagues(conn)?
                    .into_iter()
                    .find(|row| row.id == id)
                    .ok_or(Error::Field("staff_id", StaffText::new("not-of-finance")))?,
            ),
            None => None,
        };
        let row = assignments::table.filter(assignments::day.eq(&day)).filter(assignments::network.eq(&network));
        diesel::delete(row).execute(conn)?;
        if let Some(chosen) = &chosen {
            diesel::insert_into(assignments::table)
                .values((
                    assignments::day.eq(&day),
                    assignments::network.eq(&network),
                    assignments::staff_id.eq(chosen.id),
                    assignments::at.eq(now),
                ))
                .execute(conn)?;
        }
        let details = json!({ "network": network, "to": chosen.map(|row| row.email) });
        audit::append_of(conn, &member, "day.assigned", &day, &details, now)
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}
