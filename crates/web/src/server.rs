//! Start and stop: bind, serve, drain.

use std::{
    future::Future,
    net::{SocketAddr, TcpListener},
    pin::Pin,
    process::ExitCode,
    rc::Rc,
    sync::Arc,
    time::Duration,
};

use actix_http::{HttpService, Request, Response};
use actix_service::{
    IntoServiceFactory, Service, ServiceFactory, apply_fn_factory, fn_factory, fn_service, map_config,
};
use actix_web::{
    App, HttpResponse, HttpServer,
    dev::{AppConfig, Extensions, ServerHandle, ServiceResponse},
    middleware::from_fn,
    rt::net::TcpStream,
    web::{self, ServiceConfig},
};

use telemetry::names::BUILD_INFO;

use crate::{
    Guest, Listening, Problem, Route, Settings,
    direct::{Connection, Direct, Ending},
    lane::Front,
    listening::under_tls,
    observe::observe,
    params, parse_settings,
    route::Answering,
    sockets,
};

/// Seconds a stopping server waits for replies that are under way.
const DRAIN_SECONDS: u64 = 10;

/// How long a client may take to send a request's head.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a client may take to let a connection go that we end.
const DISCONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// Connections open at once on one worker, where it is not said.
const MAX_CONNECTIONS: usize = 25_600;

/// Where and how a service listens.
#[derive(clap::Args, Clone, Debug)]
pub struct ServeConfig {
    /// Threads that answer requests; 0 means one per processor.
    #[arg(long, env = "WORKERS", default_value_t = 0)]
    pub workers: usize,
    /// How log lines are written.
    #[arg(long, env = "LOG_FORMAT", value_enum, default_value_t)]
    pub log_format: telemetry::LogFormat,
    /// `http://host:port` of a collector of traces (OTLP over HTTP); unset, nobody is sent any.
    #[arg(long, env = "OTEL_EXPORTER_OTLP_ENDPOINT")]
    pub otlp_endpoint: Option<String>,
}

impl ServeConfig {
    /// The collector of traces, if there is one.
    pub fn collector(&self) -> Option<&str> {
        self.otlp_endpoint.as_deref().map(str::trim).filter(|address| !address.is_empty())
    }
}

impl Default for ServeConfig {
    fn default() -> Self {
        Self { workers: 0, log_format: telemetry::LogFormat::Text, otlp_endpoint: None }
    }
}

/// Why a process could not start; each message is one line that names the setting or thing at fault.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    /// A variable is missing or malformed.
    #[error("{0}")]
    Setting(String),
    /// The address is taken or not ours.
    #[error("{service}: cannot listen on {addr}: {cause}")]
    Bind {
        /// Which service wanted it.
        service: &'static str,
        /// The address.
        addr: SocketAddr,
        /// What the system said.
        cause: std::io::Error,
    },
    /// Anything else a service needs before it can answer.
    #[error("{service}: {cause}")]
    Other {
        /// Which service.
        service: &'static str,
        /// What is missing, on one line.
        cause: String,
    },
}

impl StartError {
    /// A cause in words, for the named service.
    pub fn other(service: &'static str, cause: impl ToString) -> Self {
        Self::Other { service, cause: cause.to_string().replace('\n', " ") }
    }
}

/// Answers whether a service can do its work now (its database answers, say).
pub type Readiness = Arc<dyn Fn() -> Pin<Box<dyn Future<Output = bool>>> + Send + Sync>;

/// Takes the address, before anything slow is done, so that a taken port is known at once.
pub fn listen(service: &'static str, addr: SocketAddr) -> Result<TcpListener, StartError> {
    let fault = |cause| StartError::Bind { service, addr, cause };
    let listener = TcpListener::bind(addr).map_err(fault)?;
    sockets::bound(&listener).map_err(fault)?;
    Ok(listener)
}

/// A server that is answering.
pub struct Running {
    /// Which service it is.
    pub service: &'static str,
    /// The address it answers on.
    pub addr: SocketAddr,
    /// Further listeners of the same service, such as one for the operators; they stop after it.
    pub companions: Vec<Running>,
    handle: ServerHandle,
    task: actix_web::rt::task::JoinHandle<std::io::Result<()>>,
}

impl Running {
    /// The same service with one more listener that stops after it.
    pub fn with(mut self, companion: Running) -> Self {
        self.companions.push(companion);
        self
    }

    /// Stops accepting, lets replies under way finish (10 s at most) and returns.
    pub async fn stop(self) {
        self.handle.stop(true).await;
        for companion in self.companions {
            Box::pin(companion.stop()).await;
        }
        if let Ok(Err(error)) = self.task.await {
            tracing::error!(service.name = self.service, error = %error, "server ended badly");
        }
    }
}

/// `/healthz` and `/readyz`: a status, and nothing else.
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

/// `/metrics`: this process's, as Prometheus reads them. For listeners that the public does not reach.
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

/// Like [`serve`], for a listener that says itself how it is.
pub fn serve_routes<F>(
    service: &'static str,
    listener: TcpListener,
    config: &ServeConfig,
    configure: F,
) -> Result<Running, StartError>
where
    F: Fn(&mut ServiceConfig) + Send + Clone + 'static,
{
    serve_with(service, listener, config, Listening::default(), configure)
}

