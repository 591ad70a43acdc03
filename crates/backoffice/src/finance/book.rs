//! What a book consists of: lines of a day, brand, network and price, and how they are computed and added up. No input or output.
//!
//! Rounding: each day's line is rounded by itself, and never again; months and totals are sums of lines. The income (charged less given back)
//! contains VAT, which is rounded to the nearest cent, half a cent away from zero; net is the rest. Net is divided among the parties by
//! largest remainder, so that the shares and our own part are net to the cent.

use std::{collections::BTreeMap, ops::AddAssign};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    finance::terms::Terms,
    subscription::{DaySum, Sum},
};

/// The whole, in hundredths of a percent.
pub(super) const WHOLE: i64 = 10_000;

impl Sum {
    fn less(self, other: Self) -> Self {
        Self { entries: self.entries - other.entries, cents: self.cents - other.cents }
    }
}

/// A party's part of the net income.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Share {
    pub(super) party: String,
    pub(super) cents: i64,
}

/// The money of a line, or of several.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Figures {
    pub(super) charged: Sum,
    pub(super) failed: Sum,
    pub(super) given_back: Sum,
    /// Charges and refunds whose outcome is not known yet; no part of the income.
    pub(super) open: Sum,
    /// Charged less given back, with VAT.
    pub(super) income_cents: i64,
    pub(super) vat_cents: i64,
    /// The income without VAT.
    pub(super) net_cents: i64,
    /// Of net, by contract.
    pub(super) shares: Vec<Share>,
    /// What remains of net.
    pub(super) own_cents: i64,
}

/// A line of a book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub(crate) struct Line {
    /// Johannesburg's calendar day; empty in sums of a month.
    pub(super) day: String,
    pub(super) svc_id: i32,
    pub(super) service: String,
    pub(super) network: String,
    pub(super) price_cents: i64,
    /// The closed month in which the ledger changed afterwards; null for the month's own lines.
    #[schema(required = true)]
    pub(super) correction_of: Option<String>,
    #[serde(flatten)]
    pub(super) figures: Figures,
}

/// The values that name a line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct LineKey {
    pub(super) day: String,
    pub(super) svc_id: i32,
    pub(super) network: String,
    pub(super) price_cents: i64,
}

/// What was counted in the ledger for a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct Counted {
    pub(super) charged: Sum,
    pub(super) failed: Sum,
    pub(super) given_back: Sum,
}

impl AddAssign for Counted {
    fn add_assign(&mut self, other: Self) {
        self.charged += other.charged;
        self.failed += other.failed;
        self.given_back += other.given_back;
    }
}

impl Counted {
    pub(super) fn less(self, other: Self) -> Self {
        Self {
            charged: self.charged.less(other.charged),
            failed: self.failed.less(other.failed),
            given_back: self.given_back.less(other.given_back),
        }
    }
}

impl DaySum {
    pub(super) fn key(&self) -> LineKey {
        let (svc_id, network, price_cents) = (self.svc_id, self.network.clone(), self.price_cents);
        LineKey { day: self.day.to_string(), svc_id, network, price_cents }
    }

    pub(super) fn counted(&self) -> Counted {
        Counted { charged: self.charged, failed: self.failed, given_back: self.given_back }
    }
}

impl Figures {
    fn of(counted: Counted, open: Sum, vat_basis_points: i64, parties: &[(String, i64)]) -> Self {
        let income_cents = counted.charged.cents - counted.given_back.cents;
        let vat_cents = included(income_cents, vat_basis_points);
        let net_cents = income_cents - vat_cents;
        let (shares, own_cents) = divide(net_cents, parties);
        let shares = parties.iter().zip(shares).map(|((party, _), cents)| Share { party: party.clone(), cents });
        let Counted { charged, failed, given_back } = counted;
        let shares = shares.collect();
        Self { charged, failed, given_back, open, income_cents, vat_cents, net_cents, shares, own_cents }
    }

    /// The sum of several, with the parties in the order of their names.
    pub(super) fn total<'a>(all: impl IntoIterator<Item = &'a Self>) -> Self {
        let (mut total, mut shares) = (Self::default(), BTreeMap::<&str, i64>::new());
        for figures in all {
            total.charged += figures.charged;
            total.failed += figures.failed;
            total.given_back += figures.given_back;
            total.open += figures.open;
            total.income_cents += figures.income_cents;
            total.vat_cents += figures.vat_cents;
            total.net_cents += figures.net_cents;
            total.own_cents += figures.own_cents;
            for share in &figures.shares {
                *shares.entry(&share.party).or_default() += share.cents;
            }
        }
        total.shares = shares.into_iter().map(|(party, cents)| Share { party: party.to_owned(), cents }).collect();
        total
    }
}

impl Line {
    /// The line of a day's sum.
    pub(super) fn of(sum: &DaySum, terms: &Terms) -> Self {
        Self::new(sum.key(), &sum.service, sum.counted(), sum.open, None, terms)
    }

    /// What has to be added to a closed month, which goes into an open one.
    pub(super) fn correction(key: LineKey, service: &str, by: Counted, month: &str, terms: &Terms) -> Self {
        Self::new(key, service, by, Sum::default(), Some(month.to_owned()), terms)
    }

    fn new(
        LineKey { day, svc_id, network, price_cents }: LineKey,
        service: &str,
        counted: Counted,
        open: Sum,
        correction_of: Option<String>,
        terms: &Terms,
    ) -> Self {
        let parties = terms.parties_on(&day, &network, svc_id);
        let figures = Figures::of(counted, open, terms.vat_on(&day), &parties);
        Self { day, svc_id, service: service.to_owned(), network, price_cents, correction_of, figures }
    }

