//! Texts for staff: written in the language of the call, and stored by their ids where their reader is not known yet.

use service::StaffText;

/// A text in the language of the call; in English outside of a call.
pub(crate) fn written(text: &StaffText) -> String {
    text.text(service::staff_language())
}

/// A text as it is stored: JSON, on one line.
pub(crate) fn stored(text: &StaffText) -> String {
    // Strings and numbers always serialize.
    serde_json::to_string(text).unwrap_or_else(|_| text.to_string())
}

/// A stored text in the language of the call. What an earlier release stored in words, or a later one by an unknown id, is shown as it is.
pub(crate) fn shown(stored: &str) -> String {
    let text = serde_json::from_str::<StaffText>(stored).map(|text| written(&text)).unwrap_or_default();
    if text.is_empty() { stored.to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_writes_what_stored_keeps_by_its_id() {
        let fault = StaffText::new("longer-than").with("count", 5000_usize);
        let text = StaffText::new("fault-of-field").with("field", "a \"b\"\nc").with("fault", fault);
        let kept = stored(&text);
        assert!(kept.contains("fault-of-field") && !kept.contains('\n'), "{kept}");
        assert_eq!(shown(&kept), "a \"b\"\nc is longer than 5000 characters.");
    }

    #[test]
    fn shown_leaves_words_and_unknown_ids_as_they_are() {
        for stored in ["", "It failed: no room.", "{", "{\"id\":\"of-a-later-release\",\"placeholders\":[]}"] {
            assert_eq!(shown(stored), stored);
        }
    }
}
