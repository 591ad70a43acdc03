//! `brands.toml`: which brand a host names, which service a name means, and where a brand's visitors are sent.
//!
//! Read `Brands` first (the file), then `Brand` (one entry); `host.rs` turns a Host header into a label.

mod host;

use std::{collections::BTreeMap, path::Path, sync::Arc};

use serde::{Deserialize, Serialize};

pub use host::{first_label, label_of_host};

/// The daily charge of every brand, in South African cents.
pub const PRICE_CENTS: i64 = 300;

/// What a brand shows, and so which service answers for it.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Comedians and their videos.
    Comedy,
    /// Footballers and their videos.
    Diski,
    /// Memes by category.
    Meme,
    /// Video on demand.
    Tt,
}

/// The shape of a mobile network's billing.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// We ask for each day's charge under a key of our choosing.
    Pull,
    /// The network charges by itself and tells us.
    Push,
}

/// A mobile network a brand can be billed through.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Network {
    /// Who charges: we ask, or the network does it by itself.
    pub shape: Shape,
    /// Base URL of the network's API; absent means the operator sandbox (`OPERATOR_URL`).
    pub url: Option<String>,
    /// Which of the subscription service's adapters speaks to it.
    #[serde(default = "usual_adapter")]
    pub adapter: String,
}

/// The contract's own API, which the operator sandbox speaks too.
fn usual_adapter() -> String {
    "rest".to_owned()
}

/// One brand: a service people subscribe to, under one or more host labels.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Brand {
    /// Host labels that show this brand; the first is the one addresses are built with.
    pub labels: Vec<String>,
    /// Which kind of site it is.
    pub kind: Kind,
    /// The service's name as API calls carry it.
    pub service: String,
    /// Other names API calls may use for the same service; matched without regard to case or surrounding blanks.
    #[serde(default)]
    pub aliases: Vec<String>,
    /// The number networks know the service by.
    pub svc_id: i32,
    /// Key of the network that bills it.
    pub network: String,
    /// The name people read.
    pub name: String,
    /// Path of the join form.
    pub join: String,
    /// Path of the home page of an active subscriber.
    pub home: String,
    /// Telephone number people call for help.
    pub helpline: String,
    /// E-mail address people write to for help.
    pub support_email: String,
    /// Own public address instead of the family's `public_url`, with the same placeholders.
    #[serde(default, skip_serializing)]
    pub public_url: Option<String>,
    /// Colours, by token name; handed to the front end as they are.
    #[serde(default)]
    pub theme: BTreeMap<String, String>,
    /// Texts that differ between brands of one kind; handed to the front end as they are.
    #[serde(default)]
    pub copy: BTreeMap<String, String>,
}

impl Brand {
    /// The label addresses are built with.
    pub fn label(&self) -> &str {
        self.labels.first().map_or("", String::as_str)
    }

    /// Whether `name` means this brand's service: its name, an alias or a label, case and surrounding blanks aside.
    pub fn answers_to(&self, name: &str) -> bool {
        let name = name.trim();
        std::iter::once(&self.service)
            .chain(&self.aliases)
            .chain(&self.labels)
            .any(|known| known.eq_ignore_ascii_case(name))
    }

    /// The first folder of the brand's media addresses: its service name in lower case, without blanks.
    pub fn media_folder(&self) -> String {
        self.service.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase()
    }
}

/// Why `brands.toml` could not be used; each message is one line that names the file or the entry at fault.
#[derive(Debug, thiserror::Error)]
pub enum BrandsError {
    /// The file could not be opened or read.
    #[error("BRANDS_FILE: cannot read {path}: {cause}")]
    Unreadable {
        /// The path as configured.
        path: String,
        /// What the system said.
        cause: std::io::Error,
    },
    /// The file is not TOML of the expected form.
    #[error("BRANDS_FILE: {path}: {cause}")]
    Malformed {
        /// The path as configured.
        path: String,
        /// What the parser said, on one line.
        cause: String,
    },
    /// Two entries contradict each other, or one refers to nothing.
    #[error("BRANDS_FILE: {0}")]
    Inconsistent(String),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    public_url: String,
    #[serde(default)]
    network: BTreeMap<String, Network>,
    #[serde(default)]
    brand: Vec<Brand>,
}

