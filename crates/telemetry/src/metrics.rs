//! Counters, gauges and histograms of this process, as Prometheus reads them.

use std::{sync::OnceLock, time::Duration};

use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use tracing::{Event, Subscriber, field::Visit};
use tracing_subscriber::{Layer, layer::Context};

use crate::names::{self, ALARMS, Kind};

/// How often histogram samples are aggregated; until then each is stored.
const UPKEEP_INTERVAL: Duration = Duration::from_secs(1);

static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();

/// Collects this process's metrics from now on; a second call does nothing.
///
/// Metric handles made before the first call record nothing, so code that stores a handle calls this first.
pub fn collect() {
    HANDLE.get_or_init(|| {
        let builder = builder().unwrap_or_else(|error| {
            tracing::error!(error = %error, "histograms have no bounds");
            PrometheusBuilder::new()
        });
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::debug!("metrics were already collected by another part of this process");
        }
        for (name, kind, help) in names::ALL {
            match kind {
                Kind::Counter => metrics::describe_counter!(*name, *help),
                Kind::Gauge => metrics::describe_gauge!(*name, *help),
                Kind::Histogram => metrics::describe_histogram!(*name, *help),
            }
        }
        // Counted for the first time when it is too late to learn its name.
        metrics::counter!(names::LOG_LINES_DROPPED, "target" => "").absolute(0);
        let handle_for_upkeep = handle.clone();
        let upkeep = std::thread::Builder::new().name("metrics".to_owned()).spawn(move || {
            loop {
                std::thread::sleep(UPKEEP_INTERVAL);
                handle_for_upkeep.run_upkeep();
            }
        });
        if let Err(error) = upkeep {
            tracing::error!(error = %error, "cannot start the metrics upkeep thread; histograms are aggregated only on scrape");
        }
        handle
    });
}

fn builder() -> Result<PrometheusBuilder, BuildError> {
    names::BOUNDS.iter().try_fold(PrometheusBuilder::new(), |builder, (name, bounds)| {
        builder.set_buckets_for_metric(Matcher::Full((*name).to_owned()), bounds)
    })
}

/// All metrics of this process in Prometheus' text format (version 0.0.4).
pub fn metrics() -> String {
    collect();
    HANDLE.get().map(PrometheusHandle::render).unwrap_or_default()
}

/// A tracing layer that counts log lines with `alarm = "…"`.
pub(crate) struct Alarms;

#[derive(Default)]
struct Alarm(Option<String>);

impl Visit for Alarm {
    fn record_str(&mut self, field: &tracing::field::Field, value: &str) {
        if field.name() == "alarm" {
            self.0 = Some(value.to_owned());
        }
    }

    fn record_debug(&mut self, _: &tracing::field::Field, _: &dyn std::fmt::Debug) {}
}

impl<S: Subscriber> Layer<S> for Alarms {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        if event.metadata().fields().field("alarm").is_none() {
            return;
        }
        let mut alarm = Alarm::default();
        event.record(&mut alarm);
        if let Some(about) = alarm.0 {
            metrics::counter!(ALARMS, "alarm" => about).increment(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use tracing_subscriber::layer::SubscriberExt;

    use super::*;

    #[test]
    fn log_line_with_alarm_is_counted() {
        collect();
        let log = tracing_subscriber::registry().with(Alarms);
        tracing::subscriber::with_default(log, || {
            tracing::error!(alarm = "test_alarm", "first");
            tracing::warn!(alarm = "test_alarm", other = 1, "second");
            tracing::error!("no alarm");
        });
        let text = metrics();
        assert!(text.contains("spaza_alarms_total{alarm=\"test_alarm\"} 2"), "{text}");
    }
}
