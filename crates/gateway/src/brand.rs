//! The brand of a request's host.

use brands::Brands;
use url::form_urlencoded;

use crate::request::Head;

/// The label that selects the request's brand; `None` if its host selects none.
pub(crate) fn label(brands: &Brands, head: &Head) -> Option<String> {
    if head.host.is_empty() {
        return None;
    }
    brands.of_request(&head.host, domain(head).as_deref()).map(|(_, label)| label)
}

/// Whether the host is the demo host that shows every brand (label 88).
pub(crate) fn shows_every_brand(brands: &Brands, head: &Head) -> bool {
    !head.host.is_empty() && brands.shows_every_brand(&head.host)
}

fn domain(head: &Head) -> Option<String> {
    let query = head.query()?;
    form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == "domain").map(|(_, value)| value.into_owned())
}

#[cfg(test)]
mod tests {
    use http::Request;

    use super::*;
    use crate::request::tests::head;

    #[test]
    fn label_is_from_the_host_or_the_domain_parameter_of_the_demo_host() {
        let brands = testkit::brands();
        let own = brands.iter().next().unwrap().label().to_owned();
        let of = |address: &str, host: &str| label(&brands, &head(Request::get(address).header("host", host)));
        assert_eq!(of("/", &format!("{own}.localhost:8080")), Some(own.clone()));
        assert_eq!(of(&format!("/?a=b&domain={own}"), "88.localhost"), Some(own.clone()));
        assert_eq!(of(&format!("/?domain={own}"), "localhost"), None);
        assert_eq!(label(&brands, &head(Request::get("/"))), None);
        let shows = |host: &str| shows_every_brand(&brands, &head(Request::get("/").header("host", host)));
        assert!(shows("88.localhost") && !shows(&own) && !shows(""));
    }
}