/// Every brand of the family, checked for contradictions.
#[derive(Clone, Debug)]
pub struct Brands {
    public_url: String,
    networks: BTreeMap<String, Network>,
    brands: Vec<Arc<Brand>>,
}

impl Brands {
    /// Reads and checks the file at `path`.
    pub fn load(path: &Path) -> Result<Self, BrandsError> {
        let shown = path.display().to_string();
        let text =
            std::fs::read_to_string(path).map_err(|cause| BrandsError::Unreadable { path: shown.clone(), cause })?;
        Self::parse(&text, &shown)
    }

    /// Parses and checks `text`; `path` is only for messages.
    pub fn parse(text: &str, path: &str) -> Result<Self, BrandsError> {
        let file: File = toml::from_str(text).map_err(|error| {
            let line =
                error.span().and_then(|span| text.get(..span.start)).map_or(1, |before| before.lines().count().max(1));
            BrandsError::Malformed {
                path: path.to_owned(),
                cause: format!("line {line}: {}", error.message().replace('\n', " ")),
            }
        })?;
        let brands = file.brand.into_iter().map(Arc::new).collect();
        let brands = Self { public_url: file.public_url, networks: file.network, brands };
        brands.check()?;
        Ok(brands)
    }

    fn check(&self) -> Result<(), BrandsError> {
        let fault = |text: String| Err(BrandsError::Inconsistent(text));
        if self.brands.is_empty() {
            return fault("it holds no [[brand]]".to_owned());
        }
        for (index, brand) in self.brands.iter().enumerate() {
            if brand.labels.is_empty() {
                return fault(format!("brand {} has no labels", brand.service));
            }
            for label in &brand.labels {
                let plain = !label.is_empty()
                    && label.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
                if !plain || label == "88" || label.starts_with("demo") {
                    return fault(format!("label {label:?} cannot be a brand's host label"));
                }
            }
            if !self.networks.contains_key(&brand.network) {
                return fault(format!("brand {} names the unknown network {:?}", brand.service, brand.network));
            }
            for path in [&brand.join, &brand.home] {
                if !path.starts_with('/') {
                    return fault(format!("brand {}: path {path:?} does not start with /", brand.service));
                }
            }
            for other in self.brands.iter().skip(index + 1) {
                if other.svc_id == brand.svc_id {
                    return fault(format!("svc_id {} belongs to two brands", brand.svc_id));
                }
                let names = other.labels.iter().chain(&other.aliases).chain([&other.service]);
                if let Some(name) = names.into_iter().find(|name| brand.answers_to(name)) {
                    return fault(format!("the name {name:?} belongs to two brands"));
                }
            }
        }
        Ok(())
    }

    /// All brands, in the file's order.
    pub fn iter(&self) -> impl Iterator<Item = &Brand> {
        self.brands.iter().map(Arc::as_ref)
    }

    /// The brand that a host label shows.
    pub fn by_label(&self, label: &str) -> Option<&Arc<Brand>> {
        self.brands.iter().find(|brand| brand.labels.iter().any(|known| known == label))
    }

    /// The brand with this service id.
    pub fn by_svc_id(&self, svc_id: i32) -> Option<&Brand> {
        self.iter().find(|brand| brand.svc_id == svc_id)
    }

    /// The brand whose service a name in an API call means, among those of `kind`.
    pub fn by_service_name(&self, kind: Kind, name: &str) -> Option<&Brand> {
        self.iter().find(|brand| brand.kind == kind && brand.answers_to(name))
    }

    /// The brand whose media live below `/media/{folder}/`.
    pub fn by_media_folder(&self, folder: &str) -> Option<&Brand> {
        self.iter().find(|brand| brand.media_folder() == folder)
    }

    /// The brand and label that a request's host (and, on a host labelled `88`, its `domain` parameter) picks.
    pub fn of_request(&self, host: &str, domain: Option<&str>) -> Option<(&Arc<Brand>, String)> {
        let label = label_of_host(host, domain)?;
        let brand = self.by_label(&label)?;
        Some((brand, label))
    }

    /// The network a brand is billed through.
    pub fn network_of(&self, brand: &Brand) -> Option<&Network> {
        self.networks.get(&brand.network)
    }

