//! Counters and gauges of this process, as Prometheus reads them.

use std::sync::OnceLock;

use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use tracing::{Event, Subscriber, field::Visit};
use tracing_subscriber::{Layer, layer::Context};

/// Counts, by their `alarm` field, the log lines that somebody must look at.
const ALARMS: &str = "spaza_alarms_total";

static HANDLE: OnceLock<PrometheusHandle> = OnceLock::new();

/// Collects this process's metrics from now on; a second call changes nothing.
pub fn collect() {
    HANDLE.get_or_init(|| {
        let recorder = PrometheusBuilder::new().build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::debug!("metrics were already collected by another part of this process");
        }
        metrics::describe_counter!(ALARMS, "Log lines that somebody must look at, by what they are about.");
        handle
    });
}

/// All metrics of this process in Prometheus' text format (version 0.0.4).
pub fn metrics() -> String {
    collect();
    HANDLE.get().map(PrometheusHandle::render).unwrap_or_default()
}

/// Beside the log: each line that carries `alarm = "…"` counts.
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
    fn an_alarm_in_the_log_counts() {
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
