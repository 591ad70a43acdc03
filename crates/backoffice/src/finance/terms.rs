//! Contract terms and the rate of VAT: data with the day from which they hold. Rows are only added, each with an entry of the audit log.

use std::collections::BTreeMap;

use actix_web::{
    HttpResponse,
    web::{Data, Json},
};
use chrono::{DateTime, NaiveDate, NaiveDateTime, Utc};
use diesel::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;
use service::{StaffText, openapi::Refused};
use store::DbConnection;
use utoipa::ToSchema;

use super::{book::WHOLE, months};
use crate::{
    app::App,
    audit,
    error::Error,
    guard::Finance,
    schema::{contract_terms, vat_rates},
};

const MAX_NAME_CHARS: usize = 40;

/// What a party gets of the net income of a network, from a day on.
#[derive(Queryable, Serialize, ToSchema)]
pub(crate) struct ContractTerm {
    id: i64,
    network: String,
    /// 0: every brand of the network that has no term of its own with this party.
    svc_id: i32,
    party: String,
    /// Hundredths of a percent; 0 ends it.
    basis_points: i64,
    /// Johannesburg's calendar day, YYYY-MM-DD.
    since: String,
    /// Who entered it.
    by: String,
    #[serde(serialize_with = "as_utc")]
    #[schema(value_type = String, format = "date-time")]
    at: NaiveDateTime,
}

/// The rate of VAT from a day on.
#[derive(Queryable, Serialize, ToSchema)]
pub(crate) struct VatRate {
    id: i64,
    /// Hundredths of a percent.
    basis_points: i64,
    /// Johannesburg's calendar day, YYYY-MM-DD.
    since: String,
    /// Who entered it; empty for the rate that was there from the start.
    by: String,
    #[serde(serialize_with = "as_utc")]
    #[schema(value_type = String, format = "date-time")]
    at: NaiveDateTime,
}

fn as_utc<S: serde::Serializer>(time: &NaiveDateTime, serializer: S) -> Result<S::Ok, S::Error> {
    DateTime::<Utc>::serialize(&time.and_utc(), serializer)
}

/// All terms and rates; of two for the same, the later in the list holds from its day on.
#[derive(Serialize, ToSchema)]
pub(crate) struct Terms {
    vat: Vec<VatRate>,
    terms: Vec<ContractTerm>,
}

/// A new term.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NewTerm {
    #[schema(max_length = 40)]
    network: String,
    svc_id: i32,
    #[schema(max_length = 40)]
    party: String,
    #[schema(minimum = 0, maximum = 10000)]
    basis_points: i64,
    since: String,
}

/// A new rate of VAT.
#[derive(Deserialize, ToSchema)]
pub(crate) struct NewVatRate {
    #[schema(minimum = 0, maximum = 10000)]
    basis_points: i64,
    since: String,
}

impl Terms {
    pub(super) fn load(conn: &mut DbConnection) -> Result<Self, Error> {
        let vat = vat_rates::table
            .order((vat_rates::since, vat_rates::id))
            .select((vat_rates::id, vat_rates::basis_points, vat_rates::since, vat_rates::staff, vat_rates::at))
            .load(conn)?;
        let terms = contract_terms::table
            .order((contract_terms::since, contract_terms::id))
            .select((
                contract_terms::id,
                contract_terms::network,
                contract_terms::svc_id,
                contract_terms::party,
                contract_terms::basis_points,
                contract_terms::since,
                contract_terms::staff,
                contract_terms::at,
            ))
            .load(conn)?;
        Ok(Self { vat, terms })
    }

    /// None: for tests.
    #[cfg(test)]
    pub(super) fn none() -> Self {
        Self { vat: Vec::new(), terms: Vec::new() }
    }

    /// The rate of a day; of a day before the first one, that one.
    pub(super) fn vat_on(&self, day: &str) -> i64 {
        let of_day = self.vat.iter().rev().find(|rate| rate.since.as_str() <= day).or(self.vat.first());
        of_day.map(|rate| rate.basis_points).unwrap_or_default()
    }

