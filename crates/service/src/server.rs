//! Start and stop: bind, serve, drain.

use std::{
    future::Future,
    net::{SocketAddr, TcpListener},
    pin::Pin,
    process::ExitCode,
    sync::Arc,
    time::Duration,
};

use actix_web::{
    App, HttpResponse, HttpServer,
    middleware::from_fn,
    web::{self, ServiceConfig},
};
use socket2::SockRef;
use telemetry::names::BUILD_INFO;

use crate::{Message, Problem, Route, Settings, observe::observe, params, parse_settings, route::ServiceName};

/// How long a stopping server waits for open responses.
pub const DRAIN: Duration = Duration::from_secs(10);

/// How long a client may take to send a request's head.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a client may take to close a connection that the server ends.
const DISCONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// Connections that may wait to be accepted; the standard library's 128 overflow when many clients connect at once.
const BACKLOG: i32 = 1024;

/// The most unsent bytes that the kernel buffers per connection. By default it buffers 4 MB for each slow client, and a thousand of
/// those exhaust its TCP memory, after which it drops packets of other connections. Half of this value doubles the system calls for a
/// film.
#[cfg(target_os = "linux")]
const UNSENT_BYTES: u32 = 256 * 1024;

/// How long sent data may stay unacknowledged before the connection is closed.
#[cfg(target_os = "linux")]
const UNACKNOWLEDGED: Duration = Duration::from_secs(60);

/// The most open connections of one worker.
const MAX_CONNECTIONS: usize = 25_600;

/// Threads and log format of a service.
#[derive(clap::Args, Clone, Debug)]
pub struct ServeConfig {
    /// Threads that handle requests; 0: one per processor.
    #[arg(long, env = "WORKERS", default_value_t = 0)]
    pub workers: usize,
    /// The format of log lines.
    #[arg(long, env = "LOG_FORMAT", value_enum, default_value_t)]
    pub log_format: telemetry::LogFormat,
    /// `http://host:port` of a trace collector (OTLP over HTTP); unset: no traces are sent.
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT")]
    pub otlp_endpoint: Option<String>,
}

impl ServeConfig {
    /// The collector of traces, if there is one.
    pub fn collector(&self) -> Option<&str> {
        self.otlp_endpoint.as_deref().map(str::trim).filter(|address| !address.is_empty())
    }

    /// The number of threads that answer requests.
    pub fn workers(&self) -> usize {
        match self.workers {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            set => set,
        }
    }
}

impl Default for ServeConfig {
    fn default() -> Self {
        Self { workers: 0, log_format: telemetry::LogFormat::Text, otlp_endpoint: None }
    }
}

/// Why a process could not start; each message is one line that names the setting or resource.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// A variable is missing or malformed.
    #[error("{0}")]
    Setting(String),
    /// The address is in use or not local.
    #[error("{service}: cannot listen on {addr}: {cause}")]
    Bind {
        /// The service that listens there.
        service: &'static str,
        /// The address.
        addr: SocketAddr,
        /// The error of the system.
        cause: std::io::Error,
    },
    /// Another thing that the service needs is missing.
    #[error("{service}: {cause}")]
    Other {
        /// Which service.
        service: &'static str,
        /// The cause, on one line.
        cause: String,
    },
}

impl StartError {
    /// A cause in words, for the named service.
    pub fn other(service: &'static str, cause: impl ToString) -> Self {
        Self::Other { service, cause: cause.to_string().replace('\n', " ") }
    }
}

/// Returns whether a service is ready, such as whether its database responds.
pub type Readiness = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = bool>>> + Send + Sync>;

/// Binds the address before any slow work, so that a port in use is reported at once.
pub fn listen(service: &'static str, addr: SocketAddr) -> Result<TcpListener, StartError> {
    let fault = |cause| StartError::Bind { service, addr, cause };
    let listener = TcpListener::bind(addr).map_err(fault)?;
    set_limits(&listener).map_err(fault)?;
    Ok(listener)
}

