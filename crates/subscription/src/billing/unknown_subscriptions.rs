//! Subscriptions that a network does not have: it refused a charge because no subscription is active there. They end after the opt-in's
//! status confirms it.

use chrono::NaiveDateTime;
use operator::OptInKind;
use serde_json::json;
use store::DbConnection;

use crate::{
    billing::context::BillingContext,
    error::Error,
    networks::alarms,
    publishers::announce,
    subscribers::{
        attempts::{OptInAttempt, kind_name},
        lifecycle::Cause,
        network_subscriptions::NetworkSubscription,
        policy::Policy,
        subscriptions::Subscription,
    },
};

/// Ends a subscription that its network does not have. If the network reports it as active, raises an alarm instead.
pub(crate) async fn end_if_unknown(context: &BillingContext, network: &str, subscription_id: i64) -> Result<(), Error> {
    let last_confirmed =
        move |conn: &mut DbConnection| OptInAttempt::last_confirmed(conn, subscription_id, kind_name(OptInKind::OptIn));
    let opt_in = context.db.run(last_confirmed).await?;
    let known = opt_in.as_ref().map(|opt_in| opt_in.id.clone());
    if let Some(opt_in) = opt_in.filter(|opt_in| opt_in.network == network) {
        match context.networks.operator(network)?.opt_in_status(&opt_in.reference).await {
            Ok(answer) if answer.active => {
                tracing::error!(
                    alarm = alarms::daily("refused_by_network", network, context.clock.now()),
                    subscription.id = subscription_id,
                    network.name = network,
                    "a network refuses to charge a subscription that it says is active"
                );
                return Ok(());
            }
            Ok(_) | Err(Error::NetworkRejected(_)) => {}
            Err(error) => return Err(error),
        }
    }
    let (policy, now, network) = (context.policy.clone(), context.clock.now(), network.to_owned());
    context
        .db
        .write(move |conn| {
            Subscription::lock_by_id(conn, subscription_id)?;
            // Confirmed anew since the charge was refused: the answer is about what was before.
            match last_confirmed(conn)?.map(|opt_in| opt_in.id) == known {
                true => end(conn, &policy, &network, subscription_id, now),
                false => Ok(()),
            }
        })
        .await?;
    context.outbox_wake.notify_one();
    Ok(())
}

/// Ends a subscription that its network does not have, with its network subscriptions.
pub(crate) fn end(
    conn: &mut DbConnection,
    policy: &Policy,
    network: &str,
    subscription_id: i64,
    now: NaiveDateTime,
) -> Result<(), Error> {
    let Some(mut subscription) = Subscription::lock_by_id(conn, subscription_id)? else { return Ok(()) };
    for hold in NetworkSubscription::all_at(conn, subscription_id, network)? {
        if hold.ended_at.is_none() {
            hold.end_by_network(conn, now)?;
        }
    }
    // It has moved since the charge was sent.
    if subscription.runs_elsewhere(network) {
        return Ok(());
    }
    let evidence = json!({ "network": network, "charge": "refused: no such subscription" });
    announce::advance(conn, policy, &mut subscription, Cause::UnknownToNetwork, now, &evidence, now).map(|_| ())
}
