//! More networks for a `brands.toml`, from a file of their own.

use toml::{Table, Value};

/// `brands`, the text of a `brands.toml`, with the networks and the offers of `networks`, such as deploy/demo/networks.toml. A network or an offer that
/// `brands` has already stays as it is.
pub fn with_networks(brands: &str, networks: &str) -> Result<String, String> {
    let parse = |text: &str| text.parse::<Table>().map_err(|error| error.message().to_owned());
    let (mut both, mut more) = (parse(brands)?, parse(networks)?);
    let added = more.remove("network").unwrap_or_else(|| Value::Table(Table::new()));
    let known = both.entry("network").or_insert_with(|| Value::Table(Table::new()));
    if let (Some(known), Value::Table(added)) = (known.as_table_mut(), added) {
        for (name, network) in added {
            known.entry(name).or_insert(network);
        }
    }
    let offers = more.get("offer").and_then(Value::as_array).cloned().unwrap_or_default();
    for brand in both.get_mut("brand").and_then(Value::as_array_mut).into_iter().flatten() {
        if let Some(brand) = brand.as_table_mut() {
            add_offers(brand, &offers);
        }
    }
    toml::to_string(&both).map_err(|error| error.to_string())
}

fn add_offers(brand: &mut Table, offers: &[Value]) {
    let svc_id = brand.get("svc_id").cloned();
    let of_brand = offers.iter().filter_map(Value::as_table).filter(|offer| offer.get("svc_id") == svc_id.as_ref());
    let mut own = match brand.get("offer") {
        Some(Value::Array(own)) => own.clone(),
        entry => {
            let mut only = entry.and_then(Value::as_table).cloned().unwrap_or_default();
            only.extend(brand.get("network").map(|network| ("network".to_owned(), network.clone())));
            vec![Value::Table(only)]
        }
    };
    let before = own.len();
    for offer in of_brand {
        let mut offer = offer.clone();
        offer.remove("svc_id");
        if !own.iter().any(|other| other.get("network") == offer.get("network")) {
            own.push(Value::Table(offer));
        }
    }
    if own.len() > before {
        brand.insert("offer".to_owned(), Value::Array(own));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Brands;

    const BRANDS: &str = include_str!("../../../deploy/brands.toml");
    const NETWORKS: &str = include_str!("../../../deploy/demo/networks.toml");

    #[test]
    fn with_networks_adds_networks_and_offers_and_changes_nothing_else() {
        let (before, both) = (Brands::parse(BRANDS, "").unwrap(), with_networks(BRANDS, NETWORKS).unwrap());
        let after = Brands::parse(&both, "").unwrap();
        for (before, after) in before.iter().zip(after.iter()) {
            assert_eq!(before.svc_id, after.svc_id);
            assert_eq!((&before.network, before.offer), (&after.network, after.offer), "{}", before.service);
            let offers = match after.svc_id {
                150 => 5,
                151 => 3,
                152 => 2,
                _ => 1,
            };
            assert_eq!(after.offers.len(), offers, "{}", before.service);
        }
        assert_eq!(after.network_by_range("27711000000").as_deref(), Some("baobab"));
        assert_eq!(after.network_by_range("27812345678"), None);
    }

    #[test]
    fn with_networks_keeps_the_price_and_the_networks_of_brands_toml() {
        let own = BRANDS
            .replace("svc_id = 150\n", "svc_id = 150\noffer = { price_cents = 6000, period = \"day\" }\n")
            .replace("network = \"sandbox-pull\"\nname = \"MEMEWORLD\"", "network = \"baobab\"\nname = \"MEMEWORLD\"")
            .replacen("[[brand]]\n", "[network.baobab]\nadapter = \"rest\"\n[[brand]]\n", 1);
        let after = Brands::parse(&with_networks(&own, NETWORKS).unwrap(), "").unwrap();
        let brand = after.by_svc_id(150).unwrap();
        assert_eq!((brand.network.as_str(), brand.offer.price_cents, brand.offers.len()), ("baobab", 6000, 4));
        assert_eq!(after.network("baobab").unwrap().adapter(), crate::Adapter::Rest);
        assert!(with_networks("[[", NETWORKS).is_err());
    }
}
