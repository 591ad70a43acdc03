//! The servers: a service, the gateway and nginx in front of it, both with time limits of a few seconds.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    path::Path,
    process::{Child, Command, Stdio},
    sync::Mutex,
    thread,
    time::{Duration, Instant},
};

use actix_web::{App, HttpRequest, HttpResponse, HttpServer, rt::System, web};
use testkit::servers::free_port;

use crate::{HOST, SECONDS};

/// The size of the service's list.
const LIST_BYTES: usize = 16 * 1024;

/// A service that responds with a list and records its requests.
pub struct Service {
    pub addr: SocketAddr,
    seen: web::Data<Mutex<Vec<String>>>,
}

impl Service {
    /// Starts it; it runs until the process ends.
    pub fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
        let addr = listener.local_addr().unwrap();
        let seen = web::Data::new(Mutex::<Vec<String>>::default());
        let data = seen.clone();
        thread::spawn(move || {
            let app = move || App::new().app_data(data.clone()).default_service(web::to(list));
            let server = HttpServer::new(app).workers(2).disable_signals().listen(listener).unwrap().run();
            System::new().block_on(server).unwrap();
        });
        Self { addr, seen }
    }

    /// The paths that were requested.
    pub fn seen(&self) -> Vec<String> {
        self.seen.lock().unwrap().clone()
    }
}

async fn list(req: HttpRequest, _: web::Bytes, seen: web::Data<Mutex<Vec<String>>>) -> HttpResponse {
    if req.path() != "/readyz" {
        seen.lock().unwrap().push(req.uri().to_string());
    }
    HttpResponse::Ok().content_type("application/json").body(format!("[\"{}\"]", "x".repeat(LIST_BYTES)))
}

/// A server process, killed on drop.
pub struct Server {
    pub addr: SocketAddr,
    name: &'static str,
    child: Child,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// The gateway in front of `service`, with its files below `folder`.
    pub fn gateway(folder: &Path, service: SocketAddr) -> Self {
        testkit::write_pages(&folder.join("dist"));
        for name in ["media", "images"] {
            std::fs::create_dir_all(folder.join(name)).unwrap();
        }
        let addr = any();
        let brands = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../deploy/brands.toml");
        let text = |path: &Path| path.display().to_string();
        let mut command = Command::new(env!("CARGO_BIN_EXE_gateway"));
        command.env_clear().envs([
            ("BIND", addr.to_string()),
            ("OPS_BIND", any().to_string()),
            ("BRANDS_FILE", text(&brands)),
            ("FRONTEND_DIR", text(&folder.join("dist"))),
            ("MEDIA_DIR", text(&folder.join("media"))),
            ("IMAGE_ORIGINS", format!("https://images.spaza.example={}", text(&folder.join("images")))),
            ("SESSION_PUBLIC_KEYS", testkit::minter().public_key()),
            ("HEAD_SECONDS", SECONDS.to_string()),
            ("BODY_SECONDS", SECONDS.to_string()),
            ("RATE_LIMIT", "0".to_owned()),
        ]);
        for name in ["COMEDY_URL", "DISKI_URL", "MEME_URL", "TT_URL", "SUBSCRIPTION_URL"] {
            command.env(name, format!("http://{service}"));
        }
        Self::start("gateway", addr, &mut command)
    }

    /// nginx in front of the same service; `None` if it is not installed.
    pub fn nginx(folder: &Path, service: SocketAddr) -> Option<Self> {
        let path = std::env::var_os("PATH").unwrap_or_default();
        let program = std::env::split_paths(&path).map(|folder| folder.join("nginx")).find(|file| file.is_file())?;
        let addr = any();
        let folder = folder.display();
        let temporary: String = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|name| format!("{name}_temp_path {folder}/nginx-{name};\n"))
            .concat();
        let config = format!(
            "daemon off;\nmaster_process off;\npid {folder}/nginx.pid;\nerror_log /dev/null;\n\
             events {{ worker_connections 4096; }}\n\
             http {{\naccess_log off;\n{temporary}\
             client_header_timeout {SECONDS}s;\nclient_body_timeout {SECONDS}s;\nkeepalive_timeout {SECONDS}s;\n\
             client_max_body_size 64k;\n\
             server {{\nlisten {addr};\nlocation / {{\nproxy_pass http://{service};\nproxy_http_version 1.1;\n\
             proxy_set_header Connection \"\";\nproxy_set_header Host $host;\n}}\n}}\n}}\n"
        );
        let file = format!("{folder}/nginx.conf");
        std::fs::write(&file, config).unwrap();
        let mut command = Command::new(program);
        command.args(["-e", "stderr", "-c", file.as_str(), "-p"]).arg(folder.to_string());
        Some(Self::start("nginx", addr, &mut command))
    }

    fn start(name: &'static str, addr: SocketAddr, command: &mut Command) -> Self {
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let mut server = Self { addr, name, child };
        let started = Instant::now();
        while !server.answers() {
            assert!(server.child.try_wait().unwrap().is_none(), "{name} has ended");
            assert!(started.elapsed() < Duration::from_secs(60), "{name} does not answer");
            thread::sleep(Duration::from_millis(50));
        }
        server
    }

    /// Whether it responds with the service's list within ten seconds.
    pub fn answers(&self) -> bool {
        let Ok(mut stream) = TcpStream::connect(self.addr) else { return false };
        stream.set_read_timeout(Some(Duration::from_secs(10))).unwrap();
        let request = format!("GET /api/meme/random HTTP/1.1\r\nHost: {HOST}\r\nConnection: close\r\n\r\n");
        let mut response = Vec::new();
        let read = stream.write_all(request.as_bytes()).and_then(|()| stream.read_to_end(&mut response));
        read.is_ok() && response.starts_with(b"HTTP/1.1 200") && response.len() > LIST_BYTES
    }

    /// A part of URLs that is sent only to this server.
    pub fn mark(&self) -> String {
        format!("port={}", self.addr.port())
    }

    /// Its resident memory in bytes.
    pub fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        let kilobytes: u64 = line.trim().trim_end_matches("kB").trim().parse().unwrap();
        kilobytes * 1024
    }

    /// Its name, for messages.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

fn any() -> SocketAddr {
    ([127, 0, 0, 1], free_port().unwrap()).into()
}
