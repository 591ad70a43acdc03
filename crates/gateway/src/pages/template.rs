//! The page's template from the front end's build, with a brand's styles filled in.

use std::{io, path::Path};

use brands::{Brand, Offer};
use maud::Render;

use super::{languages::Language, ssr::Look};
use crate::response::inline_source;

/// How the build links its stylesheet.
const LINK: &str = "<link rel=\"stylesheet\" href=\"";

/// The template, and the stylesheet that it links.
pub(super) struct Template {
    text: String,
    styles: Option<Styles>,
}

struct Styles {
    /// The link element.
    link: String,
    address: String,
    rules: String,
}

impl Template {
    /// Its file name in the front end's folder.
    pub const FILE: &str = "index.html";

    /// Reads the template and its stylesheet.
    pub fn load(folder: &Path) -> io::Result<Self> {
        let text = std::fs::read_to_string(folder.join(Self::FILE))?;
        let styles = match named(&text) {
            Some((link, address)) => {
                let rules = std::fs::read_to_string(folder.join(address.trim_start_matches('/')))?;
                // A stylesheet that would end a style element stays in its file.
                let may_stand_inside = !rules.contains("</");
                may_stand_inside.then(|| Styles { link: link.to_owned(), address: address.to_owned(), rules })
            }
            None => None,
        };
        Ok(Self { text, styles })
    }

    /// The text of the inline script.
    pub fn inline_script(&self) -> Option<&str> {
        let (_, script) = self.text.split_once("<script>")?;
        Some(script.split_once("</script>")?.0)
    }

    /// The page with a brand's styles in a language. If its look is known, the stylesheet is inlined, so that the browser renders without another request;
    /// the second value is what `style-src` must allow for that.
    pub fn with_styles(&self, brand: &Brand, language: &Language, look: Option<&Look>) -> (String, Option<String>) {
        let mut text = self.text.clone();
        let mut source = None;
        if let (Some(look), Some(styles)) = (look, &self.styles)
            && !look.css.contains("</")
        {
            let rules = format!("{}{}", styles.rules, look.css);
            source = Some(inline_source(&rules));
            text = text.replace(&styles.link, &format!("<style data-href=\"{}\">{rules}</style>", styles.address));
        }
        let (face, tone) = look.map_or(("", ""), |look| (look.face.as_str(), look.tone.as_str()));
        let background = brand.theme.get("background").map_or("", String::as_str);
        let [description, undrawn] =
            ["description", "undrawn"].map(|id| language.text(id).replace("{name}", &brand.name));
        let description = description.replace("{price}", &price(brand.offer, language));
        for (place, value) in [
            ("%BRAND_NAME%", brand.name.as_str()),
            ("%THEME_COLOR%", background),
            ("%FACE%", face),
            ("%TONE%", tone),
            ("%LANGUAGE%", &language.code),
            ("%MESSAGES%", &language.file),
            ("%DESCRIPTION%", &description),
            ("%UNDRAWN%", &undrawn),
        ] {
            text = text.replace(place, &value.render().into_string());
        }
        (text, source)
    }
}

/// A price with its period, as the pages have it.
pub(super) fn price(offer: Offer, language: &Language) -> String {
    let (rands, cents) = (offer.price_cents / 100, offer.price_cents % 100);
    let amount = match cents {
        0 => format!("R{rands}"),
        _ => format!("R{rands}{}{cents:02}", language.text("decimal")),
    };
    language.text(&format!("price-per-{}", offer.period.as_str())).replace("{price}", &amount)
}

/// The link element and the stylesheet's path.
fn named(text: &str) -> Option<(&str, &str)> {
    let begin = text.find(LINK)?;
    let element = text.get(begin..)?;
    let address = element.get(LINK.len()..)?.split('"').next()?;
    let end = element.find('>')?;
    Some((element.get(..=end)?, address))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pages::languages::tests::language;

    const PAGE: &str = "<html lang=\"%LANGUAGE%\" data-face=\"%FACE%\" data-tone=\"%TONE%\"><link rel=\"stylesheet\" href=\"/assets/a.css\"><title>%BRAND_NAME%</title>";

    fn template(rules: &str) -> (Template, Brand) {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("assets")).unwrap();
        std::fs::write(folder.path().join("index.html"), PAGE).unwrap();
        std::fs::write(folder.path().join("assets/a.css"), rules).unwrap();
        let brand = Brand::clone(&testkit::brands().iter().next().unwrap());
        (Template::load(folder.path()).unwrap(), brand)
    }

    fn look(css: &str) -> Look {
        Look { css: css.to_owned(), face: "lo\"ud".to_owned(), tone: "dark".to_owned() }
    }

    #[test]
    fn with_styles_inlines_the_stylesheet_and_returns_its_hash() {
        let (template, brand) = template("a{b:c}");
        let (page, source) = template.with_styles(&brand, &language("zu", true), Some(&look(":root{}")));
        assert!(page.contains("<style data-href=\"/assets/a.css\">a{b:c}:root{}</style>"), "{page}");
        assert!(
            page.contains("<html lang=\"zu\" data-face=\"lo&quot;ud\" data-tone=\"dark\"") && !page.contains("<link"),
            "{page}"
        );
        // printf 'a{b:c}:root{}' | openssl dgst -sha256 -binary | base64
        assert_eq!(source.unwrap(), "'sha256-oxoSeWppHUMisjcBU22SuuuQTBtQxWO3v6B+5xG+b1s='");
        let (page, source) = template.with_styles(&brand, &language("zu", true), None);
        assert!(
            page.contains("data-face=\"\"") && page.contains("<link rel=\"stylesheet\" href=\"/assets/a.css\">"),
            "{page}"
        );
        assert_eq!(source, None);
    }

    #[test]
    fn with_styles_does_not_inline_rules_that_end_the_element() {
        let (closing, brand) = template("a{content:'</style>'}");
        assert!(closing.with_styles(&brand, &language("zu", true), Some(&look(""))).0.contains("<link"));
        let (plain, brand) = template("a{}");
        assert!(plain.with_styles(&brand, &language("zu", true), Some(&look("</style>"))).0.contains("<link"));
    }
}
