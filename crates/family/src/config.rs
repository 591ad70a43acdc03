//! The family's settings, and what each service gets of them.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
};

use clap::builder::{OsStringValueParser, TypedValueParser};
use service::{Production, ServeConfig, Settings, StartError};
use store::StoreConfig;

use crate::keys::Keys;

/// The settings of the whole family on one machine, each from the environment variable named beside it.
#[derive(clap::Parser, Clone)]
#[command(
    name = "family",
    version,
    about,
    after_help = "--openapi\n  prints the OpenAPI document of all services, merged, and ends\n--openapi backoffice\n  prints the OpenAPI document of the back office, and ends\n--settings\n  prints the environment variables of every program as Markdown tables, and ends"
)]
pub struct Config {
    /// The gateway's port; the others follow it: comedy +1, diski +2, meme +3, tt +4, subscription +5, back office +6, ops +9, operator sandbox +10.
    #[arg(long, env = "PORT", default_value_t = 8080, value_parser = clap::value_parser!(u16).range(1..))]
    pub port: u16,
    /// Where every service keeps its state. DATA_DIR is also the folder of everything else that must survive a restart.
    #[command(flatten)]
    pub store: StoreConfig,
    /// A number that joins without the network's confirmation and is never charged; empty: there is none.
    #[arg(long, env = "TEST_MSISDN", default_value = "27600000000")]
    pub test_msisdn: String,
    /// Whether it would serve real customers, which it refuses.
    #[command(flatten)]
    pub production: Production,
    /// The token of `/internal` calls.
    #[arg(long, env = "ADMIN_TOKEN", default_value = "dev-admin", hide_env_values = true)]
    pub admin_token: String,
    /// The key with which the sandbox signs its notifications.
    #[arg(long, env = "NOTIFY_SECRET", default_value = "whsec_ZGV2LW5vdGlmeQ==", hide_env_values = true)]
    pub notify_secret: String,
    /// The name and password by which the sandbox's SOAP and CAMARA networks know the subscription service.
    #[arg(long, env = "NETWORK_CREDENTIALS", default_value = "spaza:dev-network", hide_env_values = true)]
    pub network_credentials: String,
    /// The secret behind the charges' keys. It must never change. Unset: NOTIFY_SECRET.
    #[arg(long, env = "CHARGE_KEY_SECRET", hide_env_values = true)]
    pub charge_key_secret: Option<String>,
    /// The file with the brands and networks.
    #[arg(long, env = "BRANDS_FILE", default_value = "deploy/brands.toml")]
    pub brands_file: PathBuf,
    /// Networks, and offers of brands on them, that are added to BRANDS_FILE; empty: none.
    #[arg(long, env = "DEMO_NETWORKS", default_value = "deploy/demo/networks.toml", value_parser = OsStringValueParser::new().map(PathBuf::from))]
    pub demo_networks: PathBuf,
    /// The manifest that the first start imports; empty: none.
    #[arg(long, env = "DEMO_MANIFEST", default_value = "deploy/demo/manifest.json", value_parser = OsStringValueParser::new().map(PathBuf::from))]
    pub demo_manifest: PathBuf,
    /// The built front end.
    #[arg(long, env = "FRONTEND_DIR", default_value = "frontend/dist")]
    pub frontend_dir: PathBuf,
    /// The folder behind `/media/`.
    #[arg(long, env = "MEDIA_DIR", default_value = "deploy/demo/media")]
    pub media_dir: PathBuf,
    /// The image origins that are resized, and the folder of each.
    #[arg(long, env = "IMAGE_ORIGINS", default_value = "https://images.spaza.example=deploy/demo/images")]
    pub image_origins: gateway::ImageOrigins,
    /// The times of the daily billing passes, in Johannesburg; empty: only on request.
    #[arg(long, env = "BILLING_TIMES", default_value = "06:00,13:00,18:00")]
    pub billing_times: subscription::BillingTimes,
    /// Networks (CIDR, separated by commas) whose `X-Forwarded-*` headers are trusted; empty: none.
    #[arg(long, env = "TRUSTED_PROXIES", default_value = "")]
    pub trusted_proxies: service::Cidrs,
    /// Which clients' enrichment header is trusted.
    #[command(flatten)]
    pub enrichment: identity::Enrichment,
    /// What is held against fraud.
    #[command(flatten)]
    pub fraud: subscription::FraudLimits,
    /// Threads and log of every service.
    #[command(flatten)]
    pub serve: ServeConfig,
}

impl Settings for Config {
    fn log_format(&self) -> telemetry::LogFormat {
        self.serve.log_format
    }

    fn collector(&self) -> Option<&str> {
        self.serve.collector()
    }
}

