//! Temporary databases, the services over them, and nginx to compare with.

use std::{
    cell::Cell,
    path::{Path, PathBuf},
    rc::Rc,
};

use rcgen::{CertifiedKey, generate_simple_self_signed};
use reqwest::header::ETAG;
use testkit::{Engine, TestStore, servers::free_port};

use crate::{
    fixture,
    fixture::{Service, Size},
    load::{Request, Requests, Wrk},
    process::{Process, Processors},
    rounds::Pace,
};

/// The key for signing a network's notifications.
pub const NOTIFY_SECRET: &str = "whsec_YmVuY2gtYmVuY2gtYmVuY2g=";

/// The environment of all benchmarks: servers, programs, CPUs.
pub struct Stage {
    /// The number and duration of turns.
    pub pace: Pace,
    /// The CPUs.
    pub processors: Processors,
    /// The folder of logs and results.
    pub out: PathBuf,
    /// The folder of the services' binaries.
    pub programs: PathBuf,
    /// Sends single requests.
    pub client: reqwest::Client,
}

/// A service with a database of its own.
pub struct Running {
    /// The process.
    pub process: Process,
    /// Its database, removed on drop.
    pub store: TestStore,
}

/// How to run a service.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// The engine.
    pub engine: Engine,
    /// Whether it is pinned to the servers' CPU.
    pub pinned: bool,
}

impl Stage {
    /// Fills a database and starts the service with one worker.
    pub async fn service(&self, service: Service, setup: Setup, size: Size) -> anyhow::Result<Running> {
        let store = self.library(service, setup.engine, size).await?;
        let name = service.program();
        let log = self.log(&format!("{name}-{}", format!("{:?}", setup.engine).to_lowercase()))?;
        let process = Process::service(name, self.command(name, &store, setup.pinned), &log).await?;
        Ok(Running { process, store })
    }

    /// Fills a database without a service.
    pub async fn library(&self, service: Service, engine: Engine, size: Size) -> anyhow::Result<TestStore> {
        let mut store = testkit::store(engine).await;
        // A single replica needs no Redis, and it would distort the measurement of the database.
        store.config.redis_url = None;
        fixture::fill(&store.config, service, size).await?;
        Ok(store)
    }

    /// Starts a program with one worker and further settings; `which` is part of its log's name.
    pub async fn start_with(
        &self,
        name: &str,
        store: &TestStore,
        settings: &[(&str, &str)],
        which: &str,
    ) -> anyhow::Result<Process> {
        let mut command = self.command(name, store, false);
        command.envs(settings.iter().copied());
        Process::service(name, command, &self.log(&format!("{name}-{which}"))?).await
    }

    fn command(&self, name: &str, store: &TestStore, pinned: bool) -> std::process::Command {
        let mut command = self.processors.command(&self.programs.join(name), pinned);
        let config = &store.config;
        command
            .env("WORKERS", "1")
            .env("DATA_DIR", &config.data_dir)
            .env("BRANDS_FILE", root().join("deploy/brands.toml"))
            .env("SESSION_PUBLIC_KEYS", testkit::minter().public_key())
            .env("ADMIN_TOKEN", testkit::ADMIN_TOKEN);
        for (variable, value) in [("DATABASE_URL", &config.database_url), ("REDIS_URL", &config.redis_url)] {
            command.env_remove(variable);
            if let Some(value) = value {
                command.env(variable, value);
            }
        }
        command
    }

    /// Starts the gateway with further settings; each variable names the replicas of a service.
    pub async fn gateway(
        &self,
        services: &[(&str, Vec<&Process>)],
        settings: &[(&str, &str)],
        pinned: bool,
    ) -> anyhow::Result<Process> {
        let pages = self.out.join("pages");
        testkit::write_pages(&pages);
        let mut command = self.processors.command(&self.programs.join("gateway"), pinned);
        command
            .current_dir(root())
            .env("OPS_BIND", "127.0.0.1:0")
            .env("FRONTEND_DIR", pages.canonicalize()?)
            .env("SESSION_PUBLIC_KEYS", testkit::minter().public_key())
            .envs(settings.iter().copied());
        for (variable, replicas) in services {
            let urls: Vec<_> = replicas.iter().map(|replica| format!("http://{}", replica.addr)).collect();
            command.env(variable, urls.join(","));
        }
        Process::service("gateway", command, &self.log("gateway")?).await
    }

