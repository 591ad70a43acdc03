//! The next page of a network's list: a `Link` header (RFC 8288).

/// The path and query of a `Link` header's `rel="next"`, from this path on; its host is ignored.
pub fn next_page(link: &str, path: &str) -> Option<String> {
    let next = link.split(',').find(|part| part.contains("rel=\"next\""))?;
    let address = next.split_once('<')?.1.split_once('>')?.0;
    let from = match address.split_once("://") {
        Some((_, rest)) => rest.get(rest.find('/')?..)?,
        None => address,
    };
    from.get(from.find(path)?..).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn next_page_ignores_the_host_of_the_link() {
        let next = Some("/charges?day=2026-12-01&after=7".to_owned());
        for link in [
            "</charges?day=2026-12-01&after=7>; rel=\"next\"",
            "</x>; rel=\"prev\", <https://elsewhere.example/v1/charges?day=2026-12-01&after=7>; rel=\"next\"",
        ] {
            assert_eq!(next_page(link, "/charges"), next, "{link}");
        }
        for link in ["", "</charges>; rel=\"prev\"", "<>; rel=\"next\""] {
            assert_eq!(next_page(link, "/charges"), None, "{link}");
        }
    }
}
