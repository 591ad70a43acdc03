//! One entry of `brands.toml`: what a brand is, and the network that bills it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What a brand shows, and so which service answers for it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Comedians and their videos.
    Comedy,
    /// Footballers and their videos.
    Diski,
    /// Memes by category.
    Meme,
    /// Video on demand.
    Tt,
}

/// The shape of a mobile network's billing.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// We ask for each day's charge under a key of our choosing.
    Pull,
    /// The network charges by itself and tells us.
    Push,
}

/// A mobile network a brand can be billed through.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// Who charges: we ask, or the network does it by itself.
    pub shape: Shape,
    /// Base URL of the network's API; absent means the operator sandbox (`OPERATOR_URL`).
    pub url: Option<String>,
    /// Which of the subscription service's adapters speaks to it.
    #[serde(default = "usual_adapter")]
    pub adapter: String,
}

/// The contract's own API, which the operator sandbox speaks too.
fn usual_adapter() -> String {
    "rest".to_owned()
}

/// One brand: a service people subscribe to, under one or more host labels.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Brand {
    /// Host labels that show this brand; the first is the one addresses are built with.
    pub labels: Vec<String>,
    /// Whole host names that show this brand too, whatever their first label: `www.racedaytv.co.za`.
    #[serde(default, skip_serializing)]
    pub domains: Vec<String>,
    /// Which kind of site it is.
    pub kind: Kind,
    /// The service's name as API calls carry it.
    pub service: String,
    /// Other names API calls may use for the same service; matched without regard to case or surrounding blanks.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The number networks know the service by.
    pub svc_id: i32,
    /// Key of the network that bills it.
    pub network: String,
    /// The name people read.
    pub name: String,
    /// Path of the join form.
    pub join: String,
    /// Path of the home page of an active subscriber.
    pub home: String,
    /// Telephone number people call for help.
    pub helpline: String,
    /// E-mail address people write to for help.
    pub support_email: String,
    /// Own public address instead of the family's `public_url`, with the same placeholders.
    #[serde(default, skip_serializing)]
    pub public_url: Option<String>,
    /// Colours, by token name; handed to the front end as they are.
    #[serde(default)]
    pub theme: BTreeMap<String, String>,
    /// Texts that differ between brands of one kind; handed to the front end as they are.
    #[serde(default)]
    pub copy: BTreeMap<String, String>,
}

impl Brand {
    /// The label addresses are built with.
    pub fn label(&self) -> &str {
        self.labels.first().map_or("", String::as_str)
    }

    /// Whether `name` means this brand's service: its name, an alias or a label, case and surrounding blanks aside.
    pub fn answers_to(&self, name: &str) -> bool {
        let name = name.trim();
        std::iter::once(&self.service)
            .chain(&self.aliases)
            .chain(&self.labels)
            .any(|known| known.eq_ignore_ascii_case(name))
    }

    /// The first folder of the brand's media addresses: its service name in lower case, without blanks.
    pub fn media_folder(&self) -> String {
        self.service.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase()
    }
}
