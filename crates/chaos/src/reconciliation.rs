//! Compares the network's charges and refunds with the ledger's, day by day.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use serde_json::Value;

use crate::{run::Run, subscriber::Subscriber};

/// A charge of a day: number, service, cents.
type Charge = (String, i64, i64);

/// Refunded numbers with their services: a push network may charge after a subscriber has left, until it hears of it, if the charge is
/// refunded.
type Refunded = BTreeSet<(String, i64)>;

/// Charges and refunds of one day, by the network and by the ledger.
#[derive(Default)]
pub(crate) struct DayCharges {
    charged: Vec<Charge>,
    settled: Vec<Charge>,
    /// Rows of the ledger that are neither settled nor failed.
    open: Vec<String>,
    refunded: Refunded,
    /// Keys of refunds: the network's, the ledger's.
    refunds: [Vec<String>; 2],
}

impl DayCharges {
    /// Reads both.
    pub async fn read(run: &Run, day: NaiveDate) -> anyhow::Result<Self> {
        let network = run.family.network.url();
        let services = run.family.internal_url("subscription");
        let mut read = Self::default();
        let charges: Value =
            serde_json::from_str(&run.get_as_admin(&format!("{network}/charges?day={day}&limit=10000")).await?)?;
        let refunds: Value = serde_json::from_str(&run.get_as_admin(&format!("{network}/refunds?day={day}")).await?)?;
        read.charged = charges.as_array().into_iter().flatten().filter_map(parse_charge).collect();
        for refund in refunds.as_array().into_iter().flatten() {
            read.refunded.extend(parse_charge(refund).map(|(msisdn, svc_id, _)| (msisdn, svc_id)));
            read.refunds[0].extend(refund.get("key").and_then(Value::as_str).map(str::to_owned));
        }
        read.add_ledger(&run.get_as_admin(&format!("{services}/internal/ledger?day={day}")).await?)?;
        Ok(read)
    }

    /// Reads lines of `id,subscription_id,msisdn,svc_id,day,kind,cents,status,key,network_ref,at`.
    fn add_ledger(&mut self, csv: &str) -> anyhow::Result<()> {
        for line in csv.lines().skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            let [_, _, msisdn, svc_id, _, kind, cents, status, key, ..] = *fields else {
                anyhow::bail!("cannot read this line of the ledger: {line:?}");
            };
            match (kind, status) {
                ("charge", "settled") => self.settled.push((msisdn.to_owned(), svc_id.parse()?, cents.parse()?)),
                ("refund", "settled") => self.refunds[1].push(key.to_owned()),
                (_, "failed") => {}
                _ => self.open.push(line.to_owned()),
            }
        }
        Ok(())
    }

    /// How many charges the network has made.
    pub fn charges(&self) -> usize {
        self.charged.len()
    }

    /// Every difference between network and ledger.
    pub fn disagreements(&self, day: NaiveDate) -> Vec<String> {
        let mut found: Vec<String> = self.open.iter().map(|line| format!("{day}: still open: {line}")).collect();
        for (what, list) in [("charged by the network", &self.charged), ("settled in the ledger", &self.settled)] {
            let mut days: BTreeMap<(&str, i64), usize> = BTreeMap::new();
            for (msisdn, svc_id, _) in list {
                *days.entry((msisdn, *svc_id)).or_default() += 1;
            }
            let twice = days.into_iter().filter(|(_, times)| *times > 1);
            found.extend(twice.map(|(number, times)| format!("{day}: {what} {times} times: {number:?}")));
        }
        let mut balance: BTreeMap<&Charge, i64> = BTreeMap::new();
        self.charged.iter().for_each(|charge| *balance.entry(charge).or_default() += 1);
        self.settled.iter().for_each(|charge| *balance.entry(charge).or_default() -= 1);
        found.extend(balance.into_iter().filter(|(_, difference)| *difference != 0).map(|(charge, difference)| {
            let what = if difference > 0 { "charged and not in the ledger" } else { "in the ledger and never charged" };
            format!("{day}: {what}: {charge:?}")
        }));
        found
    }

    /// Differences of the refunds of all days: the network lists them by the day of their charge, the ledger by the day they were made.
    pub fn refund_disagreements<'a>(days: impl Iterator<Item = &'a Self>) -> Vec<String> {
        let mut balance: BTreeMap<&str, i64> = BTreeMap::new();
        for day in days {
            let [network, ledger] = &day.refunds;
            network.iter().for_each(|key| *balance.entry(key).or_default() += 1);
            ledger.iter().for_each(|key| *balance.entry(key).or_default() -= 1);
        }
        let differing = balance.into_iter().filter(|(_, difference)| *difference != 0);
        differing
            .map(|(key, difference)| format!("refund {key}: {difference} more at the network than in the ledger"))
            .collect()
    }

    /// Charged numbers that belong to no subscriber of the run.
    pub fn unknown_numbers(&self, subscribers: &[Subscriber]) -> Vec<String> {
        let known: BTreeSet<(&str, i64)> = subscribers
            .iter()
            .map(|subscriber| (subscriber.msisdn.as_str(), i64::from(subscriber.site.svc_id)))
            .collect();
        let unknown_numbers =
            self.charged.iter().filter(|(msisdn, svc_id, _)| !known.contains(&(msisdn.as_str(), *svc_id)));
        unknown_numbers.map(|(msisdn, svc_id, _)| format!("{msisdn} at {svc_id}")).collect()
    }

    /// Whether a subscriber was charged for the day, refunded or not: a charge that was under way as the subscriber left is refunded, and
    /// joining again on that day is not charged again.
    pub fn has_charge_of(&self, subscriber: &Subscriber) -> bool {
        let svc_id = i64::from(subscriber.site.svc_id);
        self.charged.iter().any(|(msisdn, service, _)| *msisdn == subscriber.msisdn && *service == svc_id)
    }

    /// Whether a subscriber was charged without a refund.
    pub fn charged_without_refund(&self, subscriber: &Subscriber) -> bool {
        let number = (subscriber.msisdn.clone(), i64::from(subscriber.site.svc_id));
        let charged = self.charged.iter().any(|(msisdn, svc_id, _)| (msisdn, svc_id) == (&number.0, &number.1));
        charged && !self.refunded.contains(&number)
    }
}

