//! `brands.toml`: the brand of a host, the service of a name, and a brand's public address.
//!
//! Read `Brands` first (the current content of the file), then `Brand` (one entry), `Offer` and `Network`; `host.rs` gets a label from a Host header, `table.rs`
//! validates the file, `watch.rs` reloads it, `more_networks.rs` adds networks from another file.

mod brand;
mod host;
mod more_networks;
mod network;
mod offer;
mod table;
mod watch;

use std::{net::IpAddr, path::Path, sync::Arc};

use arc_swap::ArcSwap;
use service::StartError;

pub use brand::{Brand, Kind};
pub use host::{first_label, label_of_host};
pub use more_networks::with_networks;
pub use network::{
    Adapter, BillingResult, Breaker, Camara, ClientProof, Confirmation, Network, NumberRecycling, NumberVerification,
    Pace, Shape, SimSwap, SubscriberNames, TimeOfDay, TimeZone,
};
pub use offer::{NetworkOffer, Offer, Parts, Period};
pub use table::BrandsError;

use host::name_of;
use table::Table;

/// The daily charge of a brand whose entry has none, in South African cents.
pub const PRICE_CENTS: i64 = 300;

/// The brands of the file. Clones share one table, and all change when one of them watches the file.
#[derive(Clone, Debug)]
pub struct Brands(Arc<ArcSwap<Table>>);

impl Brands {
    /// Reads and checks the file at `path`.
    pub fn load(path: &Path) -> Result<Self, BrandsError> {
        Table::load(path).map(Self::of)
    }

    /// Parses and checks `text`; `path` is only for messages.
    pub fn parse(text: &str, path: &str) -> Result<Self, BrandsError> {
        Table::parse(text.to_owned(), path).map(Self::of)
    }

    fn of(table: Table) -> Self {
        Self(Arc::new(ArcSwap::from_pointee(table)))
    }

    /// All brands, in the file's order.
    pub fn iter(&self) -> impl Iterator<Item = Arc<Brand>> + use<> {
        self.0.load().brands.clone().into_iter()
    }

    fn find(&self, matches: impl Fn(&Brand) -> bool) -> Option<Arc<Brand>> {
        self.0.load().brands.iter().find(|brand| matches(brand)).cloned()
    }

    /// The brand of a host label.
    pub fn by_label(&self, label: &str) -> Option<Arc<Brand>> {
        self.0.load().by_label(label).cloned()
    }

    /// The brand with this service id.
    pub fn by_svc_id(&self, svc_id: i32) -> Option<Arc<Brand>> {
        self.find(|brand| brand.svc_id == svc_id)
    }

    /// The brand of this `kind` whose service has this name.
    pub fn by_service_name(&self, kind: Kind, name: &str) -> Option<Arc<Brand>> {
        self.find(|brand| brand.kind == kind && brand.has_name(name))
    }

    /// The brand of the media below `/media/{folder}/`.
    pub fn by_media_folder(&self, folder: &str) -> Option<Arc<Brand>> {
        self.find(|brand| brand.media_folder() == folder)
    }

    /// The brand and label of a request's host: by the brands' domains, with the brand's first label, else by the host's own label. On
    /// the host that shows every brand, the `domain` parameter selects by the same rules.
    pub fn of_request(&self, host: &str, domain: Option<&str>) -> Option<(Arc<Brand>, String)> {
        let table = self.0.load();
        let listed = table.by_domain(name_of(host)).or_else(|| {
            let domain = domain.filter(|_| host::takes_domain(host))?;
            table.by_domain(name_of(domain))
        });
        if let Some(brand) = listed {
            return Some((brand.clone(), brand.label().to_owned()));
        }
        let label = label_of_host(host, domain)?;
        let brand = table.by_label(&label)?;
        Some((brand.clone(), label))
    }

    /// Whether this is the demo host that shows every brand (label 88).
    pub fn shows_every_brand(&self, host: &str) -> bool {
        host::takes_domain(host) && self.0.load().by_domain(name_of(host)).is_none()
    }