    /// Who gets how much of a brand's net income at a network, by name.
    pub(super) fn parties_on(&self, day: &str, network: &str, svc_id: i32) -> Vec<(String, i64)> {
        let mut parties = BTreeMap::new();
        // A brand's own terms go before those of the network.
        for of in [0, svc_id] {
            let of_brand = self.terms.iter().filter(|term| term.network == network && term.svc_id == of);
            for term in of_brand.filter(|term| term.since.as_str() <= day) {
                parties.insert(term.party.clone(), term.basis_points);
            }
        }
        parties.into_iter().filter(|(_, basis_points)| *basis_points > 0).collect()
    }

    /// Whether the parties of a network get more than there is, for any brand on any day.
    fn exceed_whole(&self, network: &str) -> bool {
        let of_network = || self.terms.iter().filter(|term| term.network == network);
        of_network().any(|day| {
            of_network().any(|brand| {
                let parties = self.parties_on(&day.since, network, brand.svc_id);
                parties.iter().map(|(_, basis_points)| basis_points).sum::<i64>() > WHOLE
            })
        })
    }
}

fn checked_rate(basis_points: i64) -> Result<i64, Error> {
    if (0..=WHOLE).contains(&basis_points) {
        Ok(basis_points)
    } else {
        Err(Error::Field("basis_points", StaffText::new("percentage")))
    }
}

fn checked_day(text: &str) -> Result<String, Error> {
    let day: NaiveDate = text.parse().map_err(|_| Error::Field("since", StaffText::new("day")))?;
    Ok(day.to_string())
}

/// A name as documents and spreadsheets can show it.
fn checked_name(field: &'static str, text: &str) -> Result<String, Error> {
    let text = text.trim();
    let is_plain = |letter: char| letter.is_alphanumeric() || " .&'-".contains(letter);
    let begins = text.starts_with(char::is_alphanumeric);
    if !begins || text.chars().count() > MAX_NAME_CHARS || !text.chars().all(is_plain) {
        return Err(Error::Field(field, StaffText::new("party-name")));
    }
    Ok(text.to_owned())
}

/// A closed month does not change: nothing new holds in it.
fn refuse_closed(conn: &mut DbConnection, since: &str) -> Result<(), Error> {
    match months::last_closed(conn)? {
        Some(month) if since.get(..7).is_some_and(|of| of <= month.as_str()) => {
            Err(Error::Field("since", StaffText::new("day-of-closed-month")))
        }
        _ => Ok(()),
    }
}

/// Contract terms and rates of VAT.
#[utoipa::path(get, path = "", responses((status = 200, description = "All there ever were.", body = Terms)))]
pub(crate) async fn list_terms(_: Finance, app: Data<App>) -> Result<Json<Terms>, Error> {
    app.db.run(Terms::load).await.map(Json)
}

