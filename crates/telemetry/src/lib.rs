//! Observability of a process: log lines (text or JSON), metrics and traces.

mod limit;
mod metrics;
pub mod names;
mod requests;
mod traces;

use std::io::IsTerminal;

use opentelemetry_sdk::trace::SdkTracer;
use tracing::Subscriber;
use tracing_opentelemetry::OpenTelemetryLayer;
use tracing_subscriber::{
    EnvFilter, Layer, Registry, fmt::MakeWriter, layer::SubscriberExt, registry::LookupSpan, util::SubscriberInitExt,
};

pub use self::{
    metrics::{collect as collect_metrics, metrics},
    requests::{for_request, for_request_blocking, request_id},
    traces::{InvalidCollector, TRACE_PARENT, continue_trace, finish, name_request, name_span, trace_parent, traced},
};

use limit::LineLimit;
use requests::WithRequest;

type Traces = OpenTelemetryLayer<Registry, SdkTracer>;

/// How log lines are written (`LOG_FORMAT`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum LogFormat {
    /// One readable line per event.
    #[default]
    Text,
    /// One JSON object per event, fields flattened beside `message`.
    Json,
}

/// Sends this process's events to standard error, filtered by `RUST_LOG` (default `info`), and collects its metrics.
///
/// A second call is ignored: several services can share a process.
pub fn init(format: LogFormat) {
    set_up(format, None);
}

/// As [`init`], with the spans of `process` sent to the collector at this address, `http://host:port`, over OTLP.
pub fn init_traced(format: LogFormat, process: &str, collector: &str) -> Result<(), InvalidCollector> {
    set_up(format, Some(traces::layer(process, collector)?));
    Ok(())
}

fn set_up(format: LogFormat, traces: Option<Traces>) {
    // Libraries that log normal client behaviour are filtered.
    let filter = EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| EnvFilter::new("info,actix_server=warn,actix_http=warn,h2=error"));
    collect_metrics();
    let registry = tracing_subscriber::registry().with(traces).with(filter).with(metrics::Alarms);
    let lines = lines(format, std::io::stderr, std::io::stderr().is_terminal()).with_filter(LineLimit::default());
    let outcome = registry.with(lines).try_init();
    if outcome.is_err() {
        tracing::debug!("logging was already set up by another part of this process");
    }
}

/// Writes events to `writer`, each with its request's id.
fn lines<S, W>(format: LogFormat, writer: W, ansi: bool) -> Box<dyn Layer<S> + Send + Sync>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
    W: for<'writer> MakeWriter<'writer> + Send + Sync + 'static,
{
    let layer = tracing_subscriber::fmt::layer().with_writer(writer);
    match format {
        LogFormat::Text => layer
            .with_ansi(ansi)
            .with_target(false)
            .map_event_format(|line| WithRequest { line: line.with_ansi(ansi), format })
            .boxed(),
        // Span fields are for traces: log lines are the same with and without traces.
        LogFormat::Json => layer
            .json()
            .flatten_event(true)
            .with_current_span(false)
            .with_span_list(false)
            .map_event_format(|line| WithRequest { line, format })
            .boxed(),
    }
}