    pub(super) fn key(&self) -> LineKey {
        let (svc_id, network, price_cents) = (self.svc_id, self.network.clone(), self.price_cents);
        LineKey { day: self.day.clone(), svc_id, network, price_cents }
    }

    pub(super) fn counted(&self) -> Counted {
        let Figures { charged, failed, given_back, .. } = self.figures;
        Counted { charged, failed, given_back }
    }
}

/// The lines of days, added up by brand, network, price and corrected month.
pub(super) fn by_month(days: &[Line]) -> Vec<Line> {
    let mut groups: BTreeMap<_, Vec<&Line>> = BTreeMap::new();
    for line in days {
        let key = (&line.correction_of, &line.service, line.svc_id, &line.network, line.price_cents);
        groups.entry(key).or_default().push(line);
    }
    let sums = groups.into_iter().map(|((correction_of, service, svc_id, network, price_cents), lines)| Line {
        day: String::new(),
        svc_id,
        service: service.clone(),
        network: network.clone(),
        price_cents,
        correction_of: correction_of.clone(),
        figures: Figures::total(lines.iter().map(|line| &line.figures)),
    });
    sums.collect()
}

/// The VAT that an amount contains, to the nearest cent, half a cent away from zero.
fn included(cents: i64, basis_points: i64) -> i64 {
    let (part, whole) = (i128::from(cents.abs()) * i128::from(basis_points), i128::from(WHOLE + basis_points));
    let rounded = i64::try_from((2 * part + whole) / (2 * whole)).unwrap_or(i64::MAX);
    rounded * cents.signum()
}

/// Divides an amount by largest remainder: the parts, and the rest. Of equal remainders the earlier part gets the cent, the rest last.
fn divide(cents: i64, parties: &[(String, i64)]) -> (Vec<i64>, i64) {
    let own = WHOLE - parties.iter().map(|(_, basis_points)| basis_points).sum::<i64>();
    let weights = parties.iter().map(|(_, basis_points)| *basis_points).chain([own]);
    let (amount, whole) = (i128::from(cents.abs()), i128::from(WHOLE));
    let mut parts: Vec<(i128, i128)> = weights
        .map(|weight| {
            let product = amount * i128::from(weight);
            (product / whole, product % whole)
        })
        .collect();
    let missing = amount - parts.iter().map(|(part, _)| part).sum::<i128>();
    let mut by_remainder: Vec<&mut (i128, i128)> = parts.iter_mut().collect();
    by_remainder.sort_by_key(|(_, remainder)| std::cmp::Reverse(*remainder));
    for (part, _) in by_remainder.into_iter().take(usize::try_from(missing).unwrap_or_default()) {
        *part += 1;
    }
    let mut parts: Vec<i64> =
        parts.into_iter().map(|(part, _)| i64::try_from(part).unwrap_or(i64::MAX) * cents.signum()).collect();
    let own = parts.pop().unwrap_or_default();
    (parts, own)
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng, rngs::StdRng};

    use super::*;

    fn parties(basis_points: &[i64]) -> Vec<(String, i64)> {
        basis_points.iter().enumerate().map(|(at, part)| (format!("party {at}"), *part)).collect()
    }

    #[test]
    fn vat_of_15_percent_is_in_the_price() {
        for (cents, vat) in
            [(300, 39), (-300, -39), (0, 0), (115, 15), (1, 0), (4, 1), (-4, -1), (30_000_000, 3_913_043)]
        {
            assert_eq!(included(cents, 1500), vat, "{cents}");
        }
        assert_eq!(included(300, 0), 0);
    }

    #[test]
    fn divide_gives_odd_cents_by_largest_remainder() {
        assert_eq!(divide(261, &parties(&[5000, 1000])), (vec![131, 26], 104));
        assert_eq!(divide(-261, &parties(&[5000, 1000])), (vec![-131, -26], -104));
        assert_eq!(divide(1, &parties(&[5000])), (vec![1], 0));
        assert_eq!(divide(100, &parties(&[])), (vec![], 100));
        assert_eq!(divide(7, &parties(&[10_000])), (vec![7], 0));
    }

    #[test]
    fn parts_always_sum_to_the_whole() {
        let mut random = StdRng::seed_from_u64(15);
        for _ in 0..20_000 {
            let mut left = WHOLE;
            let shares: Vec<i64> = (0..random.random_range(0..6))
                .map(|_| {
                    let share = random.random_range(0..=left);
                    left -= share;
                    share
                })
                .collect();
            let sum = |cents: i64| Sum { entries: 1, cents };
            let most = 10_i64.pow(random.random_range(1..13));
            let counted = Counted {
                charged: sum(random.random_range(0..most)),
                failed: sum(random.random_range(0..most)),
                given_back: sum(random.random_range(0..most)),
            };
            let figures = Figures::of(counted, sum(1), random.random_range(0..3000), &parties(&shares));
            let given: i64 = figures.shares.iter().map(|share| share.cents).sum();
            assert_eq!(figures.net_cents, given + figures.own_cents, "{figures:?}");
            assert_eq!(figures.income_cents, figures.net_cents + figures.vat_cents, "{figures:?}");
            assert_eq!(figures.income_cents, counted.charged.cents - counted.given_back.cents);
            // Each part is its exact amount, less than a cent off.
            for (share, basis_points) in figures.shares.iter().zip(&shares) {
                let off = i128::from(share.cents) * 10_000 - i128::from(figures.net_cents) * i128::from(*basis_points);
                assert!(off.abs() < 10_000, "{basis_points} of {figures:?}");
            }
            let twice = Figures::total([&figures, &figures]);
            assert_eq!(twice.net_cents, 2 * figures.net_cents);
            assert_eq!(twice.net_cents, twice.own_cents + twice.shares.iter().map(|share| share.cents).sum::<i64>());
        }
    }
}