    /// The network that bills a brand.
    pub fn network_of(&self, brand: &Brand) -> Option<Arc<Network>> {
        self.network(&brand.network)
    }

    /// Every network with its name, also those no brand uses any more: people may still be subscribed through them.
    pub fn networks(&self) -> impl Iterator<Item = (String, Arc<Network>)> + use<> {
        self.0.load().networks.clone().into_iter()
    }

    /// The network to whose ranges a number (`27812345678`) belongs: the longest range that it begins with decides.
    pub fn network_by_range(&self, msisdn: &str) -> Option<String> {
        let table = self.0.load();
        let of_network = |(name, network): (&String, &Arc<Network>)| {
            let fitting = network.ranges.iter().filter(|range| msisdn.starts_with(range.as_str()));
            fitting.map(String::len).max().map(|length| (length, name.clone()))
        };
        table.networks.iter().filter_map(of_network).max().map(|(_, name)| name)
    }

    /// The network from whose addresses a client calls.
    pub fn network_by_address(&self, client: IpAddr) -> Option<String> {
        let table = self.0.load();
        table.networks.iter().find(|(_, network)| network.addresses.contain(client)).map(|(name, _)| name.clone())
    }

    /// The name by which people know a network.
    pub fn network_name(&self, network: &str) -> String {
        self.network(network).and_then(|entry| entry.name.clone()).unwrap_or_else(|| network.to_owned())
    }

    /// The company that sells the services, as SMSes name it.
    pub fn provider(&self) -> String {
        self.0.load().provider.clone()
    }

    /// The most that one number is charged in a calendar month, in South African cents, over all services and networks.
    pub fn month_limit_cents(&self) -> i64 {
        self.0.load().month_limit_cents
    }

    /// The most that a network charges one number in a calendar month, in South African cents: never more than the limit over all networks.
    pub fn month_limit_at(&self, network: &str) -> i64 {
        let table = self.0.load();
        let of_network = table.networks.get(network).and_then(|network| network.month_limit_cents);
        of_network.map_or(table.month_limit_cents, |limit| limit.min(table.month_limit_cents))
    }

    /// The network of this name.
    pub fn network(&self, name: &str) -> Option<Arc<Network>> {
        self.0.load().networks.get(name).cloned()
    }

    /// Whether a network names its subscribers by tokens.
    pub fn has_tokens(&self, network: &str) -> bool {
        self.network(network).is_some_and(|network| network.subscribers == SubscriberNames::Token)
    }

