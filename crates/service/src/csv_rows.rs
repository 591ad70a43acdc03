//! Rows as CSV.

/// A header and rows as CSV (RFC 4180) with line feeds; rows alone with an empty header. A field is quoted where necessary.
pub fn csv_rows<R>(header: &[&str], rows: impl IntoIterator<Item = R>) -> Vec<u8>
where
    R: IntoIterator<Item: AsRef<[u8]>>,
{
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    // Writing to memory does not fail.
    if !header.is_empty() {
        drop(writer.write_record(header));
    }
    for row in rows {
        drop(writer.write_record(row));
    }
    writer.into_inner().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn csv_rows_quotes_commas_quotes_and_lines() {
        let rows = [["plain-1", ""], ["a,\"b\"", "c\nd"]];
        assert_eq!(csv_rows(&[], rows), b"plain-1,\n\"a,\"\"b\"\"\",\"c\nd\"\n");
    }
}