    /// The network of this name.
    pub fn network(&self, name: &str) -> Option<&Network> {
        self.networks.get(name)
    }

    /// Where people are sent back to: the brand's configured public address for `label`, without a trailing slash.
    ///
    /// Never built from a request's Host, so that a forged one cannot redirect anybody.
    pub fn public_url(&self, brand: &Brand, label: &str, port: u16) -> String {
        brand
            .public_url
            .as_ref()
            .unwrap_or(&self.public_url)
            .replace("{label}", label)
            .replace("{port}", &port.to_string())
            .trim_end_matches('/')
            .to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAMILY: &str = include_str!("../../../deploy/brands.toml");

    fn family() -> Brands {
        Brands::parse(FAMILY, "brands.toml").unwrap()
    }

    #[test]
    fn the_contracts_table_of_brands_holds() {
        let brands = family();
        for (label, kind, service, svc_id, join, home) in [
            ("mcfunny", Kind::Comedy, "MC Funny", 148, "/login", "/redirect"),
            ("madfunny", Kind::Comedy, "MC Funny", 148, "/login", "/redirect"),
            ("memeworld", Kind::Meme, "memeworld", 150, "/memelogin", "/redirectTo"),
            ("diski99", Kind::Diski, "diski99", 151, "/diskilogin", "/doRedirect"),
            ("ttmbhatv", Kind::Tt, "ttmbhatv", 152, "/ttlogin", "/ttredirect"),
            ("racedaytv", Kind::Tt, "raceday", 153, "/racedaylogin", "/ttredirect"),
        ] {
            let brand = brands.by_label(label).unwrap();
            assert_eq!(
                (brand.kind, brand.service.as_str(), brand.svc_id, brand.join.as_str(), brand.home.as_str()),
                (kind, service, svc_id, join, home)
            );
            let shape = brands.network_of(brand).unwrap().shape;
            assert_eq!(shape, if kind == Kind::Tt { Shape::Push } else { Shape::Pull });
        }
    }

    #[test]
    fn service_names_match_through_their_aliases() {
        let brands = family();
        for name in ["madfunny", "mcfunny", "Mad Funny", "MC Funny", " mc funny ", "MADFUNNY"] {
            assert_eq!(brands.by_service_name(Kind::Comedy, name).unwrap().svc_id, 148, "{name}");
        }
        for name in ["raceday", "RaceDayTV", "RACEDAYTV"] {
            assert_eq!(brands.by_service_name(Kind::Tt, name).unwrap().svc_id, 153, "{name}");
        }
        assert!(brands.by_service_name(Kind::Tt, "memeworld").is_none());
        assert!(brands.by_service_name(Kind::Comedy, "").is_none());
    }

    #[test]
    fn a_public_address_comes_from_the_file() {
        let brands = family();
        let brand = brands.by_label("madfunny").unwrap();
        assert_eq!(brands.public_url(brand, "madfunny", 9000), "http://madfunny.localhost:9000");
    }

    #[test]
    fn a_bad_file_is_one_line_that_names_the_fault() {
        let cases = [
            ("public_url = 3", "line 1"),
            ("public_url = ''\n[[brand]]\nlabels = []\nx = 1", "unknown field"),
            ("public_url = ''", "no [[brand]]"),
            (&FAMILY.replace("svc_id = 153", "svc_id = 152"), "svc_id 152"),
            (&FAMILY.replace("\"racedaytv\"]\nkind", "\"ttmbhatv\"]\nkind"), "\"ttmbhatv\""),
            (&FAMILY.replace("network = \"sandbox-push\"", "network = \"moon\""), "\"moon\""),
            (&FAMILY.replace("[\"memeworld\"]", "[\"Meme World\"]"), "\"Meme World\""),
        ];
        for (text, expected) in cases {
            let message = Brands::parse(text, "brands.toml").unwrap_err().to_string();
            assert!(message.contains(expected), "{message}");
            assert!(message.starts_with("BRANDS_FILE") && !message.contains('\n'), "{message}");
        }
        let message = Brands::load(Path::new("/nowhere/brands.toml")).unwrap_err().to_string();
        assert!(message.contains("/nowhere/brands.toml"), "{message}");
    }
}