    /// A brand's offers on networks that tell the number of a browser's SIM.
    pub fn offers_by_sim<'a>(&self, brand: &'a Brand) -> impl Iterator<Item = &'a NetworkOffer> {
        let table = self.0.load_full();
        let tells_number = move |network: &str| {
            table.networks.get(network).is_some_and(|network| network.camara.number_verification.is_some())
        };
        brand.offers.iter().filter(move |offer| tells_number(&offer.network))
    }

    /// The brand's public address for `label`, without a trailing slash; redirects go there.
    ///
    /// Never built from a request's Host header, which can be forged.
    pub fn public_url(&self, brand: &Brand, label: &str, port: u16) -> String {
        brand
            .public_url
            .as_ref()
            .unwrap_or(&self.0.load().public_url)
            .replace("{label}", label)
            .replace("{port}", &port.to_string())
            .trim_end_matches('/')
            .to_owned()
    }

    /// An error if the file has what must not be used with real customers: a public address in plain http, or the operator sandbox as a
    /// network.
    pub fn check_production(&self) -> Result<(), StartError> {
        let table = self.0.load();
        let own = table.brands.iter().filter_map(|brand| brand.public_url.as_ref());
        for address in std::iter::once(&table.public_url).chain(own) {
            service::refuse_plain_http("BRANDS_FILE: public_url", address)?;
        }
        for (name, network) in &table.networks {
            if let Some(url) = &network.url {
                service::refuse_sandbox(&format!("BRANDS_FILE: url of network {name}"), url)?;
            }
            // The client's secret and the subscribers' numbers are sent there.
            let authorize_url = network
                .camara
                .number_verification
                .as_ref()
                .and_then(|verification| verification.authorize_url.as_ref());
            let addresses = [network.camara.url.as_ref(), network.camara.token_url.as_ref(), authorize_url];
            for url in addresses.into_iter().flatten() {
                let setting = format!("BRANDS_FILE: camara addresses of network {name}");
                service::refuse_sandbox(&setting, url)?;
                service::refuse_plain_http(&setting, url)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAMILY: &str = include_str!("../../../deploy/brands.toml");

    fn family() -> Brands {
        Brands::parse(FAMILY, "brands.toml").unwrap()
    }

    /// The family with domains of Raceday TV's and of TTMbha TV's.
    fn with_domains(raceday: &str, ttmbhatv: &str) -> String {
        FAMILY
            .replace("labels = [\"racedaytv\"]", &format!("labels = [\"racedaytv\"]\ndomains = {raceday}"))
            .replace("labels = [\"ttmbhatv\"]", &format!("labels = [\"ttmbhatv\"]\ndomains = {ttmbhatv}"))
    }

    /// The family with these offers of TTMbha TV's.
    fn with_offers(one: &str, other: &str) -> String {
        let of_ttmbhatv = "svc_id = 152\nnetwork = \"sandbox-push\"";
        let offers = format!("[[brand.offer]]\n{one}\n[[brand.offer]]\n{other}\n");
        let (before, after) = FAMILY.split_once(of_ttmbhatv).unwrap();
        let (keys, tables) = after.split_once("[brand.theme]").unwrap();
        format!("{before}svc_id = 152\n{keys}{offers}[brand.theme]{tables}")
    }

    #[test]
    fn copy_in_prefers_the_language() {
        let copy =
            [("tagline", "Laughs"), ("tagline.zu", "Ukuhleka"), ("terms", "/terms"), ("label.xh", "Imiqathango")];
        let mut brand = (*family().by_svc_id(150).unwrap()).clone();
        brand.copy = copy.map(|(key, text)| (key.to_owned(), text.to_owned())).into();
        assert_eq!(brand.copy_in("zu"), [("tagline", "Ukuhleka"), ("terms", "/terms")].into());
        assert_eq!(brand.copy_in("en"), [("tagline", "Laughs"), ("terms", "/terms")].into());
    }

    #[test]
    fn a_brand_has_an_offer_on_each_of_its_networks() {
        let brands =
            Brands::parse(&with_offers("network = 'sandbox-push'", "network = 'sandbox-pull'\nprice_cents = 500"), "");
        let brand = brands.unwrap().by_label("ttmbhatv").unwrap();
        assert_eq!((brand.network.as_str(), brand.offer), ("sandbox-push", Offer::default()));
        assert_eq!(brand.offer_on("sandbox-pull").map(|offer| offer.price_cents), Some(500));
        assert!(brand.offer_on("moon").is_none());
        let one = family().by_label("ttmbhatv").unwrap();
        assert_eq!((one.offers.len(), one.offer_on("sandbox-push").map(NetworkOffer::offer)), (1, Some(one.offer)));
    }

    #[test]
    fn an_offer_has_free_days_and_parts() {
        let offer = "network = 'sandbox-pull'\nfree_days = 1\nparts = [300, 200, 100]";
        let text = with_offers("network = 'sandbox-push'", offer);
        let limited = text.replace("\"rest\"", "\"rest\"\nmonth_limit_cents = 5000");
        let brands = Brands::parse(&limited, "").unwrap();
        let offer = brands.by_label("ttmbhatv").unwrap().offer_on("sandbox-pull").unwrap().offer();
        assert_eq!((offer.free_days, offer.parts.amounts().collect::<Vec<_>>()), (1, vec![300, 200, 100]));
        assert_eq!([300, 200, 100].map(|cents| offer.parts.after(cents)), [Some(200), Some(100), None]);
        assert_eq!((offer.parts.to_string().as_str(), Parts::parse("300,200,100")), ("300,200,100", offer.parts));
        assert!(Parts::parse("").is_empty() && Parts::parse("100,200").is_empty());
        assert_eq!((brands.month_limit_at("sandbox-pull"), brands.month_limit_at("sandbox-push")), (5000, 46_500));
        for adapter in ["soap", "camara"] {
            let text = text.replace("\"rest\"", &format!("\"{adapter}\""));
            assert!(Brands::parse(&text, "").is_ok(), "{adapter}");
        }
    }

    #[test]
    fn network_by_range_prefers_the_longest_range() {
        let text = FAMILY
            .replacen("adapter = \"rest\"", "adapter = \"rest\"\nranges = [\"2782\", \"278312\"]", 1)
            .replacen("adapter = \"datasync\"", "adapter = \"datasync\"\nranges = [\"2783\", \"27821\"]", 1);
        let brands = Brands::parse(&text, "").unwrap();
        for (number, network) in [
            ("27825550000", Some("sandbox-pull")),
            ("27821550000", Some("sandbox-push")),
            ("27831250000", Some("sandbox-pull")),
            ("27835550000", Some("sandbox-push")),
            ("27715550000", None),
        ] {
            assert_eq!(brands.network_by_range(number).as_deref(), network, "{number}");
        }
    }

    #[test]
    fn of_request_prefers_domains_to_labels() {
        let text = with_domains("[\"tv.example.co.za\", \"88.co.za\"]", "[\"memeworld.tv\"]");
        let brands = Brands::parse(&text, "brands.toml").unwrap();
        let label = |host: &str, domain: Option<&str>| brands.of_request(host, domain).map(|(_, label)| label);
        for (host, domain, expected) in [
            ("tv.example.co.za", None, Some("racedaytv")),
            ("TV.Example.co.za.:8443", None, Some("racedaytv")),
            ("88.co.za", None, Some("racedaytv")),
            ("memeworld.tv", None, Some("ttmbhatv")),
            ("memeworld.tv.example", None, Some("memeworld")),
            ("www.tv.example.co.za", None, None),
            ("racedaytv.anything", None, Some("racedaytv")),
            ("88.localhost", Some("tv.example.co.za"), Some("racedaytv")),
            ("88.localhost", Some("memeworld"), Some("memeworld")),
            ("127.0.0.1", Some("tv.example.co.za"), None),
        ] {
            assert_eq!(label(host, domain).as_deref(), expected, "{host} {domain:?}");
        }
        assert!(brands.shows_every_brand("88.localhost:8080") && !brands.shows_every_brand("88.co.za"));
        assert!(!brands.shows_every_brand("memeworld.localhost") && !brands.shows_every_brand("10.0.0.1"));
    }

    #[test]
    fn deployed_file_has_the_contracts_brands() {
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
            let shape = brands.network_of(&brand).unwrap().shape();
            assert_eq!(shape, if kind == Kind::Tt { Shape::Push } else { Shape::Pull });
        }
    }

    #[test]
    fn by_service_name_accepts_aliases() {
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
    fn public_url_is_built_from_the_file() {
        let brands = family();
        let brand = brands.by_label("madfunny").unwrap();
        assert_eq!(brands.public_url(&brand, "madfunny", 9000), "http://madfunny.localhost:9000");
    }

    #[test]
    fn check_production_requires_https_and_other_networks() {
        const PRODUCTION: &str = include_str!("../../../deploy/k8s/overlays/production/brands.toml");
        let check = |text: &str| Brands::parse(text, "brands.toml").unwrap().check_production();
        assert!(check(PRODUCTION).is_ok());
        let own = "kind = \"meme\"\npublic_url = \"http://memeworld.example\"";
        for (text, expected) in [
            (FAMILY.to_owned(), "BRANDS_FILE: public_url: \"http://{label}.localhost:{port}\""),
            (PRODUCTION.replace("kind = \"meme\"", own), "BRANDS_FILE: public_url: \"http://memeworld.example\""),
            (
                PRODUCTION.replace("https://push.network.example", "http://operator-sandbox:8090"),
                "BRANDS_FILE: url of network sandbox-push: operator-sandbox",
            ),
        ] {
            let line = check(&text).unwrap_err().to_string();
            assert!(line.starts_with(expected), "{line}");
        }
    }

    #[test]
    fn parse_error_is_one_line_that_names_the_fault() {
        let cases = [
            ("public_url = 3", "line 1"),
            ("public_url = ''\n[[brand]]\nlabels = []\nx = 1", "unknown field"),
            ("public_url = ''", "no [[brand]]"),
            (&FAMILY.replace("\"http://{label}", "\"{label}"), "public_url \"{label}.localhost:{port}\""),
            (&FAMILY.replace("svc_id = 153", "svc_id = 152"), "svc_id 152"),
            (&format!("month_limit_cents = 299\n{FAMILY}"), "an offer of 300 cents could never be charged"),
            (&FAMILY.replace("\"racedaytv\"]\nkind", "\"ttmbhatv\"]\nkind"), "\"ttmbhatv\""),
            (
                &FAMILY.replace("service = \"raceday\"", "service = \"M C Funny\""),
                "folder \"mcfunny\" belongs to two brands",
            ),
            (&FAMILY.replace("service = \"raceday\"", "service = \"raceday \""), "no call can name \"raceday \""),
            (&FAMILY.replace("service = \"raceday\"", "service = \"../up\""), "\"../up\" cannot be"),
            (&FAMILY.replace("network = \"sandbox-push\"", "network = \"moon\""), "\"moon\""),
            (&FAMILY.replace("adapter = \"datasync\"", "adapter = \"datasync\"\nopt_in = \"sms\""), "(opt_in)"),
            (&FAMILY.replace("\"datasync\"", "\"datasync\"\nsubscribers = \"token\""), "subscribers = \"token\""),
            (
                &FAMILY.replacen("\"rest\"", "\"rest\"\nsubscribers = \"token\"\nopt_in = \"sms\"", 1),
                "subscribers = \"token\"",
            ),
            (&FAMILY.replace("\"rest\"", "\"rest\"\nsms_to_tokens = true"), "sms_to_tokens"),
            (
                &FAMILY.replacen("\"rest\"", "\"rest\"\ncamara = { sim_swap = {} }", 1),
                "number_verification, sim_swap and number_recycling need the adapter camara",
            ),
            (
                &FAMILY.replacen(
                    "\"rest\"",
                    "\"camara\"\nurl = \"https://api.network.example\"\ncamara = { number_verification = {} }",
                    1,
                ),
                "number_verification needs authorize_url and issuer",
            ),
            (
                &FAMILY.replacen(
                    "\"rest\"",
                    "\"camara\"\ncamara = { url = \"https://api.network.example\", number_verification = { issuer = \"https://x\" } }",
                    1,
                ),
                "number_verification needs authorize_url and issuer",
            ),
            (
                &FAMILY.replacen("\"rest\"", "\"camara\"\ncamara = { sim_swap = { max_age_hours = 2401 } }", 1),
                "max_age_hours is 1 to 2400, and not 2401",
            ),
            (&FAMILY.replace("network = \"sandbox-push\"", ""), "names no network"),
            (&with_offers("network = 'moon'", "network = 'sandbox-pull'"), "\"moon\""),
            (&with_offers("network = 'sandbox-push'", "network = 'sandbox-push'"), "two offers on the network"),
            (&with_offers("network = 'sandbox-push'\nprice_cents = 0", "network = 'sandbox-pull'"), "0 cents"),
            (&with_offers("network = 'sandbox-push'\nperiod = 'year'", "network = 'sandbox-pull'"), "line "),
            (&with_offers("network = 'sandbox-push'\nprice_cents = 3", "network = 'sandbox-pull'"), "the lowest is 50"),
            (&with_offers("network = 'sandbox-push'\nprice = 300", "network = 'sandbox-pull'"), "unknown field `price`"),
            (&FAMILY.replacen("stop_number = \"31222\"", "stop_number = \"\"", 1), "stop_number is empty"),
            (&FAMILY.replacen("\"rest\"", "\"rest\"\ntime_zone = \"Sandton\"", 1), "no zone such as"),
            (&FAMILY.replacen("\"rest\"", "\"rest\"\nquiet_hours = [\"08:00\", \"20:00\"]", 1), "quiet_hours"),
            (&FAMILY.replacen("\"rest\"", "\"rest\"\nquiet_hours = [\"00:00\", \"00:00\"]", 1), "quiet_hours"),
            (&FAMILY.replacen("helpline = \"", "helpline = \" \"\n# \"", 1), "helpline is empty"),
            (
                &with_offers("network = 'sandbox-push'\nfree_days = 1", "network = 'sandbox-pull'"),
                "a network that bills by itself (datasync) charges the first day, too",
            ),
            (
                &with_offers("network = 'sandbox-push'", "network = 'sandbox-pull'\nfree_days = 2"),
                "free_days is 0 or 1",
            ),
            (
                &with_offers("network = 'sandbox-push'", "network = 'sandbox-pull'\nfree_days = 1")
                    .replace("\"rest\"", "\"rest\"\nsubscribers = \"token\""),
                "free_days: the page of a network with tokens",
            ),
            (
                &with_offers("network = 'sandbox-push'\nparts = [300, 100]", "network = 'sandbox-pull'"),
                "parts: a network that bills by itself (datasync) charges the price alone",
            ),
            (
                &with_offers("network = 'sandbox-push'", "network = 'sandbox-pull'\nparts = [200, 100]"),
                "do not begin with the price, 300",
            ),
            (
                &with_offers(
                    "network = 'sandbox-push'",
                    "network = 'sandbox-pull'\nperiod = 'week'\nparts = [300, 100]",
                ),
                "parts are for a price a day",
            ),
            (&with_offers("network = 'sandbox-push'", "network = 'sandbox-pull'\nparts = [300, 300]"), "line "),
            (&with_offers("network = 'sandbox-push'", "network = 'sandbox-pull'\nparts = [300]"), "line "),
            (
                &FAMILY.replace("\"rest\"", "\"rest\"\nmonth_limit_cents = 299"),
                "network sandbox-pull: an offer of 300 cents could never be charged",
            ),
            (&FAMILY.replace("\"rest\"", "\"rest\"\nranges = [\"082\"]"), "\"082\" is no beginning"),
            (
                &FAMILY
                    .replace("\"rest\"", "\"rest\"\nranges = [\"2782\"]")
                    .replace("\"datasync\"", "\"datasync\"\nranges = [\"2782\"]"),
                "range \"2782\" belongs to two networks",
            ),
            (&FAMILY.replace("[\"memeworld\"]", "[\"Meme World\"]"), "\"Meme World\""),
            (&FAMILY.replace("adapter = \"rest\"", ""), "network sandbox-pull names no adapter"),
            (&FAMILY.replace("\"rest\"", "\"rest\"\nshape = \"push\""), "network sandbox-pull: its shape"),
            (&FAMILY.replace("\"rest\"", "\"pigeon\""), "pigeon"),
            (&with_domains("[\"tv.co.za\"]", "[\"tv.co.za\"]"), "\"tv.co.za\" is listed twice"),
            (&with_domains("[\"tv.co.za\", \"tv.co.za\"]", "[]"), "\"tv.co.za\" is listed twice"),
            (&with_domains("[\"TV.co.za\"]", "[]"), "\"TV.co.za\" is no host name"),
            (&with_domains("[\"tv.co.za:80\"]", "[]"), "\"tv.co.za:80\" is no host name"),
            (&with_domains("[\"10.0.0.1\"]", "[]"), "\"10.0.0.1\" is no host name"),
            (&with_domains("[\"tv\"]", "[]"), "\"tv\" is no host name"),
            (&with_domains("[\"-.co.za\"]", "[]"), "\"-.co.za\" is no host name"),
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
