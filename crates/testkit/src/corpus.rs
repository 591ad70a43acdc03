//! Strangers' inputs with their right values: the tables of `corpus/`.

/// The rows of a table: each input with its right value.
pub fn corpus(kind: &str) -> Vec<(String, String)> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(format!("{kind}.txt"));
    let text = std::fs::read_to_string(&path).expect("a table of the corpus");
    let rows = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    rows.map(|line| {
        let (input, right) = line.split_once('\t').unwrap_or_else(|| panic!("{kind}: {line:?} has no tab"));
        let input = serde_json::from_str(input).unwrap_or_else(|error| panic!("{kind}: {line:?}: {error}"));
        (input, right.to_owned())
    })
    .collect()
}
