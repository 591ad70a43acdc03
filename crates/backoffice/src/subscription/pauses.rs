//! Paused charges, as the subscription service replies.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::publishers::{PublisherBrand, moment};

/// A pause of charges.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct ChargePause {
    /// Only charges of this network; empty: of all that do not charge by themselves.
    pub(crate) network: String,
    /// Only charges of this service; 0: of all.
    pub(crate) svc_id: i32,
    /// Its name.
    pub(crate) service: String,
    pub(crate) reason: String,
    /// Who paused them.
    pub(crate) made_by: String,
    #[serde(deserialize_with = "moment")]
    #[schema(value_type = String, format = "date-time")]
    pub(crate) since: DateTime<Utc>,
    /// Null while it lasts.
    #[serde(default)]
    #[schema(required = true)]
    pub(crate) end: Option<ChargePauseEnd>,
}

/// The end of a pause.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct ChargePauseEnd {
    #[serde(deserialize_with = "moment")]
    #[schema(value_type = String, format = "date-time")]
    pub(crate) at: DateTime<Utc>,
    pub(crate) reason: String,
    /// Who resumed them.
    pub(crate) made_by: String,
}

/// A network, as far as its charges can be paused.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct PausableNetwork {
    pub(crate) network: String,
    /// Its charges cannot be paused here, by no scope.
    pub(crate) charges_by_itself: bool,
}

/// Which charges are paused, and which can be.
#[derive(Deserialize, Serialize, ToSchema)]
pub(crate) struct ChargePauses {
    /// Those that last, oldest first.
    pub(crate) pauses: Vec<ChargePause>,
    /// The last ones that were ended, newest first.
    pub(crate) ended: Vec<ChargePause>,
    pub(crate) networks: Vec<PausableNetwork>,
    pub(crate) services: Vec<PublisherBrand>,
}