/// Every service's port.
pub struct Ports {
    pub gateway: u16,
    pub comedy: u16,
    pub diski: u16,
    pub meme: u16,
    pub tt: u16,
    pub subscription: u16,
    pub backoffice: u16,
    pub ops: u16,
    pub operator_sandbox: u16,
}

impl Ports {
    /// A service's base URL on this machine.
    pub fn url(&self, port: u16) -> String {
        format!("http://127.0.0.1:{port}")
    }
}

fn loopback(port: u16) -> SocketAddr {
    SocketAddr::from(([127, 0, 0, 1], port))
}

impl Config {
    /// An error where it would serve real customers: its network is the operator sandbox.
    pub fn refuse_production(&self) -> Result<(), StartError> {
        if self.production.on {
            return Err(StartError::Setting(
                "PRODUCTION: the whole family in one process runs the operator sandbox as its network and serves no real customers: start each service by itself".to_owned(),
            ));
        }
        Ok(())
    }

    /// The ports that follow from PORT.
    pub fn ports(&self) -> Result<Ports, StartError> {
        let at = |offset: u16| {
            self.port.checked_add(offset).ok_or_else(|| {
                StartError::Setting(format!("PORT: {} leaves no room for the ten ports after it", self.port))
            })
        };
        Ok(Ports {
            gateway: self.port,
            comedy: at(1)?,
            diski: at(2)?,
            meme: at(3)?,
            tt: at(4)?,
            subscription: at(5)?,
            backoffice: at(6)?,
            ops: at(9)?,
            operator_sandbox: at(10)?,
        })
    }

    fn catalogue(&self, ports: &Ports, keys: &Keys) -> catalogue::Config {
        catalogue::Config {
            brands_file: self.brands_file.clone(),
            public_port: ports.gateway,
            admin_token: Some(self.admin_token.clone()),
            staff_token_public_keys: Some(keys.staff_public.clone()),
            changes_months: 24,
            production: Production::default(),
            store: self.store.clone(),
            serve: self.serve.clone(),
        }
    }

    /// The content that a first start loads, if any.
    pub fn demo_manifest(&self) -> Option<&Path> {
        Some(self.demo_manifest.as_path()).filter(|path| !path.as_os_str().is_empty())
    }

    fn test_msisdn(&self) -> Option<String> {
        Some(self.test_msisdn.trim()).filter(|number| !number.is_empty()).map(str::to_owned)
    }

    /// What the comedy service gets.
    pub fn comedy(&self, ports: &Ports, keys: &Keys) -> comedy::Config {
        comedy::Config { bind: loopback(ports.comedy), catalogue: self.catalogue(ports, keys) }
    }

    /// What the diski service gets.
    pub fn diski(&self, ports: &Ports, keys: &Keys) -> diski::Config {
        diski::Config { bind: loopback(ports.diski), catalogue: self.catalogue(ports, keys) }
    }

    /// What the meme service gets.
    pub fn meme(&self, ports: &Ports, keys: &Keys) -> meme::Config {
        meme::Config {
            bind: loopback(ports.meme),
            session_public_keys: keys.public.clone(),
            catalogue: self.catalogue(ports, keys),
        }
    }

    /// What the tt service gets.
    pub fn tt(&self, ports: &Ports, keys: &Keys) -> tt::Config {
        tt::Config {
            bind: loopback(ports.tt),
            session_public_keys: keys.public.clone(),
            catalogue: self.catalogue(ports, keys),
        }
    }

    /// What the subscription service gets.
    pub fn subscription(&self, ports: &Ports, keys: &Keys) -> subscription::Config {
        subscription::Config {
            bind: loopback(ports.subscription),
            brands_file: self.brands_file.clone(),
            session_secret_key: keys.secret.clone(),
            session_public_keys: None,
            staff_token_public_keys: Some(keys.staff_public.clone()),
            // Each network at an address of its own.
            operator_url: format!("{}/networks/{{network}}", ports.url(ports.operator_sandbox)),
            number_lookup_url: Some(format!("{}/numbers", ports.url(ports.operator_sandbox))),
            notify_secret: self.notify_secret.clone(),
            network_credentials: Some(self.network_credentials.clone()),
            charge_key_secret: self.charge_key_secret.clone(),
            public_port: ports.gateway,
            test_msisdn: self.test_msisdn(),
            production: Production::default(),
            admin_token: Some(self.admin_token.clone()),
            test_clock: true,
            billing_times: self.billing_times.clone(),
            charge_timeout_ms: 5000,
            max_charges_per_number: 5,
            max_charges_per_hour: 1_000_000,
            ledger_months: 84,
            events_months: 36,
            enrichment: self.enrichment.clone(),
            fraud: subscription::FraudLimits {
                join_signals: Some(self.fraud.join_signals.unwrap_or(subscription::JoinSignals::Observed)),
                ..self.fraud.clone()
            },
            crash_points: None,
            store: self.store.clone(),
            serve: self.serve.clone(),
        }
    }

