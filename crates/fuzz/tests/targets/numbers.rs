//! Mobile numbers and tokens, as people type them and as networks write them.

use identity::{Msisdn, SubscriberId};

target!("numbers", 10000, holds);

fn holds(input: &[u8]) {
    let Ok(text) = std::str::from_utf8(input) else { return };
    if let Ok(subscriber) = SubscriberId::parse(text)
        && let Some(network) = subscriber.token_network()
    {
        assert_eq!(subscriber.as_str(), text, "a token is kept byte by byte");
        let token = &text[network.len() + 1..];
        assert_eq!(SubscriberId::token(network, token).ok().as_ref(), Some(&subscriber));
        // The name of its network may contain the same characters.
        let shown = subscriber.to_string().replacen(network, "", 1);
        assert!(subscriber.number().is_none() && !shown.contains(token), "{text}");
        assert_eq!(format!("{subscriber:?}"), subscriber.masked());
    }
    let Ok(number) = Msisdn::parse(text) else { return };
    let whole = number.as_str();
    assert!(whole.len() == 11 && whole.starts_with("27") && whole.bytes().all(|b| b.is_ascii_digit()), "{whole}");
    let national = &whole[2..];
    // Full-width digits count as the usual ones, and an exponent may stand for the last zeros.
    let usual = icu_normalizer::ComposingNormalizerBorrowed::new_nfkc().normalize(text);
    let typed: String = usual.chars().filter(char::is_ascii_digit).collect();
    assert!(typed.contains(national.trim_end_matches('0')), "{text:?} became {whole}");
    for spelling in [
        national.to_owned(),
        format!("0{national}"),
        whole.to_owned(),
        format!("+{whole}"),
        format!("00{whole}"),
        format!(" +27 (0){national}").replace("(0)", ""),
        format!("{}-{} {}", &national[..2], &national[2..5], &national[5..]),
    ] {
        assert_eq!(Msisdn::parse(&spelling).ok().as_ref(), Some(&number), "{spelling}");
    }
    // Logs and pages print it masked.
    let shown = number.to_string();
    assert!(shown == format!("{number:?}") && shown == number.masked());
    assert_eq!(shown.chars().filter(char::is_ascii_digit).count(), 5, "{shown}");
}
