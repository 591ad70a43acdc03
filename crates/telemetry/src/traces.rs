//! Traces: spans go to a collector over OTLP where one is named, and nowhere otherwise, which costs nothing.
//!
//! Who calls whom travels in W3C's `traceparent`. Which traces are kept, how many spans wait and how long follows the variables of
//! OpenTelemetry's own SDK (`OTEL_TRACES_SAMPLER`, `OTEL_BSP_…`).

use std::{collections::HashMap, sync::OnceLock};

use opentelemetry::{
    propagation::TextMapPropagator,
    trace::{TraceContextExt, TracerProvider},
};
use opentelemetry_otlp::{SpanExporter, WithExportConfig};
use opentelemetry_sdk::{
    Resource,
    propagation::TraceContextPropagator,
    trace::{SdkTracer, SdkTracerProvider},
};
use tracing::{Span, Subscriber};
use tracing_opentelemetry::{OpenTelemetryLayer, OpenTelemetrySpanExt};
use tracing_subscriber::registry::LookupSpan;
use uuid::Uuid;

/// The header in which a caller names its span.
pub const TRACE_PARENT: &str = "traceparent";

static PROVIDER: OnceLock<SdkTracerProvider> = OnceLock::new();

/// Why spans cannot be sent.
#[derive(Clone, Debug, thiserror::Error)]
pub enum InvalidCollector {
    /// Not of the form that is taken.
    #[error("{0:?} is not of the form http://host:port")]
    Address(String),
    /// The exporter refuses it.
    #[error("spans cannot be sent there: {0}")]
    Exporter(String),
}

/// Sends spans of `process` to the collector at `address`, `http://host:port`, from now on.
pub(crate) fn layer<S>(process: &str, address: &str) -> Result<OpenTelemetryLayer<S, SdkTracer>, InvalidCollector>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
{
    let base = address.trim_end_matches('/');
    let is_plain =
        base.strip_prefix("http://").is_some_and(|rest| !rest.is_empty() && !rest.contains(['/', '?', '#', ' ']));
    if !is_plain {
        return Err(InvalidCollector::Address(address.to_owned()));
    }
    let exporter = SpanExporter::builder().with_http().with_endpoint(format!("{base}/v1/traces")).build();
    let exporter = exporter.map_err(|error| InvalidCollector::Exporter(error.to_string()))?;
    let provider = SdkTracerProvider::builder()
        .with_batch_exporter(exporter)
        .with_resource(Resource::builder().with_service_name(process.to_owned()).build())
        .build();
    let tracer = PROVIDER.get_or_init(|| provider).tracer("spaza");
    Ok(OpenTelemetryLayer::new(tracer).with_location(false).with_threads(false).with_tracked_inactivity(false))
}

/// Whether spans go anywhere.
pub fn traced() -> bool {
    PROVIDER.get().is_some()
}

/// How the current span is named to whom we call, as the value of [`TRACE_PARENT`]; none where spans go nowhere.
pub fn trace_parent() -> Option<String> {
    PROVIDER.get()?;
    let mut carried = HashMap::new();
    TraceContextPropagator::new().inject_context(&Span::current().context(), &mut carried);
    carried.remove(TRACE_PARENT)
}

/// Makes a span that has not begun a part of the caller's, by what it said in [`TRACE_PARENT`]. What is no such value changes nothing.
pub fn continue_trace(span: &Span, parent: &str) {
    if traced() {
        let carried = HashMap::from([(TRACE_PARENT.to_owned(), parent.to_owned())]);
        // Without a layer for it there is no span to speak of.
        let _ = span.set_parent(TraceContextPropagator::new().extract(&carried));
    }
}

/// Tells the collector which request a span is of. A field of the span would stand on log lines beside the id that ends them.
pub fn name_request(span: &Span, id: Uuid) {
    if traced() {
        span.set_attribute("request.id", id.to_string());
    }
}

/// Names a span by what is only known now; a field of the span would come too late for that.
pub fn name_span(span: &Span, name: String) {
    if traced() {
        span.context().span().update_name(name);
    }
}

/// Sends what is still waiting: the process ends.
pub fn finish() {
    if let Some(provider) = PROVIDER.get()
        && let Err(error) = provider.shutdown()
    {
        tracing::warn!(error = %error, "the last spans could not be sent");
    }
}
