//! Finds a payment by our key, where the network's id of it is unknown: its reply was lost. CAMARA's list cannot be filtered by a key, so
//! the payments of some minutes are read, once for all charges of that time: after an outage there are many.

use std::{collections::HashMap, time::Duration};

use chrono::{DateTime, NaiveDateTime, TimeDelta, Utc};
use tokio::{sync::Mutex, time::Instant};

/// The time that is read at once.
const PERIOD: TimeDelta = TimeDelta::minutes(5);

/// How much earlier the network may have created a payment by its clock, and how much later.
const EARLIER: TimeDelta = TimeDelta::minutes(2);
const LATER: TimeDelta = TimeDelta::minutes(3);

/// The most pages that are read; a payment beyond them stays unknown until the day is reconciled.
pub(super) const MAX_PAGES: u32 = 200;

/// How long what was read is kept, and of how many periods.
const KEPT_FOR: Duration = Duration::from_secs(120);
const KEPT: usize = 4;

/// From when to when the network created a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub from: DateTime<Utc>,
    pub until: DateTime<Utc>,
}

impl Window {
    /// The whole of a Johannesburg day; a payment is only ever requested on its day.
    pub fn of_day(day: &str) -> Option<Self> {
        let midnight = day.parse::<chrono::NaiveDate>().ok()?.and_hms_opt(0, 0, 0)?;
        let from = midnight.and_local_timezone(operator::JOHANNESBURG).earliest()?.to_utc();
        Some(Self { from: from - EARLIER, until: from + TimeDelta::days(1) + LATER })
    }

    /// The minutes around a time of sending; of the whole day where that is unknown, or not on the day.
    pub fn around(day: &str, sent_at: Option<NaiveDateTime>) -> Option<Self> {
        let whole = Self::of_day(day)?;
        let Some(sent_at) = sent_at.map(|at| at.and_utc()).filter(|at| (whole.from..whole.until).contains(at)) else {
            return Some(whole);
        };
        let seconds = PERIOD.num_seconds();
        let begin = DateTime::from_timestamp(sent_at.timestamp().div_euclid(seconds) * seconds, 0)?;
        Some(Self { from: begin - EARLIER, until: begin + PERIOD + LATER })
    }
}

/// The ids of the payments of a window, by our key.
pub(super) type IdsByKey = HashMap<String, String>;

struct Read {
    window: Window,
    /// When the reading began: it has every payment that was created before.
    began: Instant,
    ids: IdsByKey,
}

/// What was read lately.
#[derive(Default)]
pub(super) struct Finder(Mutex<Vec<Read>>);

impl Finder {
    /// The network's id of the newest payment of a key, if there is one now. `read` reads the payments of a window; concurrent calls wait
    /// for one reading.
    pub async fn find<E>(
        &self,
        key: &str,
        window: Window,
        read: impl AsyncFnOnce(Window) -> Result<IdsByKey, E>,
    ) -> Result<Option<String>, E> {
        let requested = Instant::now();
        let mut kept = self.0.lock().await;
        kept.retain(|one| one.began.elapsed() < KEPT_FOR);
        if let Some(one) = kept.iter().find(|one| one.window == window) {
            let id = one.ids.get(key).cloned();
            // One that is not there may have been created since.
            if id.is_some() || one.began >= requested {
                return Ok(id);
            }
        }
        let began = Instant::now();
        let ids = read(window).await?;
        let id = ids.get(key).cloned();
        kept.retain(|one| one.window != window);
        if kept.len() >= KEPT {
            kept.remove(0);
        }
        kept.push(Read { window, began, ids });
        Ok(id)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    fn time(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn around_is_some_minutes_or_the_day() {
        let whole = Window { from: time("2060-02-01T21:58:00Z"), until: time("2060-02-02T22:03:00Z") };
        let around = |sent_at: Option<&str>| Window::around("2060-02-02", sent_at.map(|at| time(at).naive_utc()));
        assert_eq!(around(None), Some(whole));
        assert_eq!(around(Some("2060-02-03T10:00:00Z")), Some(whole), "a clock was moved");
        let minutes = Window { from: time("2060-02-02T10:03:00Z"), until: time("2060-02-02T10:13:00Z") };
        for sent_at in ["2060-02-02T10:05:00Z", "2060-02-02T10:09:59Z"] {
            assert_eq!(around(Some(sent_at)), Some(minutes), "{sent_at}");
        }
        assert_eq!(Window::around("soon", None), None);
    }

    #[actix_web::test]
    async fn find_reads_once_for_all_that_wait() {
        let (finder, readings) = (Finder::default(), AtomicU32::new(0));
        let window = Window::of_day("2060-02-02").unwrap();
        let find = async |key: &str| {
            let read = async |_| {
                readings.fetch_add(1, Ordering::Relaxed);
                tokio::time::sleep(Duration::from_millis(20)).await;
                Ok::<_, ()>(IdsByKey::from([("known".to_owned(), "7".to_owned())]))
            };
            finder.find(key, window, read).await.unwrap()
        };
        let missing = futures_util::future::join_all((0..50).map(|_| find("missing"))).await;
        assert!(missing.iter().all(Option::is_none));
        // The first call reads; the others waited since before it began or read once more for all of them.
        assert!(readings.load(Ordering::Relaxed) <= 2, "{readings:?}");
        let before = readings.load(Ordering::Relaxed);
        assert_eq!(find("known").await.as_deref(), Some("7"));
        assert_eq!(readings.load(Ordering::Relaxed), before, "a known payment is found in what was read");
        assert_eq!(find("missing").await, None);
        assert_eq!(readings.load(Ordering::Relaxed), before + 1, "a missing one may have been created since");
    }
}
