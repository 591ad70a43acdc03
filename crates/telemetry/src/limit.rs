//! A limit on log lines: what clients send cannot fill a disk or push other lines out of the log.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use tracing::{Metadata, Subscriber, callsite::Identifier};
use tracing_subscriber::layer::{Context, Filter};

use crate::names::LOG_LINES_DROPPED;

/// Lines that one place in the code may write within [`WINDOW`].
const LINES: u32 = 600;

/// The time to which the limit applies.
const WINDOW: Duration = Duration::from_secs(60);

/// The lines of one place in the current window.
struct Place {
    began: Instant,
    lines: u32,
}

impl Place {
    fn new(now: Instant) -> Self {
        Self { began: now, lines: 0 }
    }

    fn allows(&mut self, now: Instant) -> bool {
        if now.duration_since(self.began) >= WINDOW {
            *self = Self::new(now);
        }
        self.lines = self.lines.saturating_add(1);
        self.lines <= LINES
    }
}

/// Drops and counts the lines of a place in the code beyond its limit. Metrics of alarms count them all.
#[derive(Default)]
pub(crate) struct LineLimit {
    places: Mutex<HashMap<Identifier, Place>>,
}

impl LineLimit {
    fn allows(&self, place: Identifier) -> bool {
        let now = Instant::now();
        let mut places = self.places.lock().unwrap_or_else(PoisonError::into_inner);
        places.entry(place).or_insert_with(|| Place::new(now)).allows(now)
    }
}

impl<S: Subscriber> Filter<S> for LineLimit {
    fn enabled(&self, metadata: &Metadata<'_>, _: &Context<'_, S>) -> bool {
        let allowed = metadata.is_span() || self.allows(metadata.callsite());
        if !allowed {
            metrics::counter!(LOG_LINES_DROPPED, "target" => metadata.target().to_owned()).increment(1);
        }
        allowed
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use tracing_subscriber::{Layer, fmt::MakeWriter, layer::SubscriberExt};

    use super::*;

    #[derive(Clone, Default)]
    struct Lines(std::sync::Arc<Mutex<Vec<u8>>>);

    impl Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    impl<'writer> MakeWriter<'writer> for Lines {
        type Writer = Self;

        fn make_writer(&'writer self) -> Self {
            self.clone()
        }
    }

    #[test]
    fn lines_of_one_place_are_limited_and_the_others_counted() {
        crate::metrics::collect();
        let lines = Lines::default();
        let layer = tracing_subscriber::fmt::layer().with_writer(lines.clone()).with_filter(LineLimit::default());
        tracing::subscriber::with_default(tracing_subscriber::registry().with(layer), || {
            for _ in 0..LINES + 5 {
                tracing::warn!(target: "one_place", "the client did something odd");
            }
            tracing::warn!(target: "other_place", "another line");
        });
        let text = String::from_utf8(lines.0.lock().unwrap().clone()).unwrap();
        assert_eq!(text.matches("the client did something odd").count(), LINES as usize);
        assert_eq!(text.matches("another line").count(), 1);
        let metrics = crate::metrics();
        assert!(metrics.contains("spaza_log_lines_dropped_total{target=\"one_place\"} 5"), "{metrics}");
    }

    #[test]
    fn a_new_window_has_lines_again() {
        let (mut place, now) = (Place::new(Instant::now()), Instant::now());
        assert!((0..LINES).all(|_| place.allows(now)));
        assert!(!place.allows(now + WINDOW / 2));
        assert!(place.allows(now + WINDOW * 2));
    }
}