fn parse_charge(line: &Value) -> Option<Charge> {
    let number = |name: &str| line.get(name).and_then(Value::as_i64);
    Some((line.get("msisdn")?.as_str()?.to_owned(), number("svc_id")?, number("cents")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "id,subscription_id,msisdn,svc_id,day,kind,cents,status,key,network_ref,at\n";

    fn day(charged: &[Charge], lines: &str) -> Vec<String> {
        let mut day = DayCharges { charged: charged.to_vec(), ..DayCharges::default() };
        day.add_ledger(&format!("{HEADER}{lines}")).unwrap();
        day.disagreements("2026-12-01".parse().unwrap())
    }

    #[test]
    fn disagreements_name_every_difference() {
        let charge = |msisdn: &str| (msisdn.to_owned(), 150, 300);
        let line = |msisdn: &str, status: &str| {
            format!("1,1,{msisdn},150,2026-12-01,charge,300,{status},k,,2026-12-01 04:00:00\n")
        };
        assert_eq!(day(&[charge("27830001000")], &line("27830001000", "settled")), Vec::<String>::new());
        assert_eq!(day(&[], &line("27830001000", "failed")), Vec::<String>::new());
        for (charged, lines, found) in [
            (vec![charge("27830001000")], String::new(), "charged and not in the ledger"),
            (vec![], line("27830001000", "settled"), "in the ledger and never charged"),
            (vec![], line("27830001000", "unknown"), "still open"),
            (
                vec![charge("27830001000"), charge("27830001000")],
                line("27830001000", "settled").repeat(2),
                "charged by the network 2 times",
            ),
        ] {
            let differences = day(&charged, &lines);
            assert!(differences.iter().any(|line| line.contains(found)), "{found}: {differences:?}");
        }
    }

    #[test]
    fn refund_disagreements_compares_all_days() {
        let refund = format!("{HEADER}1,1,2783,150,2026-12-02,refund,300,settled,refund-k,,x\n");
        let [mut charged, mut refunds] = [DayCharges::default(), DayCharges::default()];
        refunds.add_ledger(&refund).unwrap();
        let differences = DayCharges::refund_disagreements([&charged, &refunds].into_iter());
        assert_eq!(differences, ["refund refund-k: -1 more at the network than in the ledger"]);
        charged.refunds[0].push("refund-k".to_owned());
        assert_eq!(DayCharges::refund_disagreements([&charged, &refunds].into_iter()), Vec::<String>::new());
    }
}
