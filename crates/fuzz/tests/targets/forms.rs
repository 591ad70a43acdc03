//! What pages send to the gateway itself: the join form, and how fast they were.

use gateway::{JoinForm, Vital};
use url::form_urlencoded::Serializer;

target!("forms", 20000, holds);

fn holds(input: &[u8]) {
    let form = JoinForm::read(input);
    let written = Serializer::new(String::new())
        .append_pair("ext_ref", &form.ext_ref)
        .append_pair("other", "x")
        .append_pair("msisdn", &form.msisdn)
        .append_pair("network", &form.network)
        .append_pair("challenge", &form.challenge)
        .append_pair("code", &form.code)
        .append_pair("homepage", &form.homepage)
        .append_pair("page", &form.page)
        .append_pair("shown", &form.shown)
        .finish();
    assert_eq!(JoinForm::read(written.as_bytes()), form);

    if let Some(figure) = Vital::read(input).and_then(|vital| vital.figure()) {
        assert!(figure.is_finite() && figure >= 0.0, "{figure}");
    }
}

#[test]
fn corpus_has_valid_metrics() {
    let corpus = crate::corpora::inputs("forms");
    let right = corpus.iter().filter(|input| Vital::read(input).is_some_and(|vital| vital.figure().is_some()));
    assert_eq!(right.count(), 3);
}
