//! A document for a person: a page of headings, paragraphs, facts and tables, to print or to save as PDF.

use actix_web::{HttpResponse, HttpResponseBuilder, http::header};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use service::StaffText;

use crate::texts::written;

const STYLE: &str = "body{font:14px/1.4 sans-serif;margin:2em}table{border-collapse:collapse;margin:0 0 1.5em;width:100%}\
    th,td{border-top:1px solid #bbb;padding:.2em .5em .2em 0;text-align:left;vertical-align:top;overflow-wrap:anywhere}\
    tr,section{break-inside:avoid}h1,h2,h3,h4{break-after:avoid}h4{margin:0}dl{display:grid;grid-template-columns:12em 1fr;margin:0 0 1em}\
    dt,dd{border-top:1px solid #ddd;margin:0;overflow-wrap:anywhere}.amount{text-align:right;white-space:nowrap}\
    @page{size:A4;margin:15mm;@bottom-right{content:counter(page) ' / ' counter(pages)}}@media print{body{margin:0;font-size:10px}}";

/// A document that is being written.
pub(crate) struct Document {
    title: String,
    parts: Vec<Markup>,
}

impl Document {
    pub(crate) fn new(title: &StaffText) -> Self {
        Self { title: written(title), parts: Vec::new() }
    }

    /// A heading of the first level below the title.
    pub(crate) fn chapter(&mut self, text: &str) {
        self.parts.push(html! { h2 { (text) } });
    }

    /// A heading of the second level.
    pub(crate) fn heading(&mut self, text: &str) {
        self.parts.push(html! { h3 { (text) } });
    }

    pub(crate) fn paragraph(&mut self, text: &str) {
        self.parts.push(html! { p { (text) } });
    }

    /// Names and values below a small heading, without empty values.
    pub(crate) fn facts(&mut self, heading: &str, facts: &[(String, &str)]) {
        self.parts.push(html! {
            section {
                h4 { (heading) }
                dl { @for (name, value) in facts { @if !value.is_empty() { dt { (name) } dd { (value) } } } }
            }
        });
    }

    pub(crate) fn table<const N: usize>(
        &mut self,
        columns: [StaffText; N],
        rows: impl IntoIterator<Item = [String; N]>,
    ) {
        self.table_of_amounts(columns, N, rows);
    }

    /// A table whose columns have texts of the catalogue as names; from one column on, its cells are amounts.
    pub(crate) fn table_of_amounts<const N: usize>(
        &mut self,
        columns: [StaffText; N],
        amounts_from: usize,
        rows: impl IntoIterator<Item = [String; N]>,
    ) {
        let mut rows = rows.into_iter().peekable();
        if rows.peek().is_none() {
            return self.paragraph(&written(&StaffText::new("document-none")));
        }
        let class = |column: usize| (column >= amounts_from).then_some("amount");
        self.parts.push(html! {
            table {
                thead { tr { @for (at, name) in columns.iter().enumerate() { th class=[class(at)] { (written(name)) } } } }
                tbody {
                    @for row in rows {
                        tr { @for (at, cell) in row.iter().enumerate() { td class=[class(at)] { (cell) } } }
                    }
                }
            }
        });
    }

    /// The page, as a file.
    pub(crate) fn finish(self, file: &str) -> HttpResponse {
        let page = html! {
            (DOCTYPE)
            html lang=(format!("{}-ZA", service::staff_language().code())) {
                head {
                    meta charset="utf-8";
                    title { (self.title) }
                    style { (PreEscaped(STYLE)) }
                }
                body { h1 { (self.title) } @for part in &self.parts { (part) } }
            }
        };
        attachment("text/html; charset=utf-8", file)
            .insert_header((header::CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'"))
            .body(page.into_string())
    }
}

/// A reply that the browser saves as a file.
pub(crate) fn attachment(content_type: &str, file: &str) -> HttpResponseBuilder {
    let mut reply = HttpResponse::Ok();
    let disposition = format!("attachment; filename=\"{file}\"");
    reply.content_type(content_type).insert_header((header::CONTENT_DISPOSITION, disposition));
    reply
}

#[cfg(test)]
mod tests {
    use super::*;

    #[testkit::actix_web::test]
    async fn finish_writes_every_part_escaped() {
        let mut document = Document::new(&StaffText::new("fact-day"));
        document.facts("Ṱhahiso <b>", &[("Name".to_owned(), "ḓ & é"), ("Empty".to_owned(), "")]);
        document.table([StaffText::new("fact-day")], (0..400).map(|row| [format!("row {row}")]));
        document.table([StaffText::new("fact-day")], std::iter::empty());
        let reply = document.finish("a.html");
        let text = actix_web::body::to_bytes(reply.into_body()).await.unwrap_or_default();
        let text = String::from_utf8_lossy(&text);
        for part in ["Ṱhahiso &lt;b&gt;", "ḓ &amp; é", "row 0", "row 399", &written(&StaffText::new("document-none"))]
        {
            assert!(text.contains(part), "{part:?} is missing");
        }
        assert!(!text.contains("Empty"), "a fact without a value");
    }
}
