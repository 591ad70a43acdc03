//! The books: what the network has really charged and given back, day by day, beside what our ledger says of it.

use std::collections::{BTreeMap, BTreeSet};

use chrono::NaiveDate;
use serde_json::Value;

use crate::{person::Person, world::World};

/// Somebody's day: number, service, cents.
type Paid = (String, i64, i64);

/// Brands whose network charges by itself may do so until it hears that somebody has left, if it gives that back.
type Returned = BTreeSet<(String, i64)>;

/// What the network and the ledger say of one day.
#[derive(Default)]
pub(crate) struct Day {
    charged: Vec<Paid>,
    settled: Vec<Paid>,
    /// Rows of the ledger that are neither settled nor failed.
    open: Vec<String>,
    returned: Returned,
    /// Refunds by their keys: at the network, in the ledger.
    given_back: [Vec<String>; 2],
}

impl Day {
    /// Reads both.
    pub async fn read(world: &World, day: NaiveDate) -> anyhow::Result<Self> {
        let network = world.family.network.url();
        let services = world.family.operators_url("subscription");
        let mut read = Self::default();
        let charges: Value =
            serde_json::from_str(&world.read(&format!("{network}/charges?day={day}&limit=10000")).await?)?;
        let refunds: Value = serde_json::from_str(&world.read(&format!("{network}/refunds?day={day}")).await?)?;
        read.charged = charges.as_array().into_iter().flatten().filter_map(paid).collect();
        for refund in refunds.as_array().into_iter().flatten() {
            read.returned.extend(paid(refund).map(|(msisdn, svc_id, _)| (msisdn, svc_id)));
            read.given_back[0].extend(refund.get("key").and_then(Value::as_str).map(str::to_owned));
        }
        read.take_ledger(&world.read(&format!("{services}/internal/ledger?day={day}")).await?)?;
        Ok(read)
    }