    /// Starts nginx with one worker, serving files and, below `/api/`, a service.
    pub async fn nginx(&self, content: NginxContent<'_>, pinned: bool) -> anyhow::Result<Nginx> {
        let folder = tempfile::tempdir()?;
        for (name, bytes) in content.files {
            std::fs::write(folder.path().join(name), bytes)?;
        }
        let port = free_port().map_err(anyhow::Error::msg)?;
        let addr = std::net::SocketAddr::from(([127, 0, 0, 1], port));
        let config = folder.path().join("nginx.conf");
        // nginx's worker runs as another user and must be able to read the folder.
        let user = if is_root() { "user root;" } else { "" };
        let listen = match content.certificate {
            None => format!("listen {addr};"),
            Some(Certificate { chain, key, .. }) => {
                format!("listen {addr} ssl http2; ssl_certificate {chain}; ssl_certificate_key {key};")
            }
        };
        let text = include_str!("stage/nginx.conf")
            .replace("LISTEN", &listen)
            // Nothing listens on port 9 (RFC 863).
            .replace("UPSTREAM", &content.upstream.map_or("127.0.0.1:9".to_owned(), |service| service.to_string()))
            .replace("FOLDER", &folder.path().display().to_string())
            .replace("USER", user);
        std::fs::write(&config, text)?;
        let mut command = self.processors.command(Path::new("nginx"), pinned);
        command.args(["-e", "stderr", "-c"]).arg(&config).arg("-p").arg(folder.path());
        let process = Process::listening("nginx", command, addr, &self.log("nginx")?).await?;
        Ok(Nginx { process, _folder: folder })
    }

    /// A load with the configured number of connections.
    pub fn load(&self, process: &Process, requests: &Rc<Requests>, expect: u16) -> Wrk {
        Wrk {
            addr: process.addr,
            pid: process.id(),
            connections: self.pace.connections,
            requests: requests.clone(),
            expect,
            client: self.client.clone(),
            position: Cell::new(0),
        }
    }

    /// Sends a request that is answered 200; returns the response's body and entity tag.
    pub async fn fetch(&self, process: &Process, request: Request) -> anyhow::Result<(Vec<u8>, String)> {
        let response = request.expect(200, &self.client, process.addr).await?;
        let tag = response.headers.get(ETAG).and_then(|tag| tag.to_str().ok()).unwrap_or_default().to_owned();
        Ok((response.body, tag))
    }

    fn log(&self, name: &str) -> anyhow::Result<PathBuf> {
        let folder = self.out.join("logs");
        std::fs::create_dir_all(&folder)?;
        Ok(folder.join(format!("{name}.log")))
    }
}

/// The content that nginx serves.
#[derive(Clone, Copy)]
pub struct NginxContent<'a> {
    /// Files by name.
    pub files: &'a [(&'a str, &'a [u8])],
    /// The service it proxies to.
    pub upstream: Option<std::net::SocketAddr>,
    /// The certificate for TLS and HTTP/2; clear text without.
    pub certificate: Option<&'a Certificate>,
}

impl<'a> NginxContent<'a> {
    /// Files alone.
    pub fn files(files: &'a [(&'a str, &'a [u8])]) -> Self {
        Self { files, upstream: None, certificate: None }
    }
}

/// A self-signed certificate and its key, as the paths of PEM files.
pub struct Certificate {
    /// The certificate's file.
    pub chain: String,
    /// The key's file.
    pub key: String,
    _folder: tempfile::TempDir,
}

impl Certificate {
    /// Creates one for `host`.
    pub fn of(host: &str) -> anyhow::Result<Self> {
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed([host.to_owned()])?;
        let folder = tempfile::tempdir()?;
        let (chain, key) = (folder.path().join("cert.pem"), folder.path().join("key.pem"));
        std::fs::write(&chain, cert.pem())?;
        std::fs::write(&key, signing_key.serialize_pem())?;
        Ok(Self { chain: chain.display().to_string(), key: key.display().to_string(), _folder: folder })
    }
}

/// nginx with a folder of its own.
pub struct Nginx {
    /// The process.
    pub process: Process,
    _folder: tempfile::TempDir,
}

/// The repository's root.
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn is_root() -> bool {
    std::process::Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}
