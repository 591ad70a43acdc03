//! Whether a number was given to another person since it was proved, as its network tells (CAMARA Number Recycling). Where the network does not
//! tell, or does not answer, the time without a charge decides (`Subscription::is_abandoned`).

use chrono::{NaiveDate, TimeDelta};
use identity::SubscriberId;
use operator::OptInKind;
use serde_json::json;
use store::DbConnection;

use crate::{
    App,
    billing::lease,
    error::Error,
    joins::{network_events::NetworkEvent, sim_swap},
    subscribers::{
        attempts::{OptInAttempt, kind_name},
        calendar,
        lifecycle::State,
        subscriptions::Subscription,
    },
};

/// Ends what a former owner of the number has left, before the number joins or is proved: its subscription to this service, and those that
/// were proved no later.
pub(crate) async fn end_former(app: &App, subscriber: &SubscriberId, svc_id: i32) -> Result<(), Error> {
    let Some(number) = subscriber.number() else { return Ok(()) };
    if app.brands.networks().all(|(_, network)| network.camara.number_recycling.is_none()) {
        return Ok(());
    }
    let owner = subscriber.clone();
    let proofs = app.db.run(move |conn| proofs_of(conn, &owner)).await?;
    let Some((subscription, proved_on)) = proofs.iter().find(|(one, _)| one.svc_id == svc_id) else { return Ok(()) };
    let (network, proved_on) = (subscription.network.clone(), *proved_on);
    if proved_on >= calendar::day_of(app.clock.now()) {
        return Ok(());
    }
    // A network that the brand has left since, and that is known no more, tells nothing.
    let Ok(operator) = app.networks.operator(&network) else { return Ok(()) };
    if !sim_swap::signal(&network, "number", operator.was_recycled(number.as_str(), proved_on)).await {
        return Ok(());
    }
    let former: Vec<Subscription> = proofs
        .into_iter()
        .filter(|(one, day)| *day <= proved_on && one.network == network)
        .map(|(one, _)| one)
        .collect();
    let ids = former.iter().map(|one| one.id).collect();
    // The join is younger than the end.
    let (policy, now) = (app.policy.clone(), app.clock.now() - TimeDelta::seconds(1));
    app.db
        .write(move |conn| {
            for one in former {
                let event = NetworkEvent {
                    policy: &policy,
                    network: &network,
                    msisdn: &one.msisdn,
                    svc_id: one.svc_id,
                    attempt: None,
                    network_ref: None,
                    happened_at: now,
                    updated_at: None,
                    evidence: json!({ "event": "number-recycling", "since": proved_on.to_string() }),
                    sends_sms: true,
                    now,
                };
                event.apply_recycling(conn)?;
            }
            Ok::<_, Error>(())
        })
        .await?;
    app.wake();
    lease::wait_until_unclaimed(&app.db, ids).await
}

/// A number's subscriptions that have begun, each with the day on which its person proved the number last.
fn proofs_of(conn: &mut DbConnection, subscriber: &SubscriberId) -> Result<Vec<(Subscription, NaiveDate)>, Error> {
    let mut proofs = Vec::new();
    for subscription in Subscription::all_of_number(conn, subscriber)? {
        let mut proved_at = subscription.person_since;
        for kind in [OptInKind::OptIn, OptInKind::Verify] {
            let attempt = OptInAttempt::last_confirmed(conn, subscription.id, kind_name(kind))?;
            proved_at = proved_at.max(attempt.and_then(|attempt| attempt.decided_at));
        }
        let proved_at = proved_at.unwrap_or(subscription.since);
        if subscription.state != State::New && !subscription.network.is_empty() {
            proofs.push((subscription, calendar::day_of(proved_at)));
        }
    }
    Ok(proofs)
}
