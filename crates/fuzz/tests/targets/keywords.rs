//! SMSes from persons: a text in any spelling.

use subscription::keywords::{Keyword, parse};

target!("keywords", 8000, holds);

fn is_stop(keyword: Keyword) -> bool {
    matches!(keyword, Keyword::Stop | Keyword::StopAll)
}

fn holds(input: &[u8]) {
    // Without the mark below that is a letter of its own in capitals.
    let text = String::from_utf8_lossy(input).replace('\u{345}', "");
    let found = parse(&text);
    // Case, blanks, marks and quotes around the text do not count.
    for spelled in [text.to_uppercase(), format!("\"{text}\""), format!(" \n{text}?!"), format!("\u{feff}{text}")] {
        assert_eq!(parse(&spelled).keyword, found.keyword, "{spelled:?} and {text:?}");
    }
    // A STOP is found wherever it stands, whatever is around it.
    for with_stop in [format!("{text} STOP"), format!("STOP {text}"), format!("{text}\nHou op!")] {
        assert!(is_stop(parse(&with_stop).keyword), "{with_stop:?}");
    }
    // What is no STOP stays none for words that confirm, decline or request help, so that none of these ends a subscription.
    if !is_stop(found.keyword) {
        for other in ["YES", "NO", "HELP", "JOIN"] {
            let keyword = parse(&format!("{other} {text}")).keyword;
            // A word that ends a subscription only at the beginning may have been the first one; it is not any more.
            assert!(!is_stop(keyword), "{other} {text:?}");
        }
    }
    // Only a YES at the beginning confirms: words before it are read as what they are.
    if found.keyword == Keyword::Yes {
        assert_ne!(parse(&format!("NO {text}")).keyword, Keyword::Yes, "{text:?}");
    }
}
