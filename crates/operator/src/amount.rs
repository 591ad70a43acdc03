//! Amounts, as networks write them: in cents, or in rand.

use serde::{Deserialize, Serialize};

use crate::lenient;

/// The amount of a billing event, in its original spelling.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Amount(#[serde(serialize_with = "lenient::as_number", deserialize_with = "lenient::text")] String);

/// A number with at most two decimals, zeros after them apart, as hundredths.
struct Written {
    hundredths: i64,
    has_decimals: bool,
    /// Whether the text names rand.
    is_rand: bool,
}

impl Written {
    fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let text = text.strip_prefix('+').unwrap_or(text);
        let named = ["ZAR", "zar", "R", "r"].iter().find_map(|unit| text.strip_prefix(unit));
        let (number, is_rand) = (named.unwrap_or(text).trim(), named.is_some());
        // A comma before the last one or two digits begins the cents, as South Africans write them.
        let number = match number.rsplit_once(',') {
            Some((rand, cents)) if cents.len() <= 2 && !rand.contains(['.', ',']) => format!("{rand}.{cents}"),
            _ => number.to_owned(),
        };
        let (whole, fraction) = number.split_once('.').unwrap_or((&number, ""));
        let has_decimals = number.len() > whole.len();
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        let cents = fraction.trim_end_matches('0');
        if !is_number(whole) || (has_decimals && !is_number(fraction)) || cents.len() > 2 {
            return None;
        }
        let whole: i64 = whole.parse().ok()?;
        let cents: i64 = format!("{cents:0<2}").parse().ok()?;
        Some(Self { hundredths: whole.checked_mul(100)?.checked_add(cents)?, has_decimals, is_rand })
    }

    /// As an amount of cents; `None` where it has a part of a cent.
    fn as_cents(&self) -> Option<i64> {
        (!self.is_rand && self.hundredths % 100 == 0).then_some(self.hundredths / 100)
    }
}

impl Amount {
    /// An amount of cents.
    pub fn of_cents(cents: i64) -> Self {
        Self(cents.to_string())
    }

    /// Whether it equals this many cents: `300`, `300.0` and `300.00` are cents, `3.0`, `3.00` and `R3` can only be rand.
    pub fn is_cents(&self, cents: i64) -> bool {
        let Some(written) = Written::read(&self.0) else { return false };
        let is_in_rand = written.has_decimals || written.is_rand;
        written.as_cents() == Some(cents) || (is_in_rand && written.hundredths == cents)
    }

    /// The cents, where the spelling has one meaning: decimals may be those of cents or of rand.
    pub fn cents(&self) -> Option<i64> {
        let written = Written::read(&self.0)?;
        match (written.is_rand, written.has_decimals) {
            (true, _) => Some(written.hundredths),
            (false, false) => written.as_cents(),
            (false, true) => None,
        }
    }
}

/// Cents of an amount in rand; `None` where it has a part of a cent, a minus, or is no number.
pub(crate) fn cents_of_rand(text: &str) -> Option<i64> {
    Written::read(text).map(|written| written.hundredths)
}

#[cfg(test)]
mod tests {
    use crate::{Notification, camara::Payment, soap::Request};

    /// The cents of a payment of CAMARA with this amount, which is in rand.
    fn of_payment(amount: &str) -> Option<i64> {
        let information = format!(r#"{{"chargingInformation":{{"amount":{amount},"currency":"ZAR"}}}}"#);
        let transaction = format!(r#"{{"referenceCode":"k","paymentAmount":{information}}}"#);
        let payment = format!(r#"{{"paymentId":"1","paymentStatus":"succeeded","amountTransaction":{transaction}}}"#);
        Payment::parse(payment.as_bytes()).ok()?.charge().cents
    }

    /// Those of a charge of Parlay X, which is in rand.
    fn of_soap(amount: &str) -> Option<i64> {
        let charge = format!("<charge><description>d</description><amount>{amount}</amount><code>1</code></charge>");
        let fields = format!("<endUserIdentifier>1</endUserIdentifier>{charge}<referenceCode>k</referenceCode>");
        let xml = format!("<Envelope><Body><chargeAmount>{fields}</chargeAmount></Body></Envelope>");
        match Request::parse(xml.as_bytes()) {
            Ok((Request::Charge(charge), _)) => Some(charge.cents),
            _ => None,
        }
    }

    /// Those of a push network's event, which is in cents.
    fn of_event(amount: &str) -> Option<i64> {
        let subscription = r#"{"user_msisdn":"1","status_id":2}"#;
        let event =
            format!(r#"{{"billing_ref":"1","result_name":"SUCCESS","amount":{amount},"subscription":{subscription}}}"#);
        match Notification::parse(event.as_bytes()) {
            Ok(Notification::Billing(event)) => event.amount.cents(),
            _ => None,
        }
    }

    #[test]
    fn amounts_of_the_corpus_have_their_cents_in_every_message() {
        let shown = |cents: Option<i64>| cents.map_or("-".to_owned(), |cents| cents.to_string());
        for (text, right) in testkit::corpus("network-amounts") {
            let quoted = serde_json::to_string(&text).unwrap();
            // A number of JSON may stand without quotes.
            let is_number = serde_json::from_str::<serde_json::Number>(&text).is_ok();
            let forms = if is_number { vec![quoted, text.clone()] } else { vec![quoted] };
            for form in forms {
                assert_eq!(format!("{} {}", shown(of_payment(&form)), shown(of_event(&form))), right, "{form}");
            }
            assert_eq!(Some(shown(of_soap(&text)).as_str()), right.split(' ').next(), "{text:?}");
        }
    }
}
