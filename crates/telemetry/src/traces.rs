//! Traces: spans are sent to an OTLP collector if one is configured; otherwise there is no overhead.
//!
//! The W3C header `traceparent` connects spans of caller and callee. Sampling and batching follow the variables of OpenTelemetry's SDK
//! (`OTEL_TRACES_SAMPLER`, `OTEL_BSP_…`).

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

/// The header with the caller's span.
pub const TRACE_PARENT: &str = "traceparent";

static PROVIDER: OnceLock<SdkTracerProvider> = OnceLock::new();

/// Why the exporter could not be set up.
#[derive(Clone, Debug, thiserror::Error)]
pub enum InvalidCollector {
    /// The address has another form.
    #[error("{0:?} is not of the form http://host:port")]
    Address(String),
    /// The exporter rejects it.
    #[error("spans cannot be sent there: {0}")]
    Exporter(String),
}

/// Sends spans of `process` to the collector at `address`, `http://host:port`.
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

/// Whether spans are exported.
pub fn traced() -> bool {
    PROVIDER.get().is_some()
}

/// The current span as the value of [`TRACE_PARENT`] for a call; `None` if spans are not exported.
pub fn trace_parent() -> Option<String> {
    PROVIDER.get()?;
    let mut carrier = HashMap::new();
    TraceContextPropagator::new().inject_context(&Span::current().context(), &mut carrier);
    carrier.remove(TRACE_PARENT)
}

/// Makes a span that has not started a child of the caller's span in [`TRACE_PARENT`]. An invalid value is ignored.
pub fn continue_trace(span: &Span, parent: &str) {
    if traced() {
        let carrier = HashMap::from([(TRACE_PARENT.to_owned(), parent.to_owned())]);
        // Fails only without a tracing layer, where the span does not exist.
        let _ = span.set_parent(TraceContextPropagator::new().extract(&carrier));
    }
}

/// Sets a span's attribute `request.id`. As a span field it would be on log lines twice.
pub fn name_request(span: &Span, id: Uuid) {
    if traced() {
        span.set_attribute("request.id", id.to_string());
    }
}

/// Renames a span after its start, when fields can no longer do that.
pub fn name_span(span: &Span, name: String) {
    if traced() {
        span.context().span().update_name(name);
    }
}

/// Exports the remaining spans, before the process exits.
pub fn finish() {
    if let Some(provider) = PROVIDER.get()
        && let Err(error) = provider.shutdown()
    {
        tracing::warn!(error = %error, "the last spans could not be sent");
    }
}