    /// Lines of `id,subscription_id,msisdn,svc_id,day,kind,cents,status,key,network_ref,at`.
    fn take_ledger(&mut self, csv: &str) -> anyhow::Result<()> {
        for line in csv.lines().skip(1) {
            let fields: Vec<&str> = line.split(',').collect();
            let [_, _, msisdn, svc_id, _, kind, cents, status, key, ..] = *fields else {
                anyhow::bail!("a line of the ledger: {line:?}");
            };
            match (kind, status) {
                ("charge", "settled") => self.settled.push((msisdn.to_owned(), svc_id.parse()?, cents.parse()?)),
                ("refund", "settled") => self.given_back[1].push(key.to_owned()),
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

    /// How the two disagree, in words.
    pub fn disagreements(&self, day: NaiveDate) -> Vec<String> {
        let mut found: Vec<String> = self.open.iter().map(|line| format!("{day}: still open: {line}")).collect();
        for (what, list) in [("charged by the network", &self.charged), ("settled in the ledger", &self.settled)] {
            let mut days: BTreeMap<(&str, i64), usize> = BTreeMap::new();
            for (msisdn, svc_id, _) in list {
                *days.entry((msisdn, *svc_id)).or_default() += 1;
            }
            let twice = days.into_iter().filter(|(_, times)| *times > 1);
            found.extend(twice.map(|(whose, times)| format!("{day}: {what} {times} times: {whose:?}")));
        }
        let mut balance: BTreeMap<&Paid, i64> = BTreeMap::new();
        self.charged.iter().for_each(|paid| *balance.entry(paid).or_default() += 1);
        self.settled.iter().for_each(|paid| *balance.entry(paid).or_default() -= 1);
        found.extend(balance.into_iter().filter(|(_, difference)| *difference != 0).map(|(paid, difference)| {
            let what = if difference > 0 { "charged and not in the ledger" } else { "in the ledger and never charged" };
            format!("{day}: {what}: {paid:?}")
        }));
        found
    }

    /// How the refunds of all days disagree: the network lists them by the day of their charge, the ledger by the day they were made.
    pub fn refund_disagreements<'a>(days: impl Iterator<Item = &'a Self>) -> Vec<String> {
        let mut balance: BTreeMap<&str, i64> = BTreeMap::new();
        for day in days {
            let [network, ledger] = &day.given_back;
            network.iter().for_each(|key| *balance.entry(key).or_default() += 1);
            ledger.iter().for_each(|key| *balance.entry(key).or_default() -= 1);
        }
        let differing = balance.into_iter().filter(|(_, difference)| *difference != 0);
        differing
            .map(|(key, difference)| format!("refund {key}: {difference} more at the network than in the ledger"))
            .collect()
    }

    /// Numbers that paid and that nobody of ours has.
    pub fn strangers(&self, people: &[Person]) -> Vec<String> {
        let known: BTreeSet<(&str, i64)> =
            people.iter().map(|person| (person.msisdn.as_str(), i64::from(person.site.svc_id))).collect();
        let strangers = self.charged.iter().filter(|(msisdn, svc_id, _)| !known.contains(&(msisdn.as_str(), *svc_id)));
        strangers.map(|(msisdn, svc_id, _)| format!("{msisdn} at {svc_id}")).collect()
    }

    /// Whether the day of a person has its charge, given back or not: who leaves while it is on its way gets it back, and does not
    /// pay that day again by joining once more.
    pub fn has_charge_of(&self, person: &Person) -> bool {
        let svc_id = i64::from(person.site.svc_id);
        self.charged.iter().any(|(msisdn, service, _)| *msisdn == person.msisdn && *service == svc_id)
    }

    /// Whether a person was charged, and did not get it back.
    pub fn took_from(&self, person: &Person) -> bool {
        let whose = (person.msisdn.clone(), i64::from(person.site.svc_id));
        let charged = self.charged.iter().any(|(msisdn, svc_id, _)| (msisdn, svc_id) == (&whose.0, &whose.1));
        charged && !self.returned.contains(&whose)
    }
}

fn paid(line: &Value) -> Option<Paid> {
    let number = |name: &str| line.get(name).and_then(Value::as_i64);
    Some((line.get("msisdn")?.as_str()?.to_owned(), number("svc_id")?, number("cents")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "id,subscription_id,msisdn,svc_id,day,kind,cents,status,key,network_ref,at\n";

    fn day(charged: &[Paid], lines: &str) -> Vec<String> {
        let mut day = Day { charged: charged.to_vec(), ..Day::default() };
        day.take_ledger(&format!("{HEAD}{lines}")).unwrap();
        day.disagreements("2026-12-01".parse().unwrap())
    }

    #[test]
    fn every_disagreement_is_found() {
        let paid = |msisdn: &str| (msisdn.to_owned(), 150, 300);
        let line = |msisdn: &str, status: &str| {
            format!("1,1,{msisdn},150,2026-12-01,charge,300,{status},k,,2026-12-01 04:00:00\n")
        };
        assert_eq!(day(&[paid("27830001000")], &line("27830001000", "settled")), Vec::<String>::new());
        assert_eq!(day(&[], &line("27830001000", "failed")), Vec::<String>::new());
        for (charged, lines, found) in [
            (vec![paid("27830001000")], String::new(), "charged and not in the ledger"),
            (vec![], line("27830001000", "settled"), "in the ledger and never charged"),
            (vec![], line("27830001000", "unknown"), "still open"),
            (
                vec![paid("27830001000"), paid("27830001000")],
                line("27830001000", "settled").repeat(2),
                "charged by the network 2 times",
            ),
        ] {
            let told = day(&charged, &lines);
            assert!(told.iter().any(|told| told.contains(found)), "{found}: {told:?}");
        }
    }

    #[test]
    fn a_refund_is_looked_for_on_every_day() {
        let refund = format!("{HEAD}1,1,2783,150,2026-12-02,refund,300,settled,refund-k,,x\n");
        let [mut charged, mut given_back] = [Day::default(), Day::default()];
        given_back.take_ledger(&refund).unwrap();
        let told = Day::refund_disagreements([&charged, &given_back].into_iter());
        assert_eq!(told, ["refund refund-k: -1 more at the network than in the ledger"]);
        charged.given_back[0].push("refund-k".to_owned());
        assert_eq!(Day::refund_disagreements([&charged, &given_back].into_iter()), Vec::<String>::new());
    }
}
