//! Secrets that stand in the repository: with `PRODUCTION=1` no program takes one.

use identity::SessionMinter;
use operator::NotifySecret;

use crate::{files, root};

/// Every run of a secret's letters in `text` that begins with `start`.
fn words<'a>(text: &'a str, start: &'a str) -> impl Iterator<Item = &'a str> {
    let is_other = |c: char| !c.is_ascii_alphanumeric() && !"+/=-_.".contains(c);
    text.match_indices(start).filter_map(move |(at, _)| text.get(at..)?.split(is_other).next())
}

#[test]
fn production_refuses_every_secret_of_the_repository() {
    let mut found = 0;
    for file in files(&root(), "") {
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let tokens =
            words(&text, "ADMIN_TOKEN=").map(|word| word.trim_start_matches("ADMIN_TOKEN=").as_bytes().to_vec());
        let keys = words(&text, "whsec_").filter_map(|word| NotifySecret::key_of(word).ok());
        let minters = words(&text, "k4.secret.").filter_map(|word| Some((word, SessionMinter::parse(word).ok()?)));
        let pairs = minters.flat_map(|(word, minter)| [word.as_bytes().to_vec(), minter.public_key().into_bytes()]);
        for secret in tokens.chain(keys).chain(pairs) {
            found += 1;
            let refused = service::refuse_weak_secret("SECRET", &secret);
            assert!(refused.is_err(), "{} publishes {:?}", file.display(), String::from_utf8_lossy(&secret));
        }
    }
    assert!(found > 10, "only {found} were found");
}
