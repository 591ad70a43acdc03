//! The months that the tests of a program write to, made once for all of them.

use chrono::{DateTime, Utc};
use store::{Db, StoreConfig};

/// Makes the months of today, and of the day to which the tests move the clock.
pub async fn make_months(store: &StoreConfig, day: &str) {
    let db = Db::open(store, subscription::NAME, subscription::MIGRATIONS).await.unwrap();
    let day: DateTime<Utc> = day.parse().unwrap();
    for now in [Utc::now(), day] {
        subscription::make_ahead(&db, now.naive_utc()).await.unwrap();
    }
}
