//! `brands.toml`: a file is refused in one line, or every brand in it can be found under all its names.

use brands::Brands;

target!("brands_file", 3000, holds);

fn holds(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    let brands = match Brands::parse(text, "brands.toml") {
        Ok(brands) => brands,
        Err(error) => {
            let message = error.to_string();
            assert!(message.starts_with("BRANDS_FILE") && !message.contains('\n'), "{message:?}");
            return;
        }
    };
    for brand in brands.iter() {
        let found =
            |other: Option<std::sync::Arc<brands::Brand>>| other.is_some_and(|other| other.svc_id == brand.svc_id);
        assert!(found(brands.by_svc_id(brand.svc_id)));
        assert!(found(brands.by_media_folder(&brand.media_folder())), "{:?}", brand.media_folder());
        assert!(brands.network_of(&brand).is_some());
        for name in brand.aliases.iter().chain([&brand.service]).chain(&brand.labels) {
            assert!(found(brands.by_service_name(brand.kind, name)), "{name:?}");
            assert!(found(brands.by_service_name(brand.kind, &format!(" {} ", name.to_ascii_uppercase()))), "{name:?}");
        }
        for label in &brand.labels {
            let picked = brands.of_request(label, None);
            assert_eq!(picked.as_ref().map(|(_, picked)| picked), Some(label));
            assert!(found(picked.map(|(brand, _)| brand)));
            assert!(!brands.public_url(&brand, label, 8080).ends_with('/'));
        }
        for domain in &brand.domains {
            assert!(found(brands.of_request(&format!("{domain}:443"), None).map(|(brand, _)| brand)), "{domain}");
        }
    }
}

#[test]
fn corpus_has_valid_files() {
    let corpus = crate::corpora::inputs("brands_file");
    let right = corpus.iter().filter(|input| Brands::parse(std::str::from_utf8(input).unwrap(), "brands.toml").is_ok());
    assert_eq!(right.count(), 3);
}
