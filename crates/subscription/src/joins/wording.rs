//! The wording that a subscriber agreed to.

use brands::{Brand, Offer};
use chrono::NaiveDate;
use languages::{FluentArgs, Language};

use crate::subscribers::{agreement::Terms, text::format_rand};

/// The consent text of a brand's join page with an offer, in a language: the text around its button (`PriceLine.tsx` and `JoinPage.tsx` of the front
/// end) on a day. The version of the terms is stored beside it.
pub(crate) fn wording(brand: &Brand, offer: Offer, language: Language, today: NaiveDate) -> String {
    words("consent", brand, offer, language, today)
}

fn words(id: &str, brand: &Brand, offer: Offer, language: Language, today: NaiveDate) -> String {
    let placeholders = FluentArgs::from_iter([
        ("name", brand.name.clone()),
        ("amount", format_rand(offer.price_cents)),
        ("period", offer.period.as_str().to_owned()),
    ]);
    let text = language.text(id, &placeholders);
    Terms::on_page(offer, today).after(text, language, offer.price_cents)
}

/// As `wording`, where an action of a page led to the network's page: the price line of that page.
pub(crate) fn wording_of_link(brand: &Brand, offer: Offer, language: Language, today: NaiveDate) -> String {
    words("price-line", brand, offer, language, today)
}

/// As `wording`, where the button that has the network tell the SIM's number was tapped.
pub(crate) fn wording_by_sim(brand: &Brand, offer: Offer, language: Language, today: NaiveDate) -> String {
    format!("{} {}", wording(brand, offer, language, today), language.text("use-sim-number", &FluentArgs::new()))
}

/// The messages that a consent can consist of: of the join page, of the SMS that requests a YES, and of what follows the price.
const MESSAGES: [&str; 11] = [
    "consent",
    "price-line",
    "use-sim-number",
    "sms-join",
    "sms-join-page",
    "price",
    "stop",
    "help",
    "first-charge",
    "date",
    "parts",
];

/// What the words of a consent are: `original`, or a translation, `checked` or `unchecked`. It is checked once a speaker has checked all that a consent
/// can consist of. Empty without words.
pub(crate) fn translation_of(wording: &str, language: Language) -> &'static str {
    match language {
        _ if wording.is_empty() => "",
        Language::ENGLISH => "original",
        _ if language.has_checked(&MESSAGES) => "checked",
        _ => "unchecked",
    }
}

#[cfg(test)]
mod tests {
    use brands::Parts;

    use super::*;
    use crate::subscribers::text::hash_of;

    #[test]
    fn wording_matches_the_join_page() {
        let brand = testkit::brands().by_svc_id(150).unwrap();
        let today = "2026-11-26".parse().unwrap();
        let text = wording(&brand, brand.offer, Language::ENGLISH, today);
        assert_eq!(text, "MEMEWORLD. R3/day · 18+ · how to stop. I agreed to the Terms and Conditions. JOIN");
        let parts = Parts::try_from(vec![300, 200, 100]).unwrap();
        let offer = Offer { free_days: 1, parts, ..brand.offer };
        assert_eq!(
            wording(&brand, offer, Language::ENGLISH, today),
            format!(
                "{text} First day free, once per number; the first R3 is charged on 27 November. \
                 R3, or R2 or R1 when airtime is low."
            )
        );
        let pages = [
            include_str!("../../../../frontend/src/sites/brand.ts"),
            include_str!("../../../../frontend/src/sites/ui/PriceLine.tsx"),
            include_str!("../../../../frontend/src/sites/features/join/JoinPage.tsx"),
        ]
        .concat();
        // The messages of which `crates/languages` compares the texts.
        for part in
            ["'price-a-day'", "{priceFor(", "'first-charge'", "'parts-", "18+", "'how-to-stop'", "'agreed'", "'JOIN'"]
        {
            assert!(pages.contains(part), "the page no longer shows {part}");
        }
        assert_eq!(hash_of(&text).len(), 64);
        assert_eq!(hash_of(""), "");
    }
}
