//! One entry of `brands.toml`: what a brand is.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::offer::{NetworkOffer, Offer, OfferEntry};

/// The kind of a brand's site, which determines its service.
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

/// One brand: a service people subscribe to, under one or more host labels.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Brand {
    /// Host labels that show this brand; the first is the one addresses are built with.
    pub labels: Vec<String>,
    /// Whole host names that show this brand too, whatever their first label: `www.racedaytv.co.za`.
    #[serde(default, skip_serializing)]
    pub domains: Vec<String>,
    /// The kind of site.
    pub kind: Kind,
    /// The service's name as API calls carry it.
    pub service: String,
    /// Other names API calls may use for the same service; matched without regard to case or surrounding blanks.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The number networks know the service by.
    pub svc_id: i32,
    /// Key of its network; of several the one of numbers that belong to none of the others. Absent: their visitors choose, and this is the
    /// first.
    #[serde(default)]
    pub network: String,
    /// Whether the entry names `network`.
    #[serde(skip)]
    pub has_default_network: bool,
    /// The offer on that network; the default is R3 a day.
    #[serde(skip_deserializing)]
    pub offer: Offer,
    /// The offer on each of its networks, at least one.
    #[serde(skip)]
    pub offers: Vec<NetworkOffer>,
    #[serde(default, rename(deserialize = "offer"), skip_serializing)]
    pub(crate) offer_entry: OfferEntry,
    /// The name people read.
    pub name: String,
    /// Path of the join form.
    pub join: String,
    /// Path of the home page of an active subscriber.
    pub home: String,
    /// Short codes that belong to this brand alone: an SMS to one of them is about its service.
    #[serde(default, skip_serializing)]
    pub short_codes: Vec<String>,
    /// Telephone number people call for help.
    pub helpline: String,
    /// E-mail address people write to for help.
    pub support_email: String,
    /// The code of its pages' language for visitors whose browser accepts none of the front end's languages; English if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub language: Option<String>,
    /// Own public address instead of the family's `public_url`, with the same placeholders.
    #[serde(default, skip_serializing)]
    pub public_url: Option<String>,
    /// Colours, by token name; handed to the front end as they are.
    #[serde(default)]
    pub theme: BTreeMap<String, String>,
    /// Texts that differ between brands of one kind; `tagline.zu` is the translation of `tagline` into isiZulu.
    #[serde(default)]
    pub copy: BTreeMap<String, String>,
}

impl Brand {
    /// The label addresses are built with.
    pub fn label(&self) -> &str {
        self.labels.first().map_or("", String::as_str)
    }

    /// Its own texts in a language, each in the words of the file where it has no translation.
    pub fn copy_in(&self, language: &str) -> BTreeMap<&str, &str> {
        let whole =
            self.copy.iter().filter(|(key, _)| !key.contains('.')).map(|(key, text)| (key.as_str(), text.as_str()));
        let translated = self.copy.iter().filter_map(|(key, text)| {
            let (key, code) = key.split_once('.')?;
            (code == language).then_some((key, text.as_str()))
        });
        whole.chain(translated).collect()
    }

    /// Its offer on a network; `None` where it is not sold there.
    pub fn offer_on(&self, network: &str) -> Option<&NetworkOffer> {
        self.offers.iter().find(|offer| offer.network == network)
    }

    /// Fills in its offers from the entry's keys.
    pub(crate) fn resolve_offers(mut self) -> Self {
        self.offers = match std::mem::take(&mut self.offer_entry) {
            OfferEntry::One(offer) => vec![NetworkOffer::new(self.network.clone(), offer)],
            OfferEntry::Each(offers) => offers,
        };
        self.has_default_network = !self.network.is_empty();
        if self.network.is_empty() {
            self.network = self.offers.first().map(|offer| offer.network.clone()).unwrap_or_default();
        }
        self.offer = self.offer_on(&self.network).map(NetworkOffer::offer).unwrap_or_default();
        self
    }

    /// Whether `name` is the service's name, an alias or a label, ignoring case and surrounding blanks.
    pub fn has_name(&self, name: &str) -> bool {
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
