//! `/internal/charges`: staff pause charges of a network, of a brand, or all, and resume them. Joins go on, as do refunds, status queries, stops and
//! SMSes. What is paused stays pending, and its day is closed as after an outage: nothing is unpaid.

use actix_web::web::{Data, Json};
use chrono::NaiveDateTime;
use serde::{Deserialize, Serialize};
use service::{
    FinanceCaller,
    openapi::{Conflict, NotFound, Refused},
};
use utoipa::ToSchema;

use crate::{
    App,
    error::Error,
    ledger::pauses::{Pause, PauseScope},
    subscribers::{policy::Policy, text::plain_text},
};

/// Ended pauses in a reply.
const ENDED: i64 = 50;

/// Which charges are paused or resumed, and why. Without a network and a service: all.
#[derive(Deserialize, ToSchema)]
// A misspelt scope must not be all charges.
#[serde(deny_unknown_fields)]
pub(crate) struct PauseOrder {
    /// Only charges of this network.
    #[serde(default)]
    network: String,
    /// Only charges of this service.
    #[serde(default)]
    svc_id: i32,
    #[schema(min_length = 1, max_length = 256)]
    reason: String,
}

impl PauseOrder {
    fn scope(&self, policy: &Policy) -> Result<PauseScope, Error> {
        let Self { network, svc_id, .. } = self;
        match (network.as_str(), *svc_id) {
            ("", 0) => {}
            ("", svc_id) if policy.brand(svc_id).is_none() => return Err(Error::UnknownService),
            ("", _) => {}
            (network, 0) if policy.brands.network(network).is_none() => return Err(Error::UnknownNetwork),
            (network, 0) if !policy.is_pull(network) => return Err(Error::ChargesByItself),
            (_, 0) => {}
            _ => return Err(Error::TwoPauseScopes),
        }
        Ok(PauseScope { network: network.clone(), svc_id: *svc_id })
    }
}

/// A pause of charges.
#[derive(Serialize, ToSchema)]
pub(crate) struct ListedPause {
    /// Only charges of this network; empty: of all that do not charge by themselves.
    network: String,
    /// Only charges of this service; 0: of all.
    svc_id: i32,
    /// Its name; empty without a service, or for one that brands.toml no longer has.
    service: String,
    reason: String,
    /// Who paused them.
    made_by: String,
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    since: NaiveDateTime,
    /// Absent while it lasts.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    end: Option<PauseEnd>,
}

/// The end of a pause.
#[derive(Serialize, ToSchema)]
pub(crate) struct PauseEnd {
    #[serde(with = "service::timestamp")]
    #[schema(value_type = service::schema::Time)]
    at: NaiveDateTime,
    reason: String,
    /// Who resumed them.
    made_by: String,
}

/// A network, as far as its charges can be paused.
#[derive(Serialize, ToSchema)]
pub(crate) struct PausableNetwork {
    network: String,
    /// Its charges cannot be paused here, by no scope.
    charges_by_itself: bool,
}

/// A brand's service.
#[derive(Serialize, ToSchema)]
pub(crate) struct PausableService {
    svc_id: i32,
    service: String,
}

/// Which charges are paused, and which can be.
#[derive(Serialize, ToSchema)]
pub(crate) struct ChargePauses {
    /// Those that last, oldest first.
    pauses: Vec<ListedPause>,
    /// The last fifty that were ended, newest first.
    ended: Vec<ListedPause>,
    networks: Vec<PausableNetwork>,
    services: Vec<PausableService>,
}

impl ListedPause {
    /// With the name of its service.
    pub fn of(pause: Pause, policy: &Policy) -> Self {
        let Pause { network, svc_id, reason, made_by, since, ended_at, ended_by, end_reason } = pause;
        Self {
            network,
            svc_id,
            service: policy.brand(svc_id).map(|brand| brand.service.clone()).unwrap_or_default(),
            reason,
            made_by,
            since,
            end: ended_at.map(|at| PauseEnd { at, reason: end_reason, made_by: ended_by }),
        }
    }
}

/// Which charges are paused, which were, and which can be.
#[utoipa::path(
    get,
    path = "",
    responses((status = 200, description = "The pauses that last, and the last ones that were ended.", body = ChargePauses))
)]
pub(crate) async fn list_pauses(_: FinanceCaller, app: Data<App>) -> Result<Json<ChargePauses>, Error> {
    let read = |conn: &mut store::DbConnection| Ok::<_, Error>((Pause::that_last(conn)?, Pause::ended(conn, ENDED)?));
    let (pauses, ended) = app.db.run(read).await?;
    let listed = |pauses: Vec<Pause>| pauses.into_iter().map(|pause| ListedPause::of(pause, &app.policy)).collect();
    let networks = app
        .brands
        .networks()
        .map(|(network, _)| PausableNetwork { charges_by_itself: !app.policy.is_pull(&network), network });
    let services =
        app.brands.iter().map(|brand| PausableService { svc_id: brand.svc_id, service: brand.service.clone() });
    let mut services: Vec<_> = services.collect();
    // Two labels of one service are one.
    services.sort_by_key(|service| service.svc_id);
    services.dedup_by_key(|service| service.svc_id);
    let (networks, pauses, ended) = (networks.collect(), listed(pauses), listed(ended));
    Ok(Json(ChargePauses { pauses, ended, networks, services }))
}

/// Pauses charges: on every replica none of them is claimed from the reply on, and what was claimed before is sent at most 2.6 seconds later. A scope
/// that is paused already keeps its pause.
#[utoipa::path(
    post,
    path = "",
    request_body = PauseOrder,
    responses((status = 200, description = "The charges are paused.", body = ListedPause), Conflict, NotFound, Refused)
)]
pub(crate) async fn pause_charges(
    caller: FinanceCaller,
    app: Data<App>,
    order: Json<PauseOrder>,
) -> Result<Json<ListedPause>, Error> {
    let (scope, reason, now) = (order.scope(&app.policy)?, plain_text(&order.reason)?, app.clock.now());
    let begin = move |conn: &mut store::DbConnection| Pause::begin(conn, &scope, (&reason, caller.name()), now);
    let pause = app.db.write(begin).await?;
    tracing::warn!(
        network.name = pause.network,
        svc_id = pause.svc_id,
        staff.name = pause.made_by,
        "charges are paused: {}",
        pause.reason
    );
    Ok(Json(ListedPause::of(pause, &app.policy)))
}

/// Resumes charges that were paused in the same scope: first charges are sent at once, those of the open pass within ten seconds. A repetition changes
/// nothing.
#[utoipa::path(
    post,
    path = "",
    request_body = PauseOrder,
    responses((status = 200, description = "The pause has ended.", body = ListedPause), Conflict, NotFound, Refused)
)]
pub(crate) async fn resume_charges(
    caller: FinanceCaller,
    app: Data<App>,
    order: Json<PauseOrder>,
) -> Result<Json<ListedPause>, Error> {
    let (scope, reason, now) = (order.scope(&app.policy)?, plain_text(&order.reason)?, app.clock.now());
    let end = move |conn: &mut store::DbConnection| Pause::end(conn, &scope, (&reason, caller.name()), now);
    let pause = app.db.write(end).await?;
    app.wake();
    tracing::info!(
        network.name = pause.network,
        svc_id = pause.svc_id,
        staff.name = pause.ended_by,
        "charges are resumed: {}",
        pause.end_reason
    );
    Ok(Json(ListedPause::of(pause, &app.policy)))
}
