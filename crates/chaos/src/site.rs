//! The contents of each brand's site: lists, videos, images, and items that can be liked.

use std::rc::Rc;

use brands::{Brand, Brands, Confirmation, Kind, NetworkOffer, Period};
use reqwest::Method;
use serde_json::{Value, json};

use crate::{browser::Browser, run::Run};

/// Image widths that the sites request.
pub(crate) const WIDTHS: [u32; 3] = [160, 320, 480];

/// How the numbers begin that no network's range has.
const OWN_PREFIX: &str = "2783";

/// A network on which a brand is sold.
#[derive(Clone, Default)]
pub(crate) struct SoldOn {
    /// Its name.
    pub name: String,
    /// How the numbers of its subscribers begin.
    pub prefix: String,
    /// For how many days a charge pays.
    pub days: usize,
}

/// One brand's site.
pub(crate) struct Site {
    /// The label of its host.
    pub label: String,
    /// The networks on which it is sold.
    pub networks: Vec<SoldOn>,
    /// Its service's id at the network.
    pub svc_id: i32,
    /// Its service's name.
    pub service: String,
    /// Its kind.
    pub kind: Kind,
    /// The path of its home page.
    pub home: String,
    /// The list that its home page is made of.
    pub list: String,
    /// Paths of all other public lists and items.
    pub reads: Vec<String>,
    /// Paths of videos below `/media/`, with their sizes in bytes.
    pub videos: Vec<(String, u64)>,
    /// Ids of what can be liked: memes, or videos on demand.
    pub likeable: Vec<u64>,
    /// URLs of images.
    pub images: Vec<String>,
}

impl Site {
    /// Reads all lists and items of a brand's site.
    pub async fn read(run: &Rc<Run>, brand: &Brand) -> anyhow::Result<Self> {
        let service = in_path(&brand.service);
        let list = match brand.kind {
            Kind::Comedy => format!("/api/madfunny/fetchArtist?service={service}"),
            Kind::Diski => format!("/api/diski/fetchArtist?service={service}"),
            Kind::Meme => "/api/meme/getMemeCategories".to_owned(),
            Kind::Tt => format!("/api/tt/getCategory/{service}"),
        };
        let browser = Browser::new(run.clone(), brand.label());
        let get = async |path: String| {
            let reply = browser.get(&path).await.reply().filter(|reply| reply.status == 200);
            let reply = reply.ok_or_else(|| anyhow::anyhow!("{}: {path} cannot be read", brand.label()))?;
            Ok::<Value, anyhow::Error>(serde_json::from_slice(&reply.bytes)?)
        };
        let mut site = Self {
            label: brand.label().to_owned(),
            networks: networks(&run.family.brands, brand),
            svc_id: brand.svc_id,
            service: brand.service.clone(),
            kind: brand.kind,
            home: brand.home.clone(),
            list: list.clone(),
            reads: Vec::new(),
            videos: Vec::new(),
            likeable: Vec::new(),
            images: Vec::new(),
        };
        for one in items(&get(list).await?) {
            let Some(id) = one.get("id").and_then(Value::as_u64) else { continue };
            let (path, below) = match brand.kind {
                Kind::Comedy => (format!("/api/madfunny/common/{id}"), ""),
                Kind::Diski => (format!("/api/diski/common/{id}"), ""),
                Kind::Meme => (format!("/api/meme/getMemeValue/{id}"), "/memeData"),
                Kind::Tt => (format!("/api/tt/catVideos/{id}"), "/videos"),
            };
            let within = get(path.clone()).await?;
            site.reads.push(path);
            items(within.pointer(below).unwrap_or(&within)).iter().for_each(|item| site.add(item));
        }
        site.likeable.sort_unstable();
        site.likeable.dedup();
        if site.reads.is_empty() || site.images.is_empty() || site.networks.is_empty() {
            anyhow::bail!("{} has no items, no images or no network", site.label);
        }
        Ok(site)
    }

    /// Its service's name, percent-encoded.
    pub fn service_in_path(&self) -> String {
        in_path(&self.service)
    }

    /// The request that likes or unlikes an item.
    pub fn like(&self, id: u64, likes: bool) -> (Method, &'static str, Value) {
        match (self.kind, likes) {
            (Kind::Meme, true) => (Method::POST, "/api/meme/postlike", json!({ "id": id })),
            (Kind::Meme, false) => (Method::DELETE, "/api/meme/unlike", json!({ "meme_id": id })),
            (_, true) => (Method::POST, "/api/tt/likevideo", json!({ "videoid": id })),
            (_, false) => (Method::DELETE, "/api/tt/unlikevideo", json!({ "videoid": id })),
        }
    }

    fn add(&mut self, item: &Value) {
        let text = |name: &str| item.get(name).and_then(Value::as_str).map(str::to_owned);
        let number = |name: &str| item.get(name).and_then(Value::as_u64);
        if matches!(self.kind, Kind::Meme | Kind::Tt) {
            self.likeable.extend(number("id"));
        }
        self.images.extend(text("image").or_else(|| text("imgurl")));
        if let (Some(address), Some(bytes)) = (text("vurl"), number("bytes"))
            && address.ends_with(".mp4")
        {
            self.videos.push((address, bytes));
        }
        if let (Some(id), Kind::Comedy | Kind::Diski | Kind::Tt) = (number("id"), self.kind) {
            self.reads.push(match self.kind {
                Kind::Comedy => format!("/api/madfunny/fetchsingle/{id}"),
                Kind::Diski => format!("/api/diski/fetchsingle/{id}"),
                _ => format!("/api/tt/ttsinglevideo/{id}"),
            });
        }
    }
}

fn in_path(service: &str) -> String {
    url::form_urlencoded::byte_serialize(service.as_bytes()).collect::<String>().replace('+', "%20")
}

fn items(list: &Value) -> &[Value] {
    list.as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The networks of a brand that have a page for joins and charge from the first day: its own, which has all numbers that no range has, and
/// others by their ranges.
fn networks(brands: &Brands, brand: &Brand) -> Vec<SoldOn> {
    let of_offer = |offer: &NetworkOffer| {
        let network = brands.network(&offer.network)?;
        let prefix = match network.ranges.first() {
            Some(range) => range.clone(),
            None if offer.network == brand.network => OWN_PREFIX.to_owned(),
            None => return None,
        };
        let joins_by_page = network.opt_in == Confirmation::Page && !brands.has_tokens(&offer.network);
        let days = match offer.period {
            Period::Day => 1,
            Period::Week => 7,
            Period::Month => 31,
        };
        (joins_by_page && offer.free_days == 0).then(|| SoldOn { name: offer.network.clone(), prefix, days })
    };
    brand.offers.iter().filter_map(of_offer).collect()
}