/// Sets TCP limits on the listener; accepted connections inherit them.
fn set_limits(listener: &TcpListener) -> std::io::Result<()> {
    let socket = SockRef::from(listener);
    #[cfg(target_os = "linux")]
    {
        socket.set_tcp_notsent_lowat(UNSENT_BYTES)?;
        socket.set_tcp_user_timeout(Some(UNACKNOWLEDGED))?;
    }
    socket.listen(BACKLOG)
}

/// Stops a server; completes when its last response has been sent.
type Stop = Box<dyn FnOnce() -> Pin<Box<dyn Future<Output = ()>>>>;

/// A server that is running.
pub struct Running {
    /// The name of the service.
    pub service: &'static str,
    /// The address it listens on.
    pub addr: SocketAddr,
    /// Other listeners of the same service, such as one for operators; they stop after it.
    pub companions: Vec<Running>,
    stop: Stop,
}

impl Running {
    /// A server that `stop` stops: it accepts no more connections, lets open responses finish within [`DRAIN`], and ends.
    pub fn new<F>(service: &'static str, addr: SocketAddr, stop: impl FnOnce() -> F + 'static) -> Self
    where
        F: Future<Output = ()> + 'static,
    {
        Self { service, addr, companions: Vec::new(), stop: Box::new(move || Box::pin(stop())) }
    }

    /// Adds another listener that stops after it.
    pub fn with(mut self, companion: Running) -> Self {
        self.companions.push(companion);
        self
    }

    /// Stops accepting, waits for open responses and returns.
    pub async fn stop(self) {
        (self.stop)().await;
        for companion in self.companions {
            Box::pin(companion.stop()).await;
        }
    }
}

/// The release that this program is of, as in `0.2.0`: the version in the workspace's `Cargo.toml`.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The commit that a release was built from, by its full hash; `unknown` in other builds, which would be compiled anew for each commit.
pub const REVISION: &str = match option_env!("REVISION") {
    Some(revision) => revision,
    None => "unknown",
};

/// Starts this process's metrics, and records its service, version and commit.
pub fn count_build(service: &'static str) {
    telemetry::collect_metrics();
    metrics::gauge!(BUILD_INFO, "service" => service, "version" => VERSION, "revision" => REVISION).set(1.0);
}

/// `/healthz` and `/readyz`: a status without a body.
pub fn health(ready: Readiness) -> impl Fn(&mut ServiceConfig) + Send + Clone + 'static {
    move |routes| {
        let ready = ready.clone();
        let answer = move || {
            let ready = ready.clone();
            async move {
                if ready().await { HttpResponse::Ok().finish() } else { HttpResponse::ServiceUnavailable().finish() }
            }
        };
        routes.route("/healthz", web::get().to(HttpResponse::Ok)).route("/readyz", web::get().to(answer));
    }
}

/// `/metrics` in Prometheus' text format. For listeners that the public cannot reach.
pub fn metrics(routes: &mut ServiceConfig) {
    let answer = || async {
        HttpResponse::Ok().content_type("text/plain; version=0.0.4; charset=utf-8").body(telemetry::metrics())
    };
    routes.route("/metrics", web::get().to(answer));
}

/// Serves `configure`'s routes on `listener`, with request ids, the access log, problems for every error, `/healthz`, `/readyz` and
/// `/metrics`.
pub fn serve<F>(
    service: &'static str,
    listener: TcpListener,
    config: &ServeConfig,
    ready: Readiness,
    configure: F,
) -> Result<Running, StartError>
where
    F: Fn(&mut ServiceConfig) + Send + Clone + 'static,
{
    let health = health(ready);
    serve_routes(service, listener, config, move |routes| {
        routes.configure(health.clone()).configure(metrics).configure(configure.clone());
    })
}

