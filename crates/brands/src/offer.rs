//! What a brand sells: a price, how often it is charged, and what is charged in part.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, de::Error};
use toml::Value;

use crate::PRICE_CENTS;

/// A brand's offer.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct Offer {
    /// South African cents, VAT included.
    #[serde(default = "default_price")]
    pub price_cents: i64,
    /// How often that price is charged.
    #[serde(default = "default_period")]
    pub period: Period,
    /// The days from the join on that are free, once for each number: 0 or 1.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub free_days: i32,
    /// What is charged where the airtime does not suffice for the price.
    #[serde(default, skip_serializing_if = "Parts::is_empty")]
    pub parts: Parts,
}

impl Default for Offer {
    fn default() -> Self {
        Self { price_cents: PRICE_CENTS, period: Period::Day, free_days: 0, parts: Parts::default() }
    }
}

impl Offer {
    /// What a page shows of it, as pages send it back with a join: `300.day.0.300,200`, of which the last is empty without parts.
    pub fn shown(&self) -> String {
        format!("{}.{}.{}.{}", self.price_cents, self.period.as_str(), self.free_days, self.parts)
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(days: &i32) -> bool {
    *days == 0
}

/// The amounts of part charges in cents: the price, then one or two smaller ones. Each is tried only after the network had too little airtime
/// for the one before. Empty: the price alone.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, PartialEq, Eq)]
#[serde(try_from = "Vec<i64>", into = "Vec<i64>")]
pub struct Parts([i64; 3]);

impl Parts {
    /// The amounts, the price first.
    pub fn amounts(self) -> impl Iterator<Item = i64> {
        self.0.into_iter().filter(|cents| *cents > 0)
    }

    /// Whether only the price is charged.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 3]
    }

    /// The next smaller amount.
    pub fn after(self, cents: i64) -> Option<i64> {
        self.amounts().find(|amount| *amount < cents)
    }

    /// The amounts of the text that `to_string` makes; none of any other text.
    pub fn parse(text: &str) -> Self {
        let amounts: Option<Vec<i64>> = text.split(',').map(|amount| amount.parse().ok()).collect();
        amounts.and_then(|amounts| Self::try_from(amounts).ok()).unwrap_or_default()
    }
}

impl TryFrom<Vec<i64>> for Parts {
    type Error = String;

    fn try_from(amounts: Vec<i64>) -> Result<Self, String> {
        let is_descending = amounts.iter().zip(amounts.iter().skip(1)).all(|(one, next)| one > next);
        if !is_descending || amounts.iter().any(|cents| *cents <= 0) {
            return Err(format!("parts {amounts:?} are not the price and smaller amounts, such as [300, 200, 100]"));
        }
        match *amounts.as_slice() {
            [] => Ok(Self::default()),
            [price, second] => Ok(Self([price, second, 0])),
            [price, second, third] => Ok(Self([price, second, third])),
            _ => Err(format!("parts {amounts:?} are not two or three amounts")),
        }
    }
}

impl From<Parts> for Vec<i64> {
    fn from(parts: Parts) -> Self {
        parts.amounts().collect()
    }
}

/// As in the tables: `300,200,100`.
impl fmt::Display for Parts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let amounts: Vec<String> = self.amounts().map(|cents| cents.to_string()).collect();
        f.write_str(&amounts.join(","))
    }
}

/// How often a price is charged.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Period {
    /// Each of Johannesburg's calendar days.
    Day,
    /// Seven days.
    Week,
    /// From a day of the month to the same day of the next one.
    Month,
}

impl Period {
    /// The word in tables and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Month => "month",
        }
    }

    /// The period of that word.
    pub fn parse(word: &str) -> Option<Self> {
        [Self::Day, Self::Week, Self::Month].into_iter().find(|period| period.as_str() == word)
    }
}

/// An offer of a brand on one network.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub struct NetworkOffer {
    /// Key of the network.
    pub network: String,
    /// South African cents, VAT included.
    #[serde(default = "default_price")]
    pub price_cents: i64,
    /// How often that price is charged.
    #[serde(default = "default_period")]
    pub period: Period,
    /// The days from the join on that are free, once for each number: 0 or 1.
    #[serde(default)]
    pub free_days: i32,
    /// What is charged where the airtime does not suffice for the price.
    #[serde(default)]
    pub parts: Parts,
}

impl NetworkOffer {
    /// An offer on a network.
    pub fn new(network: String, offer: Offer) -> Self {
        let Offer { price_cents, period, free_days, parts } = offer;
        Self { network, price_cents, period, free_days, parts }
    }

    /// What it is without its network.
    pub fn offer(&self) -> Offer {
        let Self { price_cents, period, free_days, parts, .. } = *self;
        Offer { price_cents, period, free_days, parts }
    }
}

const fn default_price() -> i64 {
    PRICE_CENTS
}

const fn default_period() -> Period {
    Period::Day
}

/// The key `offer`: one offer of a brand with one network (`[brand.offer]`), or one for each of its networks (`[[brand.offer]]`).
#[derive(Clone, Debug)]
pub(crate) enum OfferEntry {
    One(Offer),
    Each(Vec<NetworkOffer>),
}

/// By its form, so that a fault is that of the key and not "no variant".
impl<'de> Deserialize<'de> for OfferEntry {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let fault = |error: toml::de::Error| D::Error::custom(format!("offer: {}", error.message()));
        match Value::deserialize(deserializer)? {
            Value::Array(entries) => Value::Array(entries).try_into().map(Self::Each).map_err(fault),
            entry => entry.try_into().map(Self::One).map_err(fault),
        }
    }
}

impl Default for OfferEntry {
    fn default() -> Self {
        Self::One(Offer::default())
    }
}