/// Adds a contract term.
#[utoipa::path(
    post,
    path = "",
    request_body = NewTerm,
    responses((status = 204, description = "It holds from its day on."), Refused)
)]
pub(crate) async fn add_term(finance: Finance, app: Data<App>, term: Json<NewTerm>) -> Result<HttpResponse, Error> {
    let (Finance(member), now) = (finance, app.clock.now());
    let (network, party) = (checked_name("network", &term.network)?, checked_name("party", &term.party)?);
    let (basis_points, since, svc_id) = (checked_rate(term.basis_points)?, checked_day(&term.since)?, term.svc_id);
    app.audited(move |conn| {
        refuse_closed(conn, &since)?;
        diesel::insert_into(contract_terms::table)
            .values((
                contract_terms::network.eq(&network),
                contract_terms::svc_id.eq(svc_id),
                contract_terms::party.eq(&party),
                contract_terms::basis_points.eq(basis_points),
                contract_terms::since.eq(&since),
                contract_terms::staff.eq(&member.email),
                contract_terms::at.eq(now),
            ))
            .execute(conn)?;
        // An error undoes the transaction.
        if Terms::load(conn)?.exceed_whole(&network) {
            return Err(Error::Field("basis_points", StaffText::new("shares-exceed")));
        }
        let details = json!({ "svc_id": svc_id, "basis_points": basis_points, "since": since });
        audit::append_of(conn, &member, "terms.changed", &format!("{network}, {party}"), &details, now)
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}

/// Adds a rate of VAT.
#[utoipa::path(
    post,
    path = "",
    request_body = NewVatRate,
    responses((status = 204, description = "It holds from its day on."), Refused)
)]
pub(crate) async fn add_vat_rate(
    finance: Finance,
    app: Data<App>,
    rate: Json<NewVatRate>,
) -> Result<HttpResponse, Error> {
    let (Finance(member), now) = (finance, app.clock.now());
    let (basis_points, since) = (checked_rate(rate.basis_points)?, checked_day(&rate.since)?);
    app.audited(move |conn| {
        refuse_closed(conn, &since)?;
        diesel::insert_into(vat_rates::table)
            .values((
                vat_rates::basis_points.eq(basis_points),
                vat_rates::since.eq(&since),
                vat_rates::staff.eq(&member.email),
                vat_rates::at.eq(now),
            ))
            .execute(conn)?;
        let details = json!({ "basis_points": basis_points, "since": since });
        audit::append_of(conn, &member, "vat.changed", "VAT", &details, now)
    })
    .await?;
    Ok(HttpResponse::NoContent().finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(rows: &[(i32, &str, i64, &str)]) -> Terms {
        let at = NaiveDateTime::default();
        let term = |(id, (svc_id, party, basis_points, since)): (i64, &(i32, &str, i64, &str))| ContractTerm {
            id,
            network: "pull".to_owned(),
            svc_id: *svc_id,
            party: (*party).to_owned(),
            basis_points: *basis_points,
            since: (*since).to_owned(),
            by: String::new(),
            at,
        };
        let vat = [(1400, "1993-04-07"), (1500, "2018-04-01")].map(|(basis_points, since)| VatRate {
            id: 1,
            basis_points,
            since: since.to_owned(),
            by: String::new(),
            at,
        });
        Terms { vat: vat.into(), terms: (1..).zip(rows).map(term).collect() }
    }

    #[test]
    fn terms_hold_from_their_day_on_and_a_brands_own_go_first() {
        let terms = terms(&[
            (0, "network", 5000, "2026-01-01"),
            (150, "licensor", 1000, "2026-01-01"),
            (150, "network", 4000, "2026-03-01"),
            (0, "network", 4500, "2026-04-01"),
            (150, "licensor", 0, "2026-05-01"),
        ]);
        let of = |day: &str, svc_id: i32| terms.parties_on(day, "pull", svc_id);
        let party = |name: &str, basis_points: i64| (name.to_owned(), basis_points);
        assert_eq!(of("2025-12-31", 150), []);
        assert_eq!(of("2026-01-01", 148), [party("network", 5000)]);
        assert_eq!(of("2026-02-28", 150), [party("licensor", 1000), party("network", 5000)]);
        assert_eq!(of("2026-04-01", 150), [party("licensor", 1000), party("network", 4000)]);
        assert_eq!(of("2026-05-01", 150), [party("network", 4000)]);
        assert_eq!(of("2026-05-01", 148), [party("network", 4500)]);
        assert_eq!(terms.parties_on("2026-05-01", "push", 148), []);
        assert_eq!(["1990-01-01", "2018-03-31", "2018-04-01"].map(|day| terms.vat_on(day)), [1400, 1400, 1500]);
    }

    #[test]
    fn exceed_whole_sees_each_day_and_brand() {
        let fits = [(0, "network", 6000, "2026-01-01"), (150, "licensor", 4000, "2026-01-01")];
        assert!(!terms(&fits).exceed_whole("pull"));
        let later = [&fits[..], &[(0, "network", 6001, "2027-01-01")]].concat();
        assert!(terms(&later).exceed_whole("pull"));
        assert!(!terms(&later).exceed_whole("push"));
    }
}
