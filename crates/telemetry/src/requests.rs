//! The id of the current request: it is on every log line of the request, also without tracing. A task-local is used because a span
//! per request costs more than all other per-request overhead.

use std::fmt;

use tokio::task::futures::TaskLocalFuture;
use tracing::{Event, Subscriber};
use tracing_subscriber::{
    fmt::{FmtContext, FormatEvent, FormatFields, format::Writer},
    registry::LookupSpan,
};
use uuid::Uuid;

use crate::LogFormat;

tokio::task_local! {
    static REQUEST_ID: Uuid;
}

/// The id of the current request; `None` outside of one.
pub fn request_id() -> Option<Uuid> {
    REQUEST_ID.try_get().ok()
}

/// Runs a future for the request with this id.
pub fn for_request<F: Future>(id: Uuid, work: F) -> TaskLocalFuture<Uuid, F> {
    REQUEST_ID.scope(id, work)
}

/// Runs blocking work on the current thread for the request that [`request_id`] returned where the work was started.
pub fn for_request_blocking<T>(id: Option<Uuid>, work: impl FnOnce() -> T) -> T {
    match id {
        Some(id) => REQUEST_ID.sync_scope(id, work),
        None => work(),
    }
}

/// Appends the request's id to each line.
pub(crate) struct WithRequest<F> {
    pub line: F,
    pub format: LogFormat,
}

impl<S, N, F> FormatEvent<S, N> for WithRequest<F>
where
    S: Subscriber + for<'span> LookupSpan<'span>,
    N: for<'writer> FormatFields<'writer> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(&self, ctx: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let Some(id) = request_id() else { return self.line.format_event(ctx, writer, event) };
        let mut line = String::new();
        self.line.format_event(ctx, Writer::new(&mut line), event)?;
        let line = line.trim_end();
        match self.format {
            LogFormat::Text => writeln!(writer, "{line} request.id={id}"),
            LogFormat::Json => {
                let fields = line.strip_suffix('}').unwrap_or(line);
                writeln!(writer, r#"{fields},"request.id":"{id}"}}"#)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::{Arc, Mutex},
    };

    use tracing_subscriber::{fmt::MakeWriter, layer::SubscriberExt};

    use super::*;

    #[derive(Clone, Default)]
    struct Lines(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Lines {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl<'a> MakeWriter<'a> for Lines {
        type Writer = Self;

        fn make_writer(&'a self) -> Self {
            self.clone()
        }
    }

    fn log_line(format: LogFormat, id: Option<Uuid>) -> String {
        let lines = Lines::default();
        let subscriber = tracing_subscriber::registry().with(crate::lines(format, lines.clone(), false));
        tracing::subscriber::with_default(subscriber, || {
            let span = tracing::info_span!("request", otel.kind = "server");
            span.in_scope(|| for_request_blocking(id, || tracing::warn!(n = 1, "so it is")));
        });
        let bytes = lines.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn log_line_ends_with_the_request_id() {
        let id = Uuid::from_u128(7);
        let line = log_line(LogFormat::Json, Some(id));
        assert!(line.ends_with("}\n") && line.starts_with('{'), "{line}");
        assert!(line.contains(r#","request.id":"00000000-0000-0000-0000-000000000007"}"#), "{line}");
        assert!(!line.contains("otel.kind"), "a span's fields are for traces: {line}");
        assert!(!log_line(LogFormat::Json, None).contains("request.id"));
        let line = log_line(LogFormat::Text, Some(id));
        assert!(line.ends_with("so it is n=1 request.id=00000000-0000-0000-0000-000000000007\n"), "{line}");
        assert!(log_line(LogFormat::Text, None).ends_with("so it is n=1\n"));
    }

    #[test]
    fn for_request_blocking_sets_the_request_id_on_another_thread() {
        let id = Uuid::from_u128(8);
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let there = runtime.block_on(for_request(id, async {
            let here = request_id();
            tokio::task::spawn_blocking(move || for_request_blocking(here, request_id)).await.unwrap()
        }));
        assert_eq!(there, Some(id));
        assert_eq!(request_id(), None);
    }
}