/// As [`serve`], for a listener with its own health checks.
pub fn serve_routes<F>(
    service: &'static str,
    listener: TcpListener,
    config: &ServeConfig,
    configure: F,
) -> Result<Running, StartError>
where
    F: Fn(&mut ServiceConfig) + Send + Clone + 'static,
{
    count_build(service);
    let other = |cause: std::io::Error| StartError::other(service, cause);
    let addr = listener.local_addr().map_err(other)?;
    let app = move || {
        App::new()
            .wrap(from_fn(observe))
            .app_data(ServiceName(service))
            .app_data(Route::rest())
            .app_data(params::json_config())
            .app_data(params::path_config())
            .app_data(params::query_config())
            .app_data(web::PayloadConfig::new(params::MAX_BODY_BYTES))
            .default_service(web::to(|| async { Problem::not_found(Message::new("nothing-here")) }))
            .configure(configure.clone())
    };
    let server = HttpServer::new(app)
        .workers(config.workers())
        .shutdown_timeout(DRAIN.as_secs())
        .client_request_timeout(REQUEST_TIMEOUT)
        .client_disconnect_timeout(DISCONNECT_TIMEOUT)
        .max_connections(MAX_CONNECTIONS)
        .disable_signals()
        .listen(listener)
        .map_err(other)?
        .run();
    let handle = server.handle();
    let task = actix_web::rt::spawn(server);
    tracing::debug!(service.name = service, service.addr = %addr, "{service} listens on {addr}");
    Ok(Running::new(service, addr, move || async move {
        handle.stop(true).await;
        if let Ok(Err(error)) = task.await {
            tracing::error!(service.name = service, error = %error, "the server ended with an error");
        }
    }))
}

/// Waits for Ctrl-C or SIGTERM.
pub async fn stop_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let terminate = signal(SignalKind::terminate());
    match terminate {
        Ok(mut terminate) => {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
            }
        }
        Err(_) => {
            // Without a SIGTERM handler Ctrl-C still works, and the default action of SIGTERM ends the process.
            let _ = tokio::signal::ctrl_c().await;
        }
    }
}

/// A service's `main`: settings, logging, start, wait for the signal, drain.
pub fn run<C, F, Fut>(start: F) -> ExitCode
where
    C: Settings,
    F: FnOnce(C) -> Fut,
    Fut: Future<Output = Result<Running, StartError>>,
{
    run_all(|config| async {
        // Not in `run_all`, where several services share one terminal and SIGHUP means that the terminal closed.
        crate::hangup::handle_hangups();
        let running = start(config).await?;
        tracing::info!(service.name = running.service, service.addr = %running.addr, "{} listens on {}", running.service, running.addr);
        Ok(vec![running])
    })
}

/// As `run`, for a process with several servers, which are stopped in the order given.
pub fn run_all<C, F, Fut>(start: F) -> ExitCode
where
    C: Settings,
    F: FnOnce(C) -> Fut,
    Fut: Future<Output = Result<Vec<Running>, StartError>>,
{
    run_once(|config| async {
        // During start, a signal ends the process without the drain.
        let running = tokio::select! {
            running = start(config) => running?,
            () = stop_signal() => return Ok(()),
        };
        stop_signal().await;
        for server in running {
            server.stop().await;
        }
        Ok(())
    })
}

/// The `main` of a process that does one job and exits: settings, logging, the job.
pub fn run_once<C, F, Fut>(work: F) -> ExitCode
where
    C: Settings,
    F: FnOnce(C) -> Fut,
    Fut: Future<Output = Result<(), StartError>>,
{
    let outcome = parse_settings::<C>().and_then(|config| {
        match config.collector() {
            None => telemetry::init(config.log_format()),
            Some(collector) => telemetry::init_traced(config.log_format(), C::command().get_name(), collector)
                .map_err(|error| StartError::Setting(format!("OTEL_EXPORTER_OTLP_ENDPOINT: {error}")))?,
        }
        actix_web::rt::System::new().block_on(work(config))
    });
    telemetry::finish();
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            fail(&error);
            ExitCode::FAILURE
        }
    }
}

#[expect(
    clippy::print_stderr,
    reason = "the one line that says why a start failed is for a person, whatever the log format"
)]
fn fail(error: &StartError) {
    eprintln!("{error}");
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::net::TcpStream;

    use super::*;

    #[test]
    fn accept_returns_connections_with_the_listeners_limits() {
        let listener = listen("sample", ([127, 0, 0, 1], 0).into()).unwrap();
        let _client = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (accepted, _) = listener.accept().unwrap();
        let socket = SockRef::from(&accepted);
        assert_eq!(socket.tcp_notsent_lowat().unwrap(), UNSENT_BYTES);
        assert_eq!(socket.tcp_user_timeout().unwrap(), Some(UNACKNOWLEDGED));
    }
}
