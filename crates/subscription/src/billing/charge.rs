//! One charge: sent under its key, and what came of it.

use operator::{Charge, ChargeRequest, ChargeStatus};

use super::{claim::Claimed, settle::Outcome};
use crate::{
    crash,
    error::Error,
    networks::{Networks, Said},
};

/// Sends a claimed charge. Where the reply gets lost the network is asked at once.
pub(super) async fn send(networks: &Networks, charge: &Claimed) -> Outcome {
    let request = ChargeRequest {
        key: charge.charge_key.clone(),
        msisdn: charge.msisdn.clone(),
        svc_id: charge.svc_id,
        cents: charge.cents,
        day: charge.day.clone(),
        network_subscription_id: charge.hold.clone(),
    };
    crash::point("charge.claimed");
    let said = match networks.of(&charge.network) {
        Ok(network) => network.charge(&request).await,
        Err(_) => Said::NotNow("no such network"),
    };
    crash::point("charge.sent");
    match said {
        Said::Answer(answer) => of_answer(answer),
        Said::NotNow(reason) => Outcome::Failed { reason, counts: false },
        Said::Refused(reason) => Outcome::Failed { reason, counts: true },
        // A no at this moment proves nothing: what was sent may still be on its way.
        Said::Unclear(reason) => match ask(networks, charge).await {
            Ok(Some(answer)) => of_answer(answer),
            Ok(None) | Err(_) => Outcome::Unknown { reason },
        },
    }
}

/// Asks what became of a charge; `None` where its network knows none of that key.
pub(super) async fn ask(networks: &Networks, charge: &Claimed) -> Result<Option<Charge>, Error> {
    networks.of(&charge.network)?.charge_of(&charge.charge_key).await
}

/// What a network's answer means, whether it came by itself or we asked.
pub(super) fn of_answer(answer: Charge) -> Outcome {
    match answer.outcome {
        ChargeStatus::Charged => Outcome::Charged { network_ref: answer.network_ref },
        ChargeStatus::InsufficientFunds => Outcome::Failed { reason: "insufficient funds", counts: true },
        ChargeStatus::Refused => Outcome::Failed { reason: "the network refused it", counts: true },
        ChargeStatus::Unknown => Outcome::Unknown { reason: "the network answered an unknown word" },
    }
}