/// Like [`serve_routes`], for a listener that strangers reach.
pub fn serve_with<F>(
    service: &'static str,
    listener: TcpListener,
    config: &ServeConfig,
    listening: Listening,
    configure: F,
) -> Result<Running, StartError>
where
    F: Fn(&mut ServiceConfig) + Send + Clone + 'static,
{
    telemetry::collect_metrics();
    metrics::gauge!(BUILD_INFO, "service" => service, "version" => env!("CARGO_PKG_VERSION")).set(1.0);
    let other = |cause: std::io::Error| StartError::other(service, cause);
    let addr = listener.local_addr().map_err(other)?;
    let workers = match config.workers {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        set => set,
    };
    let app = move || {
        App::new()
            .wrap(from_fn(observe))
            .app_data(Answering(service))
            .app_data(Route::rest())
            .app_data(params::json_config())
            .app_data(params::path_config())
            .app_data(params::query_config())
            .app_data(web::PayloadConfig::new(params::MAX_BODY_BYTES))
            .default_service(web::to(|| async { Problem::not_found("There is nothing at this address.") }))
            .configure(configure.clone())
    };
    // Each worker's share.
    let most = listening.max_connections.map_or(MAX_CONNECTIONS, |most| most.div_ceil(workers).max(1));
    let Listening { tls, greet, lane, .. } = listening;
    let server = match tls {
        Some(tls) => HttpServer::new(app)
            .workers(workers)
            .shutdown_timeout(DRAIN_SECONDS)
            .client_request_timeout(REQUEST_TIMEOUT)
            .disable_signals()
            .max_connections(most)
            .on_connect(move |connection, data| {
                if let Some((greet, stream)) = greet.as_ref().zip(under_tls(connection)) {
                    data.insert(Guest(greet(stream)));
                }
            })
            .listen_rustls_0_23(listener, tls)
            .map_err(other)?
            .run(),
        // The same by hand, for connections of our own kind.
        None => {
            let server = actix_server::Server::build()
                .workers(workers)
                .shutdown_timeout(DRAIN_SECONDS)
                .disable_signals()
                .max_concurrent_connections(most);
            let stop = server.graceful_shutdown_signal();
            let factory = move || {
                let app = apply_fn_factory(app().into_factory(), |req: Request, app| {
                    let connection = req.conn_data::<Direct>().cloned();
                    let reply = app.call(req);
                    async move {
                        let reply: HttpResponse = match reply.await {
                            Ok(reply) => ServiceResponse::into(reply),
                            Err(error) => actix_web::Error::error_response(&error),
                        };
                        Ok::<_, actix_web::Error>(Response::from(Ending::of(reply, connection)))
                    }
                });
                let told = stop.clone();
                let http = HttpService::build()
                    .graceful_shutdown_signal(move || {
                        let stop = told.clone();
                        async move { stop.notified().await }
                    })
                    .client_request_timeout(REQUEST_TIMEOUT)
                    .client_disconnect_timeout(DISCONNECT_TIMEOUT)
                    .local_addr(addr)
                    .on_connect_ext(|connection: &Connection, data: &mut Extensions| {
                        data.insert(connection.direct());
                        if let Some(guest) = connection.guest() {
                            data.insert(guest);
                        }
                    })
                    .finish(map_config(app, |_| AppConfig::default()));
                let (lane, greet, stop) = (lane.clone(), greet.clone(), stop.clone());
                fn_factory(move || {
                    let (http, greet) = (http.new_service(()), greet.clone());
                    let (lane, stop) = (lane.as_ref().map(|lane| lane()), stop.clone());
                    async move {
                        let front = Rc::new(Front::new(service, http.await?, lane, stop));
                        Ok::<_, ()>(fn_service(move |stream: TcpStream| {
                            let front = front.clone();
                            let guest = greet.as_ref().map(|greet| greet(&stream));
                            async move { front.serve(stream, guest).await }
                        }))
                    }
                })
            };
            server.listen(service, listener, factory).map_err(other)?.run()
        }
    };
    let handle = server.handle();
    let task = actix_web::rt::spawn(server);
    tracing::debug!(service.name = service, service.addr = %addr, "{service} listens on {addr}");
    Ok(Running { service, addr, companions: Vec::new(), handle, task })
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

/// The whole of a service's `main`: settings, logging, start, wait for the signal, drain.
pub fn run<C, F, Fut>(start: F) -> ExitCode
where
    C: Settings,
    F: FnOnce(C) -> Fut,
    Fut: Future<Output = Result<Running, StartError>>,
{
    run_all(|config| async {
        // Not where a family shares one terminal, which says by this signal that it is gone.
        crate::hangup::listen_to_hangups();
        let running = start(config).await?;
        tracing::info!(service.name = running.service, service.addr = %running.addr, "{} listens on {}", running.service, running.addr);
        Ok(vec![running])
    })
}

/// As `run`, for a process of several servers; they are stopped in the order given.
pub fn run_all<C, F, Fut>(start: F) -> ExitCode
where
    C: Settings,
    F: FnOnce(C) -> Fut,
    Fut: Future<Output = Result<Vec<Running>, StartError>>,
{
    run_once(|config| async {
        // A signal during a long start counts too: nothing has been promised to anybody yet.
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

/// A process that does its work and ends: settings, logging, the work.
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