    /// What the back office gets.
    pub fn backoffice(&self, ports: &Ports, keys: &Keys) -> backoffice::Config {
        backoffice::Config {
            bind: loopback(ports.backoffice),
            // The gateway's has the metrics of the whole process.
            ops_bind: None,
            backoffice_url: format!("http://localhost:{}", ports.backoffice),
            backoffice_dir: self.frontend_dir.join("backoffice"),
            first_administrator: "administrator@spaza.example".to_owned(),
            subscription_url: ports.url(ports.subscription),
            comedy_url: ports.url(ports.comedy),
            diski_url: ports.url(ports.diski),
            meme_url: ports.url(ports.meme),
            tt_url: ports.url(ports.tt),
            staff_token_secret_key: keys.staff_secret.clone(),
            second_factor_keys: keys.second_factor.clone(),
            single_sign_on: backoffice::SingleSignOnConfig::default(),
            uploads: self.uploads(),
            trusted_proxies: service::Cidrs::default(),
            admin_token: Some(self.admin_token.clone()),
            test_clock: true,
            production: Production::default(),
            store: self.store.clone(),
            serve: self.serve.clone(),
        }
    }

    /// Where films (`media`) and pictures (`images`) that editors upload are published; the gateway reads them there.
    pub fn published_dir(&self, kind: &str) -> PathBuf {
        self.store.data_dir.join("published").join(kind)
    }

    /// Editors upload films, and pictures of the first origin.
    fn uploads(&self) -> backoffice::UploadsConfig {
        let target = |folder: &Path| {
            let folder = std::path::absolute(folder).ok()?;
            url::Url::from_directory_path(folder).ok().map(String::from)
        };
        let images = self.image_origins.0.first().and_then(|(origin, _)| {
            Some(format!("{origin}/uploads={}", target(&self.published_dir("images/uploads"))?))
        });
        let media = target(&self.published_dir("media")).filter(|_| images.is_some());
        let origins = self.image_origins.0.iter().map(|(origin, folder)| format!("{origin}={}", folder.display()));
        let origins: Vec<_> = origins.collect();
        backoffice::UploadsConfig {
            media_target: media,
            image_target: images,
            media_dir: self.media_dir.display().to_string(),
            image_origins: origins.join(","),
            brands_file: self.brands_file.clone(),
            ..backoffice::UploadsConfig::default()
        }
    }

    /// What the operator sandbox gets.
    pub fn operator_sandbox(&self, ports: &Ports) -> operator_sandbox::Config {
        operator_sandbox::Config {
            bind: loopback(ports.operator_sandbox),
            public_url: format!("http://localhost:{}", ports.operator_sandbox),
            notify_url: ports.url(ports.gateway),
            notify_secret: self.notify_secret.clone(),
            network_credentials: Some(self.network_credentials.clone()),
            brands_file: self.brands_file.clone(),
            public_port: ports.gateway,
            admin_token: Some(self.admin_token.clone()),
            test_clock: true,
            production: Production::default(),
            store: self.store.clone(),
            serve: self.serve.clone(),
        }
    }

    /// What the gateway gets.
    pub fn gateway(&self, ports: &Ports, keys: &Keys) -> Result<gateway::Config, StartError> {
        let mut image_origins = self.image_origins.clone();
        image_origins
            .0
            .extend(self.image_origins.0.first().map(|(origin, _)| (origin.clone(), self.published_dir("images"))));
        let replicas = |port| ports.url(port).parse().map_err(|error| StartError::Setting(format!("PORT: {error}")));
        Ok(gateway::Config {
            bind: loopback(ports.gateway),
            ops_bind: loopback(ports.ops),
            public_port: ports.gateway,
            comedy_url: replicas(ports.comedy)?,
            diski_url: replicas(ports.diski)?,
            meme_url: replicas(ports.meme)?,
            tt_url: replicas(ports.tt)?,
            subscription_url: replicas(ports.subscription)?,
            frontend_dir: self.frontend_dir.clone(),
            media_dir: self.media_dir.clone(),
            uploaded_media_dir: Some(self.published_dir("media")),
            media_origin: gateway::MediaOrigin::default(),
            image_origins,
            images: gateway::ImageConfig::default(),
            brands_file: self.brands_file.clone(),
            session_public_keys: keys.public.clone(),
            staff_token_public_keys: Some(keys.staff_public.clone()),
            test_msisdn: self.test_msisdn(),
            production: false,
            operator_public_url: format!("http://localhost:{}", ports.operator_sandbox),
            trusted_proxies: self.trusted_proxies.clone(),
            enrichment: self.enrichment.clone(),
            protection: gateway::Protection::default(),
            serve: self.serve.clone(),
        })
    }
}
